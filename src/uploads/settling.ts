import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { GatewayError, notFound, type Violation } from '../domain/errors.js';
import { movedViolations } from '../domain/input/violations.js';
import { check, isUuid, rules } from '../domain/rules.js';
import type { UploadDecision } from '../domain/uploads/upload.js';
import { expirationItems } from '../items/expiration-items.js';
import type { Item } from '../items/storage.js';
import { checkVersion } from '../records/locking.js';
import { changeIn, findRecord, transact } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { fileLocked } from './filing.js';
import { uploadNotifications } from './notifications.js';

/** Rules of a person's decision, where they limit it. The item's rules check it. */
export const decisionRules = z.object({
  expirationItemId: rules.uuid,
  name: rules.line,
  expirationDate: rules.date,
  category: rules.line,
  contactEmail: rules.line,
  teamId: rules.uuid,
});

/** Locks an upload whose version meets the caller's condition. */
async function lockOrThrow(
  tx: Transaction,
  session: Session,
  id: string,
): Promise<RowOf<'UploadNotification'>> {
  const upload = isUuid(id) ? await uploadNotifications.rows.lock(tx, id) : null;
  if (!upload) throw notFound('upload notification', id);
  checkVersion(session, upload);
  return upload;
}

/** Returns whether an upload has its item. If the item was deleted since, the upload can be filed again. */
const isFiled = ({ state, expirationItemId }: RowOf<'UploadNotification'>) =>
  state === 'FILED' && expirationItemId !== null;

/**
 * Puts a failed upload back into the queue, as if it had just arrived.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for one that is filed, or that needs no
 *   filing
 */
export function retryUpload(session: Session, id: string): Promise<RowOf<'UploadNotification'>> {
  return transact(session, expirationItems, async (tx) => {
    const upload = await lockOrThrow(tx, session, id);
    const { state } = upload;
    if (isFiled(upload)) throw new GatewayError('CONFLICT', 'The upload is already filed.');
    if (state === 'IGNORED') throw new GatewayError('CONFLICT', 'The action of the upload needs no filing.');
    const modified = nextModified(session.now, upload.modified);
    const data = {
      state: 'RECEIVED' as const,
      dueAt: session.now,
      error: null,
      errorCode: null,
      attempts: 0,
      modified,
    };
    const [retried] = await updateRows(tx, 'UploadNotification', { id }, data);
    return retried ?? upload;
  });
}

/**
 * Settles an upload by a person's decision. An unfiled upload is filed under the named item, or under a new
 * one with the given values. For a filed upload, the item's values are changed.
 * @throws GatewayError NOT_FOUND, also if it is filed under an item that the caller does not see;
 *   PRECONDITION_FAILED; BAD_REQUEST for a value that violates the rules; CONFLICT for another item than the
 *   one that it is filed under
 */
export async function confirmUpload(
  session: Session,
  id: string,
  decision: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  try {
    return await settleUpload(session, id, decision);
  } catch (error) {
    throw toDecisionError(error);
  }
}

/** Members of a decision, by the item's members that they become. */
const itemToDecision: Readonly<Record<string, string>> = { contacts: 'contactEmail', category: 'category' };

const toDecisionViolation = (violation: Violation): Violation => {
  const member = itemToDecision[String(violation.path[0])];
  return member === undefined ? violation : { ...violation, path: [member] };
};

/** Renames the member in an item's error to the decision's member. */
export function toDecisionError(error: unknown): unknown {
  return error instanceof GatewayError && error.code === 'BAD_REQUEST'
    ? movedViolations(error, toDecisionViolation)
    : error;
}

async function settleUpload(
  session: Session,
  id: string,
  decision: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  const filed = isUuid(id) ? await uploadNotifications.rows.get(session, id) : null;
  if (filed && isFiled(filed)) return changeFiledItem(session, filed, decision);
  return transact(session, expirationItems, async (tx) => {
    const upload = await lockOrThrow(tx, session, id);
    if (isFiled(upload)) throw new GatewayError('CONFLICT', 'The upload has just been filed.');
    return fileLocked(tx, session, upload, {}, decision);
  });
}

/** Changes the item of a filed upload by a person's decision. Only a date can be cleared. */
async function changeFiledItem(
  session: Session,
  upload: RowOf<'UploadNotification'>,
  { itemId, name, expirationDate, category, contactEmail, teamId }: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  checkVersion(session, upload);
  const wanted = check(rules.uuid, itemId, ['expirationItemId']);
  if (wanted && wanted !== upload.expirationItemId) {
    throw new GatewayError('CONFLICT', 'The upload was filed under another item.');
  }
  const filedUnder = upload.expirationItemId ?? '';
  // The caller must not learn which item that is.
  if (!(await findRecord(session, expirationItems, filedUnder))) {
    throw new GatewayError('NOT_FOUND', 'The upload was filed in another workspace.');
  }
  const change = (current: Item) => {
    const contacts = (current.contactIds ?? []).map((id) => ({ id }));
    return {
      ...writableValues(expirationItems, current),
      ...(expirationDate !== undefined && { expirationDate }),
      ...(name && { name }),
      ...(teamId && { teamId }),
      ...(category && { category: { name: category } }),
      // Added to the item's existing contacts.
      ...(contactEmail && { contacts: [...contacts, { email: contactEmail }] }),
    };
  };
  return transact(session, expirationItems, async (tx) => {
    await changeIn(tx, session, expirationItems, filedUnder, change, { unconditional: true });
    if (!upload.needsReview && upload.dueAt === null) return upload;
    const modified = nextModified(session.now, upload.modified);
    // Whatever the document says, a person has decided.
    const data = { needsReview: false, dueAt: null, modified };
    const [reviewed] = await updateRows(tx, 'UploadNotification', { id: upload.id }, data);
    return reviewed ?? upload;
  });
}
