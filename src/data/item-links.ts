import { Prisma } from '../generated/prisma/client.js';
import type { Item } from './item-storage.js';
import { modelOf } from './kinds.js';
import { type Batch, grouped, type Linked, loadAll, loadThrough } from './loaders.js';
import { columnsSql } from './reading.js';
import { lookUpOf, type Session } from './scope.js';
import { recordsSql } from './sql.js';

const { sql, raw } = Prisma;

/** The tables of an item's links, with their column of what is linked, and the field of an item that was just written. */
const links = {
  contact: { table: 'expiration_item_contacts', column: 'contact_id', field: 'contactIds' },
  location: { table: 'expiration_item_locations', column: 'location_id', field: 'locationIds' },
  tag: { table: 'expiration_item_tags', column: 'tag_id', field: 'tagIds' },
} as const;

/** The kinds of records that an item can be linked to many of. */
export type ItemLinkKind = keyof typeof links;

/** Reads the records of a kind that items are linked to, each item's in their order. */
function linked<Kind extends ItemLinkKind>(kind: Kind): Batch<Linked<Kind>[]> {
  const table = raw(links[kind].table);
  const column = raw(links[kind].column);
  return async (session, items) => {
    const link = sql`JOIN ${table} AS link ON link.${column} = record.id AND link.item_id = ANY(${[...items]})`;
    const rows = await lookUpOf(session)<{ itemId: string } & Linked<Kind>>(sql`
      SELECT link.item_id AS "itemId", ${columnsSql(modelOf(kind))} ${recordsSql(session, kind, {}, link)}
      ORDER BY link.position`);
    return grouped(items, rows, ({ itemId }) => itemId);
  };
}

const batches = { contact: linked('contact'), location: linked('location'), tag: linked('tag') };

/**
 * The records of a kind that an item is linked to, in their order, as far as the caller may see them. One statement
 * reads those of all the items that are asked for in one turn of a request.
 */
export function linkedTo<Kind extends ItemLinkKind>(
  session: Session,
  kind: Kind,
  item: Item,
): Promise<Linked<Kind>[]> {
  // An item that was just written still has the ids with it.
  const ids = item[links[kind].field];
  if (ids) return loadAll(session, kind, ids);
  return loadThrough(session, batches[kind] as Batch<unknown> as Batch<Linked<Kind>[]>, item.id);
}
