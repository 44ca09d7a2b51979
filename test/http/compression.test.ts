import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { create } from '../rest/support.js';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();
beforeAll(async () => {
  for (let n = 0; n < 20; n++) await create(gateway, { name: `Van ${n}`, make: 'Made by somebody' });
});

/** Asks with node's own client, which unpacks nothing. */
function get(path: string, headers: Record<string, string> = {}, from = gateway, method = 'GET') {
  const all = { Authorization: `Bearer ${from.admin}`, ...headers };
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      request(from.url + path, { method, headers: all, agent: false }, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
      })
        .once('error', reject)
        .end();
    },
  );
}

const path = '/v1/vehicles?paging=500';

describe('an answer of 1 KiB or more', () => {
  test.each(['gzip', 'deflate, gzip;q=0.5', '*', 'gzip, deflate, br'])(
    'is compressed for %s',
    async (coding) => {
      const [plain, packed] = [await get(path), await get(path, { 'Accept-Encoding': coding })];
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-length': String(packed.body.length),
      });
      expect(packed.headers.vary).toMatch(/Accept-Encoding/);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      expect(packed.body.length).toBeLessThan(plain.body.length / 4);
    },
  );

  test.each(['', 'identity', 'gzip;q=0', 'br', 'deflate'])(
    'is not for "%s", and says that it varies',
    async (coding) => {
      const { headers, body } = await get(path, coding === '' ? {} : { 'Accept-Encoding': coding });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toMatch(/Accept-Encoding/);
      expect(JSON.parse(String(body)).total).toBe(20);
    },
  );

  test('is compressed at the GraphQL door', async () => {
    const query = encodeURIComponent(
      '{ vehicles(first: 20) { nodes { id name make vin created modified } } }',
    );
    const { headers, body } = await get(`/graphql?query=${query}`, { 'Accept-Encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(String(gunzipSync(body))).data.vehicles.nodes).toHaveLength(20);
  });

  test('has the same head for HEAD', async () => {
    const accept = { 'Accept-Encoding': 'gzip' };
    const [full, head] = [await get(path, accept), await get(path, accept, gateway, 'HEAD')];
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
  });
});

test('a small answer is sent as it is', async () => {
  const { headers } = await get('/health/live', { 'Accept-Encoding': 'gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('the entity tag is that of the record, in every coding', async () => {
  const company = await gateway.send('POST', '/v1/companies', {
    body: {
      name: 'Long',
      website: 'w'.repeat(250),
      address_line_1: 'a'.repeat(250),
      address_line_2: 'b'.repeat(250),
    },
  });
  const one = `/v1/companies/${company.json.id}`;
  const [plain, packed] = [await get(one), await get(one, { 'Accept-Encoding': 'gzip' })];
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers.etag).toBe(plain.headers.etag);
  const again = await get(one, { 'Accept-Encoding': 'gzip', 'If-None-Match': String(packed.headers.etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('it can be left to a proxy', async () => {
  const plain = await startGateway({ COMPRESSION: 'off' });
  try {
    for (let n = 0; n < 5; n++) await create(plain, { name: `Van ${n}` });
    const { headers } = await get(path, { 'Accept-Encoding': 'gzip' }, plain);
    expect(headers['content-encoding']).toBeUndefined();
  } finally {
    await plain.close();
  }
});

describe("pages' files", () => {
  const linked = async () => {
    const { body } = await get('/docs');
    return [...String(body).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
  };

  test('are named by their content, cached for good, and compressed', async () => {
    const files = await linked();
    expect(files).toHaveLength(7);
    for (const file of files) {
      expect(file).toMatch(/\.[0-9a-f]{16}\.(js|css)$/);
      const { status, headers, body } = await get(file, { 'Accept-Encoding': 'gzip, br' });
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      if (headers['content-encoding'] === undefined) expect(body.length).toBeLessThan(1024);
      else expect(brotliDecompressSync(body).length).toBeGreaterThan(body.length);
    }
  });

  test('of another content are 404, by their own names they are asked for anew', async () => {
    const [file = ''] = await linked();
    expect((await get(file.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).status).toBe(404);
    const plain = await get(file.replace(/\.[0-9a-f]{16}/, ''));
    expect([plain.status, plain.headers['cache-control']]).toEqual([200, 'no-cache']);
    const same = await get(file.replace(/\.[0-9a-f]{16}/, ''), {
      'If-None-Match': String(plain.headers.etag),
    });
    expect([same.status, same.headers.vary]).toEqual([304, 'Accept-Encoding']);
  });
});
