import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import {
  concurrentIndex,
  listMigrations,
  MIGRATIONS_FOLDER,
  migrate,
  PRISMA_LOCK,
  pendingMigrations,
  readMigrations,
} from '../../src/db/migrations/migrate.js';
import { schemaSql } from '../support/database.js';
import { tempFolder } from '../support/folders.js';
import { createDatabase } from '../support/gateway.js';
import { memoryLog, query, until } from './support.js';

/** All that Prisma's schema language and a naive split at semicolons trip over. */
const FIRST = `CREATE EXTENSION pg_trgm;
CREATE TABLE item (id int PRIMARY KEY, name text DEFAULT 'a;b', upper_name text GENERATED ALWAYS AS (upper(name)) STORED);
CREATE INDEX ON item USING gin (lower(name) gin_trgm_ops); -- a comment; with a semicolon
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'x;y'; RETURN NEW; END $$;
INSERT INTO item VALUES (1);
`;
const SECOND = 'CREATE TABLE note (id int PRIMARY KEY);\n';

let root: string;
let database: EmbeddedDatabase;
let folder: string;
let url: string;
let count = 0;

beforeAll(async () => {
  root = await tempFolder();
  database = await openEmbedded({ dataDir: join(root, 'data'), log: memoryLog() });
});
afterAll(() => database.close());

beforeEach(async () => {
  count += 1;
  folder = join(root, `migrations-${count}`);
  await query(database.url, `CREATE DATABASE test_${count}`);
  url = Object.assign(new URL(database.url), { pathname: `/test_${count}` }).href;
  await script('20240101000000_first', FIRST);
});

async function script(name: string, sql: string) {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

const run = (log = memoryLog()) => migrate(url, { folder, log });
const history = () => query(url, 'SELECT * FROM _prisma_migrations ORDER BY started_at');

test('applies each migration once, in order', async () => {
  await script('20240102000000_second', SECOND);
  expect(await run()).toEqual(['20240101000000_first', '20240102000000_second']);
  expect(await query(url, 'SELECT * FROM item')).toEqual([{ id: 1, name: 'a;b', upper_name: 'A;B' }]);
  expect(await run()).toEqual([]);
  await script('20240103000000_third', 'ALTER TABLE note ADD COLUMN text text;');
  expect(await run()).toEqual(['20240103000000_third']);
});

test('writes the rows that Prisma writes', async () => {
  await run();
  expect(await history()).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      checksum: createHash('sha256').update(FIRST).digest('hex'),
      migration_name: '20240101000000_first',
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    },
  ]);
});

test('many at once apply each migration once', async () => {
  await script('20240102000000_second', SECOND);
  const applied = await Promise.all([run(), run(), run(), run()]);
  expect(applied.flat()).toEqual(['20240101000000_first', '20240102000000_second']);
  expect(await history()).toHaveLength(2);
});

test('a migration that fails leaves nothing behind, and stays failed until a person has looked', async () => {
  await script('20240102000000_bad', `${SECOND}SELECT no_such_function();`);
  const reason =
    /migration 20240102000000_bad failed: [\s\S]*no_such_function\(\) does not exist[\s\S]*run the command `migrate --retry`/;
  await expect(run()).rejects.toThrow(reason);
  expect(await query(url, "SELECT to_regclass('note') AS note")).toEqual([{ note: null }]);

  await script('20240102000000_bad', SECOND);
  const again = await run().catch((error: Error) => error.message);
  expect(again).toMatch(reason);
  expect(again).not.toContain('sql_schema_connector'); // the engine's stack trace

  const log = memoryLog();
  expect(await migrate(url, { folder, log, retry: true })).toEqual(['20240102000000_bad']);
  expect(log.messages).toContain('A migration failed; trying it again');
});

test.each([
  ['53100', 'could not extend file', 'Free some space on it, and start again.'],
  ['53200', 'out of memory', 'Give it more, and start again.'],
  ['57014', 'canceling statement due to user request', ''],
  ['58030', 'could not read block', 'Restore a backup on another one'],
  ['40001', 'could not serialize access', ''],
  ['55006', 'object in use', ''],
])(
  'a migration that the surroundings stop (%s) is tried again by the next start',
  async (state, words, todo) => {
    await run();
    const raise = `DO $$ BEGIN RAISE EXCEPTION '${words}' USING ERRCODE = '${state}'; END $$;`;
    await script('20240102000000_second', `${SECOND}${raise}`);
    const stopped = await run().catch((error: Error) => error.message);
    expect(stopped).toContain(words);
    expect(stopped).toContain('It was rolled back, and the next start tries it again.');
    expect(stopped).toContain(todo);
    await script('20240102000000_second', SECOND);
    expect(await run()).toEqual(['20240102000000_second']);
  },
);

test('a migration that an older version left with a full disk is tried again', async () => {
  await run();
  await script('20240102000000_second', SECOND);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'y', '20240102000000_second', $1)`,
    ['Database error code: 53100\n\nERROR: could not extend file "base/5/1": No space left on device'],
  );
  expect(await run()).toEqual(['20240102000000_second']);
});

test('each migration of the gateway goes on after a full disk', { timeout: 120_000 }, async () => {
  const names = await listMigrations(MIGRATIONS_FOLDER);
  await rm(folder, { recursive: true });
  const fails = "RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'";
  await query(
    url,
    `CREATE FUNCTION fail() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${fails}; END $$`,
  );
  const refused: string[] = [];
  for (const name of names) {
    const [{ script: sql = '' } = {}] = await readMigrations(MIGRATIONS_FOLDER, [name]);
    // The disk is full when all is done but committed, or for a statement that cannot be in a transaction, at its start.
    const isAlone = concurrentIndex(sql) !== undefined;
    if (isAlone)
      await query(
        url,
        `CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION fail()`,
      );
    await script(name, isAlone ? sql : `${sql}\n; DO $$ BEGIN ${fails}; END $$`);
    const message = await run().then(String, (error: Error) => error.message);
    if (message.includes(name) && message.includes('The disk of the database is full.')) refused.push(name);
    if (isAlone) await query(url, 'DROP EVENT TRIGGER full_disk');
    await script(name, sql);
    expect(await run()).toEqual([name]);
  }
  expect(refused).toEqual(names);
  await query(url, 'DROP FUNCTION fail()');
  const expected = await createDatabase();
  expect(await query(url, schemaSql)).toEqual(await query(expected.url, schemaSql));
  await expected.drop();
});

test('a start that waits for migrations says so, and a signal ends it', async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`);
  const [log, stopping] = [memoryLog(), new AbortController()];
  const waiting = migrate(url, { folder, log, signal: stopping.signal }).catch(
    (error: Error) => error.message,
  );
  const told = 'Still waiting: another process is migrating the database';
  await until('told', () => log.messages.includes(told));
  stopping.abort(new Error('Stopped by SIGTERM.'));
  expect(await waiting).toBe('Stopped by SIGTERM.');
  await other.end();
});

test('a start with nothing to apply does not wait for a backup, and one with a migration does', async () => {
  await run();
  const backup = new pg.Client({ connectionString: url });
  await backup.connect();
  await backup.query(`SELECT pg_advisory_lock_shared(${PRISMA_LOCK})`);
  expect(await run()).toEqual([]);
  await script('20240102000000_second', SECOND);
  const log = memoryLog();
  const waiting = run(log);
  await until('told', () =>
    log.messages.includes('Still waiting: another process is migrating the database'),
  );
  await backup.end();
  expect(await waiting).toEqual(['20240102000000_second']);
});

test('a signal cancels what is being applied, and the next start applies it', async () => {
  await script('20240102000000_slow', `${SECOND}SELECT pg_sleep(3600);`);
  const [log, stopping] = [memoryLog(), new AbortController()];
  const applying = migrate(url, { folder, log, signal: stopping.signal }).catch(
    (error: Error) => error.message,
  );
  await until('told', () =>
    log.messages.includes('Still waiting: the migration 20240102000000_slow is being applied'),
  );
  stopping.abort(new Error('Stopped by SIGTERM.'));
  expect(await applying).toBe('Stopped by SIGTERM.');
  await script('20240102000000_slow', SECOND);
  expect(await run()).toEqual(['20240102000000_slow']);
});

test('a migration that was cut off with its process is tried again', async () => {
  await run();
  await script('20240102000000_second', SECOND);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '20240102000000_second')`,
  );
  const log = memoryLog();
  expect(await run(log)).toEqual(['20240102000000_second']);
  expect(log.messages).toContain('A migration was interrupted; trying it again');
});

test('a migration that loses a deadlock against a request is tried again', async () => {
  await run();
  await query(url, 'CREATE TABLE other (id int)');
  // PostgreSQL ends the session that waits last: the migration, for which an advisory lock is the starting gun.
  await script(
    '20240102000000_second',
    `SET LOCAL deadlock_timeout = '1ms'; LOCK TABLE item; SELECT pg_advisory_xact_lock(1); LOCK TABLE other; ${SECOND}`,
  );
  const [request, gun] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([request.connect(), gun.connect()]);
  await request.query("SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE other");
  await gun.query('SELECT pg_advisory_lock(1)');
  const waits = (lock: string) =>
    until(`somebody waits for ${lock}`, async () => {
      const [row] = await query(url, `SELECT FROM pg_locks WHERE ${lock} AND NOT granted`);
      return row;
    });
  const log = memoryLog();
  const migrated = run(log);
  await waits("locktype = 'advisory' AND objid = 1");
  const locked = request.query('LOCK TABLE item');
  await waits("relation = 'item'::regclass");
  await gun.end();
  await locked;
  await request.end();
  expect(await migrated).toEqual(['20240102000000_second']);
  expect(log.messages).toContain('A migration was blocked by locks of another session; trying it again');
});

test('a migration that waits for a lock lets requests pass, and is tried again', async () => {
  await run();
  await script('20240102000000_second', 'ALTER TABLE item ADD COLUMN size int;');
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; LOCK TABLE item IN ACCESS SHARE MODE');
  const log = memoryLog();
  const migrated = migrate(url, { folder, log, patience: { attempt: 100, total: 60_000 } });
  await until('an attempt has ended', () => log.messages.length > 0);
  // Behind a migration that waited for its lock, this would wait, too.
  await query(url, 'INSERT INTO item VALUES (2); SELECT * FROM item');
  await reader.end();
  expect(await migrated).toEqual(['20240102000000_second']);
  expect(new Set(log.messages.slice(0, -1))).toEqual(
    new Set(['A migration was blocked by locks of another session; trying it again']),
  );
});

test('a migration that cannot get its lock ends with the reason, and the next call tries it again', async () => {
  await run();
  await script('20240102000000_second', 'ALTER TABLE item ADD COLUMN size int;');
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; LOCK TABLE item IN ACCESS SHARE MODE');
  const patience = { attempt: 10, total: 0 };
  await expect(migrate(url, { folder, log: memoryLog(), patience })).rejects.toThrow('lock timeout');
  expect(await pendingMigrations(url, { folder })).toEqual(['20240102000000_second']);
  await reader.end();
  expect(await run()).toEqual(['20240102000000_second']);
});

test('an index is built while others write, and begun anew if that was interrupted', async () => {
  await run();
  await query(url, 'INSERT INTO item SELECT generate_series(2, 99)');
  await script(
    '20240102000000_index',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "item_name" ON "item"("name");',
  );
  // Building an index waits for whoever has written before.
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query('BEGIN; INSERT INTO item VALUES (100)');
  const cut = run().catch((error: Error) => error.message);
  const building =
    "FROM pg_stat_activity WHERE query ~ '^(CREATE|DROP) INDEX CONCURRENTLY' AND wait_event_type = 'Lock'";
  await until('the index is being built', async () => (await query(url, `SELECT ${building}`))[0]);
  await query(url, 'INSERT INTO item VALUES (101)');
  await query(url, `SELECT pg_terminate_backend(pid) ${building}`);
  expect(await cut).toMatch(/terminat/);
  await writer.query('COMMIT; BEGIN; INSERT INTO item VALUES (102)');
  const valid = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'item_name'::regclass";
  expect(await query(url, valid)).toEqual([{ valid: false }]);

  // Others that wait for their turn do not stand in the way.
  const log = memoryLog();
  const all = [run(log), run(log), run(log)];
  await until('the index is being built', async () => (await query(url, `SELECT ${building}`))[0]);
  await writer.query('COMMIT');
  await writer.end();
  expect((await Promise.all(all)).flat()).toEqual(['20240102000000_index']);
  expect(log.messages).toContain('A migration was interrupted; trying it again');
  expect(await query(url, valid)).toEqual([{ valid: true }]);
});

test.each([
  ['0.4.0', '0.3.9', false],
  ['0.4.0', '0.4.0-rc.1', true],
  ['0.4.0', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
])('a schema for versions from %s is for %s: %s', async (oldest, version, isUsable) => {
  await script(
    '20240102000000_newer',
    `CREATE FUNCTION oldest_version() RETURNS text LANGUAGE sql AS $$ SELECT '${oldest}' $$`,
  );
  await run();
  await rm(join(folder, '20240102000000_newer'), { recursive: true });
  const answer = pendingMigrations(url, { folder, version });
  if (isUsable) expect(await answer).toEqual([]);
  else
    await expect(answer).rejects.toThrow(
      `this one (${version}) cannot use it: run version ${oldest} or a newer one`,
    );
});

test('says which folder is missing', async () => {
  await rm(folder, { recursive: true });
  await expect(run()).rejects.toThrow(folder);
});

test('says that the database cannot be reached', async () => {
  await expect(migrate('postgresql://127.0.0.1:1/none', { folder, log: memoryLog() })).rejects.toThrow(
    'ECONNREFUSED',
  );
});
