import type { Log } from '../../domain/log.js';

/** Milliseconds after which a wait is announced, and between two looks at its reason. */
const patience = 3_000;

/** The reason for which something waits. */
export interface Wait {
  /** A clause. */
  readonly reason: string;
  /** True if it waits for others, who may have to be asked. Otherwise it works itself. */
  readonly isForOthers?: boolean;
}

/**
 * Runs work, and logs what it waits for once that takes longer than three seconds. It logs again whenever the
 * reason has changed.
 */
export async function announceLongWait<T>(
  log: Log,
  describe: () => Wait | Promise<Wait>,
  work: () => Promise<T>,
): Promise<T> {
  let told: string | undefined;
  const tell = async () => {
    const { reason, isForOthers } = await describe();
    if (reason === told) return;
    told = reason;
    log[isForOthers ? 'warn' : 'info']({ reason }, `Still waiting: ${reason}`);
  };
  const timer = setInterval(() => void tell().catch(() => {}), patience);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Returns the outcome of a promise, unless the signal aborts first. Whatever the promise leads to is then
 * ignored.
 * @throws the reason of the signal
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
