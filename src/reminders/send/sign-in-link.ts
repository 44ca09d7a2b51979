import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sameAddressSql } from '../../db/sql/addresses.js';
import { sql } from '../../db/sql/sql.js';
import { signInMail } from '../../mail/account/sign-in-mail.js';
import { pickLanguage } from '../../mail/languages.js';
import type { MailMessage } from '../../mail/message.js';
import { type LinkRequest, wayOfPurpose } from '../../sign-in/links/link-requests.js';
import { addressOfLink, makeLink } from '../../sign-in/links/links.js';
import { cancelDelivery } from '../fence.js';
import type { ClaimedDelivery } from './queue.js';

/** Milliseconds for which somebody waits for a link. A later mail would only be a riddle. */
const waitsFor = 3_600_000;

interface Row extends LinkRequest {
  readonly userId: string;
  readonly userName: string;
  readonly organization: string;
  readonly languages: readonly (string | null)[];
  readonly ways: readonly string[];
}

/**
 * Writes the mail with a link for signing in, and makes the link. Each attempt has a link of its own, so that
 * the queue keeps no secret, and the time for using it begins with the attempt. The mail is cancelled if it
 * comes too late, or its user may not use the link any more.
 * @returns undefined if there is nothing to send
 */
export async function composeSignInLink(
  tx: Transaction,
  { id, address, messageId, organizationId }: ClaimedDelivery,
  origin: string,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT person.id AS "userId", person.name AS "userName", organization.name AS organization,
      delivery.payload->>'purpose' AS purpose, delivery.payload->'from' AS "from",
      organization.sign_in_ways::text[] AS ways, ARRAY[person.language, organization.locale] AS languages
    FROM deliveries AS delivery
    JOIN users AS person ON person.id = delivery.subject_id AND person.organization_id = delivery.organization_id
    JOIN organizations AS organization ON organization.id = person.organization_id
    WHERE delivery.id = ${id}::uuid AND person.is_active
        AND ${sameAddressSql(sql`person.email`, sql`delivery.address`)}
      AND NOT (person.subject IS NOT NULL AND organization.issuer_alone)
      AND delivery.created > ${new Date(now.getTime() - waitsFor)}::timestamptz`;
  const [row] = await tx.run<Row>(named('deliveries.sign_in_link', statement));
  if (!row?.ways.includes(wayOfPurpose[row.purpose])) {
    await cancelDelivery(tx, id, 'the link opens nothing any more', now);
    return undefined;
  }
  const { userId, userName, organization, purpose, from } = row;
  const secret = await makeLink(tx, { id: userId, organizationId }, { purpose, email: address }, now);
  const letter = {
    ...{ language: pickLanguage(...row.languages), organization, userName, isReset: purpose === 'RESET' },
    ...{ browser: from.browser, address: from.address, link: addressOfLink(origin, purpose, secret) },
  };
  return { ...signInMail(letter), to: address, messageId };
}
