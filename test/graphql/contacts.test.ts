import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { expectNoTrace } from '../rest/records.js';
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
const needed = () => ({ email: `person-${count++}@example.com` });

async function makeType(): Promise<string> {
  const id = newId();
  const { organizationId, teamId } = gateway;
  await gateway.database.prisma.contactType.create({ data: { id, organizationId, teamId, name: id } });
  return id;
}

const records: Records = {
  gateway: () => gateway,
  type: 'Contact',
  one: 'contact',
  many: 'contacts',
  kind: 5,
  noun: 'contact',
  plain: () => ({
    name: 'Grace Hopper',
    timezone: 'America/New_York',
    mobile: '+1 555 0100',
    phone: '+1 555 0101',
    contactId: 'any text',
    isActive: false,
    customFields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Badge', value: '7' }],
  }),
  blank: {
    name: null,
    email: '',
    timezone: null,
    mobile: null,
    phone: null,
    contactId: null,
    isActive: true,
    customFields: [],
  },
  needed,
  links: async () => ({
    typeId: { value: await makeType(), shown: 'type' },
    locationId: { value: (await createLinked(gateway, gateway)).locationId, shown: 'location' },
    assignedTo: { value: { id: gateway.userId }, shown: 'assignedTo' },
    teamId: { value: gateway.otherTeamId, shown: 'team' },
  }),
  searched: ['name', 'email', 'phone', 'mobile', 'contactId'],
};
const { create, update, list } = operationsOf(records);

describeRecords(records);

describe('refuses', () => {
  test.each<[field: string, input: () => object]>([
    ['email', () => ({ email: 'nobody' })],
    ['timezone', () => ({ timezone: 'Mars/Olympus' })],
    ['typeId', () => ({ typeId: nowhere })],
    ['typeId', () => ({ typeId: gateway.teamId })],
    ['locationId', () => ({ locationId: nowhere })],
    ['assignedTo.id', () => ({ assignedTo: { id: nowhere } })],
    ['teamId', () => ({ teamId: nowhere })],
  ])('a wrong %s, on create and on update', async (field, input) => {
    const { record } = await ask(gateway, create, { input: needed() });
    await expectNoTrace(gateway, async () => {
      const made = refusal(gateway, create, { input: { ...needed(), ...input() } });
      await expectRefusal(made, 'BAD_REQUEST', field);
      const updated = refusal(gateway, update, { id: record.id, input: input() });
      await expectRefusal(updated, 'BAD_REQUEST', field);
    });
  });

  test('an address in use: CONFLICT', async () => {
    const input = needed();
    await ask(gateway, create, { input });
    const taken = { email: input.email.toUpperCase() };
    await expectRefusal(refusal(gateway, create, { input: taken }), 'CONFLICT', 'email', /in use/);
  });
});

test.each(['isActive', 'typeId', 'locationId', 'assignedToId', 'teamId'])(
  'is filtered by %s',
  async (field) => {
    const typeId = await makeType();
    const { locationId } = await createLinked(gateway, gateway);
    const links = { typeId, locationId, teamId: gateway.otherTeamId, isActive: false };
    const value = { ...links, assignedToId: gateway.userId }[field];
    const input = { ...needed(), ...links, assignedTo: { id: gateway.userId } };
    const { record } = await ask(gateway, create, { input });
    const found = await ask(gateway, list, { filter: { [field]: value } });
    expect(found.list.nodes).toContainEqual(record);
    const others = { isActive: true, typeId: await makeType(), locationId: nowhere, assignedToId: nowhere };
    const other = { ...others, teamId: gateway.teamId }[field];
    const missed = await ask(gateway, list, { filter: { [field]: other } });
    expect(missed.list.nodes).not.toContainEqual(record);
  },
);

test("deleting a contact's linked record clears the link", async () => {
  const typeId = await makeType();
  const { locationId } = await createLinked(gateway, gateway);
  const { record } = await ask(gateway, create, { input: { ...needed(), typeId, locationId } });
  await ask(gateway, 'mutation ($id: ID!) { deleteContactType(id: $id) { id } }', { id: typeId });
  await ask(gateway, 'mutation ($id: ID!) { deleteLocation(id: $id) { id } }', { id: locationId });
  const query = 'query ($id: ID!) { contact(id: $id) { typeId type { id } locationId location { id } } }';
  const left = { typeId: null, type: null, locationId: null, location: null };
  expect((await ask(gateway, query, { id: record.id })).contact).toEqual(left);
});

test('a list of 100 with all its links takes two statements', async () => {
  const { prisma } = gateway.database;
  await prisma.contact.deleteMany();
  const fill = async (number: number) => {
    for (let i = 0; i < number; i += 1) {
      const { locationId } = i < 20 ? await createLinked(gateway, gateway) : { locationId: null };
      await prisma.contact.deleteMany({ where: { name: null } });
      const links = { typeId: await makeType(), locationId, assignedTo: { id: gateway.userId } };
      await ask(gateway, create, { input: { ...needed(), name: `Contact ${i}`, ...links } });
    }
  };
  const query = `{ list: contacts(first: 100) {
    totalCount
    nodes { id type { id } location { id } assignedTo { id } team { id } }
  } }`;
  const rows = 'contacts.list + contact_types + locations + users + teams';
  await expectStatements(gateway, query, fill, [rows, 'contacts.count']);
});
