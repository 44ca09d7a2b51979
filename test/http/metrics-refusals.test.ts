import type { RequestListener } from 'node:http';
import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { audience, makeKey, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { webSocketUrl } from '../live/support.js';
import { familiesOf, problemsOf } from '../support/exposition.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function start(env: Record<string, string>): Promise<TestGateway> {
  // Counts are settled when the gateway closes, and not before.
  const gateway = await startGateway(env, {}, { settleInterval: 3_600_000 });
  open.push(gateway);
  return gateway;
}

/** Returns the values of a metric by its one label; undefined when there is no such metric. */
async function valuesOf(gateway: TestGateway, name: string, label: string) {
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  expect(problemsOf(text)).toEqual([]);
  const samples = familiesOf(text).get(name)?.samples;
  return samples && Object.fromEntries(samples.map(({ labels, value }) => [labels[label], value]));
}

const limited = (gateway: TestGateway) => valuesOf(gateway, 'gateway_rate_limited_total', 'limit');

test('requests over a limit are counted by the limit, through both doors and over WebSockets', async () => {
  const gateway = await start({ RATE_LIMIT: '1', RATE_LIMIT_FAILURES: '2' });
  expect(await limited(gateway)).toEqual({ token: 0, failures: 0 });
  expect((await gateway.send('GET', '/v1/vehicles')).status).toBe(200);
  expect((await gateway.send('GET', '/v1/vehicles')).status).toBe(429);
  expect((await gateway.send('POST', '/graphql', { body: { query: '{ me { name } }' } })).status).toBe(429);
  expect(await limited(gateway)).toEqual({ token: 2, failures: 0 });
  const client = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${gateway.admin}` },
    retryAttempts: 0,
  });
  await new Promise<void>((resolve) => {
    const sink = { next: () => {}, error: () => resolve(), complete: resolve };
    client.subscribe({ query: '{ me { name } }' }, sink);
  });
  await client.dispose();
  expect((await limited(gateway))?.token).toBe(3);
  const token = 'unknown';
  for (const status of [401, 401, 429, 429])
    expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(status);
  expect(await limited(gateway)).toEqual({ token: 3, failures: 2 });
});

test('a gateway without issuer and replica tells nothing of them', async () => {
  const gateway = await start({});
  expect(await valuesOf(gateway, 'gateway_issuer_failures_total', 'reason')).toBeUndefined();
  expect(await valuesOf(gateway, 'gateway_replica_used', '')).toBeUndefined();
  expect(await valuesOf(gateway, 'gateway_replica_lag_seconds', '')).toBeUndefined();
});

test('a replica that cannot be reached is not used, and its lag is not known', async () => {
  const gateway = await start({ DATABASE_REPLICA_URL: 'postgresql://gateway@127.0.0.1:9/none' });
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  const families = familiesOf(text);
  expect(families.get('gateway_replica_used')?.samples).toEqual([expect.objectContaining({ value: 0 })]);
  expect(families.get('gateway_replica_lag_seconds')?.samples).toEqual([]);
});

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

const none = { unreachable: 0, status: 0, content: 0, key: 0 };
const away: RequestListener = ({ socket }) => socket.destroy();
const keys =
  (text: string): RequestListener =>
  ({ url }, response) => {
    const about = JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` });
    response.end(url === '/jwks' ? text : about);
  };

test.each([
  ['unreachable', away, 503],
  ['status', (_request, response) => void response.writeHead(502).end(), 503],
  ['content', (_request, response) => void response.end('<html>'), 503],
  ['content', (_request, response) => void response.end('{"issuer":"https://other.example.com"}'), 503],
  ['content', keys('{"keys":5}'), 503],
  ['content', keys(`{"keys":[${'{},'.repeat(2 ** 18)}{}]}`), 503],
  ['key', keys('{"keys":[{"kty":"RSA","kid":"first","n":"AQAB","e":"AQAB"}]}'), 401],
] as [keyof typeof none, RequestListener, number][])(
  'a failure of the issuer is counted once as %s',
  async (reason, answer, status) => {
    issuer.replace();
    issuer.rotate(await makeKey('first'));
    const gateway = await start({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
    const failures = () => valuesOf(gateway, 'gateway_issuer_failures_total', 'reason');
    expect(await failures()).toEqual(none);
    const token = await issuer.sign({
      ...issuer.claims('ada'),
      iat: gateway.clock.now.getTime() / 1_000,
      exp: gateway.clock.now.getTime() / 1_000 + 600,
    });
    issuer.replace(answer);
    expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(status);
    expect(await failures()).toEqual({ ...none, [reason]: 1 });
    // Nobody is asked for five seconds: what is not a further failure does not count as one. Whoever sends more
    // tokens with the same key learns no more, either.
    await gateway.send('GET', '/v1/vehicles', { token });
    expect(await failures()).toEqual({ ...none, [reason]: 1 });
  },
);

test("a caller's bad token is no failure of the issuer", async () => {
  issuer.replace();
  const gateway = await start({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
  const token = await issuer.sign({ ...issuer.claims('ada'), aud: 'another' });
  expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(401);
  expect(await valuesOf(gateway, 'gateway_issuer_failures_total', 'reason')).toEqual(none);
});

/** Tokens of three parts with a header and claims that anybody may write. */
const malformed = (issuerUrl: string) => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const headers = [null, [], 0, 'x', {}, { alg: null }, { alg: 'none' }, { alg: 'RS256', crit: ['x'] }];
  const payloads = [null, [], 'x', { iss: issuerUrl }, { iss: issuerUrl, exp: '1' }, { iss: null }];
  return headers.flatMap((header) => payloads.map((payload) => `${part(header)}.${part(payload)}.eA`));
};

test('malformed tokens are no failures of the issuer', async () => {
  issuer.replace();
  const gateway = await start({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    RATE_LIMIT_FAILURES: 'off',
  });
  for (const token of malformed(issuer.url)) {
    expect([token, (await gateway.send('GET', '/v1/vehicles', { token })).status]).toEqual([token, 401]);
  }
  expect(await valuesOf(gateway, 'gateway_issuer_failures_total', 'reason')).toEqual(none);
});
