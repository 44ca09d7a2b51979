import { chmod, chown, copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { execute, start } from '../cli/support.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query, until } from './support.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const root = (name: string) => `sslrootcert=${encodeURIComponent(fixture(name))}`;
const ca = root('ca.crt');

let folder: string;
let server: EmbeddedDatabase;

/**
 * Returns a PostgreSQL that takes connections to the gateway's database with TLS alone; its certificate says
 * `localhost`.
 */
beforeAll(async () => {
  folder = await tempFolder();
  server = await openEmbedded({ dataDir: join(folder, 'data'), log: memoryLog() });
  const data = join(folder, 'data/postgres/data');
  const { uid, gid } = await stat(data);
  for (const name of ['localhost.crt', 'localhost.key']) {
    await copyFile(fixture(name), join(data, name));
    await chmod(join(data, name), 0o600);
    await chown(join(data, name), uid, gid);
  }
  for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: 'localhost.crt' })) {
    await query(server.url, `ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await query(server.url, "ALTER SYSTEM SET ssl_key_file = 'localhost.key'");
  const rules = join(data, 'pg_hba.conf');
  await writeFile(rules, `hostnossl gateway all all reject\n${await readFile(rules, 'utf8')}`);
  await query(server.url, 'SELECT pg_reload_conf()');
  await until('TLS alone', () => query(server.url, 'SELECT 1').catch(({ code }) => code === '28000'));
});
afterAll(() => server?.close());

function urlOf(host: string, parameters: string): string {
  const url = new URL(server.url);
  url.hostname = host;
  return `${url.href}${parameters && `?${parameters}`}`;
}

const migrate = (host: string, parameters: string) =>
  execute({ DATABASE_URL: urlOf(host, parameters) }, 'migrate');

describe('a server with TLS is used', () => {
  test.each([
    ['127.0.0.1', 'sslmode=require'],
    ['127.0.0.1', `sslmode=require&${ca}`],
    ['127.0.0.1', `sslmode=verify-ca&${ca}`],
    ['localhost', `sslmode=verify-full&${ca}`],
    ['localhost', ca],
  ])('at %s with %s', async (host, parameters) => {
    expect(await migrate(host, parameters)).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a server with TLS is not used', () => {
  test.each([
    ['127.0.0.1', '', /no encryption|pg_hba/],
    ['127.0.0.1', 'sslmode=disable', /no encryption|pg_hba/],
    ['127.0.0.1', `sslmode=require&${root('other-ca.crt')}`, /verify|certificate/],
    ['127.0.0.1', `sslmode=verify-ca&${root('other-ca.crt')}`, /verify|certificate/],
    ['127.0.0.1', `sslmode=verify-full&${ca}`, /Host: 127\.0\.0\.1|altnames/],
    ['localhost', `sslmode=verify-full&${root('other-ca.crt')}`, /verify|certificate/],
    ['localhost', 'sslmode=verify-full', /verify|certificate/],
    ['localhost', 'sslrootcert=system', /verify|certificate/],
  ])('at %s with %s', async (host, parameters, reason) => {
    const { exitCode, stderr } = await migrate(host, parameters);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(reason)]);
  });
});

test('all that a gateway and its commands do is encrypted', async () => {
  const url = urlOf('localhost', `sslmode=verify-full&${ca}`);
  const env = {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: url,
    PORT: '0',
    ROW_SECURITY: 'on',
    DEMO_DATA: 'off',
  };
  const running = start({ ...env, BOOTSTRAP_TOKEN: 'given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq' }, 'serve');
  await expect.poll(running.stdout, { timeout: 30_000 }).toContain('"ready"');
  // Pool, replica and listener each have connections of their own; the server has none without TLS.
  await expect.poll(running.stdout, { timeout: 30_000 }).toContain('it is not a streaming replica');
  const [address] = /http:[^"]*/.exec(running.stdout()) ?? [];
  const subscribe = { query: 'subscription { eventLogged { id } }' };
  const events = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq',
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
    },
    body: JSON.stringify(subscribe),
  });
  expect(events.status).toBe(200);
  await events.body?.cancel();
  const backup = join(folder, 'backup');
  expect(await execute(env, 'backup', backup)).toMatchObject({ exitCode: 0 });
  expect(await execute(env, 'token', 'list')).toMatchObject({ exitCode: 0 });
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect(await running.outcome).toMatchObject({ exitCode: 0 });
  expect(await execute(env, 'restore', '--force', backup)).toMatchObject({ exitCode: 0 });
});
