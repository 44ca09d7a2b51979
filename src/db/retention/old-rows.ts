import { addDays } from '../../domain/status.js';
import type { Database } from '../connection/database.js';
import { sweep } from '../queue/sweep.js';
import { empty, sql } from '../sql/sql.js';
import { dropEventPartition, isSwept, listEventPartitions } from './event-partitions.js';

/**
 * Deletes old events: whole partitions where possible, otherwise a page at a time.
 * @param days for which events are kept; Infinity for forever
 * @returns the number of events
 */
export async function deleteOldEvents(
  database: Pick<Database, 'query' | 'inTransaction'>,
  now: Date,
  days: number,
): Promise<number> {
  if (!Number.isFinite(days)) return 0;
  const before = addDays(now, -days);
  let deleted = 0;
  for (const partition of await listEventPartitions(database)) {
    const { suffix, starts, ends } = partition;
    if (ends && ends <= before) deleted += await dropEventPartition(database, suffix);
    else if (isSwept(partition, days) && !(starts && starts > before)) {
      // Most ids are times, so the primary key finds the oldest. In the default partition they are not.
      const byId = ends ? sql`id < first_id_at(${before}::timestamptz) AND` : empty;
      const where = sql`${byId} created < ${before}::timestamptz`;
      deleted += await sweep(database, {
        ...{ table: 'event_logs', partition: `event_logs_${suffix}`, where, order: 'id' },
      });
    }
  }
  return deleted;
}

/**
 * Deletes deliveries that were settled long ago, a page at a time.
 * @param days for which they are kept; Infinity for forever
 * @returns the number of deliveries
 */
export async function deleteOldDeliveries(
  database: Pick<Database, 'query' | 'inTransaction'>,
  now: Date,
  days: number,
): Promise<number> {
  if (!Number.isFinite(days)) return 0;
  const where = sql`settled_at < ${addDays(now, -days)}::timestamptz`;
  return sweep(database, { table: 'deliveries', where, order: 'settled_at' });
}
