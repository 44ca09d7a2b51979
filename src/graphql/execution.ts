import {
  defaultTypeResolver,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  isAbstractType,
  isObjectType,
  locatedError,
  TypeNameMetaFieldDef,
} from 'graphql';
import { AnswerRefused, AnswerSize, AnswerTooLarge, sizeOfValue } from './answer-size.js';
import type { Context } from './context.js';
import type { FieldPlan, Plan, Shape } from './plan.js';

type Container = Record<string | number, unknown>;

/** A place in the answer, which is graphql-js' path to it as well. */
interface Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
  readonly container: Container;
  readonly nullable: boolean;
  /** Whether an error has made it null: errors at it and below are not told any more. */
  lost?: boolean;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** What is answered of most fields' values: of a leaf's, or null. Undefined of any other, which is looked at in full. */
function simpleValue({ nullable, shape }: FieldPlan, value: unknown): unknown {
  if (shape.kind !== 'leaf') return undefined;
  if (value === null || value === undefined) return nullable ? null : undefined;
  const isPlain = typeof value !== 'object' ? typeof value !== 'function' : value instanceof Date;
  return isPlain ? (shape.type.serialize(value) ?? undefined) : undefined;
}

function isLost(place: Place | undefined): boolean {
  for (let at = place; at; at = at.prev) if (at.lost) return true;
  return false;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.prev) path.unshift(at.key);
  return path;
}

/**
 * One execution of a plan. Values are put into their places as they come, so that nothing waits for anything but the
 * end: where graphql-js makes promises for every object and list around a value that is awaited, this counts.
 */
export class Execution {
  readonly #plan: Plan;
  readonly #args: ExecutionArgs;
  readonly #variables: Record<string, unknown>;
  readonly #size: AnswerSize;
  #errors: GraphQLError[] = [];
  /** Null once nothing more is answered: then nothing more is resolved. */
  #data: Container | null;
  #waiting = 0;
  #end: (() => void) | undefined;

  constructor(plan: Plan, args: ExecutionArgs, variables: Record<string, unknown>) {
    this.#plan = plan;
    this.#args = args;
    this.#variables = variables;
    this.#size = (args.contextValue as Context | undefined)?.answer ?? new AnswerSize(Infinity);
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

  /** Runs mutations: each begins when the one before is complete, what is below it included (GraphQL, section 6.2.2). */
  async #runSerially(fields: readonly FieldPlan[]): Promise<ExecutionResult> {
    for (const field of fields) {
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

  /** Goes on with a value when it is there. */
  #await(value: PromiseLike<unknown>, place: Place, field: FieldPlan, go: (value: unknown) => void): void {
    this.#waiting++;
    const ended = () => {
      if (--this.#waiting === 0) this.#end?.();
    };
    value.then(
      (settled) => {
        try {
          if (this.#data !== null) go(settled);
        } catch (error) {
          this.#fail(error, place, field);
        }
        ended();
      },
      (error: unknown) => {
        this.#fail(error, place, field);
        ended();
      },
    );
  }

  /** Tells an error, and makes null the nearest place that may be (GraphQL, section 6.4.4). */
  #fail(error: unknown, at: Place, { nodes }: FieldPlan): void {
    if (this.#data === null) return;
    const path = pathOf(at);
    if (error instanceof AnswerRefused) {
      // A write that is done is not undone because its answer is too large, so it is told.
      const isWrite = this.#plan.operation.operation === 'mutation';
      this.#data = null;
      const told = isWrite && error instanceof AnswerTooLarge ? new AnswerTooLarge(String(path[0])) : error;
      this.#errors = [locatedError(told, nodes, path)];
      return;
    }
    if (isLost(at)) return;
    this.#errors.push(locatedError(error, nodes, path));
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
    size.bytes += sizeOfValue(value);
    if (size.bytes > size.room) size.makeRoom();
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

  /** Fills in a field that takes more than a look. */
  #fillField(field: FieldPlan, source: unknown, place: Place, read: unknown): void {
    const { member, shape } = field;
    try {
      const isRead = member !== undefined && typeof read !== 'function';
      const value = isRead ? read : this.#resolve(field, source, place);
      if (isPromise(value)) {
        this.#await(value, place, field, (settled) => this.#complete(field, shape, place, settled));
      } else {
        this.#complete(field, shape, place, value);
      }
    } catch (error) {
      this.#fail(error, place, field);
    }
  }

  #resolve(field: FieldPlan, source: unknown, place: Place): unknown {
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

  /** Puts a value into its place. */
  #complete(field: FieldPlan, shape: Shape, place: Place, value: unknown): void {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) {
      if (place.nullable) return;
      const { parent, definition } = field;
      throw new Error(`Cannot return null for non-nullable field ${parent.name}.${definition.name}.`);
    }
    if (shape.kind === 'leaf') {
      const written = shape.type.serialize(value);
      if (written == null) throw new Error(`Expected a value of the type ${shape.type.name}.`);
      this.#put(place.container, place.key, written);
    } else if (shape.kind === 'list') {
      this.#completeList(field, shape, place, value);
    } else {
      this.#completeObject(field, shape, place, value);
    }
  }

  #completeList(field: FieldPlan, shape: Shape & { kind: 'list' }, place: Place, values: unknown): void {
    if (typeof values !== 'object' || !(Symbol.iterator in (values as object))) {
      const { parent, definition } = field;
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${parent.name}.${definition.name}".`,
      );
    }
    const found: readonly unknown[] = Array.isArray(values) ? values : [...(values as Iterable<unknown>)];
    // A list is filled by its indexes as an object is by its fields; no type says so of both.
    const container = Array(found.length).fill(null) as unknown as Container;
    place.container[place.key] = container;
    const { item, nullable } = shape;
    this.#size.bytes += 2 + found.length;
    for (const [key, value] of found.entries()) {
      if (this.#data === null) return;
      const each = { prev: place, key, typename: undefined, container, nullable };
      if (isPromise(value)) {
        this.#await(value, each, field, (settled) => this.#complete(field, item, each, settled));
      } else {
        try {
          this.#complete(field, item, each, value);
        } catch (error) {
          this.#fail(error, each, field);
        }
      }
    }
  }

  #completeObject(field: FieldPlan, shape: Shape & { kind: 'object' }, place: Place, value: unknown): void {
    const { type } = shape;
    if (isObjectType(type) && !type.isTypeOf) this.#object(shape, type, place, value);
    else this.#completeTyped(field, shape, place, value);
  }

  #object(shape: Shape & { kind: 'object' }, type: GraphQLObjectType, place: Place, value: unknown): void {
    const { fields, blank, bytes } = shape.objectOf(type);
    this.#size.bytes += bytes;
    const container: Container = { ...blank };
    place.container[place.key] = container;
    this.#fill(container, fields, value, type, place);
  }

  /** An object of which a function has to tell whether it is of its type, or of which. */
  #completeTyped(field: FieldPlan, shape: Shape & { kind: 'object' }, place: Place, value: unknown): void {
    const { type } = shape;
    const { contextValue, typeResolver } = this.#args;
    const info = this.#infoOf(field, place);
    if (isObjectType(type)) {
      const fits = type.isTypeOf?.(value, contextValue, info) ?? true;
      const goIf = (yes: unknown) => {
        if (!yes) throw new GraphQLError(`Expected value of type "${type.name}".`);
        this.#object(shape, type, place, value);
      };
      if (isPromise(fits)) this.#await(fits, place, field, goIf);
      else goIf(fits);
      return;
    }
    if (!isAbstractType(type)) return;
    const resolveType = type.resolveType ?? typeResolver ?? defaultTypeResolver;
    const found = resolveType(value, contextValue, info, type);
    const goAs = (name: unknown) => this.#object(shape, this.#objectType(type, name), place, value);
    if (isPromise(found)) this.#await(found, place, field, goAs);
    else goAs(found);
  }

  #objectType(type: GraphQLOutputType, name: unknown): GraphQLObjectType {
    const { schema } = this.#plan;
    const found = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(found) || !isAbstractType(type) || !schema.isSubType(type, found)) {
      throw new GraphQLError(`Abstract type "${String(type)}" must resolve to an Object type at runtime.`);
    }
    return found;
  }
}
