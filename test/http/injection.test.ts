import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
  useGateway,
} from '../support/gateway.js';
import { Lines } from '../support/lines.js';

const canary = 'c4n4ry';
const script = `"'><script>${canary}</script>`;

describe('what is sent', () => {
  const gateway = useGateway();

  test.each([
    ['/', '*/*'],
    ['/docs', '*/*'],
    ['/assets/docs.js', '*/*'],
    ['/graphql', 'text/html'],
  ])('comes back in nothing of the page at %s', async (path, Accept) => {
    const plain = await gateway.send('GET', path, { token: null, headers: { Accept } });
    const query = ['query', 'variables', 'url', 'configUrl', 'title', script].map(
      (name) => `${encodeURIComponent(name)}=${encodeURIComponent(script)}`,
    );
    const headers = {
      Accept: `${Accept}, ${canary}/html`,
      Referer: `http://${canary}.example/${script}`,
      'User-Agent': script,
      'X-Forwarded-Host': `${canary}.example`,
      'X-Forwarded-Prefix': `/${script}`,
      Cookie: `a=${script}`,
    };
    const asked = await gateway.send('GET', `${path}?${query.join('&')}`, { token: null, headers });
    expect(asked.text).toBe(plain.text);
    expect(JSON.stringify([...asked.headers])).not.toContain(canary);
  });

  test.each([
    ['/nothing/%3Cscript%3Ec4n4ry', '*/*'],
    ['/v1/vehicles?page=%3Cscript%3Ec4n4ry', 'text/html'],
    ['/v1/companies/%3Cscript%3Ec4n4ry', 'text/html'],
  ])('is never answered as a page: %s', async (path, Accept) => {
    const response = await gateway.send('GET', path, { headers: { Accept } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    '/nothing/%3Cscript%3Ec4n4ry',
    '/assets/%3Cscript%3Ec4n4ry',
    '/graphql/%3Cscript%3Ec4n4ry',
    '/attachments/%3Cscript%3Ec4n4ry',
  ])('stands in no page that says why there is nothing: %s', async (path) => {
    const response = await gateway.send('GET', path, { headers: { Accept: 'text/html' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(response.text).not.toContain(canary);
  });

  test.each([
    'a\r\nX-Injected: 1',
    '../../other',
    '"quoted"',
    '00000000-0000-4000-8000-000000000001\r\nX-Injected: 1',
    ' 00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000001/..',
  ])('makes no header, where it is no id: %j', async (id) => {
    const refused = await gateway.send('POST', '/v1/vehicles', { body: { id } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('location')).toBeNull();
    expect(refused.headers.get('x-injected')).toBeNull();
  });

  test('shows the header `Location` in one form, with the id as stored', async () => {
    const id = 'ABCDEF00-0000-4000-8000-00000000ABCD';
    const made = await gateway.send('POST', '/v1/vehicles', { body: { id, name: 'a"\r\nX-Injected: 1' } });
    expect(made.headers.get('location')).toBe(`/v1/vehicles/${id.toLowerCase()}`);
    expect(made.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(made.json.name).toBe('a"\r\nX-Injected: 1');
  });

  const [long, wide] = ['x'.repeat(65_536), `x${'🚚'.repeat(30_000)}`];
  test.each([
    ['POST', '/v1/vehicles', { year: long }],
    ['POST', '/v1/vehicles', { year: wide }],
    ['POST', '/v1/vehicles', { is_archived: { [long]: wide } }],
    ['POST', '/v1/vehicles', { location_id: [long] }],
    ['PATCH', '/v1/vehicles/00000000-0000-4000-8000-000000000001', [{ op: long, path: long }]],
    ['PATCH', '/v1/vehicles/00000000-0000-4000-8000-000000000001', [{ op: 'add', path: wide, value: 1 }]],
    ['GET', '/v1/vehicles?sort=', undefined],
    ['GET', '/v1/companies/', undefined],
    ['POST', '/graphql', { query: `{ ${long.slice(9)} }` }],
    ['POST', '/graphql', { query: '{ me { id } }', operationName: wide }],
    ['POST', '/graphql', { query: 'query ($a: Int) { __typename }', variables: { a: wide } }],
    ['POST', '/graphql', { query: 'query ($a: ID!) { company(id: $a) { id } }', variables: { a: wide } }],
  ])('is not repeated at length: %s %s', async (method, path, body) => {
    const { json } = await gateway.send(method, body ? path : path + 'x'.repeat(8_000), { body });
    const message: string = json.message ?? json.errors?.[0].message ?? '';
    expect(message.length).toBeLessThanOrEqual(500);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe('the log', () => {
  const lines = new Lines();
  let testDatabase: TestDatabase;
  let tenant: Tenant;
  let app: App;
  let port: number;
  beforeAll(async () => {
    testDatabase = await createDatabase();
    tenant = await createTenant(testDatabase.database);
    const config = readConfig({ DATABASE_URL: testDatabase.url });
    const log = pino({ level: 'trace' }, lines);
    app = createApp({ database: testDatabase.database, config, log, clock: () => testTime });
    port = Number(new URL((await app.listen('127.0.0.1', 0)).url).port);
  });
  afterAll(async () => {
    await app.close();
    await testDatabase.drop();
  });
  beforeEach(() => {
    lines.text = '';
  });

  /** Sends bytes as they are, each character one of them, and gives the answer's first line. */
  async function sendBytes(head: string): Promise<string | undefined> {
    const socket = connect(port, '127.0.0.1').end(
      Buffer.from(`${head}\r\nHost: gateway\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    let answer = '';
    for await (const chunk of socket.setEncoding('latin1')) answer += chunk;
    return answer.split('\r\n')[0];
  }

  const forged = '{"level":30,"msg":"forged"}';
  test.each([
    ['an escape of terminals in the path', 'GET /v1/%1b%5b31m HTTP/1.1'],
    ['a line in the path', `GET /v1/%0d%0a${encodeURIComponent(forged)} HTTP/1.1`],
    ['quotes in the path', `GET /v1/"${forged.replaceAll(' ', '')} HTTP/1.1`],
    [
      'escapes in headers',
      `GET /v1/vehicles HTTP/1.1\r\nUser-Agent: \u009b31m${forged}\r\nX-Request-Id: ${forged}`,
    ],
    ['escapes in a token', `GET /v1/vehicles HTTP/1.1\r\nAuthorization: Bearer \u009b${forged}`],
  ])('has one line of printable ASCII for %s', async (_what, head) => {
    await sendBytes(head);
    const all = await lines.count(1);
    expect(all).toHaveLength(1);
    expect(all[0]).not.toHaveProperty('msg', 'forged');
    expect(lines.text).toMatch(/^[ -~]*\n$/);
  });

  test.each([
    ['an escape', 'GET /v1/\u001b[31m HTTP/1.1'],
    ['an escape of a single byte', 'GET /v1/\u009b31m HTTP/1.1'],
    ['bytes that are no UTF-8', 'GET /v1/\u0085\u00ff HTTP/1.1'],
    ['such bytes in an absolute target', 'GET http://gateway/v1/\u009b HTTP/1.1'],
  ])('never contains %s unescaped: that is not HTTP', async (_what, head) => {
    expect(await sendBytes(head)).toMatch(/^HTTP\/1\.1 400 /);
    expect(lines.text).toMatch(/^(?:[ -~]*\n)*$/);
  });

  test('never contains the names of records', async () => {
    const name = '\u001b[31mred\u009b2J\r\n{"level":60}';
    const response = await fetch(`http://127.0.0.1:${port}/v1/vehicles`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.admin}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    expect(response.status).toBe(201);
    await response.text();
    expect(await lines.count(1)).toHaveLength(1);
    expect(lines.text).toMatch(/^[ -~]*\n$/);
    expect(lines.text).not.toContain('red');
  });
});
