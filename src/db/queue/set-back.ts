import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { raw, sql } from '../sql/sql.js';
import { notFrozen } from './frozen.js';

const [minute, hour] = [60_000, 3_600_000];

/** Milliseconds in the future from which a wrong clock has written a stored time. */
export const farAhead = 10 * minute;

/** A column with a time, and how it is set back. */
interface Kept {
  readonly table: string;
  readonly column: string;
  /** The furthest that it is ever ahead. */
  readonly most: number;
  /** The value that replaces it. Left out, it is the current time. */
  readonly value?: 'NULL';
  /** Selects some rows. */
  readonly where?: string;
}

const kept: readonly Kept[] = [
  // A digest may wait for a week, and a channel for the end of its quiet hours.
  { table: 'deliveries', column: 'due_at', most: 10 * 24 * hour },
  { table: 'deliveries', column: 'first_tried_at', most: farAhead, where: 'due_at IS NOT NULL' },
  { table: 'webhook_deliveries', column: 'due_at', most: 36 * hour },
  { table: 'webhook_deliveries', column: 'due_at', most: farAhead, where: 'is_claimed' },
  { table: 'webhook_outbox', column: 'due_at', most: farAhead },
  { table: 'webhook_endpoints', column: 'paced_until', most: farAhead, value: 'NULL' },
  { table: 'webhook_endpoints', column: 'slowed_until', most: 2 * farAhead, value: 'NULL' },
  { table: 'webhook_endpoints', column: 'failing_since', most: farAhead },
  { table: 'upload_notifications', column: 'due_at', most: hour },
  { table: 'imports', column: 'due_at', most: hour },
  { table: 'team_exports', column: 'due_at', most: hour },
];

/**
 * Sets back due times and paces that only a wrong clock can have written. They are further ahead than any other.
 * @returns the numbers of rows by their columns, without zeros
 */
export async function setBackTimes(
  database: Pick<Database, 'query'>,
  now: Date,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { table, column, most, value, where = 'TRUE' } of kept) {
    const late = new Date(now.getTime() + most);
    const statement = sql`
      UPDATE ${raw(table)} AS job SET ${raw(column)} = ${value ? raw(value) : sql`${now}::timestamptz`}
      WHERE ${raw(column)} > ${late}::timestamptz AND ${raw(where)} AND ${notFrozen('job')} RETURNING TRUE`;
    const rows = await database.query(named(`${table}.set_back`, statement));
    if (rows.length > 0) counts[`${table}.${column}`] = (counts[`${table}.${column}`] ?? 0) + rows.length;
  }
  // Workers that run report again.
  const late = new Date(now.getTime() + farAhead);
  const reports = sql`
    DELETE FROM workers WHERE greatest(seen_at, decided_at, started_at) > ${late}::timestamptz RETURNING TRUE`;
  const gone = await database.query(named('workers.set_back', reports));
  return gone.length > 0 ? { ...counts, workers: gone.length } : counts;
}
