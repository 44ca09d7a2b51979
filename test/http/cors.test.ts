import { expect, test } from 'vitest';
import { type TestRequest, type TestResponse, useGateway } from '../support/gateway.js';

const origins = ['https://app.example.com', 'https://other.example.com'];
const gateway = useGateway({ CORS_ORIGINS: origins.join() });

const query = '{ me { role } }';

const allowed = ({ headers }: TestResponse) => headers.get('access-control-allow-origin');
const varies = ({ headers }: TestResponse) => headers.get('vary')?.split(', ');
const send =
  (method: string, path: string, request: TestRequest = {}) =>
  (origin?: string) =>
    gateway.send(method, path, {
      ...request,
      headers: { ...request.headers, ...(origin !== undefined && { Origin: origin }) },
    });

test.each([
  ['an answer', 200, send('POST', '/graphql', { body: { query } })],
  ['a refusal', 401, send('POST', '/graphql', { body: { query }, token: null })],
  [
    'a body that is too large',
    413,
    send('POST', '/graphql', { body: { query: 'x'.repeat(16 * 1024 * 1024) } }),
  ],
  ['a REST answer', 200, send('GET', '/v1/vehicles')],
  ['a REST body that is too large', 413, send('POST', '/v1/vehicles', { raw: 'x'.repeat(1024 * 1024 + 1) })],
  ['a preflight', 204, send('OPTIONS', '/graphql', { token: null })],
])('%s is for the origins that are configured', async (_, status, request) => {
  for (const origin of origins) {
    const response = await request(origin);
    expect([response.status, allowed(response)]).toEqual([status, origin]);
    expect(varies(response)).toContain('Origin');
  }
  // `null` is any page in a frame without an origin.
  for (const origin of ['https://evil.example.com', 'null', `${origins[0]}.evil.example.com`, undefined]) {
    const response = await request(origin);
    expect([response.status, allowed(response)]).toEqual([status, null]);
    expect(varies(response)).toContain('Origin');
  }
});

test("pages may read the answers' custom headers", async () => {
  const { headers } = await send('GET', '/v1/vehicles')(origins[0]);
  const exposed = headers.get('access-control-expose-headers')?.split(', ');
  for (const name of ['ETag', 'Idempotency-Replayed', 'Link', 'Location', 'Retry-After'])
    expect(exposed).toContain(name);
});
