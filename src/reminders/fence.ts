import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import { deliverySettledType } from '../domain/announcements.js';
import type { Ending } from '../domain/reminders/reasons.js';
import { seesSql } from './evaluate/targets.js';

/** A delivery that was sent, given up or cancelled, with its workspace. */
export interface SettledDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Announces to all processes that a delivery was settled, once its transaction commits. */
export function announceSettled(tx: Transaction, { id, organizationId, teamId }: SettledDelivery): void {
  tx.pendingEvents.push({
    ...{ id, organizationId, teamId },
    ...{ typeId: deliverySettledType, entities: [], more: false },
  });
}

/** A reminder of a delivery that may still be sent. */
export interface Standing {
  readonly reminderId: string;
  readonly itemId: string;
  readonly expirationDate: Date;
}

interface Row extends Standing {
  readonly reason: Ending | null;
  readonly isItems: boolean;
}

/** The rest of a delivery that a fence has left. */
export interface Fenced {
  /** Reminders that may be sent. If there are none, the delivery is cancelled. */
  readonly standing: readonly Standing[];
  /** True if somebody does not get a reminder of an item that is still due. */
  readonly hasLostTargets: boolean;
}

/**
 * Checks whether a delivery's reminders may still be sent, as of now. Reminders that their items no longer
 * want are cancelled with the reason. If an address was suppressed since, or its people may no longer get
 * reminders, only this target is cancelled. The check runs in the transaction that claims the delivery, right
 * before sending.
 */
export async function fenceDelivery(tx: Transaction, deliveryId: string, now: Date): Promise<Fenced> {
  const statement = sql`
    SELECT reminder.id AS "reminderId", reminder.item_id AS "itemId", reminder.expiration_date AS "expirationDate",
      CASE
        WHEN item.id IS NULL THEN 'deleted'
        WHEN NOT item.is_active THEN 'archived'
        WHEN item.is_missing THEN 'missing'
        WHEN item.reminder_mode = 'OFF' THEN 'off'
        WHEN item.expiration_date IS NULL THEN 'date removed'
        WHEN item.expiration_date > reminder.expiration_date THEN 'renewed'
        WHEN item.expiration_date < reminder.expiration_date THEN 'date changed'
        WHEN ack.silence OR ack.id IS NOT NULL AND (reminder.occurrence > 0 OR step.only_unacknowledged)
          THEN 'acknowledged'
        WHEN target.reason IS NOT NULL THEN target.reason
        WHEN people.are_known AND NOT people.are_told
          AND target.recipient_key <> ALL(SELECT 'mail:' || natural_key(address) FROM unnest(step.addresses) AS address)
          AND target.recipient_key IS DISTINCT FROM 'mail:' || natural_key(team.reminder_fallback_address)
          THEN 'inactive'
        WHEN EXISTS (
          SELECT FROM suppressions AS suppression
          WHERE suppression.organization_id = reminder.organization_id
            AND 'mail:' || suppression.address_key = target.recipient_key
            AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz)
            AND (scope = 'ALL' OR scope = 'CATEGORY' AND scope_id = item.category_id
              OR scope = 'ITEM' AND scope_id = item.id)
        ) THEN 'suppressed'
      END AS reason,
      NOT coalesce(item.is_active AND NOT item.is_missing AND item.reminder_mode <> 'OFF'
        AND item.expiration_date = reminder.expiration_date, false)
        OR coalesce(ack.silence OR ack.id IS NOT NULL AND (reminder.occurrence > 0 OR step.only_unacknowledged), false)
        AS "isItems"
    FROM reminder_targets AS target
    JOIN reminders AS reminder ON reminder.id = target.reminder_id
    JOIN teams AS team ON team.id = reminder.team_id
    LEFT JOIN expiration_items AS item ON item.id = reminder.item_id
    LEFT JOIN reminder_steps AS step ON step.id = reminder.step_key
    LEFT JOIN acknowledgements AS ack ON ack.item_id = reminder.item_id
      AND ack.expiration_date = reminder.expiration_date
      AND (ack.snooze_until IS NULL OR ack.snooze_until > (${now}::timestamptz AT TIME ZONE team.timezone)::date)
    CROSS JOIN LATERAL (
      -- Whoever has the address, and whether any of them may still be told of the workspace.
      SELECT count(*) > 0 AS are_known, coalesce(bool_or(person.sees), false) AS are_told
      FROM (
        SELECT ${seesSql} AS sees
        FROM users AS person, (SELECT reminder.team_id) AS told
        WHERE person.organization_id = reminder.organization_id AND natural_key(person.email) = substr(target.recipient_key, 6)
        UNION ALL
        SELECT contact.is_active FROM contacts AS contact
        WHERE contact.organization_id = reminder.organization_id
          AND natural_key(contact.email) = substr(target.recipient_key, 6)
      ) AS person
    ) AS people
    WHERE target.delivery_id = ${deliveryId}::uuid AND reminder.state <> 'CANCELLED'`;
  const rows = await tx.run<Row>(named('deliveries.fence', statement));
  const gone = rows.filter(({ reason }) => reason !== null);
  if (gone.length > 0) await cancel(tx, deliveryId, gone);
  const standing = rows.filter(({ reason }) => reason === null);
  if (standing.length === 0) await cancelDelivery(tx, deliveryId, gone[0]?.reason ?? 'nothing to tell', now);
  return {
    standing: standing.map(({ reminderId, itemId, expirationDate }) => ({
      ...{ reminderId, itemId, expirationDate },
    })),
    hasLostTargets: gone.some(({ isItems }) => !isItems),
  };
}

async function cancel(tx: Transaction, deliveryId: string, gone: readonly Row[]): Promise<void> {
  const ofItems = gone.filter(({ isItems }) => isItems);
  const ids = (rows: readonly Row[]) => rows.map(({ reminderId }) => reminderId);
  const statement = sql`
    WITH targets AS (
      UPDATE reminder_targets AS target SET reason = gone.reason
      FROM unnest(${ids(gone)}::uuid[], ${gone.map(({ reason }) => reason)}::text[]) AS gone (id, reason)
      WHERE target.delivery_id = ${deliveryId}::uuid AND target.reminder_id = gone.id
    )
    UPDATE reminders AS reminder SET state = 'CANCELLED', reason = gone.reason
    FROM unnest(${ids(ofItems)}::uuid[], ${ofItems.map(({ reason }) => reason)}::text[]) AS gone (id, reason)
    WHERE reminder.id = gone.id AND reminder.state = 'PENDING'`;
  await tx.run(named('reminders.cancel', statement));
}

/** Cancels a delivery. Its sealed secret, and who asked for it, are deleted. */
export async function cancelDelivery(tx: Transaction, id: string, reason: Ending, now: Date): Promise<void> {
  const statement = sql`
    UPDATE deliveries SET state = 'CANCELLED', due_at = NULL, last_error = ${reason}, error_code = NULL, settled_at = ${now}::timestamptz,
      payload = payload - ARRAY['sealed', 'from']
    WHERE id = ${id}::uuid AND due_at IS NOT NULL
    RETURNING id, organization_id AS "organizationId", team_id AS "teamId"`;
  const [cancelled] = await tx.run<SettledDelivery>(named('deliveries.cancel', statement));
  if (cancelled) announceSettled(tx, cancelled);
}
