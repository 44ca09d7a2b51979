import * as z from 'zod';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { badField, GatewayError } from '../domain/errors.js';
import { check, isUuid, limits, rules } from '../domain/rules.js';
import type { UploadDecision } from '../domain/uploads/upload.js';
import { expirationItems } from '../items/expiration-items.js';
import { type HolderKind, withAddedHolders } from '../items/holders.js';
import type { Item } from '../items/item-rows.js';
import { renewItem } from '../items/renewals.js';
import { findLinked } from '../records/loaders.js';
import { checkVersion, lockRecord } from '../records/locks.js';
import { changeIn, transact } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { confirmUpload, toDecisionError } from '../uploads/filed-uploads.js';
import { uploadNotifications } from '../uploads/notifications.js';
import { lockForStep, takeStep, tellRequest } from './ask.js';
import { type DocumentRequest, heldIdOf } from './document-requests.js';

/** Rules of a decision to accept what was received. The item's rules check it, too. */
export const acceptRules = z.object({ expirationDate: rules.date, name: rules.line });

/**
 * Moves the received files to the item that they renew, behind its own.
 * @param to a locked item, so that two who accept at once count each other's files
 * @throws GatewayError CONFLICT if it would have too many
 */
async function moveFiles(tx: Transaction, from: string, to: string): Promise<void> {
  const count = sql`SELECT count(*)::int AS count FROM attachments WHERE item_id IN (${from}::uuid, ${to}::uuid)`;
  const [{ count: files } = { count: 0 }] = await tx.run<{ count: number }>(
    prepared('attachments.count_both', count),
  );
  if (files > limits.entries)
    throw new GatewayError(
      'CONFLICT',
      `The item would have more than ${limits.entries} files: remove some first.`,
    );
  const move = sql`
    UPDATE attachments SET item_id = ${to}::uuid, position = position + 1 + coalesce((
      SELECT max(own.position) FROM attachments AS own WHERE own.item_id = ${to}::uuid), -1)
    WHERE item_id = ${from}::uuid`;
  await tx.run(prepared('attachments.move', move));
  const uploads = sql`UPDATE upload_notifications SET expiration_item_id = ${to}::uuid WHERE expiration_item_id = ${from}::uuid`;
  await tx.run(prepared('document_requests.move_uploads', uploads));
}

/** Renews the item of a request, and files what was received there. */
async function renewRequested(
  tx: Transaction,
  session: Session,
  { itemId, heldItemId, teamId }: DocumentRequest & { readonly heldItemId: string },
  { expirationDate }: UploadDecision,
): Promise<string> {
  const item = (await findLinked(tx, 'expirationItem', itemId)) as Item | null;
  if (!itemId || !item) throw new GatewayError('CONFLICT', 'The item to renew is gone: cancel the request.');
  // The files belong to the workspace that asked for them.
  if (item.teamId !== teamId)
    throw new GatewayError('CONFLICT', 'The item was moved to another workspace: cancel the request.');
  if (!expirationDate) throw badField(['expirationDate'], 'is required to renew the item', 'required');
  await lockRecord(tx, session, expirationItems, itemId);
  await moveFiles(tx, heldItemId, itemId);
  await renewItem(session, itemId, { expirationDate });
  const drop = sql`DELETE FROM expiration_items WHERE id = ${heldItemId}::uuid AND team_id = ${teamId}::uuid AND NOT is_active`;
  await tx.run(prepared('document_requests.drop', drop));
  return itemId;
}

/** Makes an ordinary item of the one that keeps the files. It is a paper of the named record. */
async function createRequested(
  tx: Transaction,
  session: Session,
  request: DocumentRequest & { readonly heldItemId: string },
  { name, expirationDate, category, contactEmail, teamId, holders }: UploadDecision,
): Promise<string> {
  const { heldItemId, holderKind } = request;
  const holderId = heldIdOf(request);
  const own = holderKind && holderId ? [{ kind: holderKind as HolderKind, id: holderId }] : [];
  const all = await withAddedHolders({ tx, session }, holders ?? [], own);
  const change = (current: Item) => ({
    ...writableValues(expirationItems, current),
    isActive: true,
    ...(expirationDate !== undefined && { expirationDate }),
    ...(name && { name }),
    ...(category && { category: { name: category } }),
    ...(contactEmail && { contacts: [{ email: contactEmail }] }),
    ...(teamId && { teamId }),
    ...(all.length > 0 && { holders: all }),
  });
  await changeIn(tx, session, expirationItems, heldItemId, change, { unconditional: true });
  return heldItemId;
}

/** Returns whether something was received after the first files. The caller may not have seen it. */
async function cameLater(tx: Transaction, { heldItemId, receivedAt }: DocumentRequest): Promise<boolean> {
  const statement = sql`SELECT FROM attachments WHERE item_id = ${heldItemId}::uuid AND created < ${receivedAt}::timestamptz LIMIT 1`;
  return (await tx.run(prepared('document_requests.earlier', statement))).length > 0;
}

/** Accepts what was received for a locked request. */
async function acceptLocked(
  tx: Transaction,
  session: Session,
  request: DocumentRequest,
  decision: UploadDecision,
): Promise<DocumentRequest> {
  const { heldItemId, renews } = request;
  if (!heldItemId) throw new GatewayError('CONFLICT', 'Nothing was received for the request but words.');
  if (!session.precondition && (await cameLater(tx, request)))
    throw new GatewayError(
      'CONFLICT',
      'More was received since the first answer: look at it, and send the version that you have seen.',
    );
  const { database, caller, now, binDays } = session;
  // From here on, the item keeps no answer that waits.
  const settled = { heldItemId: null, settledById: caller.user.id, settledAt: now };
  const accepted = await takeStep(tx, session, request, 'accepted', {
    ...settled,
    itemId: renews ? request.itemId : heldItemId,
  });
  // The caller's condition is on the request or the upload, and not on the items that follow from it.
  const own = new Session(database, { caller, now, binDays });
  const itemId = await own.within(tx, () =>
    (renews ? renewRequested : createRequested)(tx, own, { ...request, heldItemId }, decision),
  );
  const uploads = sql`
    UPDATE upload_notifications SET needs_review = false, due_at = NULL, modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')
    WHERE id IN (
      SELECT id FROM upload_notifications WHERE expiration_item_id = ${itemId}::uuid AND needs_review
      ORDER BY id FOR NO KEY UPDATE)`;
  await tx.run(prepared('document_requests.accept_uploads', uploads));
  await tellRequest(tx, session, accepted, 'request accepted', 'was accepted');
  return accepted;
}

/**
 * Accepts what was received. The item is renewed, or a new one is created with the files, as a paper of the record. All of it is one transaction, and of several who accept at once, one does.
 * Whoever says no version accepts only what came at once.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for a date that is not later than the item's;
 *   CONFLICT if no files wait, or more came than the first ones and the caller says no version
 */
export function acceptDocumentRequest(
  session: Session,
  id: string,
  input: z.input<typeof acceptRules>,
): Promise<DocumentRequest> {
  const { expirationDate, name } = check(acceptRules, input);
  return transact(session, expirationItems, async (tx) => {
    const request = await lockForStep(tx, session, id, 'accepted');
    const decision = { ...(input.expirationDate !== undefined && { expirationDate }), ...(name && { name }) };
    return acceptLocked(tx, session, request, decision);
  });
}

/** Finds the request whose received files an item keeps. */
async function requestOfHeld(session: Session, itemId: string | null | undefined) {
  if (!itemId) return undefined;
  const [request] = await readRows(session, 'DocumentRequest', { where: { heldItemId: itemId } });
  return request;
}

/**
 * Settles an upload by a person's decision, as `confirmUpload`. If it answers a request for a document, the request is
 * accepted with all files that came for it.
 * @throws GatewayError like `confirmUpload` and `acceptDocumentRequest`
 */
export async function settleUpload(
  session: Session,
  id: string,
  decision: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  const found = isUuid(id) ? await uploadNotifications.rows.get(session, id) : null;
  const request = await requestOfHeld(session, found?.expirationItemId);
  if (!found || !request) return confirmUpload(session, id, decision);
  const { itemId } = decision;
  if (itemId && itemId.toLowerCase() !== (request.itemId ?? found.expirationItemId))
    throw new GatewayError('CONFLICT', 'The upload answers a request for a document of another item.');
  try {
    return await transact(session, expirationItems, async (tx) => {
      const locked = await lockForStep(tx, undefined, request.id, 'accepted');
      // What arrives later changes the version of the uploads that wait.
      checkVersion(session, (await uploadNotifications.rows.lock(tx, found.id)) ?? found);
      await acceptLocked(tx, session, locked, decision);
      const upload = await uploadNotifications.rows.lock(tx, found.id);
      if (!upload) throw new Error('An upload of a request is gone.');
      return upload;
    });
  } catch (error) {
    throw toDecisionError(error);
  }
}
