import { readFileSync } from 'node:fs';
import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
} from 'graphql';
import { inputFor } from './inputs.js';
import type { World } from './world.js';

/** Builds a schema without resolvers of the GraphQL contract as it is printed. */
export const printedSchema = () =>
  buildSchema(readFileSync(new URL('../../schema/gateway.graphql', import.meta.url), 'utf8'));

/** The GraphQL contract as it is printed. */
export const printed = printedSchema();

/** An operation as it is sent. */
export interface Operation {
  readonly query: string;
  /** As JSON. */
  readonly variables: string;
}

/** What a document is made of while it is being made. */
interface Draft {
  readonly draw: GeneratorValue;
  readonly world: World;
  /** Of a hundred values, how many are not of their type. */
  readonly wrongs: number;
  readonly definitions: string[];
  readonly variables: string[];
  readonly fragments: string[];
  /** Tells names apart. */
  count: number;
}

/** Levels of fields below the root. */
const deepest = 4;

const oneIn = ({ draw }: Draft, many: number) => draw(fc.nat, many - 1) === 0;

function argumentsOf(draft: Draft, field: GraphQLField<unknown, unknown>, most = 100): string {
  const { draw, world, wrongs } = draft;
  const texts = field.args
    .filter(({ name, type, defaultValue }) => {
      if (isNonNullType(type) && defaultValue === undefined) return wrongs === 0 || !oneIn(draft, 40);
      // Of the arguments of lists, these exclude others, or need a cursor.
      if (wrongs === 0 && ['after', 'before', 'last', 'offset'].includes(name)) return false;
      return !oneIn(draft, 3) && draw(fc.nat, 99) < most;
    })
    .map(({ name, type }) => {
      const called = /^ids?$/.test(name) ? `${field.name} ${getNamedType(field.type).name}` : name;
      const small = name === 'first' || name === 'last';
      const value =
        small && wrongs === 0
          ? { json: '2', literal: '2' }
          : draw(() => inputFor(type, called, world, wrongs));
      if (oneIn(draft, 2)) return `${name}: ${value.literal}`;
      const variable = `v${draft.count++}`;
      draft.definitions.push(`$${variable}: ${type}`);
      draft.variables.push(`"${variable}":${value.json}`);
      return `${name}: $${variable}`;
    });
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}

function directiveOf(draft: Draft): string {
  if (!oneIn(draft, 12)) return '';
  return draft.draw(() =>
    fc.constantFrom(
      ' @include(if: true)',
      ' @skip(if: true)',
      ' @skip(if: false)',
      ' @include(if: false) @skip(if: false)',
    ),
  );
}

function fieldOf(draft: Draft, field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type);
  const alias = depth === 0 || field.args.length > 0 || oneIn(draft, 5) ? `a${draft.count++}: ` : '';
  const head = alias + field.name + argumentsOf(draft, field, depth === 0 ? 100 : 25) + directiveOf(draft);
  return isCompositeType(type) ? `${head} ${selectionOf(draft, type as GraphQLObjectType, depth + 1)}` : head;
}

/** Returns a selection of a type's fields, some of them by way of fragments. */
function selectionOf(draft: Draft, type: GraphQLObjectType, depth: number): string {
  if (isAbstractType(type)) {
    const [one] = printed.getPossibleTypes(type).filter(() => oneIn(draft, 4));
    const narrow = one ? ` ... on ${one.name} ${selectionOf(draft, one, depth)}` : '';
    return `{ __typename${narrow} }`;
  }
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
  const open = depth < deepest ? fields : leaves;
  const count = open.length === 0 ? 0 : 1 + draft.draw(fc.nat, 3);
  const chosen = Array.from({ length: count }, () => draft.draw(() => fc.constantFrom(...open)));
  const texts = [...new Set(chosen)].map((field) => fieldOf(draft, field, depth));
  const body = `{ ${['__typename', ...texts].join(' ')} }`;
  if (oneIn(draft, 12)) return `{ ... on ${type.name} ${body} }`;
  if (!oneIn(draft, 12)) return body;
  const name = `F${draft.count++}`;
  draft.fragments.push(`fragment ${name} on ${type.name} ${body}`);
  return `{ ...${name} }`;
}

/** Operations of one kind on root fields of the schema; each of the fields it is given is the first of as many. */
export function operationsOn(
  kind: 'query' | 'mutation',
  names: readonly string[],
  world: World,
  wrongs: number,
): Arbitrary<Operation> {
  const root = kind === 'query' ? printed.getQueryType() : printed.getMutationType();
  const fields = names.map((name) => root?.getFields()[name]).filter((field) => field !== undefined);
  return fc.gen().map((draw) => {
    const draft: Draft = { draw, world, wrongs, definitions: [], variables: [], fragments: [], count: 0 };
    const more = draw(fc.nat, 5) === 0 ? 2 : 1;
    const texts = Array.from({ length: more }, () => {
      const field = draw(() => fc.constantFrom(...fields));
      return fieldOf(draft, field, 0);
    });
    const header = draft.definitions.length > 0 ? `(${draft.definitions.join(', ')})` : '';
    return {
      query: [`${kind} Q${header} { ${texts.join(' ')} }`, ...draft.fragments].join('\n'),
      variables: `{${draft.variables.join()}}`,
    };
  });
}
