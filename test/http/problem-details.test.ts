import { describe, expect, test } from 'vitest';
import { prefersProblem } from '../../src/web/response.js';
import { startGateway, type TestResponse, useGateway } from '../support/gateway.js';

const gateway = useGateway();
const problem = 'application/problem+json';
const asking = { Accept: problem };

/** Sends a request that asks for problem details, and returns what is particular to its answer. */
async function refused(method: string, path: string, options: object = {}) {
  const sent = { token: gateway.admin, headers: asking, ...options };
  const response = await gateway.send(method, path, sent);
  return shownOf(response);
}

function shownOf(response: TestResponse) {
  const { status, json, headers } = response;
  expect(headers.get('content-type')).toBe(problem);
  expect(headers.get('vary')?.split(/, */)).toContain('Accept');
  const { type, title, instance, detail, status: told, ...others } = json;
  expect(type).toBe('about:blank');
  expect(title).toMatch(/^[A-Z]/);
  expect(told).toBe(status);
  expect(instance).toBe(`urn:uuid:${headers.get('x-request-id')}`);
  expect(detail).toMatch(/\S/);
  return { status, detail, ...others };
}

/** A request that is refused, besides its method and path. */
interface Given {
  readonly token?: 'viewer' | null;
  readonly type?: string;
  readonly body?: unknown;
  readonly more?: Record<string, string>;
}

test.each([
  [problem, true],
  ['Application/Problem+JSON; charset=utf-8', true],
  [`application/json, ${problem}`, true],
  [`${problem}, */*;q=0.1`, true],
  [`${problem};q=0.5, */*;q=0.5`, true],
  [`application/json, ${problem};q=0.5`, false],
  [`application/*, ${problem};q=0.9`, false],
  [`*/*, ${problem};q=0.9`, false],
  [`${problem};q=0`, false],
  [`${problem};q=much`, false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['', false],
  [null, false],
])('`Accept: %s` asks for problem details: %s', (accept, asks) => {
  expect(prefersProblem(accept)).toBe(asks);
});

test('without asking, the body is the contract’s', async () => {
  for (const accept of ['', '*/*', `application/json, ${problem};q=0.5`]) {
    const sent = { headers: { Accept: accept } };
    const { json, headers: answered } = await gateway.send('GET', '/v1/vehicles?page=0', sent);
    expect(json).toEqual({
      message: 'page: must be 1 or more, or -1 for the first, not 0',
      ok: false,
      code: 'BAD_REQUEST',
    });
    expect(answered.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answered.get('vary')).toContain('Accept');
  }
});

describe('problem details', () => {
  test('point to the members of a body', async () => {
    const body = {
      name: ' ',
      expiration_date: 'soon',
      contacts: [{ email: 'a@example.com' }, { email: 'nonsense' }],
    };
    expect(await refused('POST', '/v1/expirationitems', { body })).toEqual({
      status: 400,
      detail: expect.stringMatching(/^expiration_date: .* \(and 2 more\)$/),
      code: 'BAD_REQUEST',
      errors: [
        { pointer: '#/expiration_date', detail: expect.any(String), rule: 'format' },
        { pointer: '#/contacts/1/email', detail: 'must be an e-mail address', rule: 'format' },
        { pointer: '#/name', detail: 'must not be empty', rule: 'required' },
      ],
    });
  });

  test('point to the operations of a patch, and to the members of a merge patch', async () => {
    const { json } = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
    const path = `/v1/vehicles/${json.id}`;
    const operations = [
      { op: 'replace', path: '/name', value: 'x' },
      { op: 'replace', path: '/year', value: 'old' },
    ];
    const patched = await refused('PATCH', path, { body: operations });
    expect(patched).toMatchObject({ status: 400, errors: [{ pointer: '#/1', rule: 'type' }] });
    const headers = { ...asking, 'Content-Type': 'application/merge-patch+json' };
    const merged = await refused('PATCH', path, { body: { year: 'old' }, headers });
    expect(merged).toMatchObject({ status: 400, errors: [{ pointer: '#/year', rule: 'type' }] });
  });

  test('name the parameters of an address', async () => {
    expect(await refused('GET', '/v1/vehicles?sortDirection=up')).toEqual({
      status: 400,
      detail: 'sortDirection: must be asc or desc, not "up"',
      code: 'BAD_REQUEST',
      errors: [{ parameter: 'sortDirection', detail: 'must be asc or desc, not "up"' }],
    });
    const made = await refused('POST', '/v1/imports?kind=items&team_id=x', {
      body: 'name\r\nx\r\n',
      headers: { ...asking, 'Content-Type': 'text/csv' },
    });
    expect(made).toMatchObject({ status: 400, errors: [{ parameter: 'team_id' }] });
  });

  test.each([
    [401, 'UNAUTHORIZED', 'GET', '/v1/vehicles', { token: null }],
    [403, 'FORBIDDEN', 'POST', '/v1/vehicles', { token: 'viewer', body: {} }],
    [404, 'NOT_FOUND', 'GET', '/v1/nothing', {}],
    [404, 'NOT_FOUND', 'GET', '/nothing', {}],
    [404, 'NOT_FOUND', 'GET', '/v1/vehicles/0', {}],
    [405, 'METHOD_NOT_ALLOWED', 'DELETE', '/v1/vehicles', {}],
    [413, 'PAYLOAD_TOO_LARGE', 'POST', '/v1/vehicles', { body: { name: 'x'.repeat(1024 * 1024) } }],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'POST', '/v1/vehicles', { body: 'x', type: 'text/plain' }],
    [412, 'PRECONDITION_FAILED', 'POST', '/v1/vehicles', { body: {}, more: { 'If-Match': '*' } }],
  ] as const)('are the answer for %d %s: %s %s', async (status, code, method, path, given) => {
    const { token, type, more, ...options }: Given = given;
    const headers = { ...asking, ...(type && { 'Content-Type': type }), ...more };
    const caller = token === 'viewer' ? gateway.viewer : token === null ? null : gateway.admin;
    const answer = await refused(method, path, { ...options, headers, token: caller });
    expect(answer).toEqual({ status, code, detail: expect.any(String) });
  });

  test('are the answer for 409, 416 and 429', async () => {
    const body = { name: 'Inspector' };
    await gateway.send('POST', '/v1/contacttypes', { body });
    expect(await refused('POST', '/v1/contacttypes', { body })).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    const limited = await startGateway({ RATE_LIMIT: '1' });
    try {
      const ask = () => limited.send('GET', '/v1/vehicles', { headers: asking });
      expect((await ask()).status).toBe(200);
      expect(shownOf(await ask())).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    } finally {
      await limited.close();
    }
  });

  test('are not for GraphQL, nor for an answer without a body', async () => {
    const graphql = await gateway.send('POST', '/graphql', { headers: asking, body: { query: '{' } });
    expect(graphql.json.errors).toHaveLength(1);
    const { headers } = await gateway.send('GET', '/v1/vehicles');
    const kept = { ...asking, 'If-None-Match': headers.get('etag') ?? '' };
    const same = await gateway.send('GET', '/v1/vehicles', { headers: kept });
    expect([same.status, same.text]).toEqual([304, '']);
    expect(same.headers.get('content-type')).toBeNull();
  });
});
