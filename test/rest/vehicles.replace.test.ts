import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import {
  blank,
  create,
  createLinked,
  expectBadRequest,
  expectError,
  expectNothingWritten,
  nowhere,
  scalars,
} from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const put = ({ id }: { id: string }, body: unknown, token?: string) =>
  gateway.send('PUT', `/v1/vehicles/${id}`, { body, ...(token && { token }) });

describe('200', () => {
  test('a member left out returns to its default, a list to []', async () => {
    const { locationId, contactId } = await createLinked(gateway, gateway);
    const { id: _, ...values } = Object.fromEntries(
      Object.entries(scalars).map(([name, [, value]]) => [name, value]),
    );
    const vehicle = await create(gateway, {
      ...values,
      location_id: locationId,
      assigned_to_contact_id: contactId,
      assigned_to: { id: gateway.userId },
      custom_fields: [{ name: 'Bay', value: '7' }],
    });
    const response = await put(vehicle, { name: 'Only this' });
    expect(response.status).toBe(200);
    expect(response.json).toStrictEqual({
      ...blank,
      id: vehicle.id,
      name: 'Only this',
      team_id: gateway.teamId,
      modified: '2026-11-20T09:30:00.001Z',
    });
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('location')).toBeNull();
  });

  test.each([...Object.keys(blank), 'team_id'])('null returns %s to its default', async (member) => {
    const { locationId, contactId } = await createLinked(gateway, gateway);
    const { id: _, ...values } = Object.fromEntries(
      Object.entries(scalars).map(([name, [small]]) => [name, small]),
    );
    const full = {
      ...values,
      vin: null,
      location_id: locationId,
      assigned_to_contact_id: contactId,
      assigned_to: { id: gateway.userId },
      custom_fields: [{ name: 'Bay', value: '7' }],
    };
    const vehicle = await create(gateway, full);
    const response = await put(vehicle, { ...vehicle, [member]: null });
    const expected = { ...blank, team_id: gateway.teamId }[member];
    expect(response.json).toEqual({ ...vehicle, [member]: expected, modified: response.json.modified });
  });

  test('a missing workspace becomes the default workspace of the caller', async () => {
    const vehicle = await create(gateway, { team_id: gateway.otherTeamId });
    expect((await put(vehicle, { name: 'Back home' })).json.team_id).toBe(gateway.teamId);
  });

  test('a vehicle can be moved to another workspace of the caller', async () => {
    const vehicle = await create(gateway);
    const response = await put(vehicle, { team_id: gateway.otherTeamId });
    expect(response.json).toMatchObject({ id: vehicle.id, team_id: gateway.otherTeamId });
  });

  test("the server's own members are ignored", async () => {
    const vehicle = await create(gateway, { name: 'Van', assigned_to: { id: gateway.userId } });
    const response = await put(vehicle, {
      ...vehicle,
      id: nowhere,
      modified: '1999-01-01T00:00:00Z',
      created: 5,
      assigned_to: { ...vehicle.assigned_to, name: 'Eve', email: 'eve@example.com', team_id: nowhere },
      color: 'red',
    });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ ...vehicle, color: 'red', modified: response.json.modified });
    expect(response.json.modified > vehicle.modified).toBe(true);
    expect(response.json.modified.startsWith('2026-11-20T09:30')).toBe(true);
  });

  test('a sent list replaces the old one, entries keep their ids', async () => {
    const vehicle = await create(gateway, { custom_fields: [{ name: 'a' }, { name: 'b' }] });
    const [a, b] = vehicle.custom_fields;
    const response = await put(vehicle, { custom_fields: [{ ...b, value: 'new' }, { name: 'c' }] });
    expect(response.json.custom_fields).toEqual([
      { id: b.id, name: 'b', value: 'new' },
      { id: expect.any(String), name: 'c', value: null },
    ]);
    expect(response.json.custom_fields[1].id).not.toBe(a.id);
  });

  test('an answer can be sent back as it is, and changes nothing', async () => {
    const vehicle = await create(gateway, {
      name: 'Van',
      assigned_to: { id: gateway.userId },
      custom_fields: [{ name: 'Bay' }],
    });
    const response = await put(vehicle, vehicle);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ ...vehicle, modified: response.json.modified });
  });

  test('a vehicle keeps its own vin, in another spelling too', async () => {
    const vehicle = await create(gateway, { vin: 'KEEP 1' });
    expect((await put(vehicle, { vin: 'keep 1' })).json.vin).toBe('keep 1');
  });
});

describe('404 NOT_FOUND', () => {
  test('for an id that names nothing: PUT never creates', async () => {
    await expectNothingWritten(gateway, async () => {
      expectError(await put({ id: nowhere }, { name: 'New' }), 404, 'NOT_FOUND');
      expectError(await put({ id: nowhere }, { id: nowhere }), 404, 'NOT_FOUND');
    });
  });
});

describe('409 CONFLICT', () => {
  test('for a vin of another vehicle', async () => {
    await create(gateway, { vin: 'TAKEN' });
    const vehicle = await create(gateway, { vin: 'MINE', name: 'Van' });
    await expectNothingWritten(gateway, async () => {
      expectError(await put(vehicle, { vin: ' taken ' }), 409, 'CONFLICT', /^vin\b/);
    });
  });
});

describe('400 BAD_REQUEST', () => {
  test.each<[member: string, body: object]>([
    ['location_id', { location_id: nowhere }],
    ['assigned_to_contact_id', { assigned_to_contact_id: nowhere }],
    ['assigned_to', { assigned_to: { id: nowhere } }],
    ['team_id', { team_id: nowhere }],
  ])('for a %s that names nothing', async (member, body) => {
    const vehicle = await create(gateway, { name: 'Van' });
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await put(vehicle, body), new RegExp(`^${member}\\b`));
    });
  });
});
