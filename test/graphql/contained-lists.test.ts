import { beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask } from './support.js';

const gateway = useGateway();
let item: { id: string };
let innermost: string;
const dates = ['2028-01-01', '2029-01-01', '2030-01-01', '2031-01-01'];

beforeAll(async () => {
  const attachments = ['d', 'b', 'c', 'a'].map((name) => ({ name, content: 'eA==' }));
  item = await createItem(gateway, { attachments });
  for (const expirationDate of dates) {
    await ask(
      gateway,
      'mutation ($id: ID!, $input: RenewExpirationItemInput!) { renewExpirationItem(id: $id, input: $input) { id } }',
      { id: item.id, input: { expirationDate } },
    );
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 1000);
  }
  let parentLocationId: string | null = null;
  for (const name of ['d', 'b', 'c', 'a', 'innermost']) {
    const create: string =
      'mutation ($input: CreateLocationInput!) { made: createLocation(input: $input) { id } }';
    ({ id: parentLocationId } = (await ask(gateway, create, { input: { name, parentLocationId } })).made);
  }
  innermost = String(parentLocationId);
});

/** The three lists, what of a row is looked at, and the rows in their order. */
const lists = [
  ['ExpirationItem', 'attachments', 'name', ['d', 'b', 'c', 'a']],
  ['ExpirationItem', 'renewals', 'expirationDate', [...dates].reverse()],
  ['Location', 'ancestors', 'name', ['d', 'b', 'c', 'a']],
] as const;

/** The ways to a record: its list is read after it, or together with it. */
const ways = ['node', 'query'] as const;

describe.each(lists.flatMap((list) => ways.map((way) => [...list, way] as const)))('%s.%s', (...each) => {
  const [type, field, shown, rows, way] = each;
  const id = () => (type === 'Location' ? innermost : item.id);
  const queryFor = (list: string) => {
    const root = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
    const read =
      way === 'node' ? `node(id: $id) { ... on ${type} { ${list} } }` : `node: ${root}(id: $id) { ${list} }`;
    return `query ($id: ID!) { ${read} }`;
  };
  async function page(args: string) {
    const list = `${field}${args} { totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node { ${shown} } } }`;
    const { node } = await ask(gateway, queryFor(list), { id: id() });
    const { edges, ...rest } = node[field];
    const names = edges.map(({ node }: { node: Record<string, string> }) => node[shown]);
    return { names, cursors: edges.map(({ cursor }: { cursor: string }) => cursor), ...rest };
  }

  test('is a connection in its order', async () => {
    expect(await page('')).toMatchObject({
      names: rows,
      totalCount: 4,
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
    });
  });

  test('continues after and before every row', async () => {
    const { cursors } = await page('');
    for (const [n, cursor] of cursors.entries()) {
      expect((await page(`(first: 2, after: "${cursor}")`)).names).toEqual(rows.slice(n + 1, n + 3));
      expect((await page(`(last: 2, before: "${cursor}")`)).names).toEqual(rows.slice(Math.max(0, n - 2), n));
    }
  });

  test('rejects a cursor of another list, and a page that is too long', async () => {
    const { data } = await gateway.graphql('{ users { pageInfo { endCursor } } }');
    for (const args of [
      `after: "${data.users.pageInfo.endCursor}"`,
      'after: "x"',
      'first: 501',
      'last: -1',
    ]) {
      const { errors } = await gateway.graphql(queryFor(`${field}(${args}) { totalCount }`), { id: id() });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    }
  });

  test('takes the same statements for its rows, its count and its page info', async () => {
    const one = await namesOf(gateway, () =>
      ask(gateway, queryFor(`${field} { nodes { id } }`), { id: id() }),
    );
    const all = `a: ${field}(first: 1) { totalCount nodes { id } pageInfo { endCursor } } b: ${field} { totalCount }`;
    expect(await namesOf(gateway, () => ask(gateway, queryFor(all), { id: id() }))).toEqual(one);
  });
});

test('the parts of an item are read together with it', async () => {
  const read =
    'query ($id: ID!) { expirationItem(id: $id) { attachments { nodes { name } } renewals { totalCount } } }';
  const sent = await namesOf(gateway, () => ask(gateway, read, { id: item.id }));
  expect(sent).toEqual(['expiration_items.get + attachments + renewals']);
});

test('a place is found after its file is gone', async () => {
  const read =
    'query ($id: ID!, $after: String) { expirationItem(id: $id) { attachments(first: 2, after: $after) { nodes { id name } pageInfo { endCursor } } } }';
  const { id } = await createItem(gateway, {
    attachments: ['1', '2', '3', '4'].map((name) => ({ name, content: '' })),
  });
  const { nodes, pageInfo } = (await ask(gateway, read, { id })).expirationItem.attachments;
  await ask(gateway, 'mutation ($id: ID!) { removeAttachment(id: $id) { id } }', { id: nodes[1].id });
  const { attachments } = (await ask(gateway, read, { id, after: pageInfo.endCursor })).expirationItem;
  expect(attachments.nodes).toMatchObject([{ name: '3' }, { name: '4' }]);
});

test('a deleted item returns pages of what it had', async () => {
  const { id } = await createItem(gateway, {
    attachments: ['1', '2', '3'].map((name) => ({ name, content: '' })),
  });
  const { gone } = await ask(
    gateway,
    'mutation ($id: ID!) { gone: deleteExpirationItem(id: $id) { attachments(last: 2) { totalCount nodes { name } } renewals { totalCount } } }',
    { id },
  );
  expect(gone).toEqual({
    attachments: { totalCount: 3, nodes: [{ name: '2' }, { name: '3' }] },
    renewals: { totalCount: 0 },
  });
});
