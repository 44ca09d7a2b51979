/** The signals that end a server. */
interface Signals {
  /** The name of the first one. */
  readonly first: Promise<string>;
  /** Rejects at the next one: someone does not want to wait. */
  readonly second: Promise<never>;
  /** Gives the signals their usual effect back. */
  release(): void;
}

/** Signal of a closed terminal. That may happen as the gateway stops: it never is a second signal. */
const hangup = 'SIGHUP';

/** The signals that a gateway stops at. */
export const stopSignals = ['SIGTERM', 'SIGINT', hangup];

/**
 * Milliseconds in which a signal that comes again is still the first one. Ctrl-C in a terminal goes to all processes
 * there, and `npm` and `timeout` send on what they get: one key makes two signals.
 */
const echo = 1_000;

/**
 * Runs what goes on until SIGTERM, SIGINT or SIGHUP.
 * @param work gets the name of the signal, when it has come
 * @param uptime tells how much time has passed, in milliseconds
 * @throws {Error} what `work` throws, or at once at a second signal: another one, or the same after a second
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

/**
 * Runs what a signal breaks off.
 * @param outcome tells what is true then
 * @param work stops when its signal is aborted
 * @throws {Error} what `work` throws, or at once at a second signal
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

/** Watches for the signals that end a server. From now on they do not end the process by themselves. */
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
