import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type FieldPath, GatewayError } from '../domain/errors.js';
import { Violations } from '../domain/input/violations.js';
import { isDeeperThan } from '../domain/text/json.js';
import { type ReadInput, readInput } from '../graphql/define/coerce.js';
import { fieldName, memberName } from '../web/names.js';
import { gatewayWord } from './leaves.js';

/** Media type of a JSON Merge Patch (RFC 7396). */
export const mergePatchType = 'application/merge-patch+json';

/** Media types of a PATCH: `Accept-Patch` lists them. Plain JSON is read as a JSON Patch. */
export const patchTypes = ['application/json-patch+json', mergePatchType, 'application/json'] as const;

/** The deepest nesting of lists and objects in a body. It is several times that of any input. */
const maxBodyDepth = 100;

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

/** Tells whether the body of a PATCH is a JSON Merge Patch, by its `Content-Type`. */
export const isMergePatch = (contentType: string | null) =>
  contentType !== null && splitType(contentType)[0] === mergePatchType;

/**
 * Checks that a body may be read as JSON, by its `Content-Type`.
 * @param patch whether it is a patch, which has media types of its own
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
 */
export function checkJsonType(contentType: string | null, patch: boolean): void {
  const accepted = patch ? patchTypes : ['application/json'];
  if (contentType === null || isAccepted(contentType, accepted)) return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted.join(' or ')} in UTF-8.`, {
    headers: patch ? { 'Accept-Patch': patchTypes.join(', ') } : {},
  });
}

/**
 * Reads a body as JSON, whose type is checked (`checkJsonType`).
 * @param parse reads the text; throws for what is not JSON
 * @throws GatewayError BAD_REQUEST for what is not JSON in UTF-8
 */
export function readJson(bytes: Uint8Array, parse: (text: string) => unknown = JSON.parse): unknown {
  if (bytes.byteLength === 0)
    throw new GatewayError('BAD_REQUEST', 'The body is empty; a JSON document is expected.');
  if (isDeeperThan(bytes, maxBodyDepth)) {
    throw new GatewayError('BAD_REQUEST', `The body has more than ${maxBodyDepth} levels of brackets.`);
  }
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The body is not JSON in UTF-8.');
  }
}

const memberMaps = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, string>>();

/** Lists the fields of an input that REST takes. */
export const takenFields = (type: GraphQLInputObjectType) =>
  Object.values(type.getFields()).filter(({ extensions }) => !extensions.graphqlOnly);

/** Maps the contract's names of a type's fields, in lower case, to the fields. Members match in any letter case. */
function fieldsByMember(type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  const known = memberMaps.get(type);
  if (known) return known;
  const members = new Map(takenFields(type).map(({ name }) => [memberName(name).toLowerCase(), name]));
  memberMaps.set(type, members);
  return members;
}

function translate(value: unknown, type: GraphQLInputType, path: FieldPath, problems: Violations): unknown {
  if (value === null || problems.isFull) return null;
  if (isListType(getNullableType(type))) {
    // GraphQL would take a single value for a list of one; the contract does not.
    if (!Array.isArray(value)) {
      problems.add(path, 'must be a list', 'type');
      return undefined;
    }
    const element = getNamedType(type);
    return value.map((item, index) => translate(item, element, [...path, index], problems));
  }
  const named = getNamedType(type);
  if (isEnumType(named)) return translateWord(value, named, path, problems);
  return isInputObjectType(named) ? translateObject(value, named, path, problems) : value;
}

/** Reads a word of an enum, in any letter case. */
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
  problems: Violations,
): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, 'must be an object', 'type');
    return undefined;
  }
  const members = fieldsByMember(type);
  const input: Record<string, unknown> = {};
  for (const [member, inner] of Object.entries(value)) {
    const field = members.get(member.toLowerCase());
    if (field === undefined) continue;
    // An exact spelling wins over another one of the same member.
    if (field in input && member !== memberName(field)) continue;
    input[field] = translate(
      inner,
      type.getFields()[field]?.type as GraphQLInputType,
      [...path, field],
      problems,
    );
  }
  return input;
}

/**
 * Takes off the member that clients may put around a body, or puts it on. A list is always in it, and an object never.
 * @param wrapper its name; undefined for a body that has none
 */
export function unwrap(body: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return { [wrapper]: body };
  const [, inner] = Object.entries(body).find(([member]) => member.toLowerCase() === wrapper) ?? [];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : body;
}

/**
 * Translates a JSON body into an input of the gateway. Members that it does not know are left out.
 * @param required members that must be there and not null, beyond those that the type requires
 * @returns the input as far as it could be read, and the members that are missing or of the wrong type
 * @throws GatewayError BAD_REQUEST for what is no object
 */
export function toInput(body: unknown, type: GraphQLInputType, required: readonly string[] = []): ReadInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  const problems = new Violations();
  const named = getNullableType(type) as GraphQLInputObjectType;
  const input = translateObject(body, named, [], problems) ?? {};
  const untold = new Violations(problems.all);
  for (const field of required.map(fieldName)) {
    if (input[field] == null) untold.add([field], 'is required', 'required');
  }
  const told = new Violations(untold.all);
  // The executor will read it again; done here, a wrong type is named in the contract's words.
  const read = readInput(input, named);
  told.addAll({ violations: read.violations, isMore: false });
  // What is right is left to the executor as it is.
  return told.isEmpty ? { value: input, violations: [] } : { value: read.value, violations: told.all };
}
