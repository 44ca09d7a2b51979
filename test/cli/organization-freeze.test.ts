import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDeliveries } from '../../src/reminders/send/queue.js';
import { makeRows } from '../db/scope.fixture.js';
import { expectEnd, subscribe, transports } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  useGateway,
} from '../support/gateway.js';
import { execute } from './support.js';

const gateway = useGateway({}, { recheck: 50 });
let target: TestDatabase;
let other: Tenant;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-freeze-'));
  target = await createDatabase();
  other = await createTenant(gateway.database, 'Globex');
});
afterAll(async () => {
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...argv: string[]) => execute({ DATABASE_URL: gateway.databaseUrl }, 'organization', ...argv);

const triggers = () =>
  gateway.database.sql<{ name: string }>(
    "SELECT tgname AS name FROM pg_trigger WHERE tgname LIKE 'frozen_%'",
  );

/** Writes vehicles until the organization is frozen, and returns the ids of those that were acknowledged. */
async function writeUntilFrozen(): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const { status, json, headers } = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
    if (status === 201) acknowledged.push(json.id);
    else {
      expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'UNAVAILABLE', '5']);
      return acknowledged;
    }
  }
}

test('an organization that is frozen under writers loses nothing, and everything else goes on', async () => {
  const { organizationId, teamId, database } = gateway;
  await makeRows(database.prisma, { organizationId, teamId });
  await makeRows(database.prisma, { organizationId: other.organizationId, teamId: other.teamId });
  await database.sql("UPDATE deliveries SET kind = 'MAIL', due_at = now()");
  const [, over] = Object.entries(transports)[0] ?? [];
  if (!over) throw new Error('There are transports.');
  const stream = await subscribe(
    gateway,
    { query: 'subscription { eventLogged(typeIds: [99]) { id } }' },
    over,
  );
  const writers = Array.from({ length: 4 }, writeUntilFrozen);
  const file = join(folder, 'acme');
  const exported = await run('export', 'Acme', file, '--freeze');
  expect(exported).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/It is frozen/) });
  const acknowledged = (await Promise.all(writers)).flat();
  await expectEnd(stream, 'UNAVAILABLE', /being moved/);

  // It can be read, and the other organization can be changed.
  expect((await gateway.send('GET', '/v1/vehicles')).status).toBe(200);
  const body = { name: 'Van' };
  expect((await gateway.send('POST', '/v1/vehicles', { body, token: other.admin })).status).toBe(201);
  const claim = {
    count: 10,
    now: new Date('2999-01-01'),
    leaseUntil: new Date('2999-01-02'),
    host: 'example.com',
  };
  const claimed = await claimDeliveries(database, claim);
  expect(new Set(claimed.map((delivery) => delivery.organizationId))).toEqual(
    new Set([other.organizationId]),
  );
  const renamed = await run('rename', 'Acme', '--name', 'Acme Ltd');
  expect(renamed).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/frozen/) });

  // All that was acknowledged is in the file, and can be changed where it is imported.
  const imported = await execute({ DATABASE_URL: target.url }, 'organization', 'import', file);
  expect(imported).toMatchObject({ exitCode: 0 });
  const found = await target.database.prisma.vehicle.findMany({ where: { id: { in: acknowledged } } });
  expect(found.length).toBe(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(await target.database.prisma.organization.count({ where: { frozenAt: { not: null } } })).toBe(0);

  expect(await run('unfreeze', organizationId)).toMatchObject({ exitCode: 0 });
  await eventually(async () => {
    await run('unfreeze', organizationId);
    return (await triggers()).length === 0;
  });
  expect((await gateway.send('POST', '/v1/vehicles', { body })).status).toBe(201);
});
