import { beforeAll, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';
import { createItem } from './items.support.js';
import { expectError } from './support.js';

const gateway = useGateway();

const nobodys = '0191f1a2-0000-7000-8000-000000000000';
const at = (id: string) => `/v1/expirationitems/${id}/holders`;
const get = (id: string, token?: string) => gateway.send('GET', at(id), token ? { token } : {});
const put = (id: string, body: unknown, headers = {}) => gateway.send('PUT', at(id), { body, headers });
const post = (id: string, body: unknown) => gateway.send('POST', at(id), { body });
/** Makes a record, and returns its id. */
async function make(path: string, body: object): Promise<string> {
  const { status, json, text } = await gateway.send('POST', path, { body });
  expect(status, text).toBe(201);
  return json.id;
}

let truck: string;
let driver: string;
beforeAll(async () => {
  truck = await make('/v1/vehicles', { name: 'Truck 7', vin: 'V-7', license_plate: 'TR 7' });
  driver = await make('/v1/contacts', { name: 'Dora', email: 'dora@example.com' });
});

test('holders are set, added and read', async () => {
  const { id } = await createItem(gateway);
  const none = await get(id);
  expect(none.status, none.text).toBe(200);
  expect(none.json).toEqual({ expiration_item_id: id, holders: [], modified: expect.any(String) });
  const set = await put(id, { holders: [{ kind: 'vehicle', license_plate: 'tr-7' }] });
  expect(set.status, set.text).toBe(200);
  expect(set.json.holders).toEqual([{ kind: 'vehicle', id: truck, name: 'Truck 7' }]);
  const added = await post(id, [{ kind: 'contact', email: 'dora@example.com' }]);
  expect(added.status, added.text).toBe(200);
  expect(added.json.holders).toEqual([
    { kind: 'vehicle', id: truck, name: 'Truck 7' },
    { kind: 'contact', id: driver, name: 'Dora' },
  ]);
  expect((await get(id)).json).toEqual(added.json);
  // What is read can be sent back.
  const again = await put(id, added.json);
  expect([again.status, again.json]).toEqual([200, added.json]);
  expect((await put(id, { holders: [] })).json.holders).toEqual([]);
});

test('a holder that one input names twice is one, where it is named first', async () => {
  const { id } = await createItem(gateway);
  const named = [
    { kind: 'contact', id: driver },
    { kind: 'vehicle', license_plate: 'TR-7' },
    { kind: 'vehicle', id: truck.toUpperCase() },
    { kind: 'contact', email: 'DORA@example.com' },
  ];
  const ids = async (send: typeof put) =>
    (await send(id, { holders: named })).json.holders.map((holder: { id: string }) => holder.id);
  expect(await ids(put)).toEqual([driver, truck]);
  expect(await ids(post)).toEqual([driver, truck]);
});

test('an item of the contract shows nothing of them, and keeps them', async () => {
  const { id, name } = await createItem(gateway);
  await put(id, { holders: [{ kind: 'vehicle', id: truck }] });
  const body = { name, expiration_date: '2028-01-31', holders: [] };
  const written = await gateway.send('PUT', `/v1/expirationitems/${id}`, { body });
  expect(written.status, written.text).toBe(200);
  expect(written.json).not.toHaveProperty('holders');
  expect((await get(id)).json.holders).toHaveLength(1);
});

test('papers are listed by vehicle and by any kind of holder', async () => {
  const van = await make('/v1/vehicles', { name: 'Van', license_plate: 'VA N 1' });
  const { id } = await createItem(gateway, { name: 'Registration Van' });
  await createItem(gateway);
  await put(id, {
    holders: [
      { kind: 'vehicle', vin: 'V-7' },
      { kind: 'vehicle', id: van },
    ],
  });
  for (const path of [`vehicle/${van}`, `holder/vehicle/${van}`]) {
    const { status, json, text } = await gateway.send('GET', `/v1/expirationitems/${path}`);
    expect(status, text).toBe(200);
    expect(json.expiration_items.map((item: { id: string }) => item.id)).toEqual([id]);
    expect(json.total).toBe(1);
  }
  const company = await make('/v1/companies', { name: 'Empty' });
  for (const path of [`company/${company}`, `holder/company/${company}`])
    expect((await gateway.send('GET', `/v1/expirationitems/${path}`)).json.total).toBe(0);
  for (const path of ['vehicle/', 'company/', 'holder/vehicle/', 'holder/contact/', 'holder/location/'])
    expectError(
      await gateway.send('GET', `/v1/expirationitems/${path}${company.replace(/^./, 'f')}`),
      404,
      'NOT_FOUND',
    );
  expectError(await gateway.send('GET', `/v1/expirationitems/holder/tag/${van}`), 404, 'NOT_FOUND');
});

test('one holder is removed by its id', async () => {
  const { id } = await createItem(gateway);
  const van = await make('/v1/vehicles', { name: 'Van' });
  const holders = [truck, van].map((id) => ({ kind: 'vehicle', id }));
  const { headers } = await put(id, { holders: [...holders, { kind: 'contact', id: driver }] });
  const remove = (holderId: string, request = {}) => gateway.send('DELETE', `${at(id)}/${holderId}`, request);
  expectError(await remove(truck, { headers: { 'If-Match': '"other"' } }), 412, 'PRECONDITION_FAILED');
  const match = { 'If-Match': headers.get('etag') ?? '' };
  const removed = await remove(truck.toUpperCase(), { headers: match });
  expect(removed.status, removed.text).toBe(200);
  expect(removed.json.holders.map(({ name }: { name: string }) => name)).toEqual(['Van', 'Dora']);
  expect((await get(id)).json).toEqual(removed.json);
  expect(removed.headers.get('etag')).toBe((await get(id)).headers.get('etag'));
  // The vehicle itself stays.
  expect((await gateway.send('GET', `/v1/companies/${truck}`)).status).toBe(404);
  expect((await gateway.graphql(`{ vehicle(id: "${truck}") { name } }`)).data.vehicle.name).toBe('Truck 7');
  const key = { headers: { 'Idempotency-Key': 'once' } };
  const answers = [await remove(van, key), await remove(van, key)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
  for (const holderId of [truck, van, nobodys, 'no-uuid', '%00', '{holderId}', '%7Bid%7D'])
    expectError(await remove(holderId), 404, 'NOT_FOUND');
  expectError(await gateway.send('DELETE', `${at(nobodys)}/${driver}`), 404, 'NOT_FOUND');
  expectError(await gateway.send('DELETE', `${at('{id}')}/${driver}`), 404, 'NOT_FOUND');
  expectError(await gateway.send('GET', `${at(id)}/${driver}`), 405, 'METHOD_NOT_ALLOWED');
  const stranger = await createTenant(gateway.database, 'Other stranger');
  expectError(await remove(driver, { token: stranger.admin }), 404, 'NOT_FOUND');
  expect((await get(id)).json.holders).toHaveLength(1);
});

test('what is wrong has the status that says so', async () => {
  const { id } = await createItem(gateway);
  const twins = [
    await make('/v1/vehicles', { name: 'Twin', license_plate: 'TWO 1' }),
    await make('/v1/vehicles', { name: 'Twin', license_plate: 'TWO-1' }),
  ];
  for (const send of [put, post]) {
    expectError(await send(id, { holders: [{ kind: 'vehicle', id: driver }] }), 400, 'BAD_REQUEST');
    expectError(await send(id, { holders: [{ kind: 'boat', id: driver }] }), 400, 'BAD_REQUEST');
    expectError(await send(id, { holders: [{ kind: 'vehicle' }] }), 400, 'BAD_REQUEST');
    expectError(await send(id, {}), 400, 'BAD_REQUEST');
    expectError(await send(id, { holders: [{ kind: 'vehicle', license_plate: 'NONE' }] }), 404, 'NOT_FOUND');
    const several = await send(id, { holders: [{ kind: 'vehicle', license_plate: 'two1' }] });
    expectError(several, 409, 'CONFLICT');
    for (const twin of twins) expect(several.json.message).toContain(twin);
    expectError(await send(nobodys, { holders: [] }), 404, 'NOT_FOUND');
  }
  expectError(await get(nobodys), 404, 'NOT_FOUND');
  const stranger = await createTenant(gateway.database, 'Stranger');
  expectError(await get(id, stranger.admin), 404, 'NOT_FOUND');
  expectError(await put(id, { holders: [] }, { 'If-Match': '"other"' }), 412, 'PRECONDITION_FAILED');
});
