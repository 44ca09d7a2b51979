import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { countUnhandled } from '../../http/metrics/metrics.js';
import { recentRequestIds } from '../../http/server/server.js';

/** The signals that stop a server. */
interface Signals {
  /** Resolves with the name of the first signal. */
  readonly first: Promise<string>;
  /** Rejects at the next signal, because somebody does not want to wait. */
  readonly second: Promise<never>;
  /** Restores the default effect of the signals. */
  release(): void;
}

/**
 * Signal of a closed terminal. It may come while the gateway stops, so it never counts as a second signal.
 */
const hangup = 'SIGHUP';

/** The signals that stop a gateway. */
export const stopSignals = ['SIGTERM', 'SIGINT', hangup];

/**
 * Milliseconds in which a repeated signal counts as the first one. Ctrl-C reaches all processes of a
 * terminal, and `npm` and `timeout` forward it, so one key press makes two signals.
 */
const echo = 1_000;

/**
 * Runs work until SIGTERM, SIGINT or SIGHUP.
 * @param work gets a promise of the signal's name
 * @param uptime returns elapsed milliseconds
 * @throws {Error} what `work` throws, or immediately at a second signal: another one, or the same after a
 *   second
 */
export async function untilSignal(
  source: NodeJS.EventEmitter,
  work: (stop: Promise<string>) => Promise<void>,
  uptime: () => number = () => performance.now(),
): Promise<void> {
  const signals = watchSignals(source, uptime);
  try {
    await Promise.race([work(signals.first), signals.second]);
  } finally {
    signals.release();
  }
}

/** Error of work that a signal has stopped. */
export class StoppedBySignal extends Error {}

/**
 * Returns a signal that aborts when a server must stop. It never does without `stop`.
 * @param outcome describes the state after aborting, as in "before there was a connection"
 */
export function abortedBy(stop: Promise<string> | undefined, outcome: string): AbortSignal {
  const stopping = new AbortController();
  void stop?.then((name) => stopping.abort(new StoppedBySignal(`Stopped by ${name} ${outcome}.`)));
  return stopping.signal;
}

/**
 * Runs work that a signal aborts.
 * @param outcome describes the state after aborting
 * @param work stops when its signal is aborted
 * @throws {Error} what `work` throws, or immediately at a second signal
 */
export function withAbort(
  source: NodeJS.EventEmitter,
  outcome: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return untilSignal(source, (stop) => {
    const stopping = new AbortController();
    void stop.then((name) => stopping.abort(new Error(`Stopped by ${name}; ${outcome}.`)));
    return work(stopping.signal);
  });
}

/** Watches for the signals that stop a server. From now on, they do not end the process by default. */
function watchSignals(source: NodeJS.EventEmitter, uptime: () => number): Signals {
  let onFirst = (_name: string) => {};
  let onSecond = (_error: Error) => {};
  const first = new Promise<string>((resolve) => {
    onFirst = resolve;
  });
  const second = new Promise<never>((_, reject) => {
    onSecond = reject;
  });
  let seen: { readonly name: string; readonly at: number } | undefined;
  const onSignal = (name: string) => {
    const at = uptime();
    if (seen && (name === hangup || (seen.name === name && at - seen.at < echo))) return;
    if (seen) onSecond(new Error(`Stopped immediately by a second ${name}.`));
    seen ??= { name, at };
    onFirst(name);
  };
  for (const name of stopSignals) source.on(name, onSignal);
  const release = () => {
    for (const name of stopSignals) source.off(name, onSignal);
  };
  return { first, second, release };
}

/** Timeout in milliseconds for an orderly shutdown after an exception, beyond `SHUTDOWN_DELAY`. */
const drainTimeout = 20_000;

/** Settings for handling rejections and exceptions that the gateway does not catch. */
interface FaultOptions {
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
