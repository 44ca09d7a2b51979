import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { oneOrMany, recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { updateEach, updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { type BatchLoader, groupByKey } from '../records/loaders.js';
import type { RowChange } from '../records/resource.js';
import { readAttachments } from './attachments/attachments.js';
import type { AttachmentHead } from './attachments/entries.js';

/** Values of an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
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
export const noLinks: ItemLinks = { contactIds: [], locationIds: [], tagIds: [], attachments: [] };

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
      coalesce((
        SELECT json_agg(json_build_object('id', id, 'name', name, 'contentType', content_type,
          'contentLength', content_length, 'sourceUrl', source_url) ORDER BY position, id)
        FROM attachments WHERE item_id = record.id
      ), '[]') AS attachments
    ${recordsSql(tx, 'expirationItem', { id: oneOrMany(ids) })}`;
  const rows = await tx.run<{ id: string } & ItemLinks>(named('expiration_items.links', statement));
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

/** Moves the attachments and renewals of items to the items' new workspace. */
export async function moveItemParts(
  tx: Transaction,
  itemIds: readonly string[],
  teamId: string,
): Promise<void> {
  const where = { itemId: { in: [...itemIds] } };
  await updateRows(tx, 'Attachment', where, { teamId });
  await updateRows(tx, 'Renewal', where, { teamId });
}

/**
 * Settles the uploads of items that a person gives a date. They wait for somebody who decides about the date, and what
 * the gateway does by itself decides nothing.
 */
export async function settleUploads(
  tx: Transaction,
  { caller, now }: Session,
  changes: readonly RowChange[],
): Promise<void> {
  if (caller.user.id === null) return;
  const dated = changes.filter(
    ({ before, after }) =>
      after.expirationDate !== null && Number(before.expirationDate) !== Number(after.expirationDate),
  );
  if (dated.length === 0) return;
  const where = { needsReview: true, expirationItemId: { in: dated.map(({ id }) => id) } };
  const waiting = await readRows(tx, 'UploadNotification', { where }, ['id', 'modified']);
  const settled = { needsReview: false, dueAt: null };
  const rows = waiting.map(({ id, modified }) => ({ id, ...settled, modified: nextModified(now, modified) }));
  if (rows.length > 0) await updateEach(tx, 'UploadNotification', rows);
}
