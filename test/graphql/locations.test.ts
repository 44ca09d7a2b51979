import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowhere } from '../rest/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { describeRecords, expectStatements, operationsOf, type Records } from './records.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

let count = 0;
const records: Records = {
  gateway: () => gateway,
  type: 'Location',
  one: 'location',
  many: 'locations',
  kind: 7,
  noun: 'location',
  plain: () => ({
    name: `Dock ${count++}`,
    customFields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Gate', value: '7' }],
  }),
  blank: { name: null, customFields: [] },
  links: async () => ({
    parentLocationId: { value: (await make()).id, shown: 'parentLocation' },
    teamId: { value: gateway.otherTeamId, shown: 'team' },
  }),
  searched: ['name'],
};
const { create, update, replace, patch, list, remove } = operationsOf(records);
const make = async (input: object = {}) => (await ask(gateway, create, { input })).record;

describeRecords(records);

test('a location lies in none of those that lie in it, whatever the mutation', async () => {
  const top = await make();
  const bottom = await make({ parentLocationId: top.id });
  const parentLocationId = bottom.id;
  const operations = [{ op: 'replace', path: '/parentLocationId', value: parentLocationId }];
  const refused = [
    refusal(gateway, update, { id: top.id, input: { parentLocationId } }),
    refusal(gateway, replace, { id: top.id, input: { parentLocationId } }),
    refusal(gateway, update, { id: top.id, input: { parentLocationId: top.id } }),
  ];
  for (const work of refused) await expectRefusal(work, 'BAD_REQUEST', 'parentLocationId', /itself/);
  const patched = refusal(gateway, patch, { id: top.id, operations });
  await expectRefusal(patched, 'BAD_REQUEST', undefined, /parentLocationId: must not be the location itself/);
});

test.each<[field: string, code: string, input: object]>([
  ['parentLocationId', 'BAD_REQUEST', { parentLocationId: nowhere }],
  ['name', 'CONFLICT', { name: ' taken' }],
])('refuses a wrong %s: %s', async (field, code, input) => {
  if (code === 'CONFLICT') await make({ name: 'Taken' });
  await expectRefusal(refusal(gateway, create, { input }), code, field);
  await expectRefusal(refusal(gateway, update, { id: (await make()).id, input }), code, field);
});

test('is filtered by its parent, one level down', async () => {
  const top = await make();
  const middle = await make({ parentLocationId: top.id });
  await make({ parentLocationId: middle.id });
  const { list: found } = await ask(gateway, list, { filter: { parentLocationId: top.id } });
  expect(found).toEqual({ totalCount: 1, nodes: [middle] });
});

test('deleting a location leaves what lies in it, outside of any other', async () => {
  const top = await make();
  const inside = await make({ parentLocationId: top.id, name: 'Left alone' });
  await ask(gateway, remove, { id: top.id });
  const query = 'query ($id: ID!) { location(id: $id) { parentLocationId parentLocation { id } } }';
  const left = { parentLocationId: null, parentLocation: null };
  expect((await ask(gateway, query, { id: inside.id })).location).toEqual(left);
});

test('deleting a location whose child would then share a name with another: CONFLICT', async () => {
  const top = await make();
  await make({ parentLocationId: top.id, name: 'Twin' });
  await make({ name: 'twin' });
  await expectRefusal(refusal(gateway, remove, { id: top.id }), 'CONFLICT', 'name');
});

test('a list of 100 with its parents takes two statements', async () => {
  await gateway.database.prisma.location.deleteMany();
  const parents: { id: string }[] = [];
  const fill = async (number: number) => {
    for (let i = 0; i < number; i += 1) {
      parents.push(await make(parents.length > 0 ? { parentLocationId: parents.at(-1)?.id } : {}));
    }
  };
  const query = `{ list: locations(first: 100) {
    totalCount
    nodes { id name parentLocation { id } team { id } }
  } }`;
  const rows = 'locations.list + locations + teams';
  await expectStatements(gateway, query, fill, [rows, 'locations.count']);
});
