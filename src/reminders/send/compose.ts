import type { KeyObject } from 'node:crypto';
import { invitationSubject } from '../../access/invitations.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import { formatDate } from '../../domain/dates.js';
import { recordPage } from '../../domain/doors/console-pages.js';
import { pickLanguage } from '../../mail/languages.js';
import { type LinkAction, signLink } from '../../mail/links.js';
import type { MailMessage } from '../../mail/message.js';
import { type ReminderEntry, reminderMail } from '../../mail/reminder-mail.js';
import { type EntryRow, entryOf, lockDelivery, standingEntries } from './entries.js';
import { composeInvitation, type InvitationLinks } from './invitation.js';
import type { ClaimedDelivery } from './queue.js';
import { isNotice } from './settle.js';
import { composeSignInLink } from './sign-in-link.js';
import { composeWebhookDisabled, webhookDisabledSubject } from './webhook-disabled.js';

/** Creates the links of mails. Without the gateway's public address there are none. */
export interface LinkMaker extends InvitationLinks {
  readonly key: KeyObject;
}

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
  if (!(await lockDelivery(tx, delivery))) return undefined;
  if (delivery.subjectKind === webhookDisabledSubject)
    return composeWebhookDisabled(tx, delivery, links?.origin, now);
  if (isNotice(delivery)) {
    if (!links) throw new SecretKeyError('The link needs PUBLIC_URL and the same key as `serve`.');
    return delivery.subjectKind === invitationSubject
      ? composeInvitation(tx, delivery, links, now)
      : composeSignInLink(tx, delivery, links.origin, now);
  }
  const rows = await standingEntries(tx, delivery, now);
  const [first] = rows;
  if (!first) return undefined;
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
      ...entryOf(row, now),
      links: {
        open: links && recordPage(links.origin, 'expirationItem', row.itemId),
        // Mail programs would cut off a digest of hundreds of items if each had all links.
        ...(!isDigest && { acknowledge: link('acknowledge', row), snooze: link('snooze', row) }),
      },
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
