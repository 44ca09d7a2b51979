import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { derivedTables, ownedRows, sharedTables } from '../../src/db/backup/tables.js';
import { createSecrets, parseKey } from '../../src/db/secrets/secrets.js';
import { modelRows } from '../../src/domain/models.js';
import { allSealedValues, sealedValues } from '../../src/setup/first-visit.js';
import { makeRows } from '../db/scope.fixture.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import { difference, dump, query, tablesOf } from './organization.support.js';
import { execute, startWith } from './support.js';

let folder: string;
let [source, target] = [{} as TestDatabase, {} as TestDatabase];
let acme: Tenant;
let file: string;
const SECRET_KEY = randomBytes(32).toString('hex');
const inSource = (...argv: string[]) =>
  execute({ DATABASE_URL: source.url, SECRET_KEY }, 'organization', ...argv);
const inTarget = (...argv: string[]) =>
  execute({ DATABASE_URL: target.url, SECRET_KEY }, 'organization', ...argv);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-organization-'));
  await chmod(folder, 0o711);
  file = join(folder, 'acme.organization');
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
  acme = await createTenant(source.database);
  await fill(source, acme);
  for (const [{ database }, name] of [
    [source, 'Globex'],
    [target, 'Initech'],
  ] as const)
    await fill({ database }, await createTenant(database, name));
});
/** Creates a row of every model in an organization. */
const fill = (
  { database }: Pick<TestDatabase, 'database'>,
  { organizationId, teamId }: Pick<Tenant, 'organizationId' | 'teamId'>,
) => makeRows(database.prisma, { organizationId, teamId });
afterAll(async () => {
  await Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true, force: true })]);
});

const countsOf = (url: string) =>
  query(
    url,
    `SELECT table_name, team_id, sum(change) FROM record_counts WHERE organization_id = '${acme.organizationId}'
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );

test('every table of the database belongs to an organization or to the installation, and every secret is known', async () => {
  const decided = [...ownedRows("''").keys(), ...derivedTables, ...sharedTables];
  expect((await tablesOf(source.url)).filter((table) => !decided.includes(table))).toEqual([]);
  const columns = await query<{ name: string }>(
    source.url,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1`,
  );
  const sealed = allSealedValues.map(({ table, set }) => `${table}.${set.split(' ')[0]}`);
  expect(columns.map(({ name }) => name).filter((name) => !sealed.includes(name))).toEqual([
    'access_tokens.hash',
    'archive_parts.content',
    'attachment_contents.content',
    'attachment_contents.digest',
    'calendar_feeds.hash',
    'compliance_links.hash',
    'document_request_links.hash',
    'imports.content',
    'imports.hash',
    'imports.sheet_rows',
    'invitations.hash',
    'passkeys.credential_id',
    'passkeys.public_key',
    'recovery_codes.hash',
    'sessions.device_hash',
    'sessions.hash',
    'sign_in_challenges.hash',
    'sign_in_links.hash',
  ]);
});

/** Changes the text of a file, and compresses it again. */
const altered = (bytes: Buffer, change: (text: string) => string) =>
  gzipSync(change(gunzipSync(bytes).toString('latin1')), { level: 1 });

test('what is no complete file of this version, key and database is refused, and nothing is half done', async () => {
  expect(await inSource('export', 'Acme', file)).toMatchObject({ exitCode: 0, stderr: '' });
  const bytes = await readFile(file);
  const backup = await execute({ DATABASE_URL: source.url }, 'backup', join(folder, 'backup'), '--json');
  expect(backup.exitCode).toBe(0);
  const before = await dump(target.url);
  const cases: [Buffer, RegExp, string[]?][] = [
    [altered(bytes, (text) => text.replace('Ada Admin', 'Eve Admin')), /its checksum is wrong/],
    [
      altered(bytes, (text) => text.slice(0, -200)),
      /^error: The file is not an organization that can be imported: /,
    ],
    [bytes.subarray(0, -100), /it is truncated/],
    [await readFile(join(folder, 'backup')), /it contains a backup/],
    [altered(bytes, (text) => text.replace('"format":1', '"format":2')), /its format is not supported/],
    [
      altered(bytes, (text) => text.replace('"migrations":[', '"migrations":["29990101000000_new",')),
      /upgrade this gateway/,
    ],
    [altered(bytes, (text) => text.replace(/,"\d{14}_move_organizations"/, '')), /export it again/],
    [Buffer.from('none'), /it is damaged, or not an organization/],
  ];
  const hint =
    'If the organization was frozen for this, `organization unfreeze` where it was exported lets it be changed again.';
  for (const [content, message, argv = []] of cases) {
    const changed = join(folder, 'changed');
    await writeFile(changed, content);
    const outcome = await inTarget('import', changed, ...argv);
    expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) });
  }
  const otherKey = await execute(
    { DATABASE_URL: target.url, SECRET_KEY: randomBytes(32).toString('hex') },
    'organization',
    'import',
    file,
  );
  expect(otherKey).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/another SECRET_KEY.*--key FILE/),
  });
  expect(await inSource('import', file)).toMatchObject({
    exitCode: 1,
    stderr: `error: The organization "Acme" (${acme.organizationId}) is already in this database. ${hint}\n`,
  });
  // An id of it is taken there.
  const values = `'${acme.teamId}', organization_id, name, created, modified FROM teams LIMIT 1`;
  await query(
    target.url,
    `INSERT INTO teams (id, organization_id, name, created, modified) SELECT ${values}`,
  );
  const taken = await inTarget('import', file);
  expect(taken.stderr).toBe(
    `error: The file has the id ${acme.teamId} in teams, which exists already in this database. Nothing was imported. ${hint}\n`,
  );
  await query(target.url, `DELETE FROM teams WHERE id = '${acme.teamId}'`);
  expect(difference(await dump(target.url), before)).toEqual(new Map());
  expect(difference(before, await dump(target.url))).toEqual(new Map());
});

test('it is deleted from every table only when its name is given', async () => {
  for (const [stdin, argv, message] of [
    [undefined, ['--yes', 'acme'], /^error: That is not the name "Acme"\. Nothing was deleted\.\n$/],
    [Readable.from([]), [], /^error: Nobody can be asked here\. .*--yes/],
  ] as const) {
    const { outcome } = startWith(
      stdin ? { stdin } : {},
      { DATABASE_URL: source.url },
      'organization',
      'delete',
      'Acme',
      ...argv,
    );
    expect(await outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(message) });
  }
  await query(source.url, `INSERT INTO rate_limits VALUES ('token:${acme.userId}', 1, now())`);
  await query(source.url, `INSERT INTO sign_in_challenges VALUES ('\\x01', '${acme.userId}', now())`);
  const [before, counts, beforeThere] = [
    await dump(source.url),
    await countsOf(source.url),
    await dump(target.url),
  ];
  expect(await inTarget('import', file)).toMatchObject({ exitCode: 0, stderr: '' });

  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const asked = startWith(
    { stdin },
    { DATABASE_URL: source.url },
    'organization',
    'delete',
    acme.organizationId,
  );
  stdin.write('Acme\n');
  expect(await asked.outcome).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Deleted "Acme" \([-0-9a-f]{36}\), \d+ rows in \d\d tables\.\n$/),
    stderr: expect.stringMatching(/This deletes everything of "Acme" .*Type its name to go on: /s),
  });

  const after = await dump(source.url);
  const gone = difference(before, after);
  // Every model had rows; exactly what is gone here has come there.
  expect([...gone.keys()].sort()).toEqual(
    [...modelRows.map(([, { table }]) => table), 'rate_limits', 'sign_in_challenges'].sort(),
  );
  const come = difference(await dump(target.url), beforeThere);
  expect(new Map([...gone].filter(([table]) => !sharedTables.includes(table)))).toEqual(come);
  expect(await countsOf(target.url)).toEqual(counts);
  // No row of any table names anything that is gone.
  const own = [...gone.values()].flat().flatMap((row) => /^\(([-0-9a-f]{36})[,)]/.exec(row)?.slice(1) ?? []);
  const [ids, text] = [new Set([acme.organizationId, ...own]), JSON.stringify([...after])];
  expect([...ids].filter((id) => text.includes(id))).toEqual([]);
  expect(difference(after, before)).toEqual(new Map());
  // Its tokens work where it is now, and only there.
  expect(await authenticate(target.database, acme.member, testTime)).toMatchObject({
    teamIds: [acme.teamId],
  });
  expect(await authenticate(source.database, acme.member, testTime)).toBeNull();
});

test('values that another key encrypted are encrypted again', async () => {
  const { organizationId, teamId, userId } = await createTenant(source.database, 'Umbrella');
  await fill(source, { organizationId, teamId });
  const here = createSecrets({ secretKey: parseKey(SECRET_KEY), dataDir: folder });
  const own = `organization_id = '${organizationId}'`;
  await query(source.url, `UPDATE deliveries SET subject_kind = 'invitation', payload = '{}' WHERE ${own}`);
  await query(source.url, `UPDATE idempotency_keys SET caller_id = '${userId}' WHERE ${own}`);
  const read = (url: string, { table, key, bytes }: (typeof sealedValues)[number]) =>
    query<{ key: string; bytes: Buffer }>(
      url,
      `SELECT (${key})::text AS key, ${bytes} AS bytes FROM ${table} WHERE ${own}`,
    );
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  for (const values of sealedValues)
    for (const { key } of await read(source.url, values)) {
      const sealed = Buffer.from(await here.seal(`secret of ${key}`, values.owner(key)));
      await client.query(`UPDATE ${values.table} SET ${values.set} WHERE (${values.key})::text = $2`, [
        sealed,
        key,
      ]);
    }
  await client.end();
  const [exported, keyFile, newKey] = [join(folder, 'umbrella'), join(folder, 'former.key'), randomBytes(32)];
  expect(await inSource('export', 'Umbrella', exported)).toMatchObject({ exitCode: 0 });
  const take = (key: string) => {
    const env = { DATABASE_URL: target.url, SECRET_KEY: newKey.toString('base64') };
    return writeFile(keyFile, key).then(() =>
      execute(env, 'organization', 'import', exported, '--key', keyFile, '--json'),
    );
  };
  expect(await take(randomBytes(32).toString('hex'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/--key is not the one/),
  });
  const taken = await take(SECRET_KEY);
  expect(taken).toMatchObject({ exitCode: 0, stderr: '' });
  const now = createSecrets({ secretKey: parseKey(newKey.toString('base64')), dataDir: folder });
  let count = 0;
  for (const values of sealedValues) {
    const rows = await read(target.url, values);
    expect(rows.length, values.table).toBeGreaterThan(0);
    for (const { key, bytes } of rows)
      expect(await now.open(bytes, values.owner(key))).toBe(`secret of ${key}`);
    count += rows.length;
  }
  expect(JSON.parse(taken.stdout)).toMatchObject({ name: 'Umbrella', sealedAgain: count });
});
