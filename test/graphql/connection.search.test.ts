import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { insert, listOf, type VehicleOrder } from './lists.js';
import { ask } from './support.js';

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly make: string;
}

/** More than a search walks through before it collects what matches. */
const count = 1200;

const gateway = useGateway();
beforeAll(async () => {
  await insert(
    gateway,
    gateway,
    Array.from({ length: count }, (_, i) => ({
      name: i % 50 === 0 ? null : `van ${String((i * 7919) % count).padStart(4, '0')}`,
      make: i % 300 === 7 ? 'Rarest' : i % 3 === 0 ? 'Often' : 'Ja',
      year: i % 40 === 0 ? null : 1990 + (i % 30),
    })),
  );
});

const page = listOf('edges { cursor node { id name make } }');
const counted = listOf('totalCount edges { cursor node { id name make } }');

type Edge = { readonly cursor: string; readonly node: Row };

async function edgesOf(args: object, query = page): Promise<Edge[]> {
  return (await ask(gateway, query, args)).vehicles.edges;
}

/** Returns the whole list, in no need of a search. */
async function wholeList(orderBy: VehicleOrder): Promise<Row[]> {
  const parts = [0, 500, 1000].map((offset) => edgesOf({ orderBy, first: 500, offset }));
  return (await Promise.all(parts)).flat().map(({ node }) => node);
}

const has = (term: string) => (row: Row) =>
  `${row.name ?? ''}\n${row.make}`.toLowerCase().includes(term.toLowerCase());

const rows = (edges: readonly Edge[]) => edges.map(({ node }) => node);

describe.each<VehicleOrder>([
  { field: 'NAME', direction: 'ASC' },
  { field: 'NAME', direction: 'DESC' },
  { field: 'YEAR', direction: 'ASC' },
  { field: 'MODIFIED', direction: 'DESC' },
])('by $field $direction', (orderBy) => {
  let list: Row[];
  beforeAll(async () => {
    list = await wholeList(orderBy);
    expect(list).toHaveLength(count);
  });

  test.each(['VAN', 'often', 'rarest', 'ja', 'van 0007', 'nothing'])(
    'a search for %s finds what the whole list has',
    async (term) => {
      const all = list.filter(has(term));
      const filter = { term };
      for (const [first, offset] of [
        [20, 0],
        [7, 13],
        [3, all.length + 1],
      ]) {
        if (first === undefined || offset === undefined) continue;
        const part = all.slice(offset, offset + first);
        const args = { orderBy, filter, first, offset };
        expect(rows(await edgesOf(args))).toEqual(part);
        const { totalCount, edges } = (await ask(gateway, counted, args)).vehicles;
        expect(rows(edges)).toEqual(part);
        expect(totalCount).toBe(all.length);
      }
    },
  );

  test.each(['van', 'often', 'rarest'])(
    'a search for %s continues at any cursor, in both directions',
    async (term) => {
      const all = list.filter(has(term));
      const edges = await edgesOf({ orderBy, filter: { term }, first: 500 });
      for (const place of [0, Math.floor(edges.length / 2), edges.length - 1]) {
        const cursor = edges[place]?.cursor;
        const [after, before] = [
          { orderBy, filter: { term }, first: 9, after: cursor },
          { orderBy, filter: { term }, last: 9, before: cursor },
        ];
        for (const query of [page, counted]) {
          expect(rows(await edgesOf(after, query))).toEqual(all.slice(place + 1, place + 10));
          expect(rows(await edgesOf(before, query))).toEqual(all.slice(Math.max(place - 9, 0), place));
        }
      }
    },
  );
});

describe('of a table that PostgreSQL has statistics of', () => {
  let list: Row[];
  beforeAll(async () => {
    list = await wholeList({ field: 'NAME', direction: 'ASC' });
    await gateway.database.prisma.$executeRaw`ANALYZE vehicles`;
    // What is known of it is kept for ten minutes.
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 600_000);
  });

  const orderBy: VehicleOrder = { field: 'NAME', direction: 'ASC' };
  const last = async (filter: object, query = page) =>
    (await gateway.statements(() => ask(gateway, query, { orderBy, filter }))).at(-1);

  test.each(['van 0007', 'VAN  0007', 'vAn 011', '0907', 'van', 'an 0', 'often', 'van often', 'nothing'])(
    'a search for %s finds what the whole list has',
    async (term) => {
      const all = list.filter(has(term));
      for (const query of [page, counted]) {
        const { edges } = (await ask(gateway, query, { orderBy, filter: { term }, first: 500 })).vehicles;
        expect(rows(edges)).toEqual(all.slice(0, 500));
      }
      const { totalCount } = (await ask(gateway, listOf('totalCount'), { filter: { term } })).vehicles;
      expect(totalCount).toBe(all.length);
    },
  );

  test('one plan does for all words that few have, and one for numbers; for others, each has its own', async () => {
    const statements: (string | undefined)[] = [];
    for (const term of ['van 0008', 'zebra', 'x 4711', 'rarely']) statements.push(await last({ term }));
    expect(statements[0]).toContain('LIKE (SELECT folded($');
    // A licence plate has a digit, and is compared without what divides it, too.
    expect(new Set(statements).size).toBe(2);
    for (const term of ['van', 'van 0', 'rarest']) expect(await last({ term })).not.toContain('(SELECT $');
    expect(await last({ term: 'zebra' }, counted)).toContain('LIKE (SELECT folded($');
    expect(await last({ term: 'zebra' }, listOf('totalCount'))).toContain('LIKE (SELECT folded($');
  });

  test.each(['a1 b2', 'q-1-z'])(
    'three letters or digits with signs between them are looked up: %s',
    async (term) => {
      expect(await last({ term })).toContain('LIKE (SELECT folded($');
      const client = new pg.Client({ connectionString: gateway.databaseUrl });
      await client.connect();
      try {
        // The only index of a table of its own: of several, PostgreSQL might take one that reads all rows.
        await client.query(`CREATE TEMPORARY TABLE texts AS SELECT folded(name) AS text FROM vehicles;
          CREATE INDEX ON texts USING gin (text gin_trgm_ops);
          SET enable_seqscan = off`);
        const { rows } = await client.query(
          'EXPLAIN (ANALYZE, FORMAT JSON) SELECT text FROM texts WHERE text LIKE (SELECT folded($1))',
          [`%${term}%`],
        );
        const plan = JSON.stringify(rows[0]['QUERY PLAN']);
        const [, read] = /"Bitmap Index Scan".*?"Actual Rows":(\d+)/.exec(plan) ?? [];
        expect(Number(read)).toBe(0);
      } finally {
        await client.end();
      }
    },
  );

  test('rare terms are looked up only in the trigram index', async () => {
    const client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    try {
      await client.query('SET enable_seqscan = off');
      for (const query of [counted, listOf('totalCount')]) {
        const sent = await last({ term: 'van 0008', teamId: gateway.teamId }, query);
        const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${sent}`);
        const plan = rows.map((line) => line['QUERY PLAN']).join('\n');
        const searched = [...plan.matchAll(/Bitmap Index Scan on (\w+)/g)].map(([, index]) => index);
        expect(searched.filter((index) => index === 'vehicles_term_idx')).toHaveLength(5);
        expect(searched).toContain('vehicles_custom_term_idx');
        // No vehicle here has a licence plate, so either index of plates will do.
        expect(searched).toHaveLength(7);
        expect(plan).toContain('Index Scan using vehicles_pkey');
      }
    } finally {
      await client.end();
    }
  });

  test.each([
    ['a letter that is small in two ways', 'Licence ΑΒΣ\uFEFFalpha 1'],
    ['spaces of other kinds', 'van\u00A00008\u3000van'],
    ['signs of its own', 'van 50%_\\ of'],
  ])('the result contains exactly the rows with the term: %s', async (_, name) => {
    await insert(gateway, gateway, [{ name }]);
    for (const term of [name, name.toLowerCase(), name.slice(0, -2)]) {
      const { nodes } = (await ask(gateway, listOf('nodes { name }'), { filter: { term } })).vehicles;
      expect(nodes).toEqual([{ name }]);
    }
  });

  test('statistics are read once', async () => {
    const sent = () => namesOf(gateway, () => ask(gateway, page, { filter: { term: 'zebra' } }));
    expect(await sent()).toEqual(['vehicles.search']);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 600_000);
    // Those of the table, and those of the index of custom fields.
    expect(await sent()).toEqual(['pg_stats.read', 'pg_stats.read', 'vehicles.search']);
    expect(await sent()).toEqual(['vehicles.search']);
  });
});

test('rows and their number are one search', async () => {
  const sent = (query: string) => () => ask(gateway, query, { filter: { term: 'van' } });
  expect(await namesOf(gateway, sent(counted))).toEqual(['vehicles.search']);
  expect(await namesOf(gateway, sent(page))).toEqual(['vehicles.search']);
  expect(await namesOf(gateway, sent(listOf('totalCount')))).toEqual(['vehicles.count']);
});
