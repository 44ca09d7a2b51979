import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { prepared } from '../../src/db/connection/statement.js';
import { openReplica } from '../../src/db/replica/replica.js';
import type { Caller } from '../../src/domain/caller.js';
import { familiesOf } from '../support/exposition.js';
import { createTenant, type Tenant, testTime } from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { query, type Replicated, startReplicated } from './replica.support.js';

/** One of the gateways behind a balancer. */
interface Gateway {
  readonly database: Database;
  readonly app: App;
  readonly url: string;
}

let servers: Replicated;
let tenant: Tenant;
let gateways: [Gateway, Gateway];
const lines = new Lines();

/** Long after the tenant was made, which its users count as having done themselves. */
const now = new Date(testTime.getTime() + 5 * 60_000);

async function startGateway(): Promise<Gateway> {
  const { url: databaseUrl, replicaUrl } = servers;
  const database = openDatabase({ url: databaseUrl, poolSize: 5, onError: () => {} });
  const config = readConfig({ DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: replicaUrl });
  const app = createApp({ database, config, log: pino(lines), clock: () => now });
  const { url } = await app.listen('127.0.0.1', 0);
  return { database, app, url };
}

/** Returns a caller of whose writes nothing is known. */
function somebody(): Caller {
  const { organizationId, userId: id } = tenant;
  const user = { id, name: '', email: '', teamId: '' };
  return { tokenId: '', role: 'ADMIN', organizationId, teamIds: [], user };
}

/** Returns what the log says of the replica, since it was looked at last. */
function told(): unknown[] {
  const messages = lines.all.map(({ msg }) => msg).filter((msg) => /replica/.test(String(msg)));
  lines.text = '';
  return messages;
}

beforeAll(async () => {
  servers = await startReplicated();
  const database = openDatabase({ url: servers.url, poolSize: 1, onError: () => {} });
  tenant = await createTenant(database);
  // Or each first request would write that down aside, and the replica be behind for a moment.
  await database.prisma.accessToken.updateMany({ data: { lastUsedAt: now } });
  await database.close();
  gateways = [await startGateway(), await startGateway()];
}, 120_000);

afterAll(async () => {
  for (const { app, database } of gateways ?? []) {
    await app.close();
    await database.close();
  }
  await servers?.close();
}, 60_000);

async function ask({ url }: Gateway, token: string, text: string, variables: object = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = await response.json();
  expect(errors).toBeUndefined();
  return data;
}

/** Creates a vehicle through a gateway. */
async function create(gateway: Gateway, token: string, name: string): Promise<string> {
  const text = 'mutation($name: String!) { createVehicle(input: {name: $name}) { id } }';
  return (await ask(gateway, token, text, { name })).createVehicle.id;
}

/** Returns whether a gateway shows a vehicle, by each way of reading. */
async function shows(gateway: Gateway, token: string, id: string, name: string): Promise<boolean> {
  const { vehicle } = await ask(gateway, token, 'query($id: ID!) { vehicle(id: $id) { id } }', { id });
  const response = await fetch(`${gateway.url}/v1/vehicles?term=${name}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  const { total } = await response.json();
  expect(total).toBe(vehicle ? 1 : 0);
  return vehicle !== null;
}

/** Pauses replay. The replica keeps receiving, but shows nothing new. */
async function pause(): Promise<void> {
  await query(servers.replicaUrl, 'SELECT pg_wal_replay_pause()');
  const state = () => query(servers.replicaUrl, 'SELECT pg_get_wal_replay_pause_state() AS state');
  await expect.poll(state).toEqual([{ state: 'paused' }]);
}

const resume = () => query(servers.replicaUrl, 'SELECT pg_wal_replay_resume()');

/** Returns how many connections of gateways the replica answers on, since a moment of its own. */
async function readersSince(moment: Date): Promise<number> {
  const [{ count }] = await query(
    servers.replicaUrl,
    `SELECT count(*)::integer FROM pg_stat_activity
     WHERE application_name = 'expiration-gateway' AND query_start >= $1 AND query LIKE '%FROM vehicles AS record%'`,
    [moment],
  );
  return count;
}

async function replicaNow(): Promise<Date> {
  const [{ now }] = await query(servers.replicaUrl, 'SELECT clock_timestamp() AS now');
  return now;
}

/** Waits until both gateways let a token's reads go to the replica. */
async function untilRead(token: string): Promise<void> {
  for (const gateway of gateways) {
    await expect
      .poll(async () => {
        const before = await replicaNow();
        await ask(gateway, token, '{ vehicles(first: 1) { nodes { id } } }');
        return readersSince(before);
      })
      .toBeGreaterThan(0);
  }
}

beforeEach(async () => {
  await resume();
  await untilRead(tenant.viewer);
});

describe('with a replica', () => {
  test('callers who have not written read from it, and those who have find their writes at once through any gateway', async () => {
    const [one, two] = gateways;
    await pause();
    const id = await create(one, tenant.admin, 'paused');
    for (const gateway of gateways) {
      expect(await shows(gateway, tenant.admin, id, 'paused')).toBe(true);
      // That this caller does not see it yet proves where it is read.
      expect(await shows(gateway, tenant.member, id, 'paused')).toBe(false);
    }
    await resume();
    await expect.poll(() => shows(two, tenant.member, id, 'paused')).toBe(true);
    // And when all is replayed, the writer's reads go there, too.
    await untilRead(tenant.admin);
    expect(await shows(two, tenant.admin, id, 'paused')).toBe(true);
  });

  test('a write through one gateway is read through the other, a hundred times in a row', async () => {
    for (let round = 0; round < 100; round += 1) {
      const [here, there] = round % 2 === 0 ? gateways : [gateways[1], gateways[0]];
      // In every fifth round the replica has nothing of it for certain.
      if (round % 5 === 0) await pause();
      const name = `round-${round}-`;
      const id = await create(here, tenant.admin, name);
      expect(await shows(there, tenant.admin, id, name)).toBe(true);
      if (round % 5 === 0) await resume();
    }
  }, 60_000);

  test('writers at once find all that was answered', async () => {
    const [one, two] = gateways;
    await pause();
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(index % 2 ? one : two, tenant.admin, `at-once-${index}-`),
      ),
    );
    const { nodes } = await ask(two, tenant.admin, 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids,
    });
    expect(nodes).not.toContain(null);
    await resume();
  });

  test('one mutation reads what it wrote', async () => {
    await pause();
    const { createVehicle } = await ask(
      gateways[0],
      tenant.admin,
      'mutation { createVehicle(input: {name: "read back"}) { eventLogs { nodes { type } } } }',
    );
    expect(createVehicle.eventLogs.nodes).toEqual([{ type: 'CREATED' }]);
    await resume();
  });

  test('reads go to the primary while it is gone, and back to it afterwards', async () => {
    told();
    await servers.stopReplica();
    // At once, noticed or not.
    for (const gateway of gateways)
      await ask(gateway, tenant.viewer, '{ vehicles(first: 1) { totalCount } }');
    await lines.with({ msg: 'Reads go to the primary: the replica cannot be used' });
    const id = await create(gateways[0], tenant.admin, 'alone');
    expect(await shows(gateways[1], tenant.member, id, 'alone')).toBe(true);
    await servers.startReplica();
    await untilRead(tenant.viewer);
    expect(told()).toContain('Reads go to the replica');
    await expect.poll(() => shows(gateways[1], tenant.member, id, 'alone')).toBe(true);
    const metrics = familiesOf(await (await fetch(`${gateways[0].url}/metrics`)).text());
    expect(metrics.get('gateway_replica_used')?.samples[0]?.value).toBe(1);
    expect(metrics.get('gateway_replica_lag_seconds')?.samples[0]?.value).toBeLessThan(20);
  }, 60_000);
});

describe('a replica', () => {
  const changes: (string | undefined)[] = [];
  const fallbacks: unknown[] = [];

  async function open(url: string) {
    const primary = openDatabase({ url: servers.url, poolSize: 2, onError: () => {} });
    const replica = openReplica(primary, {
      url,
      poolSize: 2,
      onChange: (reason) => changes.push(reason),
      onFallback: (error) => fallbacks.push(error),
    });
    const close = async () => {
      await replica.close();
      await primary.close();
    };
    return { ...replica, database: primary, close };
  }

  test('that fails a read has it done by the primary', async () => {
    const { source, isUsed, lag, close } = await open(servers.replicaUrl);
    const text = 'SELECT 1 / (1 - pg_is_in_recovery()::integer) AS one';
    const failing = prepared('test.failing', { text, values: [] });
    expect(await source.query(failing)).toEqual([{ one: 1 }]);
    expect(await source.pipeline(somebody())(failing)).toEqual([{ one: 1 }]);
    expect(fallbacks).toHaveLength(2);
    await expect.poll(isUsed, { timeout: 10_000 }).toBe(true);
    expect(lag()).toBeGreaterThanOrEqual(0);
    await servers.stopReplica();
    // What is away has no lag that anybody knows.
    await expect.poll(() => [isUsed(), lag()], { timeout: 10_000 }).toEqual([false, undefined]);
    const count = prepared('test.count', { text: 'SELECT count(*) FROM vehicles', values: [] });
    const [row] = await source.query<{ count: bigint }>(count);
    expect(row?.count).toBeGreaterThan(100n);
    expect(fallbacks.length).toBeGreaterThan(2);
    await servers.startReplica();
    await close();
  }, 60_000);

  test('is distinguished from a primary, and from another database', async () => {
    for (const [url, reason] of [
      [servers.url, 'it is not a streaming replica'],
      [servers.replicaUrl.replace(/\/gateway$/, '/postgres'), 'relation "_prisma_migrations" does not exist'],
      ['postgresql://gateway:wrong@127.0.0.1:9/none', 'connect ECONNREFUSED 127.0.0.1:9'],
    ] as const) {
      changes.length = 0;
      const { close, suits } = await open(url);
      await expect.poll(() => changes).toEqual([reason]);
      expect(suits(somebody(), now)).toBe(false);
      await close();
    }
  });
});
