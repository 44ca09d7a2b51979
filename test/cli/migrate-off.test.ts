import { afterEach, beforeEach, expect, it } from 'vitest';
import { query } from '../db/support.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, type Running, start } from './support.js';

let test: TestDatabase;
let env: Record<string, string>;
const lack = /^The database lacks the migration \d{14}_\w+ and \d+ more/;

beforeEach(async () => {
  test = await createDatabase();
  await query(test.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  env = { DATABASE_URL: test.url, MIGRATE: 'off', PORT: '0', METRICS_PORT: '0' };
});
afterEach(() => test.drop());

/** Waits for a line of the log with a message and a URL; returns the URL. */
const urlOf = (running: Running, msg: string): Promise<string> =>
  eventually(() => {
    const lines = running.stdout().split('\n').slice(0, -1);
    const line = lines.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
    const { url } = line.find((each) => each.msg === msg) ?? {};
    if (!url) throw new Error(`It does not say "${msg}": ${running.stdout()}${running.stderr()}`);
    return url;
  });

async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

it('gateways and workers wait, not ready, until `migrate` has migrated the database', async () => {
  const all = [start(env, 'serve'), start(env, 'worker')];
  for (const running of all) {
    const url = await urlOf(running, 'Waiting for migrations');
    expect((await ask(`${url}/health/live`)).status).toBe(200);
    const ready = await ask(`${url}/health/ready`);
    expect(ready).toMatchObject({ status: 503, json: { reason: expect.stringMatching(lack) } });
    const refused = await ask(`${url}/v1/vehicles`);
    expect(refused).toMatchObject({ status: 503, json: { code: 'UNAVAILABLE', ok: false } });
    expect(refused.headers.get('retry-after')).toBe('5');
  }
  // Waiting changes nothing.
  expect(await query(test.url, "SELECT to_regclass('_prisma_migrations') AS history")).toEqual([
    { history: null },
  ]);
  expect(await execute(env, 'migrate')).toMatchObject({ exitCode: 0, stderr: '' });
  for (const running of all) {
    const url = await urlOf(running, 'ready');
    expect((await ask(`${url}/health/ready`)).status).toBe(200);
    running.signals.emit('SIGTERM', 'SIGTERM');
    expect((await running.outcome).exitCode).toBe(0);
  }
});

it('a waiting gateway ends when it must stop, and other commands say what to do', async () => {
  const running = start(env, 'serve');
  await urlOf(running, 'Waiting for migrations');
  running.signals.emit('SIGTERM', 'SIGTERM');
  expect(await running.outcome).toMatchObject({
    exitCode: 1,
    stderr: 'error: Stopped by SIGTERM before the database was migrated.\n',
  });
  const { exitCode, stderr } = await execute(env, 'token', 'list');
  expect(stderr).toMatch(/^error: The database lacks .*: run the command `migrate`, or set MIGRATE=on\.\n$/);
  expect(exitCode).toBe(1);
});
