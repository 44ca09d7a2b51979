import {
  defaultFieldResolver,
  defaultTypeResolver,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLIsTypeOfFn,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getArgumentValues,
  isAbstractType,
  isObjectType,
} from 'graphql';
import { withMissingArgument } from './errors.js';
import type { Container, Place } from './execution/place.js';
import type { FieldPlan, Plan } from './execution/plan.js';

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const rejecting = new WeakSet<object>();

function wrapResolver(resolve: Resolver | undefined): Resolver | undefined {
  if (!resolve || resolve === defaultFieldResolver || rejecting.has(resolve)) return resolve;
  const wrapped: Resolver = (source, args, context, info) => {
    try {
      return resolve(source, args, context, info);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  rejecting.add(wrapped);
  return wrapped;
}

/** Wraps a type resolver or an `isTypeOf`, which has the same arguments but the last. */
function wrapTypeResolver<
  Resolve extends GraphQLTypeResolver<unknown, unknown> | GraphQLIsTypeOfFn<unknown, unknown>,
>(resolve: Resolve | null | undefined): Resolve | undefined {
  if (!resolve || rejecting.has(resolve)) return resolve ?? undefined;
  const wrapped = (...args: Parameters<GraphQLTypeResolver<unknown, unknown>>) => {
    try {
      return resolve(...args);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  rejecting.add(wrapped);
  return wrapped as Resolve;
}

/**
 * Makes every resolver of a schema reject instead of throwing. An executor may abandon promises when it meets
 * an exception (graphql-js 16 does in lists), and the rejection of an abandoned promise ends the process.
 */
export function rejectInsteadOfThrowing(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = wrapTypeResolver(type.resolveType);
    if (!isObjectType(type)) continue;
    type.isTypeOf = wrapTypeResolver(type.isTypeOf);
    for (const field of Object.values(type.getFields())) {
      field.resolve = wrapResolver(field.resolve);
      field.subscribe = wrapResolver(field.subscribe);
    }
  }
  return schema;
}

/** Returns whether a resolver has returned a promise. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Handles rejections of a value that is needed only later, including its elements and members. Node would
 * report them as unhandled.
 */
export function hearRejections(value: unknown): void {
  if (isPromise(value)) value.then(hearRejections, () => {});
  else if (Array.isArray(value)) value.forEach(hearRejections);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(ignoreRejections);
}

/**
 * Handles rejections of a value that is not needed, or of its elements. Node would report them as unhandled.
 */
export function ignoreRejections(value: unknown): void {
  if (isPromise(value)) value.then(ignoreRejections, () => {});
  else if (Array.isArray(value)) value.forEach(ignoreRejections);
}

/** Calls the resolvers of fields and types for one execution. They throw as the resolvers do. */
export class Resolvers {
  readonly #plan: Plan;
  readonly #args: ExecutionArgs;
  readonly #variables: Record<string, unknown>;

  constructor(plan: Plan, args: ExecutionArgs, variables: Record<string, unknown>) {
    this.#plan = plan;
    this.#args = args;
    this.#variables = variables;
  }

  /** Resolves the value of a field, or a promise of it (GraphQL, section 6.4.2). */
  value(field: FieldPlan, source: unknown, place: Place): unknown {
    const { definition } = field;
    const { contextValue } = this.#args;
    const { resolve } = definition;
    if (!resolve) {
      const value = (source as Container | null | undefined)?.[definition.name];
      if (typeof value !== 'function') return value;
      return value.call(source, this.#argumentsOf(field), contextValue, this.#infoOf(field, place));
    }
    return resolve(source, this.#argumentsOf(field), contextValue, this.#infoOf(field, place));
  }

  /** Calls an object type's `isTypeOf`; true if it has none. */
  isOf(type: GraphQLObjectType, field: FieldPlan, place: Place, value: unknown): unknown {
    return type.isTypeOf?.(value, this.#args.contextValue, this.#infoOf(field, place)) ?? true;
  }

  /**
   * Resolves the name of a value's object type, or a promise of it. Undefined for a type that is not
   * abstract.
   */
  typeName(type: GraphQLOutputType, field: FieldPlan, place: Place, value: unknown): unknown {
    if (!isAbstractType(type)) return undefined;
    const { contextValue, typeResolver } = this.#args;
    const resolveType = type.resolveType ?? typeResolver ?? defaultTypeResolver;
    return resolveType(value, contextValue, this.#infoOf(field, place), type);
  }

  /**
   * Looks up the object type that a type resolver has named (GraphQL, section 6.4.3).
   * @throws GraphQLError if it does not exist, or does not belong to the interface or union
   */
  objectType(type: GraphQLOutputType, name: unknown): GraphQLObjectType {
    const { schema } = this.#plan;
    const found = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(found) || !isAbstractType(type) || !schema.isSubType(type, found)) {
      throw new GraphQLError(`Abstract type "${String(type)}" must resolve to an Object type at runtime.`);
    }
    return found;
  }

  /** Names the argument with the id of no record in the error about it. */
  explained(error: unknown, { nodes: [node] }: FieldPlan): unknown {
    return node ? withMissingArgument(error, node, this.#variables) : error;
  }

  #argumentsOf({ definition, nodes }: FieldPlan): Record<string, unknown> {
    return definition.args.length === 0 ? {} : getArgumentValues(definition, nodes[0], this.#variables);
  }

  #infoOf({ definition, nodes, parent }: FieldPlan, path: Place): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.#plan;
    return {
      fieldName: definition.name,
      fieldNodes: nodes,
      returnType: definition.type,
      parentType: parent,
      path,
      schema,
      fragments,
      rootValue: this.#args.rootValue,
      operation,
      variableValues: this.#variables,
    };
  }
}
