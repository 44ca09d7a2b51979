import fc from 'fast-check';
import {
  buildSchema,
  type ExecutionResult,
  execute as executeByGraphql,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  isAbstractType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { execute } from '../../src/graphql/execute.js';
import { planOf } from '../../src/graphql/plan.js';

const schema = buildSchema(`
  interface Named { name: String }
  union Any = Thing | Other
  enum Color { RED GREEN }
  scalar Loud
  input Filter { color: Color = RED, limit: Int! = 3, tags: [String!] }
  type Query { thing: Thing, must: Thing!, things: [Thing], musts: [Thing!]!, any: Any, named: [Named!] }
  type Mutation { change: Thing, must: Thing! }
  type Thing implements Named {
    name: String
    id: ID!
    number(times: Int = 2, filter: Filter): Int
    loud: Loud
    color: Color!
    texts: [String!]
    grid: [[Int!]]
    other: Other
    must: Other!
    things: [Thing]
    any: Any!
  }
  type Other implements Named { name: String, id: ID!, thing: Thing }
`);

const query = schema.getQueryType() as GraphQLObjectType;
const types = [...Object.values(schema.getTypeMap()).filter(isObjectType)].filter(
  ({ name }) => !name.startsWith('__'),
);
Object.assign(schema.getType('Loud') ?? {}, {
  serialize: (value: unknown) => {
    if (value === 'refused') throw new Error('is too loud');
    return `${value}!`;
  },
});
for (const type of Object.values(schema.getTypeMap())) {
  if (isAbstractType(type)) type.resolveType = (value) => (value as { type: string }).type;
}

/** What a field answers, drawn from a seed and where the field is, so that both executions are told the same. */
type Draw = (path: string, outcomes: number) => number;

const leaves: Record<string, unknown> = {
  String: 'text',
  ID: 7,
  Int: 41,
  Loud: 'word',
  Color: 'GREEN',
};

function value(type: string, at: string, draw: Draw): unknown {
  if (type.endsWith('!')) return value(type.slice(0, -1), at, draw);
  if (type.startsWith('[')) {
    const item = type.slice(1, -1);
    return Array.from({ length: draw(`${at} length`, 3) }, (_, index) =>
      outcome(item, `${at}.${index}`, draw, item.endsWith('!')),
    );
  }
  if (type === 'Int' && draw(`${at} odd`, 8) === 0) return 'no number';
  if (type === 'Loud' && draw(`${at} odd`, 4) === 0) return 'refused';
  if (type in leaves) return leaves[type];
  const possible = types.filter(({ name }) => name !== 'Query' && name !== 'Mutation');
  const named = type === 'Any' || type === 'Named' ? possible[draw(`${at} type`, 2)]?.name : type;
  return { type: named };
}

/**
 * A value, null, or an error, at once or later.
 * @param later always later: where a value of a list fails at once that must not, graphql-js forgets the others, and
 *   what becomes of them is an unhandled rejection
 */
function outcome(type: string, at: string, draw: Draw, later = draw(`${at} later`, 3) === 0): unknown {
  const fail = () => {
    throw new Error(`failed at ${at}`);
  };
  const results = [
    () => value(type, at, draw),
    () => value(type, at, draw),
    () => value(type, at, draw),
    () => null,
    () => new Error(`is an error at ${at}`),
  ];
  const result = results[draw(`${at} result`, results.length + 1)] ?? fail;
  if (!later) return result();
  const settled = Promise.resolve().then(result);
  // Told of by the answers; what graphql-js still forgets must not be told of as nobody's.
  settled.catch(() => {});
  return settled;
}

function resolving(draw: Draw): GraphQLFieldResolver<unknown, unknown> {
  return (_source, args, _context, info) => {
    const steps: (string | number)[] = [];
    for (let path: typeof info.path | undefined = info.path; path; path = path.prev) {
      steps.unshift(`${path.typename ?? ''}.${path.key}`);
    }
    const at = `${steps.join('/')}${JSON.stringify(args)}${info.fieldName}${info.parentType}${info.returnType}`;
    return outcome(String(info.returnType), at, draw);
  };
}

/** Selections of a type, with aliases, fragments of every kind, and arguments of every origin. */
const { Query: ofQuery, Thing: ofThing } = fc.letrec<
  Record<'Query' | 'Thing' | 'Other' | 'Named' | 'Any', string>
>((tie) => {
  type Name = Parameters<typeof tie>[0];
  const below = (field: string, type: Name) => tie(type).map((inner) => `${field} { ${inner} } `);
  const leaf = (...fields: string[]) =>
    fc
      .tuple(fc.boolean(), fc.constantFrom(...fields))
      .map(([plain, field]) => (plain ? `${field} ` : `also_${field}: ${field} `));
  const some = (...parts: fc.Arbitrary<string>[]) =>
    fc
      .array(fc.oneof({ depthSize: 'small' }, ...parts), { minLength: 1, maxLength: 5 })
      .map((all) => all.join(''));
  return {
    Query: some(
      below('thing', 'Thing'),
      below('must', 'Thing'),
      below('things', 'Thing'),
      below('musts', 'Thing'),
      below('any', 'Any'),
      below('named', 'Named'),
    ),
    Thing: some(
      leaf('name', 'id', '__typename', 'number', 'loud', 'color', 'texts', 'grid'),
      fc.constantFrom('n1: number(times: 3) ', 'n2: number(times: $n) ', 'n3: number(filter: {}) '),
      fc.constantFrom('n4: number(filter: { tags: $t, color: $c }) ', '...OfThing ', '...OfNamed '),
      below('other', 'Other'),
      below('must', 'Other'),
      below('things', 'Thing'),
      below('any', 'Any'),
      below('... on Named', 'Named'),
      below('...', 'Thing'),
    ),
    Other: some(leaf('name', 'id', '__typename'), fc.constant('...OfNamed '), below('thing', 'Thing')),
    Named: some(leaf('name', '__typename'), below('... on Thing', 'Thing'), below('... on Other', 'Other')),
    Any: some(leaf('__typename'), below('... on Thing', 'Thing'), below('... on Named', 'Named')),
  };
});

const documents = fc
  .oneof(
    { weight: 3, arbitrary: ofQuery.map((text) => ['query', text] as const) },
    { weight: 1, arbitrary: ofThing.map((text) => ['mutation', `change { ${text} }`] as const) },
    { weight: 1, arbitrary: ofThing.map((text) => ['mutation', `must { ${text} }`] as const) },
  )
  .map(
    ([kind, text]) => `${kind} ($n: Int, $t: [String!], $c: Color) { ${text} }
    fragment OfThing on Thing { id color other { name } }
    fragment OfNamed on Named { name ... on Other { id } }`,
  );

/** Where the null is that an error has led to. */
function nullOf(data: unknown, path: readonly (string | number)[]): string {
  let [at, depth] = [data, 0];
  while (at !== null && at !== undefined && depth < path.length)
    at = (at as unknown[])[path[depth++] as number];
  return path.slice(0, depth).join('.');
}

const nullsOf = ({ data, errors = [] }: ExecutionResult) =>
  [...new Set(errors.map(({ path = [] }) => nullOf(data, path)))].sort();

/** The errors of an answer by the fields that they are of. */
const toldBy = ({ errors = [] }: ExecutionResult) =>
  new Map(errors.map(({ message, path, locations }) => [String(path), JSON.stringify([message, locations])]));

/**
 * Compares two answers. Which of the errors that lead to one null is told depends on the order in which values come,
 * and the specification leaves it open (section 6.4.4).
 */
function expectSame(ours: ExecutionResult, theirs: ExecutionResult): void {
  expect(JSON.stringify(ours.data)).toBe(JSON.stringify(theirs.data));
  expect(nullsOf(ours)).toEqual(nullsOf(theirs));
  expect(new Set(ours.errors?.map(({ path }) => String(path))).size).toBe(ours.errors?.length ?? 0);
  const there = toldBy(theirs);
  for (const [path, told] of toldBy(ours)) expect(told).toBe(there.get(path) ?? told);
}

/** Runs a document in both ways. */
async function bothWays(text: string, draw: Draw, variableValues: Record<string, unknown> = {}) {
  for (const type of types) {
    for (const field of Object.values(type.getFields())) field.resolve = resolving(draw);
  }
  const document = parse(text);
  const args = { schema, document, variableValues };
  return {
    planned: planOf(args) !== undefined,
    ours: await execute(args),
    theirs: await executeByGraphql(args),
  };
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

describe('a planned operation', () => {
  test('has the data of graphql-js, and its errors', async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(), async (text, seed) => {
        const faults = validate(schema, parse(text)).filter(({ message }) => !message.includes('never used'));
        fc.pre(faults.length === 0);
        const draw: Draw = (path, outcomes) => hash(`${seed} ${path} ${seed}`) % outcomes;
        const run = await bothWays(text, draw, { n: 5, t: 'one', c: 'GREEN' });
        if (run.planned) planned++;
        expectSame(run.ours, run.theirs);
      }),
      { numRuns: 200 },
    );
    expect(planned).toBe(200);
  });

  test('tells wrong variables as graphql-js does', async () => {
    const { planned, ours, theirs } = await bothWays(
      'query ($n: Int!) { thing { number(times: $n) } }',
      () => 0,
    );
    expect(planned).toBe(true);
    expect(ours.errors?.map(String)).toEqual(theirs.errors?.map(String));
    expect(ours.data).toBeUndefined();
  });
});

test.each([
  ['a mutation after which another comes', 'mutation { change { id } must { id } }'],
  ['what asks for the schema', '{ __schema { queryType { name } } }'],
  ['what asks for a type', '{ __type(name: "Thing") { name } }'],
  ['a directive', '{ thing @include(if: true) { id } }'],
  ['a directive on a fragment', '{ thing { ... @include(if: false) { id } } }'],
  ["the name of an object's prototype", '{ thing { __proto__: id } }'],
  ['an operation that is not there', '{ thing { id } } query Two { thing { id } }'],
])('%s has no plan', (_what, text) => {
  expect(planOf({ schema, document: parse(text) })).toBeUndefined();
});

test('the plan of a document is made once for each of its operations', () => {
  const document = parse('query One { thing { id } } query Two { must { id } }');
  const one = planOf({ schema, document, operationName: 'One' });
  expect(one?.fields.map(({ key }) => key)).toEqual(['thing']);
  expect(planOf({ schema, document, operationName: 'One' })).toBe(one);
  expect(planOf({ schema, document, operationName: 'Two' })?.fields.map(({ key }) => key)).toEqual(['must']);
  expect(query.name).toBe('Query');
});
