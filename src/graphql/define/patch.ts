import { createHash, randomUUID } from 'node:crypto';
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Session } from '../../db/connection/session.js';
import { modelInfo } from '../../db/sql/models.js';
import type { Selection } from '../../db/sql/tree.js';
import { badField, type FieldPath, formatPath, GatewayError, type Violation } from '../../domain/errors.js';
import { base64Length, decodeBase64, encodeBase64, FileError, largestFile } from '../../domain/files.js';
import type { ModelName } from '../../domain/models.js';
import {
  ANY,
  applyMergePatch,
  applyPatch,
  type DocumentShape,
  defaultValue,
  findMember,
  findOperationAt,
  type JsonPointer,
  MergePatch,
  matchMembers,
  type ObjectShape,
  operationError,
  originalOf,
  type PatchOperation,
  parsePatch,
  sameValue,
} from '../../domain/patch/patch.js';
import { unseenName } from '../../domain/rules.js';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  roundNumbers,
} from '../../domain/text/json.js';
import { folded, isVisible } from '../../domain/text/names.js';
import { readFiles, readReadable } from '../../items/attachments.js';
import { type Patched, patchRecord as patchStored, type Written } from '../../records/record.js';
import type { RecordBase, Resource } from '../../records/resource.js';
import { builder } from '../builder.js';
import type { Context, Door } from '../context.js';
import { readInput, withoutNil } from './coerce.js';
import {
  documentFields,
  objectTypeOf,
  recordShape,
  type ShownField,
  showFields,
  updateInput,
} from './patch-document.js';

/** Prefix of the texts that represent stored files. It is random, so nobody can send it. */
const mark = `${randomUUID()}:`;

/** Represents a stored file's bytes in a patched document without reading them. */
export const fileToken = (id: string, bytes: number): string => `${mark}${id}:${bytes}`;

const hashOf = (bytes: Uint8Array) => mark + createHash('sha256').update(bytes).digest('base64url');

/** A stored file, by its id in a token. */
interface StoredFile {
  readonly id: string;
  readonly bytes: number;
}

/** Reads a token. Returns undefined for any other value. */
function readToken(value: JsonValue | undefined): StoredFile | undefined {
  if (typeof value !== 'string' || !value.startsWith(mark)) return undefined;
  const [id = '', bytes] = value.slice(mark.length).split(':');
  return { id, bytes: Number(bytes) };
}

/**
 * Removes the tokens of files from the objects that show them. Without bytes, these keep their files.
 * @param content name of the member that shows a file's bytes. Elsewhere, a token stands for a copy
 */
function withoutOwnTokens(value: JsonValue, content: string): JsonValue {
  if (isList(value)) return value.map((item) => withoutOwnTokens(item, content));
  if (!isObject(value)) return value;
  const file = readToken(value[content]);
  const isOwn = file !== undefined && file.id === value.id;
  const others = Object.entries(value).filter(([name]) => !isOwn || name !== content);
  return Object.fromEntries(others.map(([name, member]) => [name, withoutOwnTokens(member, content)]));
}

/** Lists the stored files in a value. */
function filesIn(value: JsonValue): StoredFile[] {
  if (isList(value)) return value.flatMap(filesIn);
  if (isObject(value)) return Object.values(value).flatMap(filesIn);
  const file = readToken(value);
  return file ? [file] : [];
}

/**
 * The files of a patched document. Their bytes are only read if the patch compares them with bytes of the same length,
 * or copies them.
 */
class PatchedFiles {
  readonly #session: Session;
  readonly #content: string;
  readonly #hashes = new Map<string, string>();
  readonly #sent = new Map<string, { readonly bytes: number; readonly hash: string } | undefined>();
  #stored: readonly StoredFile[] = [];
  #wanted = new Set<string>();

  /** @param content name of the member that shows a file's bytes */
  constructor(session: Session, content: string) {
    this.#session = session;
    this.#content = content;
  }

  /**
   * Returns the form in which a file's bytes are compared. It is their hash, or the token of a file that has not been
   * read. It notes which files need to be read.
   */
  canonical = (value: JsonValue): JsonValue => {
    if (typeof value !== 'string') return value;
    const token = readToken(value);
    if (token) return this.#hashes.get(token.id) ?? value;
    const sent = this.#read(value);
    if (!sent) return value;
    for (const { id, bytes } of this.#stored)
      if (bytes === sent.bytes && !this.#hashes.has(id)) this.#wanted.add(id);
    return sent.hash;
  };

  /** Decodes and hashes base64 once, if a stored file has its length. */
  #read(text: string) {
    if (this.#sent.has(text)) return this.#sent.get(text);
    // Only line breaks make it longer than its bytes need.
    const isPossible = this.#stored.some(({ bytes }) => text.length >= base64Length(bytes));
    const bytes = isPossible ? decodeBase64(text)?.bytes : undefined;
    const sent = bytes && { bytes: bytes.length, hash: hashOf(bytes) };
    this.#sent.set(text, sent);
    return sent;
  }

  /** Applies a patch to a document. If it compares bytes that were not read, it does so again with them. */
  async apply(document: JsonObject, patch: (document: JsonObject) => JsonObject): Promise<JsonObject> {
    this.#stored = filesIn(document);
    for (;;) {
      let failure: { readonly error: unknown } | undefined;
      let patched = document;
      try {
        patched = patch(document);
      } catch (error) {
        failure = { error };
      }
      const wanted = this.#wanted;
      this.#wanted = new Set();
      if (wanted.size === 0 && failure) throw failure.error;
      if (wanted.size === 0) return patched;
      // One after the other, because together they may be large.
      for (const id of wanted) this.#hashes.set(id, await this.#hashStored(id));
    }
  }

  async #hashStored(id: string): Promise<string> {
    const bytes = await readReadable(this.#session, id);
    return bytes ? hashOf(bytes) : `${mark}${id}`;
  }

  async #readBytes(id: string): Promise<Uint8Array | undefined> {
    const found = (await readFiles(this.#session, [id])).get(id);
    if (!(found instanceof FileError)) return found;
    // Bytes that are gone cannot be copied, whenever it is tried again.
    throw found.problem === 'unavailable'
      ? found
      : new GatewayError('CONFLICT', found.message, { cause: found });
  }

  /**
   * Replaces the tokens in a value by the bytes of their files, in base64. A file that stays where it is needs none.
   * @throws GatewayError PAYLOAD_TOO_LARGE for more bytes than a request could send; CONFLICT for bytes that are gone;
   *   {FileError} if they cannot be read now
   */
  async withBytes(sent: JsonValue): Promise<JsonValue> {
    const value = withoutOwnTokens(sent, this.#content);
    const copied = filesIn(value);
    if (copied.length === 0) return value;
    const most = `A patch may copy at most ${largestFile} bytes of files.`;
    if (copied.reduce((sum, { bytes }) => sum + bytes, 0) > largestFile)
      throw new GatewayError('PAYLOAD_TOO_LARGE', most);
    return this.#filled(value);
  }

  async #filled(value: JsonValue): Promise<JsonValue> {
    if (isList(value)) {
      const items: JsonValue[] = [];
      for (const item of value) items.push(await this.#filled(item));
      return items;
    }
    if (isObject(value)) {
      const members: Record<string, JsonValue> = {};
      for (const [name, member] of Object.entries(value)) members[name] = await this.#filled(member);
      return members;
    }
    const file = readToken(value);
    const bytes = file && (await this.#readBytes(file.id));
    return bytes ? encodeBase64(bytes) : file ? null : value;
  }
}

/** An object of a patched document, such as a contact of an item. */
interface Nested {
  readonly type: GraphQLObjectType;
  readonly input: GraphQLInputObjectType;
  /** True if the input only names a record, by its id or natural key. */
  readonly isReference: boolean;
  readonly shape: DocumentShape & { kind: 'object' };
}

const isRecord = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');

/** Describes what is nested in a field; undefined for plain values. */
function nestedIn(
  context: Context,
  parent: GraphQLObjectType,
  field: ShownField,
  shape: DocumentShape | undefined,
): Nested | undefined {
  const type = objectTypeOf(field);
  const input = getNamedType(updateInput(context, parent)?.getFields()[field.name]?.type);
  const element = shape?.kind === 'list' ? shape.element : shape;
  if (!type || !isInputObjectType(input) || element?.kind !== 'object') return undefined;
  const isReference = input.name.endsWith('Reference');
  return { type, input, isReference, shape: element };
}

const entriesOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (isList(value) ? value : [value]).filter((entry) => isObject(entry));

/** Lists the members that a patch wrote of an object. */
function writtenMembers(entry: JsonObject, { shape }: Nested, before: ReadonlySet<JsonObject>): string[] {
  const original = originalOf(entry);
  const isNew = original === entry;
  if (isNew && before.has(entry)) return [];
  return Object.keys(entry).filter((name) => {
    const member = shape.members[name];
    return member && (isNew || !sameValue(member, entry[name], ownMember(original, name)));
  });
}

/**
 * Removes what a patch has replaced by other means. If it puts another record in the place of one by its id, the rest
 * of that one goes; if it writes one of two members that say the same, the other one goes.
 */
function withoutLeftovers(
  entry: JsonObject,
  nested: Nested,
  before: ReadonlySet<JsonObject>,
  { naming }: Context['door'],
): JsonObject {
  const original = originalOf(entry);
  if (original === entry) return entry;
  const written = new Set(writtenMembers(entry, nested, before));
  const { id } = nested.shape.members;
  const isReplaced = isRecord(nested.type) && id && entry.id != null && !sameValue(id, entry.id, original.id);
  const gone = Object.values(nested.input.getFields()).flatMap(({ name, extensions }) => {
    const pair = [name, extensions.insteadOf as string | undefined].flatMap((field) =>
      field ? naming(field) : [],
    );
    return pair.length === 2 ? pair.filter((member) => !written.has(member)).slice(0, 1) : [];
  });
  const isKept = ([name]: [string, JsonValue]) =>
    isReplaced ? name === 'id' || written.has(name) : !gone.includes(name);
  return Object.fromEntries(Object.entries(entry).filter(isKept));
}

/** Returns whether an object has the members and values of another one. */
function covers(shape: DocumentShape, part: JsonValue, whole: JsonValue | undefined): boolean {
  if (shape.kind === 'object' && isObject(part) && isObject(whole))
    return Object.entries(part).every(([name, value]) => {
      const member = shape.members[name];
      return !member || covers(member, value, ownMember(whole, name));
    });
  if (shape.kind === 'list' && isList(part) && isList(whole))
    return part.length === whole.length && part.every((item, at) => covers(shape.element, item, whole[at]));
  return sameValue(shape, part, whole ?? defaultValue(shape));
}

/** A value that a patch wrote, and that only another request can change. */
interface Claim {
  /** Field of the record that it is in. */
  readonly field: ShownField;
  readonly path: FieldPath;
  /** Returns whether the record has the value after the patch. */
  readonly holds: (after: JsonObject) => boolean;
  readonly refusal: string;
}

/** Says where a nested value can be changed. */
function placeOf({ door }: Context, { type, isReference }: Nested, id: JsonValue | undefined): string {
  if (!isReference) return 'is set by the server';
  const { noun = 'record' } = modelInfo[type.name as ModelName];
  const which = id == null ? '' : ` ${id}`;
  return `belongs to the ${noun}${which}, and can be changed only there (${door.changes(type.name)})`;
}

/** Reads the parts of a patched document that are nested records and other objects. */
class NestedChanges {
  readonly #context: Context;
  readonly #type: GraphQLObjectType;
  readonly #shape: DocumentShape & { kind: 'object' };
  readonly #before: JsonObject;

  constructor(
    context: Context,
    type: GraphQLObjectType,
    shape: DocumentShape & { kind: 'object' },
    before: JsonObject,
  ) {
    this.#context = context;
    this.#type = type;
    this.#shape = shape;
    this.#before = before;
  }

  #fieldsIn(changed: JsonObject): readonly { field: ShownField; name: string; shape: DocumentShape }[] {
    return documentFields(this.#context, this.#type).flatMap((field) => {
      const name = this.#context.door.naming(field.name);
      const shape = this.#shape.members[name];
      return shape && ownMember(changed, name) !== undefined ? [{ field, name, shape }] : [];
    });
  }

  /** Returns the changed members without what replaced records leave behind. */
  withoutLeftovers(changed: JsonObject): JsonObject {
    const entries = this.#fieldsIn(changed).map(({ field, name, shape }): [string, JsonValue] => {
      const value = changed[name] as JsonValue;
      const nested = nestedIn(this.#context, this.#type, field, shape);
      if (!nested) return [name, value];
      const before = new Set(entriesOf(this.#before[name]));
      const clean = (entry: JsonValue) =>
        isObject(entry) ? withoutLeftovers(entry, nested, before, this.#context.door) : entry;
      return [name, isList(value) ? value.map(clean) : clean(value)];
    });
    return { ...changed, ...Object.fromEntries(entries) };
  }

  /** Finds the written values that the patch cannot change. They must be so already. */
  claims(changed: JsonObject): Claim[] {
    return this.#fieldsIn(changed).flatMap(({ field, name, shape }) => {
      const value = changed[name] as JsonValue;
      const nested = nestedIn(this.#context, this.#type, field, shape);
      if (nested) {
        const before = new Set(entriesOf(this.#before[name]));
        return (isList(value) ? value : [value]).flatMap((entry, index) =>
          isObject(entry)
            ? this.#claimsIn(field, name, entry, isList(value) ? index : undefined, nested, before)
            : [],
        );
      }
      if (!field.extensions.follows || typeof value !== 'string') return [];
      const holds = (after: JsonObject) => folded(String(after[name])) === folded(value.trim());
      return [{ field, path: [field.name], holds, refusal: 'contradicts another value of the patch' }];
    });
  }

  #claimsIn(
    field: ShownField,
    name: string,
    entry: JsonObject,
    index: number | undefined,
    nested: Nested,
    before: ReadonlySet<JsonObject>,
  ): Claim[] {
    const { door } = this.#context;
    const { type, input, isReference, shape } = nested;
    const all = writtenMembers(entry, nested, before);
    const own = documentFields(this.#context, type).filter(({ name }) => all.includes(door.naming(name)));
    const isById = entry.id != null;
    const isNew = originalOf(entry) === entry;
    const at = ({ name }: ShownField) => [field.name, ...(index === undefined ? [] : [index]), name];
    return own.flatMap((inner): Claim[] => {
      const member = door.naming(inner.name);
      const memberShape = shape.members[member];
      const sent = entry[member];
      const isInput = inner.name in input.getFields();
      if (!memberShape || sent === undefined || inner.name === 'id') return [];
      if (inner.extensions.isFileContent && sent === null && !isNew) {
        const refusal = 'cannot be cleared; remove the file instead';
        return [{ field, path: at(inner), holds: () => false, refusal }];
      }
      // By its natural key the record was found, and everything else of an input is stored.
      if (isInput && !(isReference && isById)) return [];
      const holds = (after: JsonObject): boolean => {
        const found = this.#find(entriesOf(after[name]), entry, index, nested);
        // A new part gets what the server sets, whatever was sent.
        if (!found) return isNew && !isReference;
        if (isInput && typeof sent === 'string')
          return folded(sent.trim()) === folded(String(ownMember(found, member)));
        return covers(memberShape, sent, ownMember(found, member));
      };
      return [{ field, path: at(inner), holds, refusal: placeOf(this.#context, nested, entry.id) }];
    });
  }

  /** Finds the object that an entry of the patched document has become. */
  #find(
    after: readonly JsonObject[],
    entry: JsonObject,
    index: number | undefined,
    { input, isReference, shape }: Nested,
  ): JsonObject | undefined {
    const { id } = shape.members;
    if (id && entry.id != null) return after.find((one) => sameValue(id, one.id, entry.id));
    const keys = Object.keys(input.getFields())
      .filter((name) => name !== 'id')
      .map(this.#context.door.naming);
    const text = (one: JsonObject) =>
      keys.map((key) => folded(String(ownMember(one, key) ?? '').trim())).join('\n');
    return isReference ? after.find((one) => text(one) === text(entry)) : after[index ?? 0];
  }
}

/** Lists the fields that claims are about. */
const claimedFields = (claims: readonly Claim[]): ShownField[] => [
  ...new Set(claims.map(({ field }) => field)),
];

/**
 * Checks that a record has the values that a patch wrote but could not change.
 * @throws GatewayError BAD_REQUEST naming the first value and where it can be changed
 */
function checkClaims(claims: readonly Claim[], after: JsonObject): void {
  const broken = claims.find(({ holds }) => !holds(after));
  if (broken) throw badField(broken.path, broken.refusal);
}

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
export async function patchAndRead(patch: Patch): Promise<Written<RecordBase>> {
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
