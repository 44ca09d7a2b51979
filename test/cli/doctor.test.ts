import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, startGateway, type TestDatabase } from '../support/gateway.js';
import { audience, startIssuer } from '../support/issuer.js';
import { execute } from './support.js';

let test: TestDatabase;
let env: Record<string, string>;

beforeEach(async () => {
  test = await createDatabase();
  env = { DATABASE_URL: test.url, PORT: '0', SECRET_KEY: '5e'.repeat(32) };
});
afterEach(() => test.drop());

/** What doctor says of each check, and its exit status. */
async function findings(settings: Record<string, string>) {
  const { exitCode, stdout } = await execute(settings, 'doctor', '--json');
  const all: { check: string; ok: boolean; text: string }[] = JSON.parse(stdout);
  return { exitCode, of: (check: string) => all.find((finding) => finding.check === check), all };
}

it('finds all well', async () => {
  const issuer = await startIssuer();
  const { exitCode, all } = await findings({ ...env, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
  await issuer.close();
  expect(all.filter(({ ok }) => !ok)).toEqual([]);
  expect(all.map(({ check }) => check)).toEqual([
    'settings',
    'port',
    'issuer',
    'database',
    'grants',
    'clock',
  ]);
  expect(exitCode).toBe(0);
});

it('says what to do for everything that is wrong', async () => {
  const other = createServer((socket) => socket.end('no HTTP')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const issuer = await startIssuer();
  await issuer.close();
  const { exitCode, of } = await findings({
    PORT: String(port),
    PORTT: '1',
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nowhere',
    DATA_DIR: import.meta.filename,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
  });
  other.close();
  expect(exitCode).toBe(1);
  expect(of('settings')).toMatchObject({ ok: false, text: 'PORTT is not a setting: set PORT instead.' });
  expect(of('port')).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^PORT \d+ is taken .+ set PORT to/),
  });
  expect(of('folder')).toMatchObject({ ok: false, text: expect.stringContaining('is a file. Set DATA_DIR') });
  expect(of('issuer')).toMatchObject({ ok: false, text: expect.stringContaining('Correct OIDC_ISSUER') });
  expect(of('database')).toMatchObject({ ok: false, text: expect.stringContaining('correct DATABASE_URL') });
});

it('says what has failed, and nothing else, though it is quiet', async () => {
  const { exitCode, stdout, stderr } = await execute({ ...env, PORTT: '1' }, 'doctor', '--quiet');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 1,
    stdout: 'FAIL  settings  PORTT is not a setting: set PORT instead.\n',
  });
  expect(stderr).toBe('error: 1 of 5 checks failed.\n');
  expect(await execute(env, 'doctor', '--quiet')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

it('tells the grants that a role needs', async () => {
  const role = `doctor_${Math.random().toString(36).slice(2)}`;
  await test.database.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'word'`, []);
  const url = new URL(test.url);
  [url.username, url.password] = [role, 'word'];
  const { exitCode, of } = await findings({ ...env, DATABASE_URL: url.href });
  await test.database.sql(`DROP ROLE ${role}`, []);
  expect(exitCode).toBe(1);
  expect(of('database')?.ok).toBe(true);
  expect(of('clock')?.ok).toBe(true);
  expect(of('grants')).toMatchObject({
    ok: false,
    text: expect.stringContaining('Connect as the role that owns them'),
  });
});

it('takes a port that this gateway has already for well', async () => {
  const gateway = await startGateway();
  const { port } = new URL(gateway.url);
  const { of } = await findings({ ...env, PORT: port });
  await gateway.close();
  expect(of('port')).toEqual({ check: 'port', ok: true, text: `A gateway is running at ${gateway.url}.` });
});
