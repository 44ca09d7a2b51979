import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readParameters } from '../../src/web/parameters.js';
import { useGateway } from '../support/gateway.js';
import { create, expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const broken = ['%zz', '%', '%4', '%ff', '%C3', '%C3%28', '%ED%A0%80', 'a%e9b'];

describe.each(broken)('a parameter of %s', (text) => {
  test.each(['/v1/vehicles?term=', '/v1/vehicles?unknown=', '/v1/eventlogs?'])('400: %s', async (path) => {
    expectBadRequest(await gateway.send('GET', path + text), /percent-encoded UTF-8/);
  });

  test('400 for writes, at the GraphQL door and for files; 401 without a token', async () => {
    expectBadRequest(await gateway.send('POST', `/v1/vehicles?x=${text}`, { body: {} }), /percent-encoded/);
    const query = await gateway.send('GET', `/graphql?query={me{id}}&operationName=${text}`);
    expect(query.status).toBe(400);
    expect(query.json.errors[0].extensions.code).toBe('BAD_REQUEST');
    const file = await gateway.send('GET', `/attachments/${gateway.userId}?x=${text}`);
    expectBadRequest(file, /percent-encoded/);
    expect((await gateway.send('GET', `/v1/vehicles?term=${text}`, { token: null })).status).toBe(401);
  });

  test("404 in the place of a record's id", async () => {
    expectError(await gateway.send('PUT', `/v1/vehicles/${text}`, { body: {} }), 404, 'NOT_FOUND');
  });
});

test('correctly encoded values are found', async () => {
  const { id } = await create(gateway, { name: 'Überführung 50% + 1' });
  for (const term of ['%C3%9Cberf%c3%bchrung', '50%25+%2B+1', '%C3%BC']) {
    const { vehicles } = (await gateway.send('GET', `/v1/vehicles?term=${term}`)).json;
    expect(
      vehicles.map((vehicle: { id: string }) => vehicle.id),
      term,
    ).toEqual([id]);
  }
});

test('whatever an encoder writes is read again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string()), (values) => {
      expect(Object.fromEntries(readParameters(`${new URLSearchParams(values)}`))).toEqual(
        Object.fromEntries(new URLSearchParams(values)),
      );
    }),
  );
});
