import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinked, nowhere } from '../rest/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { describeRecords, expectStatements, operationsOf, type Records } from './records.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

let count = 0;
/** Not needed, but its natural key must not be another's. */
const taxId = () => `tax ${count++}`;

const texts = ['doingBusinessAs', 'phone', 'website', 'addressLine1', 'addressLine2', 'city', 'province'];
const plain = () => ({
  name: 'Acme Corporation',
  ...Object.fromEntries([...texts, 'postalCode'].map((field) => [field, `A ${field}`])),
  countryId: '11111111-1111-4111-8111-111111111111',
  taxId: taxId(),
  taxTypeId: 2_147_483_647,
  typeId: '12111111-1111-4111-8111-111111111111',
  isArchived: true,
  customFields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Tier', value: 'gold' }],
});

const records: Records = {
  gateway: () => gateway,
  type: 'Company',
  one: 'company',
  many: 'companies',
  kind: 4,
  noun: 'company',
  plain,
  blank: {
    ...Object.fromEntries(Object.keys(plain()).map((field) => [field, null])),
    isArchived: false,
    customFields: [],
  },
  links: async () => ({
    primaryContactId: { value: (await createLinked(gateway, gateway)).contactId, shown: 'primaryContact' },
    assignedTo: { value: { id: gateway.userId }, shown: 'assignedTo' },
    teamId: { value: gateway.otherTeamId, shown: 'team' },
  }),
  searched: ['name', 'doingBusinessAs', 'taxId', 'phone', 'city'],
};
const { create, update, list } = operationsOf(records);

describeRecords(records);

test.each<[field: string, code: string, input: () => object]>([
  ['primaryContactId', 'BAD_REQUEST', () => ({ primaryContactId: nowhere })],
  ['primaryContactId', 'BAD_REQUEST', () => ({ primaryContactId: gateway.userId })],
  ['assignedTo.id', 'BAD_REQUEST', () => ({ assignedTo: { id: nowhere } })],
  ['addressLine1', 'BAD_REQUEST', () => ({ addressLine1: 'x'.repeat(256) })],
  ['taxId', 'CONFLICT', () => ({ taxId: ' TAKEN' })],
])('refuses a wrong %s: %s', async (field, code, input) => {
  if (code === 'CONFLICT') await ask(gateway, create, { input: { taxId: 'taken' } });
  await expectRefusal(refusal(gateway, create, { input: input() }), code, field);
  const { record } = await ask(gateway, create, { input: { taxId: taxId() } });
  await expectRefusal(refusal(gateway, update, { id: record.id, input: input() }), code, field);
});

test.each(['isArchived', 'primaryContactId', 'assignedToId', 'teamId'])(
  'is filtered by %s',
  async (field) => {
    const primaryContactId = (await createLinked(gateway, gateway)).contactId;
    const written = { primaryContactId, teamId: gateway.otherTeamId, isArchived: true };
    const { record } = await ask(gateway, create, {
      input: { ...written, assignedTo: { id: gateway.userId } },
    });
    const value = { ...written, assignedToId: gateway.userId }[field];
    const found = await ask(gateway, list, { filter: { [field]: value } });
    expect(found.list.nodes).toContainEqual(record);
    const other = { isArchived: false, primaryContactId: nowhere, assignedToId: nowhere, teamId: nowhere }[
      field
    ];
    const missed = await ask(gateway, list, { filter: { [field]: other } });
    expect(missed.list.nodes).not.toContainEqual(record);
  },
);

test('a list of 100 with all its links takes two statements', async () => {
  const { prisma } = gateway.database;
  await prisma.company.deleteMany();
  const fill = async (number: number) => {
    for (let i = 0; i < number; i += 1) {
      const primaryContactId = (await createLinked(gateway, gateway)).contactId;
      await ask(gateway, create, { input: { primaryContactId, assignedTo: { id: gateway.userId } } });
    }
  };
  const query = `{ list: companies(first: 100) {
    totalCount
    nodes { id primaryContact { id } assignedTo { id } team { id } }
  } }`;
  const rows = 'companies.list + contacts + users + teams';
  await expectStatements(gateway, query, fill, [rows, 'companies.count']);
});
