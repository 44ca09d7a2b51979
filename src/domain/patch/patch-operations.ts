import { argumentError, type ErrorCode, type FieldPath, GatewayError, messageOf } from '../errors.js';
import { isList, isObject, type JsonObject, type JsonValue, matchName, ownMember } from '../text/json.js';
import { type JsonPointer, parseIndex, parsePointer, quote } from './pointer.js';

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
export function withOperationIndex<T>(index: number, work: () => T): T {
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
