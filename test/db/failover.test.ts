import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { readHostList } from '../../src/db/hosts/host-list.js';
import { DatabaseClient, ServerFinder } from '../../src/db/hosts/hosts.js';
import { execute } from '../cli/support.js';
import { subscribe } from '../live/support.js';
import { createTenant, type Tenant, testTime } from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { postgresUrl } from '../support/postgres.js';
import { query, type Replicated, startReplicated } from './replica.support.js';

let servers: Replicated;
let tenant: Tenant;
let database: Database;
let app: App;
let place: { readonly app: App; readonly url: string; readonly admin: string };
const lines = new Lines();

/** A server that is away, the primary, and the replica. */
function allServers(): string {
  const [primary, replica] = [new URL(servers.url), new URL(servers.replicaUrl)];
  const hosts = `127.0.0.1:9,127.0.0.1:${primary.port},127.0.0.1:${replica.port}`;
  return servers.url.replace(primary.host, hosts);
}

beforeAll(async () => {
  servers = await startReplicated();
  const config = readConfig({ DATABASE_URL: allServers(), DATABASE_REPLICA_URL: allServers() });
  database = openDatabase({ url: config.databaseUrl ?? '', poolSize: 3, onError: () => {} });
  tenant = await createTenant(database);
  app = createApp({ database, config, log: pino(lines), clock: () => testTime });
  place = { app, url: (await app.listen('127.0.0.1', 0)).url, admin: tenant.admin };
});

afterAll(async () => {
  await app?.close();
  await database?.close();
  await servers?.close();
});

async function ask(text: string) {
  const response = await fetch(`${place.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant.admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}

const create = () => ask('mutation { createVehicle(input: { name: "van" }) { id } }');
const followed = { query: 'subscription { eventLogged { type } }' };

test('a standby as the primary, and servers of different clusters, are refused with what to do', async () => {
  // A role without rights, which both clusters have.
  const role = "CREATE ROLE somebody LOGIN PASSWORD 'word'";
  for (const url of [servers.url, postgresUrl]) await query(url, role);
  const hosts = [servers.url, postgresUrl].map((url) => new URL(url).host);
  const both = `postgresql://somebody:word@${hosts}/postgres`;
  for (const [command, env, told] of [
    [
      'serve',
      { DATABASE_URL: servers.replicaUrl },
      /^error: DATABASE_URL: .* is a standby, .*: name the primary, or all/,
    ],
    [
      'serve',
      { DATABASE_URL: servers.url, DATABASE_REPLICA_URL: postgresUrl },
      /^error: DATABASE_REPLICA_URL: .* cluster/,
    ],
    ['migrate', { DATABASE_URL: both }, /^error: DATABASE_URL: .* belongs to a different cluster/],
  ] as const) {
    const { exitCode, stderr } = await execute(env, command);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(told)]);
  }
  await query(postgresUrl, 'DROP ROLE somebody');
});

test('a write that a standby refuses ends the connection', async () => {
  const client = new DatabaseClient({ connectionString: servers.replicaUrl });
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await expect(client.query('CREATE TABLE x ()')).rejects.toMatchObject({ code: '25006' });
  expect(await lost).toMatchObject({ message: 'Connection terminated: it is a standby' });
  await client.end();
});

test('after a failover everything goes on with the new primary', async () => {
  await lines.with({ msg: 'Reads go to the replica' });
  expect(await create()).toMatchObject({ data: { createVehicle: { id: expect.any(String) } } });
  const { data } = await ask('{ changes(last: 1) { pageInfo { endCursor } } }');
  const { endCursor } = data.changes.pageInfo;
  const stream = await subscribe(place, followed);
  const ended = (async () => {
    for (;;) {
      const { done, value } = await stream.next();
      if (done) return 'done';
      if (value.errors) return value.errors[0]?.extensions?.code;
    }
  })();
  await servers.failOver();
  expect(await ended).toBe('UNAVAILABLE');
  await expect.poll(create).toMatchObject({ data: { createVehicle: { id: expect.any(String) } } });
  const { errors } = await ask(`{ changes(after: "${endCursor}") { nodes { id } } }`);
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('another server took over. Load the lists again'),
    extensions: { code: 'PRECONDITION_FAILED' },
  });
  const again = await subscribe(place, followed);
  await create();
  expect(await again.next()).toMatchObject({ value: { data: { eventLogged: { type: 'CREATED' } } } });
  await again.return?.();
  await lines.with({ msg: 'Reads go to the primary: the replica cannot be used' });
});

test('an older timeline is refused until the newer primary has been away for a minute', async () => {
  let now = 0;
  const [older, newer] = [postgresUrl, servers.replicaUrl].flatMap((url) => readHostList(url).servers);
  if (!older || !newer) throw new Error('Both URLs name a server.');
  const finder = new ServerFinder([older, newer], 'primary', () => now);
  expect(await finder.find()).toBe(newer);
  await servers.stopReplica();
  now = 59_000;
  await expect
    .poll(() => finder.find().catch(({ message }) => message))
    .toContain(`${older.place} is a former primary`);
  now = 200_000;
  expect(await finder.find()).toBe(older);
  await servers.startReplica();
  finder.doubt(older);
  expect(await finder.find()).toBe(newer);
  finder.doubt(newer);
});
