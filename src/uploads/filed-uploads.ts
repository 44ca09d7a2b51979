import * as z from 'zod';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Attempt } from '../db/queue/queue.js';
import type { RowOf } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { updateRows } from '../db/sql/write.js';
import { formatDate, nextModified, parseDate } from '../domain/dates.js';
import { type DocumentFinding, type ReadingProblem, trustedDate } from '../domain/documents/finding.js';
import {
  badField,
  GatewayError,
  messageOf,
  movedViolations,
  notFound,
  type Violation,
} from '../domain/errors.js';
import type { FileContent } from '../domain/files.js';
import type { EventEntity } from '../domain/models.js';
import { check, isUuid, limits, newId, rules } from '../domain/rules.js';
import { snakeCase } from '../domain/text/names.js';
import {
  needsLook,
  type Suggestion,
  saidByDocument,
  selectSuggestions,
  storedSuggestions,
  suggestedDates,
  suggestionOf,
  withNamedDate,
} from '../domain/uploads/suggestions.js';
import {
  chooseDestination,
  type Destination,
  type HolderTag,
  tellsDate,
  trustsScan,
  type UnreadReason,
  type UploadDecision,
  type UploadQueue,
  type UploadReason,
  unseenDate,
} from '../domain/uploads/upload.js';
import { findFile, readWholeFile } from '../items/attachment-files.js';
import { AttachedFile } from '../items/attachments.js';
import { expirationItems } from '../items/expiration-items.js';
import { findHolder, type Holder, resolveHolders, withAddedHolders } from '../items/holders.js';
import { findHeld, type Item } from '../items/item-rows.js';
import { renewItem } from '../items/renewals.js';
import { deleteRecord } from '../records/delete.js';
import { type Event, logEvent } from '../records/event-logs.js';
import { findLinked } from '../records/loaders.js';
import { checkVersion, lockVisible } from '../records/locks.js';
import { changeIn, createIn, findRecord, setValues, transact } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import type { ReadDocumentText } from './mentions.js';
import { uploadNotifications, uploadTitle } from './notifications.js';

export interface FoundFile {
  /** Bytes and media type, if the file was fetched. */
  readonly fetched?: { readonly content: FileContent; readonly contentType: string | null } | undefined;
  /** Suggested expiration date, and the words around it in the document. */
  readonly suggestion?: { readonly date: Date; readonly from: string } | undefined;
  /** All findings of the document. If they are missing, the suggested date is all. */
  readonly findings?: readonly DocumentFinding[] | undefined;
  /** Text of the document, to compare with the workspace. */
  readonly text?: ReadDocumentText | undefined;
  /** The reason if the document was not read, or not all of it. */
  readonly problem?: ReadingProblem | null | undefined;
  /** Suggestions of what the workspace has, because the document mentions it. */
  readonly mentioned?: readonly Suggestion[] | undefined;
}

/** Lists what the document says and mentions; undefined if it was not read. */
function suggestionsIn({ suggestion, findings, mentioned }: FoundFile): Suggestion[] | undefined {
  if (findings) return selectSuggestions(findings.map(suggestionOf), mentioned);
  if (!suggestion) return undefined;
  const { date, from: words } = suggestion;
  return [
    suggestionOf({
      ...{ field: 'expiration_date', value: formatDate(date), confidence: 100, source: 'TEXT' },
      ...{ page: 1, box: null, words },
    }),
  ];
}

/**
 * Returns what an upload suggests, as it is stored. It is what its document says, and the date in the file's name while
 * its item has none.
 * @param date of the item; null if it has none, or if there is no item yet
 */
function toSuggested(
  { filename, ...upload }: RowOf<'UploadNotification'>,
  said: readonly Suggestion[],
  date: Date | null,
  today: Date,
) {
  const suggestions = date === null ? withNamedDate(said, filename, today) : said;
  const [only, other] = suggestedDates(suggestions);
  const chosen = other ? undefined : only;
  return {
    suggestions: suggestions,
    suggestedExpirationDate: chosen ? (parseDate(chosen.value) ?? null) : upload.suggestedExpirationDate,
    suggestedFrom: chosen ? chosen.words : upload.suggestedFrom,
    needsReview: needsLook(suggestions, date && formatDate(date)),
  };
}

/**
 * Creates the attachment of an upload's file. Without the bytes, it has the size that the sender declared.
 */
function toAttachment(upload: RowOf<'UploadNotification'>, { fetched }: FoundFile): AttachedFile {
  const declared = Number(upload.size ?? 0);
  const length = fetched?.content.bytes.length ?? declared;
  return new AttachedFile({
    id: newId(),
    name: upload.filename,
    contentType: upload.type ?? fetched?.contentType ?? null,
    contentLength: Number.isSafeInteger(length) && length >= 0 ? length : 0,
    sourceUrl: upload.url,
    content: fetched?.content,
  });
}

/** Finds the record that a tag names. @throws GatewayError BAD_REQUEST naming the tag, unless it names exactly one */
async function taggedHolder(
  tx: Transaction,
  session: Session,
  { name, value, kind, key }: HolderTag,
): Promise<Holder[]> {
  const at = ['upload_Tags', name];
  if (!key) {
    const found = await findHolder(tx, value, kind);
    if (!found) throw badField(at, 'names nothing that exists', 'reference');
    return [found];
  }
  try {
    return await resolveHolders({ tx, session }, [{ kind: kind ?? 'vehicle', [key]: value }], []);
  } catch (error) {
    if (!(error instanceof GatewayError) || !['NOT_FOUND', 'CONFLICT'].includes(error.code)) throw error;
    const { message } = error;
    throw badField(at, `${message.charAt(0).toLowerCase()}${message.slice(1)}`, 'reference');
  }
}

/** Finds the records that a sender's tags name. */
async function taggedHolders(
  tx: Transaction,
  session: Session,
  tags: readonly HolderTag[],
): Promise<Holder[]> {
  const found: Holder[] = [];
  for (const tag of tags) found.push(...(await taggedHolder(tx, session, tag)));
  return found;
}

/** Adds a file to its item, or to a new one. It uses the same functions as a caller's own writes. */
async function attach(
  tx: Transaction,
  session: Session,
  upload: RowOf<'UploadNotification'>,
  destination: Destination,
  file: AttachedFile,
): Promise<Item> {
  if ('itemId' in destination) {
    const { itemId, at } = destination;
    if (!(await findLinked(tx, 'expirationItem', itemId))) {
      throw badField(at, 'names no expiration item that exists', 'reference');
    }
    const change = (current: Item) => ({
      ...writableValues(expirationItems, current),
      attachments: [...(current.attachments ?? []), file],
    });
    const { row } = await changeIn(tx, session, expirationItems, itemId, change, { unconditional: true });
    return row;
  }
  const { category, contactEmail, teamId, holders, ...draft } = destination.draft;
  return createIn(tx, session, expirationItems, {
    ...draft,
    holders: 'tags' in holders ? await taggedHolders(tx, session, holders.tags) : holders,
    teamId: teamId ?? upload.teamId,
    ...(category !== null && { category: { name: category } }),
    ...(contactEmail !== null && { contacts: [{ email: contactEmail }] }),
    attachments: [file],
  });
}

function uploadEvent(
  upload: RowOf<'UploadNotification'>,
  type: Event['type'],
  what: string,
  related: EventEntity[] = [],
) {
  return {
    type,
    teamId: upload.teamId,
    description: `${uploadTitle(upload)} ${what}`,
    details: null,
    entities: [{ kind: 'uploadNotification' as const, id: upload.id }, ...related],
  };
}

/**
 * Describes an upload's destination for its event. The event belongs to the upload's workspace, whose members
 * must not learn about an item of another workspace.
 */
function filedText(item: Item, upload: RowOf<'UploadNotification'>): string {
  return item.teamId === upload.teamId
    ? `was filed under expiration item "${item.name}"`
    : 'was filed in another workspace';
}

/** Returns the columns of an upload that goes on to a queue, or is settled. */
const waitsIn = (queue: UploadQueue | null, now: Date) =>
  queue === null ? { dueAt: null } : { dueAt: now, queue, attempts: 0 };

/** Renews the item of a file. @throws GatewayError BAD_REQUEST unless the date is later than the item's */
async function renewFiled(
  tx: Transaction,
  { database, caller, now, binDays }: Session,
  itemId: string,
  { expirationDate }: UploadDecision,
): Promise<Item> {
  if (!expirationDate) throw badField(['expirationDate'], 'is required to renew the item', 'required');
  // The caller's condition is on the upload, and not on the item.
  const own = new Session(database, { caller, now, binDays });
  const { row } = await own.within(tx, () => renewItem(own, itemId, { expirationDate }));
  return row;
}

/**
 * Files a locked upload, by its tags or by a person's decision.
 * @param next the queue in which its document waits to be read, if it was filed unread
 * @throws GatewayError if the sender's tags, the decision or the named item do not allow it
 */
export async function fileLocked(
  tx: Transaction,
  session: Session,
  upload: RowOf<'UploadNotification'>,
  found: FoundFile,
  decision?: UploadDecision,
  next: UploadQueue | null = null,
): Promise<RowOf<'UploadNotification'>> {
  const said = suggestionsIn(found) ?? saidByDocument(storedSuggestions(upload.suggestions));
  const file = toAttachment(upload, found);
  const destination = chooseDestination(upload, next === null ? said : null, session.now, decision);
  const attached = await attach(tx, session, upload, destination, file);
  const item = decision?.renew ? await renewFiled(tx, session, attached.id, decision) : attached;
  const about: EventEntity[] = [
    { kind: 'expirationItem', id: item.id },
    { kind: 'attachment', id: file.head.id },
  ];
  await logEvent(tx, session, uploadEvent(upload, 'scan filed', filedText(item, upload), about));
  const suggested = toSuggested(upload, said, item.expirationDate, session.now);
  const [filed] = await updateRows(
    tx,
    'UploadNotification',
    { id: upload.id },
    {
      state: 'FILED',
      modified: nextModified(session.now, upload.modified),
      filedAt: session.now,
      error: null,
      errorCode: null,
      ...waitsIn(next, session.now),
      unreadCode: next || found.fetched || tellsDate(upload) ? null : (upload.unreadCode ?? 'NO_FILE'),
      expirationItemId: item.id,
      attachmentId: file.head.id,
      ...suggested,
      // Whoever decides has seen the suggestions.
      needsReview: decision === undefined && suggested.needsReview,
    },
  );
  if (!filed) throw new Error('An upload that was locked is gone.');
  return filed;
}

/** Locks the upload of an attempt; null if it was settled or taken over. */
async function lockAttempt(tx: Transaction, { id, attempts }: Attempt) {
  const upload = await uploadNotifications.rows.lock(tx, id);
  return upload?.state === 'RECEIVED' && upload.attempts === attempts ? upload : null;
}

/**
 * Files an upload in one transaction: attachment, item if needed, and events. If another worker or a person
 * has filed it meanwhile, it is not filed again.
 * @param next the queue in which its document waits to be read
 * @returns false if it was settled or taken over meanwhile, and nothing was done
 * @throws GatewayError if the sender's tags or the named item do not allow it
 */
export function fileUpload(
  session: Session,
  attempt: Attempt,
  found: FoundFile,
  next: UploadQueue | null = null,
): Promise<boolean> {
  return transact(session, expirationItems, async (tx) => {
    const upload = await lockAttempt(tx, attempt);
    if (upload) await fileLocked(tx, session, upload, found, undefined, next);
    return upload !== null;
  });
}

/** The reason for which an attempt failed. */
export interface UploadFailure {
  readonly code: UploadReason;
  /** Technical text. */
  readonly reason: string;
}

/**
 * Stores why an attempt failed.
 * @param dueAt time of the next attempt; null if there is none, and the upload has failed
 * @param next the queue in which the document of an upload that has failed waits to be read, for who decides
 */
export function failUpload(
  session: Session,
  attempt: Attempt,
  { code, reason }: UploadFailure,
  dueAt: Date | null,
  next: UploadQueue | null = null,
): Promise<void> {
  return transact(session, expirationItems, async (tx) => {
    const upload = await lockAttempt(tx, attempt);
    if (!upload) return;
    const said = saidByDocument(storedSuggestions(upload.suggestions));
    const { needsReview: _waits, ...suggested } = toSuggested(upload, said, null, session.now);
    const modified = nextModified(session.now, upload.modified);
    const data = {
      error: reason,
      errorCode: code,
      modified,
      ...(dueAt ? { dueAt } : { state: 'FAILED' as const, ...waitsIn(next, session.now) }),
      ...suggested,
    };
    await updateRows(tx, 'UploadNotification', { id: upload.id }, data);
    if (!dueAt) {
      await logEvent(tx, session, uploadEvent(upload, 'scan failed', `could not be filed: ${reason}`));
    }
  });
}

/** Returns the technical text of an upload's error. It uses the names that senders write. */
export function failureReason(error: GatewayError): string {
  return messageOf(error, (name) => (name === 'upload_Tags' ? name : snakeCase(name)));
}

/** Rules of what is said about an upload, where they limit it. The item's rules check it. */
export const aboutRules = z.object({
  expirationItemId: rules.uuid,
  name: rules.line,
  expirationDate: rules.date,
  category: rules.line,
  contactEmail: rules.line,
  teamId: rules.uuid,
});

/** Rules of a person's decision. */
export const decisionRules = aboutRules.extend({
  renew: z.boolean().nullish(),
  holders: z
    .array(z.looseObject({}))
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish(),
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
      ...waitsIn('FILING', session.now),
      error: null,
      errorCode: null,
      unreadCode: null,
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

/** Moves the file of an upload to another item, behind the files there. */
async function moveFile(tx: Transaction, upload: RowOf<'UploadNotification'>, to: Item): Promise<void> {
  const count = sql`SELECT count(*)::int AS count FROM attachments WHERE item_id = ${to.id}::uuid`;
  const [{ count: files } = { count: 0 }] = await tx.run<{ count: number }>(
    prepared('attachments.count_own', count),
  );
  if (files >= limits.entries)
    throw new GatewayError(
      'CONFLICT',
      `The item already has ${limits.entries} files, the most that it can have: remove some first.`,
    );
  const move = sql`
    UPDATE attachments SET item_id = ${to.id}::uuid, position = coalesce((
      SELECT max(own.position) FROM attachments AS own WHERE own.item_id = ${to.id}::uuid), -1) + 1
    WHERE id = ${upload.attachmentId}::uuid AND team_id = ${to.teamId}::uuid`;
  await tx.run(prepared('attachments.move_one', move));
}

/**
 * Checks that an item was made for an upload's file and has nothing else. Nobody has changed it since.
 * @param item locked
 */
async function isOnlyFor(
  tx: Transaction,
  { id, created, modified }: Item,
  { filedAt, attachmentId }: RowOf<'UploadNotification'>,
): Promise<boolean> {
  const own = sql`${id}::uuid`;
  const rest = sql`
    SELECT EXISTS (SELECT FROM attachments WHERE item_id = ${own} AND id <> ${attachmentId}::uuid)
      OR EXISTS (SELECT FROM renewals WHERE item_id = ${own})
      OR EXISTS (SELECT FROM document_requests WHERE item_id = ${own} OR held_item_id = ${own})
      OR EXISTS (SELECT FROM note_relations WHERE entity_id = ${own}) AS more`;
  if (Number(created) !== Number(filedAt) || Number(modified) !== Number(created)) return false;
  const [found] = await tx.run<{ more: boolean }>(prepared('expiration_items.has_more', rest));
  return found?.more === false;
}

/**
 * Moves an upload's file to another item from the one made for it. Nothing else of that one moves.
 * @throws GatewayError BAD_REQUEST for an item that the caller does not see; CONFLICT, also if the file lies under an
 *   item of its own: nobody would notice there that it is gone
 */
async function moveToItem(
  tx: Transaction,
  session: Session,
  upload: RowOf<'UploadNotification'>,
  ids: { readonly from: string; readonly to: string },
): Promise<void> {
  const linked = await findLinked(tx, 'expirationItem', ids.to);
  const items = await lockVisible(tx, session, expirationItems, [ids.from, ids.to]);
  const [from, to] = [items.get(ids.from), items.get(ids.to)];
  if (!linked || !to)
    throw badField(['expirationItemId'], 'names no expiration item that exists', 'reference');
  if (!from || to.teamId !== from.teamId || !upload.attachmentId)
    throw new GatewayError('CONFLICT', 'The file belongs to another workspace than the item, or is gone.');
  if (!(await isOnlyFor(tx, from, upload)))
    throw new GatewayError(
      'CONFLICT',
      'The upload was filed under another item, which has more than this file: change that one.',
    );
  await moveFile(tx, upload, to);
}

/**
 * Renews an item with the document of a filed upload. If the file lies under another item, which was made for it, it moves
 * to the renewed one, and the other goes into the bin.
 */
async function renewWithFiled(
  session: Session,
  upload: RowOf<'UploadNotification'>,
  { itemId, expirationDate }: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  const { database, caller, now, binDays } = session;
  return transact(session, expirationItems, async (tx) => {
    const locked = await uploadNotifications.rows.lock(tx, upload.id);
    if (!locked || !isFiled(locked)) throw new GatewayError('CONFLICT', 'The upload has just been changed.');
    checkVersion(session, locked);
    const from = locked.expirationItemId ?? '';
    // The caller must not learn which item that is.
    if (!(await findRecord(session, expirationItems, from)))
      throw new GatewayError('NOT_FOUND', 'The upload was filed in another workspace.');
    const to = itemId ?? from;
    if (to !== from) await moveToItem(tx, session, locked, { from, to });
    await renewFiled(tx, session, to, { expirationDate });
    const modified = nextModified(now, locked.modified);
    const data = { expirationItemId: to, needsReview: false, dueAt: null, modified };
    const [renewed = locked] = await updateRows(tx, 'UploadNotification', { id: locked.id }, data);
    const own = new Session(database, { caller, now, binDays });
    if (to !== from) await own.within(tx, () => deleteRecord(own, expirationItems, from));
    return renewed;
  });
}

/** Changes the item of a filed upload by a person's decision. Only a date can be cleared. */
async function changeFiledItem(
  session: Session,
  upload: RowOf<'UploadNotification'>,
  { itemId, name, expirationDate, category, contactEmail, teamId, holders, renew }: UploadDecision,
): Promise<RowOf<'UploadNotification'>> {
  checkVersion(session, upload);
  const wanted = check(rules.uuid, itemId, ['expirationItemId']);
  if (renew) return renewWithFiled(session, upload, { itemId: wanted, expirationDate });
  if (wanted && wanted !== upload.expirationItemId) {
    throw new GatewayError('CONFLICT', 'The upload was filed under another item.');
  }
  const filedUnder = upload.expirationItemId ?? '';
  // The caller must not learn which item that is.
  if (!(await findRecord(session, expirationItems, filedUnder))) {
    throw new GatewayError('NOT_FOUND', 'The upload was filed in another workspace.');
  }
  const change = async (current: Item, tx: Transaction) => {
    const contacts = (current.contactIds ?? []).map((id) => ({ id }));
    return {
      ...writableValues(expirationItems, current),
      ...(expirationDate !== undefined && { expirationDate }),
      ...(name && { name }),
      ...(teamId && { teamId }),
      ...(category && { category: { name: category } }),
      // Added to the item's existing contacts.
      ...(contactEmail && { contacts: [...contacts, { email: contactEmail }] }),
      ...(holders && { holders: await withAddedHolders({ tx, session }, holders, current.holders ?? []) }),
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

/** A stored file, with its media type. */
interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/** Reads the file of a filed upload. It is undefined if it was removed. */
export async function readFiledFile(
  session: Session,
  { attachmentId }: RowOf<'UploadNotification'>,
): Promise<StoredFile | undefined> {
  const file = attachmentId && (await findFile(session, attachmentId));
  if (!file) return undefined;
  const bytes = await readWholeFile(session, file);
  return { bytes: new Uint8Array(bytes), contentType: file.contentType };
}

/**
 * Returns the date that an item has after the document of its upload was read. Reading only gives an item its first date. A
 * new item gets the one that it would have been filed with, and others that of the document, with `trust_scan`.
 */
function dateAfterReading(
  { expirationDate, created }: Item,
  upload: RowOf<'UploadNotification'>,
  said: readonly Suggestion[],
  today: Date,
) {
  if (expirationDate !== null) return expirationDate;
  if (Number(created) === Number(upload.filedAt)) return unseenDate(upload, said, today);
  return trustsScan(upload) ? (parseDate(trustedDate(said) ?? '') ?? null) : null;
}

/** The outcome of an attempt to read a document. */
interface ReadingOutcome {
  /** The reason if the document was not read as a whole. */
  readonly unread: UnreadReason | null;
  /** Another attempt in the same queue, or one in the next. If it is missing, nothing follows. */
  readonly next?: { readonly dueAt: Date } | { readonly queue: UploadQueue } | undefined;
}

/**
 * Stores what was found in the document of an upload. An item without a date gets one when nothing is left to read: from
 * the file's name, unless the document says another, or with `trust_scan` from the document. If the upload was settled or
 * taken over meanwhile, nothing is stored.
 */
export function settleReading(
  session: Session,
  { id, attempts, queue }: RowOf<'UploadNotification'>,
  found: FoundFile,
  { unread, next }: ReadingOutcome,
): Promise<void> {
  return transact(session, expirationItems, async (tx) => {
    const upload = await uploadNotifications.rows.lock(tx, id);
    const isOurs = upload?.attempts === attempts && upload.queue === queue && upload.dueAt !== null;
    if (!isOurs || !isPastFiling(upload)) return;
    const modified = nextModified(session.now, upload.modified);
    const isLast = next === undefined;
    // If the last attempt has found nothing, what was found before holds.
    const before = isLast ? saidByDocument(storedSuggestions(upload.suggestions)) : undefined;
    const said = suggestionsIn(found) ?? before;
    const item = await findRecord(session, expirationItems, upload.expirationItemId ?? '');
    const date = item?.expirationDate ?? null;
    const expirationDate = item && said && isLast ? dateAfterReading(item, upload, said, session.now) : date;
    if (item && Number(expirationDate) !== Number(date)) {
      const change = setValues(expirationItems, { expirationDate });
      await changeIn(tx, session, expirationItems, item.id, change, { unconditional: true });
    }
    const suggested = said && toSuggested(upload, said, expirationDate, session.now);
    const needsReview =
      item !== null && (suggested?.needsReview || (await findHeld(tx, [item.id])).has(item.id));
    const read = suggested && { ...suggested, needsReview };
    const due = next && 'dueAt' in next ? next : waitsIn(next?.queue ?? null, session.now);
    await updateRows(tx, 'UploadNotification', { id }, { ...due, unreadCode: unread, modified, ...read });
  });
}

/** Checks that the document of an upload is read. One that failed helps a person to decide. */
export const isPastFiling = ({ state }: RowOf<'UploadNotification'>) =>
  state === 'FILED' || state === 'FAILED';
