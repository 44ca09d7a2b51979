import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import { todayIn } from '../../domain/status.js';
import type { ReminderEntry } from '../../mail/reminder-mail.js';
import { fenceDelivery } from '../fence.js';
import type { ClaimedDelivery } from './queue.js';
import { tellFallback } from './settle.js';

/** The most items that a digest lists. It only counts the others. */
export const mostEntries = 500;

/** An item of a delivery, with its workspace and the languages of its recipient. */
export interface EntryRow {
  readonly itemId: string;
  readonly name: string;
  readonly expirationDate: Date;
  readonly details: string | null;
  readonly documentType: string | null;
  readonly assignee: string | null;
  readonly recipientKey: string;
  readonly workspace: string;
  readonly timezone: string;
  readonly languages: readonly (string | null)[];
  /** Number of items in the delivery. */
  readonly total: number;
}

/** Reads the current items of a delivery, the most urgent first. */
function readEntries(tx: Transaction, deliveryId: string): Promise<EntryRow[]> {
  const statement = sql`
    SELECT item.id AS "itemId", item.name, item.expiration_date AS "expirationDate", item.details,
      category.name AS "documentType", assignee.name AS assignee, told.recipient_key AS "recipientKey",
      team.name AS workspace, team.timezone,
      ARRAY[setting.language, person.language, organization.locale] AS languages,
      count(*) OVER ()::int AS total
    FROM (
      SELECT DISTINCT reminder.item_id, target.recipient_key
      FROM reminder_targets AS target JOIN reminders AS reminder ON reminder.id = target.reminder_id
      WHERE target.delivery_id = ${deliveryId}::uuid AND target.reason IS NULL
    ) AS told
    JOIN expiration_items AS item ON item.id = told.item_id
    JOIN teams AS team ON team.id = item.team_id
    JOIN organizations AS organization ON organization.id = item.organization_id
    LEFT JOIN categories AS category ON category.id = item.category_id
    LEFT JOIN users AS assignee ON assignee.id = item.assigned_to_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = item.organization_id AND setting.recipient_key = told.recipient_key
    LEFT JOIN users AS person
      ON person.organization_id = item.organization_id AND 'mail:' || natural_key(person.email) = told.recipient_key
    ORDER BY item.expiration_date, item.name, item.id LIMIT ${mostEntries}`;
  return tx.run<EntryRow>(named('deliveries.entries', statement));
}

const dayMs = 86_400_000;

/** Locks a delivery. @returns false if another process has it by now */
export async function lockDelivery(tx: Transaction, { id, attempts }: ClaimedDelivery): Promise<boolean> {
  const lock = sql`
    SELECT FROM deliveries WHERE id = ${id}::uuid AND attempts = ${attempts}
      AND due_at IS NOT NULL FOR NO KEY UPDATE`;
  return (await tx.run(named('deliveries.lock', lock))).length > 0;
}

/**
 * Reads the current items of a delivery whose decisions still apply. Others are cancelled, and the delivery,
 * too, if nothing is left.
 */
export async function standingEntries(
  tx: Transaction,
  delivery: ClaimedDelivery,
  now: Date,
): Promise<readonly EntryRow[]> {
  const { standing, hasLostTargets } = await fenceDelivery(tx, delivery.id, now);
  if (hasLostTargets) await tellFallback(tx, delivery, null, now);
  return standing.length === 0 ? [] : readEntries(tx, delivery.id);
}

/** Returns an item as messages show it, without links. */
export function entryOf(row: EntryRow, now: Date): Omit<ReminderEntry, 'links'> {
  const today = todayIn(row.timezone, now);
  return {
    ...{ name: row.name, documentType: row.documentType, assignee: row.assignee, details: row.details },
    expirationDate: formatDate(row.expirationDate),
    daysLeft: Math.round((row.expirationDate.getTime() - today.getTime()) / dayMs),
  };
}
