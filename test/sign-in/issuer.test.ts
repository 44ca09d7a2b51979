import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endOtherWays } from '../../src/sign-in/sessions.js';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startFurther } from '../live/support.js';
import { testTime } from '../support/gateway.js';
import { Browser, max, password, type SignInGateway, startSignIn } from './support.js';

let issuer: TestIssuer;
let gateway: SignInGateway;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  issuer = await startIssuer();
  const env = {
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    OIDC_ROLE_CLAIM: 'role',
    OIDC_CONSOLE_CLIENT_ID: clientId,
  };
  gateway = await startSignIn(env);
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});
const user = (data: object) =>
  gateway.database.prisma.user.update({ where: { id: gateway.memberId }, data: data });
const policy = (data: object) => gateway.database.prisma.organization.updateMany({ data });
beforeEach(async () => {
  await user({ issuer: null, subject: null, isActive: true, role: 'MEMBER' });
  await policy({ signInWays: ['PASSWORD', 'OIDC'], secondFactorRequired: false });
});

const clientId = 'console';
const claims = (changes: object = {}) => issuer.claims('max', { email: max, ...changes });
const enter = async (payload: object, browser = new Browser(gateway)) => {
  const token = await issuer.sign(payload);
  return { browser, answer: await browser.send('POST', '/session/oidc', { token }) };
};

test('a token of the issuer begins a session of its user, also where a second factor is required', async () => {
  await policy({ secondFactorRequired: true });
  const { browser, answer } = await enter(claims());
  expect([answer.status, answer.json]).toEqual([200, { state: 'in' }]);
  const { data } = await browser.graphql('{ me { id role sessions { method isCurrent } } }');
  const sessions = [{ method: 'OIDC', isCurrent: true }];
  expect(data.me).toEqual({ id: gateway.memberId, role: 'MEMBER', sessions });
  // The session is not bound to the token's time, and ends with its user.
  await user({ isActive: false });
  expect((await browser.send('POST', '/graphql', { query: '{ me { id } }' })).status).toBe(401);
});

test.each<[number, string, (() => Promise<unknown>) | undefined, object]>([
  [401, 'a token that has expired', undefined, { exp: 1 }],
  [401, 'a token for somebody else', undefined, { aud: 'https://elsewhere.example' }],
  [401, 'an unknown subject', undefined, { sub: 'nobody', email: 'nobody@example.com' }],
  [401, 'a deactivated user', () => user({ isActive: false }), {}],
  [401, 'a user of another subject', () => user({ issuer: 'x', subject: 'y' }), {}],
  [403, 'a user without a role', () => user({ role: null }), {}],
  [403, 'an organization without this way', () => policy({ signInWays: ['PASSWORD'] }), {}],
  [403, 'a token that states rights', undefined, { role: 'viewer' }],
  [403, 'a token of another client', undefined, { azp: 'script' }],
  [403, 'a token of another client, by RFC 9068', undefined, { client_id: 'script' }],
  [403, 'a token for several receivers that names no client', undefined, { aud: [audience, 'x'] }],
  [200, 'a token of the console for several receivers', undefined, { aud: [audience, 'x'], azp: clientId }],
  [403, 'an old token', undefined, { iat: testTime.getTime() / 1_000 - 601 }],
  [403, 'a token that does not say its age', undefined, { iat: undefined }],
])('%i for %s, and a session only with 200', async (status, _, prepare, changes) => {
  await prepare?.();
  const { browser, answer } = await enter(claims(changes));
  expect(answer.status).toBe(status);
  expect(browser.cookies.has('session')).toBe(status === 200);
});

test('where only the issuer signs in, nothing else does, and sessions of other ways end', async () => {
  const alone = await startFurther(gateway, {}, { SIGN_IN: 'oidc' });
  const before = new Browser(gateway);
  expect((await before.signIn(max)).json).toEqual({ state: 'in' });
  const { browser } = await enter(claims());
  const secret = 'x'.repeat(43);
  const attempts = {
    password: { email: max, password },
    passkey: { response: {} },
    link: { email: max },
    'link/use': { secret },
    reset: { email: max },
    'reset/use': { secret, password },
    'invitation/passkey': { secret },
  };
  for (const [path, body] of Object.entries(attempts)) {
    const answer = await fetch(`${alone.url}/session/${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([path, answer.status, await answer.json()]).toMatchObject([
      path,
      403,
      { message: expect.stringContaining('turned off') },
    ]);
  }
  await endOtherWays(gateway.database, ['OIDC'], testTime);
  const statusOf = async (one: Browser) => (await one.send('GET', '/v1/vehicles')).status;
  expect([await statusOf(before), await statusOf(browser)]).toEqual([401, 200]);
  await alone.close();
});

test('neither another site nor another kind of token begins one', async () => {
  const other = new Browser(gateway, { 'Sec-Fetch-Site': 'cross-site' });
  expect((await enter(claims(), other)).answer.status).toBe(403);
  const token = gateway.admin;
  expect((await new Browser(gateway).send('POST', '/session/oidc', { token })).status).toBe(401);
});
