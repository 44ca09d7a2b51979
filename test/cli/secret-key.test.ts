import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets, parseKey, SecretKeyError } from '../../src/db/secrets/secrets.js';
import { signLink } from '../../src/mail/signed-links.js';
import { mailLinkPurpose } from '../../src/reminders/reminder-worker.js';
import { allSealedValues } from '../../src/setup/first-visit.js';
import { makeRows } from '../db/scope.fixture.js';
import {
  createDatabase,
  createTenant,
  startGateway,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import { query } from './organization.support.js';
import { execute, jsonOf } from './support.js';

const randomKey = () => randomBytes(32).toString('base64');
const secretsOf = (key: string) => createSecrets({ secretKey: parseKey(key), dataDir: 'unused' });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-secret-key-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the values of a database', () => {
  const [former, present] = [randomKey(), randomKey()];
  /** More signed tokens than one transaction encrypts. */
  const tokens = 1_100;
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
    const { organizationId, teamId, userId } = await createTenant(database.database);
    await makeRows(database.database.prisma, { organizationId, teamId });
    for (const statement of [
      `INSERT INTO mail_settings (sealed, modified) VALUES ('', now())`,
      `INSERT INTO setup (sealed, created) VALUES ('', now())`,
      `UPDATE deliveries SET subject_kind = 'invitation', payload = '{"sealed": ""}'`,
      `UPDATE idempotency_keys SET caller_id = '${userId}'`,
      `INSERT INTO access_tokens (id, organization_id, user_id, name, role, hash)
       SELECT gen_random_uuid(), '${organizationId}', '${userId}', 'scan', 'UPLOADER', sha256(n::text::bytea)
       FROM generate_series(1, ${tokens}) AS n`,
    ])
      await query(database.url, statement);
    await sealWith(former);
  });
  afterEach(() => database.drop());

  async function sealWith(key: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const { table, key: name, set, owner } of allSealedValues) {
      const { rows } = await client.query(`SELECT (${name})::text AS key FROM ${table}`);
      for (const row of rows) {
        const sealed = Buffer.from(await secretsOf(key).seal(`secret of ${row.key}`, owner(row.key)));
        await client.query(`UPDATE ${table} SET ${set} WHERE (${name})::text = $2`, [sealed, row.key]);
      }
    }
    await client.end();
  }

  /** Returns the number of values that a key opens, and of those that it does not. */
  async function opened(key: string): Promise<{ yes: number; no: number }> {
    const counts = { yes: 0, no: 0 };
    for (const { table, key: name, bytes, owner } of allSealedValues) {
      const rows = await query<{ key: string; bytes: Buffer }>(
        database.url,
        `SELECT (${name})::text AS key, ${bytes} AS bytes FROM ${table} WHERE ${bytes} IS NOT NULL`,
      );
      expect(rows.length, table).toBeGreaterThan(0);
      for (const row of rows) {
        const text = await secretsOf(key)
          .open(row.bytes, owner(row.key))
          .catch((error) => expect(error).toBeInstanceOf(SecretKeyError));
        counts[text === `secret of ${row.key}` ? 'yes' : 'no'] += 1;
      }
    }
    return counts;
  }

  const rotate = (env: NodeJS.ProcessEnv) =>
    execute({ DATABASE_URL: database.url, ...env }, 'secret-key', 'rotate', '--json');
  const both = { SECRET_KEY: present, SECRET_KEY_OLD: former };

  test('are all encrypted again, once', async () => {
    const { yes: all } = await opened(former);
    expect(all).toBeGreaterThan(tokens + 5);
    const first = await rotate(both);
    expect([first.exitCode, first.stderr]).toEqual([0, '']);
    expect(jsonOf(first)).toEqual({ sealedAgain: all, current: 0, unreadable: [] });
    expect([await opened(present), await opened(former)]).toEqual([
      { yes: all, no: 0 },
      { yes: 0, no: all },
    ]);
    expect(jsonOf(await rotate(both))).toEqual({ sealedAgain: 0, current: all, unreadable: [] });
    expect(jsonOf(await rotate({ SECRET_KEY: present }))).toMatchObject({ sealedAgain: 0, current: all });
  });

  test('that neither key opens are named and left alone, and the others are encrypted', async () => {
    const { yes: all } = await opened(former);
    await query(database.url, `UPDATE totp_secrets SET sealed = '\\x0102'`);
    const { exitCode, stdout, stderr } = await rotate(both);
    const { sealedAgain, unreadable } = JSON.parse(stdout);
    expect(unreadable).toEqual([{ table: 'totp_secrets', key: expect.stringMatching(/^[-\da-f]{36}$/) }]);
    expect([exitCode, sealedAgain]).toEqual([1, all - 1]);
    expect(stderr).toMatch(/opens 1 values: totp_secrets [-\da-f]{36}\. Set the key .* as SECRET_KEY_OLD/);
  });

  test('are what doctor looks at', async () => {
    const look = async (env: NodeJS.ProcessEnv) => {
      const outcome = await execute({ DATABASE_URL: database.url, PORT: '0', ...env }, 'doctor', '--json');
      const findings: { check: string }[] = JSON.parse(outcome.stdout);
      return findings.find(({ check }) => check === 'secrets');
    };
    const { yes: all } = await opened(former);
    expect(await look(both)).toMatchObject({
      ok: true,
      warning: true,
      text: `${all} encrypted values need the key before this one: run \`secret-key rotate\`.`,
    });
    expect(await look({ SECRET_KEY: present })).toMatchObject({
      ok: false,
      text: expect.stringMatching(
        new RegExp(`opens ${all} values: access_tokens .* and ${all - 10} more\\. Set the key`),
      ),
    });
    expect(await look({ SECRET_KEY: former })).toMatchObject({
      ok: true,
      text: expect.stringMatching(/opens all/),
    });
    expect((await opened(former)).yes).toBe(all);
  });
});

describe('the key in DATA_DIR', () => {
  const create = (dataDir: string) => execute({ DATA_DIR: dataDir }, 'secret-key', 'new');

  test('is replaced, and the old one kept until it is deleted', async () => {
    const sealed = await createSecrets({ secretKey: undefined, dataDir: folder }).seal('of ours', 'owner');
    const [file, old] = [join(folder, 'secret.key'), join(folder, 'secret.key.old')];
    const before = await readFile(file, 'utf8');
    // An attempt that was killed half-way leaves two equal files.
    await copyFile(file, old);
    expect(await create(folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readFile(old, 'utf8')).toBe(before);
    expect(await readFile(file, 'utf8')).not.toBe(before);
    const secrets = createSecrets({ secretKey: undefined, dataDir: folder });
    expect(await secrets.open(sealed, 'owner')).toBe('of ours');
    const again = await secrets.sealAgain(sealed, 'owner');
    if (!again) throw new Error('It was not encrypted again.');
    expect(await create(folder)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/secret\.key\.old exists already\. Run `secret-key rotate`/),
    });
    await rm(old);
    const later = createSecrets({ secretKey: undefined, dataDir: folder });
    expect(await later.open(again, 'owner')).toBe('of ours');
    await expect(later.open(sealed, 'owner')).rejects.toThrow(SecretKeyError);
  });

  test('is not made where there is none, or where SECRET_KEY is set', async () => {
    expect(await create(join(folder, 'empty'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/no key to replace/),
    });
    expect(await execute({ DATA_DIR: folder, SECRET_KEY: randomKey() }, 'secret-key', 'new')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/openssl rand -base64 32/),
    });
  });

  test('is refused if a file has none', async () => {
    const dataDir = await mkdtemp(join(folder, 'bad-'));
    await writeFile(join(dataDir, 'secret.key'), randomKey());
    await writeFile(join(dataDir, 'secret.key.old'), 'no key');
    expect(await create(dataDir)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/secret\.key\.old does not contain a key/),
    });
  });
});

test.each([
  ['work', 'on', 200],
  ['do not work if others know the key', 'off', 404],
] as const)('links that the old key signed %s', async (_, links, status) => {
  const [former, present] = [randomKey(), randomKey()];
  const gateway = await startGateway({
    ...{ SECRET_KEY: present, SECRET_KEY_OLD: former, SECRET_KEY_OLD_LINKS: links },
  });
  const statusOf = async (key: string) => {
    const { organizationId, url } = gateway;
    const recipientKey = 'mail:anna@example.org';
    const purpose = { action: 'unsubscribe', organizationId, recipientKey } as const;
    const signing = await secretsOf(key).keyFor(mailLinkPurpose);
    const link = signLink(signing, { ...purpose, itemId: undefined, date: undefined }, testTime);
    return (await fetch(`${url}/r/${link}`)).status;
  };
  try {
    const statuses = [await statusOf(present), await statusOf(former), await statusOf(randomKey())];
    expect(statuses).toEqual([200, status, 404]);
  } finally {
    await gateway.close();
  }
});
