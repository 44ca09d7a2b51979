import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { visibleRowSql } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { addDays } from '../../domain/status.js';
import { withoutRecipient } from './reminders.js';

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
export const mostMailsCounted = 10_000;

/** Days for which reminders without a recipient of their own are counted. */
export const countedDays = 30;

/** Reads since when decisions are late or failing, in the workspaces that a caller sees. */
export async function readLateSince(session: Session): Promise<Date | null> {
  const marks = visibleRowSql(session, 'ReminderMark', {});
  const statement = sql`
    SELECT min(least(record.next_at, record.failing_since)) AS since FROM reminder_marks AS record WHERE ${marks}`;
  const [row] = await session.read<{ since: Date | null }>(named('reminders.late', statement));
  return row?.since ?? null;
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
        SELECT FROM deliveries AS record WHERE ${queued} LIMIT ${mostMailsCounted}) AS few) AS queued,
      (SELECT record.created FROM deliveries AS record WHERE ${queued}
        ORDER BY record.created LIMIT 1) AS "oldestQueued",
      (SELECT count(*)::int FROM (
        SELECT FROM deliveries AS record JOIN teams AS team ON team.id = record.team_id
        WHERE ${failed} AND record.settled_at
          >= date_trunc('day', ${now}::timestamptz AT TIME ZONE team.timezone) AT TIME ZONE team.timezone
        LIMIT ${mostMailsCounted}) AS few) AS "failedToday",
      (SELECT count(*)::int FROM (
        SELECT FROM reminders AS record WHERE ${alone} LIMIT ${mostMailsCounted}) AS few) AS "withoutRecipient"`;
  const [health] = await session.read<ReminderHealth>(named('reminders.health', statement));
  if (!health) throw new Error('A statement without rows has answered none.');
  return health;
}
