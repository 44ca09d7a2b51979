import type { KeyObject } from 'node:crypto';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { unsettled } from '../db/queue/queue.js';
import { columnsSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { gatewayCaller } from '../domain/caller.js';
import { type AskingSettings, unansweredStates } from '../domain/document-requests.js';
import { GatewayError } from '../domain/errors.js';
import { check } from '../domain/rules.js';
import { isDemoWorkspace } from '../domain/text/demo.js';
import { type Asker, askIn, lockAsking, requestRules, takeStep, tellRequest } from './ask.js';
import type { DocumentRequest } from './document-requests.js';
import { endingSql, keepSecret } from './links.js';

/** A mail of a reminder, with what its recipient may be asked for. */
interface RemindingMail {
  readonly deliveryId: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly address: string;
  readonly language: string;
  /** Items whose new documents are wanted. */
  readonly itemIds: readonly string[];
}

/** Documents that the mail of a reminder asks for. */
interface RemindedRequests {
  /** Secret of the link that the mail has. */
  readonly secret: string;
  /** Items whose new documents can be sent by it. */
  readonly itemIds: ReadonlySet<string>;
}

/** Locks the link of a recipient, if there is one. Whoever also locks its requests does so afterwards. */
async function lockLinkOf(tx: Transaction, { teamId, address }: RemindingMail): Promise<string | undefined> {
  const statement = sql`
    SELECT id FROM document_request_links
    WHERE team_id = ${teamId}::uuid AND recipient_key = 'mail:' || natural_key(${address}) FOR NO KEY UPDATE`;
  const [link] = await tx.run<{ id: string }>(prepared('document_request_links.of_recipient', statement));
  return link?.id;
}

/**
 * Locks the requests of a link for items. They are open, or a reminder has made them for the present dates: what has ended
 * is not asked for twice.
 */
async function lockKnown(
  tx: Transaction,
  linkId: string,
  ids: readonly string[],
): Promise<DocumentRequest[]> {
  const statement = sql`
    SELECT ${columnsSql('DocumentRequest')} FROM document_requests AS record
    JOIN expiration_items AS item ON item.id = record.item_id
    WHERE record.link_id = ${linkId}::uuid AND record.item_id = ANY (${[...ids]}::uuid[]) AND record.renews
      AND (record.is_reminded AND item.expiration_date = record.item_date
        OR record.state IN ('OPEN', 'SENT', 'OPENED', 'RECEIVED'))
    ORDER BY record.id FOR NO KEY UPDATE OF record`;
  return tx.run<DocumentRequest>(prepared('document_requests.reminded', statement));
}

/** Finds which requests are still needed. The page of their link shows no others, and they end soon. */
async function findNeeded(
  tx: Transaction,
  requests: readonly DocumentRequest[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const statement = sql`
    SELECT request.id FROM document_requests AS request JOIN document_request_links AS link ON link.id = request.link_id
    WHERE request.id = ANY (${requests.map(({ id }) => id)}::uuid[]) AND ${endingSql(now)} IS NULL`;
  const rows = await tx.run<{ id: string }>(prepared('document_requests.still_needed', statement));
  return new Set(rows.map(({ id }) => id));
}

/** Finds the contact of a workspace with an address. */
async function contactWith(tx: Transaction, { organizationId, teamId, address }: RemindingMail) {
  const statement = sql`
    SELECT id FROM contacts WHERE organization_id = ${organizationId}::uuid AND team_id = ${teamId}::uuid
      AND natural_key(email) = natural_key(${address}) AND is_active ORDER BY created, id LIMIT 1`;
  const [contact] = await tx.run<{ id: string }>(prepared('document_requests.contact', statement));
  return contact?.id;
}

/** Makes the request for an item. Undefined if it cannot be asked for; the mail then has no link. */
async function make(
  tx: Transaction,
  asker: Asker,
  recipient: { readonly recipientId: string } | { readonly email: string },
  { teamId, language }: RemindingMail,
  expirationItemId: string,
): Promise<DocumentRequest | undefined> {
  try {
    const wanted = { ...recipient, expirationItemId, teamId, language };
    return await tx.inTransaction(async (part) => {
      const request = await askIn(part, asker, check(requestRules, wanted), { isReminded: true });
      // Such as that of a vehicle that is archived.
      if ((await findNeeded(part, [request], asker.now)).size === 0)
        throw new GatewayError('CONFLICT', 'The request would end at once.');
      return request;
    });
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/** Opens requests again whose link has ended. A later reminder asks for them anew. */
async function reopen(tx: Transaction, asker: Asker, known: readonly DocumentRequest[]) {
  const opened: DocumentRequest[] = [];
  for (const request of known) {
    if (request.state !== 'LAPSED') continue;
    const row = await takeStep(tx, asker, request, 'resent', { settledAt: null });
    await tellRequest(tx, asker, row, 'request resent', 'was asked for again by a reminder');
    opened.push(row);
  }
  return opened;
}

/** Keeps the link working after its mail, and notes the mail in the requests. @returns the secret of the link */
async function noteMail(
  tx: Transaction,
  { deliveryId }: RemindingMail,
  linkId: string,
  open: readonly DocumentRequest[],
  key: KeyObject,
  { now, asking }: Asker,
): Promise<string> {
  const until = new Date(now.getTime() + asking.linkDays * 86_400_000);
  // A secret that has ended stays so.
  const statement = sql`
    UPDATE document_request_links AS link SET
      round = link.round + CASE WHEN link.expires_at <= ${now}::timestamptz THEN 1 ELSE 0 END,
      expires_at = greatest(link.expires_at, ${until}::timestamptz)
    WHERE link.id = ${linkId}::uuid RETURNING id, round, hash`;
  const [link] = await tx.run<{ id: string; round: number; hash: Uint8Array | null }>(
    prepared('document_request_links.remind', statement),
  );
  if (!link) throw new Error('A link is gone while it is locked.');
  // A mail that is still on its way says itself whether it was sent.
  const note = sql`
    UPDATE document_requests AS request SET delivery_id = ${deliveryId}::uuid,
      modified = greatest(${now}::timestamptz, request.modified + interval '1 millisecond')
    WHERE request.id = ANY (${open.map(({ id }) => id)}::uuid[]) AND NOT EXISTS (
      SELECT FROM deliveries AS earlier WHERE earlier.id = request.delivery_id AND ${unsettled('earlier')})`;
  await tx.run(prepared('document_requests.remind', note));
  return keepSecret(tx, link, key);
}

/**
 * Asks the recipient of a reminder for the new documents of items. It belongs to the transaction that writes the mail. Each is asked
 * for once for each date, however often its mail is written. The mail brings the link, and later ones of the reminder bring it again.
 * @returns undefined if the mail has no link: nothing can be asked for, or all of it was answered
 */
export async function askByReminder(
  tx: Transaction,
  mail: RemindingMail,
  key: KeyObject,
  now: Date,
  asking: AskingSettings,
): Promise<RemindedRequests | undefined> {
  const { organizationId, teamId, itemIds, address } = mail;
  if (itemIds.length === 0 || isDemoWorkspace(teamId, organizationId)) return undefined;
  const caller = gatewayCaller(organizationId, teamId);
  const asker = { caller, now, asking };
  return tx.inTransaction(async (part) => {
    await lockAsking(part, teamId);
    const before = await lockLinkOf(part, mail);
    const known = before ? await lockKnown(part, before, itemIds) : [];
    const isKnown = new Set(known.map(({ itemId }) => itemId));
    const contactId = await contactWith(part, mail);
    const recipient = contactId ? { recipientId: contactId } : { email: address };
    const made: DocumentRequest[] = [];
    for (const id of itemIds) {
      const request = isKnown.has(id) ? undefined : await make(part, asker, recipient, mail, id);
      if (request) made.push(request);
    }
    const waiting = new Set<string>(unansweredStates);
    const stillNeeded = await findNeeded(part, known, now);
    const needed = known.filter(({ id }) => stillNeeded.has(id));
    const open = [
      ...needed.filter(({ state }) => waiting.has(state)),
      ...(await reopen(part, asker, needed)),
      ...made,
    ];
    const linkId = before ?? made[0]?.linkId;
    if (open.length === 0 || !linkId) return undefined;
    const secret = await noteMail(part, mail, linkId, open, key, asker);
    return { secret, itemIds: new Set(open.flatMap(({ itemId }) => itemId ?? [])) };
  }, caller);
}
