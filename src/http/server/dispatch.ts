import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Session } from '../../db/connection/session.js';
import { hasRight, refusalOf } from '../../domain/caller.js';
import type { Stage } from '../../domain/doors/stages.js';
import { GatewayError } from '../../domain/errors.js';
import { readParameters } from '../../web/parameters.js';
import type { HttpResponse } from '../../web/response.js';
import type { Authenticate } from '../auth/auth.js';
import { sendResponse } from '../responses/response.js';
import {
  allowedMethods,
  type Endpoint,
  type Incoming,
  type MethodHandler,
  type RequestContext,
  type Routed,
  type Router,
  type TakesBody,
} from '../routing/endpoint.js';
import { checkAnnounced, emptyBody, hasBody, readBody } from './body.js';
import { respondOnce } from './claim-key.js';

/** Routes requests to their handlers. */
export interface Dispatcher {
  /** Runs the stage `match`, which comes first for every request. It never throws. */
  readonly route: Router;
  /** Answers a request, or rejects with the error to send. */
  answer(
    routed: Routed,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: RequestContext,
  ): Promise<void>;
}

interface DispatchOptions {
  readonly router: Router;
  readonly authenticate: Authenticate;
  readonly compress: boolean;
}

/** Creates the 405 for a method that a path does not have. */
function methodRefusal(endpoint: Endpoint): GatewayError {
  const headers = { Allow: allowedMethods(endpoint) };
  return new GatewayError('METHOD_NOT_ALLOWED', `This path supports only ${headers.Allow}.`, { headers });
}

/** Adds the metadata's address to the challenge of a 401 (RFC 9728 section 5.1). */
function withMetadata(error: unknown, address: string): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'UNAUTHORIZED') return error;
  const { message, headers } = error;
  const challenge = headers['WWW-Authenticate'] ?? 'Bearer';
  const told = `${challenge}${challenge.includes(' ') ? ',' : ''} resource_metadata="${address}"`;
  return new GatewayError('UNAUTHORIZED', message, { headers: { ...headers, 'WWW-Authenticate': told } });
}

/** Lists what a path accepts, as headers (RFC 9110 section 9.3.7, RFC 5789 section 3.1). */
function optionsHeaders(endpoint: Endpoint): Record<string, string> {
  const { acceptPatch, options } = endpoint;
  return {
    ...options,
    Allow: allowedMethods(endpoint),
    ...(acceptPatch !== undefined && { 'Accept-Patch': acceptPatch }),
  };
}

/** The body of a request. It is read once, and only when a stage needs it. */
class RequestBody {
  readonly #takes: TakesBody;
  readonly #incoming: Incoming;
  readonly #response: ServerResponse;
  readonly #exchange: RequestContext;
  #read: Promise<Uint8Array> | undefined;

  constructor(takes: TakesBody, incoming: Incoming, response: ServerResponse, exchange: RequestContext) {
    this.#takes = takes;
    this.#incoming = incoming;
    this.#response = response;
    this.#exchange = exchange;
  }

  /**
   * Checks the headers that announce the body, and reads it. Sends `100 Continue` first to a client that
   * waits for it.
   */
  read(): Promise<Uint8Array> {
    if (this.#read) return this.#read;
    const limit = this.#takes.limit(this.#incoming);
    const response = this.#response;
    const { req: request } = response;
    const { memory, visit } = this.#exchange;
    checkAnnounced(request, limit);
    this.#takes.check(this.#incoming);
    if (request.headers.expect !== undefined && hasBody(request)) response.writeContinue();
    this.#read = visit.whileReceiving(readBody(request, limit, memory));
    return this.#read;
  }
}

/** A request whose caller is not authenticated and authorized yet. */
interface Unauthenticated {
  readonly incoming: Incoming;
  readonly exchange: RequestContext;
  readonly access: Exclude<MethodHandler['access'], 'public'>;
}

/** Reads the body after the caller has been authorized. */
const readBodyStage: Stage<RequestBody, Promise<Uint8Array>> = {
  name: 'readBody',
  run: async (body) => body.read(),
};

type Work = () => Promise<HttpResponse | undefined>;

/** Executes a request and answers it. */
const executeStage: Stage<Work, ReturnType<Work>> = { name: 'execute', run: (work) => work() };

/** Answers a request of the REST door by the stages after `readBody`. */
function answerRest(
  incoming: Incoming,
  handler: MethodHandler,
  exchange: RequestContext,
  work: Work,
): ReturnType<Work> {
  const execute = handler.hasStages ? work : () => exchange.stages.run(executeStage, work);
  return respondOnce({ incoming, handler, exchange }, execute);
}

/**
 * Creates the dispatcher: match path and method, authenticate, authorize, read the body, handle. The body is
 * read only for an authorized caller. For a signed request, the body is part of the authentication.
 */
export function createDispatcher({ router, authenticate, compress }: DispatchOptions): Dispatcher {
  const authenticateStage: Stage<Unauthenticated, Promise<Session>> = {
    name: 'authenticate',
    async run({ incoming, exchange, access }) {
      const session = await authenticate(incoming, exchange);
      const { caller } = session;
      // GraphQL checks each field itself.
      if (access !== 'token' && !hasRight(caller, access)) throw refusalOf(caller);
      return session;
    },
  };

  /** Authorizes the caller, then reads the body if the handler takes one. */
  async function receive(
    { body, signed, linked, isFeed, access, resource, admits }: MethodHandler,
    incoming: Incoming,
    response: ServerResponse,
    exchange: RequestContext,
  ): Promise<void> {
    const { stages } = exchange;
    const sent = body && new RequestBody(body, incoming, response, exchange);
    if (signed && sent) {
      exchange.readSigned = async (tokenId) => {
        exchange.memory.caller = tokenId;
        return sent.read();
      };
    }
    const link = linked ? readParameters(incoming.query).get('link') : null;
    if (linked && link !== null) exchange.link = { target: linked(incoming), link };
    if (isFeed) exchange.feed = /^(.*)\.ics$/i.exec(incoming.id ?? '')?.[1] ?? '';
    if (resource?.audience !== undefined) exchange.resource = resource.audience;
    if (access !== 'public') {
      await stages.run(authenticateStage, { incoming, exchange, access }).catch((error: unknown) => {
        throw resource ? withMetadata(error, resource.metadata(exchange)) : error;
      });
    }
    if (sent && (await admits?.(incoming, exchange)) !== false)
      exchange.body = await stages.run(readBodyStage, sent);
  }

  return {
    route: router,
    async answer({ incoming, endpoint, handler }, request, response, exchange) {
      if (!endpoint) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
      for (const [name, value] of Object.entries(endpoint.headers ?? {})) response.setHeader(name, value);
      const sending = { request, response, exchange, compress };
      if (!handler) {
        if (incoming.method !== 'OPTIONS') throw methodRefusal(endpoint);
        return sendResponse(sending, { status: 204, headers: optionsHeaders(endpoint), body: null });
      }
      await receive(handler, incoming, response, exchange);
      const method = exchange.headOnly ? 'GET' : incoming.method;
      const asked = { ...incoming, method };
      const work = () => handler.handle(asked, exchange, response);
      const answered = await (endpoint.door === 'rest' ? answerRest(asked, handler, exchange, work) : work());
      const answer = answered && (await (handler.complete?.(answered, exchange) ?? answered));
      // The body is no longer needed, and the client may read the answer slowly.
      exchange.body = emptyBody;
      exchange.memory.drop('body');
      if (answer) await sendResponse(sending, answer);
    },
  };
}
