import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { writeBackup } from '../../src/db/backup/backup.js';
import { restoreBackup } from '../../src/db/backup/restore.js';
import { openDatabase } from '../../src/db/connection/database.js';
import { callerRole } from '../../src/db/connection/pool.js';
import { Session } from '../../src/db/connection/session.js';
import { prepared } from '../../src/db/connection/statement.js';
import type { Transaction } from '../../src/db/connection/transaction.js';
import { PRISMA_LOCK } from '../../src/db/migrations/migrate.js';
import { installRoleAndPolicies } from '../../src/db/row-security/policies.js';
import {
  type Condition,
  columnNameSql,
  columnsSql,
  conditionSql,
  sourceSql,
  tableSql,
} from '../../src/db/sql/conditions.js';
import { hasView, modelInfo, viewName } from '../../src/db/sql/models.js';
import { join as list, type Sql, sql } from '../../src/db/sql/sql.js';
import { assignmentsSql, columnValue, definedFields } from '../../src/db/sql/write.js';
import type { Caller } from '../../src/domain/caller.js';
import { receiveUpload } from '../../src/uploads/received-uploads.js';
import { execute } from '../support/database.js';
import { createDatabase, createTenant, type TestDatabase, testTime, useGateway } from '../support/gateway.js';
import { hasPlace, keyOf, type Model, makeRows, models, newRow, type Place } from './scope.fixture.js';

const statement = (text: string, values: readonly unknown[] = []) => prepared('test', { text, values });

type Made = Awaited<ReturnType<typeof makeRows>>;

let { database, drop, url } = {} as TestDatabase;
/** Of one workspace, of its whole organization, and of another organization. */
let [member, admin, stranger] = [] as unknown as [Caller, Caller, Caller];
/** Rows of the member's workspace, of another one, and of another organization. */
let [own, beside, foreign] = [] as unknown as [Made, Made, Made];
let places: Place[];

/** Does work in a transaction of a caller's. Its raw statements have no scope other than the database's own. */
const inside = <T>(caller: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.inTransaction(work, caller);

const run = <Row>(tx: Transaction, query: Sql) => tx.run<Row>(prepared('test', query));

/** Reads all rows of a model that the database shows. */
const findAll = (tx: Transaction, model: Model) =>
  run<Record<string, unknown>>(tx, sql`SELECT ${columnsSql(model)} FROM ${tableSql(model)} AS record`);

/** Inserts a row, wherever it belongs. */
function insert(tx: Transaction, model: Model, row: Record<string, unknown>) {
  const values = definedFields(row).map((field) => sql`${columnValue(model, field, row[field])}`);
  const columns = list(definedFields(row).map(columnNameSql));
  return run(tx, sql`INSERT INTO ${tableSql(model)} (${columns}) VALUES (${list(values)})`);
}

/** Changes the rows that keep a condition; returns their number. */
async function update(tx: Transaction, model: Model, where: Condition, data: Record<string, unknown>) {
  const found = conditionSql('record', where);
  const statement = sql`
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(model, data)} WHERE ${found} RETURNING TRUE AS done`;
  return (await run(tx, statement)).length;
}

/** Deletes the rows that keep a condition; returns their number. */
async function remove(tx: Transaction, model: Model, where: Condition) {
  const found = conditionSql('record', where);
  return (await run(tx, sql`DELETE FROM ${tableSql(model)} AS record WHERE ${found} RETURNING TRUE AS done`))
    .length;
}

beforeAll(async () => {
  // Two connections: most statements find one that was another caller's.
  ({ database, drop, url } = await createDatabase(undefined, { rowSecurity: true, poolSize: 2 }));
  const [here, there] = [await createTenant(database), await createTenant(database, 'Globex')];
  const callerOf = async (token: string) => (await authenticate(database, token, testTime)) as Caller;
  [member, admin, stranger] = [
    await callerOf(here.member),
    await callerOf(here.admin),
    await callerOf(there.admin),
  ];
  places = [here, { ...here, teamId: here.otherTeamId }, there].map(({ organizationId, teamId }) => ({
    organizationId,
    teamId,
  }));
  [own, beside, foreign] = (await Promise.all(places.map((place) => makeRows(database.prisma, place)))) as [
    Made,
    Made,
    Made,
  ];
});
afterAll(() => drop());

test('every table has its policy, or is nothing that callers may touch', async () => {
  const tables = await database.sql<{ name: string; safe: boolean; granted: boolean }>(
    `SELECT relname AS name,
       relrowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid) AS safe,
       has_table_privilege($1, oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS granted
     FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND NOT relispartition AND relnamespace = 'public'::regnamespace
     ORDER BY relname`,
    [callerRole],
  );
  expect(tables.filter(({ safe, granted }) => granted && !safe)).toEqual([]);
  expect(tables.filter(({ granted }) => !granted).map(({ name }) => name)).toEqual([
    '_prisma_migrations',
    'first_token',
    'last_backup',
    'mail_settings',
    'primary_timeline',
    'rate_limits',
    'restored_backup',
    'setup',
    'sign_in_challenges',
    'workers',
  ]);
  // And the numbers of records, their changes and the epoch of these, and the parts and objects of large files, which are
  // no models.
  expect(tables.filter(({ granted }) => granted)).toHaveLength(models.length + 5);
});

test('views are only read, and show nothing while no caller is set', async () => {
  const views = await database.sql<{ name: string; isRead: boolean; isWritten: boolean }>(
    `SELECT relname AS name, has_table_privilege($1, oid, 'SELECT') AS "isRead",
       has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS "isWritten"
     FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    [callerRole],
  );
  const wanted = models.filter((model) => hasView(modelInfo[model])).map(viewName);
  expect(views).toEqual(wanted.sort().map((name) => ({ name, isRead: true, isWritten: false })));
  for (const name of wanted) expect(await database.sql(`SELECT FROM ${name}`), name).toEqual([]);
});

test('views do not hold up migrations of their tables', async () => {
  const other = await createDatabase(undefined, { rowSecurity: true });
  try {
    await execute(
      other.url,
      `ALTER TABLE vehicles ADD COLUMN added integer DEFAULT 1, ALTER COLUMN make TYPE varchar(500), DROP COLUMN model`,
    );
    const caller = await authenticate(other.database, (await createTenant(other.database)).admin, testTime);
    const read = statement('SELECT (whole).added, (whole).make FROM caller_sees_vehicles');
    expect(await other.database.query(read, caller as Caller)).toEqual([]);
  } finally {
    await other.drop();
  }
});

test('a view of another version is replaced', async () => {
  const other = await createDatabase(undefined, { rowSecurity: true });
  try {
    const definition = async () =>
      (await other.database.sql(`SELECT pg_get_viewdef('caller_sees_vehicles'::regclass) AS text`))[0];
    const made = await definition();
    await execute(
      other.url,
      `CREATE OR REPLACE VIEW caller_sees_vehicles AS SELECT found AS whole FROM vehicles AS found;
       COMMENT ON VIEW caller_sees_vehicles IS 'another version'`,
    );
    expect(await definition()).not.toEqual(made);
    await installRoleAndPolicies(other.url);
    expect(await definition()).toEqual(made);
  } finally {
    await other.drop();
  }
});

test('of the changes of records, a caller sees those of its own workspaces and of users, and begins no epoch', async () => {
  const teamsSeenBy = async (caller: Caller) => {
    const rows = await database.query<{ team: string | null }>(
      statement('SELECT DISTINCT team_id AS team FROM record_changes ORDER BY 1'),
      caller,
    );
    return rows.map(({ team }) => team);
  };
  const [here, beside, there] = places.map(({ teamId }) => teamId);
  expect(await teamsSeenBy(member)).toEqual([here, null]);
  expect(await teamsSeenBy(admin)).toEqual([...[here, beside].sort(), null]);
  // Of another organization, an admin sees all, and nothing of this one.
  const strange = await teamsSeenBy(stranger);
  expect(strange).toEqual(expect.arrayContaining([there, null]));
  expect(strange.filter((team) => team === here || team === beside)).toEqual([]);
  const place = places[1] as Place;
  const insert =
    'INSERT INTO record_changes (organization_id, record_id, change, table_name) VALUES ($1, $1, 1, $2)';
  const write = (caller: Caller) => database.query(statement(insert, [place.organizationId, 'tags']), caller);
  await expect(write(stranger)).rejects.toThrow(/row-level security/);
  const begin = 'INSERT INTO record_change_epochs (id) VALUES (gen_random_uuid())';
  await expect(database.query(statement(begin), admin)).rejects.toThrow(/row-level security/);
});

test('of the numbers of records, a caller sees those of its own workspaces, and writes no other', async () => {
  const teamsSeenBy = async (caller: Caller) => {
    const rows = await database.query<{ team: string }>(
      statement('SELECT DISTINCT team_id AS team FROM record_counts ORDER BY 1'),
      caller,
    );
    return rows.map(({ team }) => team);
  };
  const [here, beside, there] = places.map(({ teamId }) => teamId);
  expect(await teamsSeenBy(member)).toEqual([here]);
  expect(await teamsSeenBy(admin)).toEqual([here, beside].sort());
  expect(await teamsSeenBy(stranger)).toEqual([there]);
  const place = places[1] as Place;
  const write = database.query(
    statement('INSERT INTO record_counts VALUES ($1, $2, $3, 1)', [
      'vehicles',
      place.organizationId,
      place.teamId,
    ]),
    member,
  );
  await expect(write).rejects.toThrow(/row-level security/);
});

/** Models whose rows are seen beyond the workspace, and written as well. */
const wide = [
  ...['Organization', 'User', 'Invitation', 'AccessToken', 'IdempotencyKey'],
  ...['RecipientSetting', 'Suppression', 'SignInSession', 'Password', 'Passkey'],
  ...['TotpSecret', 'RecoveryCode', 'SignInLink', 'CalendarFeed', 'SavedView', 'Import', 'ImportBatch'],
  ...['WebhookEndpoint', 'WebhookSecret', 'WebhookOutbox', 'WebhookDelivery', 'WebhookAttempt'],
];
/** Models of workspaces that are looked up in the whole organization: for circles of locations, and for mails. */
const lookedUp = ['Location', 'MailText'];

describe.each(models)('%s, by statements without a scope', (model) => {
  const hides = (caller: Caller): Made[] =>
    caller === member && !wide.includes(model) ? [beside, foreign] : [foreign];
  const key = (made: Made) => keyOf(model, made.rows[model]);

  test('its own rows are seen, and nothing foreign', async () => {
    for (const caller of [member, admin]) {
      const seen = await inside(caller, (tx) => findAll(tx, model));
      const keys = seen.map((row) => keyOf(model, row));
      expect(keys).toContainEqual(key(own));
      const hidden = lookedUp.includes(model) ? [foreign] : hides(caller);
      for (const made of hidden) expect(keys).not.toContainEqual(key(made));
    }
  });

  test('nothing foreign is changed or deleted', async () => {
    const data = model === 'Organization' || model === 'Team' ? { name: 'changed' } : keyless(model);
    for (const caller of [member, admin]) {
      for (const made of hides(caller)) {
        const where = key(made);
        expect(await inside(caller, (tx) => update(tx, model, where, data))).toBe(0);
        expect(await inside(caller, (tx) => remove(tx, model, where))).toBe(0);
      }
    }
  });

  test('nothing is put where it is foreign', async () => {
    const row = newRow(model, places[2] as Place, foreign);
    await expect(inside(admin, (tx) => insert(tx, model, row))).rejects.toThrow('row-level security');
    if (!hasPlace(model) || !('organizationId' in row) || model === 'Team') return;
    const data = { organizationId: stranger.organizationId };
    await expect(inside(admin, (tx) => update(tx, model, key(own), data))).rejects.toThrow(
      'row-level security',
    );
  });
});

test.each(models.filter((model) => hasView(modelInfo[model])))(
  'the view of %s shows its own rows, and nothing foreign',
  async (model) => {
    const from = sourceSql({ rowSecurity: true }, model);
    const read = sql`SELECT ${columnsSql(model)} FROM ${from} AS record`;
    const key = (made: Made) => keyOf(model, made.rows[model]);
    for (const caller of [member, admin]) {
      const seen = await inside(caller, (tx) => run<Record<string, unknown>>(tx, read));
      const keys = seen.map((row) => keyOf(model, row));
      expect(keys).toContainEqual(key(own));
      const hidden = caller === member && !wide.includes(model) ? [beside, foreign] : [foreign];
      for (const made of hidden) expect(keys).not.toContainEqual(key(made));
    }
  },
);

/** Returns a change of a row to what it is. */
const keyless = (model: Model) => keyOf(model, own.rows[model]);

const organizations = statement('SELECT id FROM organizations');
const seenBy = async (caller: Caller) =>
  (await database.query<{ id: string }>(organizations, caller)).map(({ id }) => id);

test('callers that share connections never see with each other’s eyes', async () => {
  const callers = Array.from({ length: 60 }, (_, i) => [member, stranger, admin][(i * 7) % 3] as Caller);
  const seen = await Promise.all(
    callers.map((caller, i) =>
      i % 2 === 0
        ? seenBy(caller)
        : inside(caller, async (tx) => (await findAll(tx, 'Organization')).map(({ id }) => id)),
    ),
  );
  expect(seen).toEqual(callers.map(({ organizationId }) => [organizationId]));
});

test('a transaction leaves nothing behind, however it ends', async () => {
  for (const caller of [admin, stranger, admin]) {
    const failing = inside(stranger, async (tx) => {
      await tx.run(statement('SAVEPOINT inner_one'));
      await tx.run(statement('SELECT 1/0'));
    });
    await expect(failing).rejects.toThrow('division by zero');
    for (let i = 0; i < 4; i += 1) expect(await seenBy(caller)).toEqual([caller.organizationId]);
  }
});

test("a caller with unknown settings fails one statement, and nobody else's", async () => {
  await seenBy(stranger);
  const nobody = { ...member, organizationId: 'no\u0000body' };
  await expect(seenBy(nobody)).rejects.toThrow();
  await expect(inside(nobody, (tx) => findAll(tx, 'Organization'))).rejects.toThrow();
  for (let i = 0; i < 4; i += 1) expect(await seenBy(admin)).toEqual([admin.organizationId]);
});

test('a statement on a shared connection fails alone', async () => {
  const send = database.pipeline(admin);
  const [first, failed, last] = await Promise.allSettled([
    send(organizations),
    send(statement('SELECT 1 / 0')),
    send(organizations),
  ]);
  const seen = { status: 'fulfilled', value: [{ id: admin.organizationId }] };
  expect([first, last]).toEqual([seen, seen]);
  expect(failed).toMatchObject({ reason: { code: '22012' } });
});

test('whatever way a session sends statements, they are its caller’s; the database’s own are the owner’s', async () => {
  const session = new Session(database, { caller: member, now: testTime });
  const role = statement("SELECT current_user AS role, current_setting('gateway.teams', true) AS teams");
  const told = [{ role: callerRole, teams: `{${member.teamIds}}` }];
  expect(await session.read(role)).toEqual(told);
  expect(await session.lookUp(role)).toEqual(told);
  await session.inTransaction(async (tx) => {
    expect(await tx.run(role)).toEqual(told);
    await tx.inTransaction(async (part) => expect(await part.run(role)).toEqual(told));
  });
  const failing = session.inTransaction((tx) => tx.run(statement('SELECT FROM rate_limits')));
  await expect(failing).rejects.toThrow('permission denied');
  for (let i = 0; i < 4; i += 1) {
    const [owner] = await database.query<{ role: string; teams: string | null }>(role);
    expect(owner?.role).not.toBe(callerRole);
    expect(owner?.teams ?? '').toBe('');
  }
});

test('uploads that are stored together are each stored as its sender’s', async () => {
  const sent = (caller: Caller, id: bigint) =>
    receiveUpload(new Session(database, { caller, now: testTime }), { id, action: 'fp.upload' }, undefined);
  const misplaced = { ...member, user: { ...member.user, teamId: stranger.user.teamId } };
  // The first goes alone, and the others share a batch.
  const sending = [
    sent(member, 1n),
    sent(member, 2n),
    sent(stranger, 2n),
    sent(misplaced, 3n),
    sent(admin, 4n),
  ];
  const done = await Promise.allSettled(sending);
  expect(done.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true]);
  const stored = await database.prisma.uploadNotification.findMany({
    where: { dedupeKey: { endsWith: ':fp.upload' } },
  });
  const names = { [member.organizationId]: 'Acme', [stranger.organizationId]: 'Globex' };
  expect(stored.map((row) => `${row.dedupeKey[0]} of ${names[row.organizationId]}`).sort()).toEqual([
    '1 of Acme',
    '2 of Acme',
    '2 of Globex',
    '4 of Acme',
  ]);
});

test('a backup despite row-level security is complete, and restoring it installs the policies again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-wall-'));
  const file = join(folder, 'gateway.backup');
  const other = await createDatabase(undefined, { rowSecurity: true });
  try {
    const { counts } = await writeBackup(url, file);
    expect(counts.vehicles).toBe(6);
    await other.database.close();
    expect(await restoreBackup(other.url, file, { force: true })).toEqual(counts);
    await installRoleAndPolicies(other.url);
  } finally {
    await other.drop();
    await rm(folder, { recursive: true });
  }
});

test('installing policies that are there does not wait for a backup', async () => {
  const backup = new pg.Client({ connectionString: url });
  await backup.connect();
  await backup.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
  await installRoleAndPolicies(url);
  await backup.end();
});

test('a user who may not create the role gets instructions for an administrator, which suffice', async () => {
  const user = `owner_${randomBytes(6).toString('hex')}`;
  const other = await createDatabase();
  const theirs = Object.assign(new URL(other.url), { username: user, password: 'secret' }).href;
  try {
    await execute(
      other.url,
      `CREATE ROLE ${user} LOGIN PASSWORD 'secret';
       ALTER SCHEMA public OWNER TO ${user};
       DO $$ DECLARE name text; BEGIN
         FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
           EXECUTE format('ALTER TABLE %I OWNER TO ${user}', name);
         END LOOP;
       END $$`,
    );
    await expect(installRoleAndPolicies(theirs)).rejects.toThrow(
      `GRANT ${callerRole} TO <the gateway's user>`,
    );
    await execute(other.url, `GRANT ${callerRole} TO ${user}`);
    await installRoleAndPolicies(theirs);
    const opened = openDatabase({ url: theirs, poolSize: 2, rowSecurity: true, onError: () => {} });
    try {
      const [here] = [await createTenant(opened), await createTenant(opened, 'Globex')];
      const caller = (await authenticate(opened, here.admin, testTime)) as Caller;
      expect(await opened.query(organizations, caller)).toEqual([{ id: here.organizationId }]);
      expect(await opened.query(organizations)).toHaveLength(2);
    } finally {
      await opened.close();
    }
  } finally {
    await other.drop();
    await execute(url, `DROP ROLE IF EXISTS ${user}`);
  }
});

describe('a gateway behind the wall', () => {
  const gateway = useGateway({ ROW_SECURITY: 'on' });

  test('writes, lists, searches and receives as any other; foreign ids are unknown', async () => {
    const { send, graphql } = gateway;
    const input = {
      name: 'Passport',
      expirationDate: '2027-01-01',
      category: { name: 'Documents' },
      contacts: [{ email: 'x@example.com' }],
    };
    const create =
      'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
    const made = await graphql(create, { input });
    expect(made.errors).toBeUndefined();
    const path = `/v1/expirationitems/${made.data.createExpirationItem.id}`;
    const changes = { name: 'Passport', expiration_date: '2028-01-01', details: 'renewed' };
    expect((await send('PUT', path, { token: gateway.member, body: changes })).status).toBe(200);
    const query =
      '{ expirationItems(filter: { term: "renew" }) { nodes { name contacts { email } category { name } } } }';
    expect((await graphql(query)).data.expirationItems.nodes).toEqual([
      { name: 'Passport', contacts: [{ email: 'x@example.com' }], category: { name: 'Documents' } },
    ]);
    const headers = { 'Idempotency-Key': 'once' };
    const body = { id: 1, action: 'fp.upload', text: { filename: 'a.pdf' } };
    expect((await send('POST', '/v1/bulkscan/receive', { body, headers })).status).toBe(204);
    const { admin: token } = await createTenant(gateway.database, 'Globex');
    expect((await send('PUT', path, { token, body: changes })).status).toBe(404);
    const find = '{ expirationItems { nodes { name } } }';
    expect((await graphql(find, {}, token)).data.expirationItems.nodes).toEqual([]);
  });
});
