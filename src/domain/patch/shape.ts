import { badField, type FieldPath, GatewayError } from '../errors.js';
import { limits } from '../rules.js';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  matchName,
  ownMember,
} from '../text/json.js';
import { describePath } from './pointer.js';

interface Traits {
  /** True if only the server writes it. A patch may use it in `test` and `from`, but not change it. */
  readonly readOnly?: boolean;
  /** True if the member stays when a document without it replaces the whole one. */
  readonly stays?: boolean;
  /** Value of the member after `remove`. Defaults to `[]` for a list and to null for others. */
  readonly default?: JsonValue;
}

/** A JSON value without parts, or null. The validator checks its type and limits. */
export interface ScalarShape extends Traits {
  readonly kind: 'scalar';
  /** Returns the canonical form of a value, such as a UUID, that has several spellings. */
  readonly canonical?: (value: JsonValue) => JsonValue;
}

/** A closed record or null. Names are spelled as the API shows them. */
export interface ObjectShape extends Traits {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, DocumentShape>>;
}

/** A collection; null stands for an empty one. */
export interface ListShape extends Traits {
  readonly kind: 'list';
  readonly element: DocumentShape;
}

/** Free JSON, in which a patch follows RFC 6902 exactly. */
export interface AnyShape extends Traits {
  readonly kind: 'any';
}

/** Schema of a patched document: its members and their values, at any depth. */
export type DocumentShape = ScalarShape | ObjectShape | ListShape | AnyShape;

/** The shape of free JSON. */
export const ANY: DocumentShape = { kind: 'any' };

/** Returns the value of a member that is not set. */
export function defaultValue(shape: DocumentShape): JsonValue {
  return shape.default ?? (shape.kind === 'list' ? [] : null);
}

/** Compares two values of a shape: scalars by their canonical form, all else as JSON. */
export function sameValue(shape: DocumentShape, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (shape.kind === 'list' && isList(a) && isList(b))
    return a.length === b.length && a.every((item, index) => sameValue(shape.element, item, b[index]));
  if (shape.kind === 'object' && isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && sameValue(shape.members[name] ?? ANY, a[name], b[name]))
    );
  }
  if (shape.kind !== 'scalar' || !shape.canonical || a === undefined || b === undefined || a === b)
    return jsonEqual(a, b);
  return jsonEqual(shape.canonical(a), shape.canonical(b));
}

/** The objects of the original document that changed ones were made from. */
const originals = new WeakMap<JsonObject, JsonObject>();

/** Returns an object with other members, and remembers which original one it comes from. */
export function withMembers(object: JsonObject, members: JsonObject): JsonObject {
  const changed = { ...object, ...members };
  originals.set(changed, originalOf(object));
  return changed;
}

/**
 * Returns the original of an object in a patched document. It is the object itself if it did not change, or if the
 * patch brought it.
 */
export const originalOf = (object: JsonObject): JsonObject => originals.get(object) ?? object;

/** Returns the value of a record's member. A missing one reads as its default. */
export function memberValue(record: JsonObject, name: string, shape: DocumentShape): JsonValue {
  const value = ownMember(record, name);
  return value === undefined ? defaultValue(shape) : value;
}

/** Finds a member by name, in any case; undefined if there is none. It returns the shape's spelling. */
export function findMember(
  shape: ObjectShape,
  wanted: string,
): { name: string; shape: DocumentShape } | undefined {
  const name = matchName(Object.keys(shape.members), wanted);
  const member = name === undefined ? undefined : shape.members[name];
  return name === undefined || member === undefined ? undefined : { name, shape: member };
}

/**
 * Converts a value to a shape. Members get the shape's spelling, unknown ones are dropped as in any body, and
 * null lists become empty. Missing members stay missing; the validator decides about them. `path` is the
 * value's location, for the message.
 *
 * @throws GatewayError BAD_REQUEST if a list, an object or a scalar is sent in place of another
 */
export function conform(value: JsonValue, shape: DocumentShape, path: FieldPath): JsonValue {
  if (shape.kind === 'any') return value;
  if (shape.kind === 'scalar') {
    if (isList(value) || isObject(value)) throw wrongKind(path, 'a single value');
    return value;
  }
  if (value === null) return shape.kind === 'list' ? [] : null;
  if (shape.kind === 'object') {
    if (!isObject(value)) throw wrongKind(path, 'an object or null');
    return conformMembers(value, shape, path);
  }
  if (!isList(value)) throw wrongKind(path, 'a list');
  // Before the entries are looked at: a body has room for millions.
  if (value.length > limits.entries)
    throw badField(path, `must have at most ${limits.entries} entries`, 'entries');
  return value.map((item, index) => conform(item, shape.element, [...path, index]));
}

function conformMembers(value: JsonObject, shape: ObjectShape, path: FieldPath): JsonObject {
  const members = matchMembers(value, shape);
  return Object.fromEntries(
    members.map(({ name, shape, item }) => [name, conform(item, shape, [...path, name])]),
  );
}

/**
 * Finds an object's members that a record has. An exact spelling takes precedence over another one of the
 * same member.
 */
export function matchMembers(
  value: JsonObject,
  record: ObjectShape,
): { name: string; shape: DocumentShape; item: JsonValue }[] {
  const found: { name: string; shape: DocumentShape; item: JsonValue }[] = [];
  // Nothing is made for the unknown ones, of which there may be many.
  for (const key of Object.keys(value)) {
    const member = findMember(record, key);
    if (!member) continue;
    const exactOneIsThereToo = member.name !== key && Object.hasOwn(value, member.name);
    if (!exactOneIsThereToo) found.push({ ...member, item: value[key] as JsonValue });
  }
  return found;
}

/**
 * Completes a document that replaces `before`. Missing members get their defaults, except those that keep their
 * values.
 *
 * @throws GatewayError BAD_REQUEST unless it is an object, and if it would change a read-only member
 */
export function wholeDocument(value: JsonValue, shape: DocumentShape, before: JsonObject): JsonObject {
  const conformed = conform(value, shape, []);
  if (!isObject(conformed)) throw wrongKind([], 'an object');
  if (shape.kind !== 'object') return conformed;
  const entries = Object.entries(shape.members).map(([name, member]): [string, JsonValue] => {
    const current = memberValue(before, name, member);
    const sent = ownMember(conformed, name);
    const unsent = member.readOnly || member.stays ? current : defaultValue(member);
    const next = sent === undefined ? unsent : sent;
    if (member.readOnly && !sameValue(member, next, current)) throw readOnlyError(name);
    return [name, next];
  });
  return Object.fromEntries(entries);
}

/** Creates the 400 for a write that would change a read-only member. */
export function readOnlyError(name: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `"${name}" is read-only.`);
}

function wrongKind(path: FieldPath, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${describePath(path)} must be ${expected}.`);
}
