import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { WeakCache } from '../../domain/collections.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { isConnection } from '../define/connection.js';
import { type Fragments, fragmentsOf, limitError, requestLimits, type SentVariables } from './limits.js';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Cost of one value of the field, measured in fields. Defaults to 1. */
    readonly cost?: number;
  }
}

/** Bytes of a text or file that weigh as much as one field. */
export const bytesPerUnit = 8 * 1024;

/** Returns the extensions of a field with a long text. Its cost grows with the bytes that it may have. */
export const weighing = (bytes: number) => ({ extensions: { cost: 1 + Math.floor(bytes / bytesPerUnit) } });

/** Assumed length of a list that is not a connection. */
const listSize = 5;

/** Cost of a connection's row besides its fields, because it is read separately. */
const rowCost = 10;

/**
 * The introspection fields. Their cost is higher than the selected fields suggest, because their lists are
 * longer than those of records.
 */
const introspection: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [
    field.name,
    { ...field, extensions: { cost: 50_000 } },
  ]),
);

/** Sums of a selection. A fragment counts wherever it is spread. */
interface Size {
  readonly depth: number;
  /** Number of fields in the selection itself. */
  readonly fields: number;
  /** Number of fields to answer, or the equivalent work. */
  readonly cost: number;
  /** In a connection: the cost that each of its rows adds. */
  readonly perRow: number;
}

const nothing: Size = { depth: 0, fields: 0, cost: 0, perRow: 0 };

/**
 * Limits a cost to the largest safe integer, which is practically infinite. With Infinity, zero rows would
 * make NaN.
 */
const capped = (cost: number) => Math.min(cost, Number.MAX_SAFE_INTEGER);

function sum(one: Size, other: Size): Size {
  return {
    depth: Math.max(one.depth, other.depth),
    fields: one.fields + other.fields,
    cost: capped(one.cost + other.cost),
    perRow: capped(one.perRow + other.perRow),
  };
}

function findField(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  return introspection.get(name) ?? ('getFields' in type ? type.getFields()[name] : undefined);
}

/** Measures the operations of one document with one request's variables, each fragment once. */
class Measure {
  readonly #schema: GraphQLSchema;
  readonly #variables: SentVariables;
  readonly #fragments: Fragments;
  readonly #sizes = new Map<string, Size>();
  /** True if other variables could give another result. */
  isVariable = false;

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: SentVariables) {
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = fragmentsOf(document);
  }

  selection({ selections }: SelectionSetNode, type: GraphQLCompositeType): Size {
    return selections.map((selection) => this.#part(selection, type)).reduce(sum, nothing);
  }

  #part(part: SelectionNode, type: GraphQLCompositeType): Size {
    if (part.kind === Kind.FIELD) return this.#field(part, type);
    if (part.kind === Kind.FRAGMENT_SPREAD) return this.#spread(part.name.value);
    return this.selection(part.selectionSet, this.#named(part.typeCondition?.name.value) ?? type);
  }

  /**
   * Measures a fragment once, however often it is spread. Nested fragments would otherwise take exponential
   * time.
   */
  #spread(name: string): Size {
    const known = this.#sizes.get(name);
    if (known) return known;
    const fragment = this.#fragments[name];
    const type = this.#named(fragment?.typeCondition.name.value);
    const size = fragment && type ? this.selection(fragment.selectionSet, type) : nothing;
    this.#sizes.set(name, size);
    return size;
  }

  #named(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  #field(node: FieldNode, parent: GraphQLCompositeType): Size {
    const field = findField(parent, node.name.value);
    const type = field && getNamedType(field.type);
    const inner =
      node.selectionSet && isCompositeType(type) ? this.selection(node.selectionSet, type) : nothing;
    const each = capped((field?.extensions.cost ?? 1) + inner.cost + this.#rows(node) * inner.perRow);
    const size = { depth: inner.depth + 1, fields: 1, cost: each, perRow: 0 };
    if (!field || !isListType(getNullableType(field.type))) return size;
    return isConnection(parent)
      ? { ...size, cost: 1, perRow: capped(rowCost + each) }
      : { ...size, cost: capped(1 + listSize * each) };
  }

  /**
   * Returns the number of rows that a connection requests. Values that its resolver rejects count as the
   * largest page.
   */
  #rows({ arguments: args }: FieldNode): number {
    const [first, last] = ['first', 'last'].map((name) =>
      this.#number(args?.find((arg) => arg.name.value === name)?.value),
    );
    return Math.min(Math.max(first ?? last ?? defaultPageSize, last ?? 0, 0), maxPageSize);
  }

  #number(node: ValueNode | undefined): number | undefined {
    if (node?.kind === Kind.INT) return Number(node.value);
    if (node?.kind !== Kind.VARIABLE) return undefined;
    this.isVariable = true;
    const value = this.#variables[node.name.value];
    return typeof value === 'number' ? value : undefined;
  }
}

/** Merges the request's variables with the defaults of the missing ones. */
function withDefaults(
  { variableDefinitions }: OperationDefinitionNode,
  variables: SentVariables,
): Record<string, unknown> {
  const defaults = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...variables };
}

interface Total {
  readonly depth: number;
  readonly rootFields: number;
  readonly cost: number;
}

/** Cached measures of operations whose cost does not depend on variables. */
const totals = new WeakCache<OperationDefinitionNode, Total>();

/**
 * Measures an operation of a valid document. The time grows only with the document.
 *
 * A field costs 1, or what its extension `cost` says. The contents of a connection's row count as often as
 * `first` or `last` requests, and those of another list five times; nested lists multiply. Fields that
 * `@skip` and `@include` exclude count as well.
 * @param variables as they were sent
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: SentVariables,
): Total {
  const known = totals.get(operation);
  if (known) return known;
  const type = schema.getRootType(operation.operation);
  if (!type) return { depth: 0, rootFields: 0, cost: 0 };
  const measure = new Measure(schema, document, withDefaults(operation, variables));
  const { depth, fields, cost } = measure.selection(operation.selectionSet, type);
  const total = { depth, rootFields: fields, cost };
  if (!measure.isVariable) totals.set(operation, total);
  return total;
}

/** The cost of an operation, and whether it is rejected. */
interface CheckedSize {
  readonly cost: number;
  /** The errors, if it asks for too much. */
  readonly refusals: readonly GraphQLError[];
}

/** Checks how much an operation of a valid document asks for. */
export function checkSize(...request: Parameters<typeof measure>): CheckedSize {
  const size = measure(...request);
  const [, , operation] = request;
  const refusals = (['depth', 'rootFields', 'cost'] as const)
    .filter((limit) => size[limit] > requestLimits[limit])
    .map((limit) => limitError(limit, { nodes: operation }));
  return { cost: size.cost, refusals };
}
