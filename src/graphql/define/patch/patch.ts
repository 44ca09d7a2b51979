import {
  type GraphQLInputObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Selection } from '../../../db/sql/selection.js';
import { type FieldPath, formatPath, GatewayError, type Violation } from '../../../domain/errors.js';
import { applyMergePatch, MergePatch } from '../../../domain/patch/merge-patch.js';
import { applyPatch } from '../../../domain/patch/patch.js';
import {
  findOperationAt,
  operationError,
  type PatchOperation,
  parsePatch,
} from '../../../domain/patch/patch-operations.js';
import type { JsonPointer } from '../../../domain/patch/pointer.js';
import {
  ANY,
  type DocumentShape,
  findMember,
  matchMembers,
  type ObjectShape,
  sameValue,
} from '../../../domain/patch/shape.js';
import { unseenName } from '../../../domain/rules.js';
import { roundNumbers } from '../../../domain/text/exact-json.js';
import { type JsonObject, type JsonValue, ownMember } from '../../../domain/text/json.js';
import { isVisible } from '../../../domain/text/names.js';
import { type Patched, patchRecord as patchStored, type Written } from '../../../records/record.js';
import type { RecordBase, Resource } from '../../../records/resource.js';
import { builder } from '../../builder.js';
import type { Context, Door } from '../../context.js';
import { readInput, withoutNil } from '../coerce.js';
import { documentFields, recordShape, showFields, updateInput } from './document.js';
import { PatchedFiles } from './files.js';
import { checkClaims, claimedFields, NestedChanges } from './nested.js';

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
function changedMembers(before: JsonObject, after: JsonObject, { members }: ObjectShape): JsonObject {
  const isChanged = ([name, value]: [string, JsonValue]) =>
    !sameValue(members[name] ?? ANY, value, ownMember(before, name));
  return Object.fromEntries(Object.entries(after).filter(isChanged));
}

/** Adds to an error which operation made the document invalid. */
function locateOperation(error: unknown, operations: readonly PatchOperation[], door: Door): unknown {
  if (!(error instanceof GatewayError) || error.fieldPath.length === 0) return error;
  const shownPath = (path: FieldPath) =>
    path.map((step) => (typeof step === 'string' ? door.naming(step) : step));
  const said = (path: FieldPath, message: string) => `${formatPath(path, door.naming)}: ${message}`;
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
  /** Returns the members of a record that it uses; undefined for the whole record. */
  readonly touched: (shape: ObjectShape) => ReadonlySet<string> | undefined;
  readonly apply: (document: JsonObject, shape: DocumentShape) => JsonObject;
  /** Adds to an error which part of the patch made the document invalid. */
  readonly blame: (error: unknown) => unknown;
}

/** Finds the members that pointers lead to; undefined if one leads to the whole record. */
function membersAt(pointers: readonly JsonPointer[], shape: ObjectShape): ReadonlySet<string> | undefined {
  if (pointers.some(([first = '', ...rest]) => first === '' && rest.length === 0)) return undefined;
  return new Set(pointers.flatMap(([first = '']) => findMember(shape, first)?.name ?? []));
}

function readPatch(sent: unknown, door: Door): ReadPatch {
  if (sent instanceof MergePatch) {
    return {
      touched: (shape) => new Set(matchMembers(sent.members, shape).map(({ name }) => name)),
      apply: (document, shape) => applyMergePatch(document, sent, shape),
      // Its members are named as in the document, so errors name them already.
      blame: (error) => error,
    };
  }
  // No record has a number that a double cannot hold.
  const operations = parsePatch(roundNumbers(sent));
  const pointers = operations.flatMap((operation) =>
    'from' in operation ? [operation.from, operation.path] : [operation.path],
  );
  return {
    touched: (shape) => membersAt(pointers, shape),
    apply: (document, shape) => applyPatch(document, operations, shape),
    blame: (error) => locateOperation(error, operations, door),
  };
}

/** Says why a value does not do for a required field. Undefined if it does, or keeps what is stored. */
function whyCleared(value: unknown): string | undefined {
  if (value === null) return 'must not be null';
  return typeof value === 'string' && !isVisible(value) ? unseenName.error : undefined;
}

/** Separates the fields that an input clears without being allowed to. A text that nobody sees clears one, too. */
export function splitCleared(
  input: object,
  required: readonly string[],
): { readonly kept: object; readonly violations: readonly Violation[] } {
  const violations = required.flatMap((field): Violation[] => {
    const message = whyCleared((input as Record<string, unknown>)[field]);
    return message === undefined ? [] : [{ path: [field], message, rule: 'required' }];
  });
  const cleared = violations.map(({ path: [field] }) => field);
  return {
    kept: Object.fromEntries(Object.entries(input).filter(([field]) => !cleared.includes(field))),
    violations,
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

/** Reads the values of a record from the members that a patch has changed. */
function readChanges(
  changed: JsonObject,
  input: GraphQLInputObjectType,
  { required, context, toValues }: Patch,
) {
  const read = readInput(toInput(changed, input, context.door), input);
  // The nil UUID is no workspace, so the record stays where it is. But it cannot be in none.
  const { kept, violations } = splitCleared(read.value as object, ['teamId']);
  const cleared = splitCleared(withoutNil(kept, input, null), required);
  context.session.known = [...read.violations, ...violations, ...cleared.violations];
  return toValues(cleared.kept);
}

/**
 * Applies a JSON Patch or a merge patch to a record. The result is stored like a replacement. The patch
 * applies to the record as the caller's API shows it.
 * @throws GatewayError like `replaceRecord`; BAD_REQUEST for an impossible operation, and for one that changes what
 *   cannot be changed here; CONFLICT for a failed `test`. It names the operation of a JSON Patch by its index
 */
export async function answerPatch(patch: Patch): Promise<Written<RecordBase>> {
  const { resource, id, name } = patch;
  const { session, door, schema } = patch.context;
  const context: Context = { ...patch.context, fileContent: 'token' };
  const { touched, apply, blame } = readPatch(patch.operations, door);
  const type = schema.getType(name);
  const input = isObjectType(type) ? updateInput(context, type) : undefined;
  if (!isObjectType(type) || !input) throw new Error(`${name} cannot be patched.`);
  const files = new PatchedFiles(session, door.naming('content'));
  const shape = recordShape(type, resource, { context, content: files.canonical });
  const members = touched(shape);
  const fields = documentFields(context, type).filter(
    (field) => members?.has(door.naming(field.name)) ?? true,
  );
  const change = async (current: RecordBase): Promise<Patched> => {
    const before = await showFields(current, type, fields, context);
    const after = await files.apply(before, (document) => apply(document, shape));
    const nested = new NestedChanges(context, type, shape, before);
    const changed = nested.withoutLeftovers(changedMembers(before, after, shape));
    const claims = nested.claims(changedMembers(before, after, shape));
    const values = readChanges((await files.withBytes(changed)) as JsonObject, input, patch);
    if (claims.length === 0) return { values };
    const verify = async (row: RecordBase) =>
      checkClaims(claims, await showFields(row, type, claimedFields(claims), context));
    return { values, verify };
  };
  try {
    return await patchStored(session, resource, id, change, patch.selection);
  } catch (error) {
    throw blame(error);
  } finally {
    session.known = [];
  }
}
