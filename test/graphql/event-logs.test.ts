import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask, createVehicle, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let vehicles: { id: string }[];
const days = ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => `${day}T12:00:00.000Z`);
beforeAll(async () => {
  await gateway.database.prisma.eventLog.deleteMany();
  vehicles = [];
  for (const [index, day] of days.entries()) {
    gateway.clock.now = new Date(day);
    vehicles.push(
      await createVehicle(gateway, { name: `Van ${index}` }, index === 2 ? gateway.member : undefined),
    );
  }
  await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', { id: vehicles[0]?.id });
});

const fields = 'id typeId type description details created user { id name } relatedEntities { id typeId }';
const list = `query ($filter: EventLogFilter, $orderBy: [EventLogOrder!], $first: Int, $after: String) {
  eventLogs(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount nodes { ${fields} } pageInfo { endCursor hasNextPage }
  }
}`;
const read = `query ($id: ID!) { eventLog(id: $id) { ${fields} } }`;

async function find(variables: object = {}, token?: string) {
  return (await ask(gateway, list, variables, token)).eventLogs;
}
const told = ({ nodes }: { nodes: { description: string }[] }) => nodes.map(({ description }) => description);

const created = (index: number) => `Vehicle "Van ${index}" was created`;
const deleted = 'Vehicle "Van 0" was deleted';

test('an event says what happened, to what, and by whom', async () => {
  const { nodes } = await find({ filter: { term: 'deleted' } });
  expect(nodes).toStrictEqual([
    {
      id: expect.any(String),
      typeId: 4,
      type: 'DELETED',
      description: deleted,
      details: expect.stringContaining('"name":{"before":"Van 0","after":null}'),
      created: days[2],
      user: { id: gateway.userId, name: 'Ada Admin' },
      relatedEntities: [{ id: vehicles[0]?.id, typeId: 3 }],
    },
  ]);
  expect((await ask(gateway, read, { id: nodes[0].id })).eventLog).toEqual(nodes[0]);
});

describe('filter', () => {
  test.each<[filter: () => object, found: string[]]>([
    [() => ({}), [deleted, created(2), created(1), created(0)]],
    [() => ({ term: 'VAN 1' }), [created(1)]],
    [() => ({ term: 'max member' }), [created(2)]],
    [() => ({ typeIds: [4] }), [deleted]],
    [() => ({ typeIds: [2, 3] }), []],
    // An empty list narrows nothing.
    [() => ({ typeIds: [] }), [deleted, created(2), created(1), created(0)]],
    [() => ({ typeIds: null }), [deleted, created(2), created(1), created(0)]],
    [() => ({ entityId: vehicles[0]?.id }), [deleted, created(0)]],
    [() => ({ entityId: vehicles[0]?.id, typeIds: [1] }), [created(0)]],
    [() => ({ userId: gateway.userId }), [deleted, created(1), created(0)]],
    [() => ({ createdAfter: days[1] }), [deleted, created(2)]],
    [() => ({ createdBefore: days[1] }), [created(0)]],
    [() => ({ createdAfter: days[0], createdBefore: days[2] }), [created(1)]],
  ])('%s', async (filter, found) => {
    const page = await find({ filter: filter() });
    expect(told(page).sort()).toEqual(found.sort());
    expect(page.totalCount).toBe(found.length);
  });

  test('a wrong one is refused, naming its member', async () => {
    const refused = (filter: object) => refusal(gateway, list, { filter });
    await expectRefusal(refused({ entityId: 'x' }), 'BAD_REQUEST', 'filter.entityId');
    await expectRefusal(refused({ typeIds: Array(101).fill(1) }), 'BAD_REQUEST', 'filter.typeIds');
  });
});

test('the newest come first, and cursors go through all of them in any order', async () => {
  const dates = (await find()).nodes.map(({ created }: { created: string }) => created);
  expect(dates).toEqual(dates.toSorted().reverse());
  for (const field of ['ID', 'TYPE_ID', 'DESCRIPTION', 'DETAILS', 'CREATED']) {
    for (const direction of ['ASC', 'DESC']) {
      const orderBy = { field, direction };
      const found: string[] = [];
      let after: string | null = null;
      for (let more = true; more; ) {
        const page: Awaited<ReturnType<typeof find>> = await find({ orderBy, first: 1, after });
        found.push(...told(page));
        after = page.pageInfo.endCursor;
        more = page.pageInfo.hasNextPage;
      }
      expect(found).toEqual(told(await find({ orderBy })));
    }
  }
});

test('others’ events are not there; viewers read, uploaders do not', async () => {
  const { nodes } = await find();
  const foreign = await createTenant(gateway.database, 'Globex');
  expect((await ask(gateway, read, { id: nodes[0].id }, foreign.admin)).eventLog).toBeNull();
  const seen = (await find({}, foreign.admin)).nodes as { relatedEntities: { id: string }[] }[];
  expect(seen.flatMap((event) => event.relatedEntities).map(({ id }) => id)).not.toContain(vehicles[0]?.id);
  expect((await find({}, gateway.viewer)).totalCount).toBe(4);
  await expectRefusal(refusal(gateway, list, {}, gateway.uploader), 'FORBIDDEN');
  await expectRefusal(refusal(gateway, read, { id: nodes[0].id }, gateway.uploader), 'FORBIDDEN');
});

test('three statements read a list with its users and entities', async () => {
  const sent = await namesOf(gateway, () => find());
  expect(sent.sort()).toEqual(['event_log_entities.find', 'event_logs.count', 'event_logs.list + users']);
});
