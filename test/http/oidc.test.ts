import { createHmac, createPublicKey } from 'node:crypto';
import { CompactSign, type JWK, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { audience, makeKey, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startFurther } from '../live/support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

const algorithms = ['PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const keys: Record<string, JWK> = {};
let issuer: TestIssuer;
let gateway: TestGateway;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  for (const alg of algorithms) keys[alg] = await makeKey(alg, alg);
  issuer = await startIssuer(...Object.values(keys));
  gateway = await startGateway({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
  await gateway.database.prisma.user.updateMany({ data: { role: 'MEMBER' } });
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});
beforeEach(() => {
  issuer.asked.length = 0;
});

const email = 'ada@example.com';
const me = '{ me { id name email role teams { name } } }';
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Asks both doors; they have to say the same. */
async function ask(token: string) {
  const rest = await gateway.send('GET', '/v1/vehicles', { token });
  const graphql = await gateway.send('POST', '/graphql', { token, body: { query: me } });
  expect(graphql.status).toBe(rest.status);
  expect(graphql.headers.get('www-authenticate')).toBe(rest.headers.get('www-authenticate'));
  return { status: rest.status, headers: rest.headers, message: rest.json.message, data: graphql.json.data };
}

async function expectRefused(token: string, message: RegExp) {
  const answer = await ask(token);
  expect(answer).toMatchObject({ status: 401, message: expect.stringMatching(message) });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}

test('nothing is fetched before the first JWT, which finds the keys once', async () => {
  await gateway.send('GET', '/v1/vehicles');
  expect(issuer.asked).toEqual([]);
  const token = await issuer.token('ada', { email });
  expect(await ask(token)).toMatchObject({
    status: 200,
    data: { me: { id: gateway.userId, name: 'Ada Admin', email, role: 'MEMBER', teams: [{}, {}] } },
  });
  await ask(await issuer.token('ada'));
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
});

test('our own tokens work beside them, and so does their rejection', async () => {
  expect((await ask(gateway.viewer)).status).toBe(200);
  for (const token of ['unknown', 'a.b.c', `${base64('text')}.${base64({})}.x`]) {
    await expectRefused(token, /^The access token is unknown, expired or revoked\.$/);
  }
});

describe('what is accepted', () => {
  beforeAll(() =>
    gateway.database.prisma.user.update({
      where: { id: gateway.userId },
      data: { issuer: issuer.url, subject: 'ada' },
    }),
  );

  test.each(['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT', undefined])('the type %s', async (typ) => {
    // `undefined` takes the member out of the header.
    const header = { typ } as { typ: string };
    expect((await ask(await issuer.sign(issuer.claims('ada'), header))).status).toBe(200);
  });

  test('one of several audiences', async () => {
    const aud = ['https://other.example.com', audience];
    expect((await ask(await issuer.sign(issuer.claims('ada', { aud })))).status).toBe(200);
  });

  test('no name of the key, where the issuer has one alone of its kind', async () => {
    const { kid: _, ...key } = issuer.key();
    expect((await ask(await issuer.sign(issuer.claims('ada'), {}, key))).status).toBe(200);
  });

  test('clocks that differ by less than half a minute', async () => {
    const now = testTime.getTime() / 1000;
    const late = issuer.claims('ada', { exp: now - 29 });
    const early = issuer.claims('ada', { nbf: now + 29 });
    for (const claims of [late, early]) expect((await ask(await issuer.sign(claims))).status).toBe(200);
  });

  test.each(algorithms)('a signature with %s', async (alg) => {
    expect((await ask(await issuer.sign(issuer.claims('ada'), {}, keys[alg]))).status).toBe(200);
  });

  test('a token until it expires, also when it is known already', async () => {
    const token = await issuer.token('ada');
    expect((await ask(token)).status).toBe(200);
    gateway.clock.now = new Date(testTime.getTime() + 331_000);
    await expectRefused(token, /^The access token has expired\.$/);
    gateway.clock.now = testTime;
  });
});

describe('what is refused', () => {
  const now = testTime.getTime() / 1000;
  const claims: [string, object, RegExp][] = [
    ['another audience', { aud: 'https://other.example.com' }, /claim `aud`/],
    ['no audience', { aud: undefined }, /claim `aud`/],
    ['another issuer', { iss: 'https://other.example.com' }, /claim `iss`/],
    ['the issuer with a slash', { iss: 'http://127.0.0.1/' }, /claim `iss`/],
    ['no issuer', { iss: undefined }, /claim `iss`/],
    ['no end', { exp: undefined }, /claim `exp`/],
    ['an end that is text', { exp: '9999999999' }, /claim `exp`/],
    ['an end that is past', { exp: now - 31 }, /has expired/],
    ['a begin that is to come', { nbf: now + 31 }, /is not valid yet/],
    ['no subject', { sub: undefined }, /claim `sub`/],
    ['an empty subject', { sub: '' }, /no subject/],
    ['a subject that cannot be stored', { sub: 'a\0b' }, /no subject/],
    ['a subject that is no text', { sub: 5 }, /no subject/],
    ['the marks of an ID token', { at_hash: 'x' }, /is an ID token/],
    ['a key that its bearer has to prove', { cnf: { jkt: 'x' } }, /bound to a key/],
  ];
  test.each(claims)('%s', async (_name, changes, message) => {
    await expectRefused(await issuer.sign(issuer.claims('ada', changes)), message);
  });

  test.each([
    ['exp', '1e400', /claim `exp`/],
    ['exp', '1e300', /claim `exp`/],
    ['iat', '-1e400', /claim `iat`/],
    ['nbf', '-1e400', /is not valid yet/],
    ['nbf', '1e400', /is not valid yet/],
  ])('a time that no date can say: %s %s', async (name, number, message) => {
    // Written by hand: JSON.stringify has no such numbers.
    const text = JSON.stringify(issuer.claims('ada', { [name]: 'NUMBER' })).replace('"NUMBER"', number);
    const { alg = 'RS256', kid } = issuer.key();
    const header = { alg, ...(kid && { kid }), typ: 'at+jwt' };
    const token = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader(header)
      .sign(issuer.key());
    await expectRefused(token, message);
  });

  test.each(['logout+jwt', 'dpop+jwt', 'id_token'])('the type %s', async (typ) => {
    await expectRefused(await issuer.sign(issuer.claims('ada'), { typ }), /type that is not accepted/);
  });

  test('no signature', async () => {
    const unsigned = new UnsecuredJWT(issuer.claims('ada')).encode();
    await expectRefused(unsigned, /algorithm that is not accepted/);
    const [, payload] = (await issuer.sign(issuer.claims('ada'))).split('.');
    for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
      await expectRefused(`${base64({ alg })}.${payload}.`, /algorithm that is not accepted/);
    }
  });

  test("an HMAC with what everybody knows: the issuer's public key", async () => {
    const publicKey = createPublicKey({ key: issuer.key() as never, format: 'jwk' });
    const jwk = publicKey.export({ format: 'jwk' });
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'pkcs1', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      Buffer.from(jwk.n ?? '', 'base64url'),
    ];
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const signed = `${base64({ alg, kid: 'first', typ: 'JWT' })}.${base64(issuer.claims('ada'))}`;
      for (const secret of secrets) {
        const digest = `sha${alg.slice(2)}`;
        const signature = createHmac(digest, secret).update(signed).digest('base64url');
        await expectRefused(`${signed}.${signature}`, /algorithm that is not accepted/);
      }
    }
  });

  test('a signature of something else', async () => {
    const [header, , signature] = (await issuer.token('ada')).split('.');
    const payload = base64(issuer.claims('ada', { role: 'admin' }));
    await expectRefused(`${header}.${payload}.${signature}`, /not signed by its issuer/);
    await expectRefused(`${header}.${payload}.`, /not signed by its issuer/);
  });

  test("another's key under a name of the issuer's, also one that the token brings along", async () => {
    const key = await makeKey('first');
    const { n, e, kty } = key;
    const jwk = { n, e, kty } as JWK;
    for (const header of [{}, { jwk }, { jku: 'https://other.example.com/jwks' }]) {
      await expectRefused(await issuer.sign(issuer.claims('ada'), header, key), /not signed by its issuer/);
    }
  });

  test('an extension that is not supported', async () => {
    const [, payload, signature] = (await issuer.token('ada')).split('.');
    const header = base64({ alg: 'RS256', kid: 'first', crit: ['x'], x: 1 });
    await expectRefused(`${header}.${payload}.${signature}`, /not accepted|not a JWT/);
  });

  test.each(['', 'x', base64([]), base64('text'), base64(null)])('the payload %j', async (payload) => {
    await expectRefused(`${base64({ alg: 'RS256' })}.${payload}.x`, /is not a JWT/);
  });

  test("no name of the key, where several are of the algorithm's kind", async () => {
    const two = await startIssuer(await makeKey('second'));
    const other = await startFurther(gateway, {}, { OIDC_ISSUER: two.url, OIDC_AUDIENCE: audience });
    const { kid: _, ...key } = two.key();
    const headers = { Authorization: `Bearer ${await two.sign(two.claims('ada'), {}, key)}` };
    const answer = await fetch(`${other.url}/v1/vehicles`, { headers });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      message: expect.stringMatching(/with which key it is signed/),
    });
    await other.close();
    await two.close();
  });

  test('a token that is too long', async () => {
    const token = await issuer.sign(issuer.claims('ada', { padding: 'x'.repeat(8_192) }));
    await expectRefused(token, /is longer than 8192 characters/);
  });
});

test('a key of a retry outlives the token: the next one is answered what the first was', async () => {
  const once = async (token: string) => {
    const body = { name: 'Kept for a new token' };
    return gateway.send('POST', '/v1/vehicles', { token, body, headers: { 'Idempotency-Key': 'renewed' } });
  };
  const first = await once(await issuer.token('ada', { jti: 'first' }));
  const second = await once(await issuer.token('ada', { jti: 'second' }));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.json).toEqual(first.json);
});
