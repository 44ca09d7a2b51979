import { invitationLink, invitationSeal } from '../../access/invitations.js';
import { hashToken } from '../../access/tokens.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { Secrets } from '../../db/secrets/secrets.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import { invitationMail } from '../../mail/account/invitation-mail.js';
import { pickLanguage } from '../../mail/languages.js';
import type { MailMessage } from '../../mail/message.js';
import { cancelDelivery } from '../fence.js';
import type { ClaimedDelivery } from './queue.js';

/** Opens sealed secrets, and provides the origin of links. */
export interface InvitationLinks {
  readonly origin: string;
  readonly open: Secrets['open'];
}

interface Row {
  readonly sealed: string | null;
  readonly inviter: string | null;
  readonly userName: string;
  readonly organization: string;
  readonly languages: readonly (string | null)[];
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
}

/**
 * Writes the mail of an invitation. It is cancelled if its link no longer works: it was used, has expired, or
 * has been replaced.
 * @returns undefined if there is nothing to send
 * @throws SecretKeyError if the secret was sealed with another key
 */
export async function composeInvitation(
  tx: Transaction,
  { id, address, messageId }: ClaimedDelivery,
  links: InvitationLinks,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT delivery.payload->>'sealed' AS sealed, delivery.payload->>'inviter' AS inviter, person.name AS "userName",
      organization.name AS organization, ARRAY[person.language, organization.locale] AS languages, invitation.hash,
      invitation.expires_at AS "expiresAt"
    FROM deliveries AS delivery
    JOIN users AS person ON person.id = delivery.subject_id AND person.organization_id = delivery.organization_id
    JOIN organizations AS organization ON organization.id = person.organization_id
    JOIN invitations AS invitation ON invitation.user_id = person.id
    WHERE delivery.id = ${id}::uuid AND person.is_active AND invitation.used_at IS NULL
      AND invitation.expires_at > ${now}::timestamptz`;
  const [row] = await tx.run<Row>(named('deliveries.invitation', statement));
  const secret = row?.sealed && (await links.open(Buffer.from(row.sealed, 'base64'), invitationSeal(id)));
  if (!secret || !hashToken(secret).equals(row.hash)) {
    await cancelDelivery(tx, id, 'the link opens nothing any more', now);
    return undefined;
  }
  const { userName, organization, inviter, languages, expiresAt } = row;
  const language = pickLanguage(...languages);
  const link = invitationLink(links.origin, secret);
  const letter = { language, organization, userName, inviter, until: formatDate(expiresAt), link };
  return { ...invitationMail(letter), to: address, messageId };
}
