import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';
import { startLoop } from '../db/queue/loop.js';
import { notSilent } from '../db/queue/silence.js';
import { sweep } from '../db/queue/sweep.js';
import { sql } from '../db/sql/sql.js';
import type { WorkersState } from '../domain/reminders/obstacle.js';
import { newId } from '../domain/rules.js';
import { addDays } from '../domain/status.js';

/** Milliseconds between two reports of a worker. */
const beatMs = 15_000;

/** Milliseconds without a report after which a worker counts as lost. */
export const lostMs = 60_000;

/** Days for which the last report of a worker is stored. */
const keptDays = 30;

/** Settings of a worker's heartbeat. */
export interface HeartbeatOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** True if it has an address for reminders of the demo. */
  readonly hasDemoMail: boolean;
  /** Looks at the clocks before each report. The first report must not be made by a wrong clock. */
  readonly checkTime?: (() => Promise<unknown>) | undefined;
}

/** Reports of a worker, which all processes and the command line read. */
export interface Heartbeat {
  /** Records whether the worker has a mail server. */
  hasMail(isSetUp: boolean): void;
  /** Records that the worker has looked for due reminders. */
  decided(): void;
  /** Records the result of an attempt to use the mail server: the problem, or undefined. */
  triedMail(problem: string | undefined): void;
  /** Reports that the worker has stopped. */
  stop(): Promise<void>;
}

/** Starts to report regularly that a worker runs. The report is a row of the database. */
export function startHeartbeat({ database, clock, log, ...settings }: HeartbeatOptions): Heartbeat {
  const { hasDemoMail, checkTime } = settings;
  let hasMail = false;
  const id = newId();
  let startedAt = clock();
  let decidedAt: Date | null = null;
  let mailTriedAt: Date | null = null;
  let mailProblem: string | null = null;
  let isKnown = false;

  async function write(stoppedAt: Date | null): Promise<void> {
    await checkTime?.();
    if (!isKnown) [isKnown, startedAt] = [true, clock()];
    const statement = sql`
      INSERT INTO workers (id, started_at, seen_at, stopped_at, decided_at, has_mail, has_demo_mail, mail_tried_at,
        mail_problem)
      VALUES (${id}::uuid, ${startedAt}::timestamptz, ${clock()}::timestamptz, ${stoppedAt}::timestamptz,
        ${decidedAt}::timestamptz, ${hasMail}, ${hasDemoMail}, ${mailTriedAt}::timestamptz, ${mailProblem})
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, stopped_at = excluded.stopped_at,
        has_mail = excluded.has_mail, decided_at = excluded.decided_at, mail_tried_at = excluded.mail_tried_at, mail_problem = excluded.mail_problem`;
    await database.query(named('workers.beat', statement));
  }
  // One report at a time, so that an older one never replaces a newer one.
  const onError = ({ message }: Error, isFirst = true) =>
    isFirst && log.warn({ reason: message }, 'The worker cannot report that it runs');
  const beat = startLoop(() => write(null), beatMs, onError);
  beat.wake();
  void sweepWorkers(database, startedAt).catch(() => {});
  return {
    hasMail(isSetUp) {
      if (hasMail === isSetUp) return;
      hasMail = isSetUp;
      [mailTriedAt, mailProblem] = [null, null];
      beat.wake();
    },
    decided() {
      const isFirst = decidedAt === null;
      decidedAt = clock();
      if (isFirst) beat.wake();
    },
    triedMail(problem) {
      const found = problem ?? null;
      const isNews = mailTriedAt === null || mailProblem !== found;
      mailTriedAt = clock();
      mailProblem = found;
      if (isNews) beat.wake();
    },
    async stop() {
      await beat.stop();
      await write(clock()).catch(onError);
    },
  };
}

/** Deletes the reports of workers that are long gone. */
function sweepWorkers(database: Database, now: Date): Promise<number> {
  const where = sql`seen_at < ${addDays(now, -keptDays)}::timestamptz`;
  return sweep(database, { table: 'workers', where, order: 'seen_at' });
}

/** Reads the state of all workers, with one statement. */
export async function readWorkers(database: Database, now: Date): Promise<WorkersState> {
  const lost = new Date(now.getTime() - lostMs);
  const statement = sql`
    WITH known AS (
      SELECT *, stopped_at IS NULL AND seen_at > ${lost}::timestamptz AS is_running FROM workers
    )
    SELECT NOT (${notSilent}) AS "isSilent", (count(*) FILTER (WHERE is_running))::int AS running, max(seen_at) AS "seenAt",
      max(decided_at) AS "decidedAt",
      max(coalesce(decided_at, started_at)) FILTER (WHERE is_running AND has_mail) AS "idleSince",
      bool_or(has_mail) FILTER (WHERE is_running) AS "hasMail",
      bool_or(has_demo_mail) FILTER (WHERE is_running) AS "hasDemoMail",
      (
        SELECT mail_problem FROM known WHERE is_running AND mail_tried_at IS NOT NULL
        ORDER BY mail_tried_at DESC LIMIT 1
      ) AS "mailProblem"
    FROM known`;
  const [state] = await database.query<WorkersState>(named('workers.state', statement));
  if (!state) throw new Error('A statement without rows has answered none.');
  return state;
}
