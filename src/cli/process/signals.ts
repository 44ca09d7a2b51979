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
