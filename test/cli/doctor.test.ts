import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { notSetUp } from '../../src/reminders/mail-server.js';
import { audience, startIssuer } from '../clients/issuer.js';
import { smtpError, startMailSink } from '../mail/smtp.support.js';
import { createDatabase, createTenant, startGateway, type TestDatabase } from '../support/gateway.js';
import { addWorker } from '../support/workers.js';
import { execute } from './support.js';

let test: TestDatabase;
let env: Record<string, string>;

beforeEach(async () => {
  test = await createDatabase();
  env = { DATABASE_URL: test.url, PORT: '0', SECRET_KEY: '5e'.repeat(32) };
});
afterEach(() => test.drop());

type Worker = Parameters<typeof addWorker>[1];

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const runningWorker = (): Worker => ({ started_at: ago(60), seen_at: ago(1), has_mail: true });
const mailTo = (port: number) => ({
  SMTP_URL: `smtp://gateway:word@127.0.0.1:${port}`,
  MAIL_FROM: 'expiry@example.com',
});
const login: SMTPServerOptions = { disabledCommands: [], allowInsecureAuth: true };
const taking: SMTPServerOptions = {
  ...login,
  onAuth: (_auth, _session, done) => done(null, { user: 'gateway' }),
};
const refusing: SMTPServerOptions = {
  ...login,
  onAuth: (_auth, _session, done) => done(smtpError(535, 'bad credentials')),
};

/** Returns what doctor says of each check, and its exit status. */
async function findings(settings: Record<string, string>) {
  const { exitCode, stdout } = await execute(settings, 'doctor', '--json');
  const all: { check: string; ok: boolean; text: string }[] = JSON.parse(stdout);
  return { exitCode, of: (check: string) => all.find((finding) => finding.check === check), all };
}

it('warns if the command that reads pictures is missing', async () => {
  const { exitCode, of } = await findings({ ...env, OCR: 'command', OCR_COMMAND: '/no/such/tesseract' });
  expect(exitCode).toBe(0);
  expect(of('pictures')).toEqual({
    ...{ check: 'pictures', ok: true, warning: true },
    text: expect.stringContaining('/no/such/tesseract cannot be run'),
  });
});

it('finds all well', async () => {
  const issuer = await startIssuer();
  const { exitCode, all } = await findings({
    ...{ ...env, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, FILES: tmpdir() },
  });
  await issuer.close();
  expect(all.filter(({ ok }) => !ok)).toEqual([]);
  expect(all.map(({ check }) => check)).toEqual([
    'settings',
    'port',
    'files',
    'issuer',
    'pictures',
    'database',
    'grants',
    'clock',
    'connection',
    'pool',
    'objects',
    'mail',
    'backup',
    'reminders',
    'secrets',
  ]);
  expect(exitCode).toBe(0);
});

it.each<[state: string, make: (path: string) => Promise<unknown>, ok: boolean, text: string]>([
  ['is missing', async () => {}, true, 'yet: the first secret creates it.'],
  ['is good', (path) => writeFile(path, `${'ab'.repeat(32)}\n`), true, 'has a key.'],
  [
    'is empty',
    (path) => writeFile(path, ''),
    false,
    'does not contain a key of 32 bytes in base64. Restore it',
  ],
  ['is a folder', (path) => mkdir(path), false, 'cannot be read: EISDIR'],
])('reads the file of the key, which %s', async (_state, make, ok, text) => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-doctor-'));
  await make(join(folder, 'secret.key'));
  const { of } = await findings({ DATABASE_URL: test.url, PORT: '0', DATA_DIR: folder });
  expect(of('key')).toEqual({ check: 'key', ok, text: expect.stringContaining(text) });
  await rm(folder, { recursive: true });
});

it('says that all connections are taken, and not to start PostgreSQL', async () => {
  await test.database.sql(`ALTER DATABASE ${new URL(test.url).pathname.slice(1)} CONNECTION LIMIT 0`, []);
  await test.database.sql('CREATE ROLE nobody_in LOGIN PASSWORD $$word$$', []);
  const url = Object.assign(new URL(test.url), { username: 'nobody_in', password: 'word' });
  const { of } = await findings({ ...env, DATABASE_URL: url.href });
  await test.database.sql('DROP ROLE nobody_in', []);
  expect(of('database')).toMatchObject({ ok: false, text: expect.stringContaining('Raise max_connections') });
  expect(of('database')?.text).not.toContain('Start it');
});

it('gives instructions for everything that is wrong', async () => {
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
    FILES: '/nowhere/files',
  });
  other.close();
  expect(exitCode).toBe(1);
  expect(of('settings')).toMatchObject({ ok: false, text: 'PORTT is not a setting: set PORT instead.' });
  expect(of('port')).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^PORT \d+ is taken .+ set PORT to/),
  });
  expect(of('folder')).toMatchObject({ ok: false, text: expect.stringContaining('is a file. Set DATA_DIR') });
  expect(of('files')).toMatchObject({ ok: false, text: expect.stringContaining('(ENOENT): create it') });
  expect(of('issuer')).toMatchObject({ ok: false, text: expect.stringContaining('Correct OIDC_ISSUER') });
  expect(of('database')).toMatchObject({ ok: false, text: expect.stringContaining('correct DATABASE_URL') });
});

it('prints failures, and nothing else, with --quiet', async () => {
  const { exitCode, stdout, stderr } = await execute({ ...env, PORTT: '1' }, 'doctor', '--quiet');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 1,
    stdout: [
      'FAIL  settings   PORTT is not a setting: set PORT instead.\n',
      `warn  mail       ${notSetUp} Until then, no reminders are sent (docs/use/reminders.md).\n`,
      'warn  reminders  Reminders have never been decided. No worker is running now: start `serve` or `worker`.\n',
    ].join(''),
  });
  expect(stderr).toBe('error: 1 of 12 checks failed.\n');
  const sink = await startMailSink(taking);
  await addWorker(test.database, { ...runningWorker(), decided_at: ago(1) });
  const mail = mailTo(sink.port);
  const outcome = await execute({ ...env, ...mail }, 'doctor', '--quiet');
  await sink.close();
  expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

it.each<[what: string, server: SMTPServerOptions | undefined, ok: boolean, text: string]>([
  ['accepts mail', taking, true, 'accepts mail from expiry@example.com.'],
  ['refuses the login', refusing, false, 'accepts no mail: 535 bad credentials. Correct SMTP_URL,'],
  ['is away', undefined, false, 'accepts no mail: connect ECONNREFUSED'],
])('says that the mail server %s', async (_what, server, ok, text) => {
  const sink = await startMailSink(server);
  if (!server) await sink.close();
  const { exitCode, of } = await findings({ ...env, ...mailTo(sink.port) });
  if (server) await sink.close();
  expect(of('mail')).toEqual({ check: 'mail', ok, text: expect.stringContaining(text) });
  expect(exitCode).toBe(ok ? 0 : 1);
});

it.each<[what: string, worker: Worker | undefined, settings: object, ok: boolean, text: string]>([
  ['that run well', { decided_at: ago(180) }, {}, true, 'Reminders were last decided 3m ago.'],
  [
    'that stopped',
    { decided_at: ago(180), stopped_at: ago(60) },
    {},
    true,
    '3m ago. No worker is running now',
  ],
  ['without mail', { has_mail: false }, {}, true, 'The running workers have no mail server.'],
  ['started before mail was set up', { has_mail: false }, mailTo(9), false, 'restart them with these'],
  ['that mail is refused', { mail_problem: '451 busy' }, {}, false, 'cannot use the mail server: 451 busy.'],
  ['that stand still', { started_at: ago(900) }, {}, false, 'have not decided due reminders for ten minutes'],
])('describes workers %s', async (_what, worker, settings, ok, text) => {
  await addWorker(test.database, { ...runningWorker(), mail_tried_at: ago(1), ...worker });
  const { of } = await findings({ ...env, ...settings });
  expect(of('reminders')).toMatchObject({ ok, text: expect.stringContaining(text) });
});

it.each<[what: string, row: object, ok: boolean]>([
  ['were refused', { statusCode: 550 }, false],
  ['have been put off for an hour', { statusCode: 451, firstTriedAt: ago(3_700) }, false],
  ['have been put off for minutes', { statusCode: 451 }, true],
  ['were refused for good, and no longer wait', { statusCode: 550, dueAt: null, state: 'FAILED' }, true],
])('of mails that %s, says whether they need somebody', async (_what, row, ok) => {
  const { organizationId, teamId } = await createTenant(test.database, 'Acme');
  await addWorker(test.database, { ...runningWorker(), decided_at: ago(180), mail_tried_at: ago(1) });
  const tried = { attempts: 1, firstTriedAt: ago(60), dueAt: ago(-600), errorCode: 'MAIL_LIMIT_REACHED' };
  const mail = { kind: 'MAIL' as const, dedupeKey: 'one', subjectKind: 'item', address: 'a@example.com' };
  const data = { id: randomUUID(), organizationId, teamId, ...mail, ...tried, ...row };
  await test.database.prisma.delivery.create({ data });
  await test.database.prisma.reminderMark.updateMany({ data: { nextAt: ago(-600) } });
  const { of } = await findings(env);
  const refused = 'Mails wait because a mail server refused them: see the failed attempts in *Deliveries*.';
  expect(of('reminders')).toMatchObject({
    ...{ ok, text: `Reminders were last decided 3m ago.${ok ? '' : ` ${refused}`}` },
  });
});

it('describes reminders even before the database is up to date', async () => {
  await test.database.sql('DROP TABLE workers', []);
  const { of } = await findings(env);
  expect(of('reminders')).toMatchObject({ ok: true, text: expect.stringContaining('at the next start') });
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
