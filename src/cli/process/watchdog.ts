/** Milliseconds between two looks at the processes. */
export const lookInterval = 1_000;

/** A process that is watched. */
interface Watched {
  /** Number of looks without an answer after which the process is taken to hang. */
  readonly patience: number;
  readonly ping: () => void;
  readonly onHung: () => void;
  /** Looks since the ping that is unanswered; undefined if there is none. */
  missed: number | undefined;
}

/**
 * Notices processes that do not answer (watchdog timer). It counts its own looks instead of time, and does
 * not count those that are late: on a machine that is overloaded or was suspended, all processes are slow,
 * and none of them is at fault.
 */
export class Watchdog<Process> {
  readonly #uptime: () => number;
  readonly #watched = new Map<Process, Watched>();
  #lookedAt: number;

  /** @param uptime returns elapsed milliseconds */
  constructor(uptime: () => number) {
    this.#uptime = uptime;
    this.#lookedAt = uptime();
  }

  /** Watches a process from now on, or changes how. */
  watch(process: Process, how: Pick<Watched, 'patience' | 'ping' | 'onHung'>): void {
    this.#watched.set(process, { ...how, missed: undefined });
  }

  forget(process: Process): void {
    this.#watched.delete(process);
  }

  /** Notes that a process has answered its ping. */
  answered(process: Process): void {
    const watched = this.#watched.get(process);
    if (watched) watched.missed = undefined;
  }

  /** Pings processes that have answered. Reports those that have not for too long, once. */
  look(): void {
    const now = this.#uptime();
    const isLate = now - this.#lookedAt > 2 * lookInterval;
    this.#lookedAt = now;
    for (const [process, watched] of this.#watched) {
      if (watched.missed === undefined) {
        watched.missed = 0;
        watched.ping();
      } else if (!isLate) watched.missed += 1;
      if (watched.missed < watched.patience) continue;
      this.#watched.delete(process);
      watched.onHung();
    }
  }
}
