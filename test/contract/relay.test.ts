import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';

// Relay's cursor connections, https://relay.dev/graphql/connections.htm, as graphql-eslint's rules of these names
// check them.

const objects = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);
const named = (ending: string) =>
  objects.filter(({ name }) => name.endsWith(ending)).map((type) => [type.name, type] as const);

/** Returns the fields of a type and their types, as the schema's language writes them. */
function shapeOf(type: GraphQLObjectType): Record<string, string> {
  return Object.fromEntries(Object.values(type.getFields()).map(({ name, type }) => [name, String(type)]));
}

const lists = objects.flatMap((type) =>
  Object.values(type.getFields())
    .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
    .map((field): [string, GraphQLField<unknown, unknown>] => [`${type.name}.${field.name}`, field]),
);

test('there are lists, and a type for each', () => {
  expect(lists.length).toBeGreaterThan(10);
  expect(new Set(lists.map(([, { type }]) => getNamedType(type).name))).toEqual(
    new Set(named('Connection').map(([name]) => name)),
  );
});

test.each(lists)('relay-arguments: %s pages both ways', (name, { args }) => {
  // The feed of changes has an end and no beginning: it is read onwards, from its end or from a cursor. So is what will
  // be told, which has no end.
  if (['Query.changes', 'Query.upcomingReminders'].includes(name)) return;
  expect(Object.fromEntries(args.map(({ name, type }) => [name, String(type)]))).toMatchObject({
    first: 'Int',
    after: 'String',
    last: 'Int',
    before: 'String',
  });
});

describe.each(named('Connection'))('relay-connection-types: %s', (name, type) => {
  test('has pageInfo, and edges of its kind', () => {
    const edge = name.replace(/Connection$/, 'Edge');
    expect(shapeOf(type)).toMatchObject({ pageInfo: 'PageInfo!', edges: `[${edge}!]!` });
    expect(isObjectType(schema.getType(edge))).toBe(true);
  });
});

test.each(named('Edge'))('relay-edge-types: %s has a cursor and a node that is not a list', (_, type) => {
  expect(shapeOf(type)).toMatchObject({ cursor: 'String!' });
  const node = type.getFields().node?.type;
  const named = node && getNamedType(node);
  expect(isObjectType(named) || isUnionType(named)).toBe(true);
  expect(isListType(node && getNullableType(node))).toBe(false);
});

test('relay-page-info', () => {
  expect(shapeOf(schema.getType('PageInfo') as GraphQLObjectType)).toEqual({
    hasNextPage: 'Boolean!',
    hasPreviousPage: 'Boolean!',
    startCursor: 'String',
    endCursor: 'String',
  });
});
