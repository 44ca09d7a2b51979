import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { recordsSql } from '../db/sql/conditions.js';
import type { Condition } from '../db/sql/query.js';
import { limits, rules } from '../domain/rules.js';
import { addDays, furthestDays, noDateAlias, type Status, statusIds } from '../domain/status.js';
import { Prisma } from '../generated/prisma/client.js';
import { itemsOfContact, linkCondition } from '../records/links.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noneBy, noneJoined, noPointer } from '../records/lists/links.js';
import type { Readable } from '../records/lists/readable.js';
import { dateCondition, statusConditions, workspaceDays } from './status.js';

const { sql } = Prisma;

const TOO_MANY = `must have at most ${limits.entries} entries`;

const itemFilter = z.object({
  term: rules.line,
  status: z
    .array(
      z
        .enum([...(Object.keys(statusIds) as Status[]), noDateAlias])
        .transform((word): Status => (word === noDateAlias ? 'nodate' : word)),
    )
    .max(limits.entries, TOO_MANY)
    .nullish(),
  categoryId: rules.uuid,
  contactId: rules.uuid,
  locationId: rules.uuid,
  tagIds: z.array(rules.requiredUuid).max(limits.entries, TOO_MANY).nullish(),
  assignedToId: rules.uuid,
  teamId: rules.uuid,
  expiresAfter: rules.date,
  expiresBefore: rules.date,
  expiresWithinDays: rules.between(0, furthestDays),
  isActive: rules.choice,
});

export type ExpirationItemFilter = z.input<typeof itemFilter>;

/**
 * Returns SQL for locations and all locations inside them (recursive CTE). It includes only locations that
 * the caller sees.
 */
function locationTreeSql(session: Session, among: string | { in: readonly string[] }): Prisma.Sql {
  return sql`
    WITH RECURSIVE inside (id) AS (
      SELECT record.id ${recordsSql(session, 'location', { id: among })}
      UNION
      SELECT child.id FROM inside CROSS JOIN LATERAL (
        SELECT record.id ${recordsSql(session, 'location', { parentLocationId: sql`inside.id` })}
      ) AS child
    )
    SELECT id FROM inside`;
}

const atLocation = (session: Session, among: string | { in: readonly string[] }): Condition => ({
  locations: { some: { locationId: { in: locationTreeSql(session, among) } } },
});

/** Members of the filter that take several ids. An item matches if it has any of them. */
export const itemsOfMany: Readable['manyOf'] = {
  categoryIds: inColumn('categoryId'),
  contactIds: (ids) => linkCondition(itemsOfContact, ids),
  locationIds: (ids, session) => atLocation(session, { in: ids }),
  assignedToIds: inColumn('assignedToId'),
  teamIds: inColumn('teamId'),
};

/** Links that an item may lack. */
export const itemLinks: Readable['links'] = {
  CONTACT: noPointer('contactId'),
  ASSIGNED_TO: noPointer('assignedToId'),
  CONTACTS: noneJoined('contact', 'expiration_item_contacts', 'itemId', 'contactId'),
  LOCATIONS: noneJoined('location', 'expiration_item_locations', 'itemId', 'locationId'),
  TAGS: noneJoined('tag', 'expiration_item_tags', 'itemId', 'tagId'),
  ATTACHMENTS: noneBy('attachment', 'itemId'),
  RENEWALS: noneBy('renewal', 'itemId'),
  NOTES: noNotes('expirationItem'),
};

/**
 * Translates a filter of items to a condition for `conditionSql`.
 * @throws GatewayError BAD_REQUEST naming the invalid member
 */
export async function itemsWhere(filter: ExpirationItemFilter, session: Session): Promise<Condition> {
  const dependsOnDay = filter.status != null || filter.expiresWithinDays != null;
  const days = dependsOnDay ? await workspaceDays(session) : [];
  return filterCondition(itemFilter, filter, ['name', 'details'], {
    status: (wanted) => {
      const conditions = statusConditions((rangeOf, field) => dateCondition(days, rangeOf, field));
      return { OR: wanted.map((status) => conditions[status]) };
    },
    contactId: (contactId) => linkCondition(itemsOfContact, contactId),
    locationId: (locationId) => atLocation(session, locationId),
    tagIds: (tagIds) => ({ tags: { some: { tagId: { in: tagIds } } } }),
    expiresAfter: (date) => ({ expirationDate: { gt: date } }),
    expiresBefore: (date) => ({ expirationDate: { lt: date } }),
    expiresWithinDays: (count) =>
      dateCondition(days, (today) => ({ gte: today, lte: addDays(today, count) })),
  });
}
