import { uptime as machineUptime } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type ClockProblem, type ClockReading, Clocks, clockText } from '../../domain/load/clocks.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import { sql } from '../sql/sql.js';

/** Work that a process repeats until it is stopped. */
export interface Loop {
  /** Begins the next run at once, or right after the one in progress. */
  wake(): void;
  /** Begins no further run, and waits for the one in progress. */
  stop(): Promise<void>;
}

/** Returns whether work may be done now. */
export type TimeGate = () => Promise<boolean>;

/** Returns work that is left out while a condition does not hold. Without a condition, it is always done. */
export function onlyWhen(
  condition: TimeGate | undefined,
  run: () => Promise<unknown>,
): () => Promise<unknown> {
  return async () => ((await condition?.()) === false ? undefined : run());
}

/**
 * Repeats work at an interval. Runs never overlap. The first one begins after an interval, or when the loop
 * is woken. Waking only makes it faster: work that nobody announces is found by the next run.
 * @param interval milliseconds from the end of a run to the next one
 * @param onError is called when a run fails, with whether the run before it did not; the next one follows
 */
export function startLoop(
  run: () => Promise<unknown>,
  interval: number | (() => number),
  onError: (error: Error, isFirst: boolean) => void,
): Loop {
  let isStopped = false;
  let isAwake = false;
  let isFailing = false;
  let endWait = () => {};
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function repeat(): Promise<void> {
    for (;;) {
      if (!isAwake) await wait(typeof interval === 'number' ? interval : interval());
      if (isStopped) return;
      isAwake = false;
      try {
        await run();
        isFailing = false;
      } catch (error) {
        onError(error as Error, !isFailing);
        isFailing = true;
      }
    }
  }

  const repeating = repeat();
  const wake = () => {
    isAwake = true;
    endWait();
  };
  return {
    wake,
    stop() {
      isStopped = true;
      wake();
      return repeating;
    },
  };
}

/*
 * A restored database may be a copy beside the real one, with the same recipients, receivers and files. It is silent:
 * what would reach another system waits in its queue until somebody says that this database is the real one.
 */

/**
 * SQL condition that the database is not silent. Whatever reaches other systems is claimed only then. It is evaluated
 * once for a statement.
 */
export const notSilent = sql`NOT EXISTS (SELECT FROM restored_backup)`;

/** The backup that a silent database was restored from. */
interface RestoredBackup {
  readonly madeAt: Date;
  readonly restoredAt: Date;
}

/** Says why a silent database sends nothing, and how to end that. */
export const silentText =
  'This database was restored from a backup. Until somebody says that it is the real one, and not a copy, it sends ' +
  'nothing (mail, chat, webhooks), and fetches and removes no files. To end that, run the command `go-live`, or use ' +
  'the button in the console.';

/** Returns the backup that made a database silent; undefined if it is not. */
export async function readSilence(database: Pick<Database, 'query'>): Promise<RestoredBackup | undefined> {
  const statement = sql`SELECT made_at AS "madeAt", restored_at AS "restoredAt" FROM restored_backup`;
  const [backup] = await database.query<RestoredBackup>(prepared('restored_backup.read', statement));
  return backup;
}

/**
 * Ends the silence of a database for all processes.
 * @returns whether it was silent
 */
export async function endSilence(database: Pick<Database, 'query'>): Promise<boolean> {
  return (
    (await database.query(prepared('restored_backup.end', sql`DELETE FROM restored_backup RETURNING 1`)))
      .length > 0
  );
}

/** The table as its migration makes it. The schema of a backup may be older. */
const table = `
  CREATE TABLE IF NOT EXISTS restored_backup (
    made_at TIMESTAMPTZ(3) NOT NULL,
    restored_at TIMESTAMPTZ(3) NOT NULL,
    single BOOLEAN NOT NULL DEFAULT TRUE CHECK (single),
    CONSTRAINT restored_backup_pkey PRIMARY KEY (single)
  )`;

/** Makes a database silent, or not, in the transaction that restores it. */
export async function setSilence(client: pg.ClientBase, backup: RestoredBackup | undefined): Promise<void> {
  await client.query(table);
  // The backup itself may be of a silent database.
  await client.query('DELETE FROM restored_backup');
  if (!backup) return;
  const { madeAt, restoredAt } = backup;
  await client.query('INSERT INTO restored_backup (made_at, restored_at) VALUES ($1, $2)', [
    madeAt.toISOString(),
    restoredAt.toISOString(),
  ]);
}

/** Milliseconds between two looks while the time is sure, and while it is not. */
const lookMs = { sure: 15_000, unsure: 1_000 };

/** Milliseconds by which clock and uptime may differ before the next look at all clocks. */
const maxDrift = 1_000;

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
type StoredTimes = Pick<ClockReading, 'database' | 'stored'>;

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
    prepared('workers.clocks', {
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
      const hasMoved = Math.abs(clock().getTime() - now - offset) > maxDrift;
      const isNews = spent >= (problem ? lookMs.unsure : lookMs.sure) || (hasMoved && !problem) || !isKnown;
      if (!isNews) return Promise.resolve(!problem);
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}
