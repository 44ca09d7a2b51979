import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import type { World } from './items.world.js';
import { atRoot, below, fields, type Listed, roots } from './nested.support.js';
import { makeNestedWorld } from './nested.world.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let world: World;
beforeAll(async () => {
  world = await makeNestedWorld(gateway, 150);
});

/** Records of a type that have lists: those that the world's links lead to. */
async function parentsOf(on: string): Promise<string[]> {
  if (on === 'User') return [gateway.userId];
  if (on === 'Team') return world.teams.map(({ id }) => id);
  const list = roots[on]?.list ?? '';
  const { nodes } = (await ask(gateway, `{ ${list}(first: 100) { nodes { id } } }`))[list];
  return nodes.map(({ id }: { id: string }) => id);
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
        const lists = await below(gateway, which, ids, args);
        const parent = n % ids.length;
        expect(lists[parent]).toEqual(await atRoot(gateway, which, ids[parent] ?? '', args));
        largest = Math.max(largest, ...lists.map(({ totalCount }) => totalCount));
      }),
      // Once all of it, for whatever the filters are, they may leave nothing.
      { numRuns: 8, examples: [[{}, { first: 12 }, { field: orders[0] ?? '', direction: 'ASC' }, 0]] },
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
    const lists = await below(gateway, which, seen, {}, gateway.member);
    for (const [i, list] of lists.slice(0, 5).entries()) {
      expect(list).toEqual(await atRoot(gateway, which, seen[i] ?? '', {}, gateway.member));
    }
  });
});

describe('Location.expirationItems', () => {
  const which = ['Location', 'expirationItems', 'ExpirationItem'] as const;

  test('are those of the location itself', async () => {
    const ids = world.locations.map(({ id }) => id);
    const lists = await below(gateway, which, ids, {});
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
    const [whole] = await below(gateway, which, ids, { orderBy, first: 500 });
    const found: string[][] = [];
    const { organizationId, database } = gateway;
    const row = { organizationId, teamId: ids[0] ?? '', categoryId: world.categories[0]?.id ?? '' };
    for (let cursor: string | null = null, more = true; more; ) {
      const args = way === 'first' ? { first: 7, after: cursor } : { last: 7, before: cursor };
      const [page] = (await below(gateway, which, ids, { ...args, orderBy })) as {
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
