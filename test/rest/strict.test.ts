import { describe, expect, test } from 'vitest';
import { isStrict } from '../../src/rest/strict.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();
const strict = { Prefer: 'handling=strict' };

test.each([
  [null, false],
  ['', false],
  ['handling=lenient', false],
  ['handling=strict', true],
  ['respond-async, Handling = "strict"; x=1', true],
  ['return=minimal; foo, handling=lenient, handling=strict', false],
  ['handling=strictly', false],
  ['xhandling=strict', false],
])('Prefer: %s asks for strict handling: %s', (prefer, expected) => {
  expect(isStrict(prefer)).toBe(expected);
});

describe('a parameter that is misspelt', () => {
  test('is ignored by the endpoints of the contract, as ever', async () => {
    const { status, headers } = await gateway.send('GET', '/v1/vehicles?tern=truck');
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBeNull();
  });

  test.each([
    ['/v1/vehicles?tern=truck', 'tern', 'term'],
    ['/v1/expirationitems?expires_within_days=3&page=1', 'expires_within_days', undefined],
    ['/v1/expirationitems?categoryid=x', 'categoryid', 'category_id'],
    ['/v1/expirationitems?expireWithinDays=3', 'expireWithinDays', 'expiresWithinDays'],
    ['/v1/contacts?%E2%80%AE=1', '\u202e', undefined],
  ])('is a 400 of %s with strict handling', async (path, name, meant) => {
    const { status, headers, json } = await gateway.send('GET', path, { headers: strict });
    if (meant === undefined && name === 'expires_within_days') {
      expect(json.message).toContain('expiresWithinDays');
    }
    expect(status).toBe(400);
    expect(json).toMatchObject({ ok: false, code: 'BAD_REQUEST', message: expect.stringContaining(name) });
    if (meant !== undefined) expect(json.message).toBe(`${name} is unknown here; did you mean ${meant}?`);
    expect(headers.get('preference-applied')).toBe('handling=strict');
  });

  test.each(['term', 'TERM', 'sortdirection', 'includeFileContent'])('%s is known', async (name) => {
    const value = { sortdirection: 'asc', includeFileContent: 'true' }[name] ?? 'x';
    const path = `/v1/expirationitems?${name}=${value}`;
    expect((await gateway.send('GET', path, { headers: strict })).status).toBe(200);
  });

  test.each(['/v1/deliveries?stat=failed', '/v1/imports?page=2', '/v1/export/items.csv?teamid=1'])(
    'is always a 400 of our own %s',
    async (path) => {
      expect(await gateway.send('GET', path)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
    },
  );

  test('of an import is a 400, and nothing is stored', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await gateway.send('POST', '/v1/imports?kind=items&mod=create', {
      raw: 'name\nA\n',
      headers,
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { message: 'mod is unknown here; did you mean mode?' },
    });
    expect((await gateway.send('GET', '/v1/imports')).json).toEqual({ imports: [] });
  });
});

describe('a member that is misspelt', () => {
  const item = { name: 'Passport', expiration_date: '2030-01-01' };

  test('is ignored without strict handling', async () => {
    expect(
      (await gateway.send('POST', '/v1/expirationitems', { body: { ...item, detials: 'x' } })).status,
    ).toBe(201);
  });

  test('is a 400 with it, at any depth, and nothing is written', async () => {
    const before = await gateway.database.prisma.expirationItem.count();
    const body = { ...item, detials: 'x', contacts: [{ emial: 'a@example.com' }] };
    const { status, json } = await gateway.send('POST', '/v1/expirationitems', { body, headers: strict });
    expect(status).toBe(400);
    expect(json.message).toBe('detials: is unknown here; did you mean details? (and 1 more)');
    const both = await gateway.send('POST', '/v1/expirationitems', {
      body,
      headers: { ...strict, Accept: 'application/problem+json' },
    });
    expect(both.json.errors).toMatchObject([{ pointer: '#/detials' }, { pointer: '#/contacts/0/emial' }]);
    expect(await gateway.database.prisma.expirationItem.count()).toBe(before);
  });

  test('is not one that answers have, so that a record can be sent back', async () => {
    const { json: made } = await gateway.send('POST', '/v1/expirationitems', { body: item });
    const { json: read } = await gateway.send('GET', `/v1/expirationitems/${made.id}`);
    const sent = await gateway.send('PUT', `/v1/expirationitems/${made.id}`, {
      body: { ...read, name: 'Renamed' },
      headers: strict,
    });
    expect(sent).toMatchObject({ status: 200, json: { name: 'Renamed' } });
  });
});
