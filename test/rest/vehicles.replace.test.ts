import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { blank, create, createLinked, scalars } from './support.js';

const gateway = useGateway();

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

  test.each<object>([{}, { team_id: null }, { team_id: '00000000-0000-0000-0000-000000000000' }])(
    'with %j, the vehicle stays in its workspace',
    async (body) => {
      const vehicle = await create(gateway, { team_id: gateway.otherTeamId });
      const response = await put(vehicle, { name: 'Still there', ...body });
      expect(response.json).toMatchObject({ name: 'Still there', team_id: gateway.otherTeamId });
    },
  );

  test('a vehicle can be moved to another workspace of the caller', async () => {
    const vehicle = await create(gateway);
    const response = await put(vehicle, { team_id: gateway.otherTeamId });
    expect(response.json).toMatchObject({ id: vehicle.id, team_id: gateway.otherTeamId });
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
});
