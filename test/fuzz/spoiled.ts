import fc, { type Arbitrary } from 'fast-check';
import { type Operation, operationsOn } from './documents.js';
import type { World } from './world.js';

/** Variables of the operations, those of their conditions among them. */
export type Conditions = Record<string, unknown>;

/** What is wrong of a connection's arguments, or of its cursor. */
const wrong = [
  '(first: 501)',
  '(last: -1)',
  '(first: 1, last: 1)',
  '(after: "x")',
  `(after: "${Buffer.from('["name","asc","x","y"]').toString('base64url')}")`,
  '(first: 2)',
];

const lists =
  'notes|eventLogs|vehicles|contacts|companies|expirationItems|locations|categories|tags|contactTypes';

/** Selections that many rows have under them, so that one of them fails while others are still read. */
const nested = (argument: string) => [
  `vehicles(first: 50) { nodes { id assignedToContact { name } notes${argument} { totalCount nodes { id } } } }`,
  `contacts { nodes { location { name } vehicles${argument} { nodes { id } } eventLogs { totalCount } } }`,
  `expirationItems { edges { cursor node { tags { expirationItems${argument} { nodes { id } } } notes { totalCount } } } }`,
  `me { vehicles${argument} { nodes { id team { name } } } }`,
];

/** Conditions, as literals and by variables. */
const conditions = [
  ...['@include(if: true)', '@skip(if: false)', '@skip(if: true)', '@include(if: $yes)', '@skip(if: $yes)'],
  ...['@include(if: $no)', '@skip(if: $no)', '@include(if: $yes) @skip(if: $no)'],
];

/** The places behind which a condition may stand: fields without arguments and spreads. */
const conditional = /\b(?:nodes|edges|node|totalCount|id|name|\.\.\.F\d+)(?= )/g;

interface Spoil {
  readonly extra: string | undefined;
  readonly places: readonly (string | undefined)[];
  readonly argument: string | undefined;
  readonly yes: boolean;
}

function spoil({ query, variables }: Operation, { extra, places, argument, yes }: Spoil): Operation {
  const [head = '', ...fragments] = query.split('\n');
  const widened = extra === undefined ? head : head.replace(/\}$/, `x1: ${extra} }`);
  let place = 0;
  const spoiled = [widened, ...fragments]
    .join('\n')
    .replace(conditional, (name) => {
      const condition = places[place++ % Math.max(1, places.length)];
      return condition === undefined ? name : `${name} ${condition}`;
    })
    .replace(new RegExp(`\\b(${lists})(?= \\{)`), (name) => name + (argument ?? ''));
  const used = ['yes', 'no'].filter((name) => spoiled.includes(`$${name})`));
  const definitions = used
    .map((name) => (name === 'yes' ? '$yes: Boolean!' : '$no: Boolean = false'))
    .join(', ');
  const defined =
    used.length === 0
      ? spoiled
      : spoiled.replace(/^query Q(\(?)/, (_all, open) => `query Q(${definitions}${open ? ', ' : ')'}`);
  const given = used.includes('yes') ? { ...JSON.parse(variables), yes } : JSON.parse(variables);
  return { query: defined, variables: JSON.stringify(given) };
}

const rarely = <T>(weight: number, some: Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some });

/** Queries over every field, with conditions in many places, and with arguments that resolvers refuse. */
export function spoiledOperations(names: readonly string[], world: World): Arbitrary<Operation> {
  const spoils = fc.record({
    extra: rarely(1, fc.constantFrom(...wrong.flatMap(nested))),
    places: fc.array(rarely(2, fc.constantFrom(...conditions)), { maxLength: 5 }),
    argument: rarely(2, fc.constantFrom(...wrong)),
    yes: fc.boolean(),
  });
  return fc
    .tuple(operationsOn('query', names, world, 0), spoils)
    .map(([operation, given]) => spoil(operation, given));
}
