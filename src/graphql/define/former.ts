import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isObjectType,
  isRequiredInputField,
  parseType,
  typeFromAST,
} from 'graphql';
import { badField, badFields, GatewayError, type Violation } from '../../domain/errors.js';

/** A mutation that a newer one replaces. It takes and returns what it always did. */
export interface Former {
  readonly name: string;
  /** The type of its result, such as `Boolean`. */
  readonly type: string;
  /** Members of the newer one's `input` that are arguments of their own here. */
  readonly loose?: readonly string[];
  /** Makes its result from the newer one's. */
  readonly answer: (result: never) => unknown;
  /** Its result where the newer one says that nothing was found. */
  readonly ifNotFound?: unknown;
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Members of `input` that are still accepted as arguments of their own. */
    readonly loose?: readonly string[];
    /** The name that a field had before. */
    readonly formerName?: string;
    /** The mutation that this one replaces. */
    readonly formerly?: Former;
  }
}

type Field = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;
type Values = Readonly<Record<string, unknown>>;

const until = 'It goes in version 1.0.';

/** Returns the input type of a mutation. */
function inputTypeOf({ name, args }: Field): GraphQLInputObjectType {
  const type = getNamedType(args.find((arg) => arg.name === 'input')?.type);
  if (!isInputObjectType(type)) throw new Error(`${name} has no input.`);
  return type;
}

/** Makes arguments of members of an input. */
function argumentsOf(input: GraphQLInputObjectType, names: readonly string[]): GraphQLArgument[] {
  return names.map((name) => {
    const member = input.getFields()[name];
    if (!member) throw new Error(`${input.name} has no ${name}.`);
    const { type, description } = member;
    return {
      ...{ name, type, description, astNode: undefined, extensions: {} },
      ...{ defaultValue: undefined, deprecationReason: undefined },
    };
  });
}

/** Splits arguments into those that belong in the input, and the others. */
function gather(args: Values, loose: readonly string[]): { readonly found: Values; readonly others: Values } {
  const entries = Object.entries(args);
  return {
    found: Object.fromEntries(entries.filter(([name, value]) => loose.includes(name) && value !== undefined)),
    others: Object.fromEntries(entries.filter(([name]) => !loose.includes(name))),
  };
}

/** Reports required members that nothing gives. @throws GatewayError BAD_REQUEST */
function checkRequired(input: GraphQLInputObjectType, given: Values): void {
  const missing = Object.values(input.getFields())
    .filter((member) => isRequiredInputField(member) && given[member.name] == null)
    .map(({ name }): Violation => ({ path: ['input', name], message: 'is required', rule: 'required' }));
  if (missing.length > 0) throw badFields(missing);
}

/** Lets a mutation accept members of its input as deprecated arguments, too. */
function acceptLoose(field: Field, loose: readonly string[]): void {
  const type = inputTypeOf(field);
  const { resolve, args } = field;
  if (!resolve) throw new Error(`${field.name} has no resolver.`);
  const accepted = argumentsOf(type, loose).map((arg) => ({
    ...arg,
    type: getNullableType(arg.type) as GraphQLInputType,
    deprecationReason: `Send \`input: { ${arg.name}: … }\`. ${until}`,
  }));
  // Required by the resolver below, because the loose arguments may stand for it.
  const own = args.map((arg) => (arg.name === 'input' ? { ...arg, type } : arg));
  field.args = [...own, ...accepted];
  field.resolve = (root, given: Values, context, info) => {
    const { found, others } = gather(given, loose);
    const sent = (given.input ?? {}) as Values;
    const twice = Object.keys(found).find((name) => sent[name] !== undefined);
    if (twice !== undefined) throw badField([twice], 'is sent twice: in `input`, too');
    const input = { ...found, ...sent };
    checkRequired(type, input);
    return resolve(root, { ...others, input }, context, info);
  };
}

/** Returns the resolver of a former mutation, which calls that of the newer one. */
function formerResolver(resolve: Resolver, { loose = [], answer, ifNotFound }: Former): Resolver {
  return async (root, given: Values, context, info) => {
    const { found, others } = gather(given, loose);
    try {
      return answer((await resolve(root, { ...others, input: found }, context, info)) as never);
    } catch (error) {
      const isAbsent = error instanceof GatewayError && error.code === 'NOT_FOUND';
      if (ifNotFound === undefined || !isAbsent) throw error;
      return ifNotFound;
    }
  };
}

/** Creates the mutation that a newer one replaces. */
function formerField(schema: GraphQLSchema, field: Field, former: Former): Field {
  const { name, loose = [] } = former;
  const type = typeFromAST(schema, parseType(former.type) as Parameters<typeof typeFromAST>[1]);
  if (!type || !field.resolve) throw new Error(`${name} cannot be defined.`);
  const args = field.args.filter((arg) => arg.name !== 'input');
  if (loose.length > 0) args.push(...argumentsOf(inputTypeOf(field), loose));
  return {
    ...{ name, args, type: type as GraphQLOutputType, resolve: formerResolver(field.resolve, former) },
    ...{ description: field.description, deprecationReason: `Use \`${field.name}\`. ${until}` },
    ...{ extensions: {}, astNode: undefined },
  };
}

/** Adds fields under the names that they had before. */
function addFormerNames(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { formerName: name } = field.extensions;
      if (name === undefined) continue;
      fields[name] = { ...field, name, deprecationReason: `Ask for \`${field.name}\`. ${until}` };
    }
  }
}

/**
 * Adds the deprecated spellings of a schema. They are former names, loose arguments, and mutations with other
 * results. They exist only here: all else, also the resolvers, knows the present spelling alone.
 */
export function addFormerSpellings(schema: GraphQLSchema): GraphQLSchema {
  addFormerNames(schema);
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const field of Object.values(fields)) {
    const { loose, formerly } = field.extensions;
    if (formerly) fields[formerly.name] = formerField(schema, field, formerly);
    if (loose) acceptLoose(field, loose);
  }
  return schema;
}
