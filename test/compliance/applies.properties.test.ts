import { randomUUID as newId } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { appliesTo, readApplies, requiredResources } from '../../src/compliance/applies.js';
import { seed, some } from '../fuzz/runs.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

type Kind = keyof typeof requiredResources;

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const words = [
  '',
  ' ',
  'Straße',
  'STRASSE van',
  'old_1',
  'old%',
  'Σίσυφος',
  'e\u0301t\u00e9',
  'a\\b',
  'DE 1 ',
];
const ids = Array.from({ length: 3 }, () => newId());
const numbers = [-1, 0, 1, 2020];
const moments = ['2026-01-01T00:00:00.000Z', '2026-11-20T09:30:00.000Z', '2026-11-20T10:30:00.001+01:00'];

const pick = <T>(values: readonly T[], place: number): T => values[place % values.length] as T;
const customFieldsOf = (place: number) => [
  { id: pick(ids, place), name: pick(['Cost', null, 'cost '], place), value: pick([...words, null], place) },
];

beforeAll(async () => {
  const { database, organizationId, teamId, userId } = gateway;
  const { prisma } = database;
  await prisma.location.createMany({
    data: ids.map((id, place) => ({ id, organizationId, teamId, name: pick(words, place) })),
  });
  await prisma.contact.createMany({
    data: ids.map((id, place) => ({ id, organizationId, teamId, email: `${place}@example.org` })),
  });
  for (let place = 0; place < 24; place++) {
    const shared = {
      ...{
        organizationId,
        teamId,
        id: newId(),
        created: pick(moments, place),
        modified: pick(moments, place + 1),
      },
      ...{ name: `${pick(words, place)}${place}`, customFields: customFieldsOf(place) },
    };
    const optional = <T>(values: readonly T[]) => pick([null, ...values], place * 7);
    const place1 = { locationId: optional(ids), assignedToId: optional([userId]) };
    await prisma.vehicle.create({
      data: {
        ...{
          ...shared,
          ...place1,
          vin: optional(words) && `${optional(words)}${place}`,
          make: pick(words, place * 3),
          isArchived: place % 5 === 0,
        },
        ...{ year: optional(numbers), msrp: optional([0.5, ...numbers]), assignedToContactId: optional(ids) },
        primaryMeterReading: optional(numbers),
      },
    });
    await prisma.contact.create({
      data: { ...shared, ...place1, email: `Ä${place}@Example.com `, isActive: place % 4 > 0 },
    });
    await prisma.company.create({
      data: {
        ...{ ...shared, assignedToId: optional([userId]), primaryContactId: optional(ids) },
        ...{ taxId: `${optional(words)}${place}`, city: pick(words, place * 5), isArchived: place % 3 === 0 },
      },
    });
    await prisma.location.create({ data: { ...shared, parentLocationId: optional(ids) } });
  }
});

const word = fc.constantFrom(...words, 'OLD', '1', 'STRASSE', 'ÉTÉ');
const id = fc.constantFrom(
  ...ids,
  ...ids.map((one) => one.toUpperCase()),
  '00000000-0000-0000-0000-000000000000',
);
const range = (values: readonly unknown[]) =>
  fc.dictionary(fc.constantFrom('gte', 'gt', 'lte', 'lt'), fc.constantFrom(...values, null), { maxKeys: 2 });
const customField = fc.oneof(
  fc.record({ name: fc.constantFrom('COST', 'cost ') }),
  fc.record({ id: fc.constantFrom(...ids, ids[0]?.toUpperCase()), value: fc.constantFrom(...words, null) }),
  fc.record({ name: fc.constantFrom('Cost'), value: word }),
);
const shared = {
  term: word,
  teamId: id,
  created: range(moments),
  modified: range(moments),
  customFields: fc.array(customField, { maxLength: 2 }),
};
const members: Readonly<Record<Kind, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  vehicle: {
    ...{ ...shared, isArchived: fc.boolean(), locationId: id, locationIds: fc.array(id, { maxLength: 3 }) },
    ...{ assigned_to_contact_id: id, year: range(numbers), msrp: range([0.5, ...numbers]) },
    primary_meter_reading: range(numbers),
  },
  contact: {
    ...{ ...shared, isActive: fc.boolean(), locationId: id, typeIds: fc.array(id, { maxLength: 2 }) },
    email: fc.constantFrom('ä1@example.COM', ' Ä2@example.com', 'b@example.com', '', ' '),
  },
  company: { ...shared, isArchived: fc.boolean(), primaryContactId: id, primaryContactIds: fc.array(id) },
  location: { ...shared, isRoot: fc.boolean(), parentLocationId: id, parent_location_ids: fc.array(id) },
};

/** Filters of a kind, with further ones inside. */
function filterOf(kind: Kind, depth = 2): fc.Arbitrary<object> {
  const single = Object.entries(members[kind]).map(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const plain = fc.array(fc.oneof(...single), { maxLength: 2 }).map((parts) => Object.assign({}, ...parts));
  if (depth === 0) return plain;
  const inner = filterOf(kind, depth - 1);
  const several = fc.array(inner, { maxLength: 2 });
  const nested = fc.record({ and: several, or: several, not: fc.option(inner) }, { requiredKeys: [] });
  return fc.tuple(plain, nested).map(([own, others]) => ({ ...own, ...others }));
}

/** Returns a filter in GraphQL's spelling of its members. */
function asSent(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map(asSent);
  if (typeof filter !== 'object' || filter === null) return filter;
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [camelCase(name), asSent(value)]));
}

const lists: Readonly<Record<Kind, readonly [list: string, filter: string]>> = {
  vehicle: ['vehicles', 'VehicleFilter'],
  contact: ['contacts', 'ContactFilter'],
  company: ['companies', 'CompanyFilter'],
  location: ['locations', 'LocationFilter'],
};

for (const kind of Object.keys(lists) as Kind[])
  test(`a requirement of the kind ${kind} applies to what its list would find`, async () => {
    const [list, type] = lists[kind];
    const document = `query ($filter: ${type}) { list: ${list}(filter: $filter, first: 100) { nodes { id } } }`;
    const rows = await gateway.database.sql<{ id: string; record: object }>(
      `SELECT id, to_jsonb(record) AS record FROM ${list} AS record`,
    );
    const named = rows.map(({ id, record }) => ({
      id,
      row: Object.fromEntries(Object.entries(record).map(([column, value]) => [camelCase(column), value])),
    }));
    const { retired } = requiredResources[kind];
    await fc.assert(
      fc.asyncProperty(filterOf(kind), async (sent) => {
        const stored = readApplies(kind, sent, []);
        expect(readApplies(kind, stored, [])).toEqual(stored);
        // What is archived is left out of requirements, unless the filter names it.
        const ways = retired
          ? [true, false].map((is) => ({ and: [stored, { [retired.field]: is }] }))
          : [stored];
        const matches = ways.map((way) => appliesTo(kind, way));
        const own = named.filter(({ row }) => matches.some((match) => match(row))).map(({ id }) => id);
        const { data, errors } = await gateway.graphql(document, { filter: asSent(sent) });
        expect(errors).toBeUndefined();
        const listed = data.list.nodes.map(({ id }: { id: string }) => id);
        expect(own.sort()).toEqual(listed.sort());
      }),
      { seed, numRuns: some(800), interruptAfterTimeLimit: 40_000 },
    );
  });
