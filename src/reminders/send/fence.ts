import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { type ItemDate, recipientKinds } from '../../domain/reminders/policy.js';
import { type Ending, isHeld } from '../../domain/reminders/reasons.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { findTargets, writeDeliveries } from '../evaluate/decide-items.js';
import { dateSql } from '../evaluate/ledger.js';
import type { FoundTarget } from '../evaluate/plan-deliveries.js';
import { cancelDelivery } from './queue.js';

/** A reminder of a delivery that may still be sent. */
interface Standing {
  readonly reminderId: string;
  readonly itemId: string;
  readonly about: ItemDate;
  readonly date: Date;
}

/** A reminder in a delivery, with the present state of its item and step. */
interface Row extends Standing {
  readonly organizationId: string;
  readonly teamId: string;
  readonly fallbackAddress: string | null;
  readonly timezone: string;
  readonly slot: Date;
  readonly isPending: boolean;
  /** The only recipient of the reminder, who has postponed an earlier one. */
  readonly onlyFor: string | null;
  readonly recipientKey: string;
  readonly address: string;
  /** Reason why nobody gets the reminder any more. */
  readonly ofItem: Ending | null;
  /** Reason that was noted for the recipient. */
  readonly noted: Ending | null;
  /** The recipients of its step; null if the step is gone. */
  readonly recipients: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly channelIds: readonly string[] | null;
  /** True if the recipient got a mail about the same date today. */
  readonly isToldToday: boolean;
  /** True if no user and no contact has the address. */
  readonly isNobodys: boolean;
}

/** A reminder that is no longer sent, with the reason. */
interface Gone {
  readonly reminderId: string;
  readonly reason: Ending;
}

/** The rest of a delivery that a fence has left. */
interface Fenced {
  /** Reminders that may be sent. If there are none, the delivery is cancelled. */
  readonly standing: readonly Standing[];
  /** True if somebody does not get a reminder of an item that is still due. */
  readonly hasLostTargets: boolean;
}

/** Reads a delivery's reminders, with what has become of their items and steps. */
function readRows(tx: Transaction, deliveryId: string, now: Date): Promise<Row[]> {
  const statement = sql`
    SELECT reminder.id AS "reminderId", reminder.item_id AS "itemId", reminder.about, reminder.expiration_date AS date,
      reminder.organization_id AS "organizationId", reminder.team_id AS "teamId",
      team.reminder_fallback_address AS "fallbackAddress", team.timezone, reminder.slot,
      reminder.state = 'PENDING' AS "isPending", reminder.recipient_key AS "onlyFor", target.recipient_key AS "recipientKey", target.address,
      target.reason AS noted, step.recipients, step.addresses, step.channel_ids AS "channelIds",
      CASE
        WHEN reminder.state = 'CANCELLED' THEN coalesce(reminder.reason, 'nothing to tell')
        WHEN item.id IS NULL THEN 'deleted'
        WHEN item.team_id <> reminder.team_id THEN 'moved'
        WHEN NOT team.is_active THEN 'inactive'
        WHEN NOT item.is_active THEN 'archived'
        WHEN item.is_missing THEN 'missing'
        WHEN item.reminder_mode = 'OFF' THEN 'off'
        WHEN item.date IS NULL THEN 'date removed'
        WHEN item.date > reminder.expiration_date THEN 'renewed'
        WHEN item.date < reminder.expiration_date THEN 'date changed'
        WHEN ack.silence OR ack.id IS NOT NULL
          AND (reminder.occurrence > 0 OR step.only_unacknowledged AND step.id = reminder.step_key)
          THEN 'acknowledged'
      END AS "ofItem",
      -- A mail of today says the same, unless somebody asked for it again.
      coalesce(reminder.step_id, reminder.step_key) = reminder.step_key AND EXISTS (
        SELECT FROM reminders AS same JOIN reminder_targets AS other ON other.reminder_id = same.id
        JOIN deliveries AS sent ON sent.id = other.delivery_id
        WHERE same.item_id = reminder.item_id AND same.about = reminder.about
          AND same.expiration_date = reminder.expiration_date AND same.team_id = reminder.team_id AND same.id <> reminder.id
          AND other.recipient_key = target.recipient_key AND other.delivery_id <> target.delivery_id
          AND other.reason IS NULL AND sent.state = 'SENT'
          AND (sent.settled_at AT TIME ZONE team.timezone)::date = (${now}::timestamptz AT TIME ZONE team.timezone)::date
      ) AS "isToldToday",
      NOT EXISTS (
        SELECT FROM users AS person WHERE person.organization_id = reminder.organization_id
          AND natural_key(person.email) = substr(target.recipient_key, 6)
        UNION ALL
        SELECT FROM contacts AS person WHERE person.organization_id = reminder.organization_id
          AND natural_key(person.email) = substr(target.recipient_key, 6)
      ) AS "isNobodys"
    FROM reminder_targets AS target
    JOIN reminders AS reminder ON reminder.id = target.reminder_id
    JOIN teams AS team ON team.id = reminder.team_id
    LEFT JOIN LATERAL (
      SELECT item.*, ${dateSql(sql`reminder.about`)} AS date FROM expiration_items AS item
      WHERE item.id = reminder.item_id AND item.organization_id = reminder.organization_id
    ) AS item ON true
    LEFT JOIN reminder_steps AS step ON step.id = coalesce(reminder.step_id, reminder.step_key)
    LEFT JOIN acknowledgements AS ack ON ack.item_id = reminder.item_id AND ack.about = reminder.about
      AND ack.expiration_date = reminder.expiration_date
      AND (ack.snooze_until IS NULL OR ack.snooze_until > (${now}::timestamptz AT TIME ZONE team.timezone)::date)
    WHERE target.delivery_id = ${deliveryId}::uuid
    ORDER BY reminder.id`;
  return tx.run<Row>(prepared('deliveries.fence', statement));
}

const isOfDemo = ({ teamId, organizationId }: Row) => isDemoWorkspace(teamId, organizationId);

/** Returns whether a reminder is for whoever its step names. */
const isOfStep = (row: Row) => row.recipients !== null && !isOfDemo(row);

/**
 * Returns whom a reminder is for now: the recipients of its step. If the step is gone, anybody who has a role in the
 * item stays a recipient, and so does an address that was typed. Nobody of the demo exists: its mails go to an
 * address of their own.
 */
function stepOf(row: Row) {
  const { recipients, addresses, channelIds, isNobodys, address, recipientKey } = row;
  const [kind, id = ''] = recipientKey.split(':');
  if (kind === 'mail' && isOfDemo(row))
    return { recipients: ['ADDRESSES'], addresses: [address], channelIds: [] };
  if (recipients) return { recipients, addresses: addresses ?? [], channelIds: channelIds ?? [] };
  return {
    recipients: recipientKinds,
    addresses: isNobodys && kind === 'mail' ? [address] : [],
    channelIds: kind === 'channel' ? [id] : [],
  };
}

/** Finds the present recipients of a delivery's reminders: its own, and those who are new. */
async function findPresent(tx: Transaction, rows: readonly Row[], now: Date): Promise<FoundTarget[]> {
  const [first] = rows;
  if (!first) return [];
  const told = rows.map((row) => ({
    ...{ workspace: first, id: row.reminderId, itemId: row.itemId, about: row.about, step: stepOf(row) },
    recipientKey: row.onlyFor,
  }));
  return findTargets(tx, told, now, { ofOne: first.recipientKey });
}

/** Returns why a recipient does not get a reminder. Null if they do. */
function reasonOf(row: Row, present: ReadonlyMap<string, FoundTarget>): Ending | null {
  if (row.noted !== null) return row.noted;
  const found = present.get(`${row.reminderId} ${row.recipientKey}`);
  if (!found) return 'no recipient';
  return found.reason ?? (row.isToldToday ? 'superseded' : null);
}

/**
 * Checks whether a delivery's reminders may still be sent, as of now. Reminders that their items no longer
 * want are cancelled with the reason. If the recipient may not see the item any more, or is none of its recipients,
 * only this target is cancelled. The check runs in the transaction that reads what is sent, right before sending.
 */
export async function revalidateDelivery(tx: Transaction, deliveryId: string, now: Date): Promise<Fenced> {
  const rows = await readRows(tx, deliveryId, now);
  const wanted = rows.filter(({ ofItem }) => ofItem === null);
  const found = await findPresent(tx, wanted, now);
  const present = new Map(found.map((one) => [`${one.reminderId} ${one.recipientKey}`, one]));
  const unwanted = rows.flatMap(({ reminderId, ofItem: reason }) => (reason ? [{ reminderId, reason }] : []));
  const lost = wanted.flatMap((row) => {
    const reason = reasonOf(row, present);
    return reason ? [{ reminderId: row.reminderId, reason }] : [];
  });
  if (unwanted.length + lost.length > 0) await cancel(tx, deliveryId, unwanted, lost);
  const isLost = new Set(lost.map(({ reminderId }) => reminderId));
  const isHeldBack = new Set(lost.filter((gone) => isHeld(gone.reason)).map(({ reminderId }) => reminderId));
  const waiting = wanted.filter(({ reminderId, isPending }) => isPending || isLost.has(reminderId));
  await tellNew(
    tx,
    waiting.filter(({ reminderId }) => !isHeldBack.has(reminderId)),
    found,
    now,
  );
  const standing = wanted.filter(({ reminderId }) => !isLost.has(reminderId));
  const [reason] = [...unwanted, ...lost].map((gone) => gone.reason);
  if (standing.length === 0) await cancelDelivery(tx, deliveryId, reason ?? 'nothing to tell', now);
  return { standing, hasLostTargets: lost.length > 0 };
}

/**
 * Queues reminders for recipients who became one while they waited. That is the successor of a contact, or the same one
 * at another address. Whoever is added after a reminder was sent to all gets the next one.
 */
async function tellNew(
  tx: Transaction,
  rows: readonly Row[],
  found: readonly FoundTarget[],
  now: Date,
): Promise<void> {
  const waiting = new Map(rows.filter(isOfStep).map((row) => [row.reminderId, row]));
  const fresh = found.filter(
    ({ reminderId, isKnown, isFallback, reason }) =>
      waiting.has(reminderId) && !isKnown && !isFallback && reason === null,
  );
  const ids = new Set(fresh.map(({ reminderId }) => reminderId));
  const told = [...waiting.values()].filter(({ reminderId }) => ids.has(reminderId));
  const [first] = told;
  if (!first) return;
  const named = told.map((row) => ({ ...row, id: row.reminderId, recipientKey: null }));
  await writeDeliveries(tx, first, named, fresh, now);
}

/** Notes why a delivery does not tell of some reminders. Those that their items do not want are cancelled. */
async function cancel(
  tx: Transaction,
  deliveryId: string,
  unwanted: readonly Gone[],
  lost: readonly Gone[],
): Promise<void> {
  const gone = [...unwanted, ...lost];
  const ids = (all: readonly Gone[]) => all.map(({ reminderId }) => reminderId);
  const reasons = (all: readonly Gone[]) => all.map(({ reason }) => reason);
  const statement = sql`
    WITH targets AS (
      UPDATE reminder_targets AS target SET reason = gone.reason
      FROM unnest(${ids(gone)}::uuid[], ${reasons(gone)}::text[]) AS gone (id, reason)
      WHERE target.delivery_id = ${deliveryId}::uuid AND target.reminder_id = gone.id
    )
    UPDATE reminders AS reminder SET state = 'CANCELLED', reason = gone.reason
    FROM unnest(${ids(unwanted)}::uuid[], ${reasons(unwanted)}::text[]) AS gone (id, reason)
    WHERE reminder.id = gone.id AND reminder.state = 'PENDING'`;
  await tx.run(prepared('reminders.cancel', statement));
}
