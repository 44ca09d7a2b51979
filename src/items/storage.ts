import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany, recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { updateRows } from '../db/sql/write.js';
import { groupBy } from '../domain/load/grouping.js';
import { type Attachment, type ExpirationItem, Prisma, type Renewal } from '../generated/prisma/client.js';
import { groupByKey } from '../records/loaders.js';
import { type AttachmentHead, readAttachments, storeAttachments } from './attachments.js';

const { sql } = Prisma;

/** Values of an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
  readonly attachments: AttachmentHead[];
}

/** Rows that are deleted with an item. */
interface ItemDependents {
  readonly files: readonly Attachment[];
  readonly renewals: readonly Renewal[];
}

/** An item. Its links are read only when it is written, its dependents when it is deleted. */
export type Item = ExpirationItem & Partial<ItemLinks & ItemDependents>;

/** Links of an item that does not exist yet. */
export const noLinks: ItemLinks = { contactIds: [], locationIds: [], tagIds: [], attachments: [] };

/** Reads what belongs to items beyond their columns, by one statement. For one item it has a plan of its own (`oneOrMany`). */
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

const linkTables = {
  contactIds: ['expiration_item_contacts', 'contact_id'],
  locationIds: ['expiration_item_locations', 'location_id'],
  tagIds: ['expiration_item_tags', 'tag_id'],
} as const;

/** Replaces a list of links of some items with the same new list. One statement deletes, inserts and reorders. */
async function storeLinks(
  tx: Transaction,
  itemIds: readonly string[],
  list: LinkList,
  ids: readonly string[],
): Promise<void> {
  const [table, column] = linkTables[list].map((name) => Prisma.raw(name));
  const statement = sql`
    WITH gone AS (
      DELETE FROM ${table} WHERE item_id = ANY(${[...itemIds]}::uuid[]) AND NOT ${column} = ANY(${[...ids]}::uuid[])
    )
    INSERT INTO ${table} AS link (item_id, ${column}, position)
    SELECT item.id, wanted.id, wanted.place - 1
    FROM unnest(${[...itemIds]}::uuid[]) AS item (id)
    CROSS JOIN unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS wanted (id, place)
    ON CONFLICT (item_id, ${column}) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
  await tx.run(named(`${linkTables[list][0]}.store`, statement));
}

type LinkList = keyof typeof linkTables;
const linkLists = Object.keys(linkTables) as LinkList[];

const sameJson = (before: readonly unknown[], after: readonly unknown[]) =>
  JSON.stringify(before) === JSON.stringify(after);

/** An item, and its links before and after a change. */
interface LinkChange {
  readonly item: Pick<ExpirationItem, 'id' | 'organizationId' | 'teamId' | 'modified'>;
  readonly before: ItemLinks;
  readonly after: ItemLinks;
}

/** Stores changed links of items; items with the same new list share a statement. */
export async function storeItemLinks(tx: Transaction, changes: readonly LinkChange[]): Promise<void> {
  for (const list of linkLists) {
    const changed = changes.filter(({ before, after }) => !sameJson(before[list], after[list]));
    for (const alike of groupBy(changed, ({ after }) => JSON.stringify(after[list]))) {
      await storeLinks(
        tx,
        alike.map(({ item }) => item.id),
        list,
        alike[0]?.after[list] ?? [],
      );
    }
  }
  for (const { item, before, after } of changes) {
    await storeAttachments(tx, item, before.attachments, after.attachments, item.modified);
  }
}

/** Splits a written item into its columns and its links. */
export function splitLinks<T extends ItemLinks>({
  contactIds,
  locationIds,
  tagIds,
  attachments,
  ...columns
}: T) {
  return { columns, links: { contactIds, locationIds, tagIds, attachments } };
}

/** Reads the renewals of items, the newest first. */
export function readRenewals(on: Session | Transaction, itemIds: readonly string[]): Promise<Renewal[]> {
  return readRows(on, 'Renewal', {
    where: { itemId: { in: itemIds } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
  });
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
