import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { addEventPartitions, dropEventPartition } from '../../src/db/retention/retention.js';
import { execute } from '../cli/support.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

let root: string;
let server: EmbeddedDatabase;
let count = 0;
/** The administrator's connection to a fresh database, and that of a role without rights. */
let admin: string;
let app: string;

beforeAll(async () => {
  root = await tempFolder();
  server = await openEmbedded({ dataDir: join(root, 'data'), log: memoryLog() });
  await query(server.url, `CREATE ROLE "my app" LOGIN PASSWORD 'word'`);
});
afterAll(() => server?.close());

beforeEach(async () => {
  count += 1;
  await query(server.url, `CREATE DATABASE "Fresh ${count}"`);
  const url = Object.assign(new URL(server.url), { pathname: `/Fresh ${count}` });
  admin = url.href;
  app = Object.assign(url, { username: 'my app', password: 'word' }).href;
});

const tables = () => query(admin, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");

describe('a role without CREATE', () => {
  test('gets the statements for its administrator, and works after they have run', async () => {
    const refused = await execute({ DATABASE_URL: app }, 'migrate');
    expect(refused).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `error: The role "my app" may not create the gateway's tables in the database "Fresh ${count}": ` +
        'ask an administrator to run GRANT CREATE ON SCHEMA public TO "my app"; ' +
        `GRANT CREATE ON DATABASE "Fresh ${count}" TO "my app"; in that database, and start again.\n`,
    });
    expect(await tables()).toEqual([]);
    for (const [grant] of refused.stderr.matchAll(/GRANT [^;]*;/g)) await query(admin, grant);
    const done = await execute({ DATABASE_URL: app }, 'migrate');
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('is asked only for the rights that it lacks', async () => {
    await query(admin, 'GRANT CREATE ON SCHEMA public TO "my app"');
    const { stderr } = await execute({ DATABASE_URL: app }, 'migrate');
    expect(stderr.match(/GRANT [^;]*;/g)).toEqual([`GRANT CREATE ON DATABASE "Fresh ${count}" TO "my app";`]);
  });

  test('has all it needs as the owner of the database', async () => {
    await query(admin, `ALTER DATABASE "Fresh ${count}" OWNER TO "my app"`);
    expect(await execute({ DATABASE_URL: app }, 'migrate')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('is told so without USAGE, too', async () => {
    await query(admin, 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
    const { stderr } = await execute({ DATABASE_URL: app }, 'token', 'list');
    expect(stderr).toContain('GRANT USAGE, CREATE ON SCHEMA public TO "my app";');
  });

  test('needs nothing when there is nothing to migrate', async () => {
    await migrate(admin, { log: memoryLog() });
    await query(admin, 'GRANT ALL ON ALL TABLES IN SCHEMA public TO "my app"');
    expect(await execute({ DATABASE_URL: app }, 'token', 'list')).toMatchObject({ exitCode: 0 });
  });

  test('is told before a backup is restored', async () => {
    await migrate(admin, { log: memoryLog() });
    const file = join(root, 'rights.backup');
    expect(await execute({ DATABASE_URL: admin }, 'backup', file)).toMatchObject({ exitCode: 0 });
    await query(
      admin,
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
    const { stderr } = await execute({ DATABASE_URL: app }, 'restore', file);
    expect(stderr).toContain('GRANT CREATE ON SCHEMA public TO "my app";');
  });
});

describe('a role that reads and writes only', () => {
  const month = (later: number) =>
    new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + later, 5));
  const partitions = () => query(admin, "SELECT FROM pg_inherits WHERE inhparent = 'event_logs'::regclass");
  const doctor = async () => (await execute({ DATABASE_URL: app }, 'doctor')).stdout;

  test('gets its grants from a command, and passes the check of what the gateway needs', async () => {
    await migrate(admin, { log: memoryLog() });
    expect(await doctor()).toMatch(/^FAIL {2}(database|grants) /m);
    await query(admin, 'GRANT SELECT ON _prisma_migrations TO "my app"');
    expect(await doctor()).toMatch(
      /^FAIL {2}grants .+may not read and write .+`grants "my app"` as the owner/m,
    );
    const grants = await execute({ DATABASE_URL: admin }, 'grants', 'my app');
    expect(grants).toMatchObject({ exitCode: 0, stderr: '' });
    await query(admin, grants.stdout);
    expect(await doctor()).toMatch(/^ok {4}grants .+reads and writes only\. Run `maintain` as the owner/m);
    const made = await execute({ DATABASE_URL: app }, 'token', 'create', '--name', 'x', '--role', 'admin');
    expect(made).toMatchObject({ exitCode: 0 });
    expect(await execute({ DATABASE_URL: app }, 'migrate')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('leaves partitions to the owner, whose command makes and drops them', async () => {
    await migrate(admin, { log: memoryLog() });
    const { stdout } = await execute({ DATABASE_URL: admin }, 'grants', 'my app');
    await query(admin, stdout);
    const database = openDatabase({ url: app, poolSize: 1, onError: () => {} });
    try {
      await expect(addEventPartitions(database, month(8), 30)).rejects.toThrow(
        /run `maintain` regularly as the owner/,
      );
      await expect(dropEventPartition(database, 'before')).rejects.toThrow(
        /run `maintain` regularly as the owner/,
      );
      const before = (await partitions()).length;
      const env = { DATABASE_URL: admin, EVENT_LOG_DAYS: '30' };
      const done = await execute(env, 'maintain', '--months', '8', '--json');
      const { made } = JSON.parse(done.stdout);
      expect(made).toBeGreaterThan(0);
      expect((await partitions()).length).toBe(before + made);
      // Nothing is left to do for whoever may not, also in the new tables.
      expect(await addEventPartitions(database, month(6), 30)).toBe(0);
      expect(await database.sql('SELECT count(*)::int AS count FROM event_logs', [])).toHaveLength(1);
      const [{ name } = { name: '' }] = await query(
        admin,
        "SELECT relname AS name FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'event_logs'::regclass ORDER BY relname LIMIT 1",
      );
      expect(await database.sql(`DELETE FROM ${name} WHERE FALSE`, [])).toEqual([]);
    } finally {
      await database.close();
    }
    expect(await execute({ DATABASE_URL: admin }, 'maintain', '--months', '1')).toMatchObject({
      exitCode: 2,
    });
  });
});

test('a migration that is denied half way is retried by the next start, without manual repair', async () => {
  const folder = join(root, `migrations-${count}`);
  const script = async (name: string, sql: string) => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  };
  await script('20240101000000_first', 'CREATE TABLE item (id int);');
  await migrate(admin, { folder, log: memoryLog() });
  await query(admin, 'CREATE EXTENSION pg_trgm');
  await query(admin, 'GRANT CREATE ON SCHEMA public TO "my app"');
  await query(admin, 'GRANT ALL ON _prisma_migrations TO "my app"');
  await script('20240102000000_more', 'CREATE TABLE note (id int); ALTER TABLE item ADD COLUMN name text;');
  const start = (log = memoryLog()) => migrate(app, { folder, log });
  for (let time = 0; time < 2; time++) {
    await expect(start()).rejects.toThrow(
      /migration 20240102000000_more was denied: [\s\S]*must be owner of table item/,
    );
    expect(await query(admin, "SELECT to_regclass('note') AS note")).toEqual([{ note: null }]);
  }
  await query(admin, 'ALTER TABLE item OWNER TO "my app"');
  const log = memoryLog();
  expect(await start(log)).toEqual(['20240102000000_more']);
  expect(log.messages).toContain('A migration was denied; trying it again');
});

describe('a database of a newer version', () => {
  const newer = '29990101000000_of_the_future';
  const insert = (columns: string, values: string) =>
    `INSERT INTO _prisma_migrations (id, checksum, migration_name${columns}) VALUES ('x', 'y', '${newer}'${values})`;

  const applied = insert(', finished_at', ', now()');
  const oldest = (version: string) =>
    `CREATE OR REPLACE FUNCTION oldest_version() RETURNS text LANGUAGE sql AS $$ SELECT '${version}' $$`;

  test.each([
    ['this version cannot use', [applied, oldest('10.0.0')], '10.0.0 or a newer one'],
    ['nobody says who can use', [applied, 'DROP FUNCTION oldest_version'], 'a newer version'],
  ])('is refused by every command, and not changed, if its schema is one that %s', async (_, sql, needed) => {
    const all = await listMigrations(MIGRATIONS_FOLDER);
    const older = join(root, `older-${count}`);
    await cp(MIGRATIONS_FOLDER, older, { recursive: true });
    await rm(join(older, String(all.at(-1))), { recursive: true });
    // There would be something to do as well.
    await migrate(admin, { log: memoryLog(), folder: older });
    for (const statement of sql) await query(admin, statement);
    const state = () =>
      Promise.all([query(admin, 'SELECT * FROM _prisma_migrations ORDER BY migration_name'), tables()]);
    const before = await state();
    for (const command of [['serve'], ['worker'], ['migrate'], ['token', 'list']]) {
      const { exitCode, stderr } = await execute({ DATABASE_URL: admin, PORT: '0' }, ...command);
      const reason = `^error: .*newer version of the gateway, with the migration ${newer}, .* run .*${needed}, or .*\n$`;
      expect(stderr).toMatch(new RegExp(reason));
      expect(exitCode).toBe(1);
    }
    const examined = await execute({ DATABASE_URL: admin }, 'doctor');
    expect(examined.stdout).toMatch(new RegExp(`^FAIL  database +.*with the migration ${newer}`, 'm'));
    expect(await state()).toEqual(before);
    const file = join(root, `newer-${count}.backup`);
    expect(await execute({ DATABASE_URL: admin }, 'backup', file)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['which was applied', applied],
    ['which is being applied', insert('', '')],
    ['which failed', insert(', logs', ", 'why'")],
  ])('is used and left alone, if its schema allows it, with a migration %s', async (_, sql) => {
    await migrate(admin, { log: memoryLog() });
    await query(admin, sql);
    const state = () => query(admin, 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
    const before = await state();
    const env = { DATABASE_URL: admin };
    expect(await execute(env, 'token', 'list')).toMatchObject({ exitCode: 0 });
    expect(await execute(env, 'migrate')).toMatchObject({ stdout: 'The database is up to date.\n' });
    expect(await state()).toEqual(before);
  });

  test('keeps the policies of the newer version', async () => {
    await migrate(admin, { log: memoryLog() });
    await query(admin, applied);
    await query(admin, 'CREATE POLICY caller_of_the_future ON vehicles USING (TRUE)');
    expect(await execute({ DATABASE_URL: admin, ROW_SECURITY: 'on' }, 'migrate')).toMatchObject({
      exitCode: 0,
    });
    expect(await query(admin, 'SELECT policyname FROM pg_policies')).toEqual([
      { policyname: 'caller_of_the_future' },
    ]);
  });
});
