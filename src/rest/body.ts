import {
  type GraphQLArgument,
  type GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { ListRoute, Route } from '../domain/doors/route.js';
import { type FieldPath, GatewayError } from '../domain/errors.js';
import { Violations } from '../domain/input/violations.js';
import { limits } from '../domain/rules.js';
import { type ReadInput, readInput } from '../graphql/define/coerce.js';
import { int64Expected } from '../graphql/scalars.js';
import { fieldName, memberName } from '../web/parameters.js';
import { gatewayWord } from './leaves.js';
import { modelOf } from './routes.js';
import { isShownMember, unknownName } from './strict.js';

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
  return modelOf(route.model).members.filter((member) => sortable.has(fieldName(member)));
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

const memberMaps = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, string>>();

/** Lists the fields of an input that REST accepts. */
export const takenFields = (type: GraphQLInputObjectType) =>
  Object.values(type.getFields()).filter(({ extensions }) => !extensions.graphqlOnly);

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

function translate(value: unknown, type: GraphQLInputType, path: FieldPath, reading: Reading): unknown {
  const { problems } = reading;
  if (value === null || problems.isFull) return null;
  if (isListType(getNullableType(type))) {
    // GraphQL would accept a single value as a list of one; the contract does not.
    if (!Array.isArray(value)) {
      problems.add(path, 'must be a list', 'type');
      return undefined;
    }
    // Nobody looks at the entries of a list that will be refused for its length (`readInput`).
    if (value.length > limits.entries) return value;
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
    input[field] = translate(
      inner,
      type.getFields()[field]?.type as GraphQLInputType,
      [...path, field],
      reading,
    );
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
