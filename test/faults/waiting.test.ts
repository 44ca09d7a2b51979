import { afterEach, expect, test } from 'vitest';
import { startGateway, type TestGateway, type TestResponse } from '../support/gateway.js';

let gateway: TestGateway;
afterEach(() => gateway.close());

const message = 'The database cannot answer now; try again.';

/** Expects the answers of both APIs when the database takes too long. */
function expectUnavailable(rest: TestResponse, graphql: TestResponse): void {
  expect([rest.status, rest.json]).toEqual([503, { message, ok: false, code: 'UNAVAILABLE' }]);
  expect(rest.headers.get('retry-after')).toBe('1');
  expect(graphql.json.errors).toMatchObject([
    { message, extensions: { code: 'UNAVAILABLE', retryAfter: 1 } },
  ]);
}

/** Runs `work` while another session holds a lock. */
async function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  return gateway.database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(lock);
      return work();
    },
    { timeout: 60_000 },
  );
}

/** Renames a vehicle at both doors. */
function rename(id: string): Promise<[TestResponse, TestResponse]> {
  const query = 'mutation($id: ID!) { updateVehicle(id: $id, input: {name: "New"}) { name } }';
  return Promise.all([
    gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: 'New' } }),
    gateway.send('POST', '/graphql', { body: { query, variables: { id } } }),
  ]);
}

test('a row that another session has is waited for as long as a lock may take', async () => {
  gateway = await startGateway({}, {}, { patience: { lock: 500 } });
  const { id } = (await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } })).json;
  const lock = `SELECT FROM vehicles WHERE id = '${id}' FOR UPDATE`;
  expectUnavailable(...(await whileLocked(lock, () => rename(id))));
  // Nothing was written, and nothing is left behind.
  expect((await gateway.send('GET', '/v1/vehicles')).json.vehicles).toMatchObject([{ name: 'Van' }]);
  expect((await gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: 'New' } })).status).toBe(200);
});

test('a statement may take so long, and no longer', async () => {
  gateway = await startGateway({}, {}, { patience: { statement: 2_000 } });
  const { prisma } = gateway.database;
  await prisma.$executeRaw`ALTER TABLE vehicles RENAME TO slow_vehicles`;
  await prisma.$executeRaw`CREATE VIEW vehicles AS SELECT slow.* FROM slow_vehicles AS slow, pg_sleep(60)`;
  await prisma.$executeRaw`INSERT INTO slow_vehicles (id, organization_id, team_id, name)
    VALUES (gen_random_uuid(), ${gateway.organizationId}::uuid, ${gateway.teamId}::uuid, 'Van')`;
  const query = '{ vehicles { nodes { name } } }';
  const answers = await Promise.all([
    gateway.send('GET', '/v1/vehicles'),
    gateway.send('POST', '/graphql', { body: { query } }),
  ]);
  expectUnavailable(...answers);
});

test('a free connection is waited for so long, and no longer', async () => {
  gateway = await startGateway({}, {}, { poolSize: 2, patience: { connection: 3_000 } });
  const holds = [0, 1].map(() => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = () => {};
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const done = gateway.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1`;
      taken();
      await released;
    });
    return { isTaken, release, done };
  });
  await Promise.all(holds.map(({ isTaken }) => isTaken));
  const answers = await Promise.all([
    gateway.send('GET', '/v1/vehicles'),
    gateway.send('POST', '/graphql', { body: { query: '{ me { name } }' } }),
  ]);
  expectUnavailable(...answers);
  expect([answers[1].status, answers[1].headers.get('retry-after')]).toEqual([503, '1']);
  for (const { release } of holds) release();
  await Promise.all(holds.map(({ done }) => done));
  expect((await gateway.send('GET', '/v1/vehicles')).status).toBe(200);
});

test('connections that an operator ends are made anew', async () => {
  gateway = await startGateway();
  await gateway.send('GET', '/v1/vehicles');
  const { prisma } = gateway.database;
  const end = () => prisma.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await end();
  const answer = await gateway.send('GET', '/v1/vehicles');
  expect([200, 503]).toContain(answer.status);
  await expect.poll(async () => (await gateway.send('GET', '/v1/vehicles')).status).toBe(200);
});
