import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { expectError } from '../rest/support.js';
import { execute } from '../support/database.js';
import { createDatabase, createTenant, type TestResponse, testTime, useGateway } from '../support/gateway.js';
import { postgresUrl } from '../support/postgres.js';
import { pages } from './lists.js';
import { create, createVehicle } from './support.js';

const gateway = useGateway();
let name: string;
beforeAll(async () => {
  const [row] = await gateway.database.prisma.$queryRaw<
    { name: string }[]
  >`SELECT current_database() AS name`;
  name = row?.name ?? '';
});

const sql = (text: string) => gateway.database.prisma.$executeRawUnsafe(text);

/** Expects that an answer contains no secrets. */
function expectNoSecrets({ text, headers }: TestResponse): void {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const said = `${text} ${JSON.stringify([...headers])}`;
  for (const secret of [name, hostname, `:${port}`, username, password].filter((secret) => secret !== '')) {
    expect(said).not.toContain(secret);
  }
  expect(said).not.toMatch(
    /prisma|postgres|\bpg\b|\bSQL|SELECT|INSERT|relation|constraint|event_logs|stack/i,
  );
  expect(said).not.toMatch(/\.[jt]s\b|node_modules|file:|ECONN/);
}

/** Both doors, reading and writing, and the answer that each gives when it fails. */
const doors: [string, () => Promise<TestResponse>][] = [
  ['a list', () => gateway.send('POST', '/graphql', { body: { query: pages } })],
  [
    'a write',
    () =>
      gateway.send('POST', '/graphql', { body: { query: create, variables: { input: { name: 'Van' } } } }),
  ],
  ['a REST list', () => gateway.send('GET', '/v1/vehicles')],
  ['a REST write', () => gateway.send('POST', '/v1/vehicles', { body: {} })],
];

describe('a fault of ours', () => {
  const message = 'Something went wrong in the service; the details are in its log.';
  afterEach(async () => {
    await sql('ALTER TABLE IF EXISTS vehicles_gone RENAME TO vehicles');
    await sql('ALTER TABLE IF EXISTS event_logs_gone RENAME TO event_logs');
  });

  const answers = { 'a list': null, 'a write': { vehicle: null } };
  // Rows are read when they are asked for.
  const paths = { 'a list': ['vehicles', 'edges'], 'a write': ['vehicle'] };

  test.each(doors.slice(0, 2))('is masked: %s', async (door, send) => {
    const answered = answers[door as keyof typeof answers];
    await sql('ALTER TABLE vehicles RENAME TO vehicles_gone');
    const response = await send();
    expect([response.status, response.json]).toEqual([
      200,
      {
        // A list cannot be without its rows, an operation without its answer.
        data: answered,
        errors: [
          {
            message,
            locations: expect.any(Array),
            path: paths[door as keyof typeof paths],
            extensions: { code: 'INTERNAL_ERROR', violations: [] },
          },
        ],
      },
    ]);
    expectNoSecrets(response);
  });

  test.each(doors.slice(2))('is masked: %s', async (_, send) => {
    await sql('ALTER TABLE vehicles RENAME TO vehicles_gone');
    const response = await send();
    expect([response.status, response.json]).toEqual([500, { message, ok: false, code: 'INTERNAL_ERROR' }]);
    expectNoSecrets(response);
  });

  test('in the middle of a write undoes the write', async () => {
    await sql('ALTER TABLE event_logs RENAME TO event_logs_gone');
    const before = await gateway.database.prisma.vehicle.count();
    for (const send of [doors[1]?.[1], doors[3]?.[1]]) {
      const response = await send?.();
      expect(response?.text).toContain('INTERNAL_ERROR');
      expectNoSecrets(response as TestResponse);
    }
    expect(await gateway.database.prisma.vehicle.count()).toBe(before);
  });

  test('is logged with the id of its request', async () => {
    const lines: string[] = [];
    const other = await createDatabase();
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const { admin } = await createTenant(other.database);
    const config = readConfig({ DATABASE_URL: other.url });
    const app = createApp({ database: other.database, config, log, clock: () => testTime });
    const { url } = await app.listen('127.0.0.1', 0);
    try {
      await other.database.prisma.$executeRaw`DROP TABLE vehicles CASCADE`;
      const headers = { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ query: pages });
      const one = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
      const two = await fetch(`${url}/v1/vehicles`, { headers });
      expect([one.status, two.status]).toEqual([200, 500]);
      const logged = lines.map((line) => JSON.parse(line));
      expect(logged.map(({ id }) => id)).toEqual(
        [one, two].map((response) => response.headers.get('x-request-id')),
      );
      for (const { err } of logged) expect(err.message).toContain('vehicles');
      expect(lines.join()).not.toContain(admin);
    } finally {
      await app.close();
      await other.drop();
    }
  });
});

describe('without the database', () => {
  async function away(): Promise<void> {
    await execute(postgresUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await execute(
      postgresUrl,
      // Those that wait for a lock first, so that none gets it when its holder goes.
      `SELECT pg_terminate_backend(pid) FROM (
        SELECT pid FROM pg_stat_activity WHERE datname = '${name}'
        ORDER BY wait_event_type IS NOT DISTINCT FROM 'Lock' DESC
      ) AS sessions`,
    );
  }
  async function back(): Promise<void> {
    await execute(postgresUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  }
  afterEach(back);

  test('both doors are UNAVAILABLE, readiness says so, and all come back with it', async () => {
    await createVehicle(gateway);
    await away();
    const answers = await Promise.all(doors.map(([, send]) => send()));
    const again = await Promise.all(doors.map(([, send]) => send()));
    for (const response of [...answers, ...again]) expectNoSecrets(response);
    for (const [list, write, restList, restWrite] of [answers, again]) {
      for (const response of [list, write]) {
        expect([response?.status, response?.json]).toEqual([
          503,
          {
            errors: [
              {
                message: expect.stringMatching(/\S/),
                extensions: { code: 'UNAVAILABLE', violations: [], retryAfter: 1 },
              },
            ],
          },
        ]);
      }
      for (const response of [restList, restWrite]) expectError(response as TestResponse, 503, 'UNAVAILABLE');
    }
    const health = async (path: string) => {
      const response = await gateway.send('GET', `/health/${path}`, { token: null });
      expectNoSecrets(response);
      return response.status;
    };
    expect([await health('live'), await health('ready')]).toEqual([200, 503]);
    await back();
    // PgBouncer refuses the first client once more, and only then asks whether PostgreSQL is back.
    await expect.poll(() => health('ready')).toBe(200);
    expect(await health('live')).toBe(200);
    for (const [what, send] of doors) expect((await send()).text, what).not.toMatch(/UNAVAILABLE|ERROR/);
  });

  const waiters = () => gateway.database.prisma.$queryRaw`
    SELECT FROM pg_stat_activity WHERE datname = ${name} AND wait_event_type = 'Lock'`;

  test('that goes while a write waits, the write is UNAVAILABLE and not done', async () => {
    const { id } = await createVehicle(gateway, { name: 'Before' });
    let waiting: Promise<TestResponse> | undefined;
    const blocker = gateway.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
      const query = `mutation { updateVehicle(id: "${id}", input: { name: "After" }) { id } }`;
      waiting = gateway.send('POST', '/graphql', { body: { query } });
      await expect.poll(waiters).toHaveLength(1);
      await away();
    });
    await expect(blocker).rejects.toThrow(/terminat|connection/i);
    const response = await waiting;
    expect(response?.json.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    expectNoSecrets(response as TestResponse);
    await back();
    expect(await gateway.database.prisma.vehicle.findUnique({ where: { id } })).toMatchObject({
      name: 'Before',
    });
  });
});
