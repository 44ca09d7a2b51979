import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { linksOf, page, walk } from './lists.support.js';
import { expectBadRequest } from './support.js';

const gateway = useGateway();
beforeEach(() => gateway.database.prisma.vehicle.deleteMany());

/** Puts vehicles of some names into the database, and gives their ids. */
async function insert(names: readonly (string | null)[]): Promise<string[]> {
  const { organizationId, teamId } = gateway;
  const data = names.map((name, year) => ({ id: newId(), organizationId, teamId, name, year }));
  await gateway.database.prisma.vehicle.createMany({ data });
  return data.map(({ id }) => id);
}

const remove = (ids: readonly string[]) =>
  gateway.database.prisma.vehicle.deleteMany({ where: { id: { in: [...ids] } } });

const name = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: null });

test('a walk meets each row that was there all the time once, whatever others insert and delete', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 12 }),
      fc.array(fc.record({ added: fc.array(name, { maxLength: 3 }), removed: fc.nat({ max: 11 }) }), {
        maxLength: 6,
      }),
      fc.constantFrom('name', 'year', 'id', 'modified'),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 4 }),
      async (names, changes, sort, direction, size) => {
        await gateway.database.prisma.vehicle.deleteMany();
        const ids = await insert(names);
        const removed = new Set<string>();
        const added: string[] = [];
        const pending = [...changes];
        const start = `/v1/vehicles?sort=${sort}&sortDirection=${direction}&paging=${size}&cursor=`;
        const pages = await walk(gateway, start, async () => {
          const change = pending.shift();
          if (!change) return;
          const gone = ids[change.removed % ids.length] ?? '';
          removed.add(gone);
          await remove([gone]);
          added.push(...(await insert(change.added)));
        });
        const met = pages.flat();
        expect(new Set(met).size).toBe(met.length);
        const stayed = ids.filter((id) => !removed.has(id));
        expect(met.filter((id) => stayed.includes(id)).sort()).toEqual(stayed.sort());
        expect(met.every((id) => ids.includes(id) || added.includes(id))).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});

test('it has the order, the filter and the size of the first request, and ends after the last row', async () => {
  await insert(['Van 1', 'Van 2', 'Bus', 'Van 3', 'Van 4', 'Van 5']);
  const all = await page(gateway, '/v1/vehicles?term=van&sort=year&sortDirection=desc');
  const pages = await walk(gateway, '/v1/vehicles?term=van&sort=year&sortDirection=desc&paging=2&cursor=');
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(all.ids);
});

test('`page` is 1, `pages` and `total` are those of the whole list', async () => {
  await insert(['a', 'b', 'c']);
  const first = await page(gateway, '/v1/vehicles?paging=2&cursor=');
  expect(first).toMatchObject({ page: 1, pages: 2, total: 3 });
  const second = await page(gateway, first.links.next ?? '');
  expect(second).toMatchObject({ page: 1, pages: 2, total: 3 });
  expect(second.links).toEqual({ first: '/v1/vehicles?paging=2&cursor=' });
});

test('it is the cursor of GraphQL', async () => {
  await insert(['a', 'b', 'c']);
  const { data } = await gateway.graphql('{ vehicles(first: 2) { pageInfo { endCursor } } }');
  const { endCursor } = data.vehicles.pageInfo;
  const { links } = await page(gateway, '/v1/vehicles?paging=2&cursor=');
  expect(links.next).toBe(`/v1/vehicles?paging=2&cursor=${endCursor}`);
});

test('an empty list is the end of a walk', async () => {
  const { ids, links, response } = await page(gateway, '/v1/vehicles?cursor=');
  expect([ids, links]).toEqual([[], { first: '/v1/vehicles?cursor=' }]);
  expect(response.json).toMatchObject({ page: 1, pages: 0, total: 0 });
});

describe('400', () => {
  const refused = async (query: string, message: RegExp) =>
    expectBadRequest(await gateway.send('GET', `/v1/vehicles?${query}`), message);
  const cursorIn = async (path: string) => {
    const response = await gateway.send('GET', `${path}&paging=1&cursor=`);
    return new URL(linksOf(response, gateway.url).next ?? '', gateway.url).searchParams.get('cursor') ?? '';
  };

  test('with a page', async () => {
    await insert(['a', 'b']);
    const cursor = await cursorIn('/v1/vehicles?');
    await refused(`page=2&cursor=${cursor}`, /^cursor: cannot be combined with page/);
    await refused('page=1&cursor=', /^cursor: cannot be combined with page/);
    // What generated clients send for none.
    const { ids } = await page(gateway, `/v1/vehicles?page=-1&cursor=${cursor}`);
    expect(ids).toHaveLength(1);
    expect((await page(gateway, `/v1/vehicles?page=&cursor=${cursor}`)).ids).toEqual(ids);
  });

  test('for an invalid one, and for one that is sent twice', async () => {
    await insert(['a', 'b']);
    const cursor = await cursorIn('/v1/vehicles?');
    for (const garbled of ['x', cursor.slice(0, -4), `x${cursor}`, '%00', 'W10', cursor.toUpperCase()])
      await refused(`cursor=${garbled}`, /^cursor: is not a cursor of this list/);
    await refused(`cursor=${cursor}&Cursor=${cursor}`, /^cursor: is sent more than once/);
  });

  test('for one of another order, and for one of another list', async () => {
    await insert(['a', 'b']);
    const other = /^cursor: is a cursor of this list for a different order/;
    await refused(`cursor=${await cursorIn('/v1/vehicles?sort=year')}`, other);
    await refused(`sortDirection=desc&cursor=${await cursorIn('/v1/vehicles?sort=name')}`, other);
    const teams = await cursorIn('/v1/teams?');
    expect(teams).not.toBe('');
    await refused(`cursor=${teams}`, /^cursor: is not a cursor of this list/);
  });
});

test('a page after a cursor takes as many statements as a numbered one', async () => {
  await insert(['a', 'b', 'c', 'd']);
  const { links } = await page(gateway, '/v1/vehicles?paging=2&cursor=');
  const sent = async (path: string) => (await namesOf(gateway, () => gateway.send('GET', path))).sort();
  const numbered = await sent('/v1/vehicles?paging=2&page=2');
  expect(numbered).toEqual(['vehicles.count', 'vehicles.list + users']);
  expect(await sent(links.next ?? '')).toEqual(numbered);
  const found = await page(gateway, '/v1/vehicles?paging=2&term=a&cursor=');
  expect(found.total).toBe(1);
  expect(await sent('/v1/vehicles?paging=2&term=a&cursor=')).toEqual(
    await sent('/v1/vehicles?paging=2&term=a&page=1'),
  );
});
