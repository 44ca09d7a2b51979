import type { Logger } from 'pino';
import { startKeeping } from './compliance/turns.js';
import type { WorkerConfig } from './config/config.js';
import { startImports, startTeamExports } from './csv/start-jobs.js';
import type { Database } from './db/connection/database.js';
import { startFileRemovals } from './db/files/contents.js';
import { createTimeCheck, type TimeCheck, type TimeCheckOptions } from './db/queue/loop.js';
import { setBackTimes } from './db/queue/queue.js';
import { createSecrets } from './db/secrets/secrets.js';
import type { WorkerEvents } from './http/metrics/metrics.js';
import type { Tracing } from './http/metrics/tracing.js';
import { createPost } from './outbound/outbound.js';
import { startChatSender } from './reminders/chat/chat-sender.js';
import { startHeartbeat } from './reminders/health.js';
import { createMailServer } from './reminders/mail-server.js';
import { startMailing } from './reminders/reminder-worker.js';
import { setBackMarks } from './reminders/set-back.js';
import { canReadPictures, checkReading } from './uploads/reading/read-document.js';
import { createFileFetcher } from './uploads/worker/fetch.js';
import { createFileFinder, startWorker, type Worker } from './uploads/worker/worker.js';
import { startWebhooks } from './webhooks/send/sender.js';

/** Settings of a worker. */
export interface WorkerOptions {
  readonly database: Database;
  readonly config: WorkerConfig;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Overrides how the time is checked. */
  readonly time?: Partial<Pick<TimeCheckOptions, 'uptime' | 'read'>> | undefined;
  readonly tracing?: Tracing | undefined;
  /**
   * True if the worker may create a missing key. A process that does not share the data folder of `serve`
   * must not.
   */
  readonly makesKey?: boolean;
}

/** Returns a function that does its work once, when it is first called. */
function lazily<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

/** Creates the check of a worker's time. When it is sure, what wrong clocks have stored is set back first. */
function checkTime(
  { database, log, clock, time }: WorkerOptions,
  { onClock }: Partial<WorkerEvents>,
): TimeCheck {
  return createTimeCheck({
    ...{ database, log, clock, onProblem: onClock, ...time },
    async onSure(now) {
      const workspaces = await setBackMarks(database, now);
      const rows = await setBackTimes(database, now);
      if (workspaces === 0 && Object.keys(rows).length === 0) return;
      log.warn({ workspaces, rows }, 'Times that a wrong clock had stored were set back');
    },
  });
}

/**
 * Starts a worker that files uploads and sends reminders. It runs inside a gateway or as a process of its
 * own.
 * @param events are told about each attempt and about reminders
 */
export function createWorker(options: WorkerOptions, events: Partial<WorkerEvents> = {}): Worker {
  const { database, config, log, tracing, makesKey = true } = options;
  const time = checkTime(options, events);
  const { now: clock, isSure } = time;
  const {
    uploadHosts: hosts,
    changesDays,
    eventLogDays,
    deliveryDays,
    mailRate,
    asking,
    demoMailTo,
    workers = 1,
    webhookPrivateHosts,
    notifyHosts,
  } = config;
  const ocr = canReadPictures(config) ? config.ocr : 'off';
  void checkReading(config).then(({ isReady, text }) => {
    if (!isReady) log.warn({ ocr: config.ocr }, text);
  });
  const reader = { ocr, ocrCommand: config.ocrCommand, clock };
  const finder = createFileFinder({ hosts, fetchFile: createFileFetcher({ hosts }), ...reader });
  const { onTried, ...mailingEvents } = events;
  const heartbeat = startHeartbeat({
    ...{ database, clock, log, checkTime: isSure },
    hasDemoMail: demoMailTo !== undefined,
  });
  const filing = { ...finder, changesDays, eventLogDays, deliveryDays, onTried, around: tracing?.upload };
  const worker = startWorker({ database, log, clock, isSure, ...filing });
  const removals =
    database.files.all.length > 0 ? startFileRemovals({ database, log, clock, isSure }) : undefined;
  // Every serving process has a sender, so they divide the mail server's rate among them.
  const secrets = createSecrets(config);
  const sending = {
    server: createMailServer(database, secrets, { mail: config.mail, origin: config.publicUrl }),
    rate: mailRate / workers,
    demoMailTo,
    asking,
    secrets,
    makesKey,
    onSetUp: heartbeat.hasMail,
  };
  const stopMailing = startMailing({
    ...{ database, log, clock, isSure, ...sending, ...mailingEvents },
    onDecided(counts) {
      heartbeat.decided();
      events.onDecided?.(counts);
    },
    onServer(problem) {
      heartbeat.triedMail(problem);
      events.onServer?.(problem);
    },
  });
  const origin = async () => (await sending.server.read()).origin;
  const chat = startChatSender({
    ...{ database, log, clock, isSure, secrets, onDelivered: events.onChat },
    post: createPost({ privateHosts: notifyHosts }),
    origin,
  });
  const loadSchema = lazily(async () => (await import('./graphql/schema.js')).schema);
  const stopImports = startImports({ database, log, clock, isSure, loadSchema });
  const stopExports = startTeamExports({ database, log, clock, isSure, loadSchema });
  const { onDiffering, onUnkept } = events;
  const keeping = startKeeping({ database, clock, log, isSure, onDiffering, onUnkept });
  const stopWebhooks = startWebhooks({
    ...{ database, log, clock, isSure, secrets, onSent: events.onSent },
    origin,
    post: createPost({ privateHosts: webhookPrivateHosts }),
    loadReader: lazily(async () => {
      const [schema, { createRecordReader }] = await Promise.all([loadSchema(), import('./rest/handler.js')]);
      return createRecordReader(schema);
    }),
  });
  return {
    stop: async () => {
      await Promise.all([
        worker.stop(),
        removals?.stop(),
        stopMailing(),
        chat.stop(),
        stopWebhooks(),
        stopImports(),
        stopExports(),
        keeping.stop(),
      ]);
      await heartbeat.stop();
    },
  };
}
