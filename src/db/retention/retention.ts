import { addDays } from '../../domain/dates.js';
import type { Database } from '../connection/database.js';
import { isDenied, isLockTimeout } from '../connection/errors.js';
import { prepared } from '../connection/statement.js';
import { sweep } from '../queue/queue.js';
import { empty, sql } from '../sql/sql.js';

/** Months for which a gateway makes partitions ahead of time. */
const monthsAhead = 2;

/** Error of a role that does not own the event log. */
export class NotTheOwner extends Error {
  override readonly name = 'NotTheOwner';

  constructor(what: string, cause: unknown) {
    super(
      `This role may not ${what} of the event log: run \`maintain\` regularly as the owner of the tables`,
      { cause },
    );
  }
}

/** The most days of retention with partitions by month. Beyond them, there would be too many. */
const maxDaysByMonth = 1_200;

/** A partition of the event log and of its entities. */
interface EventPartition {
  /** The end of its tables' names, such as `2026_12`. */
  readonly suffix: string;
  /** Undefined for the events from before there were partitions. */
  readonly starts: Date | undefined;
  /** Undefined for the default partition, which has the events that no other has. */
  readonly ends: Date | undefined;
}

/** A partition that is still to be made. */
type TimedPartition = { readonly [Field in keyof EventPartition]: NonNullable<EventPartition[Field]> };

/** Reads the time in a version 7 id. */
const timeOf = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** Lists the partitions of the event log, the oldest first and the default one last. */
export async function listEventPartitions(
  database: Pick<Database, 'query'>,
): Promise<readonly EventPartition[]> {
  const rows = await database.query<{ suffix: string; first: string | null; last: string | null }>(
    prepared(
      'event_logs.partitions',
      sql`
        SELECT substr(relname, length('event_logs_') + 1) AS suffix,
          substring(bounds FROM 'FROM [(]''([0-9a-f-]+)''') AS first, substring(bounds FROM 'TO [(]''([0-9a-f-]+)''') AS last
        FROM (
          SELECT relname, pg_get_expr(relpartbound, pg_class.oid) AS bounds
          FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid WHERE inhparent = 'event_logs'::regclass
        ) AS partition
        ORDER BY last`,
    ),
  );
  return rows.map(({ suffix, first, last }) => ({
    suffix,
    starts: first === null ? undefined : timeOf(first),
    ends: last === null ? undefined : timeOf(last),
  }));
}

/** Returns whether partitions span months rather than years. */
const isByMonth = (days: number) => days <= maxDaysByMonth;

/** Returns the beginning of a month in UTC, or of a later one. */
const monthOf = (at: Date, later = 0) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later));

/** Returns the end of the partition that starts at a time. */
const endOf = (starts: Date, byMonth: boolean) =>
  byMonth ? monthOf(starts, 1) : new Date(Date.UTC(starts.getUTCFullYear() + 1, 0));

/** Returns the partitions that are missing for this month and the next ones. */
export function missingPartitions(
  present: readonly EventPartition[],
  now: Date,
  days: number,
  ahead = monthsAhead,
): readonly TimedPartition[] {
  const missing: TimedPartition[] = [];
  const last = Math.max(monthOf(now).getTime(), ...present.map(({ ends }) => ends?.getTime() ?? 0));
  for (let starts = new Date(last); starts <= monthOf(now, ahead); ) {
    const ends = endOf(starts, isByMonth(days));
    missing.push({ suffix: starts.toISOString().slice(0, 7).replace('-', '_'), starts, ends });
    starts = ends;
  }
  return missing;
}

/**
 * Creates the partitions that are missing for this month and the next ones. Until then, events go to the
 * default partition, from which they are moved.
 * @param days for which events are kept; Infinity for forever
 * @param ahead number of months
 * @returns how many were made
 * @throws {NotTheOwner}
 */
export async function addEventPartitions(
  database: Pick<Database, 'query'>,
  now: Date,
  days: number,
  ahead = monthsAhead,
): Promise<number> {
  let made = 0;
  const present = await listEventPartitions(database);
  for (const { suffix, starts, ends } of missingPartitions(present, now, days, ahead)) {
    const add = sql`SELECT add_event_partition(${suffix}::text, ${starts}::timestamptz, ${ends}::timestamptz)`;
    try {
      await database.query(prepared('event_logs.add_partition', add));
      made += 1;
    } catch (error) {
      if (isDenied(error)) throw new NotTheOwner('make partitions', error);
      // Somebody used the log for too long.
      if (!isLockTimeout(error)) throw error;
    }
  }
  return made;
}

/**
 * Returns whether events of a partition are deleted by the row. Only what was made before events had to go is:
 * partitions of the present span are dropped, once all their events are old.
 */
function isSwept({ starts, ends }: EventPartition, days: number): boolean {
  if (!starts || !ends) return true;
  return ends > endOf(starts, isByMonth(days));
}

/** Drops a partition. @returns its number of events; 0 if somebody used the log for too long */
export async function dropEventPartition(database: Pick<Database, 'query'>, suffix: string): Promise<number> {
  const drop = sql`SELECT drop_event_partition(${suffix}::text) AS events`;
  try {
    const [dropped] = await database.query<{ events: bigint | null }>(
      prepared('event_logs.drop_partition', drop),
    );
    return Number(dropped?.events ?? 0);
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    if (isDenied(error)) throw new NotTheOwner('drop partitions', error);
    throw error;
  }
}

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
 * Deletes deliveries that were settled long ago, a page at a time. What they told watchers goes with them.
 * @param days for which they are kept; Infinity for forever
 * @returns the number of deliveries
 */
export async function deleteOldDeliveries(
  database: Pick<Database, 'query' | 'inTransaction'>,
  now: Date,
  days: number,
): Promise<number> {
  if (!Number.isFinite(days)) return 0;
  const before = addDays(now, -days);
  const told = sql`created < ${before}::timestamptz AND due_at IS NULL`;
  await sweep(database, { table: 'compliance_notices', where: told, order: 'created' });
  const where = sql`settled_at < ${before}::timestamptz`;
  return sweep(database, { table: 'deliveries', where, order: 'settled_at' });
}
