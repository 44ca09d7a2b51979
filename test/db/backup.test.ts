import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBackup } from '../../src/db/backup/backup.js';
import { BackupError, checkBackup } from '../../src/db/backup/format.js';
import { keepLastBackup } from '../../src/db/backup/last-backup.js';
import { restoreBackup } from '../../src/db/backup/restore.js';
import { migrate } from '../../src/db/migrations/migrate.js';
import { loadDemo } from '../../src/setup/demo/demo.js';
import { execute, urlOf } from '../support/database.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { postgresUrl } from '../support/postgres.js';
import { makeRows } from './scope.fixture.js';
import { memoryLog, query, until } from './support.js';

let gateway: TestGateway;
let folder: string;
/** A backup of the gateway's database. */
let file: string;
const made: string[] = [];

/** Returns an empty database of a test's own. */
async function emptyDatabase(): Promise<string> {
  const server = postgresUrl;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}`);
  made.push(name);
  return urlOf(server, name);
}

/** One that every restore into is refused. */
let refusing: string;

/** Returns every row of every table as PostgreSQL writes it, in one order. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const tables = await query(
    url,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relpersistence = 'p' ORDER BY relname`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query(url, `SELECT record::text AS text FROM "${name}" AS record ORDER BY 1`);
    content[name] = rows.map(({ text }) => text);
  }
  return content;
}

const texts = ['tab\tnew\nline', '\\.', '\\N', 'back\\slash', '\r\n', '"quoted"', 'Ünï, 漢字 🚗', '', ' '];

beforeAll(async () => {
  gateway = await startGateway({ SECRET_KEY: randomBytes(32).toString('hex') });
  folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
  file = join(folder, 'gateway.backup');
  refusing = await emptyDatabase();
  const { database, organizationId, send, graphql } = gateway;
  await loadDemo(database, organizationId, testTime);
  for (const name of texts) {
    const headers = { 'Idempotency-Key': randomUUID() };
    await send('POST', '/v1/vehicles', { body: { name, msrp: 0.1 + 0.2 }, headers });
  }
  const id = 9007199254740993n;
  const received = await send('POST', '/v1/bulkscan/receive', {
    headers: { 'Content-Type': 'application/json' },
    raw: `{"id": ${id}, "action": "fp.upload", "text": {"size": ${id}, "upload_Tags": {"a": [1, "\\\\.", null]}}}`,
  });
  expect(received.status).toBe(204);
  const content = Buffer.concat([randomBytes(200_000), Buffer.from('\n\\.\n')]).toString('base64');
  const answer = await graphql(
    `mutation($content: String!) {
      createExpirationItem(input: {name: "Licence", expirationDate: "2027-03-31",
        noticeRule: {unit: MONTHS, count: 3}, renewUntil: "2030-03-31", renewalsLeft: 2,
        attachments: [{name: "scan.pdf", content: $content}, {name: "empty", content: ""}]}) { id }
      createAccessToken(input: {name: "scanner", role: UPLOADER, signed: true}) { token }
    }`,
    { content },
  );
  expect(answer.errors).toBeUndefined();
  const acknowledged = await graphql(
    'mutation($id: ID!) { setAcknowledgement(id: $id, input: {about: NOTICE, note: "Told"}) { note } }',
    { id: answer.data.createExpirationItem.id },
  );
  expect(acknowledged.errors).toBeUndefined();
  // A row of each table, also of those that no request above has written to.
  await makeRows(database.prisma, { organizationId, teamId: gateway.teamId });
  await keepLastBackup(gateway.databaseUrl, { at: testTime, bytes: 1 });
  for (const [table, time] of [
    ['setup', 'created'],
    ['mail_settings', 'modified'],
  ] as const) {
    await query(gateway.databaseUrl, `INSERT INTO ${table} (sealed, ${time}) VALUES ('x', now())`);
  }
  await query(gateway.databaseUrl, 'INSERT INTO first_token (token_id) SELECT id FROM access_tokens LIMIT 1');
  await query(gateway.databaseUrl, 'INSERT INTO primary_timeline (timeline) VALUES (1)');
  await query(gateway.databaseUrl, "INSERT INTO file_removals (store, object_key) VALUES ('S3', 'key')");
  await writeBackup(gateway.databaseUrl, file);
});

afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
  for (const name of made) await execute(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`);
});

/** Returns the backup's text changed, as a new file. */
async function changed(change: (text: string) => string): Promise<string> {
  const path = join(folder, `${randomBytes(4).toString('hex')}.changed`);
  const text = gunzipSync(await readFile(file)).toString('latin1');
  await writeFile(path, gzipSync(Buffer.from(change(text), 'latin1')));
  return path;
}

describe('a backup', () => {
  test('has rows of every table', async () => {
    const { head, counts } = await checkBackup(file);
    const content = await contentOf(gateway.databaseUrl);
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(content).map(([name, rows]) => [name, rows.length])),
    );
    // A row of that table would be replaced by one about this backup.
    expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual(['restored_backup']);
    expect(head.migrations).toEqual(
      await readdir('prisma/migrations').then((names) => names.filter((name) => /^\d/.test(name))),
    );
  });

  test('is readable only by its owner, and leaves nothing beside it', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('.part'));
  });

  test('restored into an empty database, is the same in every row', async () => {
    const url = await emptyDatabase();
    const counts = await restoreBackup(url, file, { force: false, live: true });
    expect(counts).toEqual((await checkBackup(file)).counts);
    expect(await contentOf(url)).toEqual(await contentOf(gateway.databaseUrl));
    const item = `SELECT notice_date::text, notice_rule IS NOT NULL AS computed, renew_until::text, renewals_left, about::text
      FROM expiration_items AS item JOIN acknowledgements ON item_id = item.id WHERE name = 'Licence' AND note = 'Told'`;
    expect(await query(url, item)).toEqual([
      {
        notice_date: '2026-12-31',
        computed: true,
        renew_until: '2030-03-31',
        renewals_left: 2,
        about: 'NOTICE',
      },
    ]);
    const kept = `SELECT (SELECT sum(change) FROM record_counts WHERE table_name = 'vehicles')::integer AS kept`;
    expect(await query(url, `${kept}, count(*)::integer AS counted FROM vehicles`)).toEqual([
      { kept: counts.vehicles, counted: counts.vehicles },
    ]);
    expect(await migrate(url, { log: memoryLog() })).toEqual([]);
  });
});

describe('restoring', () => {
  test('rejects a truncated, damaged or wrong file, and changes nothing', async () => {
    const url = refusing;
    const whole = await readFile(file);
    const path = join(folder, 'broken');
    const broken = [
      ...[0, 1, 9, 10, 1_000, whole.length >> 1, whole.length - 9, whole.length - 1].map((length) =>
        whole.subarray(0, length),
      ),
      Buffer.concat([
        whole.subarray(0, 5_000),
        Buffer.from([(whole[5_000] ?? 0) ^ 1]),
        whole.subarray(5_001),
      ]),
      Buffer.from('no backup\n'),
      gzipSync('no backup\n'),
      gzipSync('-- expiration-gateway backup {"format":1,"migr'),
      gzipSync('-- expiration-gateway backup {"format":2,"migrations":[]}\n-- rows {}\n'),
    ];
    for (const bytes of broken) {
      await writeFile(path, bytes);
      await expect(restoreBackup(url, path, { force: true })).rejects.toThrow(BackupError);
    }
    expect(await contentOf(url)).toEqual({});
  });

  test.each<[string, (text: string) => string]>([
    ['without its last line', (text) => text.slice(0, text.lastIndexOf('-- rows'))],
    ['that ends within a table', (text) => text.slice(0, text.indexOf('\n\\.\n') + 2)],
    ['that goes on', (text) => `${text}-- rows {}\n`],
    ['with a row less', (text) => text.replace(/(COPY teams .+\n).+\n/, '$1')],
    ['with a table less', (text) => text.replace(/COPY tags .+\n(.+\n)*?\\\.\n/, '')],
    ['with other statements', (text) => text.replace(/COPY teams .+;/, "COPY teams FROM PROGRAM 'true';")],
  ])('refuses a text %s', async (_what, change) => {
    const path = await changed(change);
    expect(await readFile(path)).not.toEqual(await readFile(file));
    await expect(restoreBackup(refusing, path, { force: true })).rejects.toThrow(BackupError);
  });

  test('rolls everything back if a row does not fit, including the earlier contents', async () => {
    const url = await emptyDatabase();
    await restoreBackup(url, file, { force: false });
    const before = await contentOf(url);
    const path = await changed((text) => text.replace(/(COPY vehicles .+\n)./, '$1!'));
    await expect(restoreBackup(url, path, { force: true })).rejects.toThrow(
      /invalid input syntax for type uuid/,
    );
    expect(await contentOf(url)).toEqual(before);
  });

  test('refuses a newer version, and migrates an older one', async () => {
    const older = join(folder, 'older');
    await cp('prisma/migrations', older, { recursive: true });
    const [last = ''] = (await readdir(older))
      .filter((name) => /^\d/.test(name))
      .sort()
      .reverse();
    await rm(join(older, last), { recursive: true });
    const url = await emptyDatabase();
    await expect(restoreBackup(url, file, { force: false, folder: older })).rejects.toThrow(
      `with the migration ${last}`,
    );
    expect(await contentOf(url)).toEqual({});

    await migrate(url, { log: memoryLog(), folder: older });
    const old = join(folder, 'old.backup');
    await writeBackup(url, old);
    const other = await emptyDatabase();
    await restoreBackup(other, old, { force: false });
    expect(await migrate(other, { log: memoryLog() })).toEqual([last]);
  });

  test('replaces existing contents only with --force', async () => {
    const url = await emptyDatabase();
    await restoreBackup(url, file, { force: false });
    await query(url, "UPDATE vehicles SET name = 'changed'; CREATE TABLE later (id integer PRIMARY KEY)");
    await expect(restoreBackup(url, file, { force: false })).rejects.toThrow(/is not empty: \w+ has rows/);
    await restoreBackup(url, file, { force: true, live: true });
    expect(await contentOf(url)).toEqual(await contentOf(gateway.databaseUrl));
  });

  test('refuses a database that a gateway uses', async () => {
    await gateway.database.ping();
    await expect(restoreBackup(gateway.databaseUrl, file, { force: true })).rejects.toThrow(
      /Stop all gateways/,
    );
  });

  test('leaves nothing when its connection is lost half way', async () => {
    const url = await emptyDatabase();
    const restoring = restoreBackup(url, file, { force: false });
    // It may fail before anybody looks.
    restoring.catch(() => {});
    await until('it is at work', () =>
      query(
        postgresUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = $1 AND backend_xid IS NOT NULL`,
        [new URL(url).pathname.slice(1)],
      ).then((rows) => rows.length),
    );
    await expect(restoring).rejects.toThrow();
    expect(await contentOf(url)).toEqual({});
  });
});

describe('backing up', () => {
  test('is of one moment, whatever is written meanwhile', async () => {
    const path = join(folder, 'moment.backup');
    const { database, organizationId, teamId } = gateway;
    let writing = true;
    const ids: string[] = [];
    const writer = (async () => {
      while (writing) {
        const data = { organizationId, teamId, created: testTime, modified: testTime };
        const [location, vehicle] = [randomUUID(), randomUUID()];
        await database.prisma.$transaction([
          database.prisma.location.create({ data: { ...data, id: location, name: location } }),
          database.prisma.vehicle.create({ data: { ...data, id: vehicle, locationId: location } }),
        ]);
        ids.push(location);
      }
    })();
    await until('the writer is at it', () => ids.length > 5);
    await writeBackup(gateway.databaseUrl, path);
    writing = false;
    await writer;
    const url = await emptyDatabase();
    await restoreBackup(url, path, { force: false });
    const [{ apart }] = await query(
      url,
      'SELECT count(*)::integer AS apart FROM locations FULL JOIN vehicles ON location_id = locations.id AND locations.name = locations.id::text WHERE locations.name = locations.id::text AND vehicles.id IS NULL',
    );
    expect(apart).toBe(0);
  });

  test('that is aborted leaves no new file, and keeps the older one', async () => {
    const path = join(folder, 'older.backup');
    await writeFile(path, 'older');
    const before = (await readdir(folder)).sort();
    const stopping = new AbortController();
    const backing = writeBackup(gateway.databaseUrl, path, { signal: stopping.signal, force: true });
    await until('it has begun', async () => (await readdir(folder)).length > before.length);
    stopping.abort(new Error('enough'));
    await expect(backing).rejects.toThrow('enough');
    expect((await readdir(folder)).sort()).toEqual(before);
    expect(await readFile(path, 'utf8')).toBe('older');
  });

  test('works on an empty database, and explains why it cannot write', async () => {
    await expect(writeBackup(refusing, join(folder, 'none'))).rejects.toThrow(/is empty/);
    await expect(writeBackup(gateway.databaseUrl, join(folder, 'no/such/folder'))).rejects.toThrow(/ENOENT/);
  });

  test('knows all that there is to keep: rows of tables, and no sequences', async () => {
    // A table that is not kept needs no number.
    const sequences = 'SELECT sequencename AS name FROM pg_sequences';
    expect(await query(gateway.databaseUrl, sequences)).toEqual([{ name: 'record_changes_seq_seq' }]);
  });
});
