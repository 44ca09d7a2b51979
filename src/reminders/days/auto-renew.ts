import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { gatewayCaller } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { dayKeys } from '../../domain/reminders/due.js';
import { type AutoRenew, renewedDate } from '../../domain/reminders/renewal.js';
import { autoRenewItem } from '../../items/renewals.js';

/** A workspace in which a new day has begun. */
export interface Day {
  readonly organizationId: string;
  readonly teamId: string;
  /** The last finished day. */
  readonly through: Date;
  /** The current day. */
  readonly today: Date;
  /** The time at which it began. */
  readonly begin: Date;
}

/** An item whose date has passed, and whose document type renews it. */
export interface Renewable {
  readonly id: string;
  readonly name: string;
  readonly expirationDate: Date;
  readonly rule: AutoRenew;
  /** Dates from which it was renewed before. */
  readonly before: readonly string[];
}

/**
 * Finds the items of a workspace to be renewed automatically. Their date has passed since the last finished
 * day or, if the document type requires it, the passed date was acknowledged since.
 */
export function findRenewable(
  tx: Transaction,
  { teamId, through, today }: Day,
  count: number,
): Promise<Renewable[]> {
  const statement = sql`
    SELECT found.* FROM (
      SELECT id FROM expiration_items
      WHERE team_id = ${teamId}::uuid AND is_active
        AND expiration_date >= ${through}::date AND expiration_date < ${today}::date
      UNION SELECT item_id FROM acknowledgements
      WHERE team_id = ${teamId}::uuid AND created >= ${through}::date - 1
    ) AS passed CROSS JOIN LATERAL (
      SELECT item.id, item.name, item.expiration_date AS "expirationDate", category.auto_renew AS rule, ARRAY(
          SELECT known.expiration_date::text FROM reminders AS known
          WHERE known.item_id = item.id AND known.step_key = ${dayKeys.autoRenewed}::uuid AND known.state = 'TOLD'
        ) AS before
      FROM (SELECT * FROM expiration_items WHERE id = passed.id OFFSET 0) AS item
      JOIN categories AS category ON category.id = item.category_id
      LEFT JOIN acknowledgements AS ack ON ack.item_id = item.id AND ack.expiration_date = item.expiration_date
        AND ack.snooze_until IS NULL
      WHERE item.team_id = ${teamId}::uuid AND item.is_active AND NOT item.is_missing
        AND item.expiration_date < ${today}::date AND category.auto_renew IS NOT NULL
        AND (ack.id IS NOT NULL OR NOT (category.auto_renew->>'requireAcknowledgement')::boolean
          AND item.expiration_date >= ${through}::date)
        AND NOT EXISTS (
          SELECT FROM reminders AS known
          WHERE known.item_id = item.id AND known.step_key = ${dayKeys.autoRenewed}::uuid
            AND known.expiration_date = item.expiration_date)
    ) AS found
    ORDER BY found.id LIMIT ${count}`;
  return tx.run<Renewable>(named('reminders.renewable', statement));
}

/** Claims a renewal, once per item and date. @returns whether nobody had claimed it */
async function takeUp(
  tx: Transaction,
  { organizationId, teamId, begin }: Day,
  { id, name, expirationDate }: Renewable,
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const statement = sql`
    INSERT INTO reminders (organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state, reason,
      decided_at)
    VALUES (${organizationId}::uuid, ${teamId}::uuid, ${id}::uuid, ${name}, ${dayKeys.autoRenewed}::uuid,
      ${expirationDate}::date, ${begin}::timestamptz, ${reason === null ? 'TOLD' : 'SKIPPED'}::reminder_state, ${reason},
      ${now}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING id`;
  return (await tx.run(named('reminders.renew', statement))).length > 0;
}

/**
 * Renews an item as its document type specifies, with the event. If it cannot be renewed because its values
 * violate the rules by now, the reason is recorded and it expires.
 */
export async function renewByItself(database: Database, day: Day, item: Renewable, now: Date): Promise<void> {
  const caller = gatewayCaller(day.organizationId, day.teamId);
  const { id, expirationDate, rule } = item;
  const before = item.before.map((date) => new Date(date));
  const next = renewedDate(expirationDate, before, day.today, rule);
  const session = new Session(database, { caller, now });
  try {
    await session.inTransaction((tx) =>
      session.within(tx, async () => {
        const lock = sql`
          SELECT FROM expiration_items WHERE id = ${id}::uuid AND expiration_date = ${expirationDate}::date AND is_active
          FOR NO KEY UPDATE`;
        // Somebody may have renewed or archived it since.
        const [own] = await tx.run(named('reminders.lock_item', lock));
        if (own && (await takeUp(tx, day, item, null, now))) await autoRenewItem(session, id, next);
      }),
    );
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === 'UNAVAILABLE') throw error;
    await session.inTransaction((tx) => takeUp(tx, day, item, error.message, now));
  }
}
