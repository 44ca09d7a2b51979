import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();

const get = (path: string, accept = '*/*') =>
  gateway.send('GET', path, { token: null, headers: { Accept: accept } });

/**
 * Returns what a browser would load of a page, or of what the page starts: every address in a tag, a style or
 * an import.
 */
function loads(html: string): string[] {
  const tags = html.match(/<(?:script|link|img|iframe|base|source|object|embed)\b[^>]*>/g) ?? [];
  const inTags = tags.flatMap((tag) => [...tag.matchAll(/\b(?:src|href|data)\s*=\s*["']?([^"'\s>]+)/g)]);
  const styles = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)]
    .map(([, css = '']) => css)
    .join('\n');
  const inStyles = styles.matchAll(/(?:url\(|@import)\s*["']?([^"')\s;]+)/g);
  return [...inTags, ...inStyles].map(([, address = '']) => address);
}

const ofAnotherHost = (address: string) => /^(?:[a-z]+:)?\/\//i.test(address);

describe.each([
  ['/', 'text/html'],
  ['/docs', 'text/html'],
  ['/assets/start.js', 'text/javascript'],
  ['/assets/swagger-ui.css', 'text/css'],
  ['/assets/swagger-ui-bundle.js', 'text/javascript'],
  ['/assets/graphiql.js', 'text/javascript'],
])('%s', (path, type) => {
  test(`is served to everyone, as ${type}`, async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(response.text.length).toBeGreaterThan(50);
    const head = await gateway.send('HEAD', path, { token: null });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe(response.headers.get('content-type'));
  });
});

describe.each([
  ['/', '*/*'],
  ['/docs', '*/*'],
  ['/graphql', 'text/html'],
])('the page at %s', (path, accept) => {
  test('loads nothing from another host', async () => {
    const response = await get(path, accept);
    expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
    expect(response.text).toMatch(/<\/html>/i);
    expect(loads(response.text).filter(ofAnotherHost)).toEqual([]);
  });

  test('loads and links only to existing addresses', async () => {
    const { text } = await get(path, accept);
    const links = [...text.matchAll(/<a\s[^>]*href="([^"]+)"/g)].map(([, address = '']) => address);
    const own = [...loads(text), ...links].filter((address) => /^\/(?!\/)/.test(address));
    for (const address of own.filter((to) => !to.startsWith('/v1/openapi.'))) {
      expect((await get(address, 'text/html')).status, address).toBe(200);
    }
  });
});

test("the reference is started with this gateway's contract and no outside validator", async () => {
  expect((await get('/docs')).text).toContain('data-document="/v1/openapi.json"');
  const { text } = await get('/assets/docs.js');
  expect(text).toContain('validatorUrl: null');
  expect(text).not.toMatch(/https?:|["']\/\//);
});

test.each([
  ['/favicon.ico', 'image/x-icon', /^00000100/],
  ['/favicon.svg', 'image/svg+xml', /^3c737667/],
])('%s is an icon', async (path, type, begin) => {
  const response = await fetch(gateway.url + path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toMatch(begin);
});

test('modules import files that are there', async () => {
  const text = (await get('/assets/docs.js')).text + (await get('/assets/tool.js')).text;
  const imports = [...text.matchAll(/from '\.\/([^']+)'/g)].map(([, name = '']) => name);
  expect(imports.length).toBeGreaterThan(1);
  for (const name of imports) expect((await get(`/assets/${name}`)).status, name).toBe(200);
});

/** As browsers send it when somebody opens an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

describe.each([
  ['/nothing', 404, 'There is nothing here'],
  ['/assets/nothing.js', 404, 'There is nothing here'],
  ['/graphql/nothing', 404, 'There is nothing here'],
  ['/attachments/1', 401, 'This needs an access token'],
])('%s, which is answered with %i,', (path, status, title) => {
  test('tells people by a page that leads home', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers, ...response } = await gateway.send(method, path, {
        token: null,
        headers: { Accept: browser },
      });
      expect(response.status).toBe(status);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('vary')).toMatch(/\bAccept\b/);
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
      expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
      if (method === 'HEAD') continue;
      expect(response.text).toContain(`<h1>${title}</h1>`);
      expect(response.text).toMatch(/<a [^>]*href="\/"/);
      expect(loads(response.text).filter(ofAnotherHost)).toEqual([]);
    }
  });

  test.each([
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'text/html;q=0',
    'text/*',
    'application/json, text/plain, */*',
  ])('tells a program that sends %s by the error body', async (accept) => {
    const { headers, json, ...response } = await gateway.send('GET', path, {
      token: null,
      headers: { Accept: accept },
    });
    expect([response.status, headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(json).toEqual({
      message: expect.stringMatching(/./),
      ok: false,
      code: expect.stringMatching(/^[A-Z_]+$/),
    });
    expect(headers.get('vary')).toMatch(/\bAccept\b/);
  });

  test('has no page for requests with a body', async () => {
    const { headers } = await gateway.send('POST', path, { token: null, headers: { Accept: browser } });
    expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  });
});

test.each(['/v1', '/v1/nothing', '/v1/vehicles', '/v1/companies/1', '/V1/nothing'])(
  '%s keeps the error body of the contract, whatever a browser accepts',
  async (path) => {
    const plain = await gateway.send('GET', path, { token: null });
    const opened = await gateway.send('GET', path, { token: null, headers: { Accept: browser } });
    expect(opened.status).toBeGreaterThanOrEqual(400);
    expect(opened.text).toBe(plain.text);
    expect(opened.headers.get('content-type')).toMatch(/^application\/json\b/);
  },
);

describe('GraphiQL', () => {
  test('is for browsers', async () => {
    for (const accept of ['text/html', browser]) {
      const { headers, text } = await get('/graphql', accept);
      expect(text).toMatch(/graphiql/i);
      expect(headers.get('vary')).toMatch(/\bAccept\b/);
    }
    expect((await get('/graphql', 'application/json')).headers.get('content-type')).not.toMatch(/html/);
    expect((await get('/')).text).toContain('href="/graphql"');
  });

  test('can be turned off', async () => {
    const bare = await startGateway({ GRAPHIQL: 'off' });
    try {
      const response = await bare.send('GET', '/graphql', { token: null, headers: { Accept: 'text/html' } });
      expect(response.text).not.toMatch(/graphiql/i);
      const { text } = await bare.send('GET', '/', { token: null });
      expect(text).toContain('href="/docs"');
      expect(text).not.toContain('href="/graphql"');
    } finally {
      await bare.close();
    }
  });
});

test.each(['/v1/openapi.json', '/openapi.json'])('%s is the contract, for everyone', async (path) => {
  const response = await get(path);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(response.json.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(response.json.paths)).toEqual(
    expect.arrayContaining(['/v1/vehicles', '/v1/vehicles/{id}']),
  );
});

test('/v1/openapi.yaml is the same contract, with a tag and for HEAD', async () => {
  const { status, text, headers } = await get('/v1/openapi.yaml');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8']);
  expect(parse(text)).toEqual((await get('/v1/openapi.json')).json);
  const head = await gateway.send('HEAD', '/v1/openapi.yaml', { token: null });
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')]);
  const known = { 'If-None-Match': headers.get('etag') ?? '' };
  const again = await gateway.send('GET', '/v1/openapi.yaml', { token: null, headers: known });
  expect([again.status, again.text]).toEqual([304, '']);
  const packed = await fetch(`${gateway.url}/v1/openapi.yaml`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
});
