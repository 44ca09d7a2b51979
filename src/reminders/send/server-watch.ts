import type { Logger } from 'pino';

/** Settings of a watch over the mail server. */
export interface ServerWatchOptions {
  /** Connects and signs in; gives what is wrong, or undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly log: Logger;
  /** Told of each try what is wrong with the mail server; undefined when nothing is. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
  /** Milliseconds after which a failing server is greeted again. */
  readonly againMs?: number;
  /** Milliseconds without a mail after which the server is greeted. */
  readonly idleMs?: number;
}

/** Watch over the mail server. */
export interface ServerWatch {
  /** Takes the result of a mail that was sent: the problem, or undefined. */
  note(problem: string | undefined): void;
  stop(): void;
}

/**
 * Watches whether the mail server takes mail. It greets the server at the start, again and again while it fails, and when no
 * mail has been sent for a while: a changed password is then found before the next reminder is due. The log tells when the
 * server begins to fail and when it is back, not each mail that waits.
 */
export function watchServer(options: ServerWatchOptions): ServerWatch {
  const { check, log, onServer, againMs = 30_000, idleMs = 300_000 } = options;
  let isUp = true;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function note(problem: string | undefined): void {
    if (isStopped) return;
    if (isUp && problem !== undefined) log.warn({ reason: problem }, 'The mail server takes no mail');
    if (!isUp && problem === undefined) log.info('The mail server takes mail again');
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
