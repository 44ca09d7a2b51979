import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { operationOf, validateResponse } from '../support/openapi.js';

describe('the gateway behind the document', () => {
  const gateway = useGateway();

  it('sorts by every member that the document offers', async () => {
    const [sort] = operationOf('GET', '/v1/vehicles').parameters.filter(
      ({ name }: { name: string }) => name === 'sort',
    );
    for (const member of sort.schema.enum) {
      expect((await gateway.send('GET', `/v1/vehicles?sort=${member}`)).status).toBe(200);
    }
  });

  // `send` itself holds every answer against the document.
  it('answers each status of a vehicle as documented', async () => {
    const { send, viewer, uploader, userId } = gateway;
    const body = {
      name: 'Van',
      vin: 'V1',
      msrp: 1.5,
      assigned_to: { id: userId },
      custom_fields: [{ name: 'a', value: 'b' }],
    };
    const created = await send('POST', '/v1/vehicles', { body });
    expect(created.status).toBe(201);
    const path = created.headers.get('location') ?? '';
    const statuses = [
      await send('GET', '/v1/vehicles'),
      await send('HEAD', '/v1/vehicles'),
      await send('OPTIONS', '/v1/vehicles'),
      await send('GET', '/v1/vehicles?page=0'),
      await send('POST', '/v1/vehicles', { body }),
      await send('POST', '/v1/vehicles', { body: { year: 1.5 } }),
      await send('POST', '/v1/vehicles', { raw: '{', headers: { 'Content-Type': 'text/plain' } }),
      await send('PUT', path, { body: { name: 'x'.repeat(2 ** 20) } }),
      await send('PUT', path, { body: {}, headers: { 'If-Match': '"old-1"' } }),
      await send('PUT', path, { body: { name: 'Bus' }, token: viewer }),
      await send('PUT', path, { body: { name: 'Bus' } }),
      await send('PATCH', path, { body: [] }),
      await send('PATCH', path, { body: [{ op: 'test', path: '/name', value: 'Van' }] }),
      await send('PATCH', path, { body: [{ op: 'replace', path: '/name', value: 'Car' }] }),
      await send('PATCH', '/v1/vehicles/unknown', { body: [] }),
      await send('GET', '/v1/vehicles', { token: null }),
      await send('GET', '/v1/vehicles', { token: uploader }),
      await send('POST', path),
      await send('GET', '/v1/webhook'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([
      200, 200, 204, 400, 409, 400, 415, 413, 412, 403, 200, 304, 409, 200, 404, 401, 403, 405, 404,
    ]);
  });
});

describe('holding an answer against the document', () => {
  const json = { 'Content-Type': 'application/json; charset=utf-8' };
  const listed = { ...json, ETag: 'W/"a"', Link: '</v1/vehicles?page=1>; rel="first"' };
  const list = { vehicles: [], pages: 0, page: 1, total: 0 };
  const error = { message: 'm', ok: false, code: 'NOT_FOUND' };
  const unchanged = { ETag: '"1-a"', 'X-Error-Code': 'NOT_MODIFIED' };
  const holding = (
    method: string,
    path: string,
    status: number,
    body: unknown,
    headers: Record<string, string> = status === 200 ? listed : json,
  ) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    return () => validateResponse(method, path, status, new Headers(headers), text);
  };

  it('lets the documented pass', () => {
    expect(holding('GET', '/v1/vehicles?page=1', 200, list)).not.toThrow();
    expect(holding('PATCH', '/v1/vehicles/1', 304, undefined, unchanged)).not.toThrow();
  });

  it.each([
    ['an undocumented status', holding('GET', '/v1/vehicles', 418, error), 'not documented'],
    ['an undocumented path', holding('GET', '/v1/boats', 200, list), 'no such operation'],
    ['an undocumented method', holding('POST', '/v1/vehicles/1', 200, list), 'no such operation'],
    ['a 405 without Allow', holding('POST', '/v1/vehicles/1', 405, error), 'Allow'],
    ['a missing member', holding('GET', '/v1/vehicles', 200, { ...list, total: undefined }), "'total'"],
    ['a member too many', holding('GET', '/v1/vehicles', 200, { ...list, secret: 1 }), 'additional'],
    ['a wrong type', holding('GET', '/v1/vehicles', 200, { ...list, total: '0' }), 'must be integer'],
    [
      'a wrong media type',
      holding('GET', '/v1/vehicles', 200, list, { ...listed, 'Content-Type': 'text/plain' }),
      'text/plain',
    ],
    ['the code of another error', holding('GET', '/v1/vehicles', 403, error), 'constant'],
    ['an error with more to it', holding('GET', '/v1/boats', 404, { ...error, stack: '' }), 'additional'],
    [
      'a missing header',
      holding('PATCH', '/v1/vehicles/1', 304, undefined, { ETag: '"1-a"' }),
      'X-Error-Code',
    ],
    [
      'a weak tag',
      holding('PATCH', '/v1/vehicles/1', 304, undefined, { ...unchanged, ETag: 'W/"1"' }),
      'pattern',
    ],
    [
      'a strong tag of a list',
      holding('GET', '/v1/vehicles', 200, list, { ...listed, ETag: '"1"' }),
      'pattern',
    ],
    ['a list without links', holding('GET', '/v1/vehicles', 200, list, { ...json, ETag: 'W/"1"' }), 'Link'],
    ['a 304 with a body', holding('PATCH', '/v1/vehicles/1', 304, error, unchanged), 'has a body'],
  ])('refuses %s', (_what, hold, message) => {
    expect(hold).toThrow(message);
  });
});
