import { createClient } from 'graphql-ws';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { webSocketUrl } from '../live/support.js';
import { startGateway, type TestGateway, type TestResponse, testTime } from '../support/gateway.js';

const open: TestGateway[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
});

async function start(env: Record<string, string>): Promise<TestGateway> {
  // Counts are settled when the gateway closes, and not before.
  const gateway = await startGateway(env, {}, { settleInterval: 3_600_000 });
  open.push(gateway);
  return gateway;
}

const list = (gateway: TestGateway, token: string | null, headers: Record<string, string> = {}) =>
  gateway.send('GET', '/v1/vehicles', { token, headers });
const me = (gateway: TestGateway, token: string | null, headers: Record<string, string> = {}) =>
  gateway.send('POST', '/graphql', { token, headers, body: { query: '{ me { name } }' } });
const doors = { rest: list, graphql: me };

function limitsOf({ headers }: TestResponse) {
  return [headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('retry-after')];
}

function pass(gateway: TestGateway, ms: number): void {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
}

const refusal = 'This token has sent too many requests. Try again in 20 s.';

test('a token may send a number of requests through both APIs together, and learns how many are left', async () => {
  const gateway = await start({ RATE_LIMIT: '3' });
  const answers = [await list(gateway, gateway.admin), await me(gateway, gateway.admin)];
  answers.push(await list(gateway, gateway.admin));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(limitsOf)).toEqual([
    ['"token";r=2;t=20', '"token";q=3;w=60', null],
    ['"token";r=1;t=40', '"token";q=3;w=60', null],
    ['"token";r=0;t=60', '"token";q=3;w=60', null],
  ]);

  const rest = await list(gateway, gateway.admin);
  expect([rest.status, rest.json]).toEqual([429, { message: refusal, ok: false, code: 'TOO_MANY_REQUESTS' }]);
  const graphql = await me(gateway, gateway.admin);
  const extensions = { code: 'TOO_MANY_REQUESTS', violations: [], retryAfter: 20 };
  expect([graphql.status, graphql.json]).toEqual([429, { errors: [{ message: refusal, extensions }] }]);
  const file = await gateway.send('GET', '/attachments/0');
  expect(file.status).toBe(429);
  for (const answer of [rest, graphql, file]) {
    expect(limitsOf(answer)).toEqual(['"token";r=0;t=20', '"token";q=3;w=60', '20']);
  }
  // Another token has its own, and another workspace's.
  expect((await list(gateway, gateway.member)).status).toBe(200);
});

test('who waits as long as Retry-After says gets through, once', async () => {
  const gateway = await start({ RATE_LIMIT: '7' });
  for (let sent = 0; sent < 7; sent++) expect((await list(gateway, gateway.admin)).status).toBe(200);
  const { headers } = await list(gateway, gateway.admin);
  expect(headers.get('retry-after')).toBe('9');
  pass(gateway, 9_000);
  expect((await list(gateway, gateway.admin)).status).toBe(200);
  expect((await list(gateway, gateway.admin)).status).toBe(429);
  pass(gateway, 120_000);
  for (let sent = 0; sent < 7; sent++) expect((await list(gateway, gateway.admin)).status).toBe(200);
  expect((await list(gateway, gateway.admin)).status).toBe(429);
});

test('of concurrent requests, no more get through than allowed', async () => {
  const gateway = await start({ RATE_LIMIT: '5' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => list(gateway, gateway.admin)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
});

test('a token over its limit costs no statement', async () => {
  const gateway = await start({ RATE_LIMIT: '1' });
  await list(gateway, gateway.admin);
  const statements = await gateway.statementNames(async () => {
    expect((await list(gateway, gateway.admin)).status).toBe(429);
    expect((await me(gateway, gateway.admin)).status).toBe(429);
  });
  expect(statements.filter((name) => name === 'access_tokens.authenticate')).toEqual([]);
});

test('requests that need no token, and browsers that ask whether they may, are not counted', async () => {
  const origin = 'https://app.example';
  const gateway = await start({ RATE_LIMIT: '1', CORS_ORIGINS: origin });
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  const free = [
    await gateway.send('GET', '/'),
    await gateway.send('GET', '/health/ready'),
    await gateway.send('OPTIONS', '/graphql', { headers: preflight }),
    await gateway.send('OPTIONS', '/v1/vehicles'),
  ];
  for (const answer of free) expect(limitsOf(answer)).toEqual([null, null, null]);
  const answer = await list(gateway, gateway.admin, { Origin: origin });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
});

/** What the shared count is at, in whole requests of 15 seconds: some of it comes back meanwhile. */
const secondsUsed = 'SELECT (ceil(level / 15000) * 15)::int AS seconds FROM rate_limits';

test('the processes of a deployment share a count', async () => {
  const one = await startGateway({ RATE_LIMIT: '4' }, {}, { settleInterval: 1 });
  open.push(one);
  const config = readConfig({ DATABASE_URL: one.databaseUrl, RATE_LIMIT: '4' });
  const log = pino({ level: 'silent' });
  const two = createApp({ database: one.database, config, log, clock: () => testTime, settleInterval: 1 });
  const { url } = await two.listen('127.0.0.1', 0);
  const seconds = () => one.database.sql(secondsUsed, []);
  try {
    for (let sent = 0; sent < 4; sent++) await list(one, one.admin);
    await expect.poll(seconds).toEqual([{ seconds: 60 }]);
    const statuses: number[] = [];
    const ask = async () => {
      const headers = { Authorization: `Bearer ${one.admin}` };
      return statuses.push((await fetch(`${url}/v1/vehicles`, { headers })).status) && statuses.at(-1);
    };
    // The first is let through, and has it look at the count. It may be asked again before it knows the answer.
    await ask();
    await expect.poll(seconds).toEqual([{ seconds: 75 }]);
    await expect.poll(ask).toBe(429);
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(4);
  } finally {
    await two.close();
  }
});

const hour = 3_600_000;

test.each([
  ['the end of a year', '2026-12-31T23:59:59.000Z', 2_000],
  ['a change to summer time', '2027-03-14T06:59:59.000Z', hour],
  ['a change from summer time', '2027-11-07T05:59:59.000Z', -hour],
  ['hours back', '2027-05-01T12:00:00.000Z', -7 * hour],
  ['a year forward', '2027-05-01T12:00:00.000Z', 8_760 * hour],
])("limits know nothing of the gateway's own clock: %s", async (_what, moment, jump) => {
  let uptime = 0;
  const bounds = { settleInterval: 3_600_000, uptime: () => uptime };
  const gateway = await startGateway({ RATE_LIMIT: '3' }, {}, bounds);
  open.push(gateway);
  gateway.clock.now = new Date(moment);
  const ask = async () => limitsOf(await list(gateway, gateway.admin));
  for (let sent = 0; sent < 3; sent++) await ask();
  pass(gateway, jump);
  expect(await ask()).toEqual(['"token";r=0;t=20', '"token";q=3;w=60', '20']);
  uptime += 20_000;
  expect(await ask()).toEqual(['"token";r=0;t=60', '"token";q=3;w=60', null]);
  uptime += 60_000;
  pass(gateway, -jump);
  expect(await ask()).toEqual(['"token";r=2;t=20', '"token";q=3;w=60', null]);
});

const wrong = (n: number) => `egw_${String(n).padStart(43, 'x')}`;

test.each(Object.keys(doors) as (keyof typeof doors)[])(
  'an address that fails too often is refused before its tokens are looked up: %s',
  async (door) => {
    const gateway = await start({ RATE_LIMIT_FAILURES: '3' });
    const answers = [];
    for (const token of [wrong(1), null, wrong(3)]) answers.push(await doors[door](gateway, token));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.map(limitsOf).at(-1)).toEqual(['"failures";r=0;t=60', '"failures";q=3;w=60', null]);
    const statements = await gateway.statements(async () => {
      for (const token of [wrong(4), null, gateway.admin]) {
        const answer = await doors[door](gateway, token);
        expect(answer.status).toBe(429);
        expect(limitsOf(answer)).toEqual(['"failures";r=0;t=20', '"failures";q=3;w=60', '20']);
      }
    });
    expect(statements).toEqual([]);
    pass(gateway, 20_000);
    expect((await doors[door](gateway, wrong(1))).status).toBe(401);
    expect((await doors[door](gateway, wrong(1))).status).toBe(429);
  },
);

test('valid tokens continue to work from an address over its limit, until they fail', async () => {
  const gateway = await start({ RATE_LIMIT_FAILURES: '2' });
  expect((await list(gateway, gateway.member)).status).toBe(200);
  for (const n of [1, 2]) expect((await list(gateway, wrong(n))).status).toBe(401);
  expect((await list(gateway, wrong(3))).status).toBe(429);
  expect((await list(gateway, gateway.member)).status).toBe(200);
  expect((await list(gateway, gateway.admin)).status).toBe(429);
  await gateway.database.prisma.accessToken.updateMany({ data: { revokedAt: testTime } });
  expect((await list(gateway, gateway.member)).status).toBe(429);
  pass(gateway, 30_000);
  expect((await list(gateway, gateway.member)).status).toBe(401);
});

test('a wrong signature is a failure', async () => {
  const gateway = await start({ RATE_LIMIT_FAILURES: '2', SECRET_KEY: '5e'.repeat(32) });
  const { data } = await gateway.graphql(
    'mutation { createAccessToken(input: {name: "s", role: UPLOADER, signed: true}) { token } }',
  );
  const { token } = data.createAccessToken;
  const post = (path: string) => gateway.send('POST', path, { token, body: {} });
  expect((await post('/v1/bulkscan/receive')).status).toBe(401);
  expect((await post('/v1/vehicles')).status).toBe(403);
  expect((await post('/v1/bulkscan/receive')).status).toBe(429);
});

test('behind a proxy, each caller has an address', async () => {
  const gateway = await start({ RATE_LIMIT_FAILURES: '1', TRUST_PROXY: '1' });
  const from = (address: string) => list(gateway, wrong(1), { 'X-Forwarded-For': address });
  expect((await from('203.0.113.1')).status).toBe(401);
  expect((await from('203.0.113.1')).status).toBe(429);
  expect((await from('203.0.113.1, 203.0.113.2')).status).toBe(401);
  expect((await from('2001:db8::1')).status).toBe(401);
  expect((await from('2001:db8::2')).status).toBe(429);
});

test('limits can be turned off', async () => {
  const gateway = await start({ RATE_LIMIT: 'off', RATE_LIMIT_FAILURES: 'off' });
  expect(limitsOf(await list(gateway, gateway.admin))).toEqual([null, null, null]);
  for (let n = 0; n < 5; n++) expect((await list(gateway, wrong(n))).status).toBe(401);
});

/** Opens a WebSocket; how it was closed again, or the results of an operation. */
function overWebSocket(gateway: TestGateway, token: string) {
  const client = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: true,
    lazyCloseTimeout: 60_000,
  });
  return {
    client,
    ask: async () => (await client.iterate({ query: '{ me { name } }' }).next()).value,
  };
}

test('a WebSocket and each of its operations count', async () => {
  const gateway = await start({ RATE_LIMIT: '3' });
  const { client, ask } = overWebSocket(gateway, gateway.admin);
  try {
    for (let sent = 0; sent < 2; sent++) expect(await ask()).toMatchObject({ data: { me: {} } });
    const extensions = { code: 'TOO_MANY_REQUESTS', retryAfter: 20 };
    await expect(ask()).rejects.toMatchObject([{ message: refusal, extensions }]);
    expect((await list(gateway, gateway.admin)).status).toBe(429);
    // Another one is closed at once.
    await expect(overWebSocket(gateway, gateway.admin).ask()).rejects.toMatchObject({ code: 4429 });
    pass(gateway, 20_000);
    expect(await ask()).toMatchObject({ data: { me: {} } });
  } finally {
    await client.dispose();
  }
});

test('tokens that are tried over WebSockets are failures of their address', async () => {
  const gateway = await start({ RATE_LIMIT_FAILURES: '1' });
  await expect(overWebSocket(gateway, wrong(1)).ask()).rejects.toMatchObject({ code: 4401 });
  await expect(overWebSocket(gateway, wrong(2)).ask()).rejects.toMatchObject({ code: 4429 });
  expect((await list(gateway, wrong(3))).status).toBe(429);
});

test('a token may have 100 WebSockets', async () => {
  const gateway = await start({});
  const clients = Array.from({ length: 100 }, () => overWebSocket(gateway, gateway.admin));
  try {
    await Promise.all(clients.map(({ ask }) => ask()));
    await expect(overWebSocket(gateway, gateway.admin).ask()).rejects.toMatchObject({ code: 4429 });
    expect(await overWebSocket(gateway, gateway.member).ask()).toMatchObject({ data: { me: {} } });
    await clients.pop()?.client.dispose();
    const again = async () => (await overWebSocket(gateway, gateway.admin).ask()) as unknown;
    await expect.poll(again).toMatchObject({ data: { me: {} } });
  } finally {
    await Promise.all(clients.map(({ client }) => client.dispose()));
  }
});
