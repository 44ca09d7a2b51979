import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const fields = 'id name isActive teamId customFields { id name internalName } created modified team { id }';
const create = `mutation ($input: CreateCategoryInput!) { category: createCategory(input: $input) { ${fields} } }`;
const update = `mutation ($id: ID!, $input: UpdateCategoryInput!) { category: updateCategory(id: $id, input: $input) { ${fields} } }`;
const replace = `mutation ($id: ID!, $input: ReplaceCategoryInput!) { category: replaceCategory(id: $id, input: $input) { ${fields} } }`;
const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { category: patchCategory(id: $id, operations: $operations) { ${fields} } }`;
const remove = `mutation ($id: ID!) { category: deleteCategory(id: $id) { ${fields} } }`;

let made = 0;
async function createCategory(input: object = {}, token?: string) {
  made += 1;
  return (await ask(gateway, create, { input: { name: `Type ${made}`, ...input } }, token)).category;
}

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

describe('delete', () => {
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
