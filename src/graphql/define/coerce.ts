import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type FieldPath, mostViolations, type Violation } from '../../domain/errors.js';

/** Characters of an unknown member's name that are told. */
const longestName = 64;

/** Messages for values that GraphQL's own scalars refuse. graphql-js would name the scalars. */
const expected: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number that a double can hold',
  ID: 'must be a UUID',
  Int: 'must be a whole number of 32 bits',
  String: 'must be a text',
};

/** Converts an error of graphql-js about a value to what is told of it. */
export function violationOf(path: FieldPath, value: unknown, { message }: GraphQLError): Violation {
  const missing = /^Field "(\w+)" of required type/.exec(message)?.[1];
  if (missing !== undefined) return { path: [...path, missing], message: 'is required', rule: 'required' };
  if (message.startsWith('Expected non-nullable type')) {
    return { path, message: 'must not be null', rule: 'required' };
  }
  const unknown = /^Field "(.*)" is not defined by type/s.exec(message)?.[1];
  if (unknown !== undefined) {
    // Callers choose it: an answer does not repeat a name of megabytes.
    const name = unknown.length > longestName ? `${unknown.slice(0, longestName)}…` : unknown;
    return { path: [...path, name], message: 'is not known', rule: 'unknown' };
  }
  if (/^Expected type ".+" to be an object\.$/.test(message)) {
    return { path, message: 'must be an object', rule: 'type' };
  }
  // graphql-js would name the enum, and repeat what was sent, which may be long.
  if (/^Enum "\w+" cannot represent/.test(message) || /" does not exist in "\w+" enum\.?$/.test(message)) {
    const rule = typeof value === 'string' ? 'format' : 'type';
    return { path, message: 'is none of the words that it may be', rule };
  }
  const [, scalar = ''] = /^(\w+) cannot represent/.exec(message) ?? [];
  if (Object.hasOwn(expected, scalar)) return { path, message: expected[scalar] as string, rule: 'type' };
  const said = message.replace(/^Expected type "\w+"\. /, '').replace(/\.$/, '');
  return { path, message: said, rule: typeof value === 'string' ? 'format' : 'type' };
}

/** An input as far as it could be read. */
export interface ReadInput {
  readonly value: unknown;
  /** Values that could not be read. They are left out of `value`. */
  readonly violations: readonly Violation[];
}

/** Ends reading: more is not told. */
const enough = new Error('enough');

/**
 * Closes the gaps that list entries leave when they could not be read. An empty object takes the place of an object, so
 * that indexes stay true; other entries are dropped. So a write can go on.
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
 * Reads a JSON value as an input type, as variables are read. It reads as much as can be read.
 * @param at place of the value
 */
export function readInput(value: unknown, type: GraphQLInputType, at: FieldPath = []): ReadInput {
  const violations: Violation[] = [];
  const report = (path: FieldPath, found: unknown, error: GraphQLError) => {
    violations.push(violationOf([...at, ...path], found, error));
    if (violations.length > mostViolations) throw enough;
  };
  try {
    const read = coerceInputValue(value, type, report, true);
    return { value: violations.length > 0 ? withoutGaps(read, type) : read, violations };
  } catch (error) {
    if (error !== enough) throw error;
    return { value: {}, violations };
  }
}
