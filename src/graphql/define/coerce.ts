import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLList,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { type FieldPath, maxViolations, type Violation } from '../../domain/errors.js';
import { beyondInt32, isNil, limits } from '../../domain/rules.js';
import { isPlain } from '../../domain/text/json.js';

/** The scalar types of ids. They are for our records, and for foreign ids, which are kept as sent. */
const ids = new Set(['ID', 'UUID']);

function present(value: unknown, type: GraphQLInputType, instead: null | undefined): unknown {
  if (value === null || value === undefined) return value;
  const named = getNamedType(type);
  if (Array.isArray(value)) {
    const isId = ids.has(named.name);
    return value.filter((item) => !isId || !isNil(item)).map((item) => present(item, named, instead));
  }
  if (isInputObjectType(named)) return withoutNil(value as object, named, instead);
  return ids.has(named.name) && isNil(value) ? instead : value;
}

/**
 * Removes nil UUIDs from an input (RFC 9562 §5.9). Clients whose ids cannot be null send them for "none".
 * @param type of the input
 * @param instead replaces them: undefined, as if the member were missing, or null, which clears it
 */
export function withoutNil<T extends object>(
  input: T,
  type: GraphQLInputObjectType,
  instead: null | undefined,
): T {
  const fields = type.getFields();
  const members = Object.entries(input).flatMap(([name, value]) => {
    const field = fields[name];
    const kept = field ? present(value, field.type, instead) : value;
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(members);
}

/** Removes nil UUIDs from a mutation's input, as if the members were missing. */
export function presentIn<T extends object>(
  input: T,
  { schema }: { readonly schema: GraphQLSchema },
  name: string,
): T {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input type ${name}.`);
  return withoutNil(input, type, undefined);
}

/** Characters of an unknown member's name to repeat in the error. */
const longestName = 64;

/** Messages for values that GraphQL's built-in scalars reject. graphql-js would name the scalars. */
const expected: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number within the range of a double',
  ID: 'must be a UUID',
  Int: 'must be a 32-bit integer',
  String: 'must be a string',
};

/** Cuts a name that the caller has chosen, which may have megabytes. */
export const shortName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName)}…` : name;

/** Converts a graphql-js error about a missing, null or unreadable argument to a violation. */
export function argumentViolation(message: string): Violation | undefined {
  const [, absent, name = absent, problem] =
    /^(?:Field|Directive) "@?\w+" argument "(\w+)" of type ".+" is required|^Argument "(\w+)" (of required type|of non-null type|has invalid value)/.exec(
      message,
    ) ?? [];
  if (name === undefined) return undefined;
  if (problem === 'has invalid value') return { path: [name], message: 'is not valid', rule: 'type' };
  const isNull = problem === 'of non-null type';
  return { path: [name], message: isNull ? 'must not be null' : 'is required', rule: 'required' };
}

/** Converts a graphql-js error about a value to a violation. */
export function violationOf(path: FieldPath, value: unknown, { message }: GraphQLError): Violation {
  const missing = /^Field "(?:\w+\.)?(\w+)" of required type/.exec(message)?.[1];
  if (missing !== undefined) return { path: [...path, missing], message: 'is required', rule: 'required' };
  if (message.startsWith('Expected non-nullable type')) {
    return { path, message: 'must not be null', rule: 'required' };
  }
  const unknown = /^Field "(.*)" is not defined by type/s.exec(message)?.[1];
  if (unknown !== undefined) {
    return { path: [...path, shortName(unknown)], message: 'is not known', rule: 'unknown' };
  }
  if (/^Expected type ".+" to be an object\.$/.test(message)) {
    return { path, message: 'must be an object', rule: 'type' };
  }
  // graphql-js would name the enum, and repeat the value, which may be long.
  if (/^Enum "\w+" cannot represent/.test(message) || /" does not exist in "\w+" enum\.?$/.test(message)) {
    const rule = typeof value === 'string' ? 'format' : 'type';
    return { path, message: 'is not one of the allowed values', rule };
  }
  const beyond = /^Int cannot represent non 32-bit signed integer value: (-?)/.exec(message)?.[1];
  if (beyond !== undefined) return { path, message: beyondInt32(beyond === '-'), rule: 'range' };
  const [, scalar = ''] = /^(\w+) cannot represent/.exec(message) ?? [];
  if (Object.hasOwn(expected, scalar)) return { path, message: expected[scalar] as string, rule: 'type' };
  const said = message.replace(/^Expected type "\w+"\. /, '').replace(/\.$/, '');
  return { path, message: said, rule: typeof value === 'string' ? 'format' : 'type' };
}

/** The readable part of an input. */
export interface ReadInput {
  readonly value: unknown;
  /** Values that could not be read. `value` lacks them. */
  readonly violations: readonly Violation[];
}

/** Returns how many entries a list of an input may have. Its rule may allow fewer. */
export const entryLimit = ({ extensions }: Pick<GraphQLInputField, 'extensions'>): number =>
  (extensions.entryLimit as number | undefined) ?? limits.entries;

/** Creates the violation of a list with too many entries. */
export const tooLong = (path: FieldPath, most: number): Violation => ({
  path,
  message: `must have at most ${most} entries`,
  rule: 'entries',
});

/** Scalars that take texts of any length. Rules check the length of what they take. */
const textScalars: ReadonlySet<string> = new Set(['ID', 'JSON', 'String']);

/** Characters of a text that a number, a date or an enum is read from. It is longer than any of them. */
const longestLeaf = 256;

/**
 * Shortens a value that its type will refuse. Otherwise graphql-js would repeat all of it in the error, and compare a
 * long text with the words of an enum.
 */
function shortened(value: unknown, type: GraphQLInputType): unknown {
  const named = getNamedType(type);
  if (typeof value === 'string')
    return value.length <= longestLeaf || textScalars.has(named.name) ? value : value.slice(0, longestLeaf);
  if (named.name === 'JSON' || !isLeafType(getNullableType(type))) return value;
  if (Array.isArray(value)) return [];
  return isPlain(value) ? {} : value;
}

/** Returns a part of a value, or something shorter in its place. */
type Shorten = (
  value: unknown,
  type: GraphQLInputType,
  most: number,
  steps: readonly (string | number)[],
) => unknown;

/**
 * Shortens the parts of a value, from the outside to the inside.
 * @param most entries that it may have, if it is a list
 * @param steps the value's path; it is changed on the way, and restored
 * @returns the value itself if nothing is too long
 */
function shortenedParts(
  value: unknown,
  type: GraphQLInputType,
  shorten: Shorten,
  most: number,
  steps: (string | number)[],
): unknown {
  const short = shorten(value, type, most, steps);
  if (typeof short !== 'object' || short === null) return short;
  const nullable = getNullableType(type);
  const isList = isListType(nullable) && Array.isArray(short);
  if (!isList && !isInputObjectType(nullable)) return short;
  const fields = isList ? undefined : (nullable as GraphQLInputObjectType).getFields();
  let kept: Record<string, unknown> | undefined;
  const change = (name: string, read: unknown) => {
    kept ??= (isList ? [...short] : { ...short }) as Record<string, unknown>;
    kept[name] = read;
  };
  for (const [name, member] of Object.entries(short)) {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (fields && !field) {
      // Errors repeat the names of unknown members, too.
      if (name.length <= longestLeaf) continue;
      change(name.slice(0, longestLeaf), null);
      delete kept?.[name];
      continue;
    }
    steps.push(isList ? Number(name) : name);
    const memberType = field?.type ?? (nullable as GraphQLList<GraphQLInputType>).ofType;
    const read = shortenedParts(member, memberType, shorten, field ? entryLimit(field) : most, steps);
    steps.pop();
    if (read !== member) change(name, read);
  }
  return kept ?? short;
}

/** Shortens texts and names in a value that would only be repeated in errors. */
export const withShortLeaves = (value: unknown, type: GraphQLInputType): unknown =>
  shortenedParts(value, type, shortened, Number.POSITIVE_INFINITY, []);

/** Thrown to stop reading when there are enough violations. */
const enough = new Error('enough');

/**
 * Closes the gaps of list entries that could not be read. Then a write can continue. An empty object replaces
 * an object, so that later indexes stay correct; other entries are dropped.
 */
export function withoutGaps(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (Array.isArray(value) && isListType(nullable)) {
    const isObject = isInputObjectType(getNamedType(type));
    const entries = isObject
      ? value.map((entry) => entry ?? {})
      : value.filter((entry) => entry !== undefined);
    return entries.map((entry) => withoutGaps(entry, nullable.ofType));
  }
  if (!isInputObjectType(nullable) || typeof value !== 'object' || value === null) return value;
  const fields = nullable.getFields();
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const field = fields[name];
      return member === undefined ? [] : [[name, field ? withoutGaps(member, field.type) : member]];
    }),
  );
}

/**
 * Reads a JSON value as an input type, like variables are read. It reads as much as possible.
 * @param at path of the value
 * @param most entries that it may have, if it is a list
 */
export function readInput(
  value: unknown,
  type: GraphQLInputType,
  at: FieldPath = [],
  most: number = limits.entries,
): ReadInput {
  const violations: Violation[] = [];
  const add = (violation: Violation): void => {
    violations.push(violation);
    if (violations.length > maxViolations) throw enough;
  };
  const report = (path: FieldPath, found: unknown, error: GraphQLError) =>
    add(violationOf([...at, ...path], found, error));
  try {
    // Reading the entries of a list would cost the more, the more of them are refused anyway.
    const shorten: Shorten = (part, type, most, steps) =>
      Array.isArray(part) && part.length > most && isListType(getNullableType(type))
        ? add(tooLong([...steps], most))
        : shortened(part, type);
    const short = shortenedParts(value, type, shorten, most, [...at]);
    const read = coerceInputValue(short, type, report, true);
    return { value: violations.length > 0 ? withoutGaps(read, type) : read, violations };
  } catch (error) {
    if (error !== enough) throw error;
    return { value: {}, violations };
  }
}
