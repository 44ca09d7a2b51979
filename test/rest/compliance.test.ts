import { randomUUID as newId } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

let categoryId: string;
let requirementId: string;
beforeAll(async () => {
  categoryId = (await post('categories', { name: 'Insurance' })).id;
  requirementId = (
    await post('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [categoryId] })
  ).id;
});

async function post(path: string, body: object) {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json;
}

let count = 0;
const vehicle = (body: object = {}) => post('vehicles', { name: `Truck ${++count}`, ...body });

/** Files an item as a paper of a vehicle. */
async function paper(vehicleId: string, body: object = {}): Promise<string> {
  const category = { id: categoryId };
  const { id } = await post('expirationitems', {
    name: 'Policy',
    category,
    expiration_date: '2027-03-31',
    ...body,
  });
  const data = { itemId: id, kind: 'VEHICLE' as const, holderId: vehicleId, vehicleId, position: 0 };
  await gateway.database.prisma.itemHolder.create({ data });
  return id;
}

const ask = (path: string, headers = {}) => gateway.send('GET', `/v1/compliance/${path}`, { headers });

describe('a vehicle', () => {
  test('without its papers is not compliant, and with them until they expire', async () => {
    const { id, name } = await vehicle();
    const holder = { kind: 'vehicle', id, name };
    const requirement = { id: requirementId, name: 'Insured' };
    const check = { requirement, since: '2026-11-20', until: null, item_id: null, is_too_short: false };
    const missing = { ...check, state: 'missing' };
    const before = await ask(`vehicles/${id}`);
    expect(before.status, before.text).toBe(200);
    expect(before.json).toEqual({
      ...{ compliant: false, state: 'non_compliant', on: '2026-11-20', is_past: false, until: null, holder },
      ...{ gaps: [missing], requirements: [missing] },
    });
    const itemId = await paper(id);
    const after = await ask(`vehicles/${id}`);
    expect(after.json).toMatchObject({ compliant: true, state: 'compliant', until: '2027-03-31', gaps: [] });
    expect((await ask(`vehicles/${id}?on=2027-03-31`)).json).toMatchObject({
      state: 'due',
      until: '2027-03-31',
    });
    const late = await ask(`vehicles/${id}?on=2027-04-01`);
    expect(late.json.gaps).toMatchObject([{ state: 'expired', since: '2027-04-01', item_id: itemId }]);
    // A hundred years ahead, and long ago.
    expect((await ask(`vehicles/${id}?on=2126-11-20`)).json).toMatchObject({ compliant: false });
    expect((await ask(`vehicles/${id}?on=2020-02-29`)).json).toMatchObject({
      compliant: true,
      is_past: true,
    });
  });

  test('is found by licence plate and VIN, and several by none', async () => {
    const { id } = await vehicle({ license_plate: 'AB-1234', vin: 'WVWZZZ1JZXW000001' });
    expect((await ask('vehicles?license_plate=ab%201234')).json.holder.id).toBe(id);
    expect((await ask('vehicles?vin=wvwzzz1jzxw000001&on=2027-01-01')).json).toMatchObject({
      on: '2027-01-01',
      holder: { id },
    });
    const other = await vehicle({ license_plate: 'AB1234' });
    const several = await ask('vehicles?license_plate=AB1234');
    expectError(several, 409, 'CONFLICT');
    expect(several.text).toContain(id);
    expect(several.text).toContain(other.id);
    expectError(await ask('vehicles?vin=unknown'), 404, 'NOT_FOUND');
  });

  test('has an entity tag, which changes with the answer', async () => {
    const { id } = await vehicle();
    const first = await ask(`vehicles/${id}`);
    const tag = first.headers.get('etag') ?? '';
    expect((await ask(`vehicles/${id}`, { 'If-None-Match': tag })).status).toBe(304);
    expectError(await ask(`vehicles/${id}`, { 'If-Match': '"other"' }), 412, 'PRECONDITION_FAILED');
    const head = await gateway.send('HEAD', `/v1/compliance/vehicles/${id}`);
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag]);
    await paper(id);
    const second = await ask(`vehicles/${id}`, { 'If-None-Match': tag });
    expect([second.status, second.json.compliant]).toEqual([200, true]);
  });
});

test('people, companies and locations are asked about in the same way', async () => {
  const contact = await post('contacts', { name: 'Dana', email: 'dana@example.com' });
  const company = await post('companies', { name: 'Bricks', tax_id: 'DE 1' });
  const location = await post('locations', { name: 'Yard' });
  for (const path of [`contacts/${contact.id}`, 'contacts?email=DANA@example.com'])
    expect((await ask(path)).json).toMatchObject({ state: 'not_required', holder: { id: contact.id } });
  for (const path of [`companies/${company.id}`, 'companies?tax_id=de%201'])
    expect((await ask(path)).json).toMatchObject({ compliant: true, holder: { id: company.id } });
  for (const path of [`locations/${location.id}`, 'locations?name=yard'])
    expect((await ask(path)).json).toMatchObject({ gaps: [], holder: { id: location.id } });
});

test('what is no date, no key or unknown is refused', async () => {
  const { id } = await vehicle();
  for (const on of ['2027-02-29', 'today', '', '2027-1-1', '2027-01-01T00:00:00Z'])
    expectBadRequest(await ask(`vehicles/${id}?on=${on}`), /on must be a date/);
  expectBadRequest(await ask('vehicles'), /license_plate/);
  expectBadRequest(await ask('vehicles?vin=1&license_plate=2'), /license_plate/);
  expectBadRequest(await ask(`vehicles/${id}?day=2027-01-01`), /day is unknown/);
  expectError(await ask(`vehicles/${newId()}`), 404, 'NOT_FOUND');
  expectError(await ask('vehicles/truck'), 404, 'NOT_FOUND');
  const viewer = await gateway.send('GET', `/v1/compliance/vehicles/${id}`, { token: gateway.uploader });
  expectError(viewer, 403, 'FORBIDDEN');
});
