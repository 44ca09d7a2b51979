import type { GraphQLSchema } from 'graphql';
import type { Session } from '../db/connection/session.js';
import { recordNames } from '../db/sql/models.js';
import type { Route } from '../domain/doors/route.js';
import type { Stage } from '../domain/doors/stages.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { collectViolations } from '../graphql/errors.js';
import { load } from '../records/loaders.js';
import { checkMatch, entityTag, listTag, matchesNone, shownVersion } from '../web/etag.js';
import { jsonType, revalidated, type TextResponse } from '../web/response.js';
import type { RecordReader } from '../webhooks/send/fan-out.js';
import { type Arguments, createReadArguments, type Matched, type RestRequest } from './arguments.js';
import { linkHeader, type Part, wantsFileContent } from './lists/list.js';
import type { RestContext } from './projection.js';
import { answersWithBody, creates, showsFiles } from './routes.js';
import {
  configureRest,
  createRunRoute,
  type RestConfig,
  type RouteResult,
  type RouteVariables,
  type SofaRoute,
} from './sofa.js';

/**
 * Checks that the caller sees the record whose list is requested.
 * @throws GatewayError NOT_FOUND
 */
async function checkOwner(session: Session, route: Route, { filter }: RouteVariables): Promise<void> {
  if (route.kind !== 'list' || !route.of) return;
  const { holder, ...named } = filter as Record<string, unknown> & {
    readonly holder?: { readonly id: string };
  };
  const id = String(route.isHolder ? holder?.id : named[`${route.of}Id`]);
  const owner = isUuid(id) && (await load(session, route.of, id.toLowerCase()));
  if (!owner) throw notFound(recordNames[route.of], id);
}

/** A request whose arguments have been read. */
interface Readied extends Matched {
  /** The route as SOFA takes it. */
  readonly served: SofaRoute;
  readonly session: Session;
  readonly args: Arguments;
}

/** A request whose operation has been executed. */
interface Executed extends Matched {
  /** The status of a success. */
  readonly status: number;
  readonly shown: RouteResult;
  /** The shown part of a list, and the cursor of the next one. */
  readonly part: Part | undefined;
  readonly next: string | undefined;
  /** True if a write left its record unchanged. */
  readonly unchanged: boolean;
}

/** Answers a request for a route of the contract; rejects with the error. */
export type RestHandler = (route: SofaRoute, request: RestRequest, session: Session) => Promise<TextResponse>;

/**
 * Creates the REST handler: read the arguments, execute with the gateway's resolvers, respond.
 * @param gateway the schema that the configuration was made from
 */
export function createRest(gateway: GraphQLSchema, config: RestConfig): RestHandler {
  const execute = createExecute(gateway, config);
  const readArguments = createReadArguments(gateway);
  return async (served, request, session) => {
    const { stages } = request;
    const route = served.declared;
    const args = await stages.run(readArguments, { request, route });
    return stages.run(respond, await stages.run(execute, { request, route, served, session, args }));
  };
}

/** Creates the stage that executes a route's operation with the gateway's resolvers. */
function createExecute(schema: GraphQLSchema, config: RestConfig): Stage<Readied, Promise<Executed>> {
  const runRoute = createRunRoute(config);
  return {
    name: 'execute',
    async run({ request, route, served, session, args: { part, variables, violations = [] } }) {
      const { body, memory, origin } = request;
      const fileContent = wantsFiles(route, request) ? 'reference' : 'none';
      const context = config.context({
        ...{ session, body, memory, fileContent, page: part?.page ?? 1 },
        ...(route.unversioned && origin && { origin: origin() }),
      });
      await checkOwner(session, route, variables);
      if (violations.length > 0) throw await refuseBody(schema, { route, variables, violations }, context);
      const shown = await runRoute(served, context, variables);
      const next = part?.cursor === undefined ? undefined : await nextCursor(context);
      const unchanged = context.outcome.unchanged === true;
      return { request, route, status: served.responseStatus, shown, part, next, unchanged };
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
  run({ request, route, status, shown, part, next, unchanged }) {
    const { value, body } = shown;
    if (!answersWithBody(route)) return { status, headers: {}, body: null };
    if (value === null) throw new GatewayError('NOT_FOUND', 'There is no such record.');
    if (route.kind === 'delete') return { status, headers: jsonType, body };
    if (part) {
      const { pages } = value as { readonly pages: number };
      const path = route.path.replace('{id}', request.id ?? '');
      const Link = linkHeader(path, request.query, part, { pages, next });
      return respondRead(request, { status, headers: { ETag: listTag(body), Link }, body });
    }
    const record = value as Record<string, unknown>;
    if (route.unversioned) {
      const location = route.kind === 'take' && { Location: `${route.path}/${record.id}` };
      const text = route.kind === 'all' ? `{${JSON.stringify(route.list)}:${body}}` : body;
      return { status, headers: { ...jsonType, 'Cache-Control': 'no-store', ...location }, body: text };
    }
    if (route.kind === 'read') {
      const headers = { ETag: entityTag(record, body) };
      return respondRead(request, { status, headers, body }, shownVersion(record));
    }
    const kept = { ETag: entityTag(record, body) };
    if (unchanged && route.errors.includes('NOT_MODIFIED')) throw notModified(kept);
    const location = creates(route) && { Location: `${route.path}/${record.id}` };
    return { status, headers: { ...jsonType, ...kept, ...location }, body };
  },
};

/** A record or list, with its entity tag and other headers of its own. */
interface Shown extends TextResponse {
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** Answers with a record or list. The answer is 304 if the caller has it (RFC 9110 §13.2.2). */
export function respondRead(
  { header }: Pick<RestRequest, 'header'>,
  shown: Shown,
  version?: string,
): TextResponse {
  const kept = { ...shown.headers, ...revalidated };
  checkMatch(header('if-match'), kept.ETag, version);
  if (matchesNone(header('if-none-match'), kept.ETag)) throw notModified(kept);
  return { ...shown, headers: { ...jsonType, ...kept } };
}

function notModified(headers: Record<string, string>): GatewayError {
  return new GatewayError('NOT_MODIFIED', 'Nothing changed.', { headers });
}

/** Creates the function that reads records in the contract's form. */
export function createRecordReader(schema: GraphQLSchema): RecordReader {
  const config = configureRest(schema);
  const runRoute = createRunRoute(config);
  return async (session, kind, id) => {
    const route = config.routes[`Query.${kind}`];
    if (route?.declared.kind !== 'read') return undefined;
    const { value, body } = await runRoute(route, config.context({ session }), { id });
    if (value === null) return undefined;
    return { version: shownVersion(value as Record<string, unknown>), body };
  };
}
