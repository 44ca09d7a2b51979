import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { storeContents } from '../db/files/contents.js';
import { columnsSql, type RowOf, recordsSql } from '../db/sql/conditions.js';
import { modelName, oneOrMany, tables } from '../db/sql/models.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { getJoined, type JoinTable, joinTableSql } from '../db/sql/tree.js';
import { deleteRows, insertRows, updateEach, updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { GatewayError } from '../domain/errors.js';
import type { RecordKind } from '../domain/models.js';
import { keptInBin } from '../records/delete.js';
import { type BatchLoader, groupByKey, type Linked, loadAll, loadBatched } from '../records/loaders.js';
import type { RowChange } from '../records/resource.js';
import { type AttachmentHead, readAttachments } from './attachments.js';
import { type Holder, holdersJsonSql } from './holders.js';

/** Values of an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
  readonly holders: Holder[];
  readonly attachments: AttachmentHead[];
}

/** Rows that are deleted with an item. */
interface ItemDependents {
  readonly files: readonly RowOf<'Attachment'>[];
  readonly renewals: readonly RowOf<'Renewal'>[];
}

/** An item. Links are only read for writing, and dependents only for deletion. */
export type Item = RowOf<'ExpirationItem'> & Partial<ItemLinks & ItemDependents>;

/** Links of a new item. */
export const noLinks: ItemLinks = {
  contactIds: [],
  locationIds: [],
  tagIds: [],
  holders: [],
  attachments: [],
};

/**
 * Reads the linked records and attachments of items with one statement. A single item has its own plan
 * (`oneOrMany`).
 */
export async function readItemLinks(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemLinks>> {
  const statement = sql`
    SELECT record.id,
      ARRAY(SELECT contact_id FROM expiration_item_contacts WHERE item_id = record.id ORDER BY position) AS "contactIds",
      ARRAY(SELECT location_id FROM expiration_item_locations WHERE item_id = record.id ORDER BY position)
        AS "locationIds",
      ARRAY(SELECT tag_id FROM expiration_item_tags WHERE item_id = record.id ORDER BY position) AS "tagIds",
      ${holdersJsonSql} AS holders,
      coalesce((
        SELECT json_agg(json_build_object('id', id, 'name', name, 'contentType', content_type,
          'contentLength', content_length, 'sourceUrl', source_url) ORDER BY position, id)
        FROM attachments WHERE item_id = record.id
      ), '[]') AS attachments
    ${recordsSql(tx, 'expirationItem', { id: oneOrMany(ids) })}`;
  const rows = await tx.run<{ id: string } & ItemLinks>(prepared('expiration_items.links', statement));
  return new Map(rows.map(({ id, ...links }) => [id, links]));
}

/** Reads the renewals of items, newest first. */
function readRenewals(on: Session | Transaction, itemIds: readonly string[]): Promise<RowOf<'Renewal'>[]> {
  return readRows(on, 'Renewal', {
    where: { itemId: { in: itemIds } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
  });
}

/** Loads the renewals of items, newest first. */
export const renewalsByItem: BatchLoader<RowOf<'Renewal'>[]> = async (session, itemIds) =>
  groupByKey(itemIds, await readRenewals(session, itemIds), ({ itemId }) => itemId);

/** The most earlier dates that are read. The day of a month shows within fewer (`anchorOf`). */
const mostEarlier = 24;

/** Loads the dates from which renewals led to the items' present ones, the latest first. */
export async function earlierDatesByItem(
  session: Pick<Session, 'caller' | 'read'>,
  itemIds: readonly string[],
): Promise<Date[][]> {
  const statement = sql`
    WITH RECURSIVE earlier (id, date, step) AS (
      SELECT record.id, record.expiration_date, 0 ${recordsSql(session, 'expirationItem', { id: oneOrMany(itemIds) })}
      UNION ALL
      SELECT earlier.id, (
        SELECT max(renewal.previous_date) FROM renewals AS renewal
        WHERE renewal.item_id = earlier.id AND renewal.expiration_date = earlier.date
          AND renewal.previous_date < earlier.date
      ), earlier.step + 1
      FROM earlier WHERE earlier.date IS NOT NULL AND earlier.step < ${mostEarlier}
    )
    SELECT id, date FROM earlier WHERE step > 0 AND date IS NOT NULL ORDER BY step`;
  const rows = await session.read<{ id: string; date: Date }>(prepared('renewals.earlier', statement));
  return groupByKey(itemIds, rows, ({ id }) => id).map((own) => own.map(({ date }) => date));
}

/** Reads what is deleted with items. */
export async function readItemDependents(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemDependents>> {
  const [attachments, renewals] = await Promise.all([readAttachments(tx, ids), readRenewals(tx, ids)]);
  const ofItem = ({ itemId }: { itemId: string }) => itemId;
  const files = groupByKey(ids, attachments, ofItem);
  const history = groupByKey(ids, renewals, ofItem);
  return new Map(ids.map((id, i) => [id, { files: files[i] ?? [], renewals: history[i] ?? [] }]));
}

/** Moves what belongs to items to the items' new workspace. */
export async function moveItemParts(
  tx: Transaction,
  itemIds: readonly string[],
  teamId: string,
): Promise<void> {
  const where = { itemId: { in: [...itemIds] } };
  await updateRows(tx, 'Attachment', where, { teamId });
  await updateRows(tx, 'Renewal', where, { teamId });
  await updateRows(tx, 'Acknowledgement', where, { teamId });
  await updateRows(tx, 'Postponement', where, { teamId });
}

/** Finds items that keep the answer to a request for a document. It waits for a decision. */
export async function findHeld(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const statement = sql`SELECT held_item_id AS id FROM document_requests WHERE held_item_id = ANY (${[...ids]}::uuid[])`;
  const rows = await tx.run<{ id: string }>(prepared('document_requests.holding', statement));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Settles the uploads of items that a person gives a date. They wait for somebody who decides about the date, and what
 * the gateway does by itself decides nothing. The answer to a request waits until the request is settled.
 * @throws GatewayError CONFLICT for an item that keeps such an answer and becomes active, or moves to another workspace
 */
export async function settleUploads(
  tx: Transaction,
  { caller, now }: Session,
  changes: readonly RowChange[],
): Promise<void> {
  const isDated = ({ before, after }: RowChange) =>
    after.expirationDate !== null && Number(before.expirationDate) !== Number(after.expirationDate);
  const isFreed = ({ before, after }: RowChange) =>
    (!before.isActive && after.isActive) || before.teamId !== after.teamId;
  const archived = changes.filter(
    (change) => !change.before.isActive && (isDated(change) || isFreed(change)),
  );
  const held = await findHeld(
    tx,
    archived.map(({ id }) => id),
  );
  if (archived.some((change) => held.has(change.id) && isFreed(change)))
    throw new GatewayError(
      'CONFLICT',
      'The item keeps an answer to a request for a document: accept the request, or cancel it.',
    );
  const dated = changes.filter((change) => isDated(change) && !held.has(change.id));
  if (caller.user.id === null || dated.length === 0) return;
  const where = { needsReview: true, expirationItemId: { in: dated.map(({ id }) => id) } };
  const waiting = await readRows(tx, 'UploadNotification', { where }, ['id', 'modified']);
  const settled = { needsReview: false, dueAt: null };
  const rows = waiting.map(({ id, modified }) => ({ id, ...settled, modified: nextModified(now, modified) }));
  if (rows.length > 0) await updateEach(tx, 'UploadNotification', rows);
}

const itemJoin = <Kind extends RecordKind>(kind: Kind, name: string): JoinTable<Kind> => ({
  name,
  kind,
  table: `expiration_item_${name}`,
  own: 'item_id',
  their: `${kind}_id`,
});

/** Joins from an item to its contacts, locations and tags. */
export const itemJoins = {
  contact: itemJoin('contact', 'contacts'),
  location: itemJoin('location', 'locations'),
  tag: itemJoin('tag', 'tags'),
};

/** Fields of a written item with the linked ids. */
const writtenIds = { contact: 'contactIds', location: 'locationIds', tag: 'tagIds' } as const;

/** Kinds of records that an item can have many of. */
type ItemLinkKind = keyof typeof itemJoins;

/** Creates the batch function that reads items' linked records, in their order. */
function linkedByItem<Kind extends ItemLinkKind>(kind: Kind): BatchLoader<Linked<Kind>[]> {
  return async (session, items) => {
    const statement = joinTableSql(
      session,
      itemJoins[kind],
      columnsSql(modelName(kind)),
      sql`ANY(${[...items]})`,
    );
    const rows = await session.lookUp<{ own: string } & Linked<Kind>>(
      prepared(`${tables[kind]}.of_items`, statement),
    );
    return groupByKey(items, rows, ({ own }) => own);
  };
}

const batches = {
  contact: linkedByItem('contact'),
  location: linkedByItem('location'),
  tag: linkedByItem('tag'),
};

/**
 * Loads the linked records of a kind for an item, in order. Only those that the caller sees are returned. If
 * they were not joined to the item, one statement reads those of all items requested in the same turn.
 */
export function loadLinked<Kind extends ItemLinkKind>(
  session: Session,
  kind: Kind,
  item: Item,
): Linked<Kind>[] | Promise<Linked<Kind>[]> {
  const joined = getJoined(item, itemJoins[kind]) as Linked<Kind>[] | undefined;
  if (joined) return joined;
  const ids = item[writtenIds[kind]];
  if (ids) return loadAll(session, kind, ids);
  return loadBatched(session, batches[kind] as BatchLoader<unknown> as BatchLoader<Linked<Kind>[]>, item.id);
}

interface Owner {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Stores the attachments of a new item. */
export function insertAttachments(
  tx: Transaction,
  owner: Owner,
  heads: readonly AttachmentHead[],
  now: Date,
): Promise<void> {
  return insertFresh(
    tx,
    owner,
    heads.map((head, position) => ({ head, position })),
    now,
  );
}

/** Inserts attachments with their bytes, each at its position. */
async function insertFresh(
  tx: Transaction,
  { id: itemId, organizationId, teamId }: Owner,
  fresh: readonly { readonly head: AttachmentHead; readonly position: number }[],
  now: Date,
): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(
    ({ head: { content: _bytes, replacedFile: _id, contentLength, ...head }, position }) => ({
      ...{ ...head, position, itemId, organizationId, teamId },
      ...{ contentLength: BigInt(contentLength), created: now },
    }),
  );
  await insertRows(tx, 'Attachment', rows);
  await storeContents(
    tx,
    fresh.flatMap(({ head: { id, content } }) => (content ? [{ attachmentId: id, content }] : [])),
  );
}

/**
 * Moves the bytes of a replaced file into the bin, under another id. The attachment keeps its id. Nothing is
 * copied.
 */
async function discardContent(
  tx: Transaction,
  session: Session,
  { id, replacedFile }: AttachmentHead,
): Promise<void> {
  const [row] = await readRows(tx, 'Attachment', { where: { id } });
  if (!row || replacedFile === undefined) return;
  const records = [{ id: replacedFile, teamId: row.teamId, name: row.name }];
  const keeping = keptInBin(session, { model: 'Attachment', kind: 'attachment' }, records);
  if (!keeping) {
    await deleteRows(tx, 'AttachmentContent', { attachmentId: id });
    return;
  }
  await insertRows(tx, 'Attachment', [{ ...row, id: replacedFile }]);
  const move = sql`
    UPDATE attachment_contents SET attachment_id = ${replacedFile}::uuid WHERE attachment_id = ${id}::uuid`;
  await tx.run(prepared('attachment_contents.discard', move));
  await tx.run(prepared('bin_entries.insert', sql`WITH ${keeping} SELECT`));
  await deleteRows(tx, 'Attachment', { id: replacedFile });
}

/** Returns whether attachments that stay have new values or another place. */
function areChanged(before: readonly AttachmentHead[], after: readonly AttachmentHead[]): boolean {
  return before.some(
    (head, place) => after.length <= place || JSON.stringify(head) !== JSON.stringify(after[place]),
  );
}

/**
 * Stores the changes of an item's attachments. It deletes removed ones, replaces files, renames and orders those that
 * stay, and inserts new ones.
 */
export async function changeAttachments(
  tx: Transaction,
  session: Session,
  owner: Owner,
  before: readonly AttachmentHead[],
  after: readonly AttachmentHead[],
  now: Date,
): Promise<void> {
  const ids = new Set(after.map(({ id }) => id));
  const gone = before.map(({ id }) => id).filter((id) => !ids.has(id));
  if (gone.length > 0) await deleteRows(tx, 'Attachment', { itemId: owner.id, id: { in: gone } });
  const known = new Set(before.map(({ id }) => id));
  const placed = after.map((head, position) => ({ head, position }));
  const kept = placed.filter(({ head }) => known.has(head.id));
  for (const { head } of kept) {
    if (!head.content) continue;
    await discardContent(tx, session, head);
    await storeContents(tx, [{ attachmentId: head.id, content: head.content }]);
  }
  if (kept.length > 0 && areChanged(before, after)) {
    const rows = kept.map(({ head: { id, name, contentType, contentLength, sourceUrl }, position }) => ({
      ...{ id, name, contentType, sourceUrl, position },
      contentLength: BigInt(contentLength),
    }));
    await updateEach(tx, 'Attachment', rows);
  }
  const fresh = placed.filter(({ head }) => !known.has(head.id));
  await insertFresh(tx, owner, fresh, now);
}
