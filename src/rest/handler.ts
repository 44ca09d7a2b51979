import type { GraphQLSchema } from 'graphql';
import { maxReadBytes, ReadBound } from '../db/connection/bounds.js';
import type { Session } from '../db/connection/session.js';
import { recordNames } from '../db/sql/models.js';
import type { Route } from '../domain/doors/route.js';
import type { Stage } from '../domain/doors/stages.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import type { Door } from '../graphql/context.js';
import { collectViolations } from '../graphql/errors.js';
import { ResponseSize } from '../graphql/limits/response-size.js';
import { load } from '../records/loaders.js';
import { checkMatch, entityTag, listTag, matchesNone, shownVersion } from '../web/etag.js';
import { memberName } from '../web/parameters.js';
import { jsonType, revalidated, type TextResponse } from '../web/response.js';
import type { RecordReader } from '../webhooks/send/fan-out.js';
import { type Arguments, createReadArguments, type Matched, type RestRequest } from './arguments.js';
import { contractLeaf, gatewayWord } from './body.js';
import { linkHeader, type Part, wantsFileContent } from './lists/list.js';
import {
  createSofaExecutor,
  projectSchema,
  type RestContext,
  type RouteResult,
  type RouteVariables,
  type Run,
} from './projection.js';
import { creates, isMember, modelOf, routes, showsFiles } from './routes.js';

/**
 * Checks that the caller sees the record whose list is requested.
 * @throws GatewayError NOT_FOUND
 */
async function checkOwner(session: Session, route: Route, { filter }: RouteVariables): Promise<void> {
  if (route.kind !== 'list' || !route.of) return;
  const id = String((filter as Record<string, unknown>)[`${route.of}Id`]);
  const owner = isUuid(id) && (await load(session, route.of, id.toLowerCase()));
  if (!owner) throw notFound(recordNames[route.of], id);
}

/** A request whose arguments have been read. */
interface Readied extends Matched {
  readonly session: Session;
  readonly args: Arguments;
}

/** A request whose operation has been executed. */
interface Executed extends Matched {
  readonly shown: RouteResult;
  /** The shown part of a list, and the cursor of the next one. */
  readonly part: Part | undefined;
  readonly next: string | undefined;
  /** True if a write left its record unchanged. */
  readonly unchanged: boolean;
}

/** The REST door shows the members of the contract's models. */
export const restDoor: Door = {
  naming: memberName,
  shows: (type, field) => isMember(type, memberName(field)),
  leaf: contractLeaf,
  word: (value, type) => gatewayWord(value, type) ?? value,
  isContract: true,
  changes: (type) => {
    const route = routes.find(
      ({ kind, ...route }) => kind === 'patch' && 'model' in route && modelOf(route.model).type === type,
    );
    return route ? `PATCH ${route.path}` : `update${type} in GraphQL`;
  },
};

/** Answers a request for a route of the contract; rejects with the error. */
export type RestHandler = (route: Route, request: RestRequest, session: Session) => Promise<TextResponse>;

/**
 * Creates the REST handler: read the arguments, execute with the gateway's resolvers, respond. SOFA builds
 * the executed operations.
 * @param table the routes that it answers
 * @param run executes the operations, as in `createSofaExecutor`
 */
export function createRest(gateway: GraphQLSchema, table: readonly Route[] = routes, run?: Run): RestHandler {
  const execute = createExecute(gateway, table, run);
  const readArguments = createReadArguments(gateway);
  return async (route, request, session) => {
    const { stages } = request;
    const args = await stages.run(readArguments, { request, route });
    return stages.run(respond, await stages.run(execute, { request, route, session, args }));
  };
}

/** Creates the stage that executes a route's operation with the gateway's resolvers. */
function createExecute(
  schema: GraphQLSchema,
  table: readonly Route[],
  runOperation?: Run,
): Stage<Readied, Promise<Executed>> {
  const sofa = createSofaExecutor(projectSchema(schema, table), runOperation);
  return {
    name: 'execute',
    async run({ request, route, session, args: { part, variables, violations = [] } }) {
      // The request reads only one list of one kind of record, without repetitions.
      session.readBound = new ReadBound(maxReadBytes);
      await checkOwner(session, route, variables);
      const context: RestContext = {
        session,
        schema,
        door: restDoor,
        body: request.body,
        fileContent: wantsFiles(route, request) ? 'reference' : 'none',
        answer: new ResponseSize(Number.POSITIVE_INFINITY, request.memory),
        outcome: {},
        page: part?.page ?? 1,
        shown: {},
      };
      if (violations.length > 0) throw await refuseBody(schema, { route, variables, violations }, context);
      const shown = await sofa(route, context, variables);
      const next = part?.cursor === undefined ? undefined : await nextCursor(context);
      return { request, route, shown, part, next, unchanged: context.outcome.unchanged === true };
    },
  };
}

/** Creates the error for a body that could not be read completely. It includes the other violations. */
function refuseBody(
  schema: GraphQLSchema,
  { route, variables, violations }: { readonly route: Route } & Required<Omit<Arguments, 'part'>>,
  context: RestContext,
): Promise<GatewayError> {
  const field = schema.getMutationType()?.getFields()[route.field];
  if (!field) throw new Error(`The gateway has no mutation ${route.field}.`);
  return collectViolations({ field, args: variables, violations }, context);
}

/** Returns the cursor of the part after the one shown; undefined at the end. */
async function nextCursor({ shown }: RestContext): Promise<string | undefined> {
  const { hasNextPage, endCursor } = (await shown.list?.pageInfo) ?? {};
  return hasNextPage && endCursor ? endCursor : undefined;
}

function wantsFiles(route: Route, { query }: RestRequest): boolean {
  const standard = showsFiles(route);
  return standard !== undefined && wantsFileContent(query, standard);
}

/** Writes a successful answer: status, headers and body. */
const respond: Stage<Executed, TextResponse> = {
  name: 'respond',
  run({ request, route, shown, part, next, unchanged }) {
    const { value, body } = shown;
    if (route.kind === 'receive') return { status: 204, headers: {}, body: null };
    if (value === null) throw new GatewayError('NOT_FOUND', 'There is no such record.');
    if (route.kind === 'delete') return { status: 200, headers: jsonType, body };
    if (part) {
      const { pages } = value as { readonly pages: number };
      const path = route.path.replace('{id}', request.id ?? '');
      const Link = linkHeader(path, request.query, part, { pages, next });
      return respondRead(request, { ETag: listTag(body), Link }, body);
    }
    const record = value as Record<string, unknown>;
    if (route.kind === 'read') {
      return respondRead(request, { ETag: entityTag(record, body) }, body, shownVersion(record));
    }
    const kept = { ETag: entityTag(record, body) };
    if (unchanged && route.errors.includes('NOT_MODIFIED')) throw notModified(kept);
    const headers = { ...jsonType, ...kept };
    if (!creates(route)) return { status: 200, headers, body };
    return { status: 201, headers: { ...headers, Location: `${route.path}/${record.id}` }, body };
  },
};

/** Answers with a record or list. The answer is 304 if the caller has it (RFC 9110 §13.2.2). */
function respondRead(
  { header }: RestRequest,
  own: Readonly<Record<string, string>> & { readonly ETag: string },
  body: string,
  version?: string,
): TextResponse {
  const kept = { ...own, ...revalidated };
  checkMatch(header('if-match'), own.ETag, version);
  if (matchesNone(header('if-none-match'), own.ETag)) throw notModified(kept);
  return { status: 200, headers: { ...jsonType, ...kept }, body };
}

function notModified(headers: Record<string, string>): GatewayError {
  return new GatewayError('NOT_MODIFIED', 'Nothing changed.', { headers });
}

/** Creates the function that reads records in the contract's form. */
export function createRecordReader(schema: GraphQLSchema): RecordReader {
  const sofa = createSofaExecutor(projectSchema(schema, routes));
  const routeOf = new Map(routes.flatMap((route) => (route.kind === 'read' ? [[route.field, route]] : [])));
  return async (session, kind, id) => {
    const route = routeOf.get(kind);
    if (!route) return undefined;
    session.readBound = new ReadBound(maxReadBytes);
    const answer = new ResponseSize(Number.POSITIVE_INFINITY);
    const context = {
      ...{ session, schema, door: restDoor, fileContent: 'none' as const, answer, outcome: {} },
      ...{ page: 1, shown: {} },
    };
    const { value, body } = await sofa(route, context, { id });
    if (value === null) return undefined;
    return { version: shownVersion(value as Record<string, unknown>), body };
  };
}
