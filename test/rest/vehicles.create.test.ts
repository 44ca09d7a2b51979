import { describe, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';
import { create, expectError, expectNothingWritten, nowhere } from './support.js';

const gateway = useGateway();

const post = (body: unknown) => gateway.send('POST', '/v1/vehicles', { body });

describe('201', () => {
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

  test('texts are kept to the letter', async () => {
    const name = ' "Ünïcode" \\ </script> 😀\u200d\t\n ';
    expect((await create(gateway, { name })).name).toBe(name);
  });
});

describe('409 CONFLICT', () => {
  test('for an id that the caller does not see: of another organization, or of another workspace', async () => {
    const stranger = await createTenant(gateway.database, 'Stranger');
    const theirs = await create(gateway, {}, stranger.admin);
    const elsewhere = await create(gateway, { team_id: gateway.otherTeamId });
    await expectNothingWritten(gateway, async () => {
      for (const [{ id }, token] of [
        [theirs, gateway.admin],
        [elsewhere, gateway.member],
      ] as const) {
        const response = await gateway.send('POST', '/v1/vehicles', { body: { id }, token });
        expectError(response, 409, 'CONFLICT', /^id\b/);
      }
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

  test('white space inside tells vins apart', async () => {
    await create(gateway, { vin: 'A B' });
    await create(gateway, { vin: 'AB' });
  });
});

describe('400 BAD_REQUEST', () => {
  test.each(['status_id', 'folder_id', 'type_id', 'vehicle_fuel_type_id'])(
    'but a %s that names nothing we hold is kept as sent',
    async (member) => {
      expect((await create(gateway, { [member]: nowhere }))[member]).toBe(nowhere);
    },
  );
});
