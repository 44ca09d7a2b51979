import { type FieldPath, GatewayError } from '../errors.js';
import { isList, isObject, type JsonObject, type JsonValue, ownMember } from '../text/json.js';
import { describePath, type JsonPointer, parseIndex, quote } from './pointer.js';
import {
  ANY,
  type DocumentShape,
  defaultValue,
  findMember,
  memberValue,
  type ObjectShape,
  readOnlyError,
  sameValue,
  wholeDocument,
  withMembers,
} from './shape.js';

/**
 * A location in a document, and the documents that differ from it there. Nothing is changed in place: every
 * write returns a new document that shares all other parts with the old one.
 */
export interface PatchLocation {
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
export function locate(document: JsonObject, shape: DocumentShape, pointer: JsonPointer): PatchLocation {
  const tokens = pointer.at(-1) === '' ? pointer.slice(0, -1) : pointer;
  const last = tokens.length - 1;
  const place = tokens.reduce((here, token, i) => enter(here, token, i === last), root(document, shape));
  return tokens === pointer || place.shape.kind !== 'any' ? place : enter(place, '', true);
}

/** Creates the 400 for an operation that needs a value where there is none. */
export function nothingAt(path: FieldPath): GatewayError {
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

function enter(here: Step, token: string, last: boolean): Step {
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
