import type { Logger } from 'pino';

/** Settings of a watch over the mail server. */
export interface ServerWatchOptions {
  /** Connects and signs in; returns the problem, or undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly log: Logger;
  /** Called after each attempt with the mail server's problem; undefined if there is none. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
  /** Milliseconds until a failing server is checked again. */
  readonly againMs?: number;
  /** Milliseconds without a mail after which the server is checked. */
  readonly idleMs?: number;
}

/** A monitor of the mail server. */
export interface ServerWatch {
  /** Records the result of a mail: the problem, or undefined. */
  note(problem: string | undefined): void;
  stop(): void;
}

/**
 * Monitors whether the mail server accepts mail. It checks the server at the start, repeatedly while it
 * fails, and when no mail has been sent for a while, so that a changed password is found before the next
 * reminder is due. The log shows when the server starts to fail and when it is back, but not each waiting
 * mail.
 */
export function watchServer(options: ServerWatchOptions): ServerWatch {
  const { check, log, onServer, againMs = 30_000, idleMs = 300_000 } = options;
  let isUp = true;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function note(problem: string | undefined): void {
    if (isStopped) return;
    if (isUp && problem !== undefined) log.warn({ reason: problem }, 'The mail server accepts no mail');
    if (!isUp && problem === undefined) log.info('The mail server accepts mail again');
    isUp = problem === undefined;
    onServer?.(problem);
    clearTimeout(timer);
    timer = setTimeout(greet, isUp ? idleMs : againMs);
  }
  const greet = () => void check().then(note);
  greet();
  return {
    note,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
