import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { columnsSql } from '../db/sql/columns.js';
import { modelName, type RecordKind, tables } from '../db/sql/models.js';
import { getJoined, type JoinTable } from '../db/sql/selection.js';
import { sql } from '../db/sql/sql.js';
import { joinTableSql } from '../db/sql/tree.js';
import { type BatchLoader, groupByKey, type Linked, loadAll, loadBatched } from '../records/loaders.js';
import type { Item } from './storage.js';

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
      named(`${tables[kind]}.of_items`, statement),
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
