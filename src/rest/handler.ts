import type { GraphQLSchema } from 'graphql';
import { largestRead, ReadBound } from '../db/connection/read-bound.js';
import type { Session } from '../db/connection/session.js';
import { GatewayError } from '../domain/errors.js';
import { parsePatch } from '../domain/patch/patch-operations.js';
import { parseExact } from '../domain/text/exact-json.js';
import type { Door } from '../graphql/context.js';
import { type AnswerMemory, AnswerSize } from '../graphql/limits/answer-size.js';
import { jsonType, type RestAnswer, revalidated } from '../web/answer.js';
import { checkMatch, entityTag, matchesNone } from '../web/etag.js';
import { memberName } from '../web/names.js';
import { argumentOf, sortableFields } from './arguments.js';
import { readJson, toInput } from './body.js';
import { answeredOnce } from './idempotency.js';
import { isMember } from './models.js';
import { projectSchema, type RestContext } from './projection.js';
import { readList, wantsFileContent } from './query.js';
import type { ReceiveRoute, Route } from './route.js';
import { createSofa, type Shown, type Sofa, type Variables } from './sofa.js';

/** A request as it arrives: its body is read already. */
export interface RestRequest {
  readonly method: string;
  /** As it was sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The segment of the path that stands for `{id}`, percent-encoded. */
  readonly id: string | undefined;
  /** A header's value by its name in lower case. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** The memory that its answer is made in. */
  readonly memory: AnswerMemory;
}

/** A request that has found its row. */
interface Incoming {
  readonly request: RestRequest;
  readonly route: Route;
  readonly id: string | undefined;
}

/** The REST door shows the members of the contract's models. */
const door: Door = { naming: memberName, shows: (type, field) => isMember(type, memberName(field)) };

/** Answers a request for a row of the contract. */
export type RestHandler = (route: Route, request: RestRequest, session: Session) => Promise<RestAnswer>;

/**
 * Makes the REST door: it reads the input, lets SOFA's operation run the gateway's resolver, and finishes the answer.
 * @returns a handler that rejects with what went wrong
 */
export function createRest(gateway: GraphQLSchema): RestHandler {
  const sofa = createSofa(projectSchema(gateway));
  return async (route, request, session) => {
    const incoming = { request, route, id: decode(request.id) };
    return answeredOnce(session, request, () => answer(sofa, gateway, incoming, session));
  };
}

function decode(id: string | undefined): string | undefined {
  try {
    return id && decodeURIComponent(id);
  } catch {
    // Not an id, so there is no such record; the lookup says so.
    return id;
  }
}

async function answer(
  sofa: Sofa,
  schema: GraphQLSchema,
  incoming: Incoming,
  session: Session,
): Promise<RestAnswer> {
  const { route, request } = incoming;
  checkNew(route, request);
  // One list of one kind of record, with nothing repeated.
  session.readBound = new ReadBound(largestRead);
  const { page, variables } = readVariables(schema, incoming);
  const context: RestContext = {
    session,
    schema,
    door,
    body: incoming.request.body,
    fileContent:
      takesFiles(incoming.route) && wantsFileContent(incoming.request.query) ? 'reference' : 'none',
    answer: new AnswerSize(Number.POSITIVE_INFINITY, incoming.request.memory),
    outcome: {},
    page,
  };
  const shown = await sofa(route, context, variables);
  if (route.kind === 'receive') return { status: 204, headers: {}, body: null };
  if (shown.value === null) throw new GatewayError('NOT_FOUND', 'There is no such record.');
  return finish(route, request, shown, context.outcome.unchanged === true);
}

/** Refuses conditions on a version where there is none: of a new record, and of a list, which only `*` allows. */
function checkNew({ kind, method }: Route, { header }: RestRequest): void {
  const match = header('if-match');
  if (kind === 'list') checkMatch(match, undefined);
  if (method !== 'POST' || match === null) return;
  throw new GatewayError('PRECONDITION_FAILED', 'A new record has no version that `If-Match` could name.');
}

function takesFiles(route: Route): boolean {
  return route.kind === 'write' && route.files === true;
}

/** The status and headers of a success. */
function finish(
  route: Exclude<Route, ReceiveRoute>,
  request: RestRequest,
  { value, body }: Shown,
  unchanged: boolean,
): RestAnswer {
  if (route.kind === 'list') return { status: 200, headers: jsonType, body };
  const record = value as Record<string, unknown>;
  const kept = { ETag: entityTag(record, body), ...(route.kind === 'read' && revalidated) };
  // In the order of RFC 9110 §13.2.2.
  if (route.kind === 'read') checkMatch(request.header('if-match'), kept.ETag);
  const seen = route.kind === 'read' && matchesNone(request.header('if-none-match'), kept.ETag);
  if (seen || (unchanged && route.errors.includes('NOT_MODIFIED'))) {
    throw new GatewayError('NOT_MODIFIED', 'Nothing changed.', { headers: kept });
  }
  const headers = { ...jsonType, ...kept };
  if (route.method !== 'POST') return { status: 200, headers, body };
  return { status: 201, headers: { ...headers, Location: `${route.path}/${record.id}` }, body };
}

/** The arguments of the gateway's root field, from the path, the query string and the body. */
function readVariables(
  schema: GraphQLSchema,
  { request, route, id }: Incoming,
): { page: number; variables: Variables } {
  switch (route.kind) {
    case 'read':
      return { page: 1, variables: { id } };
    case 'list': {
      const { page, args } = readList(request.query, route, sortableFields(schema, route));
      return { page, variables: { ...args } };
    }
    case 'write': {
      const body = readJson(request.body);
      return {
        page: 1,
        variables: { id, input: toInput(body, argumentOf(schema, route, 'input').type, route.required) },
      };
    }
    case 'receive':
      return { page: 1, variables: { input: received(schema, route, request) } };
    case 'patch': {
      const body = readJson(request.body);
      return { page: 1, variables: { id, operations: spell(body) } };
    }
  }
}

/** A message as it was sent: no number is rounded, and nothing at all is a message as well. */
function received(schema: GraphQLSchema, route: Route, { body }: RestRequest): unknown {
  if (body.byteLength === 0) return {};
  const message = readJson(body, parseExact);
  return toInput(message, argumentOf(schema, route, 'input').type);
}

/** The operations of a patch, checked, in the members that the gateway's input has. */
function spell(body: unknown): object[] {
  return parsePatch(body).map(({ op, path, ...rest }) => ({
    op,
    path: pointer(path),
    ...('from' in rest && { from: pointer(rest.from) }),
    ...('value' in rest && { value: rest.value }),
  }));
}

function pointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
