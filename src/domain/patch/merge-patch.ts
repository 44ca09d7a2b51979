import { type FieldPath, GatewayError } from '../errors.js';
import { isObject, type JsonObject, type JsonValue, ownMember } from '../text/json.js';
import {
  conform,
  type DocumentShape,
  defaultValue,
  matchMembers,
  memberValue,
  readOnlyError,
  sameValue,
  withMembers,
} from './shape.js';

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
