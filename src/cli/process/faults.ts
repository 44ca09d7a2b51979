import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { countUnhandled } from '../../http/metrics/process-metrics.js';
import { recentRequestIds } from '../../http/server/server.js';

/** Timeout in milliseconds for an orderly shutdown after an exception, beyond `SHUTDOWN_DELAY`. */
const drainTimeout = 20_000;

/** Settings for handling rejections and exceptions that the gateway does not catch. */
export interface FaultOptions {
  readonly log: Logger;
  /** Seconds that the process keeps serving before it closes. */
  readonly shutdownDelay: number;
  /** Starts an orderly shutdown, as SIGTERM does. */
  readonly stop: () => void;
}

/**
 * Runs a process that survives unhandled rejections, and drains after an uncaught exception. A rejection
 * affects one request, and is logged and counted; an exception may have left anything half done, so nothing
 * new is started.
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

/** Converts a thrown value to an error, because anything can be thrown. */
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
