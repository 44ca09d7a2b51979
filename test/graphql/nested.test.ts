import fc from 'fast-check';
import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EntityKind, entityTypes } from '../../src/domain/events.js';
import { schema } from '../../src/graphql/schema.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { settle, shapesOf } from '../support/statements.js';
import type { World } from './items.world.js';
import { makeNestedWorld } from './nested.world.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
let world: World;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
  world = await makeNestedWorld(gateway, 150);
});
afterAll(() => gateway.close());

/** The lists at the root by the types of what is in them, with what there is to filter and order by. */
const roots: Record<string, { list: string; filter: fc.Arbitrary<object>; orders: string[] }> = {
  Category: { list: 'categories', filter: fc.constant({}), orders: ['NAME'] },
  Company: { list: 'companies', filter: fc.constantFrom({}, { isArchived: false }), orders: ['NAME', 'ID'] },
  Contact: { list: 'contacts', filter: fc.constantFrom({}, { term: '1' }), orders: ['NAME', 'LOCATION_ID'] },
  ContactType: { list: 'contactTypes', filter: fc.constant({}), orders: ['NAME'] },
  EventLog: {
    list: 'eventLogs',
    filter: fc.constantFrom({}, { types: ['RENEWED'] }, { term: 'event 1' }),
    orders: ['CREATED', 'TYPE_ID', 'DETAILS'],
  },
  ExpirationItem: {
    list: 'expirationItems',
    filter: fc.record(
      {
        status: fc.constantFrom(['CURRENT', 'NOTIFYING'], ['EXPIRED']),
        term: fc.constantFrom('licence'),
        isActive: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    orders: ['EXPIRATION_DATE', 'NAME', 'CONTACT_ID', 'IS_ACTIVE'],
  },
  Location: { list: 'locations', filter: fc.constantFrom({}, { isRoot: false }), orders: ['NAME'] },
  Note: { list: 'notes', filter: fc.constantFrom({}, { term: 'note 1' }), orders: ['MODIFIED', 'NAME'] },
  Tag: { list: 'tags', filter: fc.constant({}), orders: ['NAME'] },
  Vehicle: { list: 'vehicles', filter: fc.constantFrom({}, { term: '2' }), orders: ['NAME', 'LOCATION_ID'] },
};

/** The filter at the root that finds what a record of a type has in a list, for fields that a plain link fills. */
function filterOf(on: string, field: string, id: string): object {
  const byType: Record<string, Record<string, object>> = {
    Category: { expirationItems: { categoryId: id } },
    Contact: {
      expirationItems: { contactId: id },
      vehicles: { assignedToContactId: id },
      companies: { primaryContactId: id },
    },
    ContactType: { contacts: { typeId: id } },
    Location: {
      vehicles: { locationId: id },
      contacts: { locationId: id },
      children: { parentLocationId: id },
    },
    Tag: { expirationItems: { tagIds: [id] } },
  };
  const plain = on === 'Team' ? { teamId: id } : on === 'User' ? userFilter(field, id) : byType[on]?.[field];
  const kind = `${on[0]?.toLowerCase()}${on.slice(1)}` as EntityKind;
  return plain ?? { entityId: id, entityType: entityTypes[kind] };
}

const userFilter = (field: string, id: string) =>
  field === 'eventLogs' ? { userId: id } : { assignedToId: id };

/** Every list that records have, found in the schema: the type, the field, and what is in it. */
const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (!isObjectType(type) || !type.getInterfaces().some(({ name }) => name === 'Node')) return [];
  return Object.values(type.getFields()).flatMap((field): [string, string, string][] => {
    const { name } = getNamedType(field.type);
    return name.endsWith('Connection') ? [[type.name, field.name, name.slice(0, -'Connection'.length)]] : [];
  });
});

/** Records of a type that have lists: those that the world's links lead to. */
async function parentsOf(on: string): Promise<string[]> {
  if (on === 'User') return [gateway.userId];
  if (on === 'Team') return world.teams.map(({ id }) => id);
  const list = roots[on]?.list ?? '';
  const { nodes } = (await ask(gateway, `{ ${list}(first: 100) { nodes { id } } }`))[list];
  return nodes.map(({ id }: { id: string }) => id);
}

interface Listed {
  readonly totalCount: number;
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: object;
}

const selection =
  '{ totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';

/** A list of each of the parents. */
async function below(
  [on, field, of]: readonly [string, string, string],
  ids: readonly string[],
  args: object,
  token?: string,
): Promise<Listed[]> {
  const query = `query ($ids: [ID!]!, $first: Int, $last: Int, $after: String, $before: String, $filter: ${of}Filter, $orderBy: ${of}Order) {
    nodes(ids: $ids) { ... on ${on} { list: ${field}(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) ${selection} } }
  }`;
  const { nodes } = await ask(gateway, query, { ids, ...args }, token);
  return nodes.map(({ list }: { list: Listed }) => list);
}

/** The list at the root that is the same. */
async function atRoot(
  [on, field, of]: readonly [string, string, string],
  id: string,
  args: { filter?: object },
  token?: string,
) {
  const { list } = roots[of] ?? { list: '' };
  const query = `query ($first: Int, $last: Int, $after: String, $before: String, $filter: ${of}Filter, $orderBy: ${of}Order) {
    list: ${list}(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) ${selection}
  }`;
  const filter = { ...args.filter, ...filterOf(on, field, id) };
  return (await ask(gateway, query, { ...args, filter }, token)).list as Listed;
}

const plainFields = fields.filter(([on, field]) => on !== 'Location' || field !== 'expirationItems');

test('the schema has lists below its records', () => {
  expect(fields.length).toBeGreaterThan(35);
  expect(fields.map(([on, field]) => `${on}.${field}`)).toEqual(
    expect.arrayContaining([
      'Contact.expirationItems',
      'Location.children',
      'ExpirationItem.eventLogs',
      'Team.notes',
    ]),
  );
});

describe.each(plainFields)('%s.%s', (on, field, of) => {
  const which = [on, field, of] as const;

  test('is the list at the root, narrowed to the record, in any order and window', async () => {
    const ids = await parentsOf(on);
    const { filter, orders } = roots[of] ?? { filter: fc.constant({}), orders: [] };
    let largest = 0;
    const size = fc.integer({ min: 0, max: 12 });
    const window = fc.oneof(
      size.map((first) => ({ first })),
      size.map((last) => ({ last })),
    );
    const orderBy = fc.record({
      field: fc.constantFrom(...orders),
      direction: fc.constantFrom('ASC', 'DESC'),
    });
    await fc.assert(
      fc.asyncProperty(filter, window, orderBy, fc.nat(), async (narrowed, size, order, n) => {
        const args = { filter: narrowed, orderBy: order, ...size };
        const lists = await below(which, ids, args);
        const parent = n % ids.length;
        expect(lists[parent]).toEqual(await atRoot(which, ids[parent] ?? '', args));
        largest = Math.max(largest, ...lists.map(({ totalCount }) => totalCount));
      }),
      { numRuns: 8 },
    );
    expect(largest).toBeGreaterThan(0);
  });

  test('shows a member nothing of other workspaces', async () => {
    const all = await parentsOf(on);
    const { nodes } = await ask(
      gateway,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: all },
      gateway.member,
    );
    const seen = all.filter((_, i) => nodes[i] !== null);
    const lists = await below(which, seen, {}, gateway.member);
    for (const [i, list] of lists.slice(0, 5).entries()) {
      expect(list).toEqual(await atRoot(which, seen[i] ?? '', {}, gateway.member));
    }
  });
});

describe('Location.expirationItems', () => {
  const which = ['Location', 'expirationItems', 'ExpirationItem'] as const;

  test('are those of the location itself', async () => {
    const ids = world.locations.map(({ id }) => id);
    const lists = await below(which, ids, {});
    const found = lists.map(({ edges }) => edges.map(({ node }) => node.id).sort());
    const expected = ids.map((at) =>
      world.items
        .filter(({ locationIds }) => locationIds.includes(at))
        .map(({ id }) => id)
        .sort(),
    );
    expect(found).toEqual(expected);
    expect(lists.map(({ totalCount }) => totalCount)).toEqual(expected.map(({ length }) => length));
  });
});

describe('pages', () => {
  const which = ['Team', 'expirationItems', 'ExpirationItem'] as const;

  test.each(['first', 'last'] as const)('by %s, go through a list of which rows come and go', async (way) => {
    const [team] = world.teams;
    const ids = [team?.id ?? ''];
    const orderBy = { field: 'NAME', direction: 'ASC' };
    const [whole] = await below(which, ids, { orderBy, first: 500 });
    const found: string[][] = [];
    const { organizationId, database } = gateway;
    const row = { organizationId, teamId: ids[0] ?? '', categoryId: world.categories[0]?.id ?? '' };
    for (let cursor: string | null = null, more = true; more; ) {
      const args = way === 'first' ? { first: 7, after: cursor } : { last: 7, before: cursor };
      const [page] = (await below(which, ids, { ...args, orderBy })) as {
        edges: Listed['edges'];
        pageInfo: Record<string, never>;
      }[];
      found.push(page?.edges.map(({ node }) => node.id) ?? []);
      cursor = page?.pageInfo[way === 'first' ? 'endCursor' : 'startCursor'] ?? null;
      more = page?.pageInfo[way === 'first' ? 'hasNextPage' : 'hasPreviousPage'] ?? false;
      // Before and behind what was read.
      for (const name of ['!', '~']) {
        const id = crypto.randomUUID();
        await database.prisma.expirationItem.create({ data: { ...row, id, name } });
        found.push([]);
      }
    }
    const old = new Set(whole?.edges.map(({ node }) => node.id));
    const seen = (way === 'first' ? found : found.reverse()).flat().filter((id) => old.has(id));
    expect(seen).toEqual([...old]);
    await database.prisma.expirationItem.deleteMany({ where: { name: { in: ['!', '~'] } } });
  });

  test.each<[object, string]>([
    [{ first: 501 }, 'first'],
    [{ last: 501 }, 'last'],
    [{ first: -1 }, 'first'],
    [{ after: 'x' }, 'after'],
    [{ filter: { categoryId: 'x' } }, 'filter.categoryId'],
  ])('%j is refused by name', async (args, field) => {
    const query = `query ($id: ID!, $first: Int, $last: Int, $after: String, $filter: ExpirationItemFilter) {
      team(id: $id) { expirationItems(first: $first, last: $last, after: $after, filter: $filter) { totalCount } } }`;
    const work = refusal(gateway, query, { id: gateway.teamId, ...args });
    await expectRefusal(work, 'BAD_REQUEST', field);
  });
});

describe('statements', () => {
  test('are the same for one parent and for many, at every level', async () => {
    const query = `query ($first: Int) {
      contacts(first: $first) { nodes { id
        expirationItems(first: 2, filter: { isActive: true }) { totalCount nodes {
          category { expirationItems(first: 1) { totalCount nodes { tags { expirationItems(last: 2) { nodes { id } } } } } }
          eventLogs(first: 3) { nodes { relatedEntities { record { ... on ExpirationItem { name } } } } }
          notes { totalCount }
        } }
      } } }`;
    const sent: string[][] = [];
    for (const first of [2, 34]) {
      sent.push((await shapesOf(gateway, () => ask(gateway, query, { first }))).sort());
    }
    const nested = (shapes?: string[]) => shapes?.filter((shape) => shape.includes('nested'));
    expect(nested(sent[0])).toEqual([
      ...['count nested expiration_items', 'count nested expiration_items', 'count nested notes'],
      ...['read nested event_logs'],
      ...['read nested expiration_items', 'read nested expiration_items', 'read nested expiration_items'],
    ]);
    expect(sent[1]).toEqual(sent[0]);
  });

  test('read no row where only the count is asked for', async () => {
    const query = '{ categories { nodes { expirationItems { totalCount } } } vehicles { totalCount } }';
    const shapes = await shapesOf(gateway, () => ask(gateway, query));
    expect(shapes.sort()).toEqual(['count nested expiration_items', 'count vehicles', 'read categories']);
  });

  test('of one list under two filters are two', async () => {
    const query = `{ categories { nodes {
      a: expirationItems(filter: { status: EXPIRED }) { totalCount }
      b: expirationItems(filter: { status: CURRENT }) { totalCount }
      c: expirationItems(filter: { status: CURRENT }, first: 1) { totalCount }
    } } }`;
    const shapes = await shapesOf(gateway, () => ask(gateway, query));
    expect(shapes.filter((shape) => shape === 'count nested expiration_items')).toHaveLength(2);
  });
});

describe('Location.ancestors', () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Location { ancestors { name } } } }';

  test('are the locations above, the outermost first', async () => {
    const ids = world.locations.map(({ id }) => id);
    const shapes = await shapesOf(gateway, async () => {
      const { nodes } = await ask(gateway, query, { ids });
      const names = nodes.map(({ ancestors }: { ancestors: { name: string }[] }) =>
        ancestors.map(({ name }) => name),
      );
      expect(names).toEqual([[], ['0'], ['0'], ['0', '2'], []]);
    });
    expect(shapes).toHaveLength(3);
  });

  test('end where the caller sees no further', async () => {
    const { prisma } = gateway.database;
    const hide = (teamId: string) =>
      prisma.location.update({ where: { id: world.locations[0]?.id ?? '' }, data: { teamId } });
    await hide(gateway.otherTeamId);
    const { nodes } = await ask(gateway, query, { ids: [world.locations[3]?.id] }, gateway.member);
    expect(nodes).toEqual([{ ancestors: [{ name: '2' }] }]);
    await hide(gateway.teamId);
  });
});

describe('RelatedRecord', () => {
  test('is the record that a note or an event is about, of any type, or null', async () => {
    const { data } = await gateway.graphql(
      'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }',
      { input: { name: 'Subject', teamId: gateway.otherTeamId } },
    );
    const { id } = data.createVehicle;
    const gone = crypto.randomUUID();
    const relations = [
      { entityId: id, entityType: entityTypes.vehicle },
      // The id is a vehicle's, not a contact's.
      { entityId: id, entityType: entityTypes.contact },
      { entityId: gone, entityType: entityTypes.tag },
      { entityId: gateway.teamId, entityType: entityTypes.team },
    ];
    const input = { name: 'About', relations };
    const made = await ask(
      gateway,
      'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }',
      { input },
    );
    const query = `query ($id: ID!) { note(id: $id) { relations { entityId record { __typename ... on Vehicle { label: name } ... on Team { title: name } } } } }`;
    const records = async (token?: string) => {
      const { note } = await ask(gateway, query, { id: made.createNote.id }, token);
      return note.relations.map(({ record }: { record: unknown }) => record);
    };
    const team = { __typename: 'Team', title: 'Acme Main' };
    expect(await records()).toEqual([{ __typename: 'Vehicle', label: 'Subject' }, null, null, team]);
    expect(await records(gateway.member)).toEqual([null, null, null, team]);
    const { eventLogs } = await ask(
      gateway,
      'query ($id: ID!) { eventLogs(filter: { entityId: $id, types: CREATED }) { nodes { team { id } relatedEntities { record { __typename } } } } }',
      { id },
    );
    const vehicle = [{ record: { __typename: 'Vehicle' } }];
    expect(eventLogs.nodes).toContainEqual({ team: { id: gateway.otherTeamId }, relatedEntities: vehicle });
  });
});
