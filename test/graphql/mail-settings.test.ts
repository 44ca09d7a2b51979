import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { createMailServer, readMailInput } from '../../src/reminders/mail-server.js';
import { startMailing } from '../../src/reminders/reminder-worker.js';
import { type MailSink, smtpError, startMailSink } from '../mail/smtp.support.js';
import { anna, decide, makeItem, setSteps, to } from '../reminders/told.support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { ask } from './support.js';

const secretKey = '5a'.repeat(32);
const [user, password] = ['gateway', 'correct horse'];

let gateway: TestGateway;
let sink: MailSink;
beforeEach(async () => {
  sink = await startMailSink({
    disabledCommands: [],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password
        ? done(null, { user })
        : done(smtpError(535, 'No such user')),
  });
  gateway = await startGateway({ SECRET_KEY: secretKey });
});
afterEach(async () => {
  await gateway.close();
  await sink.close();
});

const shown = 'source host port security user from replyTo publicUrl';
const read = '{ mailSettings { SHOWN } }'.replace('SHOWN', shown);
const update = `mutation ($input: MailSettingsInput) { updateMailSettings(input: $input) { ${shown} } }`;
const trial = `mutation ($to: String!, $settings: MailSettingsInput) {
  sendTestMail(to: $to, settings: $settings) { isSent answer reasonCode } }`;

const login = () => ({ host: '127.0.0.1', port: sink.port, security: 'NONE' as const, user, password });
const settings = () => ({
  ...login(),
  from: 'Expiry <expiry@example.com>',
  publicUrl: 'https://expiry.example.com',
});
const errorOf = async (query: string, variables: object, token?: string) =>
  (await gateway.graphql(query, variables, token)).errors?.[0]?.extensions;

test('an administrator tests a mail server, stores it, and removes it', async () => {
  expect((await ask(gateway, read)).mailSettings).toMatchObject({ source: 'NONE', host: null, from: null });
  const wrong = { ...settings(), password: 'wrong' };
  const refused = (await ask(gateway, trial, { to: anna, settings: wrong })).sendTestMail;
  expect(refused).toEqual({
    isSent: false,
    answer: expect.stringContaining('No such user'),
    reasonCode: 'MAIL_SIGN_IN_REFUSED',
  });
  const accepted = (await ask(gateway, trial, { to: anna, settings: settings() })).sendTestMail;
  expect(accepted).toMatchObject({ isSent: true, reasonCode: null });
  const { password: _password, ...others } = settings();
  const expected = { ...others, source: 'DATABASE', replyTo: null };
  expect((await ask(gateway, update, { input: settings() })).updateMailSettings).toEqual(expected);
  expect((await ask(gateway, read)).mailSettings).toEqual(expected);
  expect((await ask(gateway, trial, { to: anna })).sendTestMail).toMatchObject({ isSent: true });
  const [stored] = await gateway.database.sql<{ sealed: Uint8Array }>('SELECT sealed FROM mail_settings');
  expect(Buffer.from(stored?.sealed ?? []).toString('latin1')).not.toContain(password);
  const { eventLogs } = await ask(
    gateway,
    '{ eventLogs(first: 1) { edges { node { description details } } } }',
  );
  expect(eventLogs.edges[0].node.description).toBe(`The mail server was set to 127.0.0.1:${sink.port}`);
  expect(JSON.stringify(eventLogs)).not.toContain(password);
  expect((await ask(gateway, update, { input: null })).updateMailSettings.source).toBe('NONE');
});

test('a stored password is kept, but never sent to another server or for another user', () => {
  const stored = readMailInput(settings());
  const { password: _password, ...without } = settings();
  const loginOf = (changes: object) => readMailInput({ ...without, ...changes }, stored).mail?.server.login;
  expect(loginOf({ from: 'other@example.com' })).toEqual({ user, password });
  expect(loginOf({ host: 'mail.example.org' })).toEqual({ user, password: '' });
  expect(loginOf({ port: 2525 })).toEqual({ user, password: '' });
  expect(loginOf({ user: 'other' })).toEqual({ user: 'other', password: '' });
  expect(loginOf({ user: null })).toBeUndefined();
});

test.each([
  ['host', { host: 'mail example' }],
  ['host', { host: '' }],
  ['port', { port: 0 }],
  ['from', { from: 'nobody' }],
  ['from', { from: 'a\r\nBcc: b@example.com <a@example.com>' }],
  ['replyTo', { replyTo: 'x' }],
  ['publicUrl', { publicUrl: 'https://expiry.example.com/path' }],
])('an invalid %s is refused (%j)', async (field, changes) => {
  const error = await errorOf(update, { input: { ...settings(), ...changes } });
  expect(error).toMatchObject({
    code: 'BAD_REQUEST',
    violations: [{ path: expect.arrayContaining([field]) }],
  });
  expect((await ask(gateway, read)).mailSettings.source).toBe('NONE');
});

test('members see and change nothing, and nor do administrators of another organization', async () => {
  const attempts = [
    [read, {}],
    [update, { input: settings() }],
    [trial, { to: anna, settings: settings() }],
  ] as const;
  for (const [query, variables] of attempts)
    expect(await errorOf(query, variables, gateway.member)).toMatchObject({ code: 'FORBIDDEN' });
  const { admin } = await createTenant(gateway.database, 'Globex');
  for (const [query, variables] of attempts)
    expect(await errorOf(query, variables, admin)).toMatchObject({ code: 'FORBIDDEN' });
  expect(sink.taken).toHaveLength(0);
});

test('the environment wins', async () => {
  await gateway.close();
  const SMTP_URL = 'smtp://mail.example.com:587';
  gateway = await startGateway({ SECRET_KEY: secretKey, SMTP_URL, MAIL_FROM: 'a@example.com' });
  const found = (await ask(gateway, read)).mailSettings;
  expect(found).toMatchObject({ source: 'ENVIRONMENT', host: 'mail.example.com', security: 'STARTTLS' });
  expect(await errorOf(update, { input: settings() })).toMatchObject({ code: 'CONFLICT' });
});

test('a lost key keeps nobody from signing in, and the mail server can be set up again', async () => {
  await ask(gateway, update, { input: settings() });
  await gateway.database.sql("UPDATE mail_settings SET sealed = decode('00', 'hex')");
  const { status, json } = await gateway.send('GET', '/session/options', { token: null });
  expect([status, json.ways.link]).toEqual([200, false]);
  expect((await ask(gateway, read)).mailSettings).toMatchObject({ source: 'DATABASE', host: null });
  const { reminderHealth } = await ask(gateway, '{ reminderHealth { mail { isSetUp problem } } }');
  expect(reminderHealth.mail).toEqual({ isSetUp: false, problem: expect.stringContaining('SECRET_KEY') });
  expect((await ask(gateway, update, { input: settings() })).updateMailSettings.host).toBe('127.0.0.1');
});

test('a running worker uses a mail server from when it is set up', async () => {
  const { database, clock } = gateway;
  const secrets = createSecrets(readConfig({ SECRET_KEY: secretKey }));
  const setUps: boolean[] = [];
  const server = createMailServer(database, secrets, { mail: undefined, origin: undefined });
  const stop = startMailing({
    ...{ database, clock: () => clock.now, log: pino({ level: 'silent' }), secrets, makesKey: true, server },
    ...{ rate: 100, lookMs: 20, onSetUp: (isSetUp: boolean) => setUps.push(isSetUp) },
  });
  try {
    await expect.poll(() => setUps).toEqual([false]);
    await ask(gateway, update, { input: settings() });
    await expect.poll(() => setUps).toEqual([false, true]);
    await setSteps(gateway, gateway.teamId, [to(anna)]);
    await makeItem(gateway, gateway);
    await decide(gateway);
    await expect.poll(() => sink.taken.length).toBe(1);
    expect(sink.taken[0]?.mail.text).toContain('https://expiry.example.com/');
  } finally {
    await stop();
  }
});
