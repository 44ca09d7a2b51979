import { afterEach, expect, test } from 'vitest';
import { keepLastBackup } from '../../src/db/backup/last-backup.js';
import { openDatabase } from '../../src/db/connection/database.js';
import { readDatabaseHealth } from '../../src/db/server/health.js';
import { newId } from '../../src/domain/rules.js';
import { notSetUp } from '../../src/reminders/mail-server.js';
import { version } from '../../src/version.js';
import { smtpError, startMailSink } from '../mail/smtp.support.js';
import { anna, decide, makeItem, sendAll, setSteps, to } from '../reminders/told.support.js';
import { execute } from '../support/database.js';
import { startFirstTime } from '../support/first-start.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { postgresUrl } from '../support/postgres.js';
import { addWorker } from '../support/workers.js';
import { ask } from './support.js';

let gateway: TestGateway;
const closed: (() => Promise<void>)[] = [];
afterEach(async () => {
  await gateway.close();
  for (const close of closed.splice(0)) await close();
});

const health = `{ reminderHealth { lastRun nextRun queued oldestQueued failedToday withoutRecipient
  mail { isSetUp from hasLinks problem } } }`;
const trial = 'mutation ($to: String!) { sendTestMail(to: $to) { isSent answer } }';

async function startWithMail(options: Parameters<typeof startMailSink>[0] = {}) {
  const sink = await startMailSink(options);
  closed.push(sink.close);
  gateway = await startGateway({
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'Expiry <expiry@example.com>',
    PUBLIC_URL: 'https://expiry.example.com',
  });
  return sink;
}

test('without a mail server, reminderHealth and a test mail say so', async () => {
  gateway = await startGateway();
  const problem = notSetUp;
  expect((await ask(gateway, health)).reminderHealth).toMatchObject({
    ...{ queued: 0, oldestQueued: null, failedToday: 0, withoutRecipient: 0 },
    mail: { isSetUp: false, from: null, hasLinks: false, problem },
  });
  expect((await ask(gateway, trial, { to: anna })).sendTestMail).toEqual({ isSent: false, answer: problem });
});

const ago = (seconds: number) => new Date(testTime.getTime() - seconds * 1_000).toISOString();
const running = { started_at: ago(3_600), seen_at: ago(10), has_mail: true, has_demo_mail: false };
const decided = { ...running, decided_at: ago(10), mail_tried_at: ago(10) };
const refusal = '535 5.7.8 no login for gateway@mail.example.com';

test.each([
  ['no worker', undefined, {}, 'NO_WORKER'],
  ['a worker that was lost', { ...decided, seen_at: ago(60) }, {}, 'NO_WORKER'],
  ['a worker that was stopped', { ...decided, stopped_at: ago(5) }, {}, 'NO_WORKER'],
  ['a worker without mail', { ...decided, has_mail: false }, {}, 'NO_MAIL'],
  ['a server that refuses mail', { ...decided, mail_problem: refusal }, {}, 'MAIL_REFUSED'],
  ['a worker that is busy since it began', { ...running, started_at: ago(600) }, {}, 'STANDSTILL'],
  ['a worker that has decided nothing for long', { ...decided, decided_at: ago(600) }, {}, 'STANDSTILL'],
  ['a workspace that waits', decided, { nextAt: new Date(ago(600)) }, 'STANDSTILL'],
  ['a workspace that fails', decided, { failingSince: new Date(ago(600)) }, 'STANDSTILL'],
  ['delays that are short', decided, { nextAt: new Date(ago(599)), failingSince: null }, null],
] as const)('of %s, everybody learns what prevents reminders', async (_case, worker, mark, obstacle) => {
  gateway = await startGateway({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'expiry@example.com' });
  const { database } = gateway;
  if (worker) await addWorker(database, worker);
  await database.prisma.reminderMark.updateMany({ data: { nextAt: testTime, ...mark } });
  const query = '{ reminderHealth { obstacle silentTeamIds decidedAt mail { isSetUp problem } } }';
  const problems = [];
  for (const token of [gateway.admin, gateway.viewer]) {
    const { reminderHealth } = await ask(gateway, query, {}, token);
    expect(reminderHealth).toMatchObject({ obstacle, silentTeamIds: [] });
    problems.push(reminderHealth.mail.problem);
  }
  const told = { NO_MAIL: [notSetUp, notSetUp], MAIL_REFUSED: [refusal, 'The mail server accepts no mail.'] };
  expect(problems).toEqual(told[obstacle as keyof typeof told] ?? [null, null]);
});

test('of mails that wait because they were refused, everybody learns; admins, why', async () => {
  await startWithMail();
  await addWorker(gateway.database, decided);
  await setSteps(gateway, gateway.teamId, [to(anna)]);
  await makeItem(gateway, gateway);
  await decide(gateway);
  await gateway.database.prisma.reminderMark.updateMany({ data: { nextAt: testTime } });
  const query = '{ reminderHealth { obstacle mail { problem } } }';
  const read = async (token?: string) => (await ask(gateway, query, {}, token)).reminderHealth;
  expect(await read()).toEqual({ obstacle: null, mail: { problem: null } });
  const words = '5.4.5 Daily user sending limit exceeded';
  await sendAll(gateway, 1, { refuseData: () => smtpError(550, words) });
  const refused = { obstacle: 'SOME_MAIL_REFUSED' };
  expect(await read()).toEqual({ ...refused, mail: { problem: `550 ${words}` } });
  const other = 'The mail server refused some mails.';
  expect(await read(gateway.viewer)).toEqual({ ...refused, mail: { problem: other } });
  const { deliveries } = await ask(gateway, '{ deliveries { nodes { state reasonCode lastError } } }');
  expect(deliveries.nodes).toMatchObject([{ state: 'QUEUED', reasonCode: 'MAIL_LIMIT_REACHED' }]);
  await gateway.database.prisma.delivery.updateMany({ data: { state: 'CANCELLED', dueAt: null } });
  expect(await read()).toEqual({ obstacle: null, mail: { problem: null } });
});

test('the demo is silent, unless its reminders have an address', async () => {
  gateway = await startFirstTime();
  const query = '{ reminderHealth { silentTeamIds } teams { nodes { id name } } }';
  const { reminderHealth, teams } = await ask(gateway, query);
  const names = new Map(teams.nodes.map(({ id, name }: { id: string; name: string }) => [id, name]));
  expect(reminderHealth.silentTeamIds.map((id: string) => names.get(id)).sort()).toEqual([
    'Demo',
    'Demo branch',
  ]);
  await addWorker(gateway.database, { ...decided, has_demo_mail: true });
  expect((await ask(gateway, query)).reminderHealth.silentTeamIds).toEqual([]);
});

test("administrators see the gateway's health", async () => {
  gateway = await startGateway();
  const { database, organizationId, teamId } = gateway;
  const query = `{ gatewayHealth { version workers { running seenAt } uploads { waiting oldest failed }
    database { version latencyMs size disk { free total } } lastBackup { finishedAt size } } }`;
  const receive = (organization: string, team: string, state: 'RECEIVED' | 'FAILED', dueAt: Date | null) =>
    database.prisma.uploadNotification.create({
      data: {
        ...{ id: newId(), organizationId: organization, teamId: team, dedupeKey: newId(), state, dueAt },
        ...{ receivedAt: new Date(ago(90)), modified: testTime },
      },
    });
  await receive(organizationId, teamId, 'RECEIVED', testTime);
  await receive(organizationId, gateway.otherTeamId, 'FAILED', null);
  const other = await createTenant(database, 'Globex');
  await receive(other.organizationId, other.teamId, 'RECEIVED', testTime);
  await addWorker(database, running);
  const { gatewayHealth } = await ask(gateway, query);
  expect(gatewayHealth).toMatchObject({
    version,
    workers: { running: 1, seenAt: ago(10) },
    uploads: { waiting: 1, oldest: ago(90), failed: 1 },
    database: { version: expect.stringMatching(/^\d+\.\d+/), latencyMs: expect.any(Number) },
    lastBackup: null,
  });
  const { size, disk } = gatewayHealth.database;
  expect(Number(size)).toBeGreaterThan(1_000_000);
  expect(Number(disk.total)).toBeGreaterThan(Number(disk.free));
  // Who may not ask PostgreSQL for its folder has a database on another machine, as far as the gateway knows.
  const role = `health_${newId().slice(-12)}`;
  await database.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'word'`);
  await database.sql(`GRANT SELECT ON last_backup TO ${role}`);
  const url = Object.assign(new URL(gateway.databaseUrl), { username: role, password: 'word' });
  const elsewhere = openDatabase({ url: url.href, poolSize: 1, onError: () => {} });
  closed.push(async () => {
    await elsewhere.close();
    await execute(postgresUrl, `DROP ROLE ${role}`);
  });
  expect(await readDatabaseHealth(elsewhere)).toMatchObject({ disk: null, lastBackup: null });
  await keepLastBackup(gateway.databaseUrl, { at: testTime, bytes: 4_711 });
  await keepLastBackup(gateway.databaseUrl, { at: testTime, bytes: 5_000_000_000 });
  expect((await ask(gateway, query)).gatewayHealth.lastBackup).toEqual({
    finishedAt: testTime.toISOString(),
    size: '5000000000',
  });
});

test('what waits, failed, or reached nobody is counted where the caller sees it', async () => {
  await startWithMail();
  await setSteps(gateway, gateway.teamId, [to(anna)]);
  await setSteps(gateway, gateway.otherTeamId, [to('bert@example.org')]);
  await makeItem(gateway, gateway);
  await makeItem(gateway, { organizationId: gateway.organizationId, teamId: gateway.otherTeamId });
  await decide(gateway);
  const read = async (token?: string) => (await ask(gateway, health, {}, token)).reminderHealth;
  expect(await read()).toMatchObject({
    ...{ queued: 2, oldestQueued: testTime.toISOString(), lastRun: testTime.toISOString() },
    ...{ nextRun: '2026-11-21T08:00:00.000Z', failedToday: 0, withoutRecipient: 0 },
    mail: { isSetUp: true, from: 'Expiry <expiry@example.com>', hasLinks: true, problem: null },
  });
  expect(await read(gateway.viewer)).toMatchObject({ queued: 1 });
  await sendAll(gateway, 4, {
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === 'ada@example.com' ? null : smtpError(550, '5.1.1 No')),
  });
  expect(await read()).toMatchObject({ queued: 0, oldestQueued: null, failedToday: 2, withoutRecipient: 2 });
  expect(await read(gateway.viewer)).toMatchObject({ failedToday: 1, withoutRecipient: 1 });
  gateway.clock.now = new Date(testTime.getTime() + 86_400_000);
  expect(await read()).toMatchObject({ failedToday: 0, withoutRecipient: 2 });
  expect(await gateway.statementNames(() => read())).toContain('reminders.health');
});

test('a test mail is sent, and the server’s answer returned', async () => {
  const sink = await startWithMail();
  expect((await ask(gateway, trial, { to: anna })).sendTestMail).toEqual({
    isSent: true,
    answer: expect.stringContaining('250'),
  });
  expect(sink.taken).toMatchObject([{ to: [anna], mail: { subject: 'Mail works' } }]);
});

test('a rejected test mail returns the server’s message', async () => {
  await startWithMail({ onRcptTo: (_address, _session, callback) => callback(smtpError(550, 'Not to us')) });
  const { sendTestMail } = await ask(gateway, trial, { to: anna });
  expect(sendTestMail).toEqual({ isSent: false, answer: expect.stringContaining('Not to us') });
});

test('test mails are for admins, to one address, and few', async () => {
  const sink = await startWithMail();
  const codeOf = async (to: string, token?: string) =>
    (await gateway.graphql(trial, { to }, token)).errors?.[0].extensions.code;
  for (const token of [gateway.member, gateway.viewer, gateway.uploader])
    expect(await codeOf(anna, token)).toBe('FORBIDDEN');
  for (const wrong of ['', 'anna', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])
    expect(await codeOf(wrong)).toBe('BAD_REQUEST');
  const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(anna)));
  expect(answers.filter((code) => code === undefined)).toHaveLength(5);
  expect(answers.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(3);
  expect(sink.taken).toHaveLength(5);
});
