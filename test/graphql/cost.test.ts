import fc from 'fast-check';
import { type OperationDefinitionNode, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { measure } from '../../src/graphql/limits/cost.js';
import { schema } from '../../src/graphql/schema.js';
import { chain } from './attacks.js';

function measured(query: string, variables: object = {}) {
  const document = parse(query);
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  const operation = document.definitions.find(({ kind }) => kind === 'OperationDefinition');
  return measure(schema, document, operation as OperationDefinitionNode, { ...variables });
}

const costOf = (query: string, variables?: object) => measured(query, variables).cost;

describe('the cost', () => {
  test.each([
    ['a field each', '{ me { id name } }', 3],
    ['what introspection is', '{ __typename __type(name: "Me") { name } }', 1 + 50_000 + 1],
    ['five entries of a list', '{ me { teams { id } } }', 1 + 1 + 5 * (1 + 1)],
    ['ten more for a row', '{ vehicles(first: 3) { nodes { id } } }', 1 + 1 + 3 * (10 + 1 + 1)],
    [
      'five hundred for a file',
      '{ expirationItem(id: "1") { attachments(first: 2) { nodes { content } } } }',
      1 + 1 + 1 + 2 * (10 + 1 + 500),
    ],
    [
      'no row for what is beside the rows',
      '{ vehicles(first: 500) { totalCount pageInfo { endCursor } } }',
      1 + 1 + 2,
    ],
    [
      'rows both ways',
      '{ vehicles(first: 2) { nodes { id } edges { node { id } } } }',
      1 + 1 + 2 * (10 + 1 + 1) + 1 + 2 * (10 + 1 + 1 + 1),
    ],
    [
      'lists in lists',
      '{ expirationItems(first: 200) { nodes { contacts { customFields { name } } } } }',
      1 + 1 + 200 * (10 + 1 + (1 + 5 * (1 + (1 + 5 * (1 + 1))))),
    ],
    ['what @skip leaves out', '{ me { id @skip(if: true) name @include(if: false) } }', 3],
  ])('is %s', (_, query, cost) => {
    expect(costOf(query)).toBe(cost);
  });

  const rows = (count: number) => 1 + 1 + count * (10 + 1 + 1);
  const list = (args: string, variables = '') => `query${variables} { vehicles${args} { nodes { id } } }`;

  test.each<[string, string, string, object, number]>([
    ['nothing', '', '', {}, 100],
    ['null', '(first: null)', '', {}, 100],
    ['first', '(first: 7)', '', {}, 7],
    ['last', '(last: 8)', '', {}, 8],
    ['none', '(first: 0)', '', {}, 0],
    ['both, which is refused later', '(first: 7, last: 8)', '', {}, 8],
    ['too many, which are refused later', `(first: 2147483647)`, '', {}, 500],
    ['less than none, which is refused later', '(first: -1)', '', {}, 0],
    ['a variable', '(first: $n)', '($n: Int)', { n: 9 }, 9],
    ['a variable of null', '(first: $n)', '($n: Int = 3)', { n: null }, 100],
    ['a variable without a value', '(first: $n)', '($n: Int)', {}, 100],
    ["a variable's default", '(first: $n)', '($n: Int = 3)', {}, 3],
    ["another value than a variable's default", '(last: $n)', '($n: Int = 3)', { n: 4 }, 4],
    ['a variable that is no number, which is refused before', '(first: $n)', '($n: Int)', { n: '9' }, 100],
  ])('counts the rows of %s', (_, args, definitions, variables, count) => {
    expect(costOf(list(args, definitions), variables)).toBe(rows(count));
  });

  test('is that of the requested operation', () => {
    const document = parse('query Small { me { id } } query Large { vehicles { nodes { id } } }');
    const costs = document.definitions.map(
      (operation) => measure(schema, document, operation as OperationDefinitionNode, {}).cost,
    );
    expect(costs).toEqual([2, rows(100)]);
  });
});

test('depth and root fields reach through fragments', () => {
  const query = `{ ...A ... { me { id } } } fragment A on Query { ...B me { id } }
    fragment B on Query { location(id: "1") { parentLocation { ... on Location { team { id } } } } }`;
  expect(measured(query)).toMatchObject({ depth: 4, rootFields: 3 });
});

test('18 ^ 90 fields in fragments are counted in no time, and are not none', () => {
  const { cost, rootFields } = measured(`{ ...F0 } ${chain(90, 18, 'vehicles(first: 0) { nodes { id } }')}`);
  expect(cost).toBe(Number.MAX_SAFE_INTEGER);
  expect(rootFields).toBeGreaterThan(1e100);
});

/** A selection of a location, and whether it is written as a fragment. */
interface Selection {
  readonly fragment: boolean;
  readonly fields: readonly string[];
  readonly parent: Selection | undefined;
  readonly again: Selection | undefined;
}

const selections = fc.letrec<{ selection: Selection }>((tie) => ({
  selection: fc.record({
    fragment: fc.boolean(),
    fields: fc.subarray(['id', 'name', 'customFields { id name }', 'team { id }'], { minLength: 1 }),
    parent: fc.option(tie('selection'), { nil: undefined, depthSize: 'small' }),
    again: fc.option(tie('selection'), { nil: undefined, depthSize: 'small' }),
  }),
})).selection;

/** Writes a selection, with fragments or without. */
function write({ fragment, fields, parent, again }: Selection, fragments: string[] | undefined): string {
  const inner = [
    ...fields,
    ...(parent ? [`parentLocation { ${write(parent, fragments)} }`] : []),
    ...(again ? [`... { ${write(again, fragments)} }`] : []),
  ].join(' ');
  if (!fragment || !fragments) return inner;
  const name = `F${fragments.length}`;
  fragments.push(`fragment ${name} on Location { ${inner} }`);
  return `...${name}`;
}

test('a document is measured alike with fragments and without', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      const fragments: string[] = [];
      const spread = `{ locations(first: 3) { nodes { ${write(selection, fragments)} } } }`;
      const inline = `{ locations(first: 3) { nodes { ${write(selection, undefined)} } } }`;
      expect(measured([spread, ...fragments].join(' '))).toEqual(measured(inline));
    }),
  );
});

test('the cached cost of an operation holds for all variables', () => {
  const document = parse(
    'query One($n: Int = 2) { vehicles(first: $n) { nodes { id } } } query Two($id: ID!) { vehicle(id: $id) { id } }',
  );
  const [one, two] = document.definitions as [OperationDefinitionNode, OperationDefinitionNode];
  const costs = (operation: OperationDefinitionNode, ...variables: Record<string, unknown>[]) =>
    variables.map((given) => measure(schema, document, operation, given).cost);
  expect(costs(one, { n: 1 }, {}, { n: 3 }, { n: 1 })).toEqual([1, 2, 3, 1].map((n) => 2 + n * 12));
  expect(costs(two, { id: 'a' }, { id: 'b' })).toEqual([2, 2]);
});
