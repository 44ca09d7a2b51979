import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Selection } from '../../db/sql/selection.js';
import { type FieldPath, GatewayError, type Violation } from '../../domain/errors.js';
import { applyMergePatch, MergePatch } from '../../domain/patch/merge-patch.js';
import { applyPatch } from '../../domain/patch/patch.js';
import {
  findOperationAt,
  operationError,
  type PatchOperation,
  parsePatch,
} from '../../domain/patch/patch-operations.js';
import type { DocumentShape } from '../../domain/patch/shape.js';
import { roundNumbers } from '../../domain/text/exact-json.js';
import { type JsonObject, type JsonValue, jsonEqual } from '../../domain/text/json.js';
import { patchRecord as patchStored, type Written } from '../../records/record.js';
import type { RecordBase, Resource } from '../../records/resource.js';
import { builder } from '../builder.js';
import type { Context, Door } from '../context.js';
import { readInput, withoutNil } from './coerce.js';
import { withoutPages } from './connection.js';

/** One operation of a JSON Patch. */
export const PatchOperationInput = builder.inputType('PatchOperationInput', {
  description: 'One operation of a JSON Patch (RFC 6902).',
  fields: (t) => ({
    op: t.string({
      required: true,
      description: '`add`, `remove`, `replace`, `move`, `copy` or `test`, ignoring case.',
    }),
    path: t.string({
      required: true,
      description: 'JSON Pointer (RFC 6901) to the target of the operation.',
    }),
    from: t.string({ description: 'JSON Pointer to the source of `move` and `copy`.' }),
    value: t.field({
      type: 'JSON',
      description: 'The value for `add`, `replace` and `test`. Default: null.',
    }),
  }),
});

interface Types {
  readonly output: GraphQLObjectType;
  readonly input: GraphQLInputObjectType;
}

function findTypes({ schema }: Context, name: string): Types {
  const [output, input] = [schema.getType(name), schema.getType(`Update${name}Input`)];
  if (!isObjectType(output) || !isInputObjectType(input)) throw new Error(`${name} cannot be patched.`);
  return { output, input };
}

/**
 * Builds the shape that a patched record must have. It contains what callers write, and the plain fields that
 * the server sets, so that patches can test and copy them.
 */
function buildShape({ output, input }: Types, door: Door): DocumentShape & { kind: 'object' } {
  const written = input.getFields();
  const members: Record<string, DocumentShape> = {};
  for (const field of Object.values(output.getFields())) {
    if (!door.shows(output.name, field.name)) continue;
    const own = written[field.name];
    if (own)
      members[door.naming(field.name)] = memberShape(withoutPages(field.type), getNamedType(own.type), door);
    else if (isLeafType(getNamedType(field.type))) {
      members[door.naming(field.name)] = { kind: 'scalar', readOnly: true };
    }
  }
  return { kind: 'object', members };
}

function memberShape(type: GraphQLOutputType, input: unknown, door: Door): DocumentShape {
  const output = getNamedType(type);
  const element: DocumentShape =
    isObjectType(output) && isInputObjectType(input)
      ? buildShape({ output, input }, door)
      : { kind: 'scalar' };
  return isListType(getNullableType(type)) ? { kind: 'list', element } : element;
}

/** Serializes a record as the caller's API shows it, limited to the shape. */
function toDocument(
  row: Record<string, unknown>,
  output: GraphQLObjectType,
  shape: DocumentShape,
  door: Door,
): JsonObject {
  if (shape.kind !== 'object') throw new Error('The document must be an object.');
  const document: Record<string, JsonValue> = {};
  for (const field of Object.values(output.getFields())) {
    const member = shape.members[door.naming(field.name)];
    if (!member) continue;
    document[door.naming(field.name)] = toJson(row[field.name], withoutPages(field.type), member, door);
  }
  return document;
}

function toJson(value: unknown, type: GraphQLOutputType, shape: DocumentShape, door: Door): JsonValue {
  if (value === null || value === undefined) return shape.kind === 'list' ? [] : null;
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => toJson(item, getNamedType(type), shape.element, door));
  }
  const named = getNamedType(type);
  if (isLeafType(named)) return door.leaf(named).serialize(value) as JsonValue;
  return toDocument(value as Record<string, unknown>, named as GraphQLObjectType, shape, door);
}

/** Picks the writable part of a patched document, with the schema's names. */
function toInput(value: JsonValue | undefined, type: unknown, door: Door): unknown {
  if (Array.isArray(value)) return value.map((item) => toInput(item, type, door));
  if (isEnumType(type)) return door.word(value, type);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return value;
  const document = value as JsonObject;
  const names = Object.keys(type.getFields()).filter((name) => document[door.naming(name)] !== undefined);
  return Object.fromEntries(
    names.map((name) => [
      name,
      toInput(document[door.naming(name)], getNamedType(type.getFields()[name]?.type), door),
    ]),
  );
}

/**
 * Picks the members that the operations changed. The others keep their stored values, including those that
 * the caller does not see.
 */
function changedMembers(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !jsonEqual(value, before[name])));
}

/** Adds to an error which operation made the document invalid. */
function locateOperation(error: unknown, operations: readonly PatchOperation[], door: Door): unknown {
  if (!(error instanceof GatewayError) || error.fieldPath.length === 0) return error;
  const shownPath = (path: FieldPath) =>
    path.map((step) => (typeof step === 'string' ? door.naming(step) : step));
  const said = (path: FieldPath, message: string) => `${shownPath(path).join('.')}: ${message}`;
  const index = findOperationAt(operations, shownPath(error.fieldPath));
  if (index === undefined) return error;
  const { message } = operationError(index, said(error.fieldPath, error.message));
  const violations = error.violations.map(({ path, message, rule }): Violation => {
    const at = findOperationAt(operations, shownPath(path));
    return at === undefined
      ? { path, message, rule }
      : { path: ['operations', at], message: said(path, message), rule };
  });
  return new GatewayError(error.code, message, { path: [], violations, isMore: error.isMore });
}

/** A patch that has been parsed, but not applied. */
interface ReadPatch {
  readonly apply: (document: JsonObject, shape: DocumentShape) => JsonObject;
  /** Adds to an error which part of the patch made the document invalid. */
  readonly blame: (error: unknown) => unknown;
}

function readPatch(sent: unknown, door: Door): ReadPatch {
  if (sent instanceof MergePatch) {
    // Its members are named as in the document, so errors name them already.
    return { apply: (document, shape) => applyMergePatch(document, sent, shape), blame: (error) => error };
  }
  // No record has a number that a double cannot hold.
  const operations = parsePatch(roundNumbers(sent));
  return {
    apply: (document, shape) => applyPatch(document, operations, shape),
    blame: (error) => locateOperation(error, operations, door),
  };
}

/** Separates the fields that an input clears without being allowed to. */
export function splitCleared(
  input: object,
  required: readonly string[],
): { readonly kept: object; readonly violations: readonly Violation[] } {
  const cleared = required.filter((field) => (input as Record<string, unknown>)[field] === null);
  return {
    kept: Object.fromEntries(Object.entries(input).filter(([field]) => !cleared.includes(field))),
    violations: cleared.map((field) => ({ path: [field], message: 'must not be null', rule: 'required' })),
  };
}

/** A patch of one record. */
interface Patch {
  readonly resource: Resource;
  /** The resource's type name. */
  readonly name: string;
  /** Fields that no caller may clear. */
  readonly required: readonly string[];
  readonly toValues: (input: object) => object;
  readonly id: string;
  /** The operations of a JSON Patch, or a merge patch. */
  readonly operations: unknown;
  readonly context: Context;
  /** Selection of the record to return. */
  readonly selection: Selection | undefined;
}

/**
 * Applies a JSON Patch or a merge patch to a record. The result is stored like a replacement. The patch
 * applies to the record as the caller's API shows it.
 * @throws GatewayError like `replaceRecord`; BAD_REQUEST for an impossible operation and CONFLICT for a
 *   failed `test`, naming the operation of a JSON Patch by its index
 */
export async function answerPatch(patch: Patch): Promise<Written<RecordBase>> {
  const { resource, context, id } = patch;
  const { door, session } = context;
  const { apply, blame } = readPatch(patch.operations, door);
  const types = findTypes(context, patch.name);
  const shape = buildShape(types, door);
  try {
    const change = (shown: Record<string, unknown>) => {
      const document = toDocument(shown, types.output, shape, door);
      const changed = changedMembers(document, apply(document, shape));
      const read = readInput(toInput(changed, types.input, door), types.input);
      const input = withoutNil(read.value as object, types.input, null);
      const { kept, violations } = splitCleared(input, patch.required);
      session.known = [...read.violations, ...violations];
      return patch.toValues(kept);
    };
    return await patchStored(session, resource, id, change, patch.selection);
  } catch (error) {
    throw blame(error);
  } finally {
    session.known = [];
  }
}
