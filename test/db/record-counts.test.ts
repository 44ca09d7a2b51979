import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/connection/database.js';
import { addUpCounts, countedModels } from '../../src/db/sql/select.js';
import { models } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { startWorkerOn } from '../uploads/support.js';

let gateway: TestGateway;
let other: Tenant;
/** Where rows are put: two workspaces of an organization, and one of another. */
let places: { organizationId: string; teamId: string }[];
const clients: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  gateway = await startGateway();
  other = await createTenant(gateway.database, 'Globex');
  const { organizationId, teamId, otherTeamId } = gateway;
  places = [
    { organizationId, teamId },
    { organizationId, teamId: otherTeamId },
    { organizationId: other.organizationId, teamId: other.teamId },
  ];
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await gateway.close();
});

/** Of each workspace of each table, what is kept and what there is, as far as they differ in one snapshot. */
const differences = ['event_logs', 'vehicles']
  .map(
    (table) => `
      SELECT '${table}' AS table_name, * FROM (
        SELECT organization_id, team_id, count(*) AS counted FROM ${table} GROUP BY 1, 2
      ) AS there FULL JOIN (
        SELECT organization_id, team_id, sum(change) AS kept FROM record_counts
        WHERE table_name = '${table}' GROUP BY 1, 2
      ) AS known USING (organization_id, team_id)
      WHERE coalesce(counted, 0) <> coalesce(kept, 0)`,
  )
  .join(' UNION ALL ');

/**
 * Returns the database through a client: what adds up in its transaction stays under way while others go on.
 */
const throughClient = (client: pg.Client): Pick<Database, 'query'> => ({
  query: async ({ text, values }) => (await client.query(text, [...values])).rows,
});

async function expectExact(client: pg.Client): Promise<void> {
  expect((await client.query(differences)).rows).toEqual([]);
}

const columns = {
  event_logs: `organization_id, team_id, id, type_id, description, user_name`,
  vehicles: 'organization_id, team_id, id',
};
const values = { event_logs: `gen_random_uuid(), 1, 'Test', 'Ada'`, vehicles: 'gen_random_uuid()' };
type Table = keyof typeof columns;

const insert = (table: Table, place: number, count: number): [string, unknown[]] => [
  `INSERT INTO ${table} (${columns[table]}) SELECT $1, $2, ${values[table]} FROM generate_series(1, $3)`,
  [places[place]?.organizationId, places[place]?.teamId, count],
];

/**
 * Returns some rows that no other transaction has changed: a test that is one process cannot wait for itself.
 */
const some = (table: Table, count: number) =>
  `id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${count} FOR UPDATE SKIP LOCKED)`;

const move = (table: Table, place: number, count: number): [string, unknown[]] => [
  `UPDATE ${table} SET organization_id = $1, team_id = $2 WHERE ${some(table, count)}`,
  [places[place]?.organizationId, places[place]?.teamId],
];

/** What one of the writers does next. */
const step = fc.record({
  writer: fc.nat({ max: 2 }),
  what: fc.constantFrom(
    ...(['begin', 'begin', 'commit', 'rollback', 'savepoint', 'undo', 'add up', 'truncate'] as const),
    ...(['insert', 'insert', 'delete', 'move', 'touch', 'forget'] as const),
  ),
  table: fc.constantFrom<Table>('event_logs', 'vehicles'),
  place: fc.nat({ max: 2 }),
  count: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Writer {
  readonly client: pg.Client;
  inside: boolean;
  saved: boolean;
}

async function take({ what, table, place, count }: Step, writer: Writer, writers: readonly Writer[]) {
  const { client } = writer;
  switch (what) {
    case 'begin':
      if (!writer.inside) await client.query('BEGIN');
      writer.inside = true;
      return;
    case 'commit':
    case 'rollback':
      if (writer.inside) await client.query(what);
      Object.assign(writer, { inside: false, saved: false });
      return;
    case 'savepoint':
      if (writer.inside) await client.query('SAVEPOINT here');
      writer.saved = writer.inside;
      return;
    case 'undo':
      if (writer.saved) await client.query('ROLLBACK TO here');
      return;
    case 'add up':
      return addUpCounts(throughClient(client));
    case 'truncate':
      // It would wait for all others.
      if (writers.every(({ inside }) => !inside)) await client.query(`TRUNCATE ${table} CASCADE`);
      return;
    case 'insert':
      return client.query(...insert(table, place, count));
    case 'delete':
      return client.query(`DELETE FROM ${table} WHERE ${some(table, count)}`);
    case 'move':
      return client.query(...move(table, place, count));
    case 'touch':
      return client.query(`UPDATE ${table} SET team_id = team_id WHERE ${some(table, count)}`);
    case 'forget':
      return client.query(`DELETE FROM ${table} WHERE organization_id = $1 AND ${some(table, 1_000)}`, [
        places[place]?.organizationId,
      ]);
  }
}

describe('the numbers of records that are kept', () => {
  test('are of the tables that the code takes for counted', async () => {
    const found = await gateway.database.sql<{ table: string; triggers: string[] }>(
      `SELECT relname AS table, array_agg(tgname::text ORDER BY tgname) AS triggers
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname LIKE 'count\\_%' AND NOT relispartition GROUP BY 1 ORDER BY 1`,
      [],
    );
    const triggers = ['count_added', 'count_moved', 'count_removed', 'count_truncated'];
    const tables = [...countedModels].map((model) => models[model].table).sort();
    expect(found).toEqual(tables.map((table) => ({ table, triggers })));
  });

  test('are what counting finds, in every snapshot of any history', async () => {
    const writers: Writer[] = [];
    for (let n = 0; n < 3; n++) writers.push({ client: await connect(), inside: false, saved: false });
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          for (const next of steps) {
            await take(next, writers[next.writer] as Writer, writers);
            for (const { client } of writers) await expectExact(client);
          }
        })
        .afterEach(async () => {
          for (const writer of writers) {
            if (writer.inside) await writer.client.query('ROLLBACK');
            Object.assign(writer, { inside: false, saved: false });
          }
        }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 60_000);

  test('are so while writers write and processes add up at once', async () => {
    let writing = true;
    const writer = async (n: number) => {
      const client = await connect();
      for (let turn = 0; turn < 25; turn++) {
        await client.query('BEGIN');
        await client.query(...insert(turn % 2 ? 'vehicles' : 'event_logs', (n + turn) % 3, 1 + (turn % 3)));
        if (turn % 4 === 1) await client.query(...move('vehicles', n % 3, 2));
        if (turn % 4 === 2) await client.query(`DELETE FROM event_logs WHERE ${some('event_logs', 2)}`);
        await client.query(turn % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
      }
    };
    const until = async (work: () => Promise<unknown>) => {
      while (writing) await work();
    };
    const reader = await connect();
    await Promise.all([
      ...[1, 2].map(() => until(() => addUpCounts(gateway.database))),
      until(() => expectExact(reader)),
      Promise.all([0, 1, 2, 3].map(writer)).finally(() => {
        writing = false;
      }),
    ]);
    await addUpCounts(gateway.database);
    await expectExact(reader);
    const { rows } = await reader.query(
      `SELECT table_name FROM record_counts GROUP BY table_name, team_id HAVING count(*) > 1 OR sum(change) <= 0`,
    );
    expect(rows).toEqual([]);
  }, 60_000);

  test('are so when a table is emptied while they are added up, and nobody waits', async () => {
    const [adding, emptying] = [await connect(), await connect()];
    for (const place of [0, 0, 1, 1]) await adding.query(...insert('vehicles', place, 2));
    await adding.query('BEGIN');
    await addUpCounts(throughClient(adding));
    await emptying.query(`SET lock_timeout = '20s'; TRUNCATE vehicles CASCADE`);
    await adding.query('COMMIT');
    await expectExact(adding);
  });

  test('begin with what there is', async () => {
    const client = await connect();
    const migration = await readFile('prisma/migrations/20261121101000_record_counts/migration.sql', 'utf8');
    await client.query('BEGIN; DROP FUNCTION count_records() CASCADE; DROP TABLE record_counts');
    await client.query(...insert('vehicles', 0, 3));
    await client.query(...insert('event_logs', 2, 2));
    await client.query(migration);
    await expectExact(client);
    await client.query(...insert('vehicles', 0, 3));
    await expectExact(client);
    await client.query('ROLLBACK');
  });

  test('are added up by a worker', async () => {
    const client = await connect();
    for (let n = 0; n < 3; n++) await client.query(...insert('vehicles', 2, 1));
    const worker = startWorkerOn(gateway, { addUpMs: 5 });
    try {
      await eventually(async () => {
        const { rows } = await client.query(
          `SELECT count(*)::integer AS rows FROM record_counts WHERE table_name = 'vehicles' AND team_id = $1`,
          [other.teamId],
        );
        expect(rows).toEqual([{ rows: 1 }]);
      });
    } finally {
      await worker.stop();
    }
    await expectExact(client);
  });
});

describe('a total', () => {
  const ask = (filter: object, token = gateway.admin) =>
    gateway.graphql(
      `query($filter: VehicleFilter) { vehicles(filter: $filter) { totalCount } }`,
      { filter },
      token,
    );
  const totalOf = async (filter: object, token?: string): Promise<number> =>
    (await ask(filter, token)).data.vehicles.totalCount;
  const kept = async (work: () => Promise<unknown>) =>
    (await gateway.statements(work)).some((sql) => sql.includes('record_counts'));

  test('covers what the caller sees, and is read rather than counted if that is everything', async () => {
    const { prisma } = gateway.database;
    await prisma.vehicle.deleteMany();
    await prisma.vehicle.createMany({
      data: places.flatMap((place, n) =>
        Array.from({ length: n + 1 }, () => ({ ...place, id: newId(), year: n })),
      ),
    });
    expect([await totalOf({}), await totalOf({}, gateway.member), await totalOf({}, other.admin)]).toEqual([
      3, 1, 3,
    ]);
    expect(await totalOf({ teamId: gateway.otherTeamId })).toBe(2);
    expect(await totalOf({ teamId: gateway.otherTeamId }, gateway.member)).toBe(0);
    expect(await totalOf({ teamId: other.teamId })).toBe(0);
    expect(await totalOf({ isArchived: true })).toBe(0);
    expect(await kept(() => ask({}))).toBe(true);
    expect(await kept(() => ask({ teamId: gateway.teamId }, gateway.member))).toBe(true);
    for (const filter of [
      { isArchived: false },
      { term: 'van' },
      { teamId: gateway.teamId, isArchived: true },
    ]) {
      expect(await kept(() => ask(filter))).toBe(false);
    }
  });

  test.each([
    ...['attachments', 'companies', 'contacts', 'deliveries', 'eventLogs', 'expirationItems', 'locations'],
    ...['notes', 'renewals', 'uploadNotifications', 'vehicles'],
  ])('of all %s is read', async (list) => {
    const whole = () => gateway.graphql(`{ ${list} { totalCount } }`);
    expect(await kept(whole)).toBe(true);
    expect((await whole()).errors).toBeUndefined();
  });

  test('of a numbered page is read as well', async () => {
    expect(await kept(() => gateway.send('GET', '/v1/vehicles'))).toBe(true);
    const { json } = await gateway.send('GET', '/v1/vehicles?paging=2');
    expect(json).toMatchObject({ total: 3, pages: 2 });
    const events = await gateway.send('GET', '/v1/eventlogs?paging=1');
    const { organizationId } = gateway;
    const total = await gateway.database.prisma.eventLog.count({ where: { organizationId } });
    expect(events.json).toMatchObject({ total, pages: total });
  });
});
