import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { modelInfo } from '../../../db/sql/models.js';
import { badField, type FieldPath } from '../../../domain/errors.js';
import type { ModelName } from '../../../domain/models.js';
import { type DocumentShape, defaultValue, originalOf, sameValue } from '../../../domain/patch/shape.js';
import { isList, isObject, type JsonObject, type JsonValue, ownMember } from '../../../domain/text/json.js';
import { folded } from '../../../domain/text/names.js';
import type { Context } from '../../context.js';
import { documentFields, objectTypeOf, type ShownField, updateInput } from './document.js';

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
export class NestedChanges {
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
export const claimedFields = (claims: readonly Claim[]): ShownField[] => [
  ...new Set(claims.map(({ field }) => field)),
];

/**
 * Checks that a record has the values that a patch wrote but could not change.
 * @throws GatewayError BAD_REQUEST naming the first value and where it can be changed
 */
export function checkClaims(claims: readonly Claim[], after: JsonObject): void {
  const broken = claims.find(({ holds }) => !holds(after));
  if (broken) throw badField(broken.path, broken.refusal);
}
