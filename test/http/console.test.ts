import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleScreens } from '../../src/domain/doors/paths.js';
import { version } from '../../src/version.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { built, builtScreens, makeConsole } from './console.support.js';

let files: Awaited<ReturnType<typeof makeConsole>>;
let gateway: TestGateway;
let without: TestGateway;
let issued: TestGateway;
let strict: TestGateway;
const oidc = {
  OIDC_ISSUER: 'https://id.example.com/realms/fleet',
  OIDC_AUDIENCE: 'gateway',
  OIDC_CONSOLE_CLIENT_ID: 'console',
};
beforeAll(async () => {
  files = await makeConsole();
  const start = (env: Record<string, string>) =>
    startGateway({ CONSOLE: 'on', ...env }, undefined, { consoleFolder: files.consoleFolder });
  const operations = new URL('../../schema/operations', import.meta.url).pathname;
  [gateway, without, issued, strict] = await Promise.all([
    start({}),
    start({ CONSOLE: 'off' }),
    start(oidc),
    start({ PERSISTED_OPERATIONS: operations, PERSISTED_OPERATIONS_ONLY: 'on' }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway, without, issued, strict].map((one) => one?.close()));
  await files.remove();
});

/** As browsers send it when somebody opens an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const send = (path: string, accept = browser, method = 'GET', to = gateway) =>
  to.send(method, path, { token: null, headers: { Accept: accept } });

const screens = [
  '/',
  '/items',
  '/items/new',
  '/items/6b0f5c1e-0000-4000-8000-000000000000',
  '/calendar',
  '/compliance',
  '/inbox',
  '/contacts',
  '/companies',
  '/locations',
  '/vehicles',
  '/types',
  '/reminders',
  '/deliveries',
  '/settings',
  '/settings/people',
  '/callback',
];

describe.each([
  ...screens,
  '/items/',
  '/Items/X',
  '/items?status=EXPIRED',
  '/items/a%2Fb%00',
  '/callback?code=x',
])('%s', (path) => {
  test('is the console for browsers', async () => {
    const { status, text, headers } = await send(path);
    expect([status, text]).toEqual([200, built['index.html']]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
    const head = await send(path, browser, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')]);
    const again = await gateway.send('GET', path, {
      token: null,
      headers: { Accept: browser, 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
  });
});

test('each screen has its address in the table of paths', () => {
  const known = ['/', ...consoleScreens].map((path) => path.replace('{id}', ''));
  for (const path of screens) expect(known).toContain(path.replace(/^(\/\w+\/).*/, '$1'));
});

test('each screen of the console has its address at the gateway', () => {
  expect(builtScreens().filter((path) => !['/', ...consoleScreens].includes(path))).toEqual([]);
});

test('password managers find the page that changes a password, where there is one', async () => {
  const ask = ({ url }: TestGateway) => fetch(`${url}/.well-known/change-password`, { redirect: 'manual' });
  const answer = await ask(gateway);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/settings/sign-in']);
  expect((await ask(without)).status).toBe(404);
});

test.each(['*/*', 'application/json', 'application/json, text/html', 'text/*'])(
  'a program that accepts %s finds what it found without a console',
  async (accept) => {
    for (const path of screens) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']) {
        const [one, other] = [await send(path, accept, method), await send(path, accept, method, without)];
        const seen = ({ status, text, headers }: typeof one) => [
          status,
          text,
          ...['content-type', 'cache-control', 'etag', 'allow', 'content-security-policy'].map((name) =>
            headers.get(name),
          ),
        ];
        expect(seen(one), `${method} ${path}`).toEqual(seen(other));
      }
    }
  },
);

test('browsers find nothing when they send to a screen, or open a path below it', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await send('/items', browser, method)).status).toBe(404);
  for (const path of [
    '/items/a/b',
    '/calendar/x',
    '/callback/x',
    '/console',
    '/console/',
    '/item',
    '/items//',
  ])
    expect((await send(path)).status, path).toBe(404);
});

describe('a file of the console', () => {
  const [path, script] = ['/console/assets/index-Ab12_-9z.js', built['assets/index-Ab12_-9z.js']];

  test('is kept for good, under a name of its own', async () => {
    for (const accept of ['*/*', browser]) {
      const { status, text, headers } = await send(path, accept);
      expect([status, text]).toEqual([200, script]);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = headers.get('etag') ?? '';
      const again = await gateway.send('GET', path, { token: null, headers: { 'If-None-Match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await send(path, accept, 'HEAD')).text).toBe('');
    }
    expect((await send('/console/assets/style-00000000.css')).headers.get('content-type')).toMatch(
      /^text\/css/,
    );
  });

  test('is sent as compressed by the build', async () => {
    const compressed = await new Promise<{ coding: unknown; body: Buffer }>((resolve, reject) => {
      const options = { headers: { 'Accept-Encoding': 'gzip, br' } };
      request(gateway.url + path, options, (response) =>
        buffer(response).then(
          (body) => resolve({ coding: response.headers['content-encoding'], body }),
          reject,
        ),
      ).end();
    });
    expect(compressed.coding).toBe('br');
    expect(compressed.body).toEqual(built['assets/index-Ab12_-9z.js.br']);
    expect(brotliDecompressSync(compressed.body).toString()).toBe(script);
  });

  test.each([
    'index-Ab12_-9z.js.br',
    'index-Ab12_-9z.js.map',
    'INDEX-Ab12_-9z.js',
    'nothing.js',
    'toString',
    '..%2foperations.json',
    '..%2f..%2fpackage.json',
    '%2e%2e%2findex.html',
    '..%5cindex.html',
    'a%00.js',
    '%zz',
    '',
  ])('is not found as %j', async (name) => {
    for (const accept of ['*/*', browser]) {
      const { status, text, headers } = await send(`/console/assets/${name}`, accept);
      expect(status).toBe(404);
      expect(text).not.toContain('ConsoleMe');
      expect(headers.get('cache-control')).not.toMatch(/immutable/);
    }
  });

  test.each(['operations.json', 'stamp.json', 'index.html', 'assets'])('%s is not one', async (name) => {
    expect((await send(`/console/${name}`)).status).toBe(404);
  });
});

test('all of the console has one policy, which lets in no script or style of a page', async () => {
  const addresses = [
    ...screens,
    '/console/assets/style-00000000.css',
    '/console/config.json',
    '/console/worker.js',
  ];
  const policies = async (to: TestGateway) => {
    const answers = await Promise.all(addresses.map((path) => send(path, browser, 'GET', to)));
    return new Set(answers.map(({ headers }) => headers.get('content-security-policy') ?? ''));
  };
  const [policy = '', ...others] = await policies(gateway);
  expect(others).toEqual([]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ");
  expect(policy).toContain("connect-src 'self'; ");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const withIssuer = [...(await policies(issued))];
  expect(withIssuer).toEqual([
    policy.replace("connect-src 'self'", "connect-src 'self' https://id.example.com"),
  ]);
  const { headers } = await send('/items');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test('the service worker may answer for all screens, and knows the files of this version', async () => {
  const { status, text, headers } = await send('/console/worker.js', '*/*');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('service-worker-allowed')).toBe('/');
  const [, settings = ''] = /^self\.settings = (.+);\n/.exec(text) ?? [];
  expect(JSON.parse(settings)).toEqual({
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    screens: ['/', ...consoleScreens],
    files: ['/console/assets/index-Ab12_-9z.js', '/console/assets/style-00000000.css'],
  });
  expect((await send('/console/worker.js', '*/*', 'GET', without)).status).toBe(404);
});

test('the page gets its settings before somebody has signed in', async () => {
  const { status, json, headers } = await send('/console/config.json', '*/*');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const languages = ['de', 'en', 'es', 'fr', 'it', 'nl'];
  expect(json).toEqual({ version, languages, editor: true, oidc: null });
  const told = (await send('/console/config.json', '*/*', 'GET', issued)).json;
  const client = { issuer: oidc.OIDC_ISSUER, clientId: 'console', scope: 'openid profile email' };
  expect(told).toEqual({ version, languages, editor: true, oidc: client });
  expect((await send('/console/config.json', '*/*', 'GET', strict)).json.editor).toBe(false);
});
