import type { Logger } from 'pino';
import type { WorkerConfig } from './config/config.js';
import type { Database } from './db/connection/database.js';
import { createSecrets } from './db/secrets/secrets.js';
import type { WorkerEvents } from './http/metrics/metrics.js';
import type { Tracing } from './http/metrics/tracing.js';
import { startMailing } from './reminders/mailing.js';
import { createFileFetcher } from './uploads/worker/fetch-file.js';
import { createFileFinder } from './uploads/worker/find-file.js';
import { startWorker, type Worker } from './uploads/worker/worker.js';

/** Settings of a worker. */
export interface WorkerOptions {
  readonly database: Database;
  readonly config: WorkerConfig;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly tracing?: Tracing | undefined;
  /** True to make a missing key. A process whose data folder is not that of `serve` makes none. */
  readonly makesKey?: boolean;
}

/**
 * Starts a worker that files uploads, and tells of items. A gateway can have one beside it, and a process can be one alone.
 * @param events told of each try, and of reminders
 */
export function createWorker(options: WorkerOptions, events: Partial<WorkerEvents> = {}): Worker {
  const { database, config, log, clock, tracing, makesKey = true } = options;
  const {
    uploadHosts: hosts,
    changesDays,
    mail,
    mailRate,
    demoMailTo,
    workers = 1,
    publicUrl: origin,
  } = config;
  const findFile = createFileFinder({ hosts, fetchFile: createFileFetcher({ hosts }) });
  const { onTried, ...mailingEvents } = events;
  const filing = { findFile, changesDays, onTried, around: tracing?.upload };
  const worker = startWorker({ database, log, clock, ...filing });
  // Each of the processes that serve has a sender, and they share what the mail server takes.
  const sending = {
    mail,
    rate: mailRate / workers,
    origin,
    demoMailTo,
    secrets: createSecrets(config),
    makesKey,
  };
  const stopMailing = startMailing({ database, log, clock, ...sending, ...mailingEvents });
  return {
    stop: async () => {
      await Promise.all([worker.stop(), stopMailing()]);
    },
  };
}
