import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { raw, type Sql, sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import { dayKeys } from '../../domain/reminders/due.js';
import { type Event, logEvents } from '../../records/event-logs.js';
import type { Day } from './auto-renew.js';

interface Noted {
  readonly itemId: string;
  readonly name: string;
  readonly date: Date;
}

/** A status that items reach merely by time. */
interface Status {
  readonly key: string;
  readonly event: 'became due' | 'expired';
  /** Condition on items that reached it after `day.through` and up to `day.today`. */
  readonly reached: Sql;
  describe(name: string, date: string): string;
}

const statuses: readonly Status[] = [
  {
    key: dayKeys.becameDue,
    event: 'became due',
    // The day after the date stands for never.
    reached: raw(`item.notify_on > day.through AND item.notify_on <= day.today
      AND item.notify_on <= item.expiration_date`),
    describe: (name, date) => `Expiration item "${name}" became due: it expires on ${date}`,
  },
  {
    key: dayKeys.expired,
    event: 'expired',
    reached: raw('item.expiration_date >= day.through AND item.expiration_date < day.today'),
    describe: (name, date) => `Expiration item "${name}" expired on ${date}`,
  },
];

/**
 * Records in the event log which items became due or expired, once per date.
 * @param count the most items of each kind
 * @returns whether there may be more
 */
export async function noteStatuses(tx: Transaction, day: Day, count: number, now: Date): Promise<boolean> {
  let isMore = false;
  for (const status of statuses) {
    const noted = await note(tx, day, status, count, now);
    isMore ||= noted === count;
  }
  return isMore;
}

async function note(
  tx: Transaction,
  { organizationId, teamId, through, today, begin }: Day,
  { key, event, reached, describe }: Status,
  count: number,
  now: Date,
): Promise<number> {
  const statement = sql`
    WITH reached AS (
      SELECT item.id, item.name, item.expiration_date
      FROM expiration_items AS item, (SELECT ${through}::date AS through, ${today}::date AS today) AS day
      WHERE item.team_id = ${teamId}::uuid AND item.is_active AND NOT item.is_missing AND ${reached}
        AND NOT EXISTS (
          SELECT FROM reminders AS known
          WHERE known.item_id = item.id AND known.step_key = ${key}::uuid
            AND known.expiration_date = item.expiration_date)
      ORDER BY item.id LIMIT ${count}
    )
    INSERT INTO reminders (organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state,
      decided_at)
    SELECT ${organizationId}::uuid, ${teamId}::uuid, id, name, ${key}::uuid, expiration_date, ${begin}::timestamptz,
      'TOLD', ${now}::timestamptz
    FROM reached ON CONFLICT DO NOTHING
    RETURNING item_id AS "itemId", item_name AS name, expiration_date AS date`;
  const noted = await tx.run<Noted>(named('reminders.note_statuses', statement));
  const events = noted.map(
    ({ itemId, name, date }): Event => ({
      type: event,
      teamId,
      description: describe(name, formatDate(date)),
      details: null,
      entities: [{ kind: 'expirationItem', id: itemId }],
    }),
  );
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvents(tx, { caller: author, now }, events);
  return noted.length;
}
