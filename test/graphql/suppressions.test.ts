import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { suppressAddress } from '../../src/reminders/queries/suppressions.js';
import { makeItem } from '../reminders/told.support.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { ask } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});

const create = `mutation ($input: CreateSuppressionInput!) { createSuppression(input: $input) {
  id address scope reason until category { id } expirationItem { id }
} }`;
const remove = 'mutation ($id: ID!) { deleteSuppression(id: $id) { id address } }';
const address = () => `${newId()}@example.com`;

const make = async (input: object) => (await ask(gateway, create, { input })).createSuppression;
const errorOf = async (query: string, variables: object, token?: string) =>
  (await gateway.graphql(query, variables, token)).errors?.[0];

test('an admin ends mails to an address, once, and lets them go on', async () => {
  const to = address();
  const made = await Promise.all([make({ address: to.toUpperCase() }), make({ address: ` ${to} ` })]);
  expect(made[0]).toEqual({
    ...{ id: expect.any(String), address: to, scope: 'ALL', reason: 'ADMIN', until: null },
    ...{ category: null, expirationItem: null },
  });
  expect(made[1]).toEqual(made[0]);
  const { id } = made[0];
  expect(await ask(gateway, remove, { id })).toEqual({ deleteSuppression: { id, address: to } });
  expect((await errorOf(remove, { id }))?.extensions.code).toBe('NOT_FOUND');
  const { eventLogs } = await ask(gateway, '{ eventLogs(first: 2) { nodes { description } } }');
  expect(eventLogs.nodes.map(({ description }: { description: string }) => description)).toEqual(
    expect.arrayContaining([`Mails to ${to} are sent again`, `Mails to ${to} were stopped`]),
  );
});

test('an address has one suppression, however often it was refused, and is free without it', async () => {
  const { database, organizationId } = gateway;
  const to = address();
  const refuse = (at: string, days: number, reason: 'REFUSED' | 'UNSUBSCRIBED' = 'REFUSED') => {
    const now = new Date(at);
    const until = reason === 'REFUSED' ? new Date(now.getTime() + days * 86_400_000) : null;
    const refused = { organizationId, address: to, scope: 'ALL', scopeId: null, reason, until } as const;
    return database.inTransaction((tx) => suppressAddress(tx, refused, now));
  };
  const rows = () => database.prisma.suppression.findMany({ where: { addressKey: to } });
  await Promise.all([refuse('2026-12-01', 30), refuse('2026-12-01', 30), refuse('2026-12-01', 30)]);
  await refuse('2026-12-11', 30);
  expect(await rows()).toMatchObject([{ reason: 'REFUSED', until: new Date('2027-01-10') }]);
  const made = await make({ address: to, until: '2027-06-01T00:00:00Z' });
  expect(made).toMatchObject({ reason: 'ADMIN' });
  await refuse('2027-05-20', 30);
  expect(await rows()).toMatchObject([{ id: made.id, reason: 'ADMIN', until: new Date('2027-06-01') }]);
  await refuse('2027-06-02', 30);
  expect(await rows()).toMatchObject([{ reason: 'REFUSED', until: new Date('2027-07-02') }]);
  await refuse('2027-06-03', 0, 'UNSUBSCRIBED');
  await refuse('2027-06-04', 30);
  expect(await rows()).toMatchObject([{ reason: 'UNSUBSCRIBED', until: null }]);
  // A version before this one made another entry with each refusal.
  const old = { organizationId, addressKey: to, scope: 'ALL', reason: 'REFUSED' } as const;
  await database.prisma.suppression.createMany({ data: [old, old] });
  await ask(gateway, remove, { id: made.id });
  expect(await rows()).toEqual([]);
});

test('a suppression is of a document type, or of an item', async () => {
  const itemId = await makeItem(gateway, gateway);
  const { categoryId } = await gateway.database.prisma.expirationItem.findUniqueOrThrow({
    where: { id: itemId },
  });
  const to = address();
  expect(await make({ address: to, categoryId })).toMatchObject({
    scope: 'CATEGORY',
    category: { id: categoryId },
  });
  expect(await make({ address: to, expirationItemId: itemId })).toMatchObject({
    ...{ scope: 'ITEM', expirationItem: { id: itemId }, category: null },
  });
  expect(await make({ address: to, until: '2027-01-01T00:00:00Z' })).toMatchObject({ scope: 'ALL' });
  const { suppressions } = await ask(gateway, `{ suppressions(filter: {address: "${to}"}) { totalCount } }`);
  expect(suppressions.totalCount).toBe(3);
});

test.each([
  ['address', { address: 'nobody' }],
  ['address', { address: '' }],
  ['until', { until: '2020-01-01T00:00:00Z' }],
  ['categoryId', { categoryId: newId() }],
  ['expirationItemId', { expirationItemId: newId() }],
  ['categoryId', { categoryId: 'no id' }],
])('an invalid %s is reported', async (field, input) => {
  const error = await errorOf(create, { input: { address: address(), ...input } });
  expect(error).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
  expect(error.message).toContain(field);
});

test('nobody but admins sees and changes suppressions, and those of their organization', async () => {
  const { id } = await make({ address: address() });
  for (const token of [gateway.member, gateway.viewer, gateway.uploader]) {
    for (const [query, variables] of [
      ['{ suppressions { totalCount } }', {}],
      ['query ($id: ID!) { suppression(id: $id) { id } }', { id }],
      [create, { input: { address: address() } }],
      [remove, { id }],
    ] as const)
      expect((await errorOf(query, variables, token))?.extensions.code).toBe('FORBIDDEN');
  }
  expect((await errorOf(remove, { id }, foreign.admin))?.extensions.code).toBe('NOT_FOUND');
  expect(await ask(gateway, `{ suppression(id: "${id}") { id } }`, {}, foreign.admin)).toEqual({
    suppression: null,
  });
});
