import {
  defaultFieldResolver,
  defaultTypeResolver,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLIsTypeOfFn,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getArgumentValues,
  isAbstractType,
  isObjectType,
  locatedError,
  TypeNameMetaFieldDef,
} from 'graphql';
import { TimeSlices } from '../../db/connection/bounds.js';
import type { Context } from '../context.js';
import { withMissingArgument } from '../errors.js';
import { ResponseRefused, ResponseSize, valueBytes, withDoneNote } from '../limits/response-size.js';
import type { FieldPlan, Plan, ResponseShape } from './plan.js';

/**
 * Serializes a plain scalar or enum value, or null. Returns undefined for others, which need full completion.
 */
function simpleValue({ nullable, shape }: FieldPlan, value: unknown): unknown {
  if (shape.kind !== 'leaf') return undefined;
  if (value === null || value === undefined) return nullable ? null : undefined;
  const isPlain = typeof value !== 'object' ? typeof value !== 'function' : value instanceof Date;
  return isPlain ? (shape.type.serialize(value) ?? undefined) : undefined;
}

/**
 * Serializes a value of a scalar or enum (GraphQL, section 6.4.3).
 * @throws Error if the type has no such value
 */
function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const written = type.serialize(value);
  if (written == null) throw new Error(`Expected a value of the type ${type.name}.`);
  return written;
}

/** Object or list of an answer while it is filled. Both are filled by key. */
type Container = Record<string | number, unknown>;

/** A place in the answer, which is graphql-js' path to it as well. */
interface Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
  readonly container: Container;
  readonly nullable: boolean;
  /** An error has made it null. Errors at it and below are not told any more. */
  lost?: boolean;
}

/** Tells if an error has made a place null already, or one around it. */
function isLost(place: Place | undefined): boolean {
  for (let at = place; at; at = at.prev) if (at.lost) return true;
  return false;
}

/** Returns the path of an error at a place (GraphQL, section 7.1.2). */
function errorPath(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.prev) path.unshift(at.key);
  return path;
}

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
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Handles rejections of a value that is needed only later, including its elements and members. Node would
 * report them as unhandled.
 */
function hearRejections(value: unknown): void {
  if (isPromise(value)) value.then(hearRejections, () => {});
  else if (Array.isArray(value)) value.forEach(hearRejections);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(ignoreRejections);
}

/**
 * Handles rejections of a value that is not needed, or of its elements. Node would report them as unhandled.
 */
function ignoreRejections(value: unknown): void {
  if (isPromise(value)) value.then(ignoreRejections, () => {});
  else if (Array.isArray(value)) value.forEach(ignoreRejections);
}

/** Calls the resolvers of fields and types for one execution. They throw as the resolvers do. */
class Resolvers {
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

/**
 * One execution of a plan. Values are put into their places as they arrive, and only the end is awaited.
 * graphql-js creates a promise for every object and list around an awaited value; this uses a counter
 * instead.
 */
export class Execution {
  readonly #plan: Plan;
  readonly #args: ExecutionArgs;
  readonly #resolvers: Resolvers;
  readonly #size: ResponseSize;
  readonly #slices: TimeSlices;
  #errors: GraphQLError[] = [];
  /** Null once the whole result is null: nothing more is resolved then. */
  #data: Container | null;
  #waiting = 0;
  #end: (() => void) | undefined;

  constructor(plan: Plan, args: ExecutionArgs, variables: Record<string, unknown>) {
    this.#plan = plan;
    this.#args = args;
    this.#resolvers = new Resolvers(plan, args, variables);
    const context = args.contextValue as Context | undefined;
    this.#size = context?.answer ?? new ResponseSize(Infinity);
    this.#slices = context?.session?.slices ?? new TimeSlices();
    this.#size.bytes += plan.bytes;
    this.#data = { ...plan.blank };
  }

  run(): ExecutionResult | Promise<ExecutionResult> {
    const { fields, operation } = this.#plan;
    if (operation.operation === 'mutation') return this.#runSerially(fields);
    this.#fillRoot(fields);
    if (this.#waiting === 0) return this.#result();
    return new Promise((resolve) => {
      this.#end = () => resolve(this.#result());
    });
  }

  /**
   * Runs the fields of a mutation one after another (GraphQL, section 6.2.2). Each begins when the previous
   * one is complete with everything below it.
   */
  async #runSerially(fields: readonly FieldPlan[]): Promise<ExecutionResult> {
    const session = (this.#args.contextValue as Context | undefined)?.session;
    for (const field of fields) {
      // A mutation must not fail because of what an earlier one has read.
      if (session) session.readBound.renew();
      this.#fillRoot([field]);
      if (this.#waiting === 0) continue;
      await new Promise<void>((resolve) => {
        this.#end = resolve;
      });
    }
    return this.#result();
  }

  #fillRoot(fields: readonly FieldPlan[]): void {
    if (this.#data) this.#fill(this.#data, fields, this.#args.rootValue, this.#plan.root, undefined);
  }

  #result(): ExecutionResult {
    const data = this.#data as Record<string, unknown> | null;
    return this.#errors.length > 0 ? { errors: this.#errors, data } : { data };
  }

  /** Continues with a value when it is available. */
  #await(value: PromiseLike<unknown>, place: Place, field: FieldPlan, go: (value: unknown) => void): void {
    this.#waiting++;
    value.then(
      (settled) => {
        if (this.#slices.isOver) this.#later(settled, place, field, go);
        else this.#goOn(settled, place, field, go);
      },
      (error: unknown) => {
        this.#fail(error, place, field);
        this.#ended();
      },
    );
  }

  /** Continues with a value in a later turn of the event loop. Rejections until then are handled. */
  #later(value: unknown, place: Place, field: FieldPlan, go: (value: unknown) => void): void {
    hearRejections(value);
    this.#slices.later(() => this.#goOn(value, place, field, go));
  }

  /** Continues with a value that the end waits for. */
  #goOn(value: unknown, place: Place, field: FieldPlan, go: (value: unknown) => void): void {
    try {
      if (this.#data !== null) go(value);
      else ignoreRejections(value);
    } catch (error) {
      this.#fail(error, place, field);
    }
    this.#ended();
  }

  #ended(): void {
    if (--this.#waiting === 0) this.#end?.();
  }

  /** Records an error, and sets the nearest nullable place to null (GraphQL, section 6.4.4). */
  #fail(thrown: unknown, at: Place, field: FieldPlan): void {
    if (this.#data === null) return;
    const error = this.#resolvers.explained(thrown, field);
    const path = errorPath(at);
    // Everything below a mutation is read after it is done.
    const isDone =
      this.#plan.operation.operation === 'mutation' && (at.prev || error instanceof ResponseRefused);
    const located = locatedError(isDone ? withDoneNote(error, String(path[0])) : error, field.nodes, path);
    if (error instanceof ResponseRefused) {
      this.#data = null;
      this.#errors = [located];
      return;
    }
    if (isLost(at)) return;
    this.#errors.push(located);
    let place: Place | undefined = at;
    while (place && !place.nullable) place = place.prev;
    if (!place) {
      this.#data = null;
      return;
    }
    place.lost = true;
    place.container[place.key] = null;
  }

  /** Puts a leaf into its place. */
  #put(container: Container, key: string | number, value: unknown): void {
    container[key] = value;
    const size = this.#size;
    size.bytes += valueBytes(value);
    if (size.bytes <= size.room) return;
    size.makeRoom();
    this.#slices.weigh(size.bytes);
  }

  #fill(
    container: Container,
    fields: readonly FieldPlan[],
    source: unknown,
    { name }: GraphQLObjectType,
    prev: Place | undefined,
  ): void {
    for (const field of fields) {
      if (this.#data === null) return;
      const { key, definition, member, nullable } = field;
      let read: unknown;
      try {
        let simple: unknown = definition === TypeNameMetaFieldDef ? name : undefined;
        if (member !== undefined) {
          read = (source as Container | null | undefined)?.[member];
          simple = simpleValue(field, read);
        }
        if (simple !== undefined) {
          this.#put(container, key, simple);
          continue;
        }
      } catch (error) {
        this.#fail(error, { prev, key, typename: name, container, nullable }, field);
        continue;
      }
      this.#fillField(field, source, { prev, key, typename: name, container, nullable }, read);
    }
  }

  /** Completes a field whose value is not trivial. */
  #fillField(field: FieldPlan, source: unknown, place: Place, read: unknown): void {
    const { member, shape } = field;
    try {
      const isRead = member !== undefined && typeof read !== 'function';
      const value = isRead ? read : this.#resolvers.value(field, source, place);
      if (isPromise(value)) {
        this.#await(value, place, field, (settled) => this.#complete(field, shape, place, settled));
      } else {
        this.#complete(field, shape, place, value);
      }
    } catch (error) {
      this.#fail(error, place, field);
    }
  }

  /** Puts a value into its place. */
  #complete(field: FieldPlan, shape: ResponseShape, place: Place, value: unknown): void {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) {
      if (place.nullable) return;
      const { parent, definition } = field;
      throw new Error(`Cannot return null for non-nullable field ${parent.name}.${definition.name}.`);
    }
    if (shape.kind === 'leaf') {
      this.#put(place.container, place.key, serialized(shape.type, value));
    } else if (shape.kind === 'list') {
      this.#completeList(field, shape, place, value);
    } else {
      this.#completeObject(field, shape, place, value);
    }
  }

  #completeList(
    field: FieldPlan,
    shape: ResponseShape & { kind: 'list' },
    place: Place,
    values: unknown,
  ): void {
    if (typeof values !== 'object' || !(Symbol.iterator in (values as object))) {
      const { parent, definition } = field;
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${parent.name}.${definition.name}".`,
      );
    }
    const found: readonly unknown[] = Array.isArray(values) ? values : [...(values as Iterable<unknown>)];
    // A list is filled by index like an object by field; TypeScript has no type for both.
    const container = Array(found.length).fill(null) as object as Container;
    place.container[place.key] = container;
    this.#size.bytes += 2 + found.length;
    this.#fillList(field, shape, { place, container, values: found }, 0);
  }

  /** Fills a list from an index on. It continues in later turns of the event loop. */
  #fillList(
    field: FieldPlan,
    shape: ResponseShape & { kind: 'list' },
    list: { readonly place: Place; readonly container: Container; readonly values: readonly unknown[] },
    from: number,
  ): void {
    const { item, nullable } = shape;
    const { place, container, values } = list;
    for (let key = from; key < values.length; key++) {
      const value = values[key];
      const each = { prev: place, key, typename: undefined, container, nullable };
      if (this.#data === null) {
        ignoreRejections(value);
      } else if (isPromise(value)) {
        this.#await(value, each, field, (settled) => this.#complete(field, item, each, settled));
      } else if (this.#slices.isOver) {
        this.#waiting++;
        // The first call has already handled rejections of the rest.
        const rest = from === 0 ? values : undefined;
        this.#later(rest, place, field, () => this.#fillList(field, shape, list, key));
        return;
      } else {
        try {
          this.#complete(field, item, each, value);
        } catch (error) {
          this.#fail(error, each, field);
        }
      }
    }
  }

  #completeObject(
    field: FieldPlan,
    shape: ResponseShape & { kind: 'object' },
    place: Place,
    value: unknown,
  ): void {
    const { type } = shape;
    if (isObjectType(type) && !type.isTypeOf) this.#object(shape, type, place, value);
    else this.#completeTyped(field, shape, place, value);
  }

  #object(
    shape: ResponseShape & { kind: 'object' },
    type: GraphQLObjectType,
    place: Place,
    value: unknown,
  ): void {
    const { fields, blank, bytes } = shape.objectOf(type);
    this.#size.bytes += bytes;
    const container: Container = { ...blank };
    place.container[place.key] = container;
    this.#fill(container, fields, value, type, place);
  }

  /** Completes an object whose type must be resolved or checked. */
  #completeTyped(
    field: FieldPlan,
    shape: ResponseShape & { kind: 'object' },
    place: Place,
    value: unknown,
  ): void {
    const { type } = shape;
    const resolvers = this.#resolvers;
    if (isObjectType(type)) {
      const fits = resolvers.isOf(type, field, place, value);
      const goIf = (yes: unknown) => {
        if (!yes) throw new GraphQLError(`Expected value of type "${type.name}".`);
        this.#object(shape, type, place, value);
      };
      if (isPromise(fits)) this.#await(fits, place, field, goIf);
      else goIf(fits);
      return;
    }
    const found = resolvers.typeName(type, field, place, value);
    const goAs = (name: unknown) => this.#object(shape, resolvers.objectType(type, name), place, value);
    if (isPromise(found)) this.#await(found, place, field, goAs);
    else goAs(found);
  }
}
