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
import { execute, findOperation, PlannedOperation } from '../../src/graphql/execution/execute.js';
import { some } from '../fuzz/runs.js';

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
 * Returns a value, null, or an error, at once or later.
 * @param later always later: where a value of a list fails at once that must not, graphql-js forgets the
 *   others, and what becomes of them is an unhandled rejection
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

const conditions = ['true', 'false', '$yes', '$no'].flatMap((value) => [
  `@skip(if: ${value}) `,
  `@include(if: ${value}) `,
  `@include(if: $yes) @skip(if: ${value}) `,
]);
/** Nothing in most cases. */
const condition = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(...conditions) },
);

/** Selections of a type, with aliases, fragments of every kind, conditions, and arguments of every origin. */
const { Query: ofQuery, Thing: ofThing } = fc.letrec<
  Record<'Query' | 'Thing' | 'Other' | 'Named' | 'Any', string>
>((tie) => {
  type Name = Parameters<typeof tie>[0];
  const below = (field: string, type: Name) =>
    fc.tuple(condition, tie(type)).map(([when, inner]) => `${field} ${when}{ ${inner} } `);
  const leaf = (...fields: string[]) =>
    fc
      .tuple(fc.boolean(), fc.constantFrom(...fields), condition)
      .map(([plain, field, when]) => (plain ? `${field} ${when}` : `also_${field}: ${field} ${when}`));
  const spread = (name: string) => condition.map((when) => `...${name} ${when}`);
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
      fc.constantFrom(
        '__typename ',
        '__proto__: __typename ',
        '__type(name: "Thing") { __proto__: name kind } ',
      ),
    ),
    Thing: some(
      leaf('name', 'id', '__typename', 'number', 'loud', 'color', 'texts', 'grid'),
      fc.constantFrom('n1: number(times: 3) ', 'n2: number(times: $n) ', 'n3: number(filter: {}) '),
      fc.constant('n4: number(filter: { tags: $t, color: $c }) '),
      spread('OfThing'),
      spread('OfNamed'),
      below('other', 'Other'),
      below('must', 'Other'),
      below('things', 'Thing'),
      below('any', 'Any'),
      below('... on Named', 'Named'),
      below('...', 'Thing'),
    ),
    Other: some(leaf('name', 'id', '__typename'), spread('OfNamed'), below('thing', 'Thing')),
    Named: some(leaf('name', '__typename'), below('... on Thing', 'Thing'), below('... on Other', 'Other')),
    Any: some(leaf('__typename'), below('... on Thing', 'Thing'), below('... on Named', 'Named')),
  };
});

const documents = fc
  .oneof(
    { weight: 3, arbitrary: ofQuery.map((text) => ['query', text] as const) },
    { weight: 1, arbitrary: ofThing.map((text) => ['mutation', `change { ${text} }`] as const) },
    { weight: 1, arbitrary: ofThing.map((text) => ['mutation', `must { ${text} }`] as const) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom('change', 'must'), ofThing), { minLength: 2, maxLength: 4 })
        .map((all) => all.map(([field, text], at) => `m${at}: ${field} { ${text} }`).join(' '))
        .map((text) => ['mutation', text] as const),
    },
  )
  .map(
    ([
      kind,
      text,
    ]) => `${kind} ($n: Int, $t: [String!], $c: Color, $yes: Boolean!, $no: Boolean = false) { ${text} }
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

/** Returns the errors of an answer by the fields that they are of. */
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
  return { ours: await execute(args), theirs: await executeByGraphql(args) };
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

describe('a planned operation', () => {
  test('has the data of graphql-js, and its errors', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(), fc.boolean(), async (text, seed, yes) => {
        const faults = validate(schema, parse(text)).filter(({ message }) => !message.includes('never used'));
        fc.pre(faults.length === 0);
        const draw: Draw = (path, outcomes) => hash(`${seed} ${path} ${seed}`) % outcomes;
        const { ours, theirs } = await bothWays(text, draw, { n: 5, t: 'one', c: 'GREEN', yes });
        expectSame(ours, theirs);
      }),
      { numRuns: some(250) },
    );
  });

  test('tells wrong variables as graphql-js does', async () => {
    const { ours, theirs } = await bothWays('query ($n: Int!) { thing { number(times: $n) } }', () => 0);
    expect(ours.errors?.map(String)).toEqual(theirs.errors?.map(String));
    expect(ours.data).toBeUndefined();
  });
});

test.each([
  ['asks for the schema', '{ __schema { queryType { name } types { name fields { name args { name } } } } }'],
  [
    'asks for a type',
    '{ __type(name: "Thing") { name fields(includeDeprecated: true) { name } } thing { id } }',
  ],
  ['asks for no type', '{ __type(name: "Nothing") { name } }'],
  ["has the name of an object's prototype", '{ __proto__: thing { __proto__: id constructor: id } }'],
  ['leaves out all fields', '{ thing @skip(if: true) { id } }'],
  ['leaves out all of an object', '{ thing { id @include(if: false) } }'],
  [
    'spreads a fragment again that was left out',
    '{ thing { ...A @skip(if: true) ...A } } fragment A on Thing { id }',
  ],
  [
    'merges fields of which one is left out',
    '{ thing { id } thing @skip(if: true) { name } thing { color } }',
  ],
  ['has two operations and names none', 'query A { thing { id } } query B { thing { id } }'],
  ['has no operation', 'fragment A on Thing { id }'],
  ['is a subscription where there is none', 'subscription { thing { id } }'],
])('what %s is answered as by graphql-js', async (_what, text) => {
  const { ours, theirs } = await bothWays(text, () => 0);
  expect(JSON.stringify(ours.data ?? null)).toBe(JSON.stringify(theirs.data ?? null));
  expect(ours.errors?.map(String)).toEqual(theirs.errors?.map(String));
});

test("an unknown operation name is rejected with graphql-js's message", async () => {
  const args = { schema, document: parse('query A { thing { id } }'), operationName: 'B' };
  expect(await execute(args)).toEqual(await executeByGraphql(args));
});

test('each mutation begins when the previous one is complete, including everything below it', async () => {
  const met: string[] = [];
  const later = async <T>(name: string, value: T): Promise<T> => {
    met.push(`${name} begins`);
    for (let turn = 0; turn < 5; turn++) await null;
    met.push(`${name} ends`);
    return value;
  };
  const resolve: GraphQLFieldResolver<unknown, unknown> = (_source, _args, _context, { path, fieldName }) =>
    later(String(path.key), fieldName === 'id' ? '1' : {});
  for (const type of types) for (const field of Object.values(type.getFields())) field.resolve = resolve;
  const document = parse('mutation { a: change { other { ida: id } } b: change { idb: id } }');
  await execute({ schema, document });
  const order = ['a', 'other', 'ida', 'b', 'idb'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  expect(met).toEqual(order);
});

test('no promise is left with nobody to hear its rejection, however its siblings fail', async () => {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', listen);
  try {
    const rejects = async () => {
      await null;
      throw new Error('later');
    };
    const throws = () => {
      throw new Error('at once');
    };
    const row = (field: object) =>
      Object.defineProperties({ id: 1 }, Object.getOwnPropertyDescriptors(field));
    for (const type of types) for (const field of Object.values(type.getFields())) field.resolve = undefined;
    const rows = [
      row({ name: rejects }),
      row({ name: rejects, must: throws }),
      row({
        get name() {
          return throws();
        },
      }),
      row({
        get name() {
          return rejects();
        },
      }),
      row({
        any: () => ({
          get type() {
            return throws();
          },
        }),
      }),
      rejects(),
      new Error('is one'),
    ];
    const rootValue = {
      things: rows,
      musts: () => [rejects(), rejects(), throws],
      must: throws,
      thing: rejects,
    };
    const document = parse(`{ thing { id }
      things @skip(if: false) { name must { id } any { __typename } } musts { name } must { id } }`);
    const { data, errors } = await execute({ schema, document, rootValue });
    expect(data).toBeNull();
    expect(errors?.length).toBeGreaterThan(0);
    // Node tells of unheard rejections once the microtasks are done.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', listen);
  }
});

test.each<[string, Record<string, unknown>]>([
  ['a list', { musts: () => [new Error('at once'), Promise.reject(new Error('in the list'))] }],
  [
    'a list that comes later',
    { must: () => null, things: async () => [null, Promise.reject(new Error('in the later list'))] },
  ],
])('a rejection in %s is heard when nothing is answered any more', async (_what, rootValue) => {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', listen);
  try {
    for (const type of types) for (const field of Object.values(type.getFields())) field.resolve = undefined;
    const document = parse(
      `{ ${Object.keys(rootValue)
        .reverse()
        .map((name) => `${name} { id }`)} }`,
    );
    expect((await execute({ schema, document, rootValue })).data).toBeNull();
    await new Promise(setImmediate);
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', listen);
  }
});

/** Returns the plan of a document's only operation, or of the one with a name. */
function planFor(document: ReturnType<typeof parse>, values = {}, operationName?: string) {
  const operation = findOperation({ schema, document, ...(operationName && { operationName }) });
  if (!(operation instanceof PlannedOperation)) throw operation;
  return operation.plan(values);
}
const keysOf = (plan: ReturnType<typeof planFor>) =>
  'fields' in plan ? plan.fields.map(({ key }) => key) : [];

test('the plan of a document is made once for each of its operations', () => {
  const document = parse('query One { thing { id } } query Two { must { id } }');
  const one = planFor(document, {}, 'One');
  expect(keysOf(one)).toEqual(['thing']);
  expect(planFor(document, {}, 'One')).toBe(one);
  expect(keysOf(planFor(document, {}, 'Two'))).toEqual(['must']);
  expect(query.name).toBe('Query');
});

test('a plan is made once for the same conditions, whatever the other variables are', () => {
  const document = parse(
    'query ($a: Boolean!, $n: Int) { thing @skip(if: $a) { number(times: $n) } ...F @skip(if: true) } fragment F on Query { must { id } }',
  );
  const plan = planFor(document, { a: false, n: 1 });
  expect(keysOf(plan)).toEqual(['thing']);
  expect(planFor(document, { a: false, n: 2 })).toBe(plan);
  expect(keysOf(planFor(document, { a: true, n: 1 }))).toEqual([]);
  expect(planFor(document, { a: false, n: 1 })).toBe(plan);
});

test('few plans are kept of one operation', () => {
  const names = Array.from({ length: 6 }, (_, at) => `a${at}`);
  const document = parse(`query (${names.map((name) => `$${name}: Boolean!`).join()}) {
    ${names.map((name) => `${name}: thing @include(if: $${name}) { id }`).join(' ')} }`);
  const valuesOf = (number: number) =>
    Object.fromEntries(names.map((name, at) => [name, (number >> at) % 2 === 1]));
  const first = planFor(document, valuesOf(0));
  for (let number = 0; number < 64; number++) {
    expect(keysOf(planFor(document, valuesOf(number)))).toHaveLength(
      number.toString(2).replaceAll('0', '').length,
    );
  }
  expect(planFor(document, valuesOf(0))).not.toBe(first);
  expect(planFor(document, valuesOf(63))).toBe(planFor(document, valuesOf(63)));
});

test('a null condition is rejected before anything is executed', async () => {
  const document = parse('mutation ($a: Boolean = true) { change { id @skip(if: $a) } }');
  let called = false;
  for (const type of types) {
    for (const field of Object.values(type.getFields())) {
      field.resolve = () => {
        called = true;
      };
    }
  }
  const { data, errors } = await execute({ schema, document, variableValues: { a: null } });
  expect(data).toBeUndefined();
  expect(errors?.map(({ message }) => message)).toEqual([
    'Argument "if" of non-null type "Boolean!" must not be null.',
  ]);
  expect(called).toBe(false);
});
