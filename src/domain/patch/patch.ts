import { GatewayError } from '../errors.js';
import { type JsonObject, type JsonValue, jsonEqual } from '../text/json.js';
import { locate, nothingAt, type PatchLocation } from './location.js';
import { type PatchOperation, withOperationIndex } from './patch-operations.js';
import { describePath, type JsonPointer, MAX_DEPTH } from './pointer.js';
import { conform, type DocumentShape, sameValue } from './shape.js';

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
