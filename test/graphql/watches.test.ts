import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { expectRefused } from './people.support.js';
import { ask } from './support.js';

const gateway = useGateway();
let memberId: string;
let contactId: string;
let categoryId: string;
beforeAll(async () => {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const place = { organizationId, teamId };
  memberId = (await prisma.user.findFirstOrThrow({ where: { organizationId, email: 'max@example.com' } })).id;
  [contactId, categoryId] = [newId(), newId()];
  await prisma.contact.create({ data: { ...place, id: contactId, name: 'Anna', email: 'anna@example.org' } });
  await prisma.category.create({ data: { ...place, id: categoryId, name: 'Licence' } });
});

const fields =
  'id name isActive userId contactId teamId filter { categoryIds locationId tagIds contactTypeId contactIds } user { name } contact { name }';
const create = `mutation ($input: CreateWatchInput!) { createWatch(input: $input) { ${fields} } }`;
const update = `mutation ($id: ID!, $input: UpdateWatchInput!) { updateWatch(id: $id, input: $input) { ${fields} } }`;
const remove = 'mutation ($id: ID!) { deleteWatch(id: $id) { id } }';
const restore = 'mutation ($id: ID!) { restoreWatch(id: $id) { id } }';

const as = async (token: string, document: string, variables: object) => {
  const { data, errors } = await gateway.graphql(document, variables, token);
  expect(errors).toBeUndefined();
  return data;
};
const make = async (input: object, token = gateway.member) =>
  (await as(token, create, { input })).createWatch;

test('a member watches for himself, narrowed or not', async () => {
  const all = await make({});
  const none = { categoryIds: null, locationId: null, tagIds: null, contactTypeId: null, contactIds: null };
  expect(all).toMatchObject({ userId: memberId, contactId: null, isActive: true, filter: none });
  expect(all.user).toEqual({ name: 'Max Member' });
  const filter = { categoryIds: [categoryId, categoryId.toUpperCase()], tagIds: [] };
  const some = await make({ name: 'Licences', filter });
  expect(some.filter).toEqual({ ...none, categoryIds: [categoryId] });
  const changed = await as(gateway.member, update, { id: some.id, input: { isActive: false } });
  expect(changed.updateWatch).toMatchObject({ isActive: false, filter: { categoryIds: [categoryId] } });
  const { watches } = await ask(gateway, '{ watches(filter: { isActive: false }) { nodes { name } } }');
  expect(watches.nodes).toEqual([{ name: 'Licences' }]);
});

describe('for others only an admin', () => {
  const refusal = ['FORBIDDEN', /MEMBER may not/] as const;

  test('watches', async () => {
    for (const input of [{ userId: gateway.userId }, { contactId }]) {
      await expectRefused(gateway, create, { input }, refusal, gateway.member);
    }
    expect(await make({ userId: memberId }, gateway.admin)).toMatchObject({ userId: memberId });
    expect(await make({ contactId }, gateway.admin)).toMatchObject({
      userId: null,
      contact: { name: 'Anna' },
    });
  });

  test('changes, deletes and restores one', async () => {
    const { id } = await make({ contactId }, gateway.admin);
    await expectRefused(gateway, update, { id, input: { name: 'Mine' } }, refusal, gateway.member);
    await expectRefused(gateway, update, { id, input: { userId: memberId } }, refusal, gateway.member);
    await expectRefused(gateway, remove, { id }, refusal, gateway.member);
    const own = await make({});
    await expectRefused(
      gateway,
      update,
      { id: own.id, input: { userId: gateway.userId } },
      refusal,
      gateway.member,
    );
    await as(gateway.admin, remove, { id });
    await as(gateway.member, remove, { id: own.id });
    await expectRefused(gateway, restore, { id }, refusal, gateway.member);
    expect((await as(gateway.member, restore, { id: own.id })).restoreWatch.id).toBe(own.id);
  });
});

test('a new recipient replaces the old one', async () => {
  const { id } = await make({ contactId }, gateway.admin);
  const told = async (input: object) => {
    const { updateWatch } = await as(gateway.admin, update, { id, input });
    return [updateWatch.userId, updateWatch.contactId];
  };
  expect(await told({ userId: memberId })).toEqual([memberId, null]);
  expect(await told({ contactId })).toEqual([null, contactId]);
  expect(await told({ name: 'Anna' })).toEqual([null, contactId]);
  expect(await told({ contactId: null })).toEqual([gateway.userId, null]);
});

describe('is refused', () => {
  test.each([
    ['a user and a contact', () => ({ userId: gateway.userId, contactId }), /must be left out where a user/],
    ['an unknown user', () => ({ userId: newId() }), /names no user that exists/],
    [
      'an unknown document type',
      () => ({ filter: { categoryIds: [newId()] } }),
      /filter.categoryIds.*names no/,
    ],
    ['what is no id', () => ({ filter: { locationId: 'x' } }), /must be a UUID/],
    ['a contact of another kind', () => ({ filter: { contactTypeId: contactId } }), /names no contact type/],
    [
      'too many ids',
      () => ({ filter: { tagIds: Array.from({ length: 1_001 }, () => newId()) } }),
      /must have at most/,
    ],
  ])('%s', async (_, input, message) => {
    await expectRefused(gateway, create, { input: input() }, ['BAD_REQUEST', message]);
  });
});

test('what it was narrowed to may be gone; the watch stays and can be changed', async () => {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const tag = newId();
  await prisma.tag.create({ data: { id: tag, organizationId, teamId, name: 'Short-lived' } });
  const { id } = await make({ filter: { tagIds: [tag] } });
  await ask(gateway, 'mutation ($id: ID!) { deleteTag(id: $id) { id } }', { id: tag });
  const { updateWatch } = await as(gateway.member, update, { id, input: { name: 'Still there' } });
  expect(updateWatch).toMatchObject({ name: 'Still there', filter: { tagIds: [tag] } });
});

test('one of a contact goes with the contact, and comes back with it, not before', async () => {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const id = newId();
  await prisma.contact.create({ data: { id, organizationId, teamId, name: 'Bo', email: 'bo@example.org' } });
  const watch = await make({ contactId: id }, gateway.admin);
  await as(gateway.admin, remove, { id: watch.id });
  await ask(gateway, 'mutation ($id: ID!) { deleteContact(id: $id) { id } }', { id });
  await expectRefused(gateway, restore, { id: watch.id }, [
    'CONFLICT',
    /the contact "Bo".*is gone; restore it first/,
  ]);
  await ask(gateway, 'mutation ($id: ID!) { restoreContact(id: $id) { id } }', { id });
  expect((await as(gateway.admin, restore, { id: watch.id })).restoreWatch.id).toBe(watch.id);
});
