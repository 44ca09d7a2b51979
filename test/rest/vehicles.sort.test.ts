import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { create, createLinked, scalars } from './support.js';

/** Enough for values, ties and nulls. */
const rows = 4;

const gateway = useGateway();
let members: [name: string, smaller: unknown, larger: unknown][];
beforeAll(async () => {
  const [one, two] = [await createLinked(gateway, gateway), await createLinked(gateway, gateway)];
  const [teamId, otherTeamId] = [gateway.teamId, gateway.otherTeamId].sort();
  members = [
    ...Object.entries(scalars).map(([name, [a, b]]): [string, unknown, unknown] => [name, a, b]),
    ['location_id', one.locationId, two.locationId],
    ['assigned_to_contact_id', one.contactId, two.contactId],
    ['team_id', teamId, otherTeamId],
  ];
  // Of every member: one small value, two equal large ones (one, where it must be unique), the rest none.
  for (let row = 0; row < rows; row++) {
    const values = members.map(([name, smaller, larger]) => {
      const unique = name === 'vin' || name === 'id';
      const value = row === 0 ? smaller : row === 1 || (row === 2 && !unique) ? larger : undefined;
      return [name, value];
    });
    await create(gateway, Object.fromEntries(values));
  }
});

type Row = Record<string, unknown> & { id: string };

async function read(
  query: Record<string, string>,
): Promise<{ vehicles: Row[]; pages: number; total: number }> {
  const response = await gateway.send('GET', `/v1/vehicles?${new URLSearchParams(query)}`);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const sortable = [...Object.keys(scalars), 'location_id', 'assigned_to_contact_id', 'team_id', 'modified'];

describe.each(sortable)('sort=%s', (sort) => {
  test('desc is asc backwards, and small comes before large', async () => {
    const ascending = (await read({ sort })).vehicles.map((row) => row[sort]);
    const descending = (await read({ sort, sortDirection: 'desc' })).vehicles.map((row) => row[sort]);
    expect(descending).toEqual(ascending.toReversed());
    const [, smaller, larger] = members.find(([name]) => name === sort) ?? [];
    if (sort !== 'modified') expect(ascending).toEqual(expect.arrayContaining([smaller, larger]));
    expect(ascending.indexOf(smaller)).toBeLessThanOrEqual(ascending.indexOf(larger));
  });
});

test('ties are broken by id, whatever the order of creation or of names', async () => {
  const idOf = (n: number) => `018f0000-0000-7000-8000-0000000001${n}0`;
  for (const [n, name] of [
    [2, 'a'],
    [3, 'b'],
    [1, 'c'],
  ] as const) {
    await create(gateway, { id: idOf(n), name, make: 'Tied' });
  }
  const { vehicles } = await read({ term: 'tied', sort: 'make' });
  expect(vehicles.map(({ id }) => id)).toEqual([1, 2, 3].map(idOf));
});

test('a page has 100 vehicles when no size is asked for', async () => {
  const organizationId = gateway.organizationId;
  await gateway.database.prisma.vehicle.createMany({
    data: Array.from({ length: 194 }, () => ({
      id: newId(),
      organizationId,
      teamId: gateway.teamId,
      name: 'Many',
    })),
  });
  const first = await read({});
  expect(first).toMatchObject({ pages: 3, page: 1, total: 201 });
  expect(first.vehicles).toHaveLength(100);
  expect((await read({ page: '3' })).vehicles).toHaveLength(1);
  expect((await read({ paging: '500' })).vehicles).toHaveLength(201);
});
