import { describe, expect, test } from 'vitest';
import { createItem, readItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

const run = (name: string, type: string, id: string, value: unknown, fields = 'id') =>
  gateway.graphql(
    `mutation ($id: ID!, $value: ${type}!) { ${name}(id: $id, ${type.startsWith('[') ? 'operations' : 'input'}: $value) { ${fields} } }`,
    { id, value },
  );

const patch = (id: string, operations: object[], fields?: string) =>
  run('patchExpirationItem', '[PatchOperationInput!]', id, operations, fields);

describe('patchExpirationItem', () => {
  test('adds, moves and removes nested records', async () => {
    const item = await createItem(gateway, {
      tags: [{ name: 'a' }, { name: 'b' }],
      contacts: [{ email: 'p@example.com' }],
    });
    const { data, errors } = await patch(
      item.id,
      [
        { op: 'test', path: '/contacts/0/email', value: 'p@example.com' },
        { op: 'add', path: '/tags/-', value: { name: 'c' } },
        { op: 'move', from: '/tags/0', path: '/tags/1' },
        { op: 'add', path: '/contacts/-', value: { email: 'q@example.com' } },
        { op: 'replace', path: '/category', value: { name: 'Patched' } },
        { op: 'replace', path: '/expirationDate', value: '2030-02-03' },
        { op: 'add', path: '/attachments/-', value: { name: 'x', content: 'eA==' } },
      ],
      'status expirationDate tags { name } contacts { email } category { name } attachments { nodes { name content } }',
    );
    expect(errors).toBeUndefined();
    expect(data.patchExpirationItem).toEqual({
      status: 'CURRENT',
      expirationDate: '2030-02-03',
      tags: [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
      contacts: [{ email: 'p@example.com' }, { email: 'q@example.com' }],
      category: { name: 'Patched' },
      attachments: { nodes: [{ name: 'x', content: 'eA==' }] },
    });
  });

  test.each([
    [{ op: 'replace', path: '/status', value: 'EXPIRED' }, 'BAD_REQUEST', /^operation 0: /],
    [{ op: 'remove', path: '/expirationDate' }, 'BAD_REQUEST', /^operation 0: expirationDate/],
    [{ op: 'remove', path: '/name' }, 'BAD_REQUEST', /^operation 0: name/],
    [{ op: 'add', path: '/tags/-', value: {} }, 'BAD_REQUEST', /^operation 0: tags/],
    [{ op: 'test', path: '/name', value: 'other' }, 'CONFLICT', /^operation 0: /],
  ])('%j is refused', async (operation, code, message) => {
    const item = await createItem(gateway);
    const { errors } = await patch(item.id, [operation]);
    expect(errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { code } }]);
    expect(await readItem(gateway, item)).toEqual(item);
  });
});

test('a patch keeps what its caller cannot see', async () => {
  const item = await createItem(gateway, {
    category: { name: 'Hidden' },
    tags: [{ name: 'hidden' }],
    contacts: [{ email: 'hidden@example.com' }],
    teamId: gateway.otherTeamId,
  });
  // In the other workspace its links stay behind, out of the member's sight.
  const { prisma } = gateway.database;
  await prisma.expirationItem.update({ where: { id: item.id }, data: { teamId: gateway.teamId } });
  const operations = [{ op: 'add', path: '/details', value: 'seen' }];
  const query = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) {
    patchExpirationItem(id: $id, operations: $operations) { details tags { name } } }`;
  const { data } = await gateway.graphql(query, { id: item.id, operations }, gateway.member);
  expect(data.patchExpirationItem).toEqual({ details: 'seen', tags: [] });
  const { category, tags, contacts } = await readItem(gateway, item);
  expect([category, tags, contacts]).toEqual([item.category, item.tags, item.contacts]);
});

test('a mutation that fails leaves the answers of those before it', async () => {
  const { data, errors } = await gateway.graphql(
    'mutation { first: createTag(input: { name: "twice" }) { name } second: createTag(input: { name: "Twice" }) { name } }',
  );
  expect(data).toEqual({ first: { name: 'twice' }, second: null });
  expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'CONFLICT', field: 'name' } }]);
});

test('updateExpirationItem keeps, replaceExpirationItem returns to defaults, null is no date', async () => {
  const item = await createItem(gateway, {
    details: 'd',
    tags: [{ name: 'kept' }],
    assignedTo: { id: gateway.userId },
  });
  await run('updateExpirationItem', 'UpdateExpirationItemInput', item.id, { name: 'Renamed' });
  expect(await readItem(gateway, item)).toEqual({ ...item, name: 'Renamed' });
  const { errors } = await run('updateExpirationItem', 'UpdateExpirationItemInput', item.id, {
    expirationDate: null,
  });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', field: 'expirationDate' } }]);
  await run('replaceExpirationItem', 'ReplaceExpirationItemInput', item.id, {
    name: 'N',
    expirationDate: '2027-06-01',
  });
  expect(await readItem(gateway, item)).toMatchObject({
    details: null,
    tags: [],
    assignedTo: null,
    category: { name: 'Generic' },
  });
});

test('deleteExpirationItem takes its links and files with it, and logs it', async () => {
  const item = await createItem(gateway, { tags: [{ name: 'gone' }], attachments: [{ content: 'eA==' }] });
  const { data } = await gateway.graphql('mutation ($id: ID!) { deleteExpirationItem(id: $id) { id } }', {
    id: item.id,
  });
  expect(data.deleteExpirationItem.id).toBe(item.id);
  expect(await readItem(gateway, item)).toBeNull();
  const { prisma } = gateway.database;
  expect(await prisma.attachment.count({ where: { itemId: item.id } })).toBe(0);
  const last = await prisma.eventLog.findFirst({
    where: { entities: { some: { entityId: item.id } } },
    orderBy: { id: 'desc' },
  });
  expect(last).toMatchObject({ typeId: 4, description: 'Expiration item "Licence" was deleted' });
});

const nested = `query ($first: Int) { expirationItems(first: $first, filter: { term: "many" }, orderBy: { field: NAME, direction: ASC }) {
  totalCount
  nodes {
    name status category { name } assignedTo { name } team { name }
    contacts { email assignedTo { name } location { name } } locations { name parentLocation { name } } tags { name }
    attachments { nodes { name contentLength } } renewals { nodes { expirationDate } }
  }
} }`;

test('a nested list takes the same statements whatever its length', async () => {
  for (let i = 0; i < 12; i++) {
    await createItem(gateway, {
      name: `many ${i}`,
      assignedTo: { id: gateway.userId },
      contacts: [{ email: `m${i}@example.com` }, { email: 'shared@example.com' }],
      locations: [{ name: `place ${i}` }],
      tags: [{ name: `many ${i % 3}` }],
      attachments: [{ name: 'f', content: 'eA==' }],
    });
  }
  const statements = async (first: number) => {
    let found = 0;
    const sent = await gateway.statements(async () => {
      found = (await gateway.graphql(nested, { first })).data.expirationItems.nodes.length;
    });
    expect(found).toBe(first);
    return sent.length;
  };
  await statements(1);
  expect(await statements(12)).toBe(await statements(2));
});
