import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { create, eventsOf, patch } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const put = ({ id }: { id: string }, body: object) => gateway.send('PUT', `/v1/vehicles/${id}`, { body });
const set = (path: string, value: unknown) => [{ op: 'replace', path, value }];

/** Returns the events of a vehicle after its first, in the numbers of the contract's `type_id`. */
async function typesAfterFirst(vehicle: { id: string }): Promise<number[]> {
  return (await eventsOf(gateway, vehicle)).slice(1).map(({ typeId }) => typeId);
}

test('creating writes one event: who, when, what, and the vehicle it is about', async () => {
  const vehicle = await create(gateway, {
    name: 'Van 7',
    year: 2020,
    custom_fields: [{ name: 'Bay', value: '7' }],
  });
  const [event, ...others] = await eventsOf(gateway, vehicle);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    typeId: 1,
    organizationId: gateway.organizationId,
    teamId: gateway.teamId,
    userId: gateway.userId,
    userName: 'Ada Admin',
    created: testTime,
    description: expect.stringMatching(/\bvehicle\b.*\bVan 7\b.*\bcreated\b/i),
    entities: [{ entityId: vehicle.id, typeId: 3, position: 0 }],
  });
  expect(JSON.parse(event?.details ?? '')).toMatchObject({
    name: { before: null, after: 'Van 7' },
    year: { before: null, after: 2020 },
    custom_fields: { after: vehicle.custom_fields },
  });
});

test('patching writes one event with only the changes, whatever the number of operations', async () => {
  const vehicle = await create(gateway, { name: 'Van', color: 'red', license_plate: 'AB 1' });
  gateway.clock.now = new Date('2026-12-01T00:00:00.000Z');
  const operations = [...set('/license_plate', 'AB 2'), ...set('/color', 'blue'), ...set('/color', null)];
  const { json } = await patch(gateway, vehicle, operations, { token: gateway.member });
  gateway.clock.now = testTime;
  expect(json.modified).toBe('2026-12-01T00:00:00.000Z');
  const [, event, ...others] = await eventsOf(gateway, vehicle);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    typeId: 2,
    userName: 'Max Member',
    created: new Date('2026-12-01T00:00:00.000Z'),
    description: expect.stringMatching(/\bvehicle\b.*\bVan\b.*\bupdated\b/i),
    entities: [{ entityId: vehicle.id, typeId: 3, position: 0 }],
  });
  expect(JSON.parse(event?.details ?? '')).toEqual({
    license_plate: { before: 'AB 1', after: 'AB 2' },
    color: { before: 'red', after: null },
  });
});

test('replacing writes one event, with the defaults that values returned to', async () => {
  const vehicle = await create(gateway, { name: 'Van', year: 2020, custom_fields: [{ name: 'Bay' }] });
  await put(vehicle, { name: 'Bus' });
  const [, event, ...others] = await eventsOf(gateway, vehicle);
  expect(others).toEqual([]);
  expect(event?.typeId).toBe(2);
  expect(JSON.parse(event?.details ?? '')).toEqual({
    name: { before: 'Van', after: 'Bus' },
    year: { before: 2020, after: null },
    custom_fields: { before: vehicle.custom_fields, after: [] },
  });
});

test("an assignment is logged in the contract's words", async () => {
  const vehicle = await create(gateway);
  await patch(gateway, vehicle, set('/assigned_to', { id: gateway.userId }));
  const [, event] = await eventsOf(gateway, vehicle);
  expect(event?.description).toMatch(/\bassigned_to\b/);
  expect(Object.keys(JSON.parse(event?.details ?? ''))).toEqual(['assigned_to']);
});

test('a move to another workspace is logged there', async () => {
  const vehicle = await create(gateway);
  await patch(gateway, vehicle, set('/team_id', gateway.otherTeamId));
  const [, event] = await eventsOf(gateway, vehicle);
  expect(event).toMatchObject({ typeId: 2, teamId: gateway.otherTeamId });
  expect(JSON.parse(event?.details ?? '')).toEqual({
    team_id: { before: gateway.teamId, after: gateway.otherTeamId },
  });
});

describe('taking out of use and back is an event of its own', () => {
  test('by PATCH', async () => {
    const vehicle = await create(gateway, { name: 'Van' });
    await patch(gateway, vehicle, set('/is_archived', true));
    await patch(gateway, vehicle, [...set('/is_archived', false), ...set('/name', 'Bus')]);
    expect(await typesAfterFirst(vehicle)).toEqual([5, 6]);
    const [, archived, restored] = await eventsOf(gateway, vehicle);
    expect(archived?.description).toMatch(/\bVan\b.*\barchived\b/);
    expect(restored?.description).toMatch(/\bBus\b.*\brestored\b/);
    expect(JSON.parse(archived?.details ?? '')).toEqual({ is_archived: { before: false, after: true } });
  });

  test('by PUT', async () => {
    const vehicle = await create(gateway, { is_archived: true });
    await put(vehicle, {});
    await put(vehicle, { is_archived: true });
    await put(vehicle, { is_archived: true, name: 'Still out of use' });
    expect(await typesAfterFirst(vehicle)).toEqual([6, 5, 2]);
  });
});

test('a vehicle without a name goes by its plate, then its vin, then by nothing', async () => {
  for (const [body, title] of [
    [{ vin: 'VIN 9', license_plate: 'AB 9' }, 'AB 9'],
    [{ vin: 'VIN 8' }, 'VIN 8'],
    [{}, ''],
  ] as const) {
    const [event] = await eventsOf(gateway, await create(gateway, body));
    expect(event?.description).toContain(title);
    expect(event?.description).not.toMatch(/null|undefined|""/);
  }
});

test('what changed nothing is no event', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  expect((await patch(gateway, vehicle, [])).status).toBe(304);
  expect((await patch(gateway, vehicle, set('/name', 'Van'))).status).toBe(304);
  expect(await typesAfterFirst(vehicle)).toEqual([]);
});
