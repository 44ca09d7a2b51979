import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { PRISMA_LOCK } from '../../src/db/migrations/migrate.js';
import { query } from '../db/support.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf, type Running, start, startWith } from './support.js';

let test: TestDatabase;
let dataDir: string;
let env: Record<string, string>;

beforeEach(async () => {
  test = await createDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-serve-'));
  env = { DATABASE_URL: test.url, PORT: '0', DATA_DIR: dataDir };
});
afterEach(async () => {
  await test.drop();
  await rm(dataDir, { recursive: true });
});

/** Reads the file with the secrets of the first start, once it has the link. */
async function firstSecrets(): Promise<string> {
  const read = () => readFile(join(dataDir, 'first-start.txt'), 'utf8').catch(() => '');
  await expect.poll(read).toMatch(/^(Set up|Sign in): /m);
  return read();
}

/** Returns the log so far, without the lines that are for people. */
function logOf({ stdout }: Running): Record<string, unknown>[] {
  return stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** Waits until the gateway listens; answers where. */
async function ready(running: Running): Promise<string> {
  const line = () => logOf(running).find(({ msg }) => msg === 'ready');
  await expect.poll(line).toBeDefined();
  return String(line()?.url);
}

/** Runs a statement in a session that stays as it is until the test ends, and returns that session. */
async function hold(sql: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: test.url });
  client.on('error', () => {}); // the test ends it
  await client.connect();
  await client.query(sql);
  return client;
}

it.each([
  {
    lock: 'BEGIN; LOCK TABLE organizations',
    while: 'the database is being prepared',
    sees: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    more: {},
  },
  {
    lock: `SELECT pg_advisory_lock(${PRISMA_LOCK})`,
    while: 'row-level security is being set up',
    sees: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock($1)%'",
    more: { ROW_SECURITY: 'on', MIGRATE: 'off' },
  },
])('stops at a signal while $while', async ({ lock, while: doing, sees, more }) => {
  const holder = await hold(lock);
  const running = start({ ...env, ...more }, 'serve');
  await expect.poll(() => query(test.url, sees)).not.toEqual([]);
  running.signals.emit('SIGTERM', 'SIGTERM');
  // The lock is still held.
  expect(await running.outcome).toMatchObject({
    exitCode: 1,
    stderr: `error: Stopped by SIGTERM while ${doing}.\n`,
  });
  await holder.end();
});

it('writes the secrets of the first start to a file of its owner, and none to the log', async () => {
  const running = start(env, 'serve');
  const url = await ready(running);
  const told = await firstSecrets();
  const [, token = '', link] = /^Admin token: (egw_\S+)\nSet up: (\S+)\n$/.exec(told) ?? [];
  const file = join(dataDir, 'first-start.txt');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect.poll(() => logOf(running).map((line) => line.file)).toContain(file);
  expect(link?.replace(/#[\w-]{43}$/, '')).toBe(`${url}/setup`);
  expect(await authenticate(test.database, token, new Date())).toMatchObject({ role: 'ADMIN' });
  const secret = link?.split('#')[1] ?? '';
  expect(running.stdout() + running.stderr()).not.toMatch(new RegExp(`${token}|${secret}`));
  running.signals.emit('SIGTERM', 'SIGTERM');
  await running.outcome;
  const again = start(env, 'serve');
  await ready(again);
  // The token stays until an administrator has been set up, and the link is the same with another port.
  await expect.poll(firstSecrets).not.toBe(told);
  expect(await firstSecrets()).toMatch(new RegExp(`^Admin token: ${token}\nSet up: \\S+/setup#${secret}\n$`));
  expect(again.stdout() + again.stderr()).not.toMatch(new RegExp(`egw_|${secret}`));
  again.signals.emit('SIGINT', 'SIGINT');
  expect((await again.outcome).exitCode).toBe(0);

  const { prisma } = test.database;
  const { id: userId, organizationId } = await prisma.user.findFirstOrThrow();
  await prisma.password.create({ data: { userId, organizationId, phc: 'x', changedAt: new Date() } });
  const last = start(env, 'serve');
  await ready(last);
  await expect(stat(file)).rejects.toThrow('ENOENT');
  expect(await authenticate(test.database, token, new Date())).toBeNull();
  last.signals.emit('SIGINT', 'SIGINT');
  await last.outcome;
});

it('keeps no secret where DATA_DIR cannot be written, and says what to do', async () => {
  const running = start({ ...env, DATA_DIR: '/dev/null/none', SECRET_KEY: '5a'.repeat(32) }, 'serve');
  await ready(running);
  const said = /cannot be kept in DATA_DIR: create a token with `token create/;
  await expect.poll(() => running.stdout()).toMatch(said);
  expect(running.stdout() + running.stderr()).not.toMatch(/egw_|setup#/);
  running.signals.emit('SIGTERM', 'SIGTERM');
  await running.outcome;
});

it('does not greet people at the terminal with --quiet, but writes the file', async () => {
  const running = startWith({ columns: 80 }, env, 'serve', '--quiet');
  expect(await firstSecrets()).toMatch(/^Admin token: egw_\S+\nSet up: \S+\/setup#\S+\n$/);
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect(await running.outcome).toMatchObject({ exitCode: 0, stdout: '' });
});

it('tells which database it uses, without user and password', async () => {
  const running = start(env, 'serve');
  await ready(running);
  const { host, pathname, username, password } = new URL(test.url);
  expect(logOf(running)[0]).toMatchObject({ level: 'info', msg: `Using PostgreSQL at ${host}${pathname}` });
  expect(running.stdout()).not.toContain(password);
  expect(running.stdout()).not.toContain(`${username}@`);
  running.signals.emit('SIGTERM', 'SIGTERM');
  await running.outcome;
});

it('uses BOOTSTRAP_TOKEN and never shows it', async () => {
  const running = start(
    { ...env, BOOTSTRAP_TOKEN: 'given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq', DEMO_DATA: 'on' },
    'serve',
  );
  const url = await ready(running);
  const response = await fetch(`${url}/health/ready`, {
    headers: { Authorization: 'Bearer given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq' },
  });
  expect(response.status).toBe(200);
  expect(await authenticate(test.database, 'given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq', new Date())).toMatchObject({
    role: 'ADMIN',
  });
  expect(await test.database.prisma.vehicle.count()).toBe(12);
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect((await running.outcome).stdout).not.toContain('given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq');
});

it('stops at a signal: nothing listens any more, nothing listens for signals', async () => {
  const running = start(env, 'serve');
  const url = await ready(running);
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect(await running.outcome).toMatchObject({ exitCode: 0 });
  const lines = logOf(running);
  // The worker's first look at its mail server may end in between.
  const ends = lines.filter(({ msg }) => msg === 'stopping' || msg === 'stopped');
  expect(ends).toMatchObject([{ msg: 'stopping', signal: 'SIGTERM' }, { msg: 'stopped' }]);
  expect(lines.at(-1)).toBe(ends.at(-1));
  await expect(fetch(url)).rejects.toThrow();
  expect(running.signals.eventNames()).toEqual([]);
});

it('says that the port is taken, and what to do, before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { exitCode, stdout, stderr } = await execute({ ...env, PORT: String(port) }, 'serve');
  other.close();
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(
    `error: PORT ${port} is taken on 127.0.0.1: set PORT to another port, or stop what listens there. (EADDRINUSE)\n`,
  );
});

it('warns of a variable that looks like a setting', async () => {
  const running = start({ ...env, PORTT: '1' }, 'serve');
  await ready(running);
  running.signals.emit('SIGTERM', 'SIGTERM');
  await running.outcome;
  expect(logOf(running)).toContainEqual(
    expect.objectContaining({ level: 'warn', setting: 'PORTT', meant: 'PORT' }),
  );
});

it('waits for a database that is starting, and stops waiting on a signal', async () => {
  const { hostname, port } = new URL(test.url);
  const door = createServer((socket) => {
    const server = connect(Number(port), hostname);
    socket.pipe(server).pipe(socket);
    for (const one of [socket, server]) one.on('error', () => {}).on('close', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const place = door.address() as AddressInfo;
  await new Promise((resolve) => door.close(resolve));
  const url = new URL(test.url);
  url.port = String(place.port);
  const away = { ...env, DATABASE_URL: url.href, STARTUP_TIMEOUT: '300' };
  const waits = (running: Running) =>
    expect.poll(() => logOf(running).map(({ seconds }) => seconds)).toContain(300);
  const stopped = start(away, 'serve');
  await waits(stopped);
  stopped.signals.emit('SIGINT', 'SIGINT');
  const said = 'error: Stopped by SIGINT before there was a connection.\n';
  expect(await stopped.outcome).toMatchObject({ exitCode: 1, stderr: said });
  const running = start(away, 'serve');
  await waits(running);
  door.listen(place.port, '127.0.0.1');
  await ready(running);
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect((await running.outcome).exitCode).toBe(0);
  door.close();
});

it.each([
  ['password', 'nobody:wrong', /refuses the connection: password authentication failed/],
  ['database', undefined, /refuses the connection: database "nowhere" does not exist/],
])('does not wait when the %s is wrong', async (_, user, expected) => {
  const url = new URL(test.url);
  if (user === undefined) url.pathname = '/nowhere';
  else [url.username = '', url.password = ''] = user.split(':');
  const { exitCode, stderr } = await execute({ ...env, DATABASE_URL: url.href }, 'serve');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(expected);
  expect(stderr).toMatch(/^error: DATABASE_URL: .*\n$/);
});

it('waits for a request in flight, but not after a second signal', async () => {
  const running = start({ ...env, BOOTSTRAP_TOKEN: 'given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq' }, 'serve');
  const { port } = new URL(await ready(running));
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => {});
  client.write(
    'POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq\r\n' +
      'Content-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  );
  // It says so once it waits for the rest.
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);
  client.write('{');
  running.signals.emit('SIGTERM', 'SIGTERM');
  const waited = await Promise.race([
    running.outcome,
    new Promise((resolve) => setTimeout(resolve, 300, 'waiting')),
  ]);
  expect(waited).toBe('waiting');
  running.signals.emit('SIGINT', 'SIGINT');
  expect(await running.outcome).toMatchObject({
    exitCode: 1,
    stderr: 'error: Stopped immediately by a second SIGINT.\n',
  });
  client.destroy();
  await expect.poll(() => running.stdout()).toContain('"stopped"');
});

it('is not ready for the time that SHUTDOWN_DELAY gives, and answers still', async () => {
  const running = start({ ...env, SHUTDOWN_DELAY: '5' }, 'serve');
  const url = await ready(running);
  const status = async (path: string) => (await fetch(url + path)).status;
  expect(await status('/health/ready')).toBe(200);
  const asked = performance.now();
  running.signals.emit('SIGTERM', 'SIGTERM');
  await expect.poll(() => status('/health/ready')).toBe(503);
  expect(await status('/health/live')).toBe(200);
  expect(await status('/v1/vehicles')).toBe(401);
  expect((await running.outcome).exitCode).toBe(0);
  expect(performance.now() - asked).toBeGreaterThan(4_990);
  await expect(fetch(url)).rejects.toThrow();
});

it('shares its embedded database with the other commands', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-serve-'));
  await chmod(dataDir, 0o755); // as root, PostgreSQL runs as another user
  const embedded = { DATA_DIR: dataDir, PORT: '0', DEMO_DATA: 'off' };
  const running = start(embedded, 'serve');
  const url = await ready(running);
  expect(logOf(running)[0]).toMatchObject({ msg: `Using the embedded PostgreSQL in ${dataDir}` });
  const outcome = await execute(embedded, 'token', 'create', '--name', 'ci', '--role', 'admin', '--json');
  const headers = { Authorization: `Bearer ${jsonOf(outcome).token}` };
  expect((await fetch(`${url}/v1/vehicles`, { headers })).status).toBe(200);
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect((await running.outcome).exitCode).toBe(0);
  expect(jsonOf(await execute(embedded, 'token', 'list', '--json'))).toHaveLength(2);
  await rm(dataDir, { recursive: true });
});
