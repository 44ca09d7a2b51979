import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { create, createLinked, scalars } from './support.js';

let gateway: TestGateway;
let members: [name: string, smaller: unknown, larger: unknown][];
beforeAll(async () => {
  gateway = await startGateway();
  const [one, two] = [await createLinked(gateway, gateway), await createLinked(gateway, gateway)];
  const [teamId, otherTeamId] = [gateway.teamId, gateway.otherTeamId].sort();
  members = [
    ...Object.entries(scalars).map(([name, [a, b]]): [string, unknown, unknown] => [name, a, b]),
    ['location_id', one.locationId, two.locationId],
    ['assigned_to_contact_id', one.contactId, two.contactId],
    ['team_id', teamId, otherTeamId],
  ];
  // Of every member: one small value, two equal large ones (one, where they must be unique), three without any.
  for (let row = 0; row < 6; row++) {
    const values = members.map(([name, smaller, larger]) => {
      const unique = name === 'vin' || name === 'id';
      const value = row === 0 ? smaller : row === 1 || (row === 2 && !unique) ? larger : undefined;
      return [name, value];
    });
    await create(gateway, Object.fromEntries(values));
  }
});
afterAll(() => gateway.close());

type Row = Record<string, unknown> & { id: string };

async function read(
  query: Record<string, string>,
): Promise<{ vehicles: Row[]; pages: number; total: number }> {
  const response = await gateway.send('GET', `/v1/vehicles?${new URLSearchParams(query)}`);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

async function walk(query: Record<string, string>, paging: number): Promise<Row[]> {
  const rows: Row[] = [];
  const { pages } = await read({ ...query, paging: `${paging}` });
  expect(pages).toBe(Math.ceil(6 / paging));
  for (let page = 1; page <= pages; page++) {
    rows.push(...(await read({ ...query, paging: `${paging}`, page: `${page}` })).vehicles);
  }
  return rows;
}

const sortable = [...Object.keys(scalars), 'location_id', 'assigned_to_contact_id', 'team_id', 'modified'];

describe.each(sortable)('sort=%s', (sort) => {
  test.each(['asc', 'desc'])(
    '%s: pages of 1, 2 and 3 hold each row once, in the order of one page',
    async (sortDirection) => {
      const { vehicles, total } = await read({ sort, sortDirection });
      expect(total).toBe(6);
      expect(new Set(vehicles.map(({ id }) => id)).size).toBe(6);
      for (const paging of [1, 2, 3]) expect(await walk({ sort, sortDirection }, paging)).toEqual(vehicles);
    },
  );

  test('desc is asc backwards, and small comes before large', async () => {
    const ascending = (await read({ sort })).vehicles.map((row) => row[sort]);
    const descending = (await read({ sort, sortDirection: 'desc' })).vehicles.map((row) => row[sort]);
    expect(descending).toEqual(ascending.toReversed());
    const [, smaller, larger] = members.find(([name]) => name === sort) ?? [];
    if (smaller !== undefined) expect(ascending.indexOf(smaller)).toBeLessThan(ascending.indexOf(larger));
  });
});

test('the order of a whole list is by value, then by id', async () => {
  const { vehicles } = await read({ sort: 'year' });
  const empty = vehicles.filter(({ year }) => year === null).map(({ id }) => id);
  expect(empty).toEqual([...empty].sort());
  expect(vehicles.map(({ year }) => year)).toEqual([1999, 2026, 2026, null, null, null]);
});

test('a page has 100 vehicles when no size is asked for', async () => {
  const organizationId = gateway.organizationId;
  await gateway.database.prisma.vehicle.createMany({
    data: Array.from({ length: 195 }, () => ({
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
