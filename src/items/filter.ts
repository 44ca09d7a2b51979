import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { recordsSql } from '../db/sql/conditions.js';
import type { Condition } from '../db/sql/query.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { limits } from '../domain/rules.js';
import { addDays, noDateAlias, type Status, statusIds } from '../domain/status.js';
import { dateCondition, statusConditions, workspaceDays } from './status.js';

/** Rule of the statuses that a filter names. */
export const statusesRule = z
  .array(
    z
      .enum([...(Object.keys(statusIds) as Status[]), noDateAlias])
      .transform((word): Status => (word === noDateAlias ? 'nodate' : word)),
  )
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish();

/**
 * Returns SQL for locations and all locations inside them (recursive CTE). It includes only locations that
 * the caller sees.
 */
function locationTreeSql(session: Session, among: string | { in: readonly string[] }): Sql {
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

/** Returns the condition that an item is at a location, or at one inside it. */
export const atLocation = (session: Session, among: string | { in: readonly string[] }): Condition => ({
  locations: { some: { locationId: { in: locationTreeSql(session, among) } } },
});

/** Returns the condition that an item has one of some statuses today. */
export async function withStatus(
  wanted: readonly Status[],
  _all: object,
  session: Session,
): Promise<Condition> {
  const days = await workspaceDays(session);
  const conditions = statusConditions((rangeOf, field) => dateCondition(days, rangeOf, field));
  return { OR: wanted.map((status) => conditions[status]) };
}

/** Returns the condition that an item expires today or within a number of days. */
export async function expiringWithin(count: number, _all: object, session: Session): Promise<Condition> {
  const days = await workspaceDays(session);
  return dateCondition(days, (today) => ({ gte: today, lte: addDays(today, count) }));
}
