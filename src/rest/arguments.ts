import {
  GraphQLBoolean,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import {
  type DeleteRoute,
  innerIdOf,
  type ListRoute,
  type ReadRoute,
  type ReceiveRoute,
  type Route,
  type WriteRoute,
} from '../domain/doors/route.js';
import type { Stage, StageTimer } from '../domain/doors/stages.js';
import { GatewayError, type Violation } from '../domain/errors.js';
import { MergePatch } from '../domain/patch/patch.js';
import { parseExact } from '../domain/text/json.js';
import type { ResponseMemory } from '../graphql/limits/response-size.js';
import { fieldName, memberName, percentDecoded } from '../web/parameters.js';
import {
  checkFileType,
  fieldsOfQuery,
  findArgument,
  isMergePatch,
  readJson,
  readLargeJson,
  sortableFields,
  toInput,
  unwrap,
  wordsOf,
} from './body.js';
import { badParameter, type Part, readFilter, readFlag, readList, readParameter } from './lists/list.js';
import { bodyLimit, creates, filteredList, largestBodies, takesForm } from './routes.js';
import type { RouteVariables } from './sofa.js';
import { isStrict, refuseUnknownParameters, takenParameters } from './strict.js';

/** A request for a route of the contract, with its body. */
export interface RestRequest {
  readonly method: string;
  /** The path as it was sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path segment that stands for `{id}`, percent-encoded. */
  readonly id: string | undefined;
  /** The path segment that stands for a second id, percent-encoded. */
  readonly innerId?: string | undefined;
  /** Returns a header by its lower-case name. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** The form in the body, if the route takes one. */
  readonly form?: FormData | undefined;
  /** The memory for creating the answer. */
  readonly memory: ResponseMemory;
  /** Returns the origin of links to the gateway, for answers that have some. */
  readonly origin?: () => string;
  /** Runs and times its stages. */
  readonly stages: StageTimer;
}

/** A request with its route. */
export interface Matched {
  readonly request: RestRequest;
  readonly route: Route;
}

/** The arguments of a route's root field. */
export interface Arguments {
  readonly variables: RouteVariables;
  /** The requested part of a list. */
  readonly part?: Part;
  /** Values of the body that could not be read. */
  readonly violations?: readonly Violation[];
}

/** Creates the stage that reads a root field's arguments from the request. */
export function createReadArguments(schema: GraphQLSchema): Stage<Matched, Arguments | Promise<Arguments>> {
  return {
    name: 'readArguments',
    run(matched) {
      checkConditions(matched);
      const { route, request } = matched;
      // Nobody can rely on what our own additions ignore; the contract's routes ignore what they do not know.
      if ((route.origin === 'addition' && !route.lenient) || isStrict(request.header('prefer'))) {
        const taken = route.kind === 'take' ? fieldsOfQuery(findArgument(schema, route, 'input').type) : [];
        refuseUnknownParameters(request.query, [
          ...takenParameters(route),
          ...taken.map(({ name }) => memberName(name)),
        ]);
      }
      return readRouteArguments(schema, matched);
    },
  };
}

/** Rejects `If-Match` for a new record, which has no version. */
function checkConditions({ route, request: { header } }: Matched): void {
  if (!(creates(route) || route.kind === 'receive') || header('if-match') === null) return;
  throw new GatewayError(
    'PRECONDITION_FAILED',
    'A new record has no version yet, so `If-Match` cannot be used.',
  );
}

function readRouteArguments(schema: GraphQLSchema, matched: Matched): Arguments | Promise<Arguments> {
  const { request, route } = matched;
  const id = route.unversioned ? (percentDecoded(request.id ?? '') ?? '') : decode(request.id);
  switch (route.kind) {
    case 'read':
    case 'delete':
      return { variables: { id, ...readAsked(schema, route, request.query) } };
    case 'act': {
      const inner = innerIdOf(route.path);
      return { variables: { id, ...(inner !== undefined && { [inner]: decode(request.innerId) }) } };
    }
    case 'all': {
      const list = filteredList(route);
      return { variables: list ? { filter: readFilter(request.query, list) } : {} };
    }
    case 'take':
      return readTaken(schema, route, request);
    case 'list': {
      const { part, args } = readList(request.query, route, sortableFields(schema, route));
      const filter = { ...args.filter, ...ownerFilter(route, id) };
      return { part, variables: { ...args, filter } };
    }
    case 'write':
      return readWrite(schema, route, request, id);
    case 'receive':
      return readMessage(schema, route, request);
    case 'patch':
      return readPatch(route, request).then((operations) => ({ variables: { id, operations } }));
  }
}

/** Returns the filter of what belongs to the record that a list's path names. */
function ownerFilter({ of, isHolder }: ListRoute, id: string | undefined): object {
  if (isHolder) return { holder: { kind: of?.toUpperCase(), id } };
  return of ? { [`${of}Id`]: id } : {};
}

/** Reads entries with a key from JSON. A key has a text or members, or several in a list. */
function readEntries(text: string | undefined, name: string, type: GraphQLInputObjectType) {
  if (text === undefined) return undefined;
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    sent = undefined;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badParameter(name, 'must be a JSON object with a text for each key');
  const fields = Object.values(type.getFields());
  const [key = '', value = ''] = [true, false].map(
    (isKey) => fields.find((field) => isNonNullType(field.type) === isKey)?.name,
  );
  return Object.entries(sent).flatMap(([own, texts]) =>
    [texts].flat().map((one: unknown) => {
      if (typeof one !== 'object' || one === null)
        return { [key]: own, [value]: one === null ? null : String(one) };
      const members = Object.entries(one).map(([member, text]) => [fieldName(member), text]);
      return { ...Object.fromEntries(members), [key]: own };
    }),
  );
}

/** Reads the arguments that the query parameters of a route give. */
function readAsked(schema: GraphQLSchema, route: ReadRoute | DeleteRoute, query: URLSearchParams): object {
  const entries = (route.asked ?? []).map((name) => {
    const { type } = findArgument(schema, route, name);
    const words = wordsOf(getNamedType(type) as GraphQLEnumType);
    const word = readTakenField(query, { name, type });
    if (word === undefined || words.includes(String(word))) return [name, word];
    throw badParameter(memberName(name), `must be one of ${words.join(', ').toLowerCase()}`);
  });
  return Object.fromEntries(entries);
}

/** Reads a field of an input, or an argument, from its query parameter. */
function readTakenField(
  query: URLSearchParams,
  { name, type }: Pick<GraphQLInputField, 'name' | 'type'>,
): unknown {
  const member = memberName(name);
  const named = getNamedType(type);
  if (isListType(getNullableType(type)) && isLeafType(named)) {
    const texts = query.has(member) ? query.getAll(member) : undefined;
    // The rules say which words there are.
    return isEnumType(named)
      ? texts?.map((word) => named.getValue(word.toUpperCase())?.value ?? word)
      : texts;
  }
  const text = readParameter(query, member);
  if (isInputObjectType(named)) return readEntries(text, member, named);
  if (isEnumType(getNamedType(type))) return text?.toUpperCase().replaceAll('-', '_');
  if (text === undefined && isNonNullType(type)) throw badParameter(member, 'is required');
  return text !== undefined && getNamedType(type) === GraphQLBoolean ? readFlag(query, member, false) : text;
}

/** Reads the values that query parameters give, and the file of the body. The rules are checked by the resolver. */
async function readTaken(
  schema: GraphQLSchema,
  route: Route,
  { query, form, body, header }: RestRequest,
): Promise<Arguments> {
  const { type } = findArgument(schema, route, 'input');
  const input: Record<string, unknown> = {};
  for (const field of fieldsOfQuery(type)) input[field.name] = readTakenField(query, field);
  if (!takesForm(route)) return { variables: { input } };
  if (input.resumableUploadId !== undefined) {
    if (body.byteLength > 0) throw badParameter('resumable_upload_id', 'must come without a body');
    return { variables: { input } };
  }
  checkFileType(header('content-type'));
  const file = form?.get('file');
  if (file === null || typeof file === 'string')
    throw new GatewayError('BAD_REQUEST', 'The part "file" must be the file.');
  const content = file ? new Uint8Array(await file.arrayBuffer()) : body;
  return { variables: { input: { ...input, content, fileName: input.fileName ?? file?.name } } };
}

/** Reads the JSON of a body. One that may have files can be large. */
const readBody = async (route: Route, body: Uint8Array): Promise<unknown> =>
  bodyLimit(route) > largestBodies.standard ? readLargeJson(body) : readJson(body);

/** Reads what a caller writes: JSON, or a form. */
async function readWrite(
  schema: GraphQLSchema,
  route: WriteRoute,
  { form, body, header }: RestRequest,
  id: string | undefined,
): Promise<Arguments> {
  const { type } = findArgument(schema, route, 'input');
  const sent = form ? readForm(form) : unwrap(await readBody(route, body), route.wrapper);
  const { value, violations } = toInput(sent, type, form ? [] : route.required, isStrict(header('prefer')));
  const input = form ? { ...(value as object), file: fileIn(form) } : value;
  return { variables: { id, input }, violations };
}

/** Values of words that stand for more than a text in a form. */
const formWords: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['', null],
  ['true', true],
  ['false', false],
]);

/** Reads the parts of a form as the members of an input. @throws GatewayError BAD_REQUEST for one sent twice */
function readForm(data: FormData): Record<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const [name, value] of data) {
    if (parts.has(name))
      throw new GatewayError('BAD_REQUEST', `The form has more than one part ${JSON.stringify(name)}.`);
    parts.set(name, formWords.has(value) ? formWords.get(value) : value);
  }
  return Object.fromEntries(parts);
}

/** Returns the file of a form. @throws GatewayError BAD_REQUEST if there is none */
function fileIn(data: FormData): File {
  const file = data.get('file');
  if (file instanceof File) return file;
  throw new GatewayError('BAD_REQUEST', 'The part "file" of the form must be a file.');
}

/** Reads a patch: the operations, or a merge patch, by its media type. */
async function readPatch(route: Route, { body, header }: RestRequest): Promise<unknown> {
  const sent = await readBody(route, body);
  return isMergePatch(header('content-type')) ? new MergePatch(sent) : sent;
}

/** Decodes the id of a path. If that fails, the lookup of the undecoded text finds nothing. */
const decode = (id: string | undefined) => id && (percentDecoded(id) ?? id);

/**
 * Reads the message of an upload as it was sent. Numbers are not rounded, and an empty body is a valid
 * message.
 */
function readMessage(schema: GraphQLSchema, route: ReceiveRoute, { body, header }: RestRequest): Arguments {
  if (body.byteLength === 0) return { variables: { input: {} } };
  const sent = readJson(body, parseExact);
  const { value, violations } = toInput(
    sent,
    findArgument(schema, route, 'input').type,
    [],
    isStrict(header('prefer')),
  );
  return { variables: { input: value }, violations };
}
