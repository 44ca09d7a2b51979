import { type ExpirationItem, Prisma } from '../generated/prisma/client.js';
import { type AttachmentHead, storeAttachments } from './attachments.js';
import type { Transaction } from './scope.js';

/** What belongs to an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
  readonly attachments: AttachmentHead[];
}

/** An item; only one that is being written has its links read with it. */
export type Item = ExpirationItem & Partial<ItemLinks>;

/** Reads what belongs to an item beyond its columns, with one statement. */
export async function withLinks(db: Transaction, item: ExpirationItem): Promise<ExpirationItem & ItemLinks> {
  const [links] = await db.$queryRaw<ItemLinks[]>`
    SELECT
      ARRAY(SELECT contact_id FROM expiration_item_contacts WHERE item_id = item.id ORDER BY position) AS "contactIds",
      ARRAY(SELECT location_id FROM expiration_item_locations WHERE item_id = item.id ORDER BY position)
        AS "locationIds",
      ARRAY(SELECT tag_id FROM expiration_item_tags WHERE item_id = item.id ORDER BY position) AS "tagIds",
      coalesce((
        SELECT json_agg(json_build_object('id', id, 'name', name, 'contentType', content_type,
          'contentLength', content_length, 'sourceUrl', source_url) ORDER BY position, id)
        FROM attachments WHERE item_id = item.id
      ), '[]') AS attachments
    FROM (SELECT ${item.id}::uuid AS id) AS item`;
  return { ...item, contactIds: [], locationIds: [], tagIds: [], attachments: [], ...links };
}

const linkTables = {
  contactIds: ['expiration_item_contacts', 'contact_id'],
  locationIds: ['expiration_item_locations', 'location_id'],
  tagIds: ['expiration_item_tags', 'tag_id'],
} as const;

/** Makes one of an item's lists of links what it shall be, with one statement. */
async function storeLinks(
  tx: Transaction,
  itemId: string,
  list: keyof typeof linkTables,
  ids: readonly string[],
): Promise<void> {
  const [table, column] = linkTables[list].map((name) => Prisma.raw(name));
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM ${table} WHERE item_id = ${itemId}::uuid AND NOT ${column} = ANY(${[...ids]}::uuid[])
    )
    INSERT INTO ${table} AS link (item_id, ${column}, position)
    SELECT ${itemId}::uuid, wanted.id, wanted.place - 1
    FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS wanted (id, place)
    ON CONFLICT (item_id, ${column}) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
}

const same = (before: readonly unknown[], after: readonly unknown[]) =>
  JSON.stringify(before) === JSON.stringify(after);

/** Stores what changed of an item's links. */
export async function storeAll(
  tx: Transaction,
  item: ExpirationItem,
  before: ItemLinks,
  after: ItemLinks,
  now: Date,
) {
  for (const list of Object.keys(linkTables) as (keyof typeof linkTables)[]) {
    if (!same(before[list], after[list])) await storeLinks(tx, item.id, list, after[list]);
  }
  await storeAttachments(tx, item, before.attachments, after.attachments, now);
}

/** The links of an item that is not there yet. */
export const noLinks: ItemLinks = { contactIds: [], locationIds: [], tagIds: [], attachments: [] };

/** Parts a written item into its columns and its links. */
export function parted<T extends ItemLinks>({ contactIds, locationIds, tagIds, attachments, ...columns }: T) {
  return { columns, links: { contactIds, locationIds, tagIds, attachments } };
}

/** Takes an item's files and history along to the workspace that the item has moved to. */
export async function moveParts(tx: Transaction, { id: itemId, teamId }: ExpirationItem): Promise<void> {
  await tx.attachment.updateMany({ where: { itemId }, data: { teamId } });
  await tx.renewal.updateMany({ where: { itemId }, data: { teamId } });
}
