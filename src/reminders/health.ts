import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { notSilent, startLoop } from '../db/queue/loop.js';
import { sweep } from '../db/queue/queue.js';
import { visibleRowSql } from '../db/sql/conditions.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { addDays } from '../domain/dates.js';
import type { WorkersState } from '../domain/reminders/reasons.js';
import { newId } from '../domain/rules.js';
import { withoutRecipient } from './queries/reminders.js';

/** State of reminders in the workspaces that a caller sees. */
export interface ReminderHealth {
  /** Time up to which reminders of a workspace were last decided. */
  readonly lastRun: Date | null;
  readonly nextRun: Date | null;
  readonly queued: number;
  readonly oldestQueued: Date | null;
  readonly failedToday: number;
  readonly withoutRecipient: number;
}

/** Largest number that is counted. Counting a long queue must not take long. */
export const maxMailsCounted = 10_000;

/** Days for which reminders without a recipient of their own are counted. */
export const countedDays = 30;

/** Milliseconds after which a mail that a server asked to send later counts as refused. Usually it is minutes. */
const usualDelay = 3_600_000;

/**
 * Returns the SQL condition that a mail waits because it was refused. Its rows are in an index.
 * @param row name of the delivery's row
 */
export const refusedSql = (row: string, now: Date): Sql => sql`
  ${raw(row)}.due_at IS NOT NULL AND ${raw(row)}.error_code IS NOT NULL AND ${raw(row)}.kind = 'MAIL'
    AND ${raw(row)}.error_code <> 'MAIL_LINKS_UNAVAILABLE'
    AND (${raw(row)}.status_code >= 500 OR ${raw(row)}.first_tried_at <= ${new Date(now.getTime() - usualDelay)}::timestamptz)`;

/** Troubles that keep reminders of some workspaces from being sent. */
interface Troubles {
  /** Time since when decisions are late or failing; null if none are. */
  readonly lateSince: Date | null;
  /** Number of mails that wait because they were refused, at most `maxMailsCounted`. */
  readonly refused: number;
  /** Words of the mail server about one of them. */
  readonly refusal: string | null;
}

/** Reads what keeps reminders from being sent, in the workspaces that a caller sees. */
export async function readTroubles(session: Session): Promise<Troubles> {
  const marks = visibleRowSql(session, 'ReminderMark', {});
  const waiting = sql`${visibleRowSql(session, 'Delivery', {})} AND ${refusedSql('record', session.now)}`;
  const statement = sql`
    SELECT
      (SELECT min(least(record.next_at, record.failing_since)) FROM reminder_marks AS record WHERE ${marks}) AS "lateSince",
      (SELECT count(*)::int FROM (
        SELECT FROM deliveries AS record WHERE ${waiting} LIMIT ${maxMailsCounted}) AS few) AS refused,
      (SELECT record.last_error FROM deliveries AS record
        WHERE ${waiting} AND record.home_team_id IS NULL LIMIT 1) AS refusal`;
  const [found] = await session.read<Troubles>(prepared('reminders.troubles', statement));
  return found ?? { lateSince: null, refused: 0, refusal: null };
}

/** Reads the state of reminders in the workspaces that a caller sees, with one statement. */
export async function readHealth(session: Session): Promise<ReminderHealth> {
  const { now } = session;
  const marks = visibleRowSql(session, 'ReminderMark', {});
  const queued = visibleRowSql(session, 'Delivery', { state: 'QUEUED' });
  // No time zone is further than a day from UTC, so the index can be used.
  const failed = visibleRowSql(session, 'Delivery', { state: 'FAILED', settledAt: { gt: addDays(now, -2) } });
  const alone = visibleRowSql(session, 'Reminder', {
    reason: withoutRecipient,
    decidedAt: { gt: addDays(now, -countedDays) },
  });
  const statement = sql`
    SELECT
      (SELECT max(record.through) FROM reminder_marks AS record WHERE ${marks}) AS "lastRun",
      (SELECT min(record.next_at) FROM reminder_marks AS record WHERE ${marks}) AS "nextRun",
      (SELECT count(*)::int FROM (
        SELECT FROM deliveries AS record WHERE ${queued} LIMIT ${maxMailsCounted}) AS few) AS queued,
      (SELECT record.created FROM deliveries AS record WHERE ${queued}
        ORDER BY record.created LIMIT 1) AS "oldestQueued",
      (SELECT count(*)::int FROM (
        SELECT FROM deliveries AS record JOIN teams AS team ON team.id = record.team_id
        WHERE ${failed} AND record.settled_at
          >= date_trunc('day', ${now}::timestamptz AT TIME ZONE team.timezone) AT TIME ZONE team.timezone
        LIMIT ${maxMailsCounted}) AS few) AS "failedToday",
      (SELECT count(*)::int FROM (
        SELECT FROM reminders AS record WHERE ${alone} LIMIT ${maxMailsCounted}) AS few) AS "withoutRecipient"`;
  const [health] = await session.read<ReminderHealth>(prepared('reminders.health', statement));
  if (!health) throw new Error('A statement without rows has answered none.');
  return health;
}

/** Milliseconds between two reports of a worker. */
const beatMs = 15_000;

/** Milliseconds without a report after which a worker counts as lost. */
export const lostMs = 60_000;

/** Days for which the last report of a worker is stored. */
const keptDays = 30;

/** Settings of a worker's heartbeat. */
interface HeartbeatOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** True if it has an address for reminders of the demo. */
  readonly hasDemoMail: boolean;
  /** Looks at the clocks before each report. The first report must not be made by a wrong clock. */
  readonly checkTime?: (() => Promise<unknown>) | undefined;
}

/** Reports of a worker, which all processes and the command line read. */
interface Heartbeat {
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
    await database.query(prepared('workers.beat', statement));
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
  return sweep(database, { table: 'workers', where, order: 'seen_at', isShared: true });
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
  const [state] = await database.query<WorkersState>(prepared('workers.state', statement));
  if (!state) throw new Error('A statement without rows has answered none.');
  return state;
}
