import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { languages, newId } from '../../src/domain/rules.js';
import { browserName } from '../../src/domain/text/formats.js';
import { openPost, type Post, testKey } from '../reminders/sender.support.js';
import { eventually } from '../support/eventually.js';
import { testTime } from '../support/gateway.js';
import { ada, Browser, max, type SignInGateway, startSignIn } from './support.js';

const origin = 'https://expiry.example.com';
const next = 'seven grey herons over the weir';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let gateway: SignInGateway;
let post: Post;
beforeAll(async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Expiry <expiry@example.com>' };
  const env = { ...mail, PUBLIC_URL: origin, SECRET_KEY: testKey, TRUST_PROXY: '1' };
  gateway = await startSignIn(env, {}, { settleInterval: 3_600_000 });
  post = await openPost(gateway);
});
afterAll(async () => {
  await post.close();
  await gateway.close();
});
/** Each test has its own hours, so that its mails do not count for the others. */
let hours = 0;
beforeEach(() => {
  gateway.clock.now = new Date(testTime.getTime() + hours++ * 7_200_000);
});
afterEach(async () => {
  await gateway.database.prisma.delivery.deleteMany({ where: { subjectKind: 'signInLink' } });
  post.sink.taken.length = 0;
});

const from = (address: string) =>
  new Browser(gateway, {
    ...{ 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address, 'User-Agent': firefox },
  });
const ask = (email: string, what = 'reset', address = '192.0.2.1') =>
  from(address).send('POST', `/session/${what}`, { email });
const queue = () =>
  gateway.database.prisma.delivery.findMany({
    where: { subjectKind: 'signInLink' },
    orderBy: { created: 'asc' },
  });
const queued = (count: number) =>
  eventually(async () => {
    const found = await queue();
    if (found.length !== count) throw new Error(`${found.length} mails are queued.`);
    return found;
  });
const send = (tries = 1, after = 0) =>
  post.send(new Date(gateway.clock.now.getTime() + after).toISOString(), tries);
/** Asks for a link, and returns the mail's secret. */
async function mailed(email: string, what = 'reset'): Promise<string> {
  const before = (await queue()).length;
  // Otherwise the sender, whose clock stands at the last mail, would send this one before anybody waits for it.
  gateway.clock.now = new Date(gateway.clock.now.getTime() + 1_000);
  expect((await ask(email, what)).status).toBe(202);
  await queued(before + 1);
  await send();
  return /#([\w-]{43})/.exec(post.sink.taken.at(-1)?.mail.text ?? '')?.[1] ?? '';
}

test('the answer is the same for everybody, and given before anybody looks for the account', async () => {
  const { organizationId, teamId } = gateway;
  const gone = { name: 'Gone', email: 'gone@example.com', role: 'MEMBER' as const, isActive: false };
  await gateway.database.prisma.user.create({ data: { id: newId(), organizationId, teamId, ...gone } });
  const answers = [];
  for (const [index, email] of [ada, gone.email, 'nobody@example.com', ''].entries()) {
    const { status, text } = await ask(email, 'reset', `198.51.${index}.1`);
    answers.push([status, text]);
  }
  expect(answers).toEqual(Array(4).fill([202, '{"accepted":true}']));
  const [delivery] = await queued(1);
  expect(delivery).toMatchObject({ address: ada, payload: { purpose: 'RESET' } });
  // Who forgot a password is the business of administrators.
  const single = `{ delivery(id: "${delivery?.id}") { subjectKind } }`;
  for (const [token, found] of [
    [gateway.admin, { subjectKind: 'signInLink' }],
    [gateway.member, null],
  ] as const)
    expect((await gateway.graphql(single, {}, token)).data.delivery).toEqual(found);
});

describe('a mailed link', () => {
  test('says who asked for it, and sets a new password once', async () => {
    const secret = await mailed(max);
    const [{ to, mail }] = post.sink.taken as [(typeof post.sink.taken)[number]];
    expect(to).toEqual([max]);
    expect(mail.subject).toMatch(/^Choose a new password for .*Acme/);
    for (const part of ['Firefox, Linux', '192.0.2.1', `${origin}/sign-in/reset#${secret}`])
      expect(mail.text).toContain(part);
    expect(mail.html).toContain(`href="${origin}/sign-in/reset#${secret}"`);
    // Neither the queue nor the table of links has the secret, and nobody's address stays.
    const [delivery] = await queue();
    expect(delivery).toMatchObject({ state: 'SENT', payload: { purpose: 'RESET' } });
    expect(delivery?.payload).not.toHaveProperty('from');
    const use = () => from('192.0.2.1').send('POST', '/session/reset/use', { secret, password: next });
    expect((await use()).json).toEqual({ state: 'in' });
    expect((await use()).status).toBe(403);
  });

  test('signs in for 15 minutes after it was sent, and ends with the first that is used', async () => {
    const first = await mailed(max, 'link');
    const second = await mailed(max, 'link');
    const use = (secret: string) => from('192.0.2.1').send('POST', '/session/link/use', { secret });
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 14 * 60_000);
    const answers = await Promise.all([use(first), use(first), use(second)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const third = await mailed(max, 'link');
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 15 * 60_000);
    expect((await use(third)).status).toBe(403);
    expect((await use(second)).status).toBe(403);
  });

  test.each([
    ['its user was deactivated', { isActive: false }, 0],
    ['the address has changed', { email: 'max@example.org' }, 0],
    ['an hour has passed', {}, 3_600_000],
  ])('is not sent once %s', async (_, data, after) => {
    await ask(max);
    await queued(1);
    const where = { id: gateway.memberId };
    await gateway.database.prisma.user.update({ where, data });
    await send(1, after);
    expect(post.sink.taken).toEqual([]);
    expect(await queue()).toMatchObject([{ state: 'CANCELLED' }]);
    await gateway.database.prisma.user.update({ where, data: { isActive: true, email: max } });
  });

  test.each(languages)('is written in the language of its user: %s', async (language) => {
    await gateway.database.prisma.user.update({ where: { id: gateway.memberId }, data: { language } });
    for (const what of ['link', 'reset']) {
      await mailed(max, what);
      const mail = post.sink.taken.at(-1)?.mail;
      expect(mail?.html).toContain(`lang="${language}"`);
      expect(mail?.text).not.toMatch(/\{\{|undefined/);
    }
    await gateway.database.prisma.user.update({ where: { id: gateway.memberId }, data: { language: null } });
  });
});

test('strangers get an account five mails an hour, and cannot use up those of a known place', async () => {
  for (let times = 0; times < 7; times++) await ask(ada, 'reset', `203.0.${times}.1`);
  await queued(5);
  const own = from('203.0.113.9');
  expect((await own.signIn(ada)).status).toBe(200);
  expect((await own.send('POST', '/session/reset', { email: ada })).status).toBe(202);
  await queued(6);
});

test('a network asks for at most twenty links in 15 minutes', async () => {
  const statuses = [];
  for (let times = 0; times < 21; times++)
    statuses.push((await ask('nobody@example.com', 'link', `198.18.0.${times}`)).status);
  expect(statuses).toEqual([...Array(20).fill(202), 429]);
});

test('the policy of an organization counts, and SIGN_IN of all', async () => {
  await gateway.database.prisma.organization.updateMany({ data: { signInWays: ['PASSWORD', 'PASSKEY'] } });
  expect((await ask(ada, 'link', '203.0.113.20')).status).toBe(202);
  expect((await ask(ada, 'reset', '203.0.113.20')).status).toBe(202);
  expect(await queued(1)).toMatchObject([{ payload: { purpose: 'RESET' } }]);
  await gateway.database.prisma.organization.updateMany({
    data: { signInWays: ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'] },
  });
});

test.each([
  [firefox, 'Firefox, Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge, Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari, iOS'],
  ['Your account is locked, call 0900 12345', null],
])('the browser of %s is %s', (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
