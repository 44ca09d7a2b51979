import * as z from 'zod';
import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { insertRows, updateRows } from '../db/sql/write.js';
import { formatDate, nextModified, todayIn } from '../domain/dates.js';
import { askingLimits, type RequestStep, stateAfter } from '../domain/document-requests.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import type { EventEntity, EventName } from '../domain/models.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { isDemoWorkspace } from '../domain/text/demo.js';
import { type Holder, type HolderKind, holderKinds } from '../items/holders.js';
import { logEvent } from '../records/event-logs.js';
import { findLinked } from '../records/loaders.js';
import { checkVersion } from '../records/locks.js';
import { type DocumentRequest, documentRequests, heldIdOf } from './document-requests.js';

/** Rules of a new request for a document. */
export const requestRules = z.object({
  id: rules.uuid,
  expirationItemId: rules.uuid,
  categoryId: rules.uuid,
  holderKind: z.enum(holderKinds, `must be one of ${holderKinds.join(', ')}`).nullish(),
  holderId: rules.uuid,
  requirementId: rules.uuid,
  recipientId: rules.uuid,
  email: rules.email.nullish().default(null),
  language: rules.language,
  message: rules.textWithin(askingLimits.words),
  dueOn: rules.date,
  teamId: rules.uuid,
});

type Asked = z.output<typeof requestRules>;

/** On whose behalf documents are asked for, and when. */
export type Asker = Pick<Session, 'caller' | 'now' | 'asking'>;

/** Subject of a request, and its workspace. */
interface Subject {
  readonly teamId: string;
  readonly categoryId: string | null;
  readonly item: RowOf<'ExpirationItem'> | null;
  readonly holder: Holder | null;
  /** The requirement that needs the document. */
  readonly requirementId: string | null;
}

const missing = (member: string, noun: string) =>
  badField([member], `names no ${noun} that exists`, 'reference');

/** Finds the first holder of an item that is in its workspace. */
async function holderOfItem(
  tx: Transaction,
  { id, teamId }: RowOf<'ExpirationItem'>,
): Promise<Holder | null> {
  const statement = sql`
    SELECT lower(link.kind::text) AS kind, coalesce(link.vehicle_id, link.contact_id, link.company_id, link.location_id) AS id
    FROM item_holders AS link WHERE link.item_id = ${id}::uuid ORDER BY link.position LIMIT 1`;
  const [first] = await tx.run<Holder>(prepared('document_requests.holder', statement));
  if (!first) return null;
  const holder = (await findLinked(tx, first.kind, first.id)) as { readonly teamId: string } | null;
  return holder?.teamId === teamId ? { kind: first.kind, id: first.id } : null;
}

/** Finds the holder that a request names. */
async function namedHolder(tx: Transaction, { holderKind, holderId }: Asked) {
  if ((holderKind == null) !== (holderId === null))
    throw badField(
      [holderId === null ? 'holderId' : 'holderKind'],
      'is required with the other one',
      'required',
    );
  if (holderKind == null || holderId === null) return null;
  const record = (await findLinked(tx, holderKind, holderId)) as { readonly teamId: string } | null;
  if (!record) throw missing('holderId', 'record of that kind');
  return { kind: holderKind, id: holderId, teamId: record.teamId };
}

/** Finds the requirement that a request names. It must need the document of the record that the request names. */
async function namedRequirement(
  tx: Transaction,
  { requirementId }: Asked,
  named: Awaited<ReturnType<typeof namedHolder>>,
): Promise<RowOf<'Requirement'> | null> {
  const found = (await findLinked(tx, 'requirement', requirementId)) as RowOf<'Requirement'> | null;
  if (!requirementId) return null;
  if (!named) throw badField(['holderId'], 'is required with a requirement', 'required');
  if (!found) throw missing('requirementId', 'requirement');
  const { kind, teamId } = named;
  if (found.teamId !== teamId || found.holderKind !== kind)
    throw badField(['requirementId'], 'is not one of the kind and workspace of the record', 'reference');
  if (!found.isActive) throw badField(['requirementId'], 'names a requirement that is not in use');
  return found;
}

/** Finds the subject of a request. It is the renewal of an item, or a document of a type. */
async function findSubject(tx: Transaction, { caller }: Asker, asked: Asked): Promise<Subject> {
  const { expirationItemId, categoryId } = asked;
  const item = (await findLinked(tx, 'expirationItem', expirationItemId)) as RowOf<'ExpirationItem'> | null;
  if (expirationItemId && !item) throw missing('expirationItemId', 'expiration item');
  if (item && !item.isActive) throw badField(['expirationItemId'], 'names an archived item');
  const named = await namedHolder(tx, asked);
  const requirement = await namedRequirement(tx, asked, named);
  const typeId = categoryId ?? item?.categoryId ?? requirement?.anyOf[0] ?? null;
  if (!item && !typeId) throw badField(['categoryId'], 'is required without an item to renew', 'required');
  if (requirement && !requirement.anyOf.includes(typeId ?? ''))
    throw badField(
      [categoryId ? 'categoryId' : 'expirationItemId'],
      'is not of a type that the requirement needs',
    );
  if (typeId && typeId !== item?.categoryId && !(await findLinked(tx, 'category', typeId)))
    throw missing(categoryId ? 'categoryId' : 'requirementId', 'document type');
  const teamId = item?.teamId ?? named?.teamId ?? asked.teamId ?? caller.user.teamId;
  if (!caller.teamIds.includes(teamId)) throw missing('teamId', 'workspace');
  if (asked.teamId && asked.teamId !== teamId)
    throw badField(['teamId'], 'is not the workspace of what is asked for', 'reference');
  if (named && named.teamId !== teamId)
    throw badField(['holderId'], 'is not in the workspace of the item', 'reference');
  const holder = named ? { kind: named.kind, id: named.id } : item && (await holderOfItem(tx, item));
  return { teamId, item, holder, categoryId: typeId, requirementId: requirement?.id ?? null };
}

/** Finds the address of whoever is asked. @throws GatewayError BAD_REQUEST if it gets no mails */
async function findAddress(
  tx: Transaction,
  { caller, now }: Asker,
  { recipientId, email }: Asked,
  teamId: string,
): Promise<string> {
  if ((recipientId === null) === (email === null))
    throw badField(['recipientId'], 'or `email` is required, and only one of them', 'required');
  const contact = (await findLinked(tx, 'contact', recipientId)) as RowOf<'Contact'> | null;
  if (recipientId && !contact) throw missing('recipientId', 'contact');
  if (contact && contact.teamId !== teamId)
    throw badField(['recipientId'], 'is not in the workspace of what is asked for', 'reference');
  if (contact && !contact.isActive) throw badField(['recipientId'], 'names a contact that is not in use');
  const address = contact?.email ?? email ?? '';
  const member = contact ? 'recipientId' : 'email';
  const statement = sql`
    SELECT FROM suppressions WHERE organization_id = ${caller.organizationId}::uuid
      AND address_key = natural_key(${address}) AND scope = 'ALL' AND (until IS NULL OR until > ${now}::timestamptz) LIMIT 1`;
  const [stopped] = await tx.run(prepared('document_requests.suppressed', statement));
  if (stopped)
    throw badField(
      [member],
      'has an address that gets no mails: its owner, the mail server or an admin stopped them',
    );
  return address;
}

/** Locks what a workspace asks. Its limits hold for several who ask at once. */
export async function lockAsking(tx: Transaction, teamId: string): Promise<void> {
  const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`document requests ${teamId}`}, 0))`;
  await tx.run(prepared('document_requests.lock', lock));
}

const tooMany = (message: string) =>
  new GatewayError('TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': '3600' } });

/** Counts what a workspace has asked in a day. @throws GatewayError TOO_MANY_REQUESTS */
async function checkCap(tx: Transaction, teamId: string, { now, asking }: Asker): Promise<void> {
  await lockAsking(tx, teamId);
  const statement = sql`
    SELECT count(*)::int AS count FROM document_requests
    WHERE team_id = ${teamId}::uuid AND created > ${now}::timestamptz - interval '1 day'`;
  const [{ count } = { count: 0 }] = await tx.run<{ count: number }>(
    prepared('document_requests.count', statement),
  );
  if (count >= asking.perDay)
    throw tooMany(`A workspace may ask for at most ${asking.perDay} documents in a day.`);
}

/** Returns SQL for a workspace's mails of a day that ask for documents. Those that nobody got do not count. */
export const mailsOfDaySql = (teamId: Sql, now: Date): Sql => sql`
  FROM deliveries AS mail WHERE mail.team_id = ${teamId} AND mail.subject_kind = 'documentRequest'
    AND mail.created > ${now}::timestamptz - interval '1 day' AND mail.state NOT IN ('SUPPRESSED', 'FAILED', 'CANCELLED')`;

/**
 * Counts the mails of a day before another one is asked for by hand. What the workspace asks is locked.
 * @throws GatewayError TOO_MANY_REQUESTS if the recipient or the workspace had the most of a day
 */
async function checkMails(
  tx: Transaction,
  { teamId, linkId }: DocumentRequest,
  { now, asking }: Session,
): Promise<void> {
  const statement = sql`
    SELECT count(*)::int AS mails, count(*) FILTER (WHERE mail.subject_id = ${linkId}::uuid)::int AS own
    ${mailsOfDaySql(sql`${teamId}::uuid`, now)}`;
  const [{ mails, own } = { mails: 0, own: 0 }] = await tx.run<{ mails: number; own: number }>(
    prepared('document_requests.mails', statement),
  );
  if (own >= askingLimits.mailsOfDay)
    throw tooMany(`The recipient has had ${own} mails that ask for documents in the last 24 hours.`);
  if (mails >= asking.perDay)
    throw tooMany(`The workspace has sent ${mails} mails that ask for documents in the last 24 hours.`);
}

/**
 * Finds the link of a recipient, or makes one. Its next mail waits for a moment, so that one mail asks for everything.
 * @param hasMail true if another mail brings the link
 */
async function linkOf(
  tx: Transaction,
  { caller, now }: Asker,
  teamId: string,
  address: string,
  hasMail: boolean,
): Promise<string> {
  const { organizationId } = caller;
  // Nobody of a demo is real.
  const hasNone = hasMail || isDemoWorkspace(teamId, organizationId);
  const next = hasNone ? null : new Date(now.getTime() + askingLimits.collectMs);
  const statement = sql`
    INSERT INTO document_request_links AS link (id, organization_id, team_id, recipient_key, next_mail_at)
    VALUES (${newId()}::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'mail:' || natural_key(${address}), ${next}::timestamptz)
    ON CONFLICT (team_id, recipient_key) DO UPDATE
    -- A secret that has ended stays so: the next mail has another one.
    SET mails = CASE WHEN ${hasMail} THEN link.mails ELSE 0 END, next_mail_at = least(link.next_mail_at, excluded.next_mail_at),
      round = link.round + CASE WHEN link.expires_at <= ${now}::timestamptz THEN 1 ELSE 0 END,
      hash = CASE WHEN link.expires_at <= ${now}::timestamptz THEN NULL ELSE link.hash END,
      expires_at = CASE WHEN link.expires_at <= ${now}::timestamptz THEN NULL ELSE link.expires_at END
    RETURNING id`;
  const [link] = await tx.run<{ id: string }>(prepared('document_request_links.make', statement));
  if (!link) throw new Error('A link was not made.');
  return link.id;
}

/** Refuses to ask a recipient twice for the same. @throws GatewayError CONFLICT naming the open request */
async function checkNew(
  tx: Transaction,
  linkId: string,
  { item, holder, categoryId }: Subject,
): Promise<void> {
  const statement = sql`
    SELECT id FROM document_requests
    WHERE link_id = ${linkId}::uuid AND state IN ('OPEN', 'SENT', 'OPENED', 'RECEIVED')
      AND renews = ${item !== null} AND item_id IS NOT DISTINCT FROM ${item?.id ?? null}::uuid
      AND category_id IS NOT DISTINCT FROM ${categoryId}::uuid
      AND coalesce(vehicle_id, contact_id, company_id, location_id) IS NOT DISTINCT FROM ${holder?.id ?? null}::uuid
    LIMIT 1`;
  const [known] = await tx.run<{ id: string }>(prepared('document_requests.known', statement));
  if (known)
    throw new GatewayError('CONFLICT', `The recipient is already asked for it, by the request ${known.id}.`);
}

/** Lists the records that a request is about, itself first. */
export function requestEntities(request: DocumentRequest): EventEntity[] {
  const { id, itemId, holderKind, recipientId } = request;
  const holderId = heldIdOf(request);
  return [
    { kind: 'documentRequest', id },
    ...(itemId ? [{ kind: 'expirationItem' as const, id: itemId }] : []),
    ...(holderKind && holderId ? [{ kind: holderKind as HolderKind, id: holderId }] : []),
    ...(recipientId && recipientId !== holderId ? [{ kind: 'contact' as const, id: recipientId }] : []),
  ];
}

/** Describes a request in an event, by its document type. */
async function titleOf(tx: Transaction, { categoryId }: DocumentRequest): Promise<string> {
  const statement = sql`SELECT name FROM categories WHERE id = ${categoryId}::uuid`;
  const [category] = await tx.run<{ name: string | null }>(prepared('document_requests.type', statement));
  return category?.name ? `Document request "${category.name}"` : 'Document request';
}

/** Writes an event about a request. */
export async function tellRequest(
  tx: Transaction,
  author: Pick<Session, 'caller' | 'now'>,
  request: DocumentRequest,
  type: EventName,
  what: string,
): Promise<void> {
  const { teamId } = request;
  const description = `${await titleOf(tx, request)} ${what}`;
  await logEvent(tx, author, {
    type,
    teamId,
    description,
    details: null,
    entities: requestEntities(request),
  });
}

/**
 * Asks somebody for a document, in a larger transaction; see `createDocumentRequest`.
 * @param how days between its mails, if not the usual ones; whether a reminder asks in its own mail
 */
export async function askIn(
  tx: Transaction,
  session: Asker,
  asked: Asked,
  { everyDays = null, isReminded = false }: Partial<Pick<DocumentRequest, 'everyDays' | 'isReminded'>> = {},
): Promise<DocumentRequest> {
  const { organizationId, user } = session.caller;
  const subject = await findSubject(tx, session, asked);
  const { teamId, item, holder, categoryId, requirementId } = subject;
  const address = await findAddress(tx, session, asked, teamId);
  const team = (await findLinked(tx, 'team', teamId)) as RowOf<'Team'>;
  const today = todayIn(team.timezone, session.now);
  if (asked.dueOn && asked.dueOn < today)
    throw badField(['dueOn'], `must not be in the past, before ${formatDate(today)}`, 'range');
  await checkCap(tx, teamId, session);
  const linkId = await linkOf(tx, session, teamId, address, isReminded);
  await checkNew(tx, linkId, subject);
  const { recipientId, email, language, message, dueOn } = asked;
  const row: DocumentRequest = {
    ...{ id: asked.id ?? newId(), organizationId, teamId, categoryId },
    ...{ itemId: item?.id ?? null, renews: item !== null, itemDate: item?.expirationDate ?? null },
    ...{
      holderKind: holder?.kind ?? null,
      vehicleId: null,
      contactId: null,
      companyId: null,
      locationId: null,
    },
    ...(holder && { [`${holder.kind}Id`]: holder.id }),
    ...{ recipientId, email, language, message, dueOn, state: 'OPEN', ending: null, declinedReason: null },
    ...{ heldItemId: null, answer: null, statedDate: null, linkId, deliveryId: null },
    ...{ requirementId, isRequired: requirementId !== null, isReminded, everyDays },
    ...{ openedAt: null },
    ...{ userId: user.id, settledById: null, sentAt: null, receivedAt: null, settledAt: null },
    ...{ created: session.now, modified: session.now },
  };
  await insertRows(tx, 'DocumentRequest', [row]);
  await tellRequest(tx, session, row, 'created', 'was created');
  return row;
}

/**
 * Asks somebody for a document. It renews an item, or it is one of a type, of a record or of nobody.
 * @throws GatewayError BAD_REQUEST naming the invalid value; CONFLICT for what the recipient is asked already, or an id that
 *   is taken; TOO_MANY_REQUESTS
 */
export function createDocumentRequest(
  session: Session,
  input: z.input<typeof requestRules>,
): Promise<DocumentRequest> {
  const asked = check(requestRules, input);
  return translated(despiteDeadlocks(() => session.inTransaction((tx) => askIn(tx, session, asked))));
}

/** Translates the error of a request that the database refuses. Its id may be taken. */
export const translated = <T>(made: Promise<T>): Promise<T> =>
  made.catch((error) => {
    throw translateError(error, 'document_requests');
  });

/** Sentences about requests with which something cannot be done in their state. */
const refusals = {
  OPEN: 'Nothing was received for the request yet.',
  SENT: 'Nothing was received for the request yet.',
  OPENED: 'Nothing was received for the request yet.',
  RECEIVED: 'An answer to the request waits: accept it, or send it back.',
  ACCEPTED: 'The request was already settled: its document was accepted.',
  CANCELLED: 'The request has ended.',
  LAPSED: 'The link of the request has ended.',
} as const;

/**
 * Locks a request for a step. Of several who take one at once, one does, and the others get the error.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT
 */
export async function lockForStep(
  tx: Transaction,
  session: Session | undefined,
  id: string,
  step: RequestStep,
): Promise<DocumentRequest> {
  const request = isUuid(id) ? await documentRequests.rows.lock(tx, id.toLowerCase()) : null;
  if (!request) throw notFound(documentRequests.noun, id);
  if (session) checkVersion(session, request);
  if (stateAfter(request.state, step) === undefined)
    throw new GatewayError('CONFLICT', refusals[request.state]);
  return request;
}

/** Locks what a workspace asks, and the link of a request. All who also lock the request do so afterwards. */
async function lockLink(tx: Transaction, id: string): Promise<void> {
  if (!isUuid(id)) return;
  const found = await documentRequests.rows.find(tx, id.toLowerCase());
  if (!found) return;
  await lockAsking(tx, found.teamId);
  const lock = sql`
    SELECT FROM document_request_links WHERE id = ${found.linkId}::uuid FOR NO KEY UPDATE`;
  await tx.run(prepared('document_request_links.lock', lock));
}

/** Takes a step that somebody has asked for, in a transaction. It is tried again after a deadlock. */
function step(
  session: Session,
  id: string,
  name: RequestStep,
  work: (tx: Transaction, request: DocumentRequest) => Promise<DocumentRequest>,
): Promise<DocumentRequest> {
  return despiteDeadlocks(() =>
    session.inTransaction(async (tx) => {
      await lockLink(tx, id);
      return work(tx, await lockForStep(tx, session, id, name));
    }),
  );
}

/** Stores a step of a locked request. */
export async function takeStep(
  tx: Transaction,
  { now }: Pick<Session, 'now'>,
  request: DocumentRequest,
  step: RequestStep,
  values: Partial<DocumentRequest> = {},
): Promise<DocumentRequest> {
  const state = stateAfter(request.state, step);
  if (!state) throw new Error(`A request that is ${request.state} cannot be ${step}.`);
  const changed = { ...values, state, modified: nextModified(now, request.modified) };
  await updateRows(tx, 'DocumentRequest', { id: request.id }, changed);
  return { ...request, ...changed };
}

/** Deletes the item that keeps the received files, with the files. Nobody has accepted them. */
export async function dropHeld(tx: Transaction, { heldItemId, teamId }: DocumentRequest): Promise<void> {
  if (!heldItemId) return;
  const forget = sql`DELETE FROM upload_notifications WHERE expiration_item_id = ${heldItemId}::uuid`;
  await tx.run(prepared('document_requests.forget_uploads', forget));
  const drop = sql`
    DELETE FROM expiration_items WHERE id = ${heldItemId}::uuid AND team_id = ${teamId}::uuid AND NOT is_active`;
  await tx.run(prepared('document_requests.drop', drop));
}

/** Makes the next mail of a request's link due. @param isNew true for a new link, which ends the one before it */
async function sendSoon(
  tx: Transaction,
  { linkId }: DocumentRequest,
  now: Date,
  isNew: boolean,
): Promise<void> {
  const statement = sql`
    UPDATE document_request_links SET mails = 0, next_mail_at = ${now}::timestamptz,
      round = round + ${isNew ? 1 : 0}, hash = CASE WHEN ${isNew} OR expires_at <= ${now}::timestamptz THEN NULL ELSE hash END,
      expires_at = CASE WHEN expires_at <= ${now}::timestamptz THEN NULL ELSE expires_at END
    WHERE id = ${linkId}::uuid`;
  await tx.run(prepared('document_request_links.soon', statement));
}

/**
 * Sends the mail of a request again, with a new link. The one before it ends.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for one that was answered or has ended; TOO_MANY_REQUESTS
 */
export function resendDocumentRequest(session: Session, id: string): Promise<DocumentRequest> {
  return step(session, id, 'resent', async (tx, request) => {
    await checkMails(tx, request, session);
    await sendSoon(tx, request, session.now, true);
    const row = await takeStep(tx, session, request, 'resent', { settledAt: null });
    await tellRequest(tx, session, row, 'request resent', 'was sent again, with a new link');
    return row;
  });
}

/**
 * Ends a request. Received files are deleted, and the link shows it no more.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for one that has ended
 */
export function cancelDocumentRequest(session: Session, id: string): Promise<DocumentRequest> {
  return step(session, id, 'cancelled', async (tx, request) => {
    await dropHeld(tx, request);
    const ended = { ending: 'MEMBER', settledById: session.caller.user.id, settledAt: session.now } as const;
    const row = await takeStep(tx, session, request, 'cancelled', { ...ended, heldItemId: null });
    await tellRequest(tx, session, row, 'request cancelled', 'was cancelled');
    return row;
  });
}

/** Rules of an answer that is sent back. */
export const declineRules = z.object({
  reason: rules.textWithin(askingLimits.words).refine((reason) => Boolean(reason?.trim()), 'is required'),
});

/**
 * Sends an answer back with a reason. What was received is deleted, and a mail with the same link asks again. Beyond the most
 * mails of a day, the mail waits.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST without a reason; CONFLICT if no answer waits
 */
export function declineDocumentRequest(
  session: Session,
  id: string,
  input: z.input<typeof declineRules>,
): Promise<DocumentRequest> {
  const { reason } = check(declineRules, input);
  return step(session, id, 'declined', async (tx, request) => {
    await dropHeld(tx, request);
    await sendSoon(tx, request, session.now, false);
    const back = { declinedReason: reason, heldItemId: null, answer: null, statedDate: null };
    const row = await takeStep(tx, session, request, 'declined', back);
    await tellRequest(tx, session, row, 'request declined', 'was sent back');
    return row;
  });
}
