import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { document } from '../support/openapi.js';

const gateway = useGateway();

const made = async (body: object) => (await gateway.send('POST', '/v1/locations', { body })).json;

/** Sends a DELETE. */
function remove(
  id: string,
  headers: Record<string, string> = {},
  token: string | null = gateway.admin,
  path = '/v1/locations',
) {
  return gateway.send('DELETE', `${path}/${id}`, { headers, token });
}

test('a record is deleted, and returned as it was', async () => {
  const location = await made({ name: 'Yard' });
  const { status, json } = await remove(location.id);
  expect([status, json]).toEqual([200, location]);
  expect(await remove(location.id)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
});

test('callers who may not write may not delete', async () => {
  const { id } = await made({ name: 'Kept yard' });
  expect(await remove(id, {}, null)).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  expect(await remove(id, {}, gateway.viewer)).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
});

test('a record that others need stays', async () => {
  const { data } = await gateway.graphql(`mutation {
    createExpirationItem(input: { name: "Permit", expirationDate: "2027-01-01", category: { name: "Permits" } }) {
      category { id }
    }
  }`);
  const { id } = data.createExpirationItem.category;
  const answer = await remove(id, {}, gateway.admin, '/v1/categories');
  expect(answer).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
});

test('If-Match names the expected version', async () => {
  const first = await gateway.send('POST', '/v1/locations', { body: { name: 'Shed' } });
  const { id } = first.json;
  const refused = await remove(id, { 'If-Match': '"other"' });
  expect(refused).toMatchObject({ status: 412, json: { code: 'PRECONDITION_FAILED' } });
  expect((await remove(id, { 'If-Match': first.headers.get('etag') ?? '' })).status).toBe(200);
});

test('a retry with the same Idempotency-Key gets the first answer', async () => {
  const { id } = await made({ name: 'Garage' });
  const key = { 'Idempotency-Key': 'delete-garage' };
  const [first, second] = [await remove(id, key), await remove(id, key)];
  expect([second.status, second.json]).toEqual([200, first.json]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('Allow lists it, and the document describes it', async () => {
  const { headers } = await gateway.send('OPTIONS', `/v1/locations/${gateway.teamId}`);
  expect(headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  const described = document.paths['/v1/locations/{id}'].delete;
  expect(described.requestBody).toBeUndefined();
  expect(described.parameters).toEqual([
    expect.objectContaining({ in: 'path', name: 'id' }),
    { $ref: '#/components/parameters/IfMatch' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]);
  expect(Object.keys(described.responses)).toEqual(
    expect.arrayContaining(['200', '401', '403', '404', '409', '412', '422']),
  );
  expect(Object.keys(described.responses)).not.toContain('413');
});
