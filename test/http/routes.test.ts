import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError, nowhere } from '../rest/support.js';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();

describe.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s', (method) => {
  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/vehicles//',
    `/v1/vehicles/${nowhere}//`,
    `/v1/vehicles/${nowhere}/history`,
    '/v1//vehicles',
    '/v1/Query',
    '/v1/create-vehicle',
    '/v1/graphql',
    '/v1/__schema',
  ])('%s is 404 with the error body, with a token and without', async (path) => {
    for (const token of [gateway.admin, null]) {
      const body = method === 'GET' ? undefined : {};
      expectError(await gateway.send(method, path, { token, body }), 404, 'NOT_FOUND');
    }
  });
});

test.each(['/nothing', '/v10/vehicles', '/vehicles', '/graphql/x', '/docs/package.json'])(
  '%s is 404 too',
  async (path) => {
    expect((await gateway.send('GET', path)).status).toBe(404);
  },
);

describe('webhooks, which would call any address', () => {
  let called = 0;
  const listener = createServer((_request, response) => {
    called++;
    response.end();
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => listener.close(resolve)));

  test.each(['/webhook', '/v1/webhook', '/webhook/1', '/v1/webhook/1', '//webhook'])(
    '%s is 404 for every method, and nothing is called',
    async (path) => {
      const body = { subscription: 'vehicles', variables: {}, url };
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
        const response = await gateway.send(method, path, method === 'GET' ? {} : { body });
        expect(response.status, `${method} ${path}`).toBe(404);
        if (path.startsWith('/v1/webhook')) expectError(response, 404, 'NOT_FOUND');
      }
      expect(called).toBe(0);
    },
  );
});

test.each([
  ['/v1/vehicles', 'GET'],
  ['/v1/nothing', 'GET'],
  ['/graphql', 'GET'],
  ['/', 'GET'],
  ['/nothing', 'GET'],
  ['/health/live', 'GET'],
  ['/v1/vehicles', 'DELETE'],
])('every answer has an id of its own: %s', async (path, method) => {
  const ids = [await gateway.send(method, path), await gateway.send(method, path)].map(({ headers }) =>
    headers.get('x-request-id'),
  );
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

describe('CORS', () => {
  const origin = 'https://app.example.com';
  const preflight = {
    Origin: origin,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization, content-type, if-match',
  };
  const allowed = (headers: Headers) => headers.get('access-control-allow-origin');

  test('no origin is allowed by default', async () => {
    for (const path of ['/v1/vehicles', '/graphql']) {
      const simple = await gateway.send('GET', path, { headers: { Origin: origin } });
      expect(allowed(simple.headers)).toBeNull();
      const asked = await gateway.send('OPTIONS', path, { token: null, headers: preflight });
      expect(allowed(asked.headers)).toBeNull();
    }
  });

  test('a configured origin is allowed at both APIs, including errors; others are not', async () => {
    const open = await startGateway({ CORS_ORIGINS: `${origin},https://other.example.com` });
    try {
      for (const path of ['/v1/vehicles', `/v1/vehicles/${nowhere}`, '/graphql']) {
        const asked = await open.send('OPTIONS', path, { token: null, headers: preflight });
        expect([200, 204]).toContain(asked.status);
        expect(allowed(asked.headers)).toBe(origin);
        expect(asked.headers.get('access-control-allow-methods')).toMatch(/PATCH|\*/);
        expect(asked.headers.get('access-control-allow-headers')).toMatch(/if-match/i);
        const refused = await open.send('GET', path, { token: null, headers: { Origin: origin } });
        expect(allowed(refused.headers)).toBe(origin);
        const stranger = await open.send('GET', path, { headers: { Origin: 'https://evil.example.com' } });
        expect(allowed(stranger.headers)).not.toBe('https://evil.example.com');
        expect(allowed(stranger.headers)).not.toBe('*');
      }
    } finally {
      await open.close();
    }
  });
});

test.each(['a b', '[::1', 'x:99999999'])('an invalid Host is 400: %s', async (host) => {
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(`${gateway.url}/v1/teams`, { headers: { host } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
    })
      .once('error', reject)
      .end();
  });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toEqual({
    message: expect.stringMatching(/Host/),
    ok: false,
    code: 'BAD_REQUEST',
  });
});
