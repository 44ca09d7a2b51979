import {
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isObjectType,
} from 'graphql';

/** Draws a number below a bound for a place in an answer: the same for each of two executions. */
type Draw = (place: string, below: number) => number;

/** Returns a draw that a seed decides. */
export function drawOf(seed: number): Draw {
  return (place, below) => {
    let hash = seed;
    for (let at = 0; at < place.length; at++) hash = Math.imul(hash ^ place.charCodeAt(at), 16_777_619);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash ^ (hash >>> 13)) >>> 0) % below;
  };
}

const leaves: Record<string, readonly unknown[]> = {
  Int: [41, 0, -1, 'no number', 2 ** 31],
  Float: [0.5, 0, 'no number', Number.NaN],
  Boolean: [true, false, 'neither'],
  String: ['text', '', 7, true],
  ID: ['7', 7, ''],
};

/** Answers in place of a schema's resolvers: values, nulls, errors, promises and exceptions, at random. */
export class Outcomes {
  readonly #schema: GraphQLSchema;
  /** Decides what is answered. */
  draw: Draw = drawOf(0);
  /** Hears rejections of every promise, as an executor may that abandons some. */
  hears = false;

  /** @param schema its resolvers are replaced */
  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isAbstractType(type)) type.resolveType = (value) => this.#typeOf(value);
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) field.resolve = this.#resolve;
    }
  }

  readonly #resolve: GraphQLFieldResolver<unknown, unknown> = (_source, args, _context, info) => {
    const steps: (string | number)[] = [];
    for (let path: GraphQLResolveInfo['path'] | undefined = info.path; path; path = path.prev)
      steps.push(path.key);
    const at = `${steps.join()} ${info.parentType}.${info.fieldName} ${JSON.stringify(args)}`;
    return this.#outcome(String(info.returnType), at);
  };

  /** Returns the type of a value, at once or later, if it can be told. */
  #typeOf(value: unknown): string | Promise<string> {
    const { at, type } = value as { at: string; type: string };
    const kind = this.draw(`${at} typed`, 12);
    if (kind === 0) throw new Error(`has no type at ${at}`);
    return kind < 6 ? type : this.#heard(Promise.resolve(type));
  }

  #heard<T>(promise: Promise<T>): Promise<T> {
    if (this.hears) promise.catch(() => {});
    return promise;
  }

  /** Returns a value of a type, or what may be in its place. */
  #outcome(type: string, at: string): unknown {
    const kind = this.draw(`${at} kind`, 40);
    const result = () => {
      if (kind === 0) throw new Error(`failed at ${at}`);
      if (kind === 1) return new Error(`is an error at ${at}`);
      return kind < 4 ? null : this.#value(type, at);
    };
    return this.draw(`${at} later`, 3) === 0 ? this.#heard(Promise.resolve().then(result)) : result();
  }

  #value(given: string, at: string): unknown {
    const type = given.replace(/!$/, '');
    if (type.startsWith('[')) return this.#list(type.slice(1, -1), at);
    const named = getNamedType(this.#schema.getType(type));
    if (isEnumType(named)) return named.getValues()[this.draw(`${at} enum`, named.getValues().length)]?.value;
    if (isAbstractType(named)) {
      const possible = this.#schema.getPossibleTypes(named);
      return { at, type: possible[this.draw(`${at} type`, possible.length)]?.name };
    }
    if (isObjectType(named)) return { at };
    const values = leaves[type] ?? ['any'];
    // The first is right, and the others are rare.
    return values[this.draw(`${at} odd`, 30) === 0 ? this.draw(`${at} leaf`, values.length) : 0];
  }

  #list(item: string, at: string): unknown {
    const length = this.draw(`${at} length`, 12);
    if (length === 11) return 'no list';
    const items: unknown[] = [];
    try {
      for (let index = 0; index < length % 4; index++) items.push(this.#outcome(item, `${at}.${index}`));
    } catch (error) {
      // Nobody gets the list, and so no executor can hear of its promises.
      for (const one of items) if (one instanceof Promise) one.catch(() => {});
      throw error;
    }
    return items;
  }
}
