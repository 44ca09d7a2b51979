import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { valueAt } from './cases.js';
import { expectUntold, type Sent } from './observe.js';
import { filters, rows, shared } from './rows.js';
import {
  doors,
  isList,
  kindOf,
  linksOf,
  ordersOf,
  type Position,
  positionsIn,
  records,
} from './schema-walk.js';
import { type Beyond, type Kind, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** Returns a value as a document writes it. */
const literal = (value: unknown) =>
  JSON.stringify(value)
    .replace(/"(\w+)":/g, '$1: ')
    .replace(/"([A-Z]+)"/g, '$1');

const kindAt = ({ owner, field }: Position) => filters[`${owner}.${field}`] as Kind;

/** Where a list's foreign rows are; those that a whole organization shares are only in another one. */
const beyondOf = (kinds: readonly Kind[], admins = false): readonly Beyond[] =>
  world.beyond.filter(
    ({ what }) =>
      what === 'another organization' || (!admins && !kinds.some((kind) => shared.includes(kind))),
  );

const nested = records.flatMap((type) =>
  linksOf(type).flatMap((field) => {
    const at = positionsIn(field).filter((position) => kindAt(position));
    return at.length > 0 ? [[`${type.name}.${field.name}`, type, field, at] as const] : [];
  }),
);

test.each(nested)('%s: no filter finds anything by foreign ids', async (_name, type, field, positions) => {
  for (const { ids, token, what } of world.beyond) {
    const places = positions.filter((at) => what === 'another organization' || !shared.includes(kindAt(at)));
    if (places.length === 0) continue;
    const listed = (foreign: boolean) =>
      places.map((at, i) => {
        const id = foreign ? ids[kindAt(at)] : newId();
        const filter = literal(valueAt(at, 1, id));
        return `f${i}: ${field.name}(filter: ${filter}) { totalCount nodes { id } }`;
      });
    const request = (which: string): Sent => ({
      ...{ method: 'POST', path: '/graphql', token },
      body: {
        query: `query ($id: ID!) { node(id: $id) { ... on ${type.name} { ${listed(which === 'foreign')} } } }`,
        variables: { id: world.own[kindOf(type)] },
      },
    });
    const { json } = await expectUntold(world, request, 'foreign');
    expect(json.errors).toBeUndefined();
    const found = Object.values(json.data.node);
    expect(found).toEqual(places.map(() => ({ totalCount: 0, nodes: [] })));
  }
});

const isConnection = (type: unknown) => /Connection!?$/.test(String(type));

const lists = Object.values(doors.query).filter(isList);

const ask = async (token: string, query: string, variables = {}) => {
  const { data, errors } = await world.gateway.graphql(query, variables, token);
  expect(errors).toBeUndefined();
  return data;
};

test('every list of the schema is here', () => {
  // Changes, what a search finds and what is to come are told in one order, and narrowed by arguments of their own (links.test.ts).
  // An order by a custom field names the field as well.
  const connections = Object.values(doors.query).filter(
    ({ name, type }) => !['changes', 'search', 'upcomingReminders'].includes(name) && isConnection(type),
  );
  expect(lists.map(({ name }) => name)).toEqual(connections.map(({ name }) => name));
  expect(lists.length).toBeGreaterThan(10);
});

test.each(lists.map((field) => [field.name, field] as const))('%s', async (name, field) => {
  const admins = rows.query[name]?.needs === 'administer';
  // A user is not a workspace's.
  const kinds: Kind[] = name === 'users' ? ['user'] : [];
  for (const { ids, token, place, what } of beyondOf(kinds, admins)) {
    const foreign = new Set(Object.values(ids));
    const whole = (await ask(token, `{ list: ${name}(first: 500) { totalCount nodes { id } } }`)).list;
    expect(whole.totalCount).toBeGreaterThan(0);
    const orders = ordersOf(field).flatMap((word) => [
      `${word}_a: ${name}(first: 500, orderBy: {field: ${word}, direction: ASC}) { totalCount nodes { id } }`,
      `${word}_d: ${name}(last: 500, orderBy: {field: ${word}, direction: DESC}) { totalCount nodes { id } }`,
    ]);
    for (const half of [orders.slice(0, 40), orders.slice(40)]) {
      const answered = half.length > 0 ? Object.values(await ask(token, `{ ${half.join(' ')} }`)) : [];
      for (const { totalCount, nodes } of answered as { totalCount: number; nodes: { id: string }[] }[]) {
        expect([totalCount, nodes.length]).toEqual([whole.totalCount, whole.nodes.length]);
        expect(nodes.filter(({ id }) => foreign.has(id))).toEqual([]);
      }
    }
    await expectNoTerm(name, token, place.word);
    const theirs = what === 'another organization' ? world.stranger.admin : world.gateway.admin;
    const { list } = await ask(theirs, `{ list: ${name}(first: 500) { edges { cursor node { id } } } }`);
    const edges = (list.edges as Edge[]).filter(({ node }) => foreign.has(node.id));
    expect(edges).toHaveLength(1);
    for (const edge of edges) await expectNoPlace(name, token, edge);
  }
});

/** Checks that a search for a text of foreign records finds no more than one for a text of none. */
async function expectNoTerm(name: string, token: string, word: string): Promise<void> {
  const query = `query ($term: String) { list: ${name}(filter: {term: $term}) { totalCount nodes { id } } }`;
  const request = (term: string): Sent => ({
    ...{ method: 'POST', path: '/graphql', token },
    body: { query, variables: { term: term === word ? word : 'zznowhere' } },
  });
  // The first search reads what is known of the table's words.
  await ask(token, query, { term: 'zznowhere' });
  const { json } = await expectUntold(world, request, word);
  expect(json.data).toEqual({ list: { totalCount: 0, nodes: [] } });
}

interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string };
}

/** Checks that a foreign record's cursor leads to the same place as that of a missing record with its values. */
async function expectNoPlace(name: string, token: string, { cursor, node }: Edge): Promise<void> {
  const query = `query ($at: String) {
    after: ${name}(first: 500, after: $at) { totalCount nodes { id } pageInfo { hasNextPage } }
    before: ${name}(last: 500, before: $at) { totalCount nodes { id } pageInfo { hasPreviousPage } }
  }`;
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = text.lastIndexOf(node.id);
  expect(place).toBeGreaterThan(0);
  // Ties are broken by id, so of all ids that are nowhere it has to be the next one.
  const next = node.id.slice(0, -1) + (node.id.endsWith('0') ? '1' : '0');
  const request = (id: string): Sent => {
    const moved = text.slice(0, place) + (id === node.id ? id : next) + text.slice(place + id.length);
    const at = Buffer.from(moved).toString('base64url');
    return { method: 'POST', path: '/graphql', token, body: { query, variables: { at } } };
  };
  const { json } = await expectUntold(world, request, node.id);
  expect(json.errors).toBeUndefined();
}
