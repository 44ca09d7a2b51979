/** The signals that end a server. */
interface Signals {
  /** The name of the first one. */
  readonly first: Promise<string>;
  /** Rejects at the next one: someone does not want to wait. */
  readonly second: Promise<never>;
  /** Gives the signals their usual effect back. */
  release(): void;
}

const names = ['SIGTERM', 'SIGINT'];

/**
 * Runs what goes on until SIGTERM or SIGINT.
 * @param work gets the name of the signal, when it has come
 * @throws {Error} what `work` throws, or at once at a second signal
 */
export async function untilSignal(
  source: NodeJS.EventEmitter,
  work: (stop: Promise<string>) => Promise<void>,
): Promise<void> {
  const signals = watchSignals(source);
  try {
    await Promise.race([work(signals.first), signals.second]);
  } finally {
    signals.release();
  }
}

/** Watches for SIGTERM and SIGINT, which from now on do not end the process by themselves. */
function watchSignals(source: NodeJS.EventEmitter): Signals {
  const listeners: ((name: string) => void)[] = [];
  const first = new Promise<string>((resolve) => listeners.push(resolve));
  const second = new Promise<never>((_, reject) => {
    listeners.push((name) => reject(new Error(`Stopped at once by a second ${name}.`)));
  });
  const onSignal = (name: string) => listeners.shift()?.(name);
  for (const name of names) source.on(name, onSignal);
  const release = () => {
    for (const name of names) source.off(name, onSignal);
  };
  return { first, second, release };
}
