import type { Item } from './item-storage.js';
import { type Batch, grouped, type Linked, load, loadThrough } from './loaders.js';
import type { Session } from './scope.js';

const contactIds: Batch<string[]> = async (db, items) => {
  const where = { itemId: { in: [...items] } };
  const rows = await db.expirationItemContact.findMany({ where, orderBy: { position: 'asc' } });
  return grouped(items, rows, ({ itemId }) => itemId).map((links) => links.map((link) => link.contactId));
};

const locationIds: Batch<string[]> = async (db, items) => {
  const where = { itemId: { in: [...items] } };
  const rows = await db.expirationItemLocation.findMany({ where, orderBy: { position: 'asc' } });
  return grouped(items, rows, ({ itemId }) => itemId).map((links) => links.map((link) => link.locationId));
};

const tagIds: Batch<string[]> = async (db, items) => {
  const where = { itemId: { in: [...items] } };
  const rows = await db.expirationItemTag.findMany({ where, orderBy: { position: 'asc' } });
  return grouped(items, rows, ({ itemId }) => itemId).map((links) => links.map((link) => link.tagId));
};

const batches = { contact: contactIds, location: locationIds, tag: tagIds };
const fields = { contact: 'contactIds', location: 'locationIds', tag: 'tagIds' } as const;

/** The kinds of records that an item can be linked to many of. */
export type ItemLinkKind = keyof typeof batches;

/**
 * The records of a kind that an item is linked to, in their order, as far as the caller may see them. Two
 * statements read those of all the items that are asked for in one turn of a request.
 */
export async function linkedTo<Kind extends ItemLinkKind>(
  session: Session,
  kind: Kind,
  item: Item,
): Promise<Linked<Kind>[]> {
  // An item that was just written still has the ids with it.
  const ids = item[fields[kind]] ?? (await loadThrough(session, batches[kind], item.id));
  const records = await Promise.all(ids.map((id) => load(session, kind, id)));
  return records.filter((record) => record !== null);
}
