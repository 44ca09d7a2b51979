import {
  type GraphQLArgument,
  type GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { TimeSlices } from '../db/connection/bounds.js';
import type { ListRoute, Route } from '../domain/doors/route.js';
import { type FieldPath, GatewayError, Violations } from '../domain/errors.js';
import { limits } from '../domain/rules.js';
import { exceededLimit, type OnText } from '../domain/text/json.js';
import { int64Expected } from '../graphql/builder.js';
import { entryLimit, type ReadInput, readInput } from '../graphql/define/coerce.js';
import { fieldName, memberName } from '../web/parameters.js';
import { modelOf } from './routes.js';
import { isShownMember, unknownName } from './strict.js';

/**
 * The contract writes int64 as JSON numbers, where GraphQL has strings. Numbers beyond the safe integers stay
 * exact as BigInts.
 */
const Int64 = new GraphQLScalarType({
  name: 'Int64',
  serialize: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value))),
});

/** The contract writes enum values in lower case. */
const Word = new GraphQLScalarType({ name: 'Word', serialize: (value) => String(value).toLowerCase() });

/** Returns the contract's type of a scalar or an enum of the gateway. */
export function contractLeaf(type: GraphQLLeafType): GraphQLLeafType {
  if (isEnumType(type)) return Word;
  return type.name === 'BigInt' ? Int64 : type;
}

/**
 * Returns the gateway's spelling of an enum value. REST accepts any letter case; unknown values are
 * undefined.
 */
export function gatewayWord(value: unknown, type: GraphQLEnumType): string | undefined {
  if (typeof value !== 'string') return undefined;
  const wanted = value.toLowerCase();
  return type.getValues().find(({ name }) => name.toLowerCase() === wanted)?.name;
}

const contractInputs = new WeakMap<GraphQLInputObjectType, GraphQLInputObjectType>();

/** Returns a type of arguments as the contract has it. Some fields are optional there that GraphQL requires. */
export function contractInput(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(contractInput(type.ofType));
  if (!isInputObjectType(type)) return type;
  const known = contractInputs.get(type);
  if (known) return known;
  const { fields, ...config } = type.toConfig();
  const relaxed = Object.values(type.getFields()).filter(({ extensions }) => extensions.requiredInGraphql);
  for (const { name, type } of relaxed) fields[name] = { ...fields[name], type: getNullableType(type) };
  const made = relaxed.length === 0 ? type : new GraphQLInputObjectType({ ...config, fields });
  contractInputs.set(type, made);
  return made;
}

/** Finds an argument of the root field that a route calls. */
export function findArgument(gateway: GraphQLSchema, route: Route, name: string): GraphQLArgument {
  const root = route.method === 'GET' ? gateway.getQueryType() : gateway.getMutationType();
  const argument = root?.getFields()[route.field]?.args.find((arg) => arg.name === name);
  if (!argument) throw new Error(`${route.field} has no argument ${name}.`);
  return { ...argument, type: contractInput(argument.type) };
}

/** Maps the fields that a list can be ordered by to GraphQL's enum names. */
export function sortableFields(gateway: GraphQLSchema, route: ListRoute): ReadonlyMap<string, string> {
  const order = getNamedType(findArgument(gateway, route, 'orderBy').type);
  const field = isInputObjectType(order)
    ? getNamedType(order.getFields().field?.type as GraphQLInputType)
    : undefined;
  if (!isEnumType(field)) throw new Error(`${route.field} has no order.`);
  return new Map(field.getValues().map(({ name, value }) => [value as string, name]));
}

/** Lists the model's members that a list can be ordered by (`sort`). */
export function sortableMembers(gateway: GraphQLSchema, route: ListRoute): string[] {
  const sortable = sortableFields(gateway, route);
  const members = modelOf(route.model).members.filter((member) => sortable.has(fieldName(member)));
  return [...Object.keys(route.orders ?? {}), ...members];
}

/** Media type of a JSON Merge Patch (RFC 7396). */
export const mergePatchType = 'application/merge-patch+json';

/** Media types of a PATCH, as `Accept-Patch` lists them. Plain JSON is read as a JSON Patch. */
export const patchTypes = ['application/json-patch+json', mergePatchType, 'application/json'] as const;

/** Splits a `Content-Type` into the media type and its parameters. */
function splitType(contentType: string): [type: string, ...parameters: string[]] {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return [type, ...parameters];
}

/** Checks a `Content-Type` for one of some media types in UTF-8. */
function isAccepted(contentType: string, accepted: readonly string[]): boolean {
  const [type, ...parameters] = splitType(contentType);
  const utf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
  );
  return utf8 && accepted.includes(type);
}

/** Returns whether the body of a PATCH is a JSON Merge Patch, by its `Content-Type`. */
export const isMergePatch = (contentType: string | null) =>
  contentType !== null && splitType(contentType)[0] === mergePatchType;

/**
 * Checks by its `Content-Type` that a body may be read as JSON.
 * @param patch true for a patch, which has media types of its own
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
 */
export function checkJsonType(contentType: string | null, patch: boolean): void {
  const accepted = patch ? patchTypes : ['application/json'];
  if (contentType === null || isAccepted(contentType, accepted)) return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted.join(' or ')} in UTF-8.`, {
    headers: patch ? { 'Accept-Patch': patchTypes.join(', ') } : {},
  });
}

/** Media types of files that are imported, in the body or in a form. */
const fileTypes = [
  ...['text/csv', 'application/vnd.ms-excel', 'text/tab-separated-values', 'multipart/form-data'],
  ...['application/zip', 'application/x-zip-compressed'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
];

/** Checks that a body is CSV, a workbook, a ZIP file, or a form. @throws GatewayError UNSUPPORTED_MEDIA_TYPE */
export function checkFileType(contentType: string | null): void {
  if (contentType !== null && fileTypes.includes(splitType(contentType)[0])) return;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be the file, as text/csv, application/zip or a workbook, or a form with it, as multipart/form-data.',
  );
}

const memberMaps = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, string>>();

/** Lists the fields of an input that REST accepts. */
export const takenFields = (type: GraphQLInputObjectType) =>
  Object.values(type.getFields()).filter(({ extensions }) => !extensions.graphqlOnly);

/** Lists the fields of an input that are query parameters (`TakeRoute`). */
export const fieldsOfQuery = (type: GraphQLInputType) =>
  takenFields(getNamedType(type) as GraphQLInputObjectType)
    .filter(({ extensions }) => extensions.example !== undefined)
    .sort((a, b) => (a.extensions.position ?? 0) - (b.extensions.position ?? 0));

/** Lists the values of an enum in the order of the reference. */
export function wordsOf(type: GraphQLEnumType): readonly string[] {
  return type.extensions.order ?? type.getValues().map(({ value }) => String(value));
}

/**
 * Maps the contract's names of a type's fields, in lower case, to the fields. Members match in any letter
 * case.
 */
function fieldsByMember(type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  const known = memberMaps.get(type);
  if (known) return known;
  const members = new Map(takenFields(type).map(({ name }) => [memberName(name).toLowerCase(), name]));
  memberMaps.set(type, members);
  return members;
}

/** The reading of a body. */
interface Reading {
  readonly problems: Violations;
  /** True to refuse unknown members. */
  readonly strict: boolean;
}

function translate(
  value: unknown,
  type: GraphQLInputType,
  path: FieldPath,
  reading: Reading,
  most: number = limits.entries,
): unknown {
  const { problems } = reading;
  if (value === null || problems.isFull) return null;
  if (isListType(getNullableType(type))) {
    // GraphQL would accept a single value as a list of one; the contract does not.
    if (!Array.isArray(value)) {
      problems.add(path, 'must be a list', 'type');
      return undefined;
    }
    // Nobody looks at the entries of a list that will be refused for its length (`readInput`).
    if (value.length > most) return value;
    const element = getNamedType(type);
    return value.map((item, index) => translate(item, element, [...path, index], reading));
  }
  const named = getNamedType(type);
  if (isEnumType(named)) return translateWord(value, named, path, problems);
  // GraphQL writes 64-bit integers as texts; the contract does not.
  if (named.name === 'BigInt' && typeof value === 'string') {
    problems.add(path, int64Expected, 'type');
    return undefined;
  }
  return isInputObjectType(named) ? translateObject(value, named, path, reading) : value;
}

/** Reads an enum's value, in any letter case. */
function translateWord(
  value: unknown,
  type: GraphQLEnumType,
  path: FieldPath,
  problems: Violations,
): unknown {
  const word = gatewayWord(value, type);
  if (word !== undefined) return word;
  const words = type.getValues().map(({ name }) => name.toLowerCase());
  problems.add(path, `must be one of ${words.join(', ')}`, 'type');
  return undefined;
}

function translateObject(
  value: unknown,
  type: GraphQLInputObjectType,
  path: FieldPath,
  reading: Reading,
): Record<string, unknown> | undefined {
  const { problems, strict } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, 'must be an object', 'type');
    return undefined;
  }
  const members = fieldsByMember(type);
  const input: Record<string, unknown> = {};
  for (const [member, inner] of Object.entries(value)) {
    const field = members.get(member.toLowerCase());
    if (field === undefined) {
      if (strict && !isShownMember(member))
        problems.add(
          [...path, member.slice(0, 64)],
          unknownName(member, [...members.values()].map(memberName)),
          'unknown',
        );
      continue;
    }
    // An exact spelling takes precedence over another one of the same member.
    if (field in input && member !== memberName(field)) continue;
    const own = type.getFields()[field];
    if (own) input[field] = translate(inner, own.type, [...path, field], reading, entryLimit(own));
  }
  return input;
}

/**
 * Removes or adds the member that clients may put around a body. A list always gets it, and an object never
 * has it.
 * @param wrapper its name; undefined for a body that has none
 */
export function unwrap(body: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return { [wrapper]: body };
  const [, inner] = Object.entries(body).find(([member]) => member.toLowerCase() === wrapper) ?? [];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : body;
}

/**
 * Translates a JSON body into an input of the gateway.
 * @param required members that must be present and not null, besides those that the type requires
 * @param strict true to refuse unknown members, which are ignored otherwise
 * @returns the readable part of the input, and the members that are missing or of the wrong type
 * @throws GatewayError BAD_REQUEST unless it is an object
 */
export function toInput(
  body: unknown,
  type: GraphQLInputType,
  required: readonly string[] = [],
  strict = false,
): ReadInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  const problems = new Violations();
  const named = getNullableType(type) as GraphQLInputObjectType;
  const input = translateObject(body, named, [], { problems, strict }) ?? {};
  const untold = new Violations(problems.all);
  for (const field of required.map(fieldName)) {
    if (input[field] == null) untold.add([field], 'is required', 'required');
  }
  const told = new Violations(untold.all);
  // The executor will read it again, but here the errors use the contract's names.
  const read = readInput(input, named);
  told.addAll({ violations: read.violations, isMore: false });
  // A valid input is passed to the executor unchanged.
  return told.isEmpty ? { value: input, violations: [] } : { value: read.value, violations: told.all };
}

/** Limits of a JSON body. The nesting is several times that of any input. */
export const bodyLimits = {
  depth: 100,
  values: 20_000,
  /** An item with all that it may have needs as many. */
  valuesWithFiles: 100_000,
  bare: 4 * 1024 * 1024,
} as const;

/** Parses a text. Throws for invalid JSON. */
type Parse = (text: string) => unknown;

/** Creates the error for a body that cannot be parsed. */
const notJson = () => new GatewayError('BAD_REQUEST', 'The body is not JSON in UTF-8.');

/**
 * Checks the limits of a JSON body before it is parsed.
 * @param onText called for each text, as `exceededLimit` does
 * @throws GatewayError BAD_REQUEST
 */
function checkLimits(bytes: Uint8Array, values: number, onText?: OnText): void {
  if (bytes.byteLength === 0)
    throw new GatewayError('BAD_REQUEST', 'The body is empty; a JSON document is expected.');
  const { depth, bare } = bodyLimits;
  const exceeded = exceededLimit(bytes, { depth, values, bare }, onText);
  if (exceeded === undefined) return;
  const most = {
    depth: `${depth} levels of nested brackets`,
    values: `${values} values`,
    bare: `${bare} bytes outside of its texts`,
  };
  throw new GatewayError('BAD_REQUEST', `The body has more than ${most[exceeded]}.`);
}

/**
 * Parses a body as JSON. Its type has already been checked (`checkJsonType`).
 * @throws GatewayError BAD_REQUEST for anything but JSON in UTF-8, and beyond the limits
 */
export function readJson(
  bytes: Uint8Array,
  parse: Parse = JSON.parse,
  values: number = bodyLimits.values,
): unknown {
  checkLimits(bytes, values);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw notJson();
  }
}

/** Bytes from which a body, or a text in it, is large. */
const largeBytes = 64 * 1024;

/** Bytes that are decoded in one turn of the event loop. */
const bytesPerTurn = 1024 * 1024;

/** Parses a text in one or more turns. Throws for invalid JSON. */
type ParseSlowly = (text: string, nextTurn: () => Promise<void>) => unknown;

/** Prefix of the texts that stand for long ones. It is random, so nobody can send it. */
const mark = `${crypto.randomUUID()}:`;

/** The place of a text among the bytes of a body, with its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [tab, lineFeed, carriageReturn, space, quote] = [0x09, 0x0a, 0x0d, 0x20, 0x22];
const [colon, backslash, unicodeEscape] = [0x3a, 0x5c, 0x75];
const whiteSpace: ReadonlySet<number | undefined> = new Set([tab, lineFeed, carriageReturn, space]);

/** Returns whether a text is the name of a member. */
function isName(bytes: Uint8Array, { end }: Span): boolean {
  let next = end;
  while (whiteSpace.has(bytes[next])) next++;
  return bytes[next] === colon;
}

/**
 * Finds the long texts of a body, and checks its limits.
 * @throws GatewayError BAD_REQUEST also for a long name, which no input has
 */
function findLongTexts(bytes: Uint8Array): Span[] {
  const found: Span[] = [];
  checkLimits(bytes, bodyLimits.valuesWithFiles, (start, end) => {
    if (end - start > largeBytes) found.push({ start, end });
  });
  if (found.some((span) => isName(bytes, span)))
    throw new GatewayError('BAD_REQUEST', `The body has a name of more than ${largeBytes} bytes.`);
  return found;
}

/** Returns where a part of a text can end. That is not inside an escape sequence or a character. */
function partEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + bytesPerTurn && at < bytes.length)
    at += bytes[at] !== backslash ? 1 : bytes[at + 1] === unicodeEscape ? 6 : 2;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return Math.min(at, bytes.length);
}

/** Decodes a text in turns, from its bytes without the quotes. */
async function decodeText(bytes: Uint8Array, slices: TimeSlices): Promise<string> {
  // A byte order mark inside a text is a character of it.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let [at, end] = [0, 0]; at < bytes.length; at = end) {
    await slices.next();
    end = partEnd(bytes, at);
    text += JSON.parse(`"${decoder.decode(bytes.subarray(at, end))}"`);
  }
  return text;
}

/** Returns a body with a short text in the place of each long one. */
function withMarks(bytes: Uint8Array, long: readonly Span[]): Uint8Array {
  if (long.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const [index, { start, end }] of long.entries()) {
    pieces.push(bytes.subarray(copied, start), Buffer.from(`"${mark}${index}"`));
    copied = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}

/** Puts the long texts into a parsed value. */
function withTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const read = withTexts(member, texts);
    if (read !== member) members[name] = read;
  }
  return members;
}

/** Decodes UTF-8 in turns. */
async function decode(bytes: Uint8Array, slices: TimeSlices): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    await slices.next();
    text += decoder.decode(bytes.subarray(at, at + bytesPerTurn), { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Parses the body of a door that takes files. A large one takes many turns of the event loop, and large ones are read
 * one after the other: decoding 16 MiB alone can take a tenth of a second. Long texts are decoded by themselves, so
 * that nothing else has to copy or search them.
 * @param parse takes the body without its long texts
 * @throws GatewayError like `readJson`
 */
export async function readLargeJson(
  bytes: Uint8Array,
  parse: ParseSlowly = (text) => JSON.parse(text),
): Promise<unknown> {
  const values = bodyLimits.valuesWithFiles;
  const slices = new TimeSlices();
  const nextTurn = () => slices.next();
  if (bytes.byteLength <= largeBytes) {
    const text = readJson(bytes, (text) => text, values) as string;
    try {
      return await parse(text, nextTurn);
    } catch {
      throw notJson();
    }
  }
  await nextTurn();
  const long = findLongTexts(bytes);
  try {
    const texts: string[] = [];
    for (const { start, end } of long) {
      if (bytes[end - 1] !== quote) throw notJson();
      texts.push(await decodeText(bytes.subarray(start + 1, end - 1), slices));
    }
    const rest = await decode(withMarks(bytes, long), slices);
    await nextTurn();
    const value = await parse(rest, nextTurn);
    await nextTurn();
    return texts.length > 0 ? withTexts(value, texts) : value;
  } catch {
    throw notJson();
  }
}
