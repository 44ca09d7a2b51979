import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type StageTimer, type StageTimers, untimed } from '../../domain/doors/stages.js';
import type { GatewayError } from '../../domain/errors.js';
import { errorResponse, graphqlErrorResponse } from '../../web/errors.js';
import { type HttpResponse, setAlwaysSent } from '../../web/response.js';
import { limitHeaders } from '../auth/rate-limit.js';
import {
  type ConnectionEvents,
  type ConnectionLimits,
  type ConnectionTable,
  lingerOn,
  type OtherProtocol,
  startListening,
  stopListening,
} from '../connections/connections.js';
import { type Admission, unlimited } from '../load/admission.js';
import type { MemoryBudget } from '../load/memory.js';
import type { Tracing } from '../metrics/tracing.js';
import { hasRefusalPage, refusalPageResponse } from '../pages/pages.js';
import { acceptedTypes, askedOrigin, clientAddress, prefersPage } from '../request/request.js';
import { type OnEnded, toGatewayError, watchResponse } from '../responses/request-log.js';
import { sendResponse, withVary } from '../responses/response.js';
import { noteError, type RequestContext, type RequestedEndpoint, type Routed } from '../routing/endpoint.js';
import { hasBody } from './body.js';
import type { Dispatcher } from './dispatch.js';
import { checkHead, createWire, findHeadError, type WireLimits, type WireOptions } from './wire.js';

/**
 * The media type of GraphQL responses with any status. Clients trust plain JSON less when the status is not
 * 200.
 */
const graphqlResponse = 'application/graphql-response+json';

/** Picks the media type of a GraphQL error. Some clients look for errors only in GraphQL's own type. */
function graphqlTypeFor(accept: string | null): string {
  return accept !== null && acceptedTypes(accept).includes(graphqlResponse)
    ? graphqlResponse
    : 'application/json';
}

/**
 * Renders an error in the format of the door that the request is for. Browsers that open an address get an
 * HTML page, except at the REST door, where the contract has one format for errors whatever `Accept` says.
 */
async function errorAnswerFor(
  { incoming, handler, place: { door } }: Routed,
  error: GatewayError,
  id: string,
): Promise<HttpResponse> {
  const { header, method } = incoming;
  const accept = header('accept');
  const hasMembers = handler?.body?.hasMembers === true;
  const answer =
    door === 'graphql'
      ? graphqlErrorResponse(error, graphqlTypeFor(accept))
      : errorResponse(error, { accept, id, hasMembers, showsReason: door === 'session' });
  const mayBePage = door !== 'rest' && (method === 'GET' || method === 'HEAD');
  if (!mayBePage || !hasRefusalPage(error.code)) return answer;
  return withVary('Accept', prefersPage(accept) ? await refusalPageResponse(error) : answer);
}

/** Ids of the requests in progress in this process, oldest first. */
const requestsInProgress = new Set<string>();

/** The most ids that one log line lists. */
const maxLoggedIds = 20;

/**
 * Lists the requests that an unhandled error may belong to. Finding the exact one would need
 * AsyncLocalStorage, which on Node 20 hooks into every promise.
 */
export const recentRequestIds = (): string[] => [...requestsInProgress].slice(-maxLoggedIds);

interface ServerOptions extends ConnectionLimits, ConnectionEvents, Pick<WireOptions, 'transportHeaders'> {
  readonly dispatcher: Dispatcher;
  /** Runs first. Returns true if it has answered the request. */
  readonly cors: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly log: Logger;
  /** Number of proxies in front (address.ts). */
  readonly trustProxy: number;
  readonly memory: MemoryBudget;
  readonly limits: WireLimits;
  readonly onAnswered: OnEnded;
  readonly tracing?: Tracing | undefined;
  /** Times the stages of REST and GraphQL requests. */
  readonly stages?: StageTimers | undefined;
  /** Bounds how long requests wait. Without it, every request starts at once. */
  readonly admission?: Admission | undefined;
  /** Takes over connections that ask for it (`Upgrade`). */
  readonly other: OtherProtocol;
}

export interface HttpServer {
  /** @param port 0 for any free port */
  listen(host: string, port: number): Promise<{ url: string }>;
  /** Serves a connection that another process has accepted. */
  take(socket: Socket): void;
  connections(): number;
  connectionStates: ConnectionTable['states'];
  /** Ends each connection after its next response, so that callers move to another gateway. */
  retire(): void;
  /**
   * Stops accepting connections and waits for the requests in flight. A connection that has just been opened
   * still gets its first answer.
   */
  close(): Promise<void>;
}

const emptyBody = new Uint8Array();

/** Milliseconds that shutdown waits for requests in flight. */
const shutdownTimeoutMs = 10_000;

/**
 * Milliseconds that a new connection has for its first request during shutdown. Its caller cannot know that it
 * is late.
 */
const firstRequestMs = 1_000;

/** Ends a connection after its response. A keep-alive connection would delay the server's shutdown. */
function endConnection(response: ServerResponse): void {
  const { headersSent, socket } = response;
  if (!headersSent) response.setHeader('Connection', 'close');
  else response.once('finish', () => socket?.end());
}

/** Cuts the connection of a client that does not read its answer. */
function cut(response: ServerResponse): void {
  if (!response.writableFinished) response.destroy();
}

/** Ends a connection that is answered before the request's body has arrived. */
async function endUnread(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.complete || !hasBody(request)) return;
  // By then, whatever arrived in the same packet as the head has been read.
  await setImmediate();
  if (request.complete) return;
  response.setHeader('Connection', 'close');
  // A client that waits for `100 Continue` sends no body.
  if (request.headers.expect === undefined) lingerOn(request.socket);
}

/** Returns the stage timer of a request. Only the REST and GraphQL doors are timed. */
function stageTimerFor(stages: StageTimers | undefined, { door }: RequestedEndpoint): StageTimer {
  return (door === 'rest' || door === 'graphql' ? stages?.[door] : undefined) ?? untimed;
}

/** Creates the HTTP server. It gives each request an id, admits or sheds it, and reports its end. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const { dispatcher, cors, log, memory, onAnswered, tracing, trustProxy, other, admission, stages } =
    options;
  const open = new Set<ServerResponse>();
  let retired = false;
  let closing = false;
  async function refuse(routed: Routed, response: ServerResponse, error: unknown, exchange: RequestContext) {
    const known = toGatewayError(error, log, exchange.id);
    noteError(exchange, known.code);
    if (response.headersSent) return response.destroy();
    await endUnread(response.req, response);
    // The limit that refuses says what is left of it. Others would contradict `Retry-After`.
    if (known.code === 'TOO_MANY_REQUESTS') for (const name of limitHeaders) response.removeHeader(name);
    const answer = await errorAnswerFor(routed, known, exchange.id);
    return sendResponse({ request: response.req, response, exchange, compress: false }, answer);
  }
  async function answer(
    routed: Routed,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: RequestContext,
  ) {
    try {
      checkHead(request);
      if (cors(request, response)) return;
      await exchange.visit.turn();
      await dispatcher.answer(routed, request, response, exchange);
    } catch (error) {
      await refuse(routed, response, error, exchange);
    } finally {
      exchange.visit.end();
    }
  }
  const upgrades: OtherProtocol = {
    wants: (request) => !closing && !findHeadError(request) && other.wants(request),
    take: other.take,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (retired) endConnection(response);
    const started = performance.now();
    const routed = dispatcher.route(request);
    const matched = performance.now();
    const visit = admission ? admission.request(request, response, routed) : unlimited;
    if (!visit) return;
    const exchange: RequestContext = {
      id: randomUUID(),
      headOnly: request.method === 'HEAD',
      cut: () => cut(response),
      sender: () => clientAddress(request, trustProxy),
      origin: () => askedOrigin(request, trustProxy),
      setHeader: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value);
      },
      setCookies: (cookies) => {
        if (!response.headersSent) response.setHeader('Set-Cookie', cookies);
      },
      memory: memory.open(),
      visit,
      place: routed.place,
      stages: stageTimerFor(stages, routed.place),
      body: emptyBody,
    };
    requestsInProgress.add(exchange.id);
    response.once('close', () => {
      requestsInProgress.delete(exchange.id);
      exchange.memory.close();
    });
    response.setHeader('X-Request-Id', exchange.id);
    setAlwaysSent(response);
    watchResponse(request, response, exchange, onAnswered);
    const run = () => {
      exchange.stages.note('match', started, matched);
      return answer(routed, request, response, exchange);
    };
    await (tracing ? tracing.request(request, exchange, run) : run());
  };
  const { server, connections } = createWire(listener, { ...options, upgrades });
  if (admission) server.on('connection', () => admission.accept());
  async function close(): Promise<void> {
    retired = true;
    closing = true;
    for (const response of open) endConnection(response);
    await stopListening(server);
    connections.closeUnused(firstRequestMs);
    const timers = [
      setTimeout(() => connections.closeUnused(), firstRequestMs),
      setTimeout(() => connections.closeAll(), shutdownTimeoutMs),
    ];
    await connections.emptied();
    for (const timer of timers) clearTimeout(timer);
    server.close();
  }
  let closed: Promise<void> | undefined;
  let isWatched = false;
  return {
    listen: async (host, port) => ({ url: await startListening(server, { host, port, log }) }),
    take: (socket) => {
      // Node checks the timeouts of requests only once a server listens.
      if (!isWatched) server.emit('listening');
      isWatched = true;
      // As Node's own servers do for those that they accept.
      socket.allowHalfOpen = true;
      socket.setNoDelay();
      server.emit('connection', socket);
    },
    connections: () => connections.size,
    connectionStates: () => connections.states(),
    retire: () => {
      retired = true;
    },
    close: () => (closed ??= close()),
  };
}
