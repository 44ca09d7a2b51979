import { columnsSql } from '../db/sql/columns.js';
import { modelOf, type RecordKind } from '../db/sql/models.js';
import { lookUpOf, type Session } from '../db/sql/scope.js';
import { joinedBy, type Pairs } from '../db/sql/selection.js';
import { pairedSql } from '../db/sql/tree.js';
import { Prisma } from '../generated/prisma/client.js';
import { type Batch, grouped, type Linked, loadAll, loadThrough } from '../records/loaders.js';
import type { Item } from './storage.js';

const { sql } = Prisma;

const join = <Kind extends RecordKind>(kind: Kind, name: string): Pairs<Kind> => ({
  name,
  kind,
  table: `expiration_item_${name}`,
  own: 'item_id',
  their: `${kind}_id`,
});

/** How an item leads to what it is linked to. */
export const itemJoins = {
  contact: join('contact', 'contacts'),
  location: join('location', 'locations'),
  tag: join('tag', 'tags'),
};

/** Where an item that was just written has their ids. */
const written = { contact: 'contactIds', location: 'locationIds', tag: 'tagIds' } as const;

/** The kinds of records that an item can be linked to many of. */
export type ItemLinkKind = keyof typeof itemJoins;

/** Reads the records of a kind that items are linked to, each item's in their order. */
function linked<Kind extends ItemLinkKind>(kind: Kind): Batch<Linked<Kind>[]> {
  return async (session, items) => {
    const statement = pairedSql(session, itemJoins[kind], columnsSql(modelOf(kind)), sql`ANY(${[...items]})`);
    const rows = await lookUpOf(session)<{ own: string } & Linked<Kind>>(statement);
    return grouped(items, rows, ({ own }) => own);
  };
}

const batches = { contact: linked('contact'), location: linked('location'), tag: linked('tag') };

/**
 * The records of a kind that an item is linked to, in their order, as far as the caller may see them. Unless they were
 * read with the item, one statement reads those of all the items that are asked for in one turn of a request.
 */
export function linkedTo<Kind extends ItemLinkKind>(
  session: Session,
  kind: Kind,
  item: Item,
): Linked<Kind>[] | Promise<Linked<Kind>[]> {
  const ids = item[written[kind]];
  if (ids) return loadAll(session, kind, ids);
  const joined = joinedBy(item, itemJoins[kind]) as Linked<Kind>[] | undefined;
  if (joined) return joined;
  return loadThrough(session, batches[kind] as Batch<unknown> as Batch<Linked<Kind>[]>, item.id);
}
