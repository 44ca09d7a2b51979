import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { type ConnectionArguments, idsOf, insert, listOf, pages, readIds, readPage } from './lists.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
/** Seven vehicles in the order of their names. */
let ids: string[];
let cursors: string[];
beforeAll(async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  ids = await insert(
    gateway,
    gateway,
    names.map((name) => ({ name })),
  );
  cursors = (await readPage(gateway, {})).edges.map(({ cursor }) => cursor);
});

const at = (i: number) => ids.at(i) as string;
const cursor = (i: number) => cursors.at(i) as string;

describe('a page', () => {
  const all = [0, 1, 2, 3, 4, 5, 6];
  // The arguments, the rows answered, whether there is a previous page, and a next one.
  test.each<[string, () => ConnectionArguments, number[], boolean, boolean]>([
    ['without arguments', () => ({}), all, false, false],
    [
      'with nulls',
      () => ({ first: null, after: null, last: null, before: null, offset: null }),
      all,
      false,
      false,
    ],
    ['first', () => ({ first: 2 }), [0, 1], false, true],
    ['first, all of them', () => ({ first: 7 }), all, false, false],
    ['first, more than there are', () => ({ first: 500 }), all, false, false],
    ['first none', () => ({ first: 0 }), [], false, true],
    ['first after', () => ({ first: 2, after: cursor(1) }), [2, 3], true, true],
    ['first after, to the end', () => ({ first: 2, after: cursor(4) }), [5, 6], true, false],
    ['after the last', () => ({ after: cursor(-1) }), [], true, false],
    ['after', () => ({ after: cursor(4) }), [5, 6], true, false],
    ['last', () => ({ last: 2 }), [5, 6], true, false],
    ['last, all of them', () => ({ last: 7 }), all, false, false],
    ['last none', () => ({ last: 0 }), [], true, false],
    ['last before', () => ({ last: 2, before: cursor(3) }), [1, 2], true, true],
    ['last before, to the start', () => ({ last: 2, before: cursor(2) }), [0, 1], false, true],
    ['before the first', () => ({ last: 3, before: cursor(0) }), [], false, true],
    ['before, from the start', () => ({ before: cursor(2) }), [0, 1], false, false],
    ['first before', () => ({ first: 1, before: cursor(2) }), [0], false, true],
    ['last after', () => ({ last: 1, after: cursor(4) }), [6], true, false],
    ['between two', () => ({ after: cursor(1), before: cursor(5) }), [2, 3, 4], true, false],
    ['first between two', () => ({ first: 2, after: cursor(1), before: cursor(5) }), [2, 3], true, true],
    ['last between two', () => ({ last: 2, after: cursor(1), before: cursor(5) }), [3, 4], true, true],
    ['between two that cross', () => ({ after: cursor(5), before: cursor(1) }), [], true, false],
    ['offset', () => ({ first: 2, offset: 3 }), [3, 4], true, true],
    ['offset 0', () => ({ first: 2, offset: 0 }), [0, 1], false, true],
    ['offset, to the end', () => ({ first: 2, offset: 5 }), [5, 6], true, false],
    ['offset past the end', () => ({ offset: 2_147_483_647 }), [], true, false],
  ])('%s', async (_, args, rows, hasPreviousPage, hasNextPage) => {
    const page = await readPage(gateway, args());
    expect(idsOf(page)).toEqual(rows.map(at));
    const { startCursor, endCursor, ...more } = page.pageInfo;
    const [first, last] = [rows.at(0), rows.at(-1)].map((i) => (i === undefined ? null : cursor(i)));
    expect([startCursor, endCursor]).toEqual([first, last]);
    expect(page.edges.map((edge) => edge.cursor)).toEqual(rows.map(cursor));
    // Where the other side of a cursor cannot be known without another statement, Relay allows either answer.
    if (!('before' in args()) || 'last' in args()) expect(more).toEqual({ hasPreviousPage, hasNextPage });
    else expect(more.hasPreviousPage).toBe(hasPreviousPage);
  });

  test('nodes are the edges’ nodes', async () => {
    const { vehicles } = await ask(gateway, listOf('nodes { id name } edges { node { id name } }'), {
      first: 3,
    });
    expect(vehicles.nodes).toEqual(vehicles.edges.map(({ node }: { node: object }) => node));
    expect(vehicles.nodes.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('several lists in one document do not mix', async () => {
    const query = `{
      a: vehicles(first: 1) { nodes { name } totalCount }
      b: vehicles(last: 1) { nodes { name } }
      c: vehicles(filter: { term: "C" }) { nodes { name } totalCount }
    }`;
    expect(await ask(gateway, query)).toEqual({
      a: { nodes: [{ name: 'a' }], totalCount: 7 },
      b: { nodes: [{ name: 'g' }] },
      c: { nodes: [{ name: 'c' }], totalCount: 1 },
    });
  });

  test('a list with nothing in it', async () => {
    const filter = { term: 'nothing is called that' };
    const { vehicles } = await ask(
      gateway,
      listOf('nodes { id } totalCount pageInfo { startCursor endCursor }'),
      {
        filter,
      },
    );
    expect(vehicles).toEqual({ nodes: [], totalCount: 0, pageInfo: { startCursor: null, endCursor: null } });
  });

  test('has 100 rows when no size is asked for, and 500 at most', async () => {
    const filter = { term: 'many' };
    const many = await insert(
      gateway,
      gateway,
      Array.from({ length: 501 }, () => ({ name: 'many' })),
    );
    expect(idsOf(await readPage(gateway, { filter }))).toEqual(many.slice(0, 100));
    expect(await readIds(gateway, { filter, first: 500 })).toEqual(many.slice(0, 500));
    const last = await readPage(gateway, { filter, last: 500 });
    expect(idsOf(last)).toEqual(many.slice(1));
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    await gateway.database.prisma.vehicle.deleteMany({ where: { name: 'many' } });
  });
});

describe('arguments that are refused', () => {
  test.each<[string, ConnectionArguments, string | undefined, RegExp]>([
    ['501 rows', { first: 501 }, 'first', /from 0 to 500/],
    ['501 rows from the end', { last: 501 }, 'last', /from 0 to 500/],
    ['a negative number', { first: -1 }, 'first', /-1/],
    ['a negative number from the end', { last: -2_147_483_648 }, 'last', /from 0 to 500/],
    ['a negative offset', { first: 1, offset: -1 }, 'offset', /-1/],
    ['both ends', { first: 1, last: 1 }, undefined, /`first` or `last`/],
    ['both ends, of nothing', { first: 0, last: 0 }, undefined, /`first` or `last`/],
    ['an offset from the end', { last: 1, offset: 1 }, undefined, /`offset`/],
  ])('%s', async (_, args, field, message) => {
    await expectRefusal(refusal(gateway, pages, args), 'BAD_REQUEST', field, message);
  });

  test.each(['after', 'before'] as const)('an offset with %s', async (argument) => {
    const args = { offset: 1, [argument]: cursor(1) };
    await expectRefusal(refusal(gateway, pages, args), 'BAD_REQUEST', undefined, /`offset`/);
  });

  test.each<[string, object]>([
    ['a fraction', { first: 1.5 }],
    ['a number beyond 32 bits', { first: 2 ** 31 }],
    ['a number for a cursor', { after: 7 }],
    ['an order without field', { orderBy: { direction: 'ASC' } }],
    ['an unknown field', { orderBy: { field: 'WHEELS' } }],
    ['a list of fields', { orderBy: { field: 'CUSTOM_FIELDS' } }],
    ['a direction in lower case', { orderBy: { field: 'NAME', direction: 'asc' } }],
    ['an unknown filter', { filter: { wheels: 4 } }],
  ])('%s', async (_, variables) => {
    const { json } = await gateway.send('POST', '/graphql', { body: { query: pages, variables } });
    expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });
});

describe('totalCount', () => {
  const counting = /COUNT\(|record_counts/i;
  const sent = (selection: string, args = {}) =>
    gateway.statements(() => ask(gateway, listOf(selection), args));

  test('is not counted when it is not asked for', async () => {
    const statements = await sent('nodes { id } pageInfo { hasNextPage }');
    expect(statements.filter((sql) => counting.test(sql))).toEqual([]);
    const skipped = await sent('nodes { id } totalCount @skip(if: true)');
    expect(skipped.filter((sql) => counting.test(sql))).toEqual([]);
  });

  test('is counted once, however often it is asked for', async () => {
    const statements = await sent('totalCount again: totalCount ... { more: totalCount } nodes { id }');
    expect(statements.filter((sql) => counting.test(sql))).toHaveLength(1);
  });

  test('counts the whole list, whatever its page', async () => {
    for (const args of [{ first: 0 }, { first: 1, after: cursor(3) }, { last: 2 }, { offset: 99 }]) {
      expect((await ask(gateway, listOf('totalCount'), args)).vehicles).toEqual({ totalCount: 7 });
    }
  });
});
