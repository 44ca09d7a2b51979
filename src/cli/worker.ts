import { createWorker } from '../app.js';
import { readConfig } from '../config.js';
import { withDatabase } from './database.js';
import type { Io } from './io.js';
import { createLog } from './logger.js';
import { untilSignal } from './signals.js';

/**
 * Files uploads until SIGTERM or SIGINT, then finishes those under way.
 * @throws {ConfigError} for wrong settings
 * @throws {Error} when it cannot start, or at once at a second signal
 */
export async function workerCommand(io: Io): Promise<void> {
  const config = readConfig(io.env);
  const log = createLog(config.logLevel, io.stdout);
  await untilSignal(io.signals ?? process, (stop) =>
    withDatabase(config, log, async ({ database }) => {
      const worker = createWorker({ database, config, log, clock: () => new Date() });
      try {
        log.info({ ms: Math.round(performance.now()) }, 'ready');
        log.info({ signal: await stop }, 'stopping');
      } finally {
        await worker.stop();
      }
    }),
  );
  log.info('stopped');
}
