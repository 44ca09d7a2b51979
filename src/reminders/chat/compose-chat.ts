import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { listPage, recordPage } from '../../domain/doors/console-pages.js';
import { chatTexts } from '../../mail/chat-texts.js';
import { pickLanguage } from '../../mail/languages.js';
import { reminderLines } from '../../mail/reminder-mail.js';
import { fillTemplate } from '../../mail/template.js';
import { entryOf, lockDelivery, standingEntries } from '../send/entries.js';
import type { ClaimedDelivery } from '../send/queue.js';
import { failedSubject } from '../send/settle.js';
import type { ChatMessage } from './shapes.js';

/** Days before a date from which a message hurries. */
const soonDays = 7;

/** Writes the message about a mail that could not be delivered. */
async function composeFailure(
  tx: Transaction,
  { id }: ClaimedDelivery,
  origin: string | undefined,
): Promise<ChatMessage> {
  const statement = sql`
    SELECT delivery.payload->>'address' AS address, delivery.payload->>'reason' AS reason,
      organization.locale AS language
    FROM deliveries AS delivery JOIN organizations AS organization ON organization.id = delivery.organization_id
    WHERE delivery.id = ${id}::uuid`;
  const [row] = await tx.run<{ address: string; reason: string; language: string | null }>(
    named('deliveries.failure', statement),
  );
  const { failed, open: linkLabel } = chatTexts[pickLanguage(row?.language)];
  const text = fillTemplate(failed.text, { address: row?.address ?? '', reason: row?.reason ?? '' });
  const link = origin && `${origin}/deliveries?state=FAILED`;
  return { title: failed.title, lines: [text], link, linkLabel, urgency: 'soon' };
}

/**
 * Writes the message of a delivery to a channel from the current data. Decisions that no longer apply are
 * cancelled.
 * @param origin the gateway's public address; without it, the message has no link
 * @returns undefined if there is nothing to send, or another process has the delivery by now
 */
export async function composeChat(
  tx: Transaction,
  delivery: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<ChatMessage | undefined> {
  if (!(await lockDelivery(tx, delivery))) return undefined;
  if (delivery.subjectKind === failedSubject) return composeFailure(tx, delivery, origin);
  const rows = await standingEntries(tx, delivery, now);
  const [first] = rows;
  if (!first) return undefined;
  const language = pickLanguage(...first.languages);
  const entries = rows.map((row) => ({ ...entryOf(row, now), links: {} }));
  const { title, lines } = reminderLines(language, first.workspace, entries, first.total);
  const least = Math.min(...entries.map(({ daysLeft }) => daysLeft));
  return {
    ...{ title, lines, linkLabel: chatTexts[language].open },
    link:
      origin &&
      (rows.length === 1
        ? recordPage(origin, 'expirationItem', first.itemId)
        : listPage(origin, 'expirationItem')),
    urgency: least < 0 ? 'expired' : least <= soonDays ? 'soon' : 'normal',
  };
}
