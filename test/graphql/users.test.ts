import { beforeAll, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  await createTenant(gateway.database, 'Elsewhere');
});

const list = `query ($filter: UserFilter, $first: Int, $after: String) {
  users(filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id name email teamId }
  } }`;
const one = 'query ($id: ID!) { user(id: $id) { name } }';

test.each(['admin', 'member', 'viewer'] as const)('a %s sees the users of the organization', async (role) => {
  const { users } = await ask(gateway, list, {}, gateway[role]);
  expect(users.nodes.map(({ name }: { name: string }) => name)).toEqual(['Ada Admin', 'Max Member']);
  expect(users.totalCount).toBe(2);
});

test('an uploader sees none', async () => {
  const { errors } = await gateway.graphql(list, {}, gateway.uploader);
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('they are found by a part of name or address, page by page', async () => {
  const named = await ask(gateway, list, { filter: { term: 'MAX@' } });
  expect(named.users.nodes).toMatchObject([{ name: 'Max Member', teamId: gateway.teamId }]);
  const { users: first } = await ask(gateway, list, { first: 1 });
  const { users: second } = await ask(gateway, list, { first: 1, after: first.pageInfo.endCursor });
  expect([first, second].map(({ nodes }) => nodes[0].name)).toEqual(['Ada Admin', 'Max Member']);
  expect(second.pageInfo.hasNextPage).toBe(false);
});

test('one is read by its id, and one of another organization is not there', async () => {
  expect(await ask(gateway, one, { id: gateway.userId })).toEqual({ user: { name: 'Ada Admin' } });
  const { prisma } = gateway.database;
  const { organizationId } = gateway;
  const stranger = await prisma.user.findFirstOrThrow({ where: { organizationId: { not: organizationId } } });
  expect(await ask(gateway, one, { id: stranger.id })).toEqual({ user: null });
});

test('a list takes two statements with its count', async () => {
  const names = await namesOf(gateway, () => ask(gateway, list, {}));
  expect(names.sort()).toEqual(['users.count', 'users.list']);
});
