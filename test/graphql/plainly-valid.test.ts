import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  concatAST,
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  print,
  Source,
  separateOperations,
  TokenKind,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { passesFastValidation } from '../../src/graphql/limits/documents.js';
import { schema } from '../../src/graphql/schema.js';
import { patience, runs, seed } from '../fuzz/runs.js';

const root = new URL('../../', import.meta.url);
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'));

/** The operations of the console, each with the fragments that it spreads. */
const ofConsole = Object.values(
  separateOperations(concatAST(filesIn('console/operations').map((text) => parse(text)))),
).map(print);
const published = [...filesIn('schema/operations'), ...filesIn('schema/mcp')];

/** Documents with what those of clients lack. */
const rare = [
  `{ expirationItems { nodes { ...A ...B category { id } } } }
    fragment A on ExpirationItem { category { name } contacts { id } }
    fragment B on ExpirationItem { category { id name } contacts { name } }`,
  '{ node(id: "1") { __typename id ... on Vehicle { name } ...Named } } fragment Named on Contact { name }',
  'query($a: Int = 5, $s: Boolean!) { vehicles(first: $a) { nodes { id @skip(if: $s) id } } }',
  'query($ids: [ID!]!, $at: [ID!] = []) { nodes(ids: $ids) { id } more: nodes(ids: $at) { id } }',
  `query Two($term: String) { contacts(first: 3, filter: { term: $term }) { ...Page } }
    fragment Page on ContactConnection { totalCount nodes { ...One ...One ... @include(if: true) { email } } }
    fragment One on Contact { id name email }`,
  'mutation($input: CreateContactInput!) { createContact(input: $input) { id name } }',
  'mutation { createContact(input: { name: "A", email: "a@example.com" }) { id } }',
  'query { expirationItems(orderBy: [{ field: NAME, direction: ASC }], first: 1) { edges { cursor node { id } } } }',
];

const isStream = ({ definitions }: DocumentNode) =>
  definitions.some((one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === 'subscription');

describe('a walk finds valid', () => {
  test.each([
    ['documents of the console', ofConsole],
    ['published documents', published],
    ['rare documents', rare],
  ])('%s', (_, texts) => {
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      const document = parse(text);
      expect(validate(schema, document), text).toEqual([]);
      expect(passesFastValidation(schema, document), text).toBe(!isStream(document));
    }
  });
});

test.each([
  ['an unknown field', '{ vehicles { nodes { id nonsense } } }'],
  ['an object without fields', '{ vehicles }'],
  ['fields of a text', '{ vehicles { nodes { id { x } } } }'],
  ['an unknown argument', '{ vehicles(x: 1) { totalCount } }'],
  ['a missing argument', '{ node { id } }'],
  ['a repeated argument', '{ vehicles(first: 1, first: 1) { totalCount } }'],
  ['a value of the wrong type', '{ vehicles(first: "1") { totalCount } }'],
  ['null where a value is required', '{ node(id: null) { id } }'],
  ['an unknown variable', '{ node(id: $id) { id } }'],
  ['an unused variable', 'query($id: ID!) { vehicles { totalCount } }'],
  ['a variable of the wrong type', 'query($id: Int!) { node(id: $id) { id } }'],
  ['a variable that may be null', 'query($id: ID) { node(id: $id) { id } }'],
  ['a list for a single value', 'query($id: [ID!]!) { node(id: $id) { id } }'],
  ['two variables with one name', 'query($id: ID!, $id: ID!) { node(id: $id) { id } }'],
  ['a variable of an object type', 'query($id: Vehicle) { node(id: $id) { id } }'],
  ['an unknown fragment', '{ vehicles { ...F } }'],
  ['an unused fragment', '{ vehicles { totalCount } } fragment F on Vehicle { id }'],
  ['a fragment on nothing', '{ vehicles { nodes { ... on Nothing { id } } } }'],
  ['a fragment on another type', '{ vehicles { nodes { ... on Contact { id } } } }'],
  ['a fragment that contains itself', '{ vehicles { nodes { ...F } } } fragment F on Vehicle { id ...F }'],
  ['two fields under one key', '{ vehicles { nodes { a: id a: name } } }'],
  ['other arguments under one key', '{ a: node(id: "1") { id } a: node(id: "2") { id } }'],
  ['an unknown directive', '{ vehicles @nonsense { totalCount } }'],
  ['a repeated directive', '{ vehicles @skip(if: true) @skip(if: true) { totalCount } }'],
  ['a directive without its argument', '{ vehicles @skip { totalCount } }'],
  ['two operations, one without a name', '{ vehicles { totalCount } } query A { vehicles { totalCount } }'],
  ['no operation', 'fragment F on Vehicle { id }'],
  ['a definition of the schema', 'type A { b: Int } { vehicles { totalCount } }'],
  ['an unknown member of an input', '{ vehicles(filter: { nonsense: 1 }) { totalCount } }'],
  ['a repeated member of an input', '{ vehicles(filter: { term: "a", term: "b" }) { totalCount } }'],
])('a walk leaves %s to the rules', (_, text) => {
  expect(passesFastValidation(schema, parse(text))).toBe(false);
});

test('a walk leaves fragments that multiply to the rules in time', () => {
  const fields = Array.from({ length: 60 }, (_, i) => `a${i}: id`).join(' ');
  const spreads = '...F '.repeat(1_000);
  const document = parse(`{ vehicles { nodes { ${spreads} } } } fragment F on Vehicle { ${fields} }`);
  expect(passesFastValidation(schema, document)).toBe(false);
});

/** Returns the tokens of a document. */
function tokensOf(text: string): string[] {
  const lexer = new Lexer(new Source(text));
  const found: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
    found.push(text.slice(token.start, token.end));
  return found;
}

const texts = [...rare, ...ofConsole, ...published];
const documents = texts.map(tokensOf);
const words = [...new Set([...documents.flat(), ...Object.keys(schema.getTypeMap()), '$', '!', '@skip'])];

interface Change {
  readonly place: number;
  readonly gone: number;
  readonly tokens: readonly string[];
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(1_000_000),
  gone: fc.constantFrom(0, 0, 1, 1, 1, 2, 3),
  tokens: fc.oneof(
    fc.constant([]),
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
    // A piece of another document.
    fc.tuple(fc.constantFrom(...documents), fc.nat(10_000), fc.nat(12)).map(([tokens, from, length]) => {
      const start = from % tokens.length;
      return tokens.slice(start, start + length);
    }),
  ),
});

test(
  `whatever the walk finds valid is valid by the rules, seed ${seed}`,
  () => {
    let [parsed, valid, plain] = [0, 0, 0];
    fc.assert(
      fc.property(fc.constantFrom(...documents), fc.array(change, { maxLength: 3 }), (tokens, changes) => {
        const changed = [...tokens];
        for (const { place, gone, tokens: others } of changes)
          changed.splice(place % (changed.length + 1), gone, ...others);
        let document: DocumentNode;
        try {
          document = parse(changed.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(GraphQLError);
          return;
        }
        parsed++;
        const isPlain = passesFastValidation(schema, document);
        const errors = isPlain || parsed % 10 === 0 ? validate(schema, document) : undefined;
        if (isPlain) {
          plain++;
          expect(errors, changed.join(' ')).toEqual([]);
        }
        if (errors?.length === 0) valid++;
      }),
      { seed, numRuns: runs(5_000) },
    );
    expect(parsed).toBeGreaterThan(1_000);
    expect(plain).toBeGreaterThan(500);
    expect(valid).toBeGreaterThanOrEqual(plain);
    // Many of the changed documents are left to the rules.
    expect(parsed - plain).toBeGreaterThan(100);
  },
  patience,
);
