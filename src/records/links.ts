import type { Condition } from '../db/sql/query.js';
import type { EntityKind } from '../domain/events.js';
import { entityTypes } from '../domain/events.js';
import { Prisma } from '../generated/prisma/client.js';

const { sql, raw } = Prisma;

/**
 * How records are linked to a parent: by the column of theirs that holds its id, or as the second of pairs whose
 * first is the parent's id, each pair once.
 */
export type Link = { readonly column: string } | { readonly pairs: Prisma.Sql };

/** Records that point at their parent. */
export const byColumn = (column: string): Link => ({ column });

/** Items with a tag. */
export const itemsWithTag: Link = { pairs: sql`SELECT tag_id, item_id FROM expiration_item_tags` };

/** Items of a location itself. */
export const itemsAtLocation: Link = {
  pairs: sql`SELECT location_id, item_id FROM expiration_item_locations`,
};

/** Items that a contact is the main contact of, or one of the contacts. */
export const itemsOfContact: Link = {
  pairs: sql`
    SELECT contact_id, item_id FROM expiration_item_contacts
    UNION SELECT contact_id, id FROM expiration_items`,
};

/** Notes about a record of a kind. */
export const notesAbout = (kind: EntityKind): Link => ({
  pairs: sql`SELECT entity_id, note_id FROM note_relations WHERE entity_type = ${raw(`${entityTypes[kind]}`)}`,
});

/** Events about a record of a kind. */
export const eventsAbout = (kind: EntityKind): Link => ({
  pairs: sql`SELECT entity_id, event_id FROM event_log_entities WHERE type_id = ${raw(`${entityTypes[kind]}`)}`,
});

/** The condition on a record to be linked to a parent: an id, or SQL for it. */
export function linkCondition(link: Link, parentId: string | Prisma.Sql): Condition {
  if ('column' in link) return { [link.column]: parentId };
  const children = sql`SELECT pair.child FROM (${link.pairs}) AS pair (parent, child) WHERE pair.parent = ${parentId}`;
  return { id: { in: children } };
}
