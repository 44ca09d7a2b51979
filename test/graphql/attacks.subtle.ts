import { requestLimits } from '../../src/graphql/limits/limits.js';
import { type Attack, chain, item, many } from './attacks.js';

/** The fields of a vehicle that are short to write. */
const vehicle =
  'id name vin licensePlate year make model trim color bodyType msrp location { id name } team { id name }';

/** Rows of a vehicle's and of a query's fragments that spread others. */
const spreading = (others: (index: number) => string) =>
  many(48, (index) => `fragment F${index} on Query { me { id } ${others(index)} }`);

/** Documents that are within what is counted before they are parsed, made for what comes after it. */
export const subtle: Record<string, Attack> = {
  'unknown fields': { query: `{ ${many(requestLimits.tokens - 2, (index) => `x${index}`)} }` },
  'unknown fields, each on many lines': {
    query: `{ ${'\n'.repeat(40_000)} ${many(3000, (index) => `x${index}\n`)} }`,
  },
  'unknown members': { query: item(`{ ${many(1300, (index) => `x${index}: 1`)} }`) },
  'members of one name': { query: item(`{ ${many(1300, () => 'name: "a"')} }`) },
  'a field again': { query: `{ ${many(990, () => 'me { id }')} }` },
  'a field again, in inline fragments': { query: `{ ${many(560, () => '... { me { id } }')} }` },
  'a field again, deep': {
    query: `{ vehicles { nodes { ${many(55, () => 'location { parentLocation { id } }')} } } }`,
  },
  'a field again, within the limit': {
    query: `{ vehicles { nodes { ${many(requestLimits.repeats, () => `location { ${vehicle.slice(0, 7)} team { id } }`)} password } } }`,
  },
  'other arguments of one field': {
    query: `{ ${many(requestLimits.repeats, (index) => `vehicles(first: ${index}) { totalCount }`)} }`,
  },
  'the same fields in many fragments': {
    query: `{ vehicles { nodes { ${many(48, (index) => `...F${index}`)} password } } }
      ${many(48, (index) => `fragment F${index} on Vehicle { ${vehicle} }`)}`,
  },
  'fragments that spread all others': {
    query: `{ ...F0 } ${spreading((index) => many(47, (to) => (to === index ? '' : `...F${to}`)))}`,
  },
  'fragments that spread all later ones': {
    query: `{ ...F0 } ${spreading((index) => many(47 - index, (to) => `...F${index + to + 1}`))}`,
  },
  'fragments that spread the next often': { query: `{ ...F0 } ${chain(45, 36, 'me { id }')}` },
  'fragments that lead deeper': {
    query: `{ location(id: "1") { ...F0 } } fragment F45 on Location { id } ${many(
      45,
      (index) => `fragment F${index} on Location { parentLocation { ...F${index + 1} ...F${index + 1} } }`,
    )}`,
  },
  'many lists': {
    query: `{ ${many(50, (index) => `a${index}: vehicles(first: 500) { nodes { ${vehicle} } }`)} }`,
  },
  'many counts': { query: `{ ${many(90, (index) => `a${index}: vehicles { totalCount }`)} }` },
  'files of a long list': {
    query: '{ expirationItems(first: 500) { nodes { attachments { nodes { content } } } } }',
  },
  'lists in lists': {
    query: `{ expirationItems(first: 500) { nodes { contacts { ...C } locations { ...L } } } }
      fragment C on Contact { customFields { id name value } location { ...L parentLocation { ...L } } }
      fragment L on Location { customFields { id name value } parentLocation { customFields { id name value } } }`,
  },
  'variables that are not used': {
    query: `query(${many(990, (index) => `$v${index}: Int`)}) { me { id } }`,
  },
  'types of types of types': {
    query: '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  },
  'types of types, again and again': {
    query: `{ ${many(
      49,
      (index) => `a${index}: __schema { types { fields { type { ofType { fields { name } } } } } }`,
    )} }`,
  },
  'all types, again and again': {
    query: `{ ${many(49, (index) => `a${index}: __schema { types { name fields { name } } }`)} }`,
  },
  'one type, again and again': {
    query: `{ ${many(49, (index) => `a${index}: __type(name: "Query") { fields { args { type { name } } } }`)} }`,
  },
  'an operation of a long name': { query: 'query A { me { id } }', operationName: 'B'.repeat(1_000_000) },
};

const events = 'query($typeIds: [Int!]) { eventLogs(filter: { typeIds: $typeIds }) { totalCount } }';
const created = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
const patched = `mutation($operations: [PatchOperationInput!]!) {
  patchVehicle(id: "00000000-0000-4000-8000-000000000000", operations: $operations) { id }
}`;

/** Returns a list in a list, and so on: deeper than calls can be. */
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const bodyOf = (query: string, variables: string) =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`;
const sent = (query: string, variables: object) => bodyOf(query, JSON.stringify(variables));
const names = (count: number) => Array.from({ length: count }, (_, index) => [`naem${index}`, 1]);

/** Bodies whose variables would take long to read, or to refuse. */
export const bodies: Record<string, string> = {
  'deep values': bodyOf(patched, `{"operations":[{"op":"add","path":"/name","value":${deep(500_000)}}]}`),
  'deep lists': bodyOf(patched, `{"operations":${deep(500_000)}}`),
  'deep variables of no use': bodyOf('{ me { password } }', `{"x":${deep(500_000)}}`),
  'many values': sent(events, { typeIds: Array(500_000).fill(1) }),
  'values up to the limit': sent(events, {
    typeIds: [...Array(requestLimits.values - 2).fill(2_000_000_000), 'x'],
  }),
  'many wrong values': sent(events, { typeIds: Array(40_000).fill('x'.repeat(20)) }),
  'a long wrong value': sent(events, { typeIds: 'x'.repeat(1_000_000) }),
  'many unknown members': sent(created, { input: Object.fromEntries(names(15_000)) }),
  'a long unknown member': sent(created, { input: { ['n'.repeat(1_000_000)]: 1 } }),
  'many variables of no use': sent('{ me { password } }', Object.fromEntries(names(60_000))),
  'a batch': `[${Array(20_000).fill('{"query":"{ me { id } }"}').join(',')}]`,
  'lists without an end': '['.repeat(1_000_000),
};
