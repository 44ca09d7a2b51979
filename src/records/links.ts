import { type Condition, conditionSql } from '../db/sql/conditions.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import type { JoinTable } from '../db/sql/tree.js';
import { type EntityKind, entityTypes } from '../domain/models.js';

/**
 * Describes how to find the records of a parent. Either a column of the records holds the parent's id, or a
 * query returns pairs of parent id and record id without duplicates.
 */
export type Link =
  | { readonly column: string }
  | {
      readonly pairs: Sql;
      /** Conditions of which each linked record has exactly one. An index serves each. */
      readonly either?: (parents: Parents) => readonly Condition[];
      /** True if the records' table has partitions. */
      readonly isPartitioned?: boolean;
    };

/** Links records by their foreign key to the parent. */
export const byColumn = (column: string): Link => ({ column });

/** Links the records of a join table to those that name them. */
export const byJoin = ({ table, own, their }: JoinTable): Link => ({
  pairs: sql`SELECT ${raw(their)}, ${raw(own)} FROM ${raw(table)}`,
});

/** Links a contact to its items. They name it as main contact or among the contacts. */
export const itemsOfContact: Link = {
  pairs: sql`
    SELECT contact_id, item_id FROM expiration_item_contacts
    UNION SELECT contact_id, id FROM expiration_items`,
  either: (parents) => {
    const isMain = onColumn('contactId', parents);
    const isAmong = conditionSql('pair', onColumn('contactId', parents));
    const others = sql`SELECT pair.item_id FROM expiration_item_contacts AS pair WHERE ${isAmong}`;
    return [isMain, { EXCEPT: isMain, id: { in: others } }];
  },
};

/** Links a record of a kind to the notes about it. */
export const notesAbout = (kind: EntityKind): Link => ({
  pairs: sql`SELECT entity_id, note_id FROM note_relations WHERE entity_type = ${raw(`${entityTypes[kind]}`)}`,
});

/** Links a record of a kind to the events about it. */
export const eventsAbout = (kind: EntityKind): Link => ({
  pairs: sql`SELECT entity_id, event_id FROM event_log_entities WHERE type_id = ${raw(`${entityTypes[kind]}`)}`,
  isPartitioned: true,
});

/** Condition on a parent's id: one id, several, or those that a query returns. */
type IdCondition = string | Sql | { readonly in: readonly string[] | Sql };

/** Condition on a parent's id, or several of which all must hold. */
export type Parents = IdCondition | readonly IdCondition[];

const onColumn = (column: string, parents: Parents): Condition =>
  Array.isArray(parents) ? { AND: parents.map((ids) => ({ [column]: ids })) } : { [column]: parents };

/** Returns the condition that a record is linked to a parent. */
export function linkCondition(link: Link, parents: Parents): Condition {
  if ('column' in link) return onColumn(link.column, parents);
  if (link.either) return { EITHER: link.either(parents) };
  const isParent = conditionSql('pair', onColumn('parent', parents));
  const children = sql`SELECT pair.child FROM (${link.pairs}) AS pair (parent, child) WHERE ${isParent}`;
  return { id: link.isPartitioned ? { among: children } : { in: children } };
}
