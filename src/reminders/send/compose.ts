import type { KeyObject } from 'node:crypto';
import { invitationSubject } from '../../access/invitations.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import { formatDate } from '../../domain/dates.js';
import { todayIn } from '../../domain/status.js';
import { Prisma } from '../../generated/prisma/client.js';
import { pickLanguage } from '../../mail/languages.js';
import { type LinkAction, signLink } from '../../mail/links.js';
import type { MailMessage } from '../../mail/message.js';
import { type ReminderEntry, reminderMail } from '../../mail/reminder-mail.js';
import { fenceDelivery } from '../fence.js';
import { composeInvitation, type InvitationLinks } from './invitation.js';
import type { ClaimedDelivery } from './queue.js';
import { isNotice, tellFallback } from './settle.js';
import { composeSignInLink } from './sign-in-link.js';
import { composeWebhookDisabled, webhookDisabledSubject } from './webhook-disabled.js';

const { sql } = Prisma;

/** The most items that a digest lists. It only counts the others. */
export const mostEntries = 500;

/** Creates the links of mails. Without the gateway's public address there are none. */
export interface LinkMaker extends InvitationLinks {
  readonly key: KeyObject;
}

interface EntryRow {
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

/**
 * Writes the mail of a delivery from the current data. It first checks whether the decisions still apply;
 * others are cancelled.
 * @returns undefined if there is nothing to send, or another process has the delivery by now
 * @throws SecretKeyError if the link of an invitation or for signing in cannot be created here
 */
export async function composeMail(
  tx: Transaction,
  delivery: ClaimedDelivery,
  links: LinkMaker | undefined,
  now: Date,
): Promise<MailMessage | undefined> {
  const lock = sql`
    SELECT FROM deliveries WHERE id = ${delivery.id}::uuid AND attempts = ${delivery.attempts}
      AND due_at IS NOT NULL FOR NO KEY UPDATE`;
  const [own] = await tx.run(named('deliveries.lock', lock));
  if (!own) return undefined;
  if (delivery.subjectKind === webhookDisabledSubject)
    return composeWebhookDisabled(tx, delivery, links?.origin, now);
  if (isNotice(delivery)) {
    if (!links) throw new SecretKeyError('The link needs PUBLIC_URL and the same key as `serve`.');
    return delivery.subjectKind === invitationSubject
      ? composeInvitation(tx, delivery, links, now)
      : composeSignInLink(tx, delivery, links.origin, now);
  }
  const { standing, hasLostTargets } = await fenceDelivery(tx, delivery.id, now);
  if (hasLostTargets) await tellFallback(tx, delivery, null, now);
  if (standing.length === 0) return undefined;
  const rows = await readEntries(tx, delivery.id);
  const [first] = rows;
  if (!first) return undefined;
  const today = todayIn(first.timezone, now);
  const isDigest = delivery.subjectKind === 'digest';
  const link = (action: LinkAction, row?: EntryRow) => {
    if (!links) return undefined;
    const { organizationId } = delivery;
    const date = row && formatDate(row.expirationDate);
    const purpose = { action, organizationId, itemId: row?.itemId, date, recipientKey: first.recipientKey };
    return `${links.origin}/r/${signLink(links.key, purpose, now)}`;
  };
  const entries = rows.map(
    (row): ReminderEntry => ({
      ...{ name: row.name, documentType: row.documentType, assignee: row.assignee, details: row.details },
      expirationDate: formatDate(row.expirationDate),
      daysLeft: Math.round((row.expirationDate.getTime() - today.getTime()) / dayMs),
      // Mail programs would cut off a digest of hundreds of items if each had links.
      links: isDigest ? {} : { acknowledge: link('acknowledge', row), snooze: link('snooze', row) },
    }),
  );
  const unsubscribe = link('unsubscribe', isDigest ? undefined : first);
  const host = delivery.messageId.replace(/^.*@|>$/g, '');
  return {
    ...reminderMail({
      language: pickLanguage(...first.languages),
      workspace: first.workspace,
      entries,
      total: first.total,
      isDigest,
      unsubscribe,
    }),
    to: delivery.address,
    messageId: delivery.messageId,
    thread: isDigest ? undefined : `<${first.itemId}.${formatDate(first.expirationDate)}@${host}>`,
    unsubscribe,
  };
}
