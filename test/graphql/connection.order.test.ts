import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { vehicles } from '../../src/resources/vehicles.js';
import { createLinked } from '../rest/support.js';
import { plainColumns } from '../support/declared.js';
import { testTime, useGateway } from '../support/gateway.js';
import { directions, insert, readIds, readPage, sortedBySql, walk } from './lists.js';
import { ask } from './support.js';

const gateway = useGateway();
/** Of each field that a list can be ordered by, a small and a large value. */
let samples: Record<string, readonly [unknown, unknown]>;
beforeAll(async () => {
  const [one, two] = [await createLinked(gateway, gateway), await createLinked(gateway, gateway)];
  const { database, organizationId, teamId } = gateway;
  const other = { id: one.locationId, organizationId, teamId, name: 'Other user', email: 'o@example.com' };
  await database.prisma.user.create({ data: other });
  samples = {
    ID: ['018f0000-0000-7000-8000-00000000000a', 'f18f0000-0000-7000-8000-00000000000b'],
    ...Object.fromEntries(plainColumns(vehicles).map(({ name, values }) => [inCapitals(name), values])),
    // Letters of any language, and what SQL and patterns would read otherwise.
    NAME: ['', 'Zoë “the” van 😀'],
    MODEL: ['100%', '100_'],
    TRIM: ['a\\', 'a"\''],
    COLOR: ['Ärger', 'zebra'],
    LOCATION_ID: [one.locationId, two.locationId],
    ASSIGNED_TO_CONTACT_ID: [one.contactId, two.contactId],
    ASSIGNED_TO_ID: [gateway.userId, other.id],
    TEAM_ID: [gateway.teamId, gateway.otherTeamId],
    CREATED: [testTime, new Date(testTime.getTime() + 1)],
    MODIFIED: [testTime, new Date(testTime.getTime() + 1)],
  };
});
beforeEach(() => gateway.database.prisma.vehicle.deleteMany());

const inCapitals = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
const column = (field: string) => field.toLowerCase().replace(/_(.)/g, (_, c: string) => c.toUpperCase());

/** Of every field: two small values, two large ones and two without any, but each id and VIN once. */
function rows(): object[] {
  return [0, 0, 1, 1, 2, 2].map((which, i) => {
    const entries = Object.entries(samples)
      .filter(([field]) => (field !== 'ID' && field !== 'VIN') || i % 2 === 0)
      .map(([field, values]) => [column(field), values[which]]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  });
}

test('every field that a list can be ordered by is here', async () => {
  const { __type } = await ask(gateway, '{ __type(name: "VehicleOrderField") { enumValues { name } } }');
  const names = __type.enumValues.map(({ name }: { name: string }) => name);
  // What is no column of theirs is in connection.computed-orders.test.ts.
  const columns = names.filter((name: string) => !/(?<=.)_NAME$|^CUSTOM_FIELD$/.test(name));
  expect(columns.sort()).toEqual(Object.keys(samples).sort());
});

describe.each(directions)('%s', (direction) => {
  test('every field: all in one page, or page by page from either end, as PostgreSQL sorts', async () => {
    await insert(gateway, gateway, rows());
    const failures: string[] = [];
    for (const field of Object.keys(samples)) {
      const orderBy = { field, direction };
      const sorted = await sortedBySql(gateway, field, direction);
      const attempt = async (what: string, work: () => Promise<string[]>) => {
        const found = await work().catch((error: Error) => error.message.split('\n', 1)[0]);
        if (`${found}` !== `${sorted}`) failures.push(`${field}, ${what}: ${found}`);
      };
      await attempt('one page', () => readIds(gateway, { orderBy }));
      await attempt('forward', () => walk(gateway, 'forward', 1, { orderBy }));
      await attempt('backward', () => walk(gateway, 'backward', 3, { orderBy }));
    }
    expect(failures).toEqual([]);
  });

  test('nulls come last when ascending and first when descending', async () => {
    const [some, none] = await insert(gateway, gateway, [{ year: 2020 }, {}]);
    const expected = direction === 'ASC' ? [some, none] : [none, some];
    expect(await readIds(gateway, { orderBy: { field: 'YEAR', direction } })).toEqual(expected);
  });
});

test('is by name, ascending, when nothing or null is asked for', async () => {
  const [c, a, b] = await insert(gateway, gateway, [{ name: 'c' }, { name: 'a' }, { name: 'b' }]);
  expect(await readIds(gateway, {})).toEqual([a, b, c]);
  expect(await readIds(gateway, { orderBy: null })).toEqual([a, b, c]);
  const query = '{ vehicles(orderBy: { field: NAME }) { nodes { name } } }';
  expect((await ask(gateway, query)).vehicles.nodes.map(({ name }: { name: string }) => name)).toEqual([
    'a',
    'b',
    'c',
  ]);
});

describe('a walk while others write', () => {
  test.each([
    ['forward', 'ASC'],
    ['forward', 'DESC'],
    ['backward', 'ASC'],
    ['backward', 'DESC'],
  ] as const)('%s, %s: each row that stays is met once, in order', async (way, direction) => {
    const years = [1, 1, 1, 2, 2, null, null, 3, 3, null];
    const staying = await insert(
      gateway,
      gateway,
      years.map((year) => ({ year })),
    );
    const { vehicle } = gateway.database.prisma;
    const orderBy = { field: 'YEAR', direction };
    let steps = 0;
    const passing = await insert(gateway, gateway, [{ year: 1 }, { year: 2 }, { year: 3 }, {}]);
    const found = await walk(gateway, way, 3, { orderBy }, async ({ edges }) => {
      steps += 1;
      // Rows come at either end and in the middle; those that pass go, the one at the cursor among them.
      await insert(gateway, gateway, [{ year: 0, make: 'new' }, { year: 2, make: 'new' }, { make: 'new' }]);
      const here = edges.map(({ node }) => node.id).filter((id) => passing.includes(id));
      await vehicle.deleteMany({ where: { id: { in: [...here, ...passing.slice(steps)] } } });
    });
    const sorted = (await sortedBySql(gateway, 'YEAR', direction)).filter((id) => staying.includes(id));
    expect(steps).toBeGreaterThan(3);
    expect(found.filter((id) => staying.includes(id))).toEqual(sorted);
    expect(new Set(found).size).toBe(found.length);
  });

  test('a cursor outlives its row', async () => {
    const ids = await insert(gateway, gateway, [{ year: 1 }, { year: 1 }, { year: 1 }]);
    const orderBy = { field: 'YEAR', direction: 'ASC' } as const;
    const { edges } = await readPage(gateway, { orderBy });
    await gateway.database.prisma.vehicle.delete({ where: { id: ids[1] as string } });
    const middle = edges[1]?.cursor as string;
    expect(await readIds(gateway, { orderBy, after: middle })).toEqual([ids[2]]);
    expect(await readIds(gateway, { orderBy, first: null, last: 1, before: middle })).toEqual([ids[0]]);
  });
});

describe('any rows in any order, in pages of any size', () => {
  const row = fc.record({
    name: fc.option(fc.constantFrom('a', 'A', 'ä', 'b', '', ' ', '%', '10', '9')),
    year: fc.option(fc.integer({ min: 1, max: 3 })),
    msrp: fc.option(fc.constantFrom(-0, 0.1, 0.1 + 0.2, 1e-300, 1e300, 9_007_199_254_740_992)),
    isArchived: fc.boolean(),
    modified: fc.constantFrom(0, 1, 999, 1000).map((ms) => new Date(testTime.getTime() + ms)),
    statusId: fc.option(fc.uuid()),
  });
  const field = fc.constantFrom('NAME', 'YEAR', 'MSRP', 'IS_ARCHIVED', 'MODIFIED', 'STATUS_ID', 'ID');

  test('walking forward is walking backward reversed is the whole list', async () => {
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 9 }),
      field,
      fc.constantFrom(...directions),
      fc.integer({ min: 1, max: 4 }),
      async (vehicles, field, direction, size) => {
        await gateway.database.prisma.vehicle.deleteMany();
        await insert(gateway, gateway, vehicles);
        const orderBy = { field, direction };
        const sorted = await sortedBySql(gateway, field, direction);
        expect(await readIds(gateway, { orderBy })).toEqual(sorted);
        expect(await walk(gateway, 'forward', size, { orderBy })).toEqual(sorted);
        expect(await walk(gateway, 'backward', size, { orderBy })).toEqual(sorted);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });
});
