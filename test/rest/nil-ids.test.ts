import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectError, expectNotModified, serverId } from './support.js';

const gateway = useGateway();

const nil = '00000000-0000-0000-0000-000000000000';
const folder = '12111111-1111-4111-8111-111111111111';

async function send(method: string, path: string, body: unknown, status = method === 'POST' ? 201 : 200) {
  const response = await gateway.send(method, path, { body });
  expect(response.status, response.text).toBe(status);
  return response.json;
}

async function graphql(query: string, variables: object) {
  const { json } = await gateway.send('POST', '/graphql', { body: { query, variables } });
  expect(json.errors).toBeUndefined();
  return json.data;
}

test('a record created with it gets a new id each time', async () => {
  for (const path of ['/v1/companies', '/v1/vehicles', '/v1/locations', '/v1/contacttypes', '/v1/contacts']) {
    for (const name of [`${path} 1`, `${path} 2`]) {
      const email = `${name.replaceAll(/\W/g, '')}@example.com`;
      expect((await send('POST', path, { id: nil, name, email })).id).toEqual(serverId);
    }
  }
  const query = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }';
  const { createCompany } = await graphql(query, { input: { id: nil, name: 'By GraphQL' } });
  expect(createCompany.id).toEqual(serverId);
});

test('every id of a body that may be absent is, and null in the answer', async () => {
  const vehicle = await send('POST', '/v1/vehicles', {
    name: 'Van',
    team_id: nil,
    status_id: nil,
    folder_id: nil,
    location_id: nil,
    type_id: nil,
    vehicle_fuel_type_id: nil,
    assigned_to_contact_id: nil,
    assigned_to: { id: nil },
    custom_fields: [{ id: nil, name: 'Colour', value: 'red' }],
  });
  expect(vehicle).toMatchObject({
    status_id: null,
    folder_id: null,
    location_id: null,
    type_id: null,
    vehicle_fuel_type_id: null,
    assigned_to_contact_id: null,
    assigned_to: null,
    custom_fields: [{ id: serverId, name: 'Colour', value: 'red' }],
  });
  expect(
    await send('PUT', `/v1/vehicles/${vehicle.id}`, { name: 'Van', folder_id: folder, location_id: nil }),
  ).toMatchObject({
    folder_id: folder,
    location_id: null,
  });
  expect((await send('PUT', `/v1/vehicles/${vehicle.id}`, { folder_id: nil })).folder_id).toBeNull();
});

describe('PUT that updates', () => {
  test('keeps values sent as nil, as if they were missing, and finds nested records by name', async () => {
    const contact = await send('POST', '/v1/contacts', { name: 'Bo', email: 'bo@example.com' });
    const { createExpirationItem: item } = await graphql(
      'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }',
      { input: { name: 'Permit', expirationDate: '2027-01-01', contactId: contact.id, teamId: nil } },
    );
    const body = {
      name: 'Permit',
      expiration_date: '2027-01-01',
      contact_id: nil,
      team_id: nil,
      category: { id: nil, name: 'Permits' },
      contacts: [{ id: nil, email: 'bo@example.com' }],
      tags: [{ id: nil, name: 'new' }],
      locations: [{ id: nil, name: 'Yard' }],
      attachments: [{ id: nil, name: 'a.txt', content: 'YQ==' }],
      custom_fields: [{ id: nil, name: 'No.', value: '1' }],
      assigned_to: { id: nil },
    };
    const shown = await send('PUT', `/v1/expirationitems/${item.id}`, body);
    expect(shown).toMatchObject({
      contact_id: contact.id,
      category_name: 'Permits',
      contacts: [{ id: contact.id }],
      tags: [{ id: serverId, name: 'new' }],
      locations: [{ id: serverId, name: 'Yard' }],
      attachments: [{ id: serverId, name: 'a.txt' }],
      custom_fields: [{ id: serverId }],
    });
    expect(
      (await send('PUT', `/v1/expirationitems/${item.id}`, { ...body, contact_id: null })).contact_id,
    ).toBeNull();
  });
});

test('PATCH: values set to it are cleared', async () => {
  const vehicle = await send('POST', '/v1/vehicles', { name: 'Van', folder_id: folder });
  const set = (path: string) => [{ op: 'replace', path, value: nil }];
  expect((await send('PATCH', `/v1/vehicles/${vehicle.id}`, set('/folder_id'))).folder_id).toBeNull();
  const again = await gateway.send('PATCH', `/v1/vehicles/${vehicle.id}`, { body: set('/folder_id') });
  expectNotModified(again);
});

test('as the id of a path it names nothing', async () => {
  for (const [method, body] of [
    ['PUT', {}],
    ['PATCH', []],
  ] as const) {
    expectError(await gateway.send(method, `/v1/vehicles/${nil}`, { body }), 404, 'NOT_FOUND');
  }
  const { vehicle } = await graphql(`{ vehicle(id: "${nil}") { id } }`, {});
  expect(vehicle).toBeNull();
});

test('as a text it is one', async () => {
  expect((await send('POST', '/v1/companies', { name: nil })).name).toBe(nil);
});
