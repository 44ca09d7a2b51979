import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookiesAt } from '../../src/http/session/cookies.js';
import { ownerAt } from '../../src/sign-in/password-hasher.js';
import { testTime } from '../support/gateway.js';
import { ada, Browser, max, password, type SignInGateway, startSignIn } from './support.js';

let gateway: SignInGateway;
let admin: Browser;
beforeAll(async () => {
  gateway = await startSignIn({ PUBLIC_URL: 'https://gateway.example.com' });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.clock.now = testTime;
  admin = new Browser(gateway);
  expect((await admin.signIn()).status).toBe(200);
});

const next = 'a boat without any oars';
const later = (ms: number) => {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
};
const post = (path: string, body: object, browser = new Browser(gateway)) =>
  browser.send('POST', `/session/${path}`, body);
const used = {
  message: 'The link has expired or was used already. Ask for a new one.',
  ok: false,
  code: 'FORBIDDEN',
};

async function linkFor(userId: string): Promise<string> {
  const create = 'mutation ($id: ID!) { createSignInLink(userId: $id) { link } }';
  const { data } = await gateway.graphql(create, { id: userId });
  return data.createSignInLink.link;
}

async function policy(input: object): Promise<void> {
  const update = 'mutation ($input: UpdateSignInPolicyInput!) { updateSignInPolicy(input: $input) { ways } }';
  expect((await gateway.graphql(update, { input })).errors).toBeUndefined();
}

describe('a link made by an administrator', () => {
  test('sets a new password once, signs in, and ends the sessions of before', async () => {
    const before = new Browser(gateway);
    await before.signIn(max);
    const link = await linkFor(gateway.memberId);
    const [page, secret = ''] = link.split('#');
    expect(page).toBe('https://gateway.example.com/sign-in/reset');
    const weak = await post('reset/use', { secret, password: 'password1234' });
    expect([weak.status, weak.json.message]).toEqual([
      400,
      'password: is too easy to guess: it is a common password, or close to one',
    ]);
    const browser = new Browser(gateway);
    const answer = await post('reset/use', { secret, password: next }, browser);
    expect([answer.status, answer.json]).toEqual([200, { state: 'in' }]);
    expect((await browser.graphql('{ me { email } }')).data.me.email).toBe(max);
    expect((await before.send('GET', '/v1/vehicles')).status).toBe(401);
    const again = await post('reset/use', { secret, password: 'another boat entirely' });
    expect([again.status, again.json]).toEqual([403, used]);
    expect((await new Browser(gateway).signIn(max, next)).status).toBe(200);
    expect((await new Browser(gateway).signIn(max, password)).status).toBe(401);
  });

  test('of two requests at once, one succeeds', async () => {
    const [, secret] = (await linkFor(gateway.memberId)).split('#');
    const answers = await Promise.all([1, 2].map(() => post('reset/use', { secret, password: next })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('ends after a day, with the next link, and with the user', async () => {
    const refused = async (link: string) =>
      (await post('reset/use', { secret: link.split('#')[1], password: next })).status;
    const [first, second] = [await linkFor(gateway.memberId), await linkFor(gateway.memberId)];
    expect(await refused(first)).toBe(403);
    later(86_400_000);
    expect(await refused(second)).toBe(403);
    expect(await refused('#nonsense')).toBe(403);
    const third = await linkFor(gateway.memberId);
    const where = { id: gateway.memberId };
    await gateway.database.prisma.user.update({ where, data: { isActive: false } });
    expect(await refused(third)).toBe(403);
    await gateway.database.prisma.user.update({ where, data: { isActive: true } });
  });

  test('does not do without the second factor', async () => {
    const { database, organizationId, memberId: userId } = gateway;
    const sealed = new Uint8Array([1]);
    await database.prisma.totpSecret.create({
      data: { userId, organizationId, sealed, confirmedAt: testTime },
    });
    const [, secret] = (await linkFor(userId)).split('#');
    const browser = new Browser(gateway);
    const answer = await post('reset/use', { secret, password: next }, browser);
    expect([answer.status, answer.json]).toEqual([200, { state: 'second-factor', ways: ['totp'] }]);
    // The session that waits opens nothing.
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
    await database.prisma.totpSecret.delete({ where: { userId } });
  });

  test('signs in where passwords are turned off', async () => {
    await policy({ ways: ['LINK'] });
    const [page, secret] = (await linkFor(gateway.memberId)).split('#');
    expect(page).toBe('https://gateway.example.com/sign-in/link');
    const browser = new Browser(gateway);
    expect((await post('link/use', { secret }, browser)).json).toEqual({ state: 'in' });
    expect((await browser.graphql('{ me { sessions { method } } }')).data.me.sessions[0].method).toBe('LINK');
    expect((await post('link/use', { secret })).json).toEqual(used);
    await policy({ ways: ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'] });
  });
});

describe('an invited person', () => {
  const invite = async (email: string) => {
    const query =
      'mutation ($email: String!) { inviteUser(email: $email, role: VIEWER) { link user { id } } }';
    const { link } = (await gateway.graphql(query, { email })).data.inviteUser;
    return link.split('/').at(-1) as string;
  };

  test('chooses a password and is signed in, once', async () => {
    const secret = await invite('bo@example.com');
    expect((await post('invitation/check', { secret })).json).toMatchObject({ email: 'bo@example.com' });
    expect((await post('invitation', { secret, password: 'too short' })).status).toBe(400);
    const browser = new Browser(gateway);
    const answer = await post('invitation', { secret, password: next }, browser);
    expect([answer.status, answer.json]).toEqual([201, { state: 'in' }]);
    expect((await browser.graphql('{ me { email role } }')).data.me).toEqual({
      email: 'bo@example.com',
      role: 'VIEWER',
    });
    for (const path of ['invitation/check', 'invitation/token']) {
      expect((await post(path, { secret })).status).toBe(403);
    }
    const again = await post('invitation', { secret, password: next });
    expect([again.status, again.json.message]).toEqual([
      403,
      'The invitation has ended or was used already. Ask for a new one.',
    ]);
    expect((await new Browser(gateway).signIn('bo@example.com', next)).status).toBe(200);
  });

  test('cannot be somebody else by guessing', async () => {
    for (const secret of ['', 'x', 'A'.repeat(43)]) {
      expect((await post('invitation', { secret, password: next })).status).toBe(403);
    }
  });
});

describe('an organization’s policy', () => {
  test('turns a way off: nobody signs in by it, and its sessions end', async () => {
    const browser = new Browser(gateway);
    await browser.signIn();
    await policy({ ways: ['LINK'] });
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
    const refused = await new Browser(gateway).signIn();
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'Signing in with a password is turned off.',
    ]);
    // Who does not know the password learns nothing.
    expect((await new Browser(gateway).signIn(ada, 'this is not the password')).status).toBe(401);
    const options = await new Browser(gateway).send('GET', '/session/options');
    expect(options.json.ways).toEqual({ password: false, passkey: false, link: false, oidc: false });
    await policy({ ways: ['PASSWORD', 'LINK'] });
  });

  test.each([[[]], [['OIDC']]])('cannot leave %j, by which nobody could sign in', async (ways) => {
    const update =
      'mutation ($input: UpdateSignInPolicyInput!) { updateSignInPolicy(input: $input) { ways } }';
    const { errors } = await gateway.graphql(update, { input: { ways } });
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
    const read = await gateway.graphql(
      '{ organization { signInPolicy { ways secondFactorRequired issuerAlone } } }',
    );
    expect(read.data.organization.signInPolicy).toEqual({
      ways: ['PASSWORD', 'LINK'],
      secondFactorRequired: false,
      issuerAlone: true,
    });
  });

  test('sends people of an issuer there, unless it says otherwise', async () => {
    const where = { id: gateway.memberId };
    const bound = { issuer: 'https://id.example.com', subject: 'max' };
    await gateway.database.prisma.user.update({ where, data: bound });
    const phc = await gateway.hasher.hash(password, ownerAt(''));
    await gateway.database.prisma.password.update({ where: { userId: where.id }, data: { phc } });
    const browser = new Browser(gateway);
    expect((await browser.signIn(max)).status).toBe(403);
    await policy({ issuerAlone: false });
    expect((await browser.signIn(max)).status).toBe(200);
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(200);
    await policy({ issuerAlone: true });
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
    expect((await admin.send('GET', '/v1/vehicles')).status).toBe(200);
  });
});

describe('requests about signing in', () => {
  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another host of the site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['an address that somebody typed', { 'Sec-Fetch-Site': 'none' }, 403],
    ['an old browser’s foreign page', { Origin: 'https://evil.example', 'X-Requested-With': 'x' }, 403],
    ['an old browser’s form', { Origin: 'URL' }, 403],
    ['a program without headers', {}, 403],
    ['an old browser’s own page', { Origin: 'URL', 'X-Requested-With': 'console' }, 200],
  ])('from %s are answered as they should', async (_who, given: Record<string, string>, status) => {
    const headers = { ...given, ...(given.Origin === 'URL' && { Origin: gateway.url }) };
    expect((await new Browser(gateway, headers).signIn(ada)).status).toBe(status);
    // The cookie opens nothing that the same sender could not have asked for.
    const thief = new Browser(gateway, headers);
    thief.cookies.set('session', admin.cookies.get('session') ?? '');
    const made = await thief.send('POST', '/v1/vehicles', { name: 'Van' });
    expect(made.status).toBe(status === 200 ? 201 : 403);
  });

  test.each([
    [415, 'text/plain', '{"email":"a","password":"b"}'],
    [400, 'application/json', '{"email":1,"password":"b"}'],
    [400, 'application/json', '{"email":"a"}'],
    [400, 'application/json', ''],
    [413, 'application/json', `"${'x'.repeat(70_000)}"`],
  ])('%i for a body of %s', async (status, type, raw) => {
    const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await gateway.send('POST', '/session/password', { token: null, raw, headers });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ ok: false, code: expect.any(String) });
  });

  test('tell what a page needs to know before somebody has signed in', async () => {
    const options = await gateway.send('GET', '/session/options', { token: null });
    expect([options.status, options.json]).toEqual([
      200,
      {
        isNew: false,
        ways: { password: true, passkey: false, link: false, oidc: false },
        sendsMail: false,
        cookies: 'secure',
        isSignedIn: false,
        passwordLength: 10,
        secondFactorRequired: false,
      },
    ]);
  });
});

test.each([
  ['http://gateway.lan:4000', undefined, false, undefined],
  ['http://gateway.lan:4000', undefined, true, ['http://gateway.lan:4000', false, 'session=']],
  ['http://localhost:4000', undefined, false, ['http://localhost:4000', true, 'session=']],
  ['http://[::1]:4000', undefined, false, ['http://[::1]:4000', true, 'session=']],
  ['http://127.0.0.1.evil.example', undefined, false, undefined],
  ['https://gateway.lan', undefined, false, ['https://gateway.lan', true, '__Host-session=']],
  ['http://gateway.lan', 'https://gateway.lan', false, ['https://gateway.lan', true, '__Host-session=']],
  ['http://other.lan', 'https://gateway.lan', false, undefined],
])(
  'cookies at %s with PUBLIC_URL=%s and INSECURE_COOKIES=%s',
  (asked, publicUrl, insecureCookies, expected) => {
    const cookies = cookiesAt(asked, { publicUrl, insecureCookies });
    const line = cookies?.set('session', 'x') ?? '';
    expect(cookies && [cookies.origin, cookies.isSecure, line.slice(0, line.indexOf('x'))]).toEqual(expected);
    expect(line.includes('; Secure')).toBe(line.startsWith('__Host-'));
  },
);
