import { beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

let categoryId: string;
beforeAll(async () => {
  categoryId = await made('categories', { name: 'Insurance' });
});

beforeEach(async () => {
  for (const table of ['requirements', 'vehicles', 'expiration_items', 'event_logs'])
    await gateway.database.sql(`DELETE FROM ${table}`);
});

async function made(path: string, body: object): Promise<string> {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json.id;
}

const require = () => made('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [categoryId] });

async function paper(holderId: string, date: string, teamId = gateway.teamId): Promise<string> {
  const body = { name: 'Policy', category: { id: categoryId }, expiration_date: date, team_id: teamId };
  const id = await made('expirationitems', body);
  const path = `/v1/expirationitems/${id}/holders`;
  await gateway.send('POST', path, { body: { holders: [{ kind: 'vehicle', id: holderId }] } });
  return id;
}

/** Evaluates all turns. @returns the events about compliance so far, the oldest first */
async function told() {
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  const document = `{ eventLogs(filter: { types: [COMPLIANCE_CHANGED] }, orderBy: { field: CREATED, direction: ASC }) {
    nodes { type description details user { id } relatedEntities { kind recordId } } } }`;
  const { data, errors } = await gateway.graphql(document);
  expect(errors).toBeUndefined();
  return data.eventLogs.nodes.map(({ details, ...event }: { details: string }) => ({
    ...event,
    details: JSON.parse(details),
  }));
}

test('an event says what a record lacks, and later that it has it', async () => {
  const requirementId = await require();
  const id = await made('vehicles', { name: 'Truck 8' });
  const requirement = { id: requirementId, name: 'Insured' };
  const gap = {
    ...{ requirement, state: 'missing', since: '2026-11-20', until: null },
    ...{ item_id: null, is_too_short: false },
  };
  const lacks = {
    ...{ type: 'COMPLIANCE_CHANGED', user: null },
    description: 'Vehicle "Truck 8" is now non-compliant: Insured (missing)',
    relatedEntities: [{ kind: 'VEHICLE', recordId: id }],
    details: {
      state: { before: 'not_required', after: 'non_compliant' },
      gaps: { before: [], after: [gap] },
    },
  };
  expect(await told()).toEqual([lacks]);
  expect(await told()).toEqual([lacks]);
  gateway.clock.now = new Date('2026-11-20T09:31:00Z');
  await paper(id, '2027-03-31');
  expect(await told()).toEqual([
    lacks,
    expect.objectContaining({
      description: 'Vehicle "Truck 8" is now compliant',
      details: {
        state: { before: 'non_compliant', after: 'compliant' },
        until: { before: null, after: '2027-03-31' },
        gaps: { before: [{ requirement }], after: [] },
      },
    }),
  ]);
  gateway.clock.now = new Date('2026-11-20T09:32:00Z');
  await gateway.send('DELETE', `/v1/requirements/${requirementId}`);
  expect((await told()).at(-1)).toMatchObject({
    description: 'Vehicle "Truck 8" is now free of requirements',
    details: { state: { before: 'compliant', after: 'not_required' } },
  });
});

test('the first that is known of a record is told only if it is bad', async () => {
  const [good, bad] = [await made('vehicles', { name: 'Good' }), await made('vehicles', { name: 'Bad' })];
  await paper(good, '2027-03-31');
  await require();
  expect(await told()).toMatchObject([{ relatedEntities: [{ recordId: bad }] }]);
});

test('an item in another workspace is not named', async () => {
  await require();
  const id = await made('vehicles', { name: 'Truck 9' });
  await paper(id, '2026-01-31', gateway.otherTeamId);
  expect(await told()).toMatchObject([
    {
      description: 'Vehicle "Truck 9" is now non-compliant: Insured (expired)',
      details: { gaps: { after: [{ state: 'expired', since: '2026-02-01', item_id: null }] } },
    },
  ]);
  const own = await paper(id, '2026-03-31');
  gateway.clock.now = new Date('2026-11-21T09:32:00Z');
  await require();
  await gateway.send('PATCH', `/v1/expirationitems/${own}`, {
    body: [{ op: 'replace', path: '/expiration_date', value: '2027-01-01' }],
  });
  await told();
  gateway.clock.now = new Date('2027-01-02T09:32:00Z');
  expect((await told()).at(-1)).toMatchObject({
    details: { gaps: { after: [{ item_id: own }, { item_id: own }] } },
  });
});
