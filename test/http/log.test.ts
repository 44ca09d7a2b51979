import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { signedHeaders } from '../support/signatures.js';

const secretKey = '5e'.repeat(32);
let testDatabase: TestDatabase;
let tenant: Tenant;
let app: App;
let url: string;
const lines = new Lines();
beforeAll(async () => {
  testDatabase = await createDatabase();
  tenant = await createTenant(testDatabase.database);
  const config = readConfig({ DATABASE_URL: testDatabase.url, SECRET_KEY: secretKey });
  const log = pino({ level: 'trace' }, lines);
  app = createApp({ database: testDatabase.database, config, log, clock: () => testTime });
  ({ url } = await app.listen('127.0.0.1', 0));
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});
beforeEach(() => {
  lines.text = '';
});

const send = (method: string, path: string, init: RequestInit = {}) =>
  fetch(url + path, { method, headers: { Authorization: `Bearer ${tenant.admin}` }, ...init });

test.each([
  ['GET', '/v1/vehicles', '?term=secret-term', 200],
  ['GET', '/v1/vehicles', '?page=secret-page', 400],
  ['DELETE', '/v1/vehicles', '?a=secret', 405],
  ['GET', '/graphql', '?query={me{id}}&a=secret', 200],
  ['GET', '/attachments/x', '?link=secret', 401],
  ['GET', '/health/ready', '?a=secret', 200],
  ['GET', '/', '', 200],
] as const)('%s %s%s is one line: %i', async (method, path, query, status) => {
  const response = await send(method, path + query);
  await response.text();
  expect(response.status).toBe(status);
  const all = await lines.count(1);
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({
    level: 30,
    id: response.headers.get('x-request-id'),
    method,
    path,
    status,
    ms: expect.any(Number),
  });
});

test.each([
  ['/calendar//secret-feed.ics', '/calendar//*'],
  ['/calendar/secret-feed.ics/x', '/calendar/*/*'],
  ['/calendar/secret-feed.ics', '/calendar/{id}'],
  ['/v1/calendar/secret-feed.ics', '/v1/calendar/*'],
  ['/invitations/secret-link/x', '/invitations/*/*'],
  ['//r/secret-link', '//r/*'],
  ['/secret-link', '/*'],
  [
    '/v1/Vehicles/0190cafe-0000-7000-8000-000000000000/secret',
    '/v1/Vehicles/0190cafe-0000-7000-8000-000000000000/*',
  ],
  [`/secret${'/secret'.repeat(1_000)}`, '/*/*/*/*/*/*/*'],
])('%s is logged as %s', async (path, shown) => {
  await (await send('GET', path)).text();
  expect(await lines.count(1)).toEqual([expect.objectContaining({ path: shown })]);
  expect(lines.text).not.toContain('secret');
});

test('the line of a request with a valid token names the token by its id', async () => {
  await (await send('GET', '/v1/vehicles')).text();
  const [line] = await lines.count(1);
  const { id } = await testDatabase.database.prisma.accessToken.findFirstOrThrow({
    where: { role: 'ADMIN' },
  });
  expect(line?.tokenId).toBe(id);
});

test('tokens, queries and bodies are never logged, whatever becomes of the request', async () => {
  const secrets = [tenant.admin, 'secret-token', 'secret-query', 'secret-body', 'secret-variable'];
  const body = (text: unknown) => ({
    body: JSON.stringify(text),
    headers: { Authorization: `Bearer ${tenant.admin}`, 'Content-Type': 'application/json' },
  });
  const requests = [
    send('GET', `/v1/vehicles?term=secret-query&access_token=${tenant.admin}`),
    send('GET', '/v1/vehicles', { headers: { Authorization: 'Bearer secret-token' } }),
    send('GET', '/v1/vehicles', { headers: { Authorization: 'secret-token' } }),
    send('POST', '/v1/vehicles?a=secret-query', body({ name: 'secret-body' })),
    send('POST', '/v1/vehicles', body({ name: ['secret-body'] })),
    send('POST', '/graphql', body({ query: '{ vehicles(filter: {term: "secret-body"}) { totalCount } }' })),
    send('POST', '/graphql', body({ query: '{ me { name } } secret-body' })),
    send(
      'POST',
      '/graphql',
      body({ query: 'query ($a: Int) { me { id } }', variables: { a: 'secret-variable' } }),
    ),
    send('GET', `/graphql?query={me{id}}&token=secret-query`),
  ];
  for (const response of await Promise.all(requests)) await response.text();
  expect(await lines.count(requests.length)).toHaveLength(requests.length);
  for (const secret of secrets) expect(lines.text).not.toContain(secret);
});

/** Creates a signed token through the door. */
async function createSigned() {
  const query = `mutation { createAccessToken(input: {name: "x", role: UPLOADER, signed: true}) {
    token signingSecret accessToken { id } } }`;
  const headers = { Authorization: `Bearer ${tenant.admin}`, 'Content-Type': 'application/json' };
  const response = await send('POST', '/graphql', { body: JSON.stringify({ query }), headers });
  const { data } = (await response.json()) as {
    data: {
      createAccessToken: { token: string; signingSecret: string; accessToken: { id: string } };
    };
  };
  return data.createAccessToken;
}

/** Sends a notification that is signed, or claims to be. */
async function receive(token: string, secret: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, ...signedHeaders(secret, testTime, '{}') };
  const response = await send('POST', '/v1/bulkscan/receive', { body: Buffer.from('{}'), headers });
  await response.clone().text();
  return response;
}

test('the secrets of signed tokens are never logged, nor are signatures', async () => {
  const { token, signingSecret } = await createSigned();
  expect((await receive(token, signingSecret)).status).toBe(204);
  expect((await receive(token, 'another-secret')).status).toBe(401);
  await lines.count(3);
  const signatures = [signingSecret, 'another-secret'].map((secret) => signedHeaders(secret, testTime, '{}'));
  const secrets = [token, signingSecret, secretKey, ...signatures.map((headers) => headers['FS-Signature'])];
  for (const secret of secrets) expect(lines.text).not.toContain(secret);
});

test('a signing secret that cannot be read is answered 503, and the log says which and why', async () => {
  const [mine, other] = [await createSigned(), await createSigned()];
  const { prisma } = testDatabase.database;
  const where = { id: other.accessToken.id };
  const { signingSecret } = await prisma.accessToken.findUniqueOrThrow({ where });
  await prisma.accessToken.update({ where: { id: mine.accessToken.id }, data: { signingSecret } });
  await lines.count(2);
  lines.text = '';
  for (const secret of [mine.signingSecret, other.signingSecret]) {
    const response = await receive(mine.token, secret);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      message: 'Signing secrets cannot be read or stored now.',
      ok: false,
      code: 'UNAVAILABLE',
    });
  }
  const [line] = await lines.count(4);
  expect(line).toMatchObject({ level: 50, err: { message: expect.stringContaining(mine.accessToken.id) } });
  expect(lines.text).toContain('SECRET_KEY is not the one that it was encrypted with');
  for (const secret of [mine.signingSecret, other.signingSecret, secretKey])
    expect(lines.text).not.toContain(secret);
});

test('an internal error has a log line of its own with the same id; its text stays in the log', async () => {
  await testDatabase.database.prisma.$executeRaw`ALTER TABLE vehicles RENAME COLUMN color TO colour`;
  try {
    const response = await send('GET', '/v1/vehicles?term=secret-query');
    expect(await response.json()).toStrictEqual({
      message: expect.not.stringMatching(/color|column|prisma|select/i),
      ok: false,
      code: 'INTERNAL_ERROR',
    });
    expect(response.status).toBe(500);
    const all = await lines.count(2);
    const id = response.headers.get('x-request-id');
    expect(all.map((line) => [line.level, line.id])).toEqual([
      [50, id],
      [30, id],
    ]);
    expect(JSON.stringify(all[0]?.err)).toMatch(/color/);
    for (const secret of [tenant.admin, 'secret-query']) expect(lines.text).not.toContain(secret);
  } finally {
    await testDatabase.database.prisma.$executeRaw`ALTER TABLE vehicles RENAME COLUMN colour TO color`;
  }
});

test('an aborted request is logged as such', async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = `POST /v1/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.admin}`;
  socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{"na`);
  socket.end();
  socket.destroy();
  // It is no fault of ours, so it is one line, and no error.
  expect(await lines.count(1)).toEqual([
    expect.objectContaining({ level: 30, method: 'POST', path: '/v1/vehicles', aborted: true }),
  ]);
});
