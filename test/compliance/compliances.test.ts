import { beforeAll, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

const evaluate = () => evaluateTurns(gateway.database, () => gateway.clock.now);

async function made(path: string, body: object): Promise<string> {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json.id;
}

let [categoryId, requirementId, locationId] = ['', '', ''];
beforeAll(async () => {
  categoryId = await made('categories', { name: 'Insurance' });
  requirementId = await made('requirements', {
    name: 'Insured',
    holder_kind: 'vehicle',
    any_of: [categoryId],
  });
  locationId = await made('locations', { name: 'Yard' });
  await made('requirements', {
    name: 'Insured',
    holder_kind: 'company',
    any_of: [categoryId],
    grace_days: 9,
  });
  const days: Readonly<Record<string, string | undefined>> = {
    ...{
      Missing: undefined,
      Late: '2026-11-19',
      Lasting: '2028-01-31',
      Soon: '2026-11-30',
      Sooner: '2026-11-25',
    },
  };
  for (const [name, date] of Object.entries(days)) {
    const id = await made('vehicles', { name: `${name} van`, ...(date ? {} : { location_id: locationId }) });
    if (!date) continue;
    const item = await made('expirationitems', { name, category: { id: categoryId }, expiration_date: date });
    const body = { holders: [{ kind: 'vehicle', id }] };
    await gateway.send('POST', `/v1/expirationitems/${item}/holders`, { body });
  }
  await made('companies', { name: 'Bricks' });
  await gateway.database.prisma.vehicle.updateMany({ data: { created: new Date('2026-01-01') } });
  await evaluate();
});

async function listed(args = '', token = gateway.admin) {
  const document = `{ compliances${args} { totalCount nodes { name state until compliance { state gaps { name } } } } }`;
  const { data, errors } = await gateway.graphql(document, {}, token);
  expect(errors).toBeUndefined();
  return data.compliances.nodes as {
    name: string;
    state: string;
    until: string | null;
    compliance: object;
  }[];
}
const namesOf = async (args: string) => (await listed(args)).map(({ name }) => name);

test('the worst come first, then those whose time ends soonest', async () => {
  const nodes = await listed();
  const [missing, late, ...others] = nodes.map(({ name, state, until }) => [name, state, until]);
  expect([missing, late].sort()).toEqual([
    ['Late van', 'NON_COMPLIANT', null],
    ['Missing van', 'NON_COMPLIANT', null],
  ]);
  expect(others).toEqual([
    ['Sooner van', 'DUE', '2026-11-25'],
    ['Bricks', 'DUE', '2026-11-28'],
    ['Soon van', 'DUE', '2026-11-30'],
    ['Lasting van', 'COMPLIANT', '2028-01-31'],
  ]);
  expect(nodes[0]?.compliance).toEqual({ state: 'NON_COMPLIANT', gaps: [{ name: 'Insured' }] });
});

test('filters choose by kind, state, requirement, place, day and name, and pages follow the order', async () => {
  expect(await namesOf('(filter: { kind: COMPANY })')).toEqual(['Bricks']);
  expect(await namesOf('(filter: { state: DUE, kind: VEHICLE })')).toEqual(['Sooner van', 'Soon van']);
  expect(await namesOf(`(filter: { requirementId: "${requirementId}" }, orderBy: { field: NAME })`)).toEqual([
    ...['Late van', 'Missing van'],
  ]);
  expect(await namesOf(`(filter: { locationId: "${locationId}" })`)).toEqual(['Missing van']);
  expect(await namesOf('(filter: { until: { lte: "2026-11-28" } })')).toEqual(['Sooner van', 'Bricks']);
  expect(await namesOf('(filter: { term: "SOON" })')).toEqual(['Sooner van', 'Soon van']);
  const found: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { data } = await gateway.graphql(
      'query ($after: String) { compliances(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    found.push(...data.compliances.nodes.map(({ name }: { name: string }) => name));
    ({ hasNextPage: more, endCursor: after } = data.compliances.pageInfo);
  }
  expect(found).toEqual((await listed()).map(({ name }) => name));
});

test('the summary counts by kind and state, and says up to when', async () => {
  const summary = async () =>
    (await gateway.graphql('{ complianceSummary { countedAt counts { kind state count } } }')).data
      .complianceSummary;
  const counts = [
    { kind: 'VEHICLE', state: 'NON_COMPLIANT', count: 2 },
    { kind: 'VEHICLE', state: 'DUE', count: 2 },
    { kind: 'VEHICLE', state: 'COMPLIANT', count: 1 },
    { kind: 'COMPANY', state: 'DUE', count: 1 },
  ];
  const before = await summary();
  expect(before.countedAt).toBe(gateway.clock.now.toISOString());
  expect(before.counts).toHaveLength(counts.length);
  expect(before.counts).toEqual(expect.arrayContaining(counts));
  await gateway.database.sql(`UPDATE vehicles SET make = 'Volvo' WHERE name = 'Late van'`);
  expect((await summary()).countedAt).not.toBe(before.countedAt);
  await evaluate();
  expect((await summary()).countedAt).toBe(before.countedAt);
});

test('a page with all requirements takes the same statements, however many records it has', async () => {
  const page = (first: number) =>
    gateway.statementNames(async () => {
      const { data, errors } = await gateway.graphql(
        `query ($first: Int) { compliances(first: $first, filter: { kind: VEHICLE }) { totalCount pageInfo { hasNextPage }
          nodes { name state team { id name } compliance { state until requirements {
            requirementId state since until isTooShort item { id name expirationDate } } } } } }`,
        { first },
      );
      expect(errors).toBeUndefined();
      expect(data.compliances.nodes).toHaveLength(first);
    });
  const few = await page(2);
  expect(await page(5)).toEqual(few);
  expect(few).toHaveLength(7);
});

test('a page reads as many rows as it has, however many records there are', async () => {
  const { organizationId, teamId, database } = gateway;
  await database.sql(`
    WITH made AS (
      INSERT INTO vehicles (id, organization_id, team_id, name)
      SELECT gen_random_uuid(), '${organizationId}', '${teamId}', 'Many ' || n FROM generate_series(1, 3000) AS n RETURNING id, name
    )
    INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, vehicle_id, name, state, urgency)
    SELECT '${organizationId}', '${teamId}', 'VEHICLE', id, id, name, 'COMPLIANT', 2999999 FROM made`);
  await database.sql('ANALYZE holder_compliances');
  const read = async (order: string) => {
    const [row] = await database.sql<{ 'QUERY PLAN': [{ Plan: object }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM holder_compliances
       WHERE organization_id = '${organizationId}' ORDER BY ${order}, id LIMIT 100`,
    );
    const counts = JSON.stringify(row).match(/"Actual Rows": ?[\d.]+/g) ?? [];
    return Math.max(...counts.map((text) => Number(text.split(':')[1])));
  };
  expect(await read('urgency')).toBe(100);
  expect(await read('name')).toBe(100);
});
