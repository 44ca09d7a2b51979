import { uptime as machineUptime } from 'node:os';
import type { Logger } from 'pino';
import { type ClockProblem, type ClockReading, Clocks, clockText } from '../../domain/load/clocks.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';

/** Milliseconds between two looks while the time is sure, and while it is not. */
const lookMs = { sure: 15_000, unsure: 1_000 };

/** Milliseconds by which clock and uptime may differ before the next look at all clocks. */
const mostDrift = 1_000;

/** Settings of a check of the time. */
export interface TimeCheckOptions {
  readonly database: Pick<Database, 'query'>;
  /** The process's own clock. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Returns milliseconds since the machine started. Those that it slept count, too. */
  readonly uptime?: (() => number) | undefined;
  /** Reads the database's clock, and the newest time that is stored. */
  readonly read?: ((database: Pick<Database, 'query'>) => Promise<StoredTimes>) | undefined;
  /** Called with each problem, and with undefined when the time is sure again. */
  readonly onProblem?: ((problem: ClockProblem | undefined) => void) | undefined;
  /** Called when the time has become sure, before anything is decided. It sets back what is far in the future. */
  readonly onSure?: ((now: Date) => Promise<void>) | undefined;
}

/** Times by the database. */
export type StoredTimes = Pick<ClockReading, 'database' | 'stored'>;

/** A check whether the time is sure. Without it, nothing is decided. */
export interface TimeCheck {
  /** Returns the time. If the process's clock has jumped, it is counted from when the time was last sure. */
  now(): Date;
  /** Returns whether the time is sure. */
  isSure(): Promise<boolean>;
}

/** Reads the database's clock, and when a worker last reported. */
export async function readTimes(database: Pick<Database, 'query'>): Promise<StoredTimes> {
  const [row] = await database.query<{ database: number; stored: Date | null }>(
    named('workers.clocks', {
      text: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database,
        (SELECT max(seen_at) FROM workers) AS stored`,
      values: [],
    }),
  );
  if (!row) throw new Error('A statement without a condition gave no row.');
  return { database: row.database, stored: row.stored?.getTime() };
}

/**
 * Creates a check of the time. The process's clock is compared with the database's, with the machine's uptime, and with
 * the newest stored time. A look costs a statement, so between two of them only the uptime is compared.
 */
export function createTimeCheck(options: TimeCheckOptions): TimeCheck {
  const { database, clock, log, read = readTimes, onProblem, onSure } = options;
  const uptime = options.uptime ?? (() => machineUptime() * 1_000);
  const clocks = new Clocks();
  let problem: ClockProblem | undefined;
  let isKnown = false;
  let [looked, offset] = [Number.NEGATIVE_INFINITY, 0];
  let looking: Promise<boolean> | undefined;

  async function look(): Promise<boolean> {
    const before = { wall: clock().getTime(), uptime: uptime() };
    const times = await read(database);
    // The answer is from a moment between the question and its arrival.
    const after = { wall: clock().getTime(), uptime: uptime() };
    const passed = (after.uptime - before.uptime) / 2;
    const found = clocks.note({ ...times, wall: after.wall - passed, uptime: after.uptime - passed });
    [looked, offset] = [after.uptime, after.wall - after.uptime];
    if (found) {
      if (found.from !== problem?.from || !isKnown)
        log.error({ reason: clockText(found) }, 'Nothing is decided or sent until the clocks agree');
      [problem, isKnown] = [found, true];
      onProblem?.(found);
      return false;
    }
    if (problem || !isKnown) {
      await onSure?.(clock());
      if (problem) log.info('The clocks agree again');
      [problem, isKnown] = [undefined, true];
      onProblem?.(undefined);
    }
    return true;
  }

  return {
    now: () => new Date(clocks.now(clock().getTime(), uptime())),
    isSure() {
      const [now, spent] = [uptime(), uptime() - looked];
      const hasMoved = Math.abs(clock().getTime() - now - offset) > mostDrift;
      const isNews = spent >= (problem ? lookMs.unsure : lookMs.sure) || (hasMoved && !problem) || !isKnown;
      if (!isNews) return Promise.resolve(!problem);
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}
