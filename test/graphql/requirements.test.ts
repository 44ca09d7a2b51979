import { randomUUID as newId } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectRefused } from './people.support.js';
import { ask } from './support.js';

const gateway = useGateway();
let categoryId: string;
let place: { organizationId: string; teamId: string };
beforeAll(async () => {
  place = { organizationId: gateway.organizationId, teamId: gateway.teamId };
  categoryId = newId();
  const data = { ...place, id: categoryId, name: 'Licence' };
  await gateway.database.prisma.category.create({ data });
});

const create = `mutation ($input: CreateRequirementInput!) { createRequirement(input: $input) {
  id name holderKind applies anyOf categories { name } validDays graceDays needsFile allowNoDate isActive } }`;
const make = async (input: object) =>
  (await ask(gateway, create, { input: { holderKind: 'VEHICLE', anyOf: [categoryId], ...input } }))
    .createRequirement;

const exempt = `mutation ($input: CreateExemptionInput!) { createExemption(input: $input) {
  id from until endedOn reason holderKind holderId holder { ... on Vehicle { name } } requirement { name } user { id } } }`;
const end = 'mutation ($id: ID!) { endExemption(id: $id) { id endedOn endedBy { id } } }';

async function vehicle(values: object = {}): Promise<string> {
  const id = newId();
  await gateway.database.prisma.vehicle.create({ data: { ...place, id, name: 'Van', ...values } });
  return id;
}

const statesOf = async (id: string, on: string | null = null) => {
  const document = `query ($id: ID!, $on: Date) { vehicle(id: $id) { compliance(on: $on) {
    state requirements { name state since until } } } }`;
  const { vehicle } = await ask(gateway, document, { id, on });
  return vehicle.compliance;
};

test('a requirement has its defaults, and keeps what was sent', async () => {
  expect(await make({ name: 'Licensed' })).toMatchObject({
    ...{ holderKind: 'VEHICLE', applies: {}, anyOf: [categoryId], categories: [{ name: 'Licence' }] },
    ...{ validDays: 0, graceDays: 0, needsFile: false, allowNoDate: false, isActive: true },
  });
  const applies = {
    year: { gte: 2020 },
    or: [{ location_id: newId() }, { term: 'truck' }],
    isArchived: null,
  };
  const made = await make({ name: 'New', applies });
  expect(made.applies).toEqual({
    year: { gte: 2020 },
    or: [{ locationId: applies.or[0]?.location_id }, { term: 'truck' }],
  });
  const { requirements } = await ask(
    gateway,
    'query ($id: ID!) { requirements(filter: { categoryId: $id, holderKind: VEHICLE }) { totalCount } }',
    { id: categoryId },
  );
  expect(requirements.totalCount).toBe(2);
});

test('a filter is stored as the rules of its list return it', async () => {
  const id = newId();
  const applies = {
    ...{ locationIds: [id.toUpperCase()], assigned_to_id: '00000000-0000-0000-0000-000000000000', term: '' },
    ...{ year: {}, not: {}, and: [{}, { not: { and: [] } }], or: [{}, { term: 'truck' }] },
    customFields: [{ id: id.toUpperCase(), value: null }],
  };
  const made = await make({ name: 'Read', applies });
  expect(made.applies).toEqual({ locationIds: [id], customFields: [{ id }] });
  expect((await make({ name: 'All', applies: { not: { not: {} } } })).applies).toEqual({});
});

describe('refused are', () => {
  const refused = (input: object, path: RegExp) =>
    expectRefused(
      gateway,
      create,
      { input: { name: 'Wrong', holderKind: 'VEHICLE', anyOf: [categoryId], ...input } },
      ['BAD_REQUEST', path],
    );

  test('requirements without a document type, or with one that is not there', async () => {
    await refused({ anyOf: [] }, /anyOf/);
    await refused({ anyOf: [newId()] }, /anyOf/);
  });

  test('filters with members that the kind does not have, or with values of another type', async () => {
    await refused({ applies: { email: 'a@example.com' } }, /applies\.email/);
    await refused({ applies: { and: [{ parentLocationId: newId() }] } }, /applies/);
    await refused({ applies: { hasNone: ['LOCATION'] } }, /hasNone/);
    await refused({ applies: { year: 2020 } }, /year/);
    await refused({ applies: { year: { gte: 'new' } } }, /year\.gte.* must be of the type Int/);
    await refused({ applies: { year: { least: 1 } } }, /year/);
    await refused({ applies: { year: { constructor: 1 } } }, /year/);
    await refused({ applies: { year: { gte: 1.5 } } }, /year/);
    await refused({ applies: { locationIds: ['here'] } }, /locationIds/);
    await refused({ applies: { term: 1 } }, /term/);
    await refused({ applies: { locationId: 'here' } }, /locationId/);
    await refused(
      { applies: { created: { gte: 'yesterday' } } },
      /created\.gte.* must be of the type DateTime/,
    );
    await refused({ applies: { or: {} } }, /or/);
  });

  test('exemptions that end before they begin, or of another kind of record', async () => {
    const { id } = await make({ name: 'Exempt' });
    const input = { requirementId: id, holderKind: 'VEHICLE', holderId: await vehicle(), reason: 'Because' };
    const refusedExemption = (given: object, path: RegExp) =>
      expectRefused(gateway, exempt, { input: { ...input, ...given } }, ['BAD_REQUEST', path]);
    await refusedExemption({ from: '2027-02-02', until: '2027-02-01' }, /until/);
    await refusedExemption({ until: '2026-11-19' }, /until/);
    await refusedExemption({ reason: ' ' }, /reason/);
    await refusedExemption({ holderKind: 'CONTACT' }, /holderId/);
    await refusedExemption({ requirementId: newId() }, /requirementId/);
  });

  test('exemptions of records in another workspace than the requirement', async () => {
    const { id: requirementId } = await make({ name: 'Here' });
    const holderId = await vehicle({ teamId: gateway.otherTeamId, name: 'Elsewhere' });
    const input = { requirementId, holderKind: 'VEHICLE', holderId, reason: 'Because' };
    await expectRefused(gateway, exempt, { input }, ['BAD_REQUEST', /holderId/]);
    expect(await gateway.database.prisma.exemption.count({ where: { vehicleId: holderId } })).toBe(0);
    await gateway.database.prisma.vehicle.delete({ where: { id: holderId } });
  });
});

test('a document type that a requirement asks for is not deleted', async () => {
  const other = newId();
  await gateway.database.prisma.category.create({ data: { ...place, id: other, name: 'Asked for' } });
  const { id } = await make({ name: 'Roadworthy', anyOf: [other, categoryId] });
  const remove = 'mutation ($id: ID!) { deleteCategory(id: $id) { id } }';
  await expectRefused(gateway, remove, { id: other }, ['CONFLICT', /the requirement Roadworthy asks for it/]);
  await ask(gateway, 'mutation ($id: ID!) { deleteRequirement(id: $id) { id } }', { id });
  expect((await ask(gateway, remove, { id: other })).deleteCategory.id).toBe(other);
  await ask(gateway, 'mutation ($id: ID!) { deleteCategory(id: $id) { id } }', { id: other }).catch(() => {});
});

test('of many papers of a type, the one that lasts longest decides, and only a few are read', async () => {
  const { database } = gateway;
  const type = newId();
  await database.prisma.category.create({ data: { ...place, id: type, name: 'Much' } });
  await make({ name: 'Much', anyOf: [type], needsFile: true });
  const holderId = await vehicle({ name: 'Heavy' });
  await database.sql(`
    WITH made AS (
      INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, expiration_date, notify_on, modified)
      SELECT gen_random_uuid(), '${place.organizationId}', '${place.teamId}', '${type}', 'Paper ' || n,
        date '2027-01-01' + n, date '2026-12-01' + n, now()
      FROM generate_series(1, 500) AS n RETURNING id, name
    ), held AS (
      INSERT INTO item_holders (item_id, kind, holder_id, vehicle_id, position)
      SELECT id, 'VEHICLE', '${holderId}', '${holderId}', 0 FROM made
    )
    INSERT INTO attachments (id, organization_id, team_id, item_id, name, content_length, position)
    SELECT gen_random_uuid(), '${place.organizationId}', '${place.teamId}', id, 'a.pdf', 0, 0 FROM made WHERE name = 'Paper 400'`);
  const { requirements } = await statesOf(holderId);
  const own = requirements.find(({ name }: { name: string }) => name === 'Much');
  expect(own).toMatchObject({ state: 'MET', until: '2028-01-05' });
  const [read] = await database.sql<{ count: number }>(
    `SELECT json_array_length(compliance_items('vehicle', '${holderId}', ARRAY['${type}']::uuid[])) AS count`,
  );
  expect(read?.count).toBe(2);
});

test('a document type that is deleted while a requirement is made of it stays, or the requirement is refused', async () => {
  const { database } = gateway;
  for (let round = 0; round < 8; round++) {
    const type = newId();
    await database.prisma.category.create({ data: { ...place, id: type, name: `Raced ${round}` } });
    const remove = 'mutation ($id: ID!) { deleteCategory(id: $id) { id } }';
    await Promise.allSettled([
      round % 2
        ? ask(gateway, remove, { id: type })
        : database.sql(`DELETE FROM categories WHERE id = '${type}'`),
      make({ name: `Raced ${round}`, anyOf: [type] }),
    ]);
    const isThere = (await database.prisma.category.count({ where: { id: type } })) > 0;
    const count = await database.prisma.requirement.count({ where: { anyOf: { has: type } } });
    expect(count).toBe(isThere ? 1 : 0);
  }
});

test('an exemption excuses a record until it is ended, with an event each', async () => {
  const { id: requirementId } = await make({ name: 'Tested', applies: { term: 'exempted' } });
  const holderId = await vehicle({ name: 'Exempted van' });
  const of = (checks: { name: string }[]) => checks.find(({ name }) => name === 'Tested');
  expect(of((await statesOf(holderId)).requirements)).toMatchObject({ state: 'MISSING' });
  const input = {
    requirementId,
    holderKind: 'VEHICLE',
    holderId,
    reason: 'In the workshop',
    until: '2026-12-31',
  };
  const { createExemption: made } = await ask(gateway, exempt, { input });
  expect(made).toMatchObject({
    ...{ from: '2026-11-20', until: '2026-12-31', endedOn: null, reason: 'In the workshop', holderId },
    ...{ holder: { name: 'Exempted van' }, requirement: { name: 'Tested' }, user: { id: gateway.userId } },
  });
  expect(of((await statesOf(holderId)).requirements)).toMatchObject({ state: 'EXEMPT', until: '2026-12-31' });
  expect(of((await statesOf(holderId, '2027-01-01')).requirements)).toMatchObject({ state: 'MISSING' });
  const { endExemption } = await ask(gateway, end, { id: made.id });
  expect(endExemption).toMatchObject({ endedOn: '2026-11-20', endedBy: { id: gateway.userId } });
  expect(of((await statesOf(holderId)).requirements)).toMatchObject({ state: 'MISSING' });
  await expectRefused(gateway, end, { id: made.id }, ['CONFLICT', /has ended/]);
  await expectRefused(gateway, end, { id: newId() }, ['NOT_FOUND', /exemption/]);
  const { eventLogs } = await ask(
    gateway,
    'query ($id: ID!) { eventLogs(filter: { entityId: $id }) { nodes { typeId description } } }',
    { id: requirementId },
  );
  const told = eventLogs.nodes.filter(({ typeId }: { typeId: number }) => typeId > 30);
  expect(told.map(({ typeId }: { typeId: number }) => typeId).sort()).toEqual([32, 33]);
});

test('a requirement applies to records that its filter matches, as lists do', async () => {
  const filters: object[] = [
    {},
    { term: 'ß VAN' },
    { isArchived: true },
    { year: { gte: 2020, lt: 2022 } },
    { msrp: { gt: 10.5 } },
    { or: [{ term: 'old' }, { year: { gte: 2021 } }] },
    { not: { term: 'old' } },
    { and: [{ term: 'van' }, { not: { year: { gt: 1 } } }] },
    { customFields: [{ name: 'cost CENTRE', value: '4711' }] },
    { created: { gte: '2026-01-01T00:00:00Z' } },
  ];
  const made = await Promise.all(filters.map((applies, index) => make({ name: `Filter ${index}`, applies })));
  const customFields = [{ id: newId(), name: 'Cost Centre', value: '4711' }];
  await vehicle({ name: 'Straß Van', year: 2020, msrp: 10.5 });
  await vehicle({ name: 'STRASS VAN', year: 2021, msrp: 11, customFields });
  await vehicle({ name: 'Old van', year: null, created: new Date('2025-01-01') });
  await vehicle({ name: 'Archived van', isArchived: true, year: 2022 });
  const document = `query ($filter: VehicleFilter) { vehicles(filter: $filter, first: 100) { nodes {
    id isArchived compliance { requirements { requirementId } } } } }`;
  const all = (await ask(gateway, document, {})).vehicles.nodes;
  for (const [index, filter] of filters.entries()) {
    const listed = (await ask(gateway, document, { filter })).vehicles.nodes;
    const isArchived = 'isArchived' in filter;
    const wanted = listed.filter((one: { isArchived: boolean }) => isArchived || !one.isArchived);
    const applied = all.filter((one: { compliance: { requirements: { requirementId: string }[] } }) =>
      one.compliance.requirements.some(({ requirementId }) => requirementId === made[index].id),
    );
    const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id).sort();
    expect(ids(applied), JSON.stringify(filter)).toEqual(ids(wanted));
    expect(wanted.length, JSON.stringify(filter)).toBeGreaterThan(0);
  }
});

test('a moved requirement takes its exemptions along, and one in the bin brings them back', async () => {
  const { id: requirementId } = await make({ name: 'Moves' });
  const input = { requirementId, holderKind: 'VEHICLE', holderId: await vehicle(), reason: 'Moves' };
  const { createExemption: made } = await ask(gateway, exempt, { input });
  const where = { id: made.id };
  const find = () => gateway.database.prisma.exemption.findUnique({ where });
  const update =
    'mutation ($id: ID!, $input: UpdateRequirementInput!) { updateRequirement(id: $id, input: $input) { id } }';
  await ask(gateway, update, { id: requirementId, input: { teamId: gateway.otherTeamId } });
  expect((await find())?.teamId).toBe(gateway.otherTeamId);
  await ask(gateway, 'mutation ($id: ID!) { deleteRequirement(id: $id) { id } }', { id: requirementId });
  expect(await find()).toBeNull();
  await ask(gateway, 'mutation ($id: ID!) { restoreRequirement(id: $id) { id } }', { id: requirementId });
  expect((await find())?.requirementId).toBe(requirementId);
});
