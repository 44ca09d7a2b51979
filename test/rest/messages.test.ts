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
  ['{"primary_meter_reading": 2147483648}', 'primary_meter_reading: must be a 32-bit integer'],
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
