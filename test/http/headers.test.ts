import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { errorKinds } from '../../src/domain/errors.js';
import { startGateway, type TestRequest, useGateway } from '../support/gateway.js';

const origin = 'https://app.example';
const gateway = useGateway({ CORS_ORIGINS: origin });

const id = '0190b1c4-0000-7000-8000-000000000000';
const query = (text: string): TestRequest => ({ body: { query: text } });
const none: TestRequest = { token: null };

/** Errors, of every door, stage and kind that a request alone can cause. */
const errors: readonly [string, string, number, TestRequest?][] = [
  ['GET', '/v1/vehicles?page=0', 400],
  ['POST', '/v1/vehicles', 400, { raw: '{"name": ', headers: { 'Content-Type': 'application/json' } }],
  ['POST', '/v1/vehicles', 400, { body: { name: 'x'.repeat(256) } }],
  ['POST', '/v1/vehicles', 400, { body: { name: "'; DROP TABLE vehicles; --\0" } }],
  ['POST', '/v1/vehicles', 400, { body: { location_id: id } }],
  [
    'POST',
    '/v1/vehicles',
    400,
    { raw: `{"name": ${'['.repeat(101)}`, headers: { 'Content-Type': 'application/json' } },
  ],
  [
    'POST',
    '/v1/bulkscan/receive',
    400,
    {
      raw: `{"id": 90071992547409930, "text": ${'['.repeat(101)}`,
      headers: { 'Content-Type': 'application/json' },
    },
  ],
  ['GET', '/v1/vehicles', 401, none],
  ['GET', '/v1/vehicles', 401, { token: 'wrong' }],
  ['GET', `/v1/companies/${id}`, 404],
  ['GET', '/v1/companies/%', 404],
  ['GET', '/v1/nothing', 404],
  ['GET', '/nothing', 404],
  ['GET', `/attachments/${id}`, 404],
  ['DELETE', '/v1/vehicles', 405],
  ['TRACE', '/v1/vehicles', 405],
  ['PUT', '/graphql', 405],
  ['DELETE', `/attachments/${id}`, 405],
  ['POST', '/v1/vehicles', 413, { raw: 'x'.repeat(1024 * 1024 + 1) }],
  ['POST', '/v1/vehicles', 415, { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['POST', '/graphql', 415, { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
  [
    'POST',
    '/graphql',
    400,
    { raw: `{"query": ${'['.repeat(101)}`, headers: { 'Content-Type': 'application/json' } },
  ],
  ['POST', '/graphql', 400, { body: [] }],
  ['GET', '/graphql?query={me{name}}', 401, none],
  ['GET', '/graphql?query=mutation{deleteVehicle(id:"1"){id}}', 405],
  ['POST', '/graphql', 406, { ...query('{ me { name } }'), headers: { Accept: 'image/png' } }],
  ['POST', '/graphql', 200, query('{')],
  ['POST', '/graphql', 200, query('{ nothing }')],
  ['POST', '/graphql', 200, query('mutation { createVehicle(input: {locationId: "x"}) { id } }')],
];

test.each(errors)('%s %s %i says nothing of how it came about, and is not kept', async (...row) => {
  const [method, path, status, asked] = row;
  const answer = await (method === 'TRACE' ? trace(path) : gateway.send(method, path, asked));
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-type')).toMatch(
    /^application\/(graphql-response\+)?json; charset=utf-8$/,
  );
  for (const name of ['server', 'x-powered-by']) expect(answer.headers.has(name)).toBe(false);
  const { code } = answer.json.errors?.[0].extensions ?? answer.json;
  expect(Object.keys(errorKinds)).toContain(code);
  expect(answer.text).not.toMatch(/\bat \S+ \(|\.[jt]s\b|node_modules|node:|stack/);
  expect(answer.text).not.toMatch(/\b(SELECT|INSERT|UPDATE|FROM|WHERE)\b|prisma|postgres|constraint|\bsql/);
  expect(answer.text).not.toMatch(/127\.0\.0\.1|localhost|\/tmp|\/home/);
});

/** fetch does not send it. */
async function trace(path: string) {
  const headers = { Authorization: `Bearer ${gateway.admin}`, 'X-Secret': 'secret' };
  const [response] = await once(request(gateway.url + path, { method: 'TRACE', headers }).end(), 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  expect(text).not.toContain('secret');
  return {
    status: response.statusCode,
    headers: new Headers(response.headers),
    text,
    json: JSON.parse(text),
  };
}

describe('answers that are no errors', () => {
  test.each([
    ['POST', '/v1/vehicles'],
    ['POST', '/graphql'],
    ['GET', '/health/live'],
    ['OPTIONS', '/v1/vehicles'],
  ])('%s %s is for who asked, and for now', async (method, path) => {
    const body = path === '/graphql' ? { query: '{ me { name } }' } : { name: 'Van' };
    const { headers, status } = await gateway.send(method, path, method === 'POST' ? { body } : {});
    expect(status).toBeLessThan(300);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['a record', (id: string) => `/v1/companies/${id}`],
    ['a list', () => '/v1/vehicles'],
  ])('%s with an ETag may be cached, and must be revalidated', async (_what, of) => {
    const made = await gateway.send('POST', '/v1/companies', { body: { name: 'Acme' } });
    expect(made.headers.get('cache-control')).toBe('no-store');
    const path = of(made.json.id);
    const read = await gateway.send('GET', path, { headers: { Origin: origin } });
    const again = await gateway.send('GET', path, {
      headers: { 'If-None-Match': read.headers.get('etag') ?? '' },
    });
    expect([read.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [read, again]) {
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toMatch(/^Authorization, Origin\b/);
      expect(headers.get('etag')).toBe(read.headers.get('etag'));
    }
  });
});

describe.each([
  ['/', '*/*'],
  ['/docs', '*/*'],
  ['/assets/docs.js', '*/*'],
  ['/graphql', 'text/html'],
])('the page %s', (path, accept) => {
  test('runs nothing but what this server sends, in no frame', async () => {
    const { headers, text } = await gateway.send('GET', path, { token: null, headers: { Accept: accept } });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-cache');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    // No script stands in a page.
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=/);
  });
});

describe('over https', () => {
  const addresses = [
    ...[
      '/',
      '/docs',
      '/assets/docs.js',
      '/graphql',
      '/items',
      '/setup',
      '/v1/vehicles',
      '/v1/nothing',
      '/nothing',
    ],
    ...[
      '/v1/openapi.json',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/session/options',
      '/session/nothing',
    ],
    ...['/calendar/x.ics', '/invitations/x', '/r/x', `/attachments/${id}`, '/mcp', '/console/config.json'],
  ];

  /** Sends a request to a host, which fetch does not allow. */
  async function strictness(url: string, path: string, headers: Record<string, string>) {
    const [response] = await once(request(url + path, { headers }).end(), 'response');
    response.resume();
    return response.headers['strict-transport-security'];
  }

  /** Sends bytes as they are; returns the answer. */
  async function sendRaw(url: string, sent: string): Promise<string> {
    const { hostname, port } = new URL(url);
    return text(connect(Number(port), hostname).end(sent));
  }

  test('browsers are told at every address to use nothing else, by what a trusted proxy says', async () => {
    const proxied = await startGateway({ TRUST_PROXY: '1', HSTS_DAYS: '730', MCP: 'on' });
    const host = { Host: 'gateway.example.com' };
    const https = { ...host, 'X-Forwarded-Proto': 'https' };
    for (const path of addresses)
      expect([path, await strictness(proxied.url, path, https)]).toEqual([path, 'max-age=63072000']);
    expect(await strictness(proxied.url, '/', host)).toBeUndefined();
    expect(await strictness(proxied.url, '/', { ...https, Host: 'localhost:4000' })).toBeUndefined();
    expect(await strictness(gateway.url, '/', https)).toBeUndefined();
    await proxied.close();
  });

  test('they are told so for the host of PUBLIC_URL, unless it is turned off', async () => {
    const env = { PUBLIC_URL: 'https://gateway.example.com' };
    const [named, silent] = [await startGateway(env), await startGateway({ ...env, HSTS_DAYS: 'off' })];
    const host = { Host: 'gateway.example.com' };
    expect(await strictness(named.url, '/', host)).toBe('max-age=31536000');
    expect(await strictness(named.url, '/', { Host: 'other.example.com' })).toBeUndefined();
    expect(await strictness(silent.url, '/', host)).toBeUndefined();
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    for (const [sent, status] of [
      ['hello\r\n\r\n', 400],
      ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
      ['GET / HTTP/1.1\r\nHost: gateway.example.com\r\nExpect: a\r\n\r\n', 417],
      ['CONNECT a:1 HTTP/1.1\r\nHost: gateway.example.com\r\n\r\n', 405],
      ['POST / HTTP/1.1\r\nHost: gateway.example.com\r\nTransfer-Encoding: chunked\r\n\r\nx', 400],
      [`GET /graphql HTTP/1.1\r\nHost: gateway.example.com\r\n${upgrade}\r\n\r\n`, 400],
    ] as const) {
      const [told, untold] = await Promise.all([named, silent].map(({ url }) => sendRaw(url, sent)));
      expect([sent, told]).toEqual([
        sent,
        expect.stringContaining('\r\nStrict-Transport-Security: max-age='),
      ]);
      expect(told).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(untold).not.toContain('Strict-Transport-Security');
    }
    await Promise.all([named.close(), silent.close()]);
  });
});
