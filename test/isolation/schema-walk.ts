import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import type { Kind } from './world.js';

type Field = GraphQLField<unknown, unknown>;

/** The operations, by what they are. */
export const doors = {
  query: schema.getQueryType()?.getFields() ?? {},
  mutation: schema.getMutationType()?.getFields() ?? {},
  subscription: schema.getSubscriptionType()?.getFields() ?? {},
};
export type Door = keyof typeof doors;

/** An operation of the GraphQL door. */
export interface Operation {
  readonly door: Door;
  readonly field: Field;
}

/** All there are. */
export const operations: readonly Operation[] = (Object.keys(doors) as Door[]).flatMap((door) =>
  Object.values(doors[door]).map((field) => ({ door, field })),
);

/** A place in arguments where an id is written. */
export interface Position {
  /** From the argument on; 0 stands for an entry of a list. */
  readonly path: readonly (string | 0)[];
  /** The input type that has it, its name without the verb: `Vehicle`; nothing for an argument itself. */
  readonly owner: string | undefined;
  readonly field: string;
}

type Input = GraphQLArgument | GraphQLInputField;

/** @param within the input types that it lies in: filters lie in one another without end, and are walked once */
function positionsOf(
  input: Input,
  above: Position['path'],
  owner: string | undefined,
  within: readonly unknown[] = [],
): Position[] {
  const { name, type } = input;
  const path = [...above, name, ...(isListType(getNullableType(type)) ? [0 as const] : [])];
  const named = getNamedType(type as GraphQLInputType);
  if (within.includes(named)) return [];
  if (isInputObjectType(named)) {
    const inner = named.name.replace(/^(Create|Update|Replace)(?=[A-Z])|Input$/g, '');
    return Object.values(named.getFields()).flatMap((field) =>
      positionsOf(field, path, inner, [...within, named]),
    );
  }
  return named.name === 'ID' || named.name === 'UUID' ? [{ path, owner, field: name }] : [];
}

/**
 * Returns every place in a field's arguments where an id is written. Members of an input that were arguments of their
 * own count as such; the former arguments lead to the same resolver.
 */
export function positionsIn({ args, extensions }: Pick<Field, 'args'> & Partial<Field>): Position[] {
  const loose = extensions?.loose ?? extensions?.formerly?.loose ?? [];
  return args
    .filter(({ deprecationReason }) => deprecationReason == null)
    .flatMap((argument) => positionsOf(argument, [], undefined))
    .map((at) => (at.path[0] === 'input' && loose.includes(at.field) ? { ...at, owner: undefined } : at));
}

type Json = Record<string | number, unknown>;

/** Returns the arguments with a value at a place, and everything beside it kept. */
export function put(args: unknown, [step, ...rest]: Position['path'], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === 0) return [put(Array.isArray(args) ? args[0] : undefined, rest, value)];
  const known = (args ?? {}) as Json;
  return { ...known, [step]: put(known[step], rest, value) };
}

/** Returns whether a query lists records in an order that callers choose. */
export const isList = ({ args, type }: Field): boolean =>
  /Connection!?$/.test(String(type)) && args.some(({ name }) => name === 'orderBy');

/** Returns the words of an enum in an argument of a list. */
function wordsIn({ args }: Field, argument: string, member: string): string[] {
  const input = getNamedType(args.find(({ name }) => name === argument)?.type);
  const words = isInputObjectType(input) ? getNamedType(input.getFields()[member]?.type) : undefined;
  return isEnumType(words) ? words.getValues().map(({ name }) => name) : [];
}

/** Returns the words of a list's order. An order by a custom field names the field as well. */
export const ordersOf = (field: Field) =>
  wordsIn(field, 'orderBy', 'field').filter((word) => word !== 'CUSTOM_FIELD');

/** Returns the words of what a list's records may lack. */
export const lacksOf = (field: Field) => wordsIn(field, 'filter', 'hasNone');

/** Returns whether a type's values are records, or have some in them. */
export const isComposite = (type: GraphQLOutputType) => !isLeafType(getNamedType(type));

/** Returns what is selected of a type: its plain values, and of a list the rows and how many there are. */
export function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named)) return '{ __typename }';
  if (isInterfaceType(named)) return '{ __typename id }';
  if (!isObjectType(named)) throw new Error(`What is there to select of ${type}?`);
  const fields = Object.values(named.getFields());
  const plain = fields.filter((field) => !isComposite(field.type)).map(({ name }) => name);
  const nodes = named.getFields().nodes;
  // Of changes, nobody counts them all, and where they end moves on.
  if (nodes && !named.getFields().totalCount)
    return `{ nodes ${selectionOf(nodes.type)} pageInfo { hasNextPage } }`;
  if (nodes) return `{ totalCount nodes ${selectionOf(nodes.type)} pageInfo { hasNextPage endCursor } }`;
  return `{ __typename ${plain.join(' ')} }`;
}

/** Returns a document for one operation, whose variables are its arguments. */
export function documentOf({ door, field }: Operation, selection = selectionOf(field.type)): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`);
  const passed = field.args.map(({ name }) => `${name}: $${name}`);
  const list = (entries: string[]) => (entries.length > 0 ? `(${entries.join(', ')})` : '');
  return `${door} ${list(declared)} { result: ${field.name}${list(passed)} ${selection} }`;
}

/** All types with fields, and those of them that are records: with an id of their own. */
export const types = Object.values(schema.getTypeMap()).filter(isObjectType);
const node = schema.getType('Node');
export const records = types.filter((type) => type.getInterfaces().some((one) => one === node));

/** Returns the kind of a record's type. */
export const kindOf = ({ name }: GraphQLObjectType) => (name[0]?.toLowerCase() + name.slice(1)) as Kind;

/** Returns the fields of a type that lead to others. */
export const linksOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => isComposite(field.type));
