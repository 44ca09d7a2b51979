import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forgetChanges } from '../../src/db/changes/changes.js';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { waiters } from '../support/locks.js';
import { receive, settled, withWorker } from '../uploads/support.js';
import {
  begin,
  connect,
  expectAfter,
  inShort,
  readAll,
  readPage,
  refused,
  type Told,
} from './changes.support.js';
import {
  expectEnd,
  nextData,
  type Results,
  startFurther,
  streams,
  subscribe,
  transports,
} from './support.js';

let gateway: TestGateway;
let further: Awaited<ReturnType<typeof startFurther>>;
const open: Results[] = [];
beforeAll(async () => {
  // PostgreSQL keeps callers apart as well, so that its policies are tried with all of it.
  gateway = await startGateway({ ROW_SECURITY: 'on' });
  further = await startFurther(gateway, { recheck: 200 });
});
afterEach(async () => {
  for (const results of open.splice(0)) await results.return?.();
  await streams(gateway, 0);
  await streams(further, 0);
});
afterAll(async () => {
  await further.close();
  await gateway.close();
});

const subscription = `subscription($after: String, $kinds: [ChangedRecordKind!], $teamIds: [ID!]) {
  recordsChanged(after: $after, kinds: $kinds, teamIds: $teamIds) { id kind version change cursor }
}`;

async function write(query: string, variables: object = {}, token?: string): Promise<string> {
  const { data, errors } = await gateway.graphql(query, variables, token);
  expect(errors).toBeUndefined();
  return (Object.values(data)[0] as { id: string }).id;
}
const createVehicle = (variables: object = {}, token?: string) =>
  write(
    'mutation($teamId: ID) { createVehicle(input: {name: "Van", teamId: $teamId}) { id } }',
    variables,
    token,
  );
const move = 'mutation($id: ID!, $teamId: ID) { updateVehicle(id: $id, input: {teamId: $teamId}) { id } }';

async function follow(variables: object = {}, token?: string, at: Parameters<typeof subscribe>[0] = gateway) {
  const operation = { query: subscription, variables: { ...variables }, ...(token && { token }) };
  const results = await subscribe(at, operation);
  open.push(results);
  return results;
}
const nextChange = async (results: Results) =>
  ((await nextData(results)) as { recordsChanged: Told }).recordsChanged;

test.each(Object.entries(transports))(
  'over %s, changes are sent as they are committed',
  async (_name, over) => {
    const variables = { kinds: ['VEHICLE'] };
    const results = await subscribe(gateway, { query: subscription, variables }, over);
    open.push(results);
    const id = await createVehicle();
    // A new stream may begin with the last change of the one before it.
    const next = async (): Promise<Told> => {
      const change = await nextChange(results);
      return change.id === id ? change : next();
    };
    const created = await next();
    expect(created).toMatchObject({ kind: 'VEHICLE', change: 'CREATED' });
    expect(created.version).not.toBeNull();
    await write('mutation($id: ID!) { deleteVehicle(id: $id) { id } }', { id });
    expect(await next()).toMatchObject({ change: 'DELETED', version: null });
  },
);

test('another process sends the same, even for unannounced changes', async () => {
  const results = await follow({}, undefined, further);
  const id = await createVehicle();
  expect(await nextChange(results)).toMatchObject({ id, change: 'CREATED' });
  const { organizationId, teamId } = gateway;
  const { id: tag } = await gateway.database.prisma.tag.create({
    data: { id: crypto.randomUUID(), organizationId, teamId, name: `by hand ${newId()}` },
  });
  expect(await nextChange(results)).toMatchObject({ id: tag, kind: 'TAG', change: 'CREATED' });
});

test('a stream that takes long to begin hears what comes after', async () => {
  const { prisma } = gateway.database;
  const listeners = () => prisma.$queryRaw`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'expiration-gateway-live'`;
  const unheard = () => eventually(async () => expect(await listeners()).toEqual([]));
  const client = await connect(gateway);
  await unheard();
  await client.query('BEGIN; LOCK TABLE record_change_epochs');
  const following = follow({}, undefined, further);
  await eventually(async () => expect(await waiters(gateway)).toHaveLength(1));
  // Nobody needs to hear anything yet. A connection for that would be closed by its check.
  await unheard();
  await client.query('ROLLBACK');
  await client.end();
  const results = await following;
  const id = await createVehicle();
  expect(await nextChange(results)).toMatchObject({ id, change: 'CREATED' });
});

test('changes held back by an older transaction are sent when that ends', async () => {
  const results = await follow();
  const client = await connect(gateway);
  const { organizationId, teamId } = gateway;
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO tags (id, organization_id, team_id, name) VALUES (gen_random_uuid(), $1, $2, 'early')`,
    [organizationId, teamId],
  );
  const id = await createVehicle();
  await client.query('ROLLBACK');
  await client.end();
  expect(await nextChange(results)).toMatchObject({ id, change: 'CREATED' });
});

test('everybody gets what enters and leaves their sight, and nothing else', async () => {
  const { teamId, otherTeamId, member } = gateway;
  const [admin, one, other] = [
    await follow(),
    await follow({}, member),
    await follow({ teamIds: [otherTeamId], kinds: ['VEHICLE'] }),
  ];
  const globex = await createTenant(gateway.database, 'Globex');
  await createVehicle({}, globex.admin);
  const id = await createVehicle({ teamId });
  await write(move, { id, teamId: otherTeamId });
  await write(move, { id, teamId });
  const told = async (results: Results, count: number) => {
    const changes = [];
    while (changes.length < count) {
      const { id: of, change } = await nextChange(results);
      expect(of).toBe(id);
      changes.push(change);
    }
    return changes;
  };
  // Those who read late are told what is true then.
  expect((await told(admin, 3)).slice(1)).toEqual(['CHANGED', 'CHANGED']);
  expect((await told(one, 3)).at(-1)).toBe('CREATED');
  expect((await told(other, 2)).at(-1)).toBe('DELETED');
});

test('with a cursor there is no gap and nothing twice', async () => {
  const after = await begin(gateway);
  const before = [await createVehicle(), await createVehicle()];
  const results = await follow({ after });
  const later = [await createVehicle(), await createVehicle()];
  const told: Told[] = [];
  for (const _ of [...before, ...later]) told.push(await nextChange(results));
  expect(told.map(({ id }) => id)).toEqual([...before, ...later]);
  // The streams' cursors are those of the query.
  const names = Object.fromEntries(told.map(({ id }, at) => [id, String(at)]));
  await expectAfter(gateway, { after: told[1]?.cursor ?? '' }, names, [
    'VEHICLE 2 CREATED',
    'VEHICLE 3 CREATED',
  ]);
});

test('the state of an upload is sent', async () => {
  const results = await follow({ kinds: ['UPLOAD_NOTIFICATION'] });
  const id = await receive(gateway, { filename: 'Scan 2030-01-01.pdf' });
  expect(await nextChange(results)).toMatchObject({ id, change: 'CREATED' });
  await withWorker(gateway, {}, () => settled(gateway, id));
  const filed = await nextChange(results);
  expect(filed).toMatchObject({ id, change: 'CHANGED' });
});

test('a revoked token ends the stream; a wrong cursor is refused before it begins', async () => {
  const globex = await createTenant(gateway.database, 'Initech');
  const results = await follow({}, globex.admin, further);
  const { prisma } = gateway.database;
  await prisma.accessToken.updateMany({
    where: { organizationId: globex.organizationId, role: 'ADMIN' },
    data: { revokedAt: gateway.clock.now },
  });
  await expectEnd(results, 'UNAUTHORIZED', /revoked/);
  await streams(further, 0);
  const wrong = transports['plain server-sent events'](gateway, {
    query: subscription,
    variables: { after: 'x' },
  });
  expect((await wrong.next()).value).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  await streams(gateway, 0);
});

test('positions of a database that was copied or emptied are refused', async () => {
  const after = await begin(gateway);
  const client = await connect(gateway);
  // As pg_dump and pg_restore: the same values, written by another transaction.
  await client.query(`
    CREATE TEMPORARY TABLE copy AS SELECT * FROM record_change_epochs;
    DELETE FROM record_change_epochs;
    INSERT INTO record_change_epochs SELECT * FROM copy`);
  const { message, extensions } = await refused(gateway, { after });
  expect([extensions.code, message]).toEqual([
    'PRECONDITION_FAILED',
    expect.stringMatching(/restored.*last: 1/),
  ]);
  const { rows } = await client.query('SELECT count(*)::int AS count FROM record_changes');
  expect(rows).toEqual([{ count: 0 }]);
  // As after a crash of PostgreSQL, which empties unlogged tables. Several processes find it so at once.
  const [begun, results] = [await begin(gateway), await follow()];
  await client.query('TRUNCATE record_changes, record_change_epochs');
  const codes = await Promise.all([1, 2, 3].map(() => refused(gateway, { after: begun })));
  expect(codes.map((error) => error.extensions.code)).toEqual(Array(3).fill('PRECONDITION_FAILED'));
  await client.end();
  await createVehicle();
  await expectEnd(results, 'UNAVAILABLE', /missed/);
  const id = await createVehicle();
  await eventually(async () => {
    const { nodes } = await readPage(gateway, { last: 1 });
    expect(nodes.map((node) => node.id)).toEqual([id]);
  });
});

test('old changes are deleted, and a cursor before them is too old', async () => {
  const old = await begin(gateway);
  const id = await createVehicle();
  await expectAfter(gateway, { after: old }, { [id]: 'old' }, ['VEHICLE old CREATED']);
  const { after } = await readAll(gateway, { after: old });
  const client = await connect(gateway);
  await client.query(`UPDATE record_changes SET written = now() - interval '4 days'`);
  await client.end();
  const kept = await createVehicle();
  await forgetChanges(gateway.database, new Date(Date.now() - 3 * 86_400_000));
  const { message, extensions } = await refused(gateway, { after: old });
  expect([extensions.code, message]).toEqual(['PRECONDITION_FAILED', expect.stringMatching(/too old/)]);
  await expectAfter(gateway, { after }, { [kept]: 'kept' }, ['VEHICLE kept CREATED']);
  const all = await readPage(gateway, {});
  expect(inShort(all.nodes, { [kept]: 'kept' })).toEqual(['VEHICLE kept CREATED']);
});
