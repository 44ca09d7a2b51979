import { describe, expect, test } from 'vitest';
import { expectError, sendRaw, stored } from '../rest/support.js';
import { type TestRequest, useGateway } from '../support/gateway.js';
import { createVehicle } from './support.js';

const gateway = useGateway();

const query = '{ me { role } }';
const answer = { data: { me: { role: 'ADMIN' } } };
const json = { 'Content-Type': 'application/json' };

/** Expects errors in GraphQL's shape, all of this code. */
function expectErrors(body: { errors?: unknown[] }, code: string): void {
  expect(Object.keys(body).filter((member) => member !== 'data')).toEqual(['errors']);
  for (const error of body.errors ?? []) {
    expect(error).toEqual({
      message: expect.stringMatching(/\S/),
      extensions: { code, violations: expect.any(Array) },
      ...(Object.hasOwn(error as object, 'path') && { path: expect.any(Array) }),
      ...(Object.hasOwn(error as object, 'locations') && { locations: expect.any(Array) }),
    });
  }
  expect(body.errors?.length).toBeGreaterThan(0);
}

describe('a body that is no request', () => {
  // The contract of both doors: a body that is not JSON, or of the wrong type, is 400.
  test.each<[string, BodyInit]>([
    ['no JSON', '{"query":'],
    ['nothing', ''],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['null', 'null'],
    ['a text', JSON.stringify(query)],
    ['a number', '7'],
    ['a batch', JSON.stringify([{ query }])],
    ['an empty batch', '[]'],
    ['without a query', '{}'],
    ['with a null query', '{"query":null}'],
    ['with a number for the query', '{"query":7}'],
    ['with a list for the query', JSON.stringify({ query: [query] })],
    ['with a text for the variables', JSON.stringify({ query, variables: '{}' })],
    ['with a list for the variables', JSON.stringify({ query, variables: [] })],
    ['with a number for the operation', JSON.stringify({ query: `query A ${query}`, operationName: 7 })],
    [
      'with an operation that there is not',
      JSON.stringify({ query: `query A ${query}`, operationName: 'B' }),
    ],
    ['with a text for the extensions', JSON.stringify({ query, extensions: 'x' })],
  ])('%s: BAD_REQUEST', async (_, raw) => {
    const response = await gateway.send('POST', '/graphql', { raw, headers: json });
    expectErrors(response.json, 'BAD_REQUEST');
    expect(response.status).toBe(400);
  });

  test('nothing at all, by GET', async () => {
    const response = await gateway.send('GET', '/graphql');
    expectErrors(response.json, 'BAD_REQUEST');
    expect(response.status).toBe(400);
  });
});

describe('a document that does not fit', () => {
  const typed = 'query ($first: Int!) { vehicles(first: $first) { nodes { id } } }';
  test.each<[string, string, object?]>([
    ['no GraphQL', 'SELECT 1'],
    ['an open brace', '{ me { role }'],
    ['an unknown field', '{ me { password } }'],
    ['an unknown root field', '{ vehicels { nodes { id } } }'],
    ['an unknown argument', '{ vehicles(limit: 1) { nodes { id } } }'],
    ['no selection', '{ vehicles }'],
    ['a selection of a leaf', '{ me { role { id } } }'],
    ['an unknown fragment', '{ me { ...Me } }'],
    ['a fragment in itself', '{ me { ...A } } fragment A on Me { ...A }'],
    ['a wrong literal', '{ vehicles(first: "1") { nodes { id } } }'],
    ['an unknown enum value', '{ vehicles(orderBy: { field: name }) { nodes { id } } }'],
    ['no argument where one is required', '{ vehicle { id } }'],
    ['an unknown directive', '{ me @cached { role } }'],
    ['an undeclared variable', '{ vehicles(first: $first) { nodes { id } } }'],
    ['a missing variable', typed],
    ['a null variable', typed, { first: null }],
    ['a text for an Int', typed, { first: '1' }],
    ['a fraction for an Int', typed, { first: 0.5 }],
    ['an object for an Int', typed, { first: {} }],
    ['an object for an ID', 'query ($id: ID!) { vehicle(id: $id) { id } }', { id: {} }],
    ['two operations and no name', 'query A { me { role } } query B { me { role } }'],
    ['a subscription', 'subscription { me { role } }'],
    ['a mutation that there is not', 'mutation { dropVehicles { id } }'],
  ])('%s: BAD_REQUEST', async (_, query, variables) => {
    const response = await gateway.send('POST', '/graphql', { body: { query, variables } });
    expectErrors(response.json, 'BAD_REQUEST');
    expect([200, 400]).toContain(response.status);
  });

  test('is 400 to clients that accept application/graphql-response+json', async () => {
    const headers = { Accept: 'application/graphql-response+json' };
    const response = await gateway.send('POST', '/graphql', { body: { query: '{ me' }, headers });
    expectErrors(response.json, 'BAD_REQUEST');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
  });
});

describe('who does not say who it is', () => {
  test.each<[string, TestRequest, RegExp]>([
    ['no token', { token: null }, /^Bearer$/],
    ['an unknown token', { token: 'egw_unknown' }, /^Bearer error="invalid_token"$/],
    [
      'an empty token',
      { token: null, headers: { Authorization: 'Bearer ' } },
      /^Bearer error="invalid_request"$/,
    ],
    [
      'another scheme',
      { token: null, headers: { Authorization: 'Basic YTpi' } },
      /^Bearer error="invalid_request"$/,
    ],
  ])('%s: 401, whatever the body', async (_, request, challenge) => {
    for (const body of [{ query }, { query: '{' }, [], null]) {
      const response = await gateway.send('POST', '/graphql', {
        body,
        ...request,
        headers: { ...json, ...request.headers },
      });
      expect(response.status).toBe(401);
      expectErrors(response.json, 'UNAUTHORIZED');
      expect(response.headers.get('www-authenticate')).toMatch(challenge);
      expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    }
  });

  test.each([
    ['application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json'],
    ['Application/GraphQL-Response+JSON', 'application/graphql-response+json'],
    ['*/*', 'application/json'],
    ['text/event-stream', 'application/json'],
  ])('a client that accepts %s gets %s', async (accept, type) => {
    const headers = { Accept: accept };
    const response = await gateway.send('POST', '/graphql', { token: null, body: { query }, headers });
    expect(response.status).toBe(401);
    expectErrors(response.json, 'UNAUTHORIZED');
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  test('a token in the query string counts for nothing', async () => {
    const parameters = new URLSearchParams({ query, access_token: gateway.admin });
    expect((await gateway.send('GET', `/graphql?${parameters}`, { token: null })).status).toBe(401);
  });
});

describe('methods', () => {
  test('a mutation by GET is 405, and not done', async () => {
    const { id } = await createVehicle(gateway);
    const before = await stored(gateway);
    const mutation = encodeURIComponent(`mutation { deleteVehicle(id: "${id}") { id } }`);
    const response = await gateway.send('GET', `/graphql?query=${mutation}`);
    expect(response.status).toBe(405);
    expectErrors(response.json, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toBe('POST');
    expect(await stored(gateway)).toEqual(before);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is 405', async (method) => {
    const response = await gateway.send(method, '/graphql', { body: { query } });
    expect(response.status).toBe(405);
    expectErrors(response.json, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toMatch(/^GET, (HEAD, )?POST(, OPTIONS)?$/);
  });

  test('OPTIONS is 204 with Allow, without a token', async () => {
    const response = await gateway.send('OPTIONS', '/graphql', { token: null });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('allow')).toMatch(/^GET, (HEAD, )?POST, OPTIONS$/);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('HEAD is where GET is', async () => {
    const path = `/graphql?query=${encodeURIComponent(query)}`;
    const [get, head] = [await gateway.send('GET', path), await gateway.send('HEAD', path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });
});

describe('media types', () => {
  test.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/mixed; boundary=x',
    'application/json-patch+json',
    'application/jsonx',
    'application/json; charset=iso-8859-1',
  ])('%s is 415', async (type) => {
    const raw = type.endsWith('urlencoded') ? new URLSearchParams({ query }).toString() : query;
    const body = type.includes('json') ? JSON.stringify({ query }) : raw;
    const response = await gateway.send('POST', '/graphql', { raw: body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(415);
    expectErrors(response.json, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '%s is read',
    async (type) => {
      const request = { raw: JSON.stringify({ query }), headers: { 'Content-Type': type } };
      expect((await gateway.send('POST', '/graphql', request)).json).toEqual(answer);
    },
  );

  test('none is 415', async () => {
    const options = { method: 'POST', headers: { Authorization: `Bearer ${gateway.admin}` } };
    const response = await sendRaw(`${gateway.url}/graphql`, options, [JSON.stringify({ query })]);
    expect(response.status).toBe(415);
    expectErrors(JSON.parse(response.text), 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('a body beyond 16 MiB is 413', async () => {
    const body = { query: `#${'x'.repeat(16 * 1024 * 1024)}` };
    const response = await gateway.send('POST', '/graphql', { body });
    expect(response.status).toBe(413);
    expectErrors(response.json, 'PAYLOAD_TOO_LARGE');
  });
});

test.each(['/nope', '/nope/graphql', '/graphql/nope', '//graphql', '/v1/graphql', '/health'])(
  '%s is 404 to every method, token or not',
  async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const token of [null, gateway.admin]) {
        const response = await gateway.send(method, path, {
          token,
          ...(method === 'POST' && { body: { query } }),
        });
        expectError(response, 404, 'NOT_FOUND');
      }
    }
  },
);
