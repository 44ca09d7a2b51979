import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
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
  serverId,
} from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (body: unknown) => gateway.send('POST', '/v1/vehicles', { body });

describe('201', () => {
  test('an empty object makes a vehicle of defaults, with Location and a strong ETag', async () => {
    const response = await post({});
    expect(response.status).toBe(201);
    expect(response.json).toStrictEqual({
      ...blank,
      id: serverId,
      team_id: gateway.teamId,
      modified: '2026-11-20T09:30:00.000Z',
    });
    expect(response.headers.get('location')).toBe(`/v1/vehicles/${response.json.id}`);
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  });

  test('every written member comes back as sent, nested models whole', async () => {
    const { locationId, contactId } = await createLinked(gateway, gateway);
    const fieldId = newId();
    const sent = {
      ...Object.fromEntries(Object.entries(scalars).map(([member, [, value]]) => [member, value])),
      location_id: locationId,
      assigned_to_contact_id: contactId,
      assigned_to: { id: gateway.userId },
      team_id: gateway.otherTeamId,
      custom_fields: [
        { id: fieldId, name: 'Bay', value: '7' },
        { name: null, value: '' },
      ],
    };
    const { json } = await post(sent);
    expect(Object.keys(json).sort()).toEqual([...Object.keys(blank), 'id', 'modified', 'team_id'].sort());
    expect(json).toStrictEqual({
      ...sent,
      assigned_to: {
        id: gateway.userId,
        name: 'Ada Admin',
        email: 'ada@example.com',
        team_id: gateway.teamId,
      },
      custom_fields: [
        { id: fieldId, name: 'Bay', value: '7' },
        { id: serverId, name: null, value: '' },
      ],
      modified: '2026-11-20T09:30:00.000Z',
    });
    const listed = await gateway.send('GET', '/v1/vehicles?term=trim');
    expect(listed.json.total).toBe(0);
    const { json: page } = await gateway.send('GET', '/v1/vehicles?term=model');
    expect(page.vehicles).toEqual([json]);
  });

  test('null means the default for every member', async () => {
    const everything = {
      ...blank,
      id: null,
      team_id: null,
      modified: null,
      is_archived: null,
      custom_fields: null,
    };
    expect(await create(gateway, everything)).toStrictEqual({
      ...blank,
      id: serverId,
      team_id: gateway.teamId,
      modified: expect.any(String),
    });
  });

  test('members match in any letter case, unknown ones are ignored, at every depth', async () => {
    const vehicle = await create(gateway, {
      NAME: 'Van',
      License_Plate: 'AB 1',
      bodyType: 'ignored',
      wheels: 4,
      ['__proto__']: { name: 'ignored' },
      Assigned_To: { ID: gateway.userId, wheels: 4 },
      CUSTOM_FIELDS: [{ Name: 'Bay', VALUE: '7', wheels: 4 }],
    });
    expect(vehicle).toMatchObject({
      name: 'Van',
      license_plate: 'AB 1',
      body_type: null,
      assigned_to: { id: gateway.userId },
      custom_fields: [{ name: 'Bay', value: '7' }],
    });
  });

  test.each([
    { name: 'exact', NAME: 'other', Name: 'other' },
    { NAME: 'other', Name: 'other', name: 'exact' },
  ])('an exact spelling wins over others: %j', async (body) => {
    expect((await create(gateway, body)).name).toBe('exact');
  });

  test("the server's own members are ignored, whatever they hold", async () => {
    const sent = {
      modified: '1999-01-01T00:00:00Z',
      created: 5,
      organization_id: nowhere,
      assigned_to: {
        id: gateway.userId,
        name: 'Eve',
        email: 'eve@example.com',
        team_id: gateway.otherTeamId,
      },
    };
    const vehicle = await create(gateway, sent);
    expect(vehicle.modified).toBe('2026-11-20T09:30:00.000Z');
    expect(vehicle.assigned_to).toMatchObject({
      name: 'Ada Admin',
      email: 'ada@example.com',
      team_id: gateway.teamId,
    });
    expect((await create(gateway, { modified: { not: 'a date' } })).modified).toBe(
      '2026-11-20T09:30:00.000Z',
    );
  });

  test('a client may choose the id', async () => {
    const id = '6F9619FF-8B86-D011-B42D-00CF4FC964FF';
    const response = await post({ id });
    expect(response.status).toBe(201);
    expect(response.json.id.toUpperCase()).toBe(id);
    expect(response.headers.get('location')).toBe(`/v1/vehicles/${response.json.id}`);
  });

  test('texts are kept to the letter', async () => {
    const name = ' "Ünïcode" \\ </script> 😀\u200d\t\n ';
    expect((await create(gateway, { name })).name).toBe(name);
  });
});

describe('409 CONFLICT', () => {
  test('for an id that exists, in any letter case', async () => {
    const { id } = await create(gateway);
    await expectNothingWritten(gateway, async () => {
      expectError(await post({ id }), 409, 'CONFLICT', /^id\b/);
      expectError(await post({ id: id.toUpperCase(), name: 'Other' }), 409, 'CONFLICT', /^id\b/);
    });
  });

  test.each(['WDB 123', 'wdb 123', ' WDB 123', 'Wdb 123\t\n', '\u00a0WDB 123'])(
    'for the vin %j beside "WDB 123"',
    async (vin) => {
      await post({ vin: 'WDB 123' });
      await expectNothingWritten(gateway, async () => {
        expectError(await post({ vin }), 409, 'CONFLICT', /^vin\b/);
      });
    },
  );

  test('letter case does not tell vins apart beyond ASCII either', async () => {
    await create(gateway, { vin: 'ÉÀÜ-1' });
    expectError(await post({ vin: 'éàü-1' }), 409, 'CONFLICT', /^vin\b/);
    expectError(await post({ vin: 'e\u0301a\u0300u\u0308-1' }), 409, 'CONFLICT', /^vin\b/);
  });

  test('for a vin of another workspace of the organization', async () => {
    await create(gateway, { vin: 'SHARED', team_id: gateway.otherTeamId });
    const response = await gateway.send('POST', '/v1/vehicles', {
      token: gateway.member,
      body: { vin: 'shared' },
    });
    expectError(response, 409, 'CONFLICT', /^vin\b/);
  });

  test.each([null, '', ' ', '\t'])('never for the vin %j', async (vin) => {
    expect((await create(gateway, { vin })).vin).toBe(vin);
    expect((await create(gateway, { vin })).vin).toBe(vin);
  });

  test('white space inside tells vins apart', async () => {
    await create(gateway, { vin: 'A B' });
    await create(gateway, { vin: 'AB' });
  });
});

describe('400 BAD_REQUEST', () => {
  test.each<[member: string, body: object]>([
    ['location_id', { location_id: nowhere }],
    ['assigned_to_contact_id', { assigned_to_contact_id: nowhere }],
    ['assigned_to', { assigned_to: { id: nowhere } }],
    ['team_id', { team_id: nowhere }],
  ])('for a %s that names nothing', async (member, body) => {
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await post(body), new RegExp(`^${member}\\b`));
    });
  });

  test.each(['status_id', 'folder_id', 'type_id', 'vehicle_fuel_type_id'])(
    'but a %s that names nothing we hold is kept as sent',
    async (member) => {
      expect((await create(gateway, { [member]: nowhere }))[member]).toBe(nowhere);
    },
  );
});
