import { type GraphQLInputType, getNamedType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { expect, test } from 'vitest';
import { limits } from '../../src/domain/rules.js';
import { entryLimit, readInput } from '../../src/graphql/define/coerce.js';
import { schema } from '../../src/graphql/schema.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

/** Returns a list that counts how often its entries are read. */
function countingList(length: number) {
  const counted = { reads: 0 };
  const list = new Proxy(Array(length).fill({}), {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counted.reads += 1;
      return Reflect.get(target, name, target);
    },
  });
  return { list, counted };
}

/** Every list in the inputs of mutations: the input's name, the list's, and how many entries it may have. */
const lists = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (!isInputObjectType(type) || !/Input$/.test(type.name)) return [];
  const isList = (of: GraphQLInputType) => isListType(isNonNullType(of) ? of.ofType : of);
  return Object.values(type.getFields())
    .filter((field) => isList(field.type))
    .map((field) => [type.name, field.name, entryLimit(field)] as const);
});

test('inputs have lists', () => {
  expect(lists.length).toBeGreaterThan(30);
});

test.each(lists)('%s.%s: entries beyond %i are refused, and none of them is read', (name, field, most) => {
  const type = getNamedType(schema.getType(name)) as GraphQLInputType;
  const { list, counted } = countingList(most + 1);
  const { violations } = readInput({ [field]: list }, type);
  const message = `must have at most ${most} entries`;
  expect(violations).toContainEqual({ path: [field], message, rule: 'entries' });
  expect(counted.reads).toBe(0);
  const within = countingList(most);
  readInput({ [field]: within.list }, type);
  expect(within.counted.reads).toBeGreaterThanOrEqual(most);
});

/** A list that is too long. */
const long = Array(limits.entries + 1).fill({});
test.each([
  [
    'a variable',
    '($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }',
    { input: { name: 'Van', customFields: long } },
  ],
  [
    'a variable in a literal',
    '($list: [CustomFieldInput!]) { createVehicle(input: { name: "Van", customFields: $list }) { id } }',
    { list: long },
  ],
  [
    'a literal',
    `{ createVehicle(input: { name: "Van", customFields: [${long.map(() => '{}').join()}] }) { id } }`,
    {},
  ],
])('a list that is too long is refused in %s', async (_, query, variables) => {
  const { errors } = await gateway.graphql(`mutation ${query}`, variables);
  expect(errors[0].extensions.code).toBe('BAD_REQUEST');
  const message = `must have at most ${limits.entries} entries`;
  expect(errors[0].extensions.violations).toEqual([expect.objectContaining({ message })]);
});

/** A text that is longer than any number, date or word. */
const text = 'a'.repeat(1_000_000);
test.each([
  ['($a: Int) { vehicles(first: $a) { totalCount } }', text],
  ['($a: Int) { vehicles(first: $a) { totalCount } }', [text]],
  ['($a: Boolean!) { me { id @skip(if: $a) } }', { a: text }],
  ['($a: OrderDirection!) { vehicles(orderBy: { field: NAME, direction: $a }) { totalCount } }', text],
  ['($a: [ExpirationStatus!]) { expirationItems(filter: { status: $a }) { totalCount } }', [text]],
  ['($a: VehicleFilter) { vehicles(filter: $a) { totalCount } }', { [text.slice(0, 60_000)]: 1 }],
  ['($a: VehicleFilter) { vehicles(filter: $a) { totalCount } }', text],
])('%s: an error repeats little of a long value', async (query, a) => {
  const { errors } = await gateway.graphql(`query ${query}`, { a });
  expect(errors[0].message).toMatch(/^Variable "\$a/);
  expect(JSON.stringify(errors).length).toBeLessThan(2_000);
});

test.each(['isArchived', 'year', 'typeId', 'name'])('so does an error about %s', async (field) => {
  const value = field === 'name' ? [text] : text;
  const query = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
  const { errors } = await gateway.graphql(query, { input: { name: 'Van', [field]: value } });
  expect(errors[0].extensions.violations).toHaveLength(1);
  expect(JSON.stringify(errors).length).toBeLessThan(2_000);
});
