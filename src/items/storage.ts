import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany, recordsSql } from '../db/sql/conditions.js';
import { updateRows } from '../db/sql/write.js';
import { groupedBy } from '../domain/load/grouping.js';
import { type ExpirationItem, Prisma } from '../generated/prisma/client.js';
import { type AttachmentHead, storeAttachments } from './attachments.js';

const { sql } = Prisma;

/** What belongs to an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
  readonly attachments: AttachmentHead[];
}

/** An item; only one that is being written has its links read with it. */
export type Item = ExpirationItem & Partial<ItemLinks>;

/** The links of an item that is not there yet. */
export const noLinks: ItemLinks = { contactIds: [], locationIds: [], tagIds: [], attachments: [] };

/**
 * Reads what belongs to items beyond their columns, with one statement. For one item it has a plan of its own
 * (`oneOrMany`).
 */
export async function linksOf(
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

/** Makes one of the lists of links of some items what it shall be for each of them, with one statement. */
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

/** One of an item's lists of links. */
type LinkList = keyof typeof linkTables;
const linkLists = Object.keys(linkTables) as LinkList[];

const same = (before: readonly unknown[], after: readonly unknown[]) =>
  JSON.stringify(before) === JSON.stringify(after);

/** An item, and its links before and after a change. */
interface LinkChange {
  readonly item: Pick<ExpirationItem, 'id' | 'organizationId' | 'teamId' | 'modified'>;
  readonly before: ItemLinks;
  readonly after: ItemLinks;
}

/** Stores what changed of items' links; items whose lists become the same share a statement. */
export async function storeAll(tx: Transaction, changes: readonly LinkChange[]): Promise<void> {
  for (const list of linkLists) {
    const changed = changes.filter(({ before, after }) => !same(before[list], after[list]));
    for (const alike of groupedBy(changed, ({ after }) => JSON.stringify(after[list]))) {
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

/** Parts a written item into its columns and its links. */
export function parted<T extends ItemLinks>({ contactIds, locationIds, tagIds, attachments, ...columns }: T) {
  return { columns, links: { contactIds, locationIds, tagIds, attachments } };
}

/** Takes items' files and history along to the workspace that the items have moved to. */
export async function moveParts(tx: Transaction, itemIds: readonly string[], teamId: string): Promise<void> {
  const where = { itemId: { in: [...itemIds] } };
  await updateRows(tx, 'Attachment', where, { teamId });
  await updateRows(tx, 'Renewal', where, { teamId });
}
