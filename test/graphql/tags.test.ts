import { afterAll, beforeAll, expect, test } from 'vitest';
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
  type: 'Tag',
  one: 'tag',
  many: 'tags',
  kind: 10,
  noun: 'tag',
  plain: () => ({ name: `urgent ${count++}` }),
  blank: { name: null },
  links: async () => ({ teamId: { value: gateway.otherTeamId, shown: 'team' } }),
  searched: ['name'],
};
const { create, update, list } = operationsOf(records);

describeRecords(records);

test('a name in use in its workspace: CONFLICT; another workspace may have it', async () => {
  const name = 'fleet';
  const { record } = await ask(gateway, create, { input: { name } });
  await expectRefusal(refusal(gateway, create, { input: { name: 'FLEET ' } }), 'CONFLICT', 'name');
  await ask(gateway, create, { input: { name, teamId: gateway.otherTeamId } });
  const input = { teamId: gateway.otherTeamId };
  await expectRefusal(refusal(gateway, update, { id: record.id, input }), 'CONFLICT', 'name');
});

test('tells its organization', async () => {
  const query = 'mutation { createTag(input: {}) { organizationId teamId } }';
  const { organizationId, teamId } = gateway;
  expect((await ask(gateway, query)).createTag).toEqual({ organizationId, teamId });
});

test('is filtered by workspace', async () => {
  const { record } = await ask(gateway, create, { input: { teamId: gateway.otherTeamId } });
  const { list: there } = await ask(gateway, list, { filter: { teamId: gateway.otherTeamId } });
  expect(there.nodes).toContainEqual(record);
  const { list: here } = await ask(gateway, list, { filter: { teamId: gateway.teamId } });
  expect(here.nodes).not.toContainEqual(record);
});

test('a list of 100 takes two statements', async () => {
  await gateway.database.prisma.tag.deleteMany();
  const fill = async (number: number) => {
    for (let i = 0; i < number; i += 1) await ask(gateway, create, { input: {} });
  };
  const query = '{ list: tags(first: 100) { totalCount nodes { id name team { id } } } }';
  await expectStatements(gateway, query, fill, ['tags.list + teams', 'tags.count']);
});
