/** Milliseconds by which clocks may differ. Less than this changes no decision that matters. */
export const maxApart = 2 * 60_000;

/** Milliseconds after which a new time is believed that the clocks agree on. */
export const believedAfter = 10 * 60_000;

/** A look at all clocks at one moment, in milliseconds. */
export interface ClockReading {
  /** The process's own clock, which somebody may set. */
  readonly wall: number;
  /** Time since the machine started, which nobody can set. */
  readonly uptime: number;
  /** The database's clock. */
  readonly database: number;
  /** The newest time that is stored; undefined if there is none. */
  readonly stored?: number | undefined;
}

/** The clock that differs from the process's own. With `STORED`, a newer time than both clocks' is stored. */
type OtherClock = 'DATABASE' | 'UPTIME' | 'STORED';

/** A difference between clocks for which nothing is decided. */
export interface ClockProblem {
  readonly from: OtherClock;
  /** Milliseconds by which the process's clock is ahead of the other. Negative if it is behind. */
  readonly ms: number;
}

const isApart = (ms: number) => Math.abs(ms) > maxApart;

/**
 * Decides whether the time is sure, from looks at all clocks. A clock that jumps is not believed until the clocks have
 * agreed on the new time for a while. A long shutdown is no jump: only a stored time in the future is a problem.
 */
export class Clocks {
  /** Time of the wall clock at uptime zero, when the time was last sure. */
  #offset: number | undefined;
  /** The same by the database's clock. */
  #databaseOffset: number | undefined;
  #candidate: { readonly offset: number; readonly since: number } | undefined;

  /** Returns the problem of a look; undefined if the time is sure. */
  note({ wall, uptime, database, stored }: ClockReading): ClockProblem | undefined {
    const offset = wall - uptime;
    this.#databaseOffset = database - uptime;
    if (isApart(wall - database)) {
      this.#candidate = undefined;
      return { from: 'DATABASE', ms: wall - database };
    }
    const problem: ClockProblem =
      this.#offset === undefined
        ? { from: 'STORED', ms: Math.min(0, wall - (stored ?? wall)) }
        : { from: 'UPTIME', ms: offset - this.#offset };
    if (!isApart(problem.ms)) return this.#believe(offset);
    if (!this.#candidate || isApart(offset - this.#candidate.offset))
      this.#candidate = { offset, since: uptime };
    if (uptime - this.#candidate.since >= believedAfter) return this.#believe(offset);
    return problem;
  }

  /** Returns the wall clock's time. If that has jumped, the uptime since it was sure counts. */
  now(wall: number, uptime: number): number {
    const offset = this.#offset ?? this.#databaseOffset;
    if (offset === undefined) return wall;
    return isApart(wall - uptime - offset) ? offset + uptime : wall;
  }

  #believe(offset: number): undefined {
    this.#offset = offset;
    this.#candidate = undefined;
  }
}

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

function durationOf(ms: number): string {
  const [unit, length] = units.find(([, length]) => Math.abs(ms) >= 2 * length) ?? units[2];
  return `${Math.round(Math.abs(ms) / length)} ${unit}`;
}

const others: Readonly<Record<OtherClock, string>> = {
  DATABASE: "the database's clock",
  UPTIME: 'the time by its uptime',
  STORED: 'the newest time that is stored',
};

/** Describes a difference between clocks in a sentence. */
export function clockText({ from, ms }: ClockProblem): string {
  const where = ms < 0 ? 'behind' : 'ahead of';
  return `This machine's clock is ${durationOf(ms)} ${where} ${others[from]}.`;
}
