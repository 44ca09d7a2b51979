import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type Condition, recordsSql } from '../db/sql/conditions.js';
import { scopeOf } from '../db/sql/models.js';
import { sql } from '../db/sql/sql.js';
import { groupBy } from '../domain/collections.js';
import { badField, type GatewayError } from '../domain/errors.js';
import { rules } from '../domain/rules.js';
import { declareResource, termInCustomFields } from '../records/declare/declare.js';
import { contained, exposed, exposedInGraphql, link, withCustomFields } from '../records/declare/fields.js';
import { noNotes, noneBy, noneJoined } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';
import { type BatchLoader, groupByKey, loadAll, loadBatched } from '../records/loaders.js';

/** Returns the condition that a location is a root. It has no parent that the caller may see. */
function rootCondition({ caller }: Session, isRoot: boolean): Condition {
  const seen = scopeOf(caller, 'Location');
  if (!isRoot) return { parentLocation: { is: seen } };
  return { OR: [{ parentLocationId: null }, { parentLocation: { is: { NOT: seen } } }] };
}

/** Key of the advisory lock for moves: one at a time in an organization. */
const MOVE_LOCK = 0x6d6f7665;

/** Serializes moves: two at once could close a cycle that neither of them sees. */
async function lockMoves(tx: Transaction): Promise<void> {
  const { organizationId } = tx.caller;
  const lock = sql`SELECT pg_advisory_xact_lock(${MOVE_LOCK}::int, hashtext(${organizationId}))`;
  await tx.run(prepared('locations.lock_moves', lock));
}

/**
 * Checks that a move does not put a location inside itself.
 * @param ids the locations that move, of one organization
 * @param parentId new parent of all
 * @throws GatewayError BAD_REQUEST
 */
async function checkMove(tx: Transaction, ids: readonly string[], parentId: string): Promise<void> {
  // Alone: a statement sees what was committed before it began, and this one may have to wait.
  await lockMoves(tx);
  const look = sql`
    WITH RECURSIVE above (id) AS (
      SELECT ${parentId}::uuid
      UNION
      SELECT parent_location_id FROM locations JOIN above USING (id)
    )
    SELECT EXISTS (SELECT FROM above WHERE id = ANY (${[...ids]}::uuid[])) AS circular`;
  const [found] = await tx.run<{ circular: boolean }>(prepared('locations.look_above', look));
  if (found?.circular) throw circular();
}

/** Creates the 400 for a location that would lie in itself. */
export const circular = (): GatewayError =>
  badField(['parentLocationId'], 'must not be the location itself, nor one that lies in it', 'cycle');

/** Places, which may lie in one another. */
export const locations = declareResource('Location', {
  fields: {
    id: exposed(),
    parentLocationId: exposed(rules.uuid),
    parentLocation: link(
      'parentLocationId',
      'The location that contains this one, if the caller may see it.',
      {
        hasNone: false,
        list: 'The locations directly inside this one.',
        listName: 'children',
      },
    ),
    ancestors: contained('location', {
      description:
        'The locations that contain this one, the outermost first. The list stops at the first location that the caller may not see.',
      rows: async (session, { id }) =>
        loadAll(session, 'location', await loadBatched(session, ancestorsByLocation, id)),
    }),
    name: exposed(rules.line, { required: 'graphql' }),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the location belongs to.', {
      list: 'The locations of the workspace.',
    }),
    modified: exposed(),
    created: exposedInGraphql(),
    customFields: withCustomFields,
  },
  filter: {
    term: { in: ['name'], custom: true, description: 'Part of the name, ignoring case.' },
    termInCustomFields,
    teamId: 'Locations in this workspace.',
    parentLocationId: 'Locations directly inside this location.',
    isRoot: {
      type: 'Boolean',
      rule: rules.choice,
      description:
        'If true, only locations at the top of a tree: those without a parent that the caller may see. If false, only the others.',
      where: (isRoot, _all, session) => rootCondition(session, isRoot),
    },
    importId: importedIn('Locations'),
  },
  uniqueBy: ['name', 'parentLocationId'],
  indexed: ['name'],
  indexedBy: { teamId: ['name'] },
  searchPlace: 5,
  hasNone: {
    CHILDREN: noneBy('location', 'parentLocationId'),
    EXPIRATION_ITEMS: noneJoined({
      kind: 'expirationItem',
      table: 'expiration_item_locations',
      own: 'location_id',
      their: 'item_id',
    }),
    VEHICLES: noneBy('vehicle', 'locationId'),
    CONTACTS: noneBy('contact', 'locationId'),
    NOTES: noNotes('location'),
  },
  title: (location) => location.name,
  // Those that lay in it may hold by now what it lies in.
  beforeRestore: (tx) => lockMoves(tx),
  beforeUpdate: async (tx, changes) => {
    const moved = changes.filter(({ before, after }) => after.parentLocationId !== before.parentLocationId);
    for (const together of groupBy(moved, ({ after }) => after.parentLocationId ?? '')) {
      const parentId = together[0]?.after.parentLocationId;
      const ids = together.map(({ id }) => id);
      if (parentId) await checkMove(tx, ids, parentId);
    }
  },
  rest: {
    tag: 'Locations',
    about: 'Places, which may be inside one another.',
    model: 'LocationModel',
    records: { '/v1/locations': { kind: 'location', name: 'Hamilton yard', deleted: 'Server room' } },
    term: 'depot',
    routes: {
      'GET /v1/locations': {
        origin: 'listed',
      },
      'POST /v1/locations': {
        origin: 'contract',
        example: { name: 'North depot' },
      },
      'GET /v1/locations/{id}': {
        origin: 'listed',
      },
      'PUT /v1/locations/{id}': {
        origin: 'listed',
        field: 'updateLocation',
        example: { name: 'East depot' },
      },
      'PATCH /v1/locations/{id}': {
        origin: 'contract',
        example: [{ op: 'replace', path: '/name', value: 'South depot' }],
      },
      'DELETE /v1/locations/{id}': {
        origin: 'listed',
        summary: 'Deletes a location and returns it as it was. Locations inside it remain, without a parent.',
      },
    },
  },
});

/**
 * Loads each location's ancestors, the outermost first (recursive CTE). The path ends at the first ancestor that the
 * caller may not see.
 */
const ancestorsByLocation: BatchLoader<string[]> = async (session, ids) => {
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
  const rows = await session.lookUp<{ start: string; id: string }>(
    prepared('locations.ancestors', statement),
  );
  return groupByKey(ids, rows, ({ start }) => start).map((places) => places.map(({ id }) => id));
};
