import { administersSql } from '../../access/administrators.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sameAddressSql } from '../../db/sql/addresses.js';
import { sql } from '../../db/sql/sql.js';
import { webhookMail } from '../../mail/account/webhook-mail.js';
import type { DisabledCause } from '../../mail/account/webhook-texts.js';
import { pickLanguage } from '../../mail/languages.js';
import type { MailMessage } from '../../mail/message.js';
import { cancelDelivery } from '../fence.js';
import type { ClaimedDelivery } from './queue.js';

/** Kind of deliveries that tell administrators of a webhook endpoint that was disabled. */
export const webhookDisabledSubject = 'webhookDisabled';

interface Row {
  readonly organization: string;
  readonly name: string;
  readonly host: string;
  readonly cause: DisabledCause;
  readonly languages: readonly (string | null)[];
}

/**
 * Writes the mail about a webhook endpoint that was disabled. It is cancelled if its recipient no longer
 * administers the organization.
 * @param origin the gateway's public address; without it, the mail has no link
 * @returns undefined if there is nothing to send
 */
export async function composeWebhookDisabled(
  tx: Transaction,
  { id, address, messageId }: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT organization.name AS organization, delivery.payload->>'name' AS name, delivery.payload->>'host' AS host,
      delivery.payload->>'cause' AS cause, ARRAY[person.language, organization.locale] AS languages
    FROM deliveries AS delivery
    JOIN organizations AS organization ON organization.id = delivery.organization_id
    JOIN users AS person ON person.organization_id = organization.id AND person.is_active
      AND ${administersSql} AND ${sameAddressSql(sql`person.email`, sql`delivery.address`)}
    WHERE delivery.id = ${id}::uuid LIMIT 1`;
  const [row] = await tx.run<Row>(named('deliveries.webhook_disabled', statement));
  if (!row) {
    await cancelDelivery(tx, id, 'inactive', now);
    return undefined;
  }
  const { languages, ...about } = row;
  const link = origin && `${origin}/settings/webhooks`;
  return { ...webhookMail({ ...about, language: pickLanguage(...languages), link }), to: address, messageId };
}
