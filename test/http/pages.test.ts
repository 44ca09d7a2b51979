import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const get = (path: string, accept = '*/*') =>
  gateway.send('GET', path, { token: null, headers: { Accept: accept } });

/** What a browser would load of a page, or of what the page starts: every address in a tag, a style or an import. */
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
  ['/docs/start.js', 'text/javascript'],
  ['/docs/swagger-ui.css', 'text/css'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript'],
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

  test('loads and links to what is there', async () => {
    const { text } = await get(path, accept);
    const links = [...text.matchAll(/<a\s[^>]*href="([^"]+)"/g)].map(([, address = '']) => address);
    const own = [...loads(text), ...links].filter((address) => /^\/(?!\/)/.test(address));
    for (const address of own.filter((to) => to !== '/v1/openapi.json')) {
      expect((await get(address, 'text/html')).status, address).toBe(200);
    }
  });
});

test('the home page leads to both doors and their references', async () => {
  const { text } = await get('/');
  for (const path of ['/graphql', '/docs', '/v1/openapi.json', '/health/ready'])
    expect(text).toContain(`href="${path}"`);
});

test("the reference is started with this gateway's contract and no outside validator", async () => {
  const { text } = await get('/docs/start.js');
  expect(text).toContain("url: '/v1/openapi.json'");
  expect(text).toContain('validatorUrl: null');
  expect(text).not.toMatch(/https?:|["']\/\//);
});

describe('GraphiQL', () => {
  test('is for browsers', async () => {
    expect((await get('/graphql', 'text/html')).text).toMatch(/graphiql/i);
    expect((await get('/graphql', 'application/json')).headers.get('content-type')).not.toMatch(/html/);
  });

  test('can be turned off', async () => {
    const bare = await startGateway({ GRAPHIQL: 'off' });
    try {
      const response = await bare.send('GET', '/graphql', { token: null, headers: { Accept: 'text/html' } });
      expect(response.text).not.toMatch(/graphiql/i);
    } finally {
      await bare.close();
    }
  });
});

const contract = new URL('../../schema/v1.openapi.json', import.meta.url);
test.skipIf(!existsSync(contract))('/v1/openapi.json is the contract, for everyone', async () => {
  const response = await get('/v1/openapi.json');
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(response.json.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(response.json.paths)).toEqual(
    expect.arrayContaining(['/v1/vehicles', '/v1/vehicles/{id}']),
  );
});
