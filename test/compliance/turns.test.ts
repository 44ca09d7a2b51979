import { randomUUID as newId } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkSample, evaluateTurns } from '../../src/compliance/turns.js';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import { waiters } from '../support/locks.js';

const gateway = useGateway();

let place: { organizationId: string; teamId: string };
let categoryId: string;
beforeAll(async () => {
  place = { organizationId: gateway.organizationId, teamId: gateway.teamId };
  categoryId = await made('categories', { name: 'Insurance' });
});

beforeEach(() => gateway.database.sql('DELETE FROM requirements'));

async function sent(method: string, path: string, body?: object): Promise<{ id: string }> {
  const { status, text, json } = await gateway.send(method, `/v1/${path}`, body && { body });
  expect(status, text).toBeLessThan(300);
  return json;
}
const made = async (path: string, body: object) => (await sent('POST', path, body)).id;

let count = 0;
const require = (body: object = {}) =>
  made('requirements', { name: `Insured ${++count}`, holder_kind: 'vehicle', any_of: [categoryId], ...body });
const vehicle = (body: object = {}) => made('vehicles', { name: `Truck ${++count}`, ...body });
async function paper(holderId: string, body: object = {}): Promise<string> {
  const category = { id: categoryId };
  const id = await made('expirationitems', {
    name: 'Policy',
    category,
    expiration_date: '2027-03-31',
    ...body,
  });
  await sent('POST', `expirationitems/${id}/holders`, { holders: [{ kind: 'vehicle', id: holderId }] });
  return id;
}

const evaluate = () => evaluateTurns(gateway.database, () => gateway.clock.now);
const find = (holderId: string) =>
  gateway.database.prisma.holderCompliance.findFirst({ where: { holderId } });
const keptOf = async (holderId: string) => {
  await evaluate();
  return (await find(holderId))?.state;
};
const waiting = () => gateway.database.prisma.complianceTurn.count({ where: { dueAt: { lte: new Date() } } });
const dueNow = () =>
  gateway.database.sql("UPDATE compliance_turns SET due_at = date_trunc('milliseconds', now())");

test('what somebody writes is kept: requirements, papers, dates, files, exemptions and the record itself', async () => {
  const id = await vehicle({ name: 'Truck 8' });
  expect(await keptOf(id)).toBeUndefined();
  const requirementId = await require({ applies: { term: 'truck' } });
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  expect(await find(id)).toMatchObject({ ...place, name: 'Truck 8', until: null, gapIds: [requirementId] });
  const itemId = await paper(id);
  expect(await keptOf(id)).toBe('COMPLIANT');
  expect(await find(id)).toMatchObject({ until: new Date('2027-03-31'), gapIds: [] });
  const patch = (path: string, value: unknown) =>
    gateway.send('PATCH', `/v1/expirationitems/${itemId}`, { body: [{ op: 'replace', path, value }] });
  await patch('/expiration_date', '2026-11-01');
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await patch('/expiration_date', '2027-05-31');
  expect(await keptOf(id)).toBe('COMPLIANT');
  await sent('PUT', `requirements/${requirementId}`, { needs_file: true });
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await gateway.graphql(
    'mutation ($id: ID!) { addAttachment(itemId: $id, input: { name: "a.txt", content: "YQ==" }) { id } }',
    { id: itemId },
  );
  expect(await keptOf(id)).toBe('COMPLIANT');
  await sent('DELETE', `expirationitems/${itemId}`);
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await gateway.graphql('mutation ($id: ID!) { restoreExpirationItem(id: $id) { id } }', { id: itemId });
  expect(await keptOf(id)).toBe('COMPLIANT');
  await gateway.send('DELETE', `/v1/expirationitems/${itemId}`);
  const exempt = 'mutation ($input: CreateExemptionInput!) { createExemption(input: $input) { id } }';
  const input = { requirementId, holderKind: 'VEHICLE', holderId: id, reason: 'Why not' };
  const { data } = await gateway.graphql(exempt, { input });
  expect(await keptOf(id)).toBe('COMPLIANT');
  await gateway.graphql('mutation ($id: ID!) { endExemption(id: $id) { id } }', {
    id: data.createExemption.id,
  });
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await sent('PUT', `vehicles/${id}`, { name: 'Van 8' });
  expect(await keptOf(id)).toBe('NOT_REQUIRED');
  expect(await find(id)).toMatchObject({ name: 'Van 8' });
  await sent('PUT', `requirements/${requirementId}`, { applies: {} });
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await sent('DELETE', `requirements/${requirementId}`);
  expect(await keptOf(id)).toBe('NOT_REQUIRED');
  await sent('DELETE', `vehicles/${id}`);
  expect(await find(id)).toBeNull();
  await gateway.graphql('mutation ($id: ID!) { restoreVehicle(id: $id) { id } }', { id });
  await require();
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  expect(await waiting()).toBe(0);
});

test('a record that moves is listed at once where it is now, and needs what is required there', async () => {
  await require();
  const id = await vehicle();
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await gateway.graphql(
    'mutation ($id: ID!, $team: ID!) { updateVehicle(id: $id, input: { teamId: $team }) { id } }',
    { id, team: gateway.otherTeamId },
  );
  expect(await find(id)).toMatchObject({ teamId: gateway.otherTeamId, state: 'NON_COMPLIANT' });
  expect(await keptOf(id)).toBe('NOT_REQUIRED');
});

describe('a new day', () => {
  test('takes only the records whose day has come', async () => {
    await require();
    const [soon, later] = [await vehicle(), await vehicle()];
    await paper(soon, { expiration_date: '2026-11-22' });
    await paper(later);
    await evaluate();
    expect(await find(soon)).toMatchObject({ state: 'DUE', until: new Date('2026-11-22') });
    await gateway.database.sql(
      `UPDATE holder_compliances SET name = 'untouched' WHERE holder_id = '${later}'`,
    );
    gateway.clock.now = new Date('2026-11-22T23:00:00Z');
    expect(await keptOf(soon)).toBe('DUE');
    gateway.clock.now = new Date('2026-11-23T12:00:00Z');
    expect(await keptOf(soon)).toBe('NON_COMPLIANT');
    expect(await find(later)).toMatchObject({ name: 'untouched', state: 'COMPLIANT' });
  });

  test('begins with the time zone of the workspace', async () => {
    const zone = (timezone: string) =>
      gateway.graphql(
        'mutation ($id: ID!, $timezone: String!) { updateTeam(id: $id, input: { timezone: $timezone }) { id } }',
        {
          id: gateway.teamId,
          timezone,
        },
      );
    await require();
    const id = await vehicle();
    await paper(id, { expiration_date: '2026-11-20' });
    await zone('Pacific/Niue');
    gateway.clock.now = new Date('2026-11-21T10:59:00Z');
    expect(await keptOf(id)).toBe('DUE');
    await zone('Pacific/Kiritimati');
    expect(await keptOf(id)).toBe('NON_COMPLIANT');
    await zone('UTC');
  });
});

test('many records are evaluated page by page, and requests that wait are merged', async () => {
  await gateway.database.sql(`INSERT INTO vehicles (id, organization_id, team_id, name)
    SELECT gen_random_uuid(), '${place.organizationId}', '${place.teamId}', 'Many ' || n FROM generate_series(1, 600) AS n`);
  const id = await require({ name: 'First' });
  await sent('PUT', `requirements/${id}`, { valid_days: 7 });
  await require();
  expect(await gateway.database.prisma.complianceTurn.count({ where: { holderId: null } })).toBeGreaterThan(
    2,
  );
  await Promise.all([evaluate(), evaluate(), evaluate()]);
  expect(await waiting()).toBe(0);
  const where = { name: { startsWith: 'Many ' }, state: 'NON_COMPLIANT' as const };
  expect(await gateway.database.prisma.holderCompliance.count({ where })).toBe(600);
});

test('a requirement for many that comes, changes and goes meanwhile leaves nothing behind', async () => {
  await gateway.database.sql(`INSERT INTO vehicles (id, organization_id, team_id, name)
    SELECT gen_random_uuid(), '${place.organizationId}', '${place.teamId}', 'Passing ' || n FROM generate_series(1, 900) AS n`);
  const id = await require();
  const evaluating = evaluate();
  await sent('PUT', `requirements/${id}`, { grace_days: 30 });
  await sent('DELETE', `requirements/${id}`);
  await evaluating;
  await evaluate();
  const where = { NOT: { state: 'NOT_REQUIRED' as const } };
  expect([await gateway.database.prisma.holderCompliance.count({ where }), await waiting()]).toEqual([0, 0]);
});

test('a paper of records in two workspaces counts for both', async () => {
  await require();
  await require({ team_id: gateway.otherTeamId });
  const [here, there] = [await vehicle(), await vehicle({ team_id: gateway.otherTeamId })];
  const itemId = await paper(here);
  await sent('POST', `expirationitems/${itemId}/holders`, { holders: [{ kind: 'vehicle', id: there }] });
  expect([await keptOf(here), await keptOf(there)]).toEqual(['COMPLIANT', 'COMPLIANT']);
  await gateway.send('PATCH', `/v1/expirationitems/${itemId}`, {
    body: [{ op: 'replace', path: '/expiration_date', value: '2026-11-01' }],
  });
  expect([await keptOf(here), await keptOf(there)]).toEqual(['NON_COMPLIANT', 'NON_COMPLIANT']);
});

test('an archived record needs nothing, until it is back in use', async () => {
  await require();
  const id = await vehicle();
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await sent('PUT', `vehicles/${id}`, { is_archived: true });
  expect(await keptOf(id)).toBe('NOT_REQUIRED');
  await sent('PUT', `vehicles/${id}`, { is_archived: false });
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
});

test('a check of a sample mends what differs, and counts it', async () => {
  await gateway.database.sql('DELETE FROM vehicles');
  await require();
  const id = await vehicle();
  await evaluate();
  await gateway.database.sql('DELETE FROM compliance_turns');
  // A row with the greatest id is in each sample.
  const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  await gateway.database.sql(
    `UPDATE holder_compliances SET id = '${last}', state = 'COMPLIANT', urgency = 1 WHERE holder_id = '${id}'`,
  );
  expect(await checkSample(gateway.database, gateway.clock.now)).toBe(1);
  expect(await find(id)).toMatchObject({ state: 'NON_COMPLIANT' });
  expect(await checkSample(gateway.database, gateway.clock.now)).toBe(0);
});

test('a workspace whose evaluation fails does not hold up others', async () => {
  const { database } = gateway;
  await require();
  const [bad, good] = [await vehicle(), newId()];
  await evaluate();
  const check = `ALTER TABLE holder_compliances ADD CONSTRAINT failing CHECK (team_id <> '${place.teamId}') NOT VALID`;
  await database.sql(check);
  await sent('PUT', `vehicles/${bad}`, { name: 'Fails' });
  const other = { organizationId: place.organizationId, teamId: gateway.otherTeamId };
  await database.prisma.requirement.create({
    data: { ...other, id: newId(), name: 'Elsewhere', holderKind: 'vehicle', anyOf: [categoryId] },
  });
  await database.prisma.vehicle.create({ data: { ...other, id: good, name: 'Works' } });
  const faults: string[] = [];
  await evaluateTurns(
    database,
    () => gateway.clock.now,
    (_, teamId) => void faults.push(teamId),
  );
  await evaluateTurns(
    database,
    () => gateway.clock.now,
    (_, teamId) => void faults.push(teamId),
  );
  expect(new Set(faults)).toEqual(new Set([place.teamId]));
  expect(await find(good)).toMatchObject({ state: 'NON_COMPLIANT' });
  await database.sql('ALTER TABLE holder_compliances DROP CONSTRAINT failing');
  expect(await find(bad)).not.toMatchObject({ name: 'Fails' });
  await dueNow();
  await evaluate();
  expect([(await find(bad))?.name, await waiting()]).toEqual(['Fails', 0]);
});

describe('a record that cannot be evaluated', () => {
  const prepare = async () => {
    await gateway.database.sql('DELETE FROM vehicles');
    await gateway.database.sql('DELETE FROM compliance_turns');
    await require();
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push(await vehicle({ name: n === 4 ? 'Fails' : 'Works' }));
    await gateway.database.sql(
      "ALTER TABLE holder_compliances ADD CONSTRAINT failing CHECK (name <> 'Fails') NOT VALID",
    );
    return ids;
  };
  const countFaults = async () => {
    const faults: string[] = [];
    await evaluateTurns(
      gateway.database,
      () => gateway.clock.now,
      (_, teamId) => void faults.push(teamId),
    );
    return faults;
  };
  afterEach(() => gateway.database.sql('ALTER TABLE holder_compliances DROP CONSTRAINT failing'));
  const named = async (ids: readonly string[]) =>
    (await gateway.database.prisma.holderCompliance.findMany({ where: { holderId: { in: [...ids] } } })).map(
      ({ name, state }) => `${name} ${state}`,
    );
  const works = 'Works NON_COMPLIANT';

  test('waits alone among those that were asked for', async () => {
    const ids = await prepare();
    await gateway.database.sql('DELETE FROM compliance_turns WHERE holder_id IS NULL');
    expect(await countFaults()).toEqual([place.teamId]);
    expect(await named(ids)).toEqual(Array(8).fill(works));
    expect([await countFaults(), await waiting()]).toEqual([[], 0]);
  });

  test('waits alone among all of a kind', async () => {
    const ids = await prepare();
    await gateway.database.sql('DELETE FROM compliance_turns WHERE holder_id IS NOT NULL');
    expect(await countFaults()).toEqual([place.teamId]);
    expect(await named(ids)).toEqual(Array(8).fill(works));
    expect([await countFaults(), await waiting()]).toEqual([[], 0]);
  });

  test('waits alone on a new day', async () => {
    const ids = await prepare();
    await gateway.database.sql('DELETE FROM compliance_turns');
    await gateway.database.sql(
      `INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, vehicle_id, changes_at)
       SELECT organization_id, team_id, 'VEHICLE', id, id, '2026-11-20' FROM vehicles WHERE id = ANY ($1)`,
      [ids],
    );
    expect(await countFaults()).toEqual([place.teamId]);
    expect((await named(ids)).filter((text) => text === works)).toHaveLength(8);
    expect(await countFaults()).toEqual([]);
  });
});

test('a record that is deleted while it is evaluated is no failure', async () => {
  await require();
  await evaluate();
  const id = await vehicle();
  let evaluating: Promise<unknown> | undefined;
  const faults: unknown[] = [];
  await gateway.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM vehicles WHERE id = ${id}::uuid`;
    evaluating = evaluateTurns(
      gateway.database,
      () => gateway.clock.now,
      (fault) => faults.push(fault),
    );
    await eventually(async () => expect(await waiters(gateway)).not.toEqual([]));
  });
  await evaluating;
  expect([faults, await find(id), await waiting()]).toEqual([[], null, 0]);
});

test('nothing is queued where nothing is required, and the first requirement lets all be evaluated, twice', async () => {
  await gateway.database.sql('DELETE FROM compliance_turns');
  const id = await vehicle({ name: 'Early' });
  const itemId = await paper(id);
  await sent('PUT', `vehicles/${id}`, { name: 'Earlier' });
  await gateway.send('PATCH', `/v1/expirationitems/${itemId}`, {
    body: [{ op: 'replace', path: '/expiration_date', value: '2026-11-01' }],
  });
  expect(await gateway.database.prisma.complianceTurn.count()).toBe(0);
  await require();
  // The second time is for transactions that did not see the requirement.
  expect([await waiting(), await gateway.database.prisma.complianceTurn.count()]).toEqual([1, 2]);
  expect(await keptOf(id)).toBe('NON_COMPLIANT');
  await gateway.database.sql('DELETE FROM compliance_turns');
  await require();
  expect(await gateway.database.prisma.complianceTurn.count()).toBe(1);
  await gateway.database.sql('DELETE FROM requirements');
  expect(await keptOf(id)).toBe('NOT_REQUIRED');
  // It is still listed, so its name is kept.
  await sent('PUT', `vehicles/${id}`, { name: 'Later' });
  await evaluate();
  expect(await find(id)).toMatchObject({ name: 'Later' });
});

test('a requirement that is only renamed lets nothing be evaluated', async () => {
  const id = await require();
  await evaluate();
  await gateway.database.sql('DELETE FROM compliance_turns');
  await sent('PUT', `requirements/${id}`, { name: 'Called otherwise' });
  expect(await gateway.database.prisma.complianceTurn.count()).toBe(0);
  await sent('PUT', `requirements/${id}`, { grace_days: 3 });
  expect(await gateway.database.prisma.complianceTurn.count()).toBe(1);
});
