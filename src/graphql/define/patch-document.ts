import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type * as z from 'zod';
import { maxPageSize } from '../../domain/paging.js';
import type { DocumentShape, ObjectShape } from '../../domain/patch/patch.js';
import { isUuid } from '../../domain/rules.js';
import type { JsonObject, JsonValue } from '../../domain/text/json.js';
import type { Resource } from '../../records/resource.js';
import type { Context, Door } from '../context.js';
import { type Connection, isConnection, withoutPages } from './connection.js';

/** Any field that shows a part of a record. */
export type ShownField = GraphQLField<unknown, Context>;

/** Returns the input of a type's updates, if records of it are written. */
export function updateInput(
  { schema }: Context,
  { name }: GraphQLObjectType,
): GraphQLInputObjectType | undefined {
  const input = schema.getType(`Update${name}Input`);
  return isInputObjectType(input) ? input : undefined;
}

/**
 * Lists the fields that a patched document has of a type. They are those that its API shows: plain values, and objects
 * that are written with the record. Links to other records are not among them, nor are lists of several types.
 */
export function documentFields(context: Context, type: GraphQLObjectType): ShownField[] {
  const written = updateInput(context, type)?.getFields() ?? {};
  return Object.values(type.getFields()).filter(
    (field) =>
      context.door.shows(type.name, field.name) &&
      (isLeafType(getNamedType(field.type)) || (field.name in written && objectTypeOf(field) !== undefined)),
  );
}

/** Returns the object type behind a field, its list or its connection. */
export function objectTypeOf(field: ShownField): GraphQLObjectType | undefined {
  const named = getNamedType(withoutPages(field.type));
  return isObjectType(named) ? named : undefined;
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** True if the field shows the bytes of a file. */
    readonly isFileContent?: boolean;
    /** True if the field follows from others, which win over its input. */
    readonly follows?: boolean;
  }
}

type Canonical = (value: JsonValue) => JsonValue;

/** Returns how values of a scalar or enum are compared, whatever their spelling. */
function canonicalOf(type: GraphQLLeafType, door: Door): Canonical | undefined {
  if (isEnumType(type)) return (value) => door.word(value, type) as JsonValue;
  switch (type.name) {
    case 'ID':
      return (value) => (typeof value === 'string' && isUuid(value) ? value.toLowerCase() : value);
    case 'Date':
    case 'DateTime':
    case 'UUID':
    case 'BigInt':
      return (value) => {
        try {
          return value === null ? null : (type.serialize(type.parseValue(value)) as JsonValue);
        } catch {
          return value;
        }
      };
    default:
      return undefined;
  }
}

/** Returns how values that callers write are compared: as the rule would store them. */
function canonicalBy(rule: z.ZodType): Canonical {
  return (value) => {
    if (typeof value !== 'string') return value;
    const { data } = rule.safeParse(value);
    return typeof data === 'string' ? data : value;
  };
}

interface ShapeOptions {
  readonly context: Context;
  /** Returns how the bytes of files are compared. */
  readonly content: Canonical;
}

function valueShape(
  type: GraphQLOutputType,
  canonical: Canonical | undefined,
  options: ShapeOptions,
): DocumentShape {
  const named = getNamedType(type);
  const element: DocumentShape = isObjectType(named)
    ? { kind: 'object', members: memberShapes(named, options) }
    : { kind: 'scalar', ...(canonical && { canonical }) };
  return isListType(getNullableType(type)) ? { kind: 'list', element } : element;
}

function memberShapes(type: GraphQLObjectType, options: ShapeOptions): Record<string, DocumentShape> {
  const { context, content } = options;
  return Object.fromEntries(
    documentFields(context, type).map((field) => {
      const named = getNamedType(field.type);
      const plain = isLeafType(named) ? canonicalOf(named, context.door) : undefined;
      const canonical = field.extensions.isFileContent ? content : plain;
      return [context.door.naming(field.name), valueShape(withoutPages(field.type), canonical, options)];
    }),
  );
}

/**
 * Builds the shape of a patched record: all that its API shows of it. Members that only the server sets are read-only.
 */
export function recordShape(type: GraphQLObjectType, resource: Resource, options: ShapeOptions): ObjectShape {
  const { context } = options;
  const written = updateInput(context, type)?.getFields() ?? {};
  const rules = (resource.rules as z.ZodObject).shape as Record<string, z.ZodType | undefined>;
  const members = memberShapes(type, options);
  for (const { name } of documentFields(context, type)) {
    const member = context.door.naming(name);
    const shape = members[member];
    const rule = rules[name];
    if (!shape) continue;
    if (!(name in written)) members[member] = { ...shape, readOnly: true };
    else if (name === 'teamId') members[member] = { ...shape, stays: true };
    else if (rule && shape.kind === 'scalar' && !shape.canonical)
      members[member] = { ...shape, canonical: canonicalBy(rule) };
  }
  return { kind: 'object', members };
}

/** Resolves a field of a record, as a query for it would. */
async function resolveField(row: unknown, field: ShownField, parent: GraphQLObjectType, context: Context) {
  const { name, type, resolve } = field;
  if (!resolve) return (row as Record<string, unknown>)[name];
  const { schema } = context;
  const path = { prev: undefined, key: name, typename: parent.name };
  const info = { fieldName: name, parentType: parent, returnType: type, schema, path, variableValues: {} };
  const isPaged = isConnection(getNullableType(type));
  const value = await resolve(
    row,
    isPaged ? { first: maxPageSize } : {},
    context,
    info as GraphQLResolveInfo,
  );
  return isPaged ? (await (value as Connection).edges).map(({ node }) => node) : value;
}

/** Shows a value as its API does. */
async function showValue(value: unknown, type: GraphQLOutputType, context: Context): Promise<JsonValue> {
  const isList = isListType(getNullableType(type));
  if (value === null || value === undefined) return isList ? [] : null;
  const named = getNamedType(type);
  if (isList) return Promise.all((value as unknown[]).map((item) => showValue(item, named, context)));
  if (isLeafType(named)) return context.door.leaf(named).serialize(value) as JsonValue;
  const object = named as GraphQLObjectType;
  return showFields(value, object, documentFields(context, object), context);
}

/**
 * Shows fields of a record with the resolvers that answer its API's queries.
 * @param row the record, as resolvers take it
 */
export async function showFields(
  row: unknown,
  type: GraphQLObjectType,
  fields: readonly ShownField[],
  context: Context,
): Promise<JsonObject> {
  const entries = fields.map(async (field): Promise<[string, JsonValue]> => {
    const value = await resolveField(row, field, type, context);
    return [context.door.naming(field.name), await showValue(value, withoutPages(field.type), context)];
  });
  return Object.fromEntries(await Promise.all(entries));
}
