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
  type: 'ContactType',
  one: 'contactType',
  many: 'contactTypes',
  kind: 6,
  noun: 'contact type',
  plain: () => ({ name: `Supplier ${count++}`, isActive: false }),
  blank: { name: null, isActive: true },
  links: async () => ({ teamId: { value: gateway.otherTeamId, shown: 'team' } }),
  searched: ['name'],
};
const { create, replace, list } = operationsOf(records);

describeRecords(records);

test('a name in use in the organization: CONFLICT', async () => {
  await ask(gateway, create, { input: { name: 'Driver', teamId: gateway.otherTeamId } });
  const input = { name: ' DRIVER' };
  await expectRefusal(refusal(gateway, create, { input }, gateway.member), 'CONFLICT', 'name');
  const { record } = await ask(gateway, create, { input: {} });
  await expectRefusal(refusal(gateway, replace, { id: record.id, input }), 'CONFLICT', 'name');
});

test('is filtered by isActive and by workspace', async () => {
  const [used, unused] = [{ isActive: true }, { isActive: false }];
  const { record } = await ask(gateway, create, { input: { ...unused, teamId: gateway.otherTeamId } });
  for (const filter of [unused, { teamId: gateway.otherTeamId }]) {
    expect((await ask(gateway, list, { filter })).list.nodes).toContainEqual(record);
  }
  for (const filter of [used, { teamId: gateway.teamId }]) {
    expect((await ask(gateway, list, { filter })).list.nodes).not.toContainEqual(record);
  }
});

test('a list of 100 takes two statements', async () => {
  await gateway.database.prisma.contactType.deleteMany();
  const fill = async (number: number) => {
    for (let i = 0; i < number; i += 1) await ask(gateway, create, { input: {} });
  };
  const query = '{ list: contactTypes(first: 100) { totalCount nodes { id name team { id } } } }';
  await expectStatements(gateway, query, fill, ['contact_types.list + teams', 'contact_types.count']);
});
