import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accept, deactivate, inviteOne } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { smtpError } from '../mail/smtp.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { openPost, type Post, testKey } from './sender.support.js';

const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Expiry <expiry@example.com>',
  PUBLIC_URL: 'https://expiry.example.com',
  SECRET_KEY: testKey,
};
const bo = 'bo@example.org';

let lines: string[];
let gateway: TestGateway;
let posts: Post[];
beforeEach(() => {
  lines = [];
  posts = [];
});
afterEach(async () => {
  for (const post of posts) await post.close();
  await gateway.close();
});

const start = async (env: Record<string, string> = mail) => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  gateway = await startGateway(env, undefined, { log });
};
const open: typeof openPost = async (...args) => {
  const post = await openPost(...args);
  posts.push(post);
  return post;
};
const queue = () => gateway.database.prisma.delivery.findMany({ orderBy: { created: 'asc' } });
const time = testTime.toISOString();
const secretOf = (link: string) => link.split('/').at(-1) as string;

test('an invitation goes to the invited, with the link of the answer', async () => {
  await start();
  const { link } = await inviteOne(gateway, bo, { name: '<b>Bo</b>\r\nBcc: x@example.org'.split('\r')[0] });
  const { sink, send, outcomes } = await open(gateway);
  await send(time);
  expect(outcomes).toEqual(['sent']);
  expect(sink.taken).toMatchObject([{ to: [bo], mail: { subject: 'Ada Admin invites you to Acme' } }]);
  const [{ mail: taken }] = sink.taken as [(typeof sink.taken)[number]];
  expect(taken.text).toContain(`Accept the invitation:\n${link}`);
  expect(taken.html).toContain(`href="${link}"`);
  expect(taken.html).toContain('&lt;b&gt;Bo');
  expect((await accept(link.replace(mail.PUBLIC_URL, gateway.url))).status).toBe(201);
  const written = JSON.stringify([await queue(), lines]);
  expect(written).not.toContain(secretOf(link));
  expect(await queue()).toMatchObject([{ state: 'SENT', payload: { inviter: 'Ada Admin' } }]);
  expect((await queue())[0]?.payload).not.toHaveProperty('sealed');
});

test('the secret is sealed while it waits', async () => {
  await start();
  const { link } = await inviteOne(gateway, bo);
  const [delivery] = await queue();
  expect(delivery).toMatchObject({ state: 'QUEUED', subjectKind: 'invitation', address: bo });
  const { sealed } = JSON.parse(JSON.stringify(delivery?.payload ?? {}));
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(secretOf(link));
});

test.each([
  ['the link was used', async (link: string) => accept(link.replace(mail.PUBLIC_URL, gateway.url))],
  ['the user was deactivated', async (_link: string, id: string) => ask(gateway, deactivate, { id })],
])('none is sent once %s', async (_, change) => {
  await start();
  const { link, user } = await inviteOne(gateway, bo);
  await change(link, user.id);
  const { sink, send, outcomes } = await open(gateway);
  await send(time);
  expect(outcomes).toEqual(['cancelled']);
  expect(sink.taken).toEqual([]);
  expect(await queue()).toMatchObject([{ state: 'CANCELLED', lastError: 'the link opens nothing any more' }]);
  expect((await queue())[0]?.payload).not.toHaveProperty('sealed');
});

test('of two invitations the last one is sent', async () => {
  await start();
  await inviteOne(gateway, bo);
  const { link } = await inviteOne(gateway, bo);
  const { sink, send, outcomes } = await open(gateway);
  await send(time, 2);
  expect(outcomes.sort()).toEqual(['cancelled', 'sent']);
  expect(sink.taken.map(({ mail }) => mail.text?.includes(link))).toEqual([true]);
});

test('it is sent again in the language chosen, and admins see what became of it', async () => {
  await start();
  const { link, user } = await inviteOne(gateway, bo, { language: 'de' });
  const again = `mutation ($id: ID!) { resendInvitation(id: $id) { link isMailed user { language teams { name } } } }`;
  const stateOf = async (token?: string) =>
    (
      await gateway.graphql(
        `query ($id: ID!) { user(id: $id) { invitation { state expiresAt usedAt } } }`,
        { id: user.id },
        token,
      )
    ).data.user.invitation;
  const day = 86_400_000;
  expect(await stateOf()).toMatchObject({ state: 'INVITED', usedAt: null });
  expect(await stateOf(gateway.member)).toBeNull();
  gateway.clock.now = new Date(testTime.getTime() + 8 * day);
  expect(await stateOf()).toMatchObject({ state: 'EXPIRED' });

  const { resendInvitation: sent } = await ask(gateway, again, { id: user.id });
  expect(sent).toMatchObject({ isMailed: true, user: { language: 'de', teams: user.teams } });
  expect(sent.link).not.toBe(link);
  expect(await stateOf()).toMatchObject({ state: 'INVITED' });
  const { sink, send, outcomes } = await open(gateway);
  await send(gateway.clock.now.toISOString(), 2);
  expect(outcomes.sort()).toEqual(['cancelled', 'sent']);
  expect(sink.taken.map(({ mail }) => mail.text)).toEqual([expect.stringContaining('Einladung annehmen')]);
  expect(sink.taken[0]?.mail.text).toContain(sent.link);

  expect((await accept(link.replace(mail.PUBLIC_URL, gateway.url))).status).not.toBe(201);
  expect((await accept(sent.link.replace(mail.PUBLIC_URL, gateway.url))).status).toBe(201);
  expect(await stateOf()).toMatchObject({ state: 'ACCEPTED' });
  for (const id of [user.id, gateway.userId]) {
    const { errors } = await gateway.graphql(again, { id });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  }
});

test('a refused one is given up, and its secret deleted', async () => {
  await start();
  await inviteOne(gateway, bo);
  const onRcptTo = (_a: unknown, _s: unknown, callback: (error: Error) => void) =>
    callback(smtpError(550, 'no such user'));
  const { send, outcomes } = await open(gateway, { onRcptTo });
  await send(time);
  expect(outcomes).toEqual(['refused']);
  const [delivery] = await queue();
  expect(delivery).toMatchObject({ state: 'FAILED', statusCode: 550 });
  expect(delivery?.payload).not.toHaveProperty('sealed');
});

test('one sealed with another key waits, and says why', async () => {
  await start({ ...mail, SECRET_KEY: 'cd'.repeat(32) });
  await inviteOne(gateway, bo);
  const { send, outcomes } = await open(gateway);
  await send(time);
  expect(outcomes).toEqual(['retried']);
  const [delivery] = await queue();
  expect(delivery).toMatchObject({ state: 'QUEUED' });
  expect(delivery?.lastError).toMatch(/is not the one that it was encrypted with/);
});

test.each([
  ['mail', ['SMTP_URL', 'MAIL_FROM']],
  ['the public address', ['PUBLIC_URL']],
] as const)('without %s the answer alone has the link', async (_, missing) => {
  await start(
    Object.fromEntries(
      Object.entries(mail).filter(([name]) => !(missing as readonly string[]).includes(name)),
    ),
  );
  const answer = await inviteOne(gateway, bo);
  expect(answer.link).toMatch(/\/invitations\/[\w-]{43}$/);
  expect(answer.isMailed).toBe(false);
  expect(await queue()).toEqual([]);
});

test('an invitation that fails leaves no mail behind', async () => {
  await start();
  const refused = await gateway.graphql(
    `mutation { inviteUser(email: "ada@example.com", role: MEMBER) { link } }`,
  );
  expect(refused.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  expect(await queue()).toEqual([]);
});
