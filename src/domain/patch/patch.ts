import {
  argumentError,
  badField,
  type ErrorCode,
  type FieldPath,
  GatewayError,
  messageOf,
} from '../errors.js';
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

/** The unescaped reference tokens of a JSON Pointer. An empty list is the whole document. */
export type JsonPointer = readonly string[];

/**
 * Maximum depth of a JSON Pointer and of a patched document. It exceeds any model, and is shallow enough to
 * recurse.
 */
const MAX_DEPTH = 64;

/** Maximum characters of a JSON Pointer. A patch has as many pointers as operations, and each is unescaped. */
const MAX_LENGTH = 1_000;

const QUOTED_LENGTH = 100;

/**
 * Parses a JSON Pointer (RFC 6901). Unlike in the RFC, the leading slash may be missing, as ASP.NET Core
 * allows.
 *
 * @throws GatewayError BAD_REQUEST for a `~` that is not `~0` or `~1`, and beyond MAX_LENGTH characters or
 *   MAX_DEPTH tokens
 */
function parsePointer(text: string): JsonPointer {
  if (text === '') return [];
  if (text.length > MAX_LENGTH) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} has more than ${MAX_LENGTH} characters.`);
  }
  if (/~(?![01])/.test(text)) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} has a "~" that is neither "~0" nor "~1".`);
  }
  const tokens = (text.startsWith('/') ? text.slice(1) : text).split('/');
  if (tokens.length > MAX_DEPTH) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} is deeper than ${MAX_DEPTH} levels.`);
  }
  // The order matters: "~01" is "~1", not "/" (RFC 6901 §4).
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Parses an array index (RFC 6901 §4); undefined if it is invalid. Leading zeros, signs and `-` are invalid.
 */
function parseIndex(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined;
}

/** Formats a location for a message: its pointer, or "the document". */
function describePath(path: FieldPath): string {
  if (path.length === 0) return 'the document';
  const escaped = path.map((token) => String(token).replaceAll('~', '~0').replaceAll('/', '~1'));
  return quote(escaped.map((token) => `/${token}`).join(''));
}

/** Quotes a caller's text for a message, and truncates it. */
function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);
}

interface Traits {
  /** True if only the server writes it. A patch may use it in `test` and `from`, but not change it. */
  readonly readOnly?: boolean;
  /** True if the member stays when a document without it replaces the whole one. */
  readonly stays?: boolean;
  /** Value of the member after `remove`. Defaults to `[]` for a list and to null for others. */
  readonly default?: JsonValue;
}

/** A JSON value without parts, or null. The validator checks its type and limits. */
interface ScalarShape extends Traits {
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
interface ListShape extends Traits {
  readonly kind: 'list';
  readonly element: DocumentShape;
}

/** Free JSON, in which a patch follows RFC 6902 exactly. */
interface AnyShape extends Traits {
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
function withMembers(object: JsonObject, members: JsonObject): JsonObject {
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
function memberValue(record: JsonObject, name: string, shape: DocumentShape): JsonValue {
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
function conform(value: JsonValue, shape: DocumentShape, path: FieldPath): JsonValue {
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
function wholeDocument(value: JsonValue, shape: DocumentShape, before: JsonObject): JsonObject {
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
function readOnlyError(name: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `"${name}" is read-only.`);
}

function wrongKind(path: FieldPath, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${describePath(path)} must be ${expected}.`);
}

/**
 * A location in a document, and the documents that differ from it there. Nothing is changed in place: every
 * write returns a new document that shares all other parts with the old one.
 */
interface PatchLocation {
  /** Path of the location, as the document spells it. */
  readonly path: FieldPath;
  readonly shape: DocumentShape;
  /** True if a model has this member. It can be replaced even if an object above it is null. */
  readonly modelled: boolean;
  /**
   * Value at the location. It is undefined past a list's end, for a missing member, and below a null object.
   */
  readonly value: JsonValue | undefined;
  /** RFC 6902 §4.1: inserts in a list, sets elsewhere. */
  readonly add: (value: JsonValue) => JsonObject;
  /** RFC 6902 §4.3, but a model's member can always be replaced. */
  readonly replace: (value: JsonValue) => JsonObject;
  /** RFC 6902 §4.2, but a model's member returns to its default. */
  readonly remove: () => JsonObject;
}

/** A step on the way to a location. It can rebuild the document around a changed part. */
interface Step extends PatchLocation {
  readonly rebuild: (value: JsonValue) => JsonObject;
}

/**
 * Finds the location that a pointer refers to. As ASP.NET Core does, it ignores a slash at the end, except in free
 * JSON, where it is the member without a name.
 *
 * @throws GatewayError BAD_REQUEST for an unknown member, an invalid index, and anything below a scalar. The
 *   location's write functions throw it if the operation is impossible, and for read-only members.
 */
function locate(document: JsonObject, shape: DocumentShape, pointer: JsonPointer): PatchLocation {
  const tokens = pointer.at(-1) === '' ? pointer.slice(0, -1) : pointer;
  const last = tokens.length - 1;
  const place = tokens.reduce(
    (here, token, i) => completeSignIn(here, token, i === last),
    root(document, shape),
  );
  return tokens === pointer || place.shape.kind !== 'any' ? place : completeSignIn(place, '', true);
}

/** Creates the 400 for an operation that needs a value where there is none. */
function nothingAt(path: FieldPath): GatewayError {
  return new GatewayError('BAD_REQUEST', `there is nothing at ${describePath(path)}.`);
}

function root(document: JsonObject, shape: DocumentShape): Step {
  const replace = (value: JsonValue) => wholeDocument(value, shape, document);
  const remove = () => {
    throw new GatewayError('BAD_REQUEST', 'the whole document cannot be removed.');
  };
  // The parts of an object only ever rebuild it as an object.
  const rebuild = (value: JsonValue) => value as JsonObject;
  return { path: [], shape, modelled: true, value: document, add: replace, replace, remove, rebuild };
}

function completeSignIn(here: Step, token: string, last: boolean): Step {
  const { shape, value } = here;
  const free = shape.kind === 'any';
  if (isList(value) && (free || shape.kind === 'list')) return enterList(here, value, token, last);
  if (isObject(value) && free) return enterFree(here, value, token);
  const unset = value === null || value === undefined;
  if (shape.kind === 'list' && unset) return enterList(here, [], token, last);
  if (shape.kind === 'object' && (unset || isObject(value))) return enterRecord(here, shape, token);
  if (value === undefined) throw nothingAt(here.path);
  throw new GatewayError('BAD_REQUEST', `nothing can be below ${describePath(here.path)}.`);
}

function enterList(here: Step, list: readonly JsonValue[], token: string, last: boolean): Step {
  const index = token === '-' ? list.length : parseIndex(token);
  // `add` may append one past the end, but nothing can be below that.
  if (index === undefined || index > list.length || (index === list.length && !last)) {
    throw new GatewayError(
      'BAD_REQUEST',
      `${quote(token)} is not an index in ${describePath(here.path)}, which has ${list.length} elements.`,
    );
  }
  // To all but `add`, `-` is the last element, as in ASP.NET Core.
  const element = token === '-' && list.length > 0 ? list.length - 1 : index;
  const set = (value: JsonValue) => here.rebuild(list.with(element, value));
  return existing({
    path: [...here.path, index],
    shape: here.shape.kind === 'list' ? here.shape.element : ANY,
    modelled: false,
    value: list[element],
    add: (value) => here.rebuild(list.toSpliced(index, 0, value)),
    replace: set,
    remove: () => here.rebuild(list.toSpliced(element, 1)),
    rebuild: set,
  });
}

function enterRecord(here: Step, record: ObjectShape, token: string): Step {
  const member = findMember(record, token);
  if (member === undefined) {
    throw new GatewayError(
      'BAD_REQUEST',
      `there is no member ${quote(token)} in ${describePath(here.path)}.`,
    );
  }
  const { name, shape } = member;
  const members = isObject(here.value) ? here.value : {};
  const current = memberValue(members, name, shape);
  const set = (value: JsonValue) => {
    if (shape.readOnly && !sameValue(shape, current, value)) throw readOnlyError(name);
    return here.rebuild(withMembers(members, { [name]: value }));
  };
  return existing({
    path: [...here.path, name],
    shape,
    modelled: true,
    value: isObject(here.value) ? current : undefined,
    add: set,
    replace: set,
    remove: () => set(defaultValue(shape)),
    rebuild: set,
  });
}

function enterFree(here: Step, members: JsonObject, name: string): Step {
  const set = (value: JsonValue) => here.rebuild({ ...members, [name]: value });
  return existing({
    path: [...here.path, name],
    shape: ANY,
    modelled: false,
    value: ownMember(members, name),
    add: set,
    replace: set,
    remove: () => here.rebuild(Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))),
    rebuild: set,
  });
}

/** Rejects `remove` of a missing value, and `replace` unless a model has the member. */
function existing(place: Step): Step {
  if (place.value !== undefined) return place;
  const fail = () => {
    throw nothingAt(place.path);
  };
  return { ...place, replace: place.modelled ? place.replace : fail, remove: fail };
}

/** One operation of a patch (RFC 6902 §4), with parsed pointers. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: JsonPointer; readonly value: JsonValue }
  | { readonly op: 'move' | 'copy'; readonly path: JsonPointer; readonly from: JsonPointer }
  | { readonly op: 'remove'; readonly path: JsonPointer };

export const MAX_OPERATIONS = 500;

/**
 * Parses a patch document: RFC 6902 as ASP.NET Core reads it. Names of members and operations match in any
 * case; `operationType` and other members are ignored, and so is a `from` or `value` that the operation does
 * not use.
 *
 * @throws GatewayError BAD_REQUEST unless it is a list of at most 500 operations, and for an invalid
 *   operation; the message then starts with its index, counted from 0
 */
export function parsePatch(value: unknown): PatchOperation[] {
  if (!isList(value)) throw new GatewayError('BAD_REQUEST', 'A patch must be a list of operations.');
  if (value.length > MAX_OPERATIONS) {
    const message = `A patch can have at most ${MAX_OPERATIONS} operations.`;
    throw argumentError('BAD_REQUEST', message, ['operations'], { rule: 'entries' });
  }
  return Array.from(value, (item, index) => withOperationIndex(index, () => parseOperation(item)));
}

function parseOperation(item: unknown): PatchOperation {
  if (!isObject(item)) throw new GatewayError('BAD_REQUEST', 'expected an object.');
  const op = stringMember(item, 'op').toLowerCase();
  const path = parsePointer(stringMember(item, 'path'));
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      // RFC 6902 requires a value, but many serializers omit null, including those that NSwag generates, and
      // ASP.NET Core reads a missing value as null.
      return { op, path, value: member(item, 'value') ?? null };
    case 'move':
    case 'copy':
      return { op, path, from: parsePointer(stringMember(item, 'from')) };
    case 'remove':
      return { op, path };
    default:
      throw new GatewayError('BAD_REQUEST', `${quote(op)} is not an operation.`);
  }
}

function member(item: JsonObject, wanted: string): JsonValue | undefined {
  const name = matchName(Object.keys(item), wanted);
  return name === undefined ? undefined : ownMember(item, name);
}

function stringMember(item: JsonObject, name: string): string {
  const value = member(item, name);
  if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" must be a string.`);
  return value;
}

/** Creates an error that names the operation by its index, counted from 0. */
export function operationError(
  index: number,
  message: string,
  code: ErrorCode = 'BAD_REQUEST',
): GatewayError {
  const rule = code === 'CONFLICT' ? 'conflict' : 'invalid';
  return new GatewayError(code, `operation ${index}: ${message}`, {
    path: [],
    violations: [{ path: ['operations', index], message, rule }],
  });
}

/** Runs one operation, and adds its index to the error's message. */
function withOperationIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GatewayError)
      throw operationError(
        index,
        messageOf(error, (name) => name),
        error.code,
      );
    throw error;
  }
}

/**
 * Finds the last operation that wrote at, above or below a path. It caused whatever is invalid there in the
 * patched document. Returns its index, or undefined if there is none. Operations shift list elements, so any
 * index stands for the whole list.
 */
export function findOperationAt(operations: readonly PatchOperation[], path: FieldPath): number | undefined {
  const index = operations.findLastIndex((operation) => written(operation).some((p) => overlaps(p, path)));
  return index === -1 ? undefined : index;
}

function written(operation: PatchOperation): JsonPointer[] {
  if (operation.op === 'test') return [];
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
}

function overlaps(pointer: JsonPointer, path: FieldPath): boolean {
  const shared = pointer.slice(0, path.length);
  return shared.every((token, i) => sameStep(token, path[i]));
}

function sameStep(token: string, step: string | number | undefined): boolean {
  // A slash at the end names the location before it.
  if (token === '') return true;
  if (typeof step === 'number') return token === '-' || parseIndex(token) !== undefined;
  return token.toLowerCase() === step?.toLowerCase();
}

/** The most values that one patch may write. Copies of copies must not exhaust the memory. */
const MAX_VALUES = 50_000;

/** The most elements or members of one written value. Later operations could copy it again and again. */
const MAX_WIDTH = 1_000;

/** Number of values that the operations may still write. */
interface Budget {
  values: number;
}

/**
 * Applies JSON Patch operations in order and returns the patched document. It shares unchanged parts with the
 * given one, and new ones with the operations. Nothing is changed in place, so a rejected patch leaves no
 * trace.
 *
 * It follows RFC 6902, except that the document is a closed record: names match in any case, `remove` sets a
 * member's default, writing below a null object creates it, and only members of the shape are accepted
 * (unknown ones in a path are rejected, in a value ignored).
 *
 * @throws GatewayError CONFLICT for a failed `test`, else BAD_REQUEST; the message starts with the index of
 *   the operation, counted from 0
 */
export function applyPatch(
  document: JsonObject,
  operations: readonly PatchOperation[],
  shape: DocumentShape,
): JsonObject {
  const budget: Budget = { values: MAX_VALUES };
  return operations.reduce(
    (current, operation, index) => withOperationIndex(index, () => apply(current, operation, shape, budget)),
    document,
  );
}

function apply(
  document: JsonObject,
  operation: PatchOperation,
  shape: DocumentShape,
  budget: Budget,
): JsonObject {
  if (operation.op === 'move') return move(document, operation.from, operation.path, shape, budget);
  const place = locate(document, shape, operation.path);
  switch (operation.op) {
    case 'add':
      return place.add(admit(place, operation.value, budget));
    case 'replace':
      return place.replace(admit(place, operation.value, budget));
    case 'remove':
      return place.remove();
    case 'copy':
      return place.add(admit(place, read(locate(document, shape, operation.from)), budget));
    case 'test':
      test(place, operation.value);
      return document;
  }
}

function test(place: PatchLocation, expected: JsonValue): void {
  // A member below a null object: the precondition fails now, but the path is valid.
  const unset = place.modelled && place.value === undefined;
  if (!unset && sameValue(place.shape, read(place), expected)) return;
  throw new GatewayError('CONFLICT', `the value at ${describePath(place.path)} is not the expected value.`);
}

function move(
  document: JsonObject,
  from: JsonPointer,
  path: JsonPointer,
  shape: DocumentShape,
  budget: Budget,
): JsonObject {
  const source = locate(document, shape, from);
  const value = read(source);
  // Compare locations, because one location has many spellings.
  const above = locate(document, shape, path.slice(0, source.path.length));
  if (jsonEqual(source.path, above.path)) {
    if (jsonEqual(source.path, locate(document, shape, path).path)) return document;
    throw new GatewayError('BAD_REQUEST', 'a value cannot be moved into itself.');
  }
  const target = locate(source.remove(), shape, path);
  return target.add(admit(target, value, budget));
}

function read(place: PatchLocation): JsonValue {
  if (place.value === undefined) throw nothingAt(place.path);
  return place.value;
}

/** Checks a value's size and depth, and converts it to the location's shape. */
function admit(place: PatchLocation, value: JsonValue, budget: Budget): JsonValue {
  spend(budget, value, place.path.length);
  return conform(value, place.shape, place.path);
}

function spend(budget: Budget, value: JsonValue, depth: number): void {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  budget.values -= 1;
  if (budget.values < 0 || depth > MAX_DEPTH || parts.length > MAX_WIDTH) {
    throw new GatewayError('BAD_REQUEST', 'the value is too large or nested too deeply.');
  }
  for (const part of parts) spend(budget, part, depth + 1);
}

/** A JSON Merge Patch (RFC 7396). Its media type distinguishes it from a list of operations. */
export class MergePatch {
  readonly members: JsonObject;

  /**
   * @param value as it was sent
   * @throws GatewayError BAD_REQUEST unless it is an object, because it would replace the whole record
   */
  constructor(value: unknown) {
    if (!isObject(value)) throw new GatewayError('BAD_REQUEST', 'A merge patch must be an object.');
    this.members = value;
  }
}

/** Merges a patch into any JSON (RFC 7396 §2). Nothing is changed in place. */
export function mergeJson(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergeJson(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Merges a patch into a value with a shape. Null then returns a member to its default. */
function merge(
  target: JsonValue | undefined,
  patch: JsonValue,
  shape: DocumentShape,
  path: FieldPath,
): JsonValue {
  if (shape.kind === 'any') return mergeJson(target, patch);
  if (patch === null) return defaultValue(shape);
  if (shape.kind !== 'object' || !isObject(patch)) return conform(patch, shape, path);
  const before = isObject(target) ? target : {};
  const merged = matchMembers(patch, shape).map(({ name, shape, item }): [string, JsonValue] => [
    name,
    merge(ownMember(before, name), item, shape, [...path, name]),
  ]);
  return withMembers(before, Object.fromEntries(merged));
}

/**
 * Merges a patch into a document, and returns the merged one. It follows RFC 7396, except that the document
 * is a closed record: names match in any case, null sets a member's default, and unknown members are ignored
 * as in any body.
 *
 * @throws GatewayError BAD_REQUEST if a list, an object or a scalar is sent in place of another, and for a
 *   read-only member that would change
 */
export function applyMergePatch(
  document: JsonObject,
  { members }: MergePatch,
  shape: DocumentShape,
): JsonObject {
  const merged = merge(document, members, shape, []) as JsonObject;
  for (const [name, member] of Object.entries(shape.kind === 'object' ? shape.members : {})) {
    const before = memberValue(document, name, member);
    if (member.readOnly && !sameValue(member, memberValue(merged, name, member), before))
      throw readOnlyError(name);
  }
  return merged;
}
