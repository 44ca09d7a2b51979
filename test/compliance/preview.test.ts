import { randomUUID as newId } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

async function made(path: string, body: object): Promise<string> {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json.id;
}

const ask = (input: object, token = gateway.admin) =>
  gateway.graphql(
    `query ($input: PreviewRequirementInput!) { previewRequirement(input: $input) {
      count evaluated nonCompliant counts { state count } } }`,
    { input: { holderKind: 'VEHICLE', anyOf: [categoryId], ...input } },
    token,
  );

async function preview(input: object = {}) {
  const { data, errors } = await ask(input);
  expect(errors).toBeUndefined();
  return data.previewRequirement;
}

const days: Readonly<Record<string, string | undefined>> = {
  ...{ Missing: undefined, Late: '2026-11-19', Lasting: '2028-01-31', Soon: '2026-11-25', Old: undefined },
};
const ids = new Map<string, string>();
let categoryId = '';
beforeAll(async () => {
  categoryId = await made('categories', { name: 'Insurance' });
  for (const [name, date] of Object.entries(days)) {
    const id = await made('vehicles', { name, year: name.length, is_archived: name === 'Old' });
    ids.set(name, id);
    if (!date) continue;
    const item = await made('expirationitems', { name, category: { id: categoryId }, expiration_date: date });
    const body = { holders: [{ kind: 'vehicle', id }] };
    await gateway.send('POST', `/v1/expirationitems/${item}/holders`, { body });
  }
  await gateway.database.prisma.vehicle.updateMany({ data: { created: new Date('2026-11-10') } });
});

test('it counts what the requirement would apply to, by state today', async () => {
  expect(await preview()).toEqual({
    ...{ count: 4, evaluated: 4, nonCompliant: 2 },
    counts: [
      { state: 'DUE', count: 1 },
      { state: 'MET', count: 1 },
      { state: 'EXPIRED', count: 1 },
      { state: 'MISSING', count: 1 },
    ],
  });
  expect(await preview({ validDays: 30 })).toMatchObject({ count: 4, nonCompliant: 3 });
  expect(await preview({ graceDays: 30, needsFile: true })).toMatchObject({
    ...{ nonCompliant: 0, counts: [{ state: 'PENDING', count: 4 }] },
  });
  expect(await preview({ holderKind: 'LOCATION' })).toMatchObject({ count: 0, counts: [] });
});

test('a filter narrows it, in either spelling', async () => {
  expect(await preview({ applies: { term: 'la' } })).toMatchObject({ count: 2, nonCompliant: 1 });
  expect(await preview({ applies: { year: { gte: 7 }, is_archived: false } })).toMatchObject({ count: 2 });
  expect(await preview({ applies: { isArchived: true } })).toMatchObject({ count: 1, nonCompliant: 1 });
  expect(await preview({ applies: { created: { lt: '2026-11-10T00:00:00Z' } } })).toMatchObject({ count: 0 });
});

test('it says what the requirement says once it is stored, with its exemptions', async () => {
  const id = await made('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [categoryId] });
  const states = await Promise.all(
    ['Missing', 'Late', 'Lasting', 'Soon'].map(async (name) => {
      const { json } = await gateway.send('GET', `/v1/compliance/vehicles/${ids.get(name)}`);
      return json.compliant;
    }),
  );
  expect(states.filter((compliant) => !compliant)).toHaveLength((await preview({ id })).nonCompliant);
  const input = {
    ...{ requirementId: id, holderKind: 'VEHICLE', holderId: ids.get('Late'), reason: 'In the workshop' },
  };
  const exempt = 'mutation ($input: CreateExemptionInput!) { createExemption(input: $input) { id } }';
  expect((await gateway.graphql(exempt, { input })).errors).toBeUndefined();
  expect(await preview({ id })).toMatchObject({ nonCompliant: 1 });
  expect(await preview()).toMatchObject({ nonCompliant: 2 });
});

test('what could not be saved is refused', async () => {
  for (const [input, message] of [
    [{ anyOf: [] }, /anyOf/],
    [{ anyOf: [newId()] }, /anyOf/],
    [{ applies: { email: 'a@example.com' } }, /applies\.email/],
    [{ applies: { locationIds: ['here'] } }, /applies\.locationIds/],
    [{ validDays: -1 }, /validDays/],
    [{ teamId: newId() }, /teamId/],
    [{ id: newId() }, /id/],
  ] as const) {
    const { errors } = await ask(input);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    expect(errors?.[0]?.message).toMatch(message);
  }
  expect((await ask({}, gateway.uploader)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('of many records, some are evaluated and all are counted', async () => {
  const { organizationId, teamId, database } = gateway;
  await database.sql(`INSERT INTO vehicles (id, organization_id, team_id, name)
    SELECT gen_random_uuid(), '${organizationId}', '${teamId}', 'Many ' || n FROM generate_series(1, 700) AS n`);
  const { count, evaluated, counts } = await preview({ applies: { term: 'Many' } });
  expect([count, evaluated, counts]).toEqual([700, 500, [{ state: 'MISSING', count: 500 }]]);
});
