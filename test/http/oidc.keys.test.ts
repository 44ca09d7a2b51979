import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { audience, makeKey, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startFurther } from '../live/support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

type Further = Awaited<ReturnType<typeof startFurther>>;

const discovery = '/.well-known/openid-configuration';
const hour = 3_600_000;
let issuer: TestIssuer;
let gateway: TestGateway;
/** A gateway that knows nothing of the issuer yet. */
let fresh: Further;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  issuer = await startIssuer();
  gateway = await startGateway();
  const data = { role: 'VIEWER', issuer: issuer.url, subject: 'ada' } as const;
  await gateway.database.prisma.user.update({ where: { id: gateway.userId }, data });
});
beforeEach(async () => {
  pass(0, testTime);
  issuer.replace();
  issuer.rotate(await makeKey('first'));
  issuer.asked.length = 0;
  fresh = await startFurther(gateway, {}, { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
});
afterEach(() => fresh.close());
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});

/** Lets time pass for the gateways, their library and the issuer. */
function pass(milliseconds: number, from = gateway.clock.now): void {
  gateway.clock.now = new Date(from.getTime() + milliseconds);
  vi.setSystemTime(gateway.clock.now);
}

async function ask(token: string) {
  const response = await fetch(`${fresh.url}/v1/vehicles`, { headers: { Authorization: `Bearer ${token}` } });
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), message };
}

/** Returns a token that outlives the keys. */
const lasting = (...header: [{ kid: string }?]) =>
  issuer.sign(
    issuer.claims('ada', { exp: testTime.getTime() / 1000 + 86_400, jti: Math.random() }),
    ...header,
  );

const away: RequestListener = ({ socket }) => socket.destroy();
const answering =
  (path: string, status: number, body: string, headers = {}): RequestListener =>
  ({ url }, response) => {
    if (url === path) response.writeHead(status, headers).end(body);
    else response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
  };

describe('an issuer that cannot be reached', () => {
  test('is asked again after five seconds, and nothing else waits for it', async () => {
    issuer.replace(away);
    const token = await lasting();
    for (let i = 0; i < 3; i++) {
      expect(await ask(token)).toEqual({
        status: 503,
        retryAfter: '5',
        message: expect.stringMatching(/keys/),
      });
    }
    expect(issuer.asked).toEqual([discovery]);
    expect((await ask(gateway.admin)).status).toBe(200);
    expect((await ask('unknown')).status).toBe(401);
    issuer.replace();
    pass(5_000);
    expect((await ask(token)).status).toBe(200);
    expect(issuer.asked).toEqual([discovery, discovery, '/jwks']);
    await fresh.lines.count(6);
    expect(fresh.lines.text).toContain(`${issuer.url}${discovery}`);
    expect(fresh.lines.text).not.toContain(token);
    expect(fresh.lines.text).not.toContain(token.split('.')[2]);
  });

  test('is not needed for requests that can be rejected without its keys', async () => {
    issuer.replace(away);
    const [, payload] = (await lasting()).split('.');
    expect((await ask(`e30.${payload}.x`)).status).toBe(401);
    expect(
      (await ask(await issuer.sign(issuer.claims('ada', { iss: 'https://other.example' })))).status,
    ).toBe(401);
    expect(issuer.asked).toEqual([]);
  });

  test('any more leaves its known keys for an hour, and tokens that need others wait', async () => {
    const known = [await lasting(), await lasting()];
    expect((await ask(known[0] as string)).status).toBe(200);
    issuer.replace(away);
    pass(30 * 60_000);
    for (const token of known) expect((await ask(token)).status).toBe(200);
    pass(31_000);
    expect((await ask(await lasting({ kid: 'new' }))).status).toBe(503);
    pass(hour);
    for (const token of known) expect((await ask(token)).status).toBe(503);
  });
});

const description = (changes: object) =>
  JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, ...changes });

describe('an answer that is none', () => {
  const answers: [string, string, () => [number, string, object?]][] = [
    [
      "another issuer's description",
      discovery,
      () => [200, description({ issuer: 'https://other.example' })],
    ],
    ['a description with a slash more', discovery, () => [200, description({ issuer: `${issuer.url}/` })]],
    [
      'keys over a line that can be tapped',
      discovery,
      () => [200, description({ jwks_uri: 'http://192.0.2.1/' })],
    ],
    ['keys in a file', discovery, () => [200, description({ jwks_uri: 'file:///etc/passwd' })]],
    ['no place of the keys', discovery, () => [200, description({ jwks_uri: undefined })]],
    ['no JSON', discovery, () => [200, '<html>']],
    ['null', discovery, () => [200, 'null']],
    ['an error', discovery, () => [500, '{}']],
    ['a redirect', discovery, () => [302, '', { Location: `${issuer.url}/elsewhere` }]],
    ['keys that are no JSON', '/jwks', () => [200, '<html>']],
    ['keys that are none', '/jwks', () => [200, '{"keys": {}}']],
    ['a list without keys', '/jwks', () => [200, '{"keys": [null]}']],
    ['a description without an end', discovery, () => [200, `{"a":"${'a'.repeat(1 << 20)}`]],
    ['more keys than anybody has', '/jwks', () => [200, `{"keys":[${'{},'.repeat(100_000)}{}]}`]],
    ['an error instead of the keys', '/jwks', () => [404, '{}']],
  ];
  test.each(answers)('%s', async (_name, path, answer) => {
    issuer.replace(answering(path, ...answer()));
    expect((await ask(await lasting())).status).toBe(503);
    issuer.replace();
    pass(5_000);
    expect((await ask(await lasting())).status).toBe(200);
  });
});

test('an issuer that did not answer is asked again when the clock is set back by hours', async () => {
  issuer.replace(away);
  expect((await ask(await lasting())).status).toBe(503);
  issuer.replace();
  pass(-3 * hour);
  expect((await ask(await lasting())).status).toBe(200);
});

describe('keys', () => {
  test('are asked for once by tokens that come together', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => lasting()));
    const answers = await Promise.all(tokens.map(ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(issuer.asked).toEqual([discovery, '/jwks']);
  });

  test('that are new are found, and those that are gone open nothing after five minutes', async () => {
    const [old, unseen] = [await lasting(), await lasting()];
    expect((await ask(old)).status).toBe(200);
    const [first, second] = [issuer.key(), await makeKey('second')];
    issuer.rotate(second, first);
    pass(31_000);
    expect((await ask(await issuer.token('ada'))).status).toBe(200);
    expect((await ask(unseen)).status).toBe(200);
    issuer.rotate(second);
    pass(5 * 60_000);
    for (const token of [old, unseen]) {
      expect(await ask(token)).toMatchObject({
        status: 401,
        message: 'The access token is signed with a key that its issuer does not have.',
      });
    }
    expect((await ask(await issuer.token('ada'))).status).toBe(200);
  });

  test('that nobody has make the issuer be asked once in half a minute', async () => {
    await ask(await lasting());
    for (const round of [0, 1, 2]) {
      for (let i = 0; i < 10; i++) expect((await ask(await lasting({ kid: `none-${i}` }))).status).toBe(401);
      expect(issuer.asked.filter((path) => path === '/jwks')).toHaveLength(1 + round);
      pass(30_000);
    }
    expect((await ask(await lasting())).status).toBe(200);
  });

  test('are remembered with what they have signed: a token is checked once', async () => {
    const token = await lasting();
    await ask(token);
    issuer.replace(away);
    pass(4 * 60_000);
    expect((await ask(token)).status).toBe(200);
    expect(issuer.asked).toHaveLength(2);
  });
});

test('an answer without an end is not read to its end', async () => {
  let sent = 0;
  let ended = Promise.resolve();
  issuer.replace(({ url }, response) => {
    if (url !== '/jwks') return response.end(description({}));
    const part = ' '.repeat(64 * 1_024);
    const go = () => {
      while (!response.destroyed && response.write(part)) sent += part.length;
    };
    ended = new Promise((resolve) => response.on('close', resolve));
    response.on('drain', go);
    go();
  });
  expect((await ask(await lasting())).status).toBe(503);
  await ended;
  expect(sent).toBeLessThan(32 * 1_024 * 1_024);
});

describe('the log', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const warnings = () => fresh.lines.text.split('\n').filter((line) => line.includes('OIDC_ISSUER'));

  test('says nothing of tokens that nobody could verify', async () => {
    await ask(await lasting());
    const [header = '', payload = ''] = (await lasting()).split('.');
    const heads = [null, [], 1, 'a', {}, { alg: null }, { alg: [] }, { alg: 'none' }, { alg: 'HS256' }];
    const further = [
      { alg: 'RS256', crit: ['b64'], b64: false },
      { alg: 'RS256', kid: {} },
      { alg: 'ES256' },
    ];
    const payloads = [null, [], 1, 'a', { iss: issuer.url }, { iss: {} }, { iss: issuer.url, exp: 'x' }];
    const tokens = [
      ...[...heads, ...further].flatMap((head) => [`${part(head)}.${payload}.x`, `${part(head)}..`]),
      ...payloads.flatMap((claims) => [`${header}.${part(claims)}.x`, `${header}.${part(claims)}.`]),
      `${header}.${Buffer.from('{').toString('base64url')}.x`,
    ];
    for (const token of tokens) expect([token, (await ask(token)).status]).toEqual([token, 401]);
    expect(warnings()).toEqual([]);
  });

  test('says once in a minute that the keys cannot be fetched', async () => {
    issuer.replace(away);
    for (let second = 0; second < 60; second += 5) {
      expect((await ask(await lasting())).status).toBe(503);
      pass(5_000);
    }
    expect(warnings()).toHaveLength(1);
    await ask(await lasting());
    expect(warnings()).toHaveLength(2);
  });
});
