import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { countUnhandled } from '../../http/metrics/process-metrics.js';
import { recentRequestIds } from '../../http/server/under-way.js';

/** Deadline in milliseconds for an orderly end after an exception, beyond `SHUTDOWN_DELAY`. */
const drainTimeout = 20_000;

/** Handles rejections and exceptions that no code of the gateway catches. */
export interface FaultOptions {
  readonly log: Logger;
  /** Seconds that the process goes on before it closes. */
  readonly shutdownDelay: number;
  /** Has the process stop in good order, as SIGTERM does. */
  readonly stop: () => void;
}

/**
 * Runs a process that survives unhandled rejections, and drains after an uncaught exception. A rejection is
 * of one request, and is logged and counted; an exception may have left anything half done, so that nothing
 * new is begun.
 * @throws {Error} what `work` throws, or else after an exception
 */
export async function withFaults<T>(
  { log, shutdownDelay, stop }: FaultOptions,
  work: () => Promise<T>,
): Promise<T> {
  let isEnding = false;
  const onRejection = (reason: unknown) => {
    countUnhandled('rejection');
    log.error({ err: asError(reason), requests: recentRequestIds() }, 'Unhandled rejection');
  };
  const onException = (error: unknown) => {
    countUnhandled('exception');
    log.fatal({ err: asError(error), requests: recentRequestIds() }, 'Uncaught exception: stopping');
    if (isEnding) return;
    isEnding = true;
    void sleep(shutdownDelay * 1_000 + drainTimeout, undefined, { ref: false }).then(() => process.exit(1));
    stop();
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  try {
    const result = await work();
    if (isEnding) throw new Error('Stopped by an uncaught exception; see the log.');
    return result;
  } finally {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  }
}

/** Converts a thrown value to an error: anything can be thrown. */
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
