import { afterEach, expect, test } from 'vitest';
import { smtpError, startMailSink } from '../mail/smtp.support.js';
import { anna, decide, makeItem, sendAll, setSteps, to } from '../reminders/told.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
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
  const problem = 'Mail is not set up: set SMTP_URL and MAIL_FROM.';
  expect((await ask(gateway, health)).reminderHealth).toMatchObject({
    ...{ queued: 0, oldestQueued: null, failedToday: 0, withoutRecipient: 0 },
    mail: { isSetUp: false, from: null, hasLinks: false, problem },
  });
  expect((await ask(gateway, trial, { to: anna })).sendTestMail).toEqual({ isSent: false, answer: problem });
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
      callback(address === 'ada@example.com' ? null : smtpError(550, 'No')),
  });
  expect(await read()).toMatchObject({ queued: 0, oldestQueued: null, failedToday: 2, withoutRecipient: 2 });
  expect(await read(gateway.viewer)).toMatchObject({ failedToday: 1, withoutRecipient: 1 });
  gateway.clock.now = new Date(testTime.getTime() + 86_400_000);
  expect(await read()).toMatchObject({ failedToday: 0, withoutRecipient: 2 });
  expect(await gateway.statementNames(() => read())).toContain('reminders.health');
});

test('a test mail is sent, and the server’s answer told', async () => {
  const sink = await startWithMail();
  expect((await ask(gateway, trial, { to: anna })).sendTestMail).toEqual({
    isSent: true,
    answer: expect.stringContaining('250'),
  });
  expect(sink.taken).toMatchObject([{ to: [anna], mail: { subject: 'Mail works' } }]);
});

test('a test mail that is refused is told in the server’s words', async () => {
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
