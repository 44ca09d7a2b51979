import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { recordsSql } from '../db/sql/conditions.js';
import type { Condition } from '../db/sql/query.js';
import { scopeOf } from '../db/sql/scope.js';
import { rowsOf } from '../db/sql/select.js';
import { badField } from '../domain/errors.js';
import { rules } from '../domain/rules.js';
import { type Location, Prisma } from '../generated/prisma/client.js';
import { whereOf } from '../records/list.js';
import { type Batch, grouped } from '../records/loaders.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const { sql } = Prisma;

const locationRules = {
  parentLocationId: rules.uuid,
  name: rules.line,
  teamId: rules.uuid,
  customFields: rules.customFields,
} satisfies RulesFor<Location>;

const locationFilter = z.object({
  term: rules.line,
  teamId: rules.uuid,
  parentLocationId: rules.uuid,
  isRoot: rules.choice,
});

/** What a list of locations can be narrowed to. */
export type LocationFilter = z.input<typeof locationFilter>;

/** That a location lies in none that the caller sees: where a tree begins for whoever reads it. */
function rooted({ caller }: Session, isRoot: boolean): Condition {
  const seen = scopeOf(caller, 'Location');
  if (!isRoot) return { parentLocation: { is: seen } };
  return { OR: [{ parentLocationId: null }, { parentLocation: { is: { NOT: seen } } }] };
}

/** Held by a transaction that moves a location, one in an organization at a time. */
const MOVE_LOCK = 0x6d6f7665;

/**
 * Makes sure that a move does not put a location inside of itself. Two moves at once could close a circle that
 * neither of them sees, so they follow one another.
 * @param parentId where it shall lie
 * @throws GatewayError BAD_REQUEST
 */
async function checkMove(tx: Transaction, id: string, parentId: string): Promise<void> {
  // Alone: a statement sees what was committed before it began, and this one may have to wait.
  const lock = sql`
    SELECT pg_advisory_xact_lock(${MOVE_LOCK}::int, hashtext(organization_id::text))
    FROM locations WHERE id = ${id}::uuid`;
  await tx.run(named('locations.lock_moves', lock));
  const look = sql`
    WITH RECURSIVE above (id) AS (
      SELECT ${parentId}::uuid
      UNION
      SELECT parent_location_id FROM locations JOIN above USING (id)
    )
    SELECT EXISTS (SELECT FROM above WHERE id = ${id}::uuid) AS circular`;
  const [found] = await tx.run<{ circular: boolean }>(named('locations.look_above', look));
  if (found?.circular) {
    throw badField(['parentLocationId'], 'must not be the location itself, nor one that lies in it');
  }
}

/** Locations: their rules, and how they are read and written. */
export const locations = defineResource(z.object(locationRules), {
  kind: 'location',
  references: [{ field: 'parentLocationId', to: 'location', path: ['parentLocationId'] }],
  indexed: ['name'],
  where: (filter, session) =>
    whereOf(locationFilter, filter, ['name'], { isRoot: (isRoot) => rooted(session, isRoot) }),
  title: (location: Location) => location.name,
  rows: rowsOf('Location'),
  beforeUpdate: async (tx, changes) => {
    for (const { id, before, after } of changes) {
      const { parentLocationId } = after;
      if (parentLocationId !== null && parentLocationId !== before.parentLocationId) {
        await checkMove(tx, id, parentLocationId);
      }
    }
  },
});

/** The locations in which each location lies, the outermost first, as far up as the caller sees without a gap. */
export const ancestorsOf: Batch<string[]> = async (session, ids) => {
  const parent = recordsSql(session, 'location', { id: sql`place.parent_location_id` });
  const statement = sql`
    WITH RECURSIVE above (start, id, depth) AS (
      SELECT start.id, start.id, 0 FROM unnest(${[...ids]}::uuid[]) AS start (id)
      UNION ALL
      SELECT above.start, parent.id, above.depth + 1
      FROM above
      JOIN locations AS place ON place.id = above.id
      CROSS JOIN LATERAL (SELECT record.id ${parent}) AS parent
    )
    SELECT start, id FROM above WHERE depth > 0 ORDER BY depth DESC`;
  const rows = await session.lookUp<{ start: string; id: string }>(named('locations.ancestors', statement));
  return grouped(ids, rows, ({ start }) => start).map((places) => places.map(({ id }) => id));
};
