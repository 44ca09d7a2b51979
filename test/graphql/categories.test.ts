import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal, serverId } from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  foreign = await createTenant(gateway.database, 'Globex');
});
afterAll(() => gateway.close());

const fields = 'id name isActive teamId customFields { id name internalName } created modified team { id }';
const create = `mutation ($input: CreateCategoryInput!) { category: createCategory(input: $input) { ${fields} } }`;
const update = `mutation ($id: ID!, $input: UpdateCategoryInput!) { category: updateCategory(id: $id, input: $input) { ${fields} } }`;
const replace = `mutation ($id: ID!, $input: ReplaceCategoryInput!) { category: replaceCategory(id: $id, input: $input) { ${fields} } }`;
const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { category: patchCategory(id: $id, operations: $operations) { ${fields} } }`;
const remove = `mutation ($id: ID!) { category: deleteCategory(id: $id) { ${fields} } }`;
const read = `query ($id: ID!) { category(id: $id) { ${fields} } }`;

let made = 0;
async function createCategory(input: object = {}, token?: string) {
  made += 1;
  return (await ask(gateway, create, { input: { name: `Type ${made}`, ...input } }, token)).category;
}

test('a new document type has its defaults, and is read back', async () => {
  const category = await createCategory({ name: 'Passport' });
  expect(category).toStrictEqual({
    id: serverId,
    name: 'Passport',
    isActive: true,
    teamId: gateway.teamId,
    customFields: [],
    created: '2026-11-20T09:30:00.000Z',
    modified: '2026-11-20T09:30:00.000Z',
    team: { id: gateway.teamId },
  });
  expect((await ask(gateway, read, { id: category.id })).category).toEqual(category);
});

test('update keeps missing values, replace does not', async () => {
  const { id } = await createCategory({ isActive: false, customFields: [{ name: 'No' }] });
  const updated = (await ask(gateway, update, { id, input: { name: 'Updated' } })).category;
  expect(updated).toMatchObject({ name: 'Updated', isActive: false, customFields: [{ name: 'No' }] });
  const replaced = (await ask(gateway, replace, { id, input: { name: 'Replaced' } })).category;
  expect(replaced).toMatchObject({ name: 'Replaced', isActive: true, customFields: [] });
  const operations = [{ op: 'add', path: '/customFields/-', value: { internalName: 'x' } }];
  const patched = (await ask(gateway, patch, { id, operations })).category;
  expect(patched.customFields).toEqual([{ id: serverId, name: null, internalName: 'x' }]);
});

test('the name is never nothing', async () => {
  const { id } = await createCategory();
  await expectRefusal(refusal(gateway, create, { input: { name: '' } }), 'BAD_REQUEST', 'name', /empty/);
  await expectRefusal(refusal(gateway, update, { id, input: { name: null } }), 'BAD_REQUEST', 'name');
  await expectRefusal(
    refusal(gateway, replace, { id, input: { name: ' ' } }),
    'BAD_REQUEST',
    'name',
    /empty/,
  );
  const operations = [{ op: 'remove', path: '/name' }];
  await expectRefusal(refusal(gateway, patch, { id, operations }), 'BAD_REQUEST');
});

test('a name is one document type’s in its workspace', async () => {
  await createCategory({ name: 'Permit' });
  const again = { input: { name: '\tpERMIT ' } };
  await expectRefusal(refusal(gateway, create, again), 'CONFLICT', 'name', /in use/);
  await createCategory({ name: 'Permit', teamId: gateway.otherTeamId });
  await createCategory({ name: 'Permit' }, foreign.admin);
});

describe('delete', () => {
  test('returns the document type as it was, with an event', async () => {
    const category = await createCategory({ name: 'Short-lived' });
    expect((await ask(gateway, remove, { id: category.id })).category).toEqual(category);
    expect((await ask(gateway, read, { id: category.id })).category).toBeNull();
    const { database } = gateway;
    const [event] = await database.prisma.eventLog.findMany({ where: { typeId: 4 } });
    expect(event?.description).toBe('Document type "Short-lived" was deleted');
  });

  test('is a CONFLICT while items use it, and leaves no event', async () => {
    const { id } = await createCategory();
    const { organizationId, teamId, database } = gateway;
    const item = { id: newId(), organizationId, teamId, name: 'Licence', categoryId: id };
    await database.prisma.expirationItem.create({ data: item });
    const before = await database.prisma.eventLog.count();
    await expectRefusal(
      refusal(gateway, remove, { id }),
      'CONFLICT',
      undefined,
      /cannot be deleted: 1 expiration item still belongs/,
    );
    expect(await database.prisma.eventLog.count()).toBe(before);
    await database.prisma.expirationItem.delete({ where: { id: item.id } });
    await ask(gateway, remove, { id });
  });
});

test('lists are in the order of names, and narrowed by term, use and workspace', async () => {
  const tenant = await createTenant(gateway.database, 'Initech');
  const inputs = [
    { name: 'Beta 100%' },
    { name: 'alpha', isActive: false },
    { name: 'Gamma', teamId: tenant.otherTeamId },
  ];
  for (const input of inputs) await createCategory(input, tenant.admin);
  const list = async (filter: object, token = tenant.admin) => {
    const query =
      'query ($filter: CategoryFilter) { categories(filter: $filter) { totalCount nodes { name } } }';
    const { nodes, totalCount } = (await ask(gateway, query, { filter }, token)).categories;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ name }: { name: string }) => name);
  };
  expect((await list({})).sort()).toEqual(['Beta 100%', 'Gamma', 'alpha']);
  expect(await list({ term: 'BETA' })).toEqual(['Beta 100%']);
  expect(await list({ term: '%' })).toEqual(['Beta 100%']);
  expect(await list({ isActive: false })).toEqual(['alpha']);
  expect(await list({ teamId: tenant.otherTeamId })).toEqual(['Gamma']);
  expect((await list({}, tenant.viewer)).sort()).toEqual(['Beta 100%', 'alpha']);
});

test('viewers read, uploaders do not, neither writes; others’ are not there', async () => {
  const { id } = await createCategory();
  expect((await ask(gateway, read, { id }, gateway.viewer)).category.id).toBe(id);
  expect((await ask(gateway, read, { id }, foreign.admin)).category).toBeNull();
  await expectRefusal(refusal(gateway, read, { id }, gateway.uploader), 'FORBIDDEN');
  for (const token of [gateway.viewer, gateway.uploader]) {
    await expectRefusal(refusal(gateway, create, { input: { name: 'x' } }, token), 'FORBIDDEN');
    await expectRefusal(refusal(gateway, remove, { id }, token), 'FORBIDDEN');
  }
  await expectRefusal(refusal(gateway, remove, { id }, foreign.admin), 'NOT_FOUND');
});
