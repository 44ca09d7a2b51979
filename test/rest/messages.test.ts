import { beforeAll, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { create, expectBadRequest, patch } from './support.js';

const gateway = useGateway();
let item: string;
beforeAll(async () => {
  const query =
    'mutation { createExpirationItem(input: { name: "Permit", expirationDate: "2027-01-01" }) { id } }';
  item = (await gateway.send('POST', '/graphql', { body: { query } })).json.data.createExpirationItem.id;
});

test.each([
  ['{"msrp": 1e309}', 'msrp: must be a number within the range of a double'],
  ['{"msrp": -1e309}', 'msrp: must be a number within the range of a double'],
  ['{"msrp": "5"}', 'msrp: must be a number within the range of a double'],
  ['{"MSRP": true}', 'msrp: must be a number within the range of a double'],
  ['{"year": 1e309}', 'year: must be a 32-bit integer'],
  ['{"year": 1.5}', 'year: must be a 32-bit integer'],
  ['{"primary_meter_reading": 2147483648}', 'primary_meter_reading: is too large: at most 2147483647'],
  ['{"year": -2147483649}', 'year: is too small: at least -2147483648'],
  ['{"license_plate": 5}', 'license_plate: must be a string'],
  ['{"is_archived": "yes"}', 'is_archived: must be true or false'],
  ['{"vehicle_fuel_type_id": 5}', 'vehicle_fuel_type_id: must be a UUID'],
  ['{"assigned_to_contact_id": {}}', 'assigned_to_contact_id: must be a UUID'],
  ['{"custom_fields": {}}', 'custom_fields: must be a list'],
  ['{"custom_fields": [{"value": 1}]}', 'custom_fields[0].value: must be a string'],
])('POST /v1/vehicles %s', async (raw, message) => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await gateway.send('POST', '/v1/vehicles', { raw, headers });
  expectBadRequest(response, /./);
  expect(response.json.message).toBe(message);
});

test('PATCH names the operation and the member', async () => {
  const raw = '[{"op":"replace","path":"/msrp","value":1e309}]';
  const response = await patch(gateway, await create(gateway), undefined, {
    raw,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(response.json.message).toMatch(/msrp: must be a number within the range of a double$/);
});

test('errors name category_name as it was sent, and category.name likewise', async () => {
  const put = async (body: object) =>
    (
      await gateway.send('PUT', `/v1/expirationitems/${item}`, {
        body: { name: 'Permit', expiration_date: '2027-01-01', ...body },
      })
    ).json.message;
  const long = 'x'.repeat(256);
  expect(await put({ category_name: long })).toBe('category_name: must have at most 255 characters');
  expect(await put({ category: { name: long } })).toBe('category.name: must have at most 255 characters');
});

test('errors name a search term that is too long', async () => {
  const response = await gateway.send('GET', `/v1/vehicles?term=${'x'.repeat(256)}`);
  expect(response.json.message).toBe('term: must have at most 255 characters');
});

test.each(['1.5e308', '1.7976931348623157e308', '-1.7976931348623157e308', '5e-324', '-0', '0.1'])(
  'an msrp of %s is a double: it is taken and shown as it was sent, at both APIs',
  async (msrp) => {
    const headers = { 'Content-Type': 'application/json' };
    const { json } = await gateway.send('POST', '/v1/vehicles', { raw: `{"msrp": ${msrp}}`, headers });
    expect(json.msrp).toBe(Number(msrp) + 0);
    const query = 'mutation($id: ID!, $to: Float) { updateVehicle(id: $id, input: { msrp: $to }) { msrp } }';
    const raw = (to: string) =>
      `{"query": ${JSON.stringify(query)}, "variables": {"id": "${json.id}", "to": ${to}}}`;
    expect(
      (await gateway.send('POST', '/graphql', { raw: raw('1'), headers })).json.data.updateVehicle.msrp,
    ).toBe(1);
    const again = await gateway.send('POST', '/graphql', { raw: raw(msrp), headers });
    expect(again.json.data.updateVehicle.msrp).toBe(Number(msrp) + 0);
    const read = await gateway.send('GET', `/v1/vehicles?sort=msrp&paging=500`);
    expect(read.json.vehicles.find(({ id }: { id: string }) => id === json.id).msrp).toBe(Number(msrp) + 0);
  },
);

test.each([
  ['page=2147483648', 'page: is too large: at most 2147483647'],
  ['page=99999999999999999999', 'page: is too large: at most 2147483647'],
  ['page=-2147483649', 'page: is too small: at least -2147483648'],
  ['page=1.5', 'page: must be a whole number, not "1.5"'],
])('GET /v1/vehicles?%s: %s', async (query, message) => {
  const response = await gateway.send('GET', `/v1/vehicles?${query}`);
  expectBadRequest(response, /./);
  expect(response.json.message).toBe(message);
});

test("messages name this API's members, also in sentences", async () => {
  const response = await gateway.send('POST', '/v1/uploads', { body: {} });
  expect(response.json.message).toBe('Send one of `content`, `file` and `resumable_upload_id`.');
});

test('the session door says what is wrong in its own words, not those of a library', async () => {
  for (const [body, message] of [
    [{ email: 5 }, /email: must be a string$/],
    [[], /must be an object$/],
  ] as const) {
    const headers = { 'X-Requested-With': 'console', Origin: gateway.url };
    const answer = await gateway.send('POST', '/session/link', { token: null, body, headers });
    expect(answer.text).not.toMatch(/Invalid input|Infinity/);
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)]);
  }
});
