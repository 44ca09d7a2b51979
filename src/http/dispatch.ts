import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../domain/errors.js';
import { forbidden, may } from '../domain/roles.js';
import { sendAnswer } from './answers/answer.js';
import type { Authenticate } from './auth/auth.js';
import type { Exchange } from './exchange.js';
import {
  allowOf,
  type Endpoint,
  type Incoming,
  type Operation,
  operationFor,
  type Place,
  type Router,
} from './router.js';
import { checkAnnounced, hasBody, readBody } from './server/body.js';
import { headerOf, targetOf } from './server/request.js';

const none = new Uint8Array();

/** A request with what its path and method lead to. */
export interface Routed {
  readonly incoming: Incoming;
  /** Undefined: there is nothing at the path. */
  readonly endpoint: Endpoint | undefined;
  /** Undefined: the path does not take the method. */
  readonly operation: Operation | undefined;
  readonly place: Place;
}

/** Leads requests to what answers them. */
export interface Dispatcher {
  /** Matches a request by its first line and headers; it never throws. */
  route(request: IncomingMessage): Routed;
  /** Answers a request; rejects with what it is to be refused for. */
  answer(
    routed: Routed,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<void>;
}

/** What requests are dispatched with. */
export interface DispatchOptions {
  readonly router: Router;
  readonly authenticate: Authenticate;
  /** Whether answers are compressed here. */
  readonly compress: boolean;
}

/** Refuses a method that a path does not have. */
function methodRefusal(endpoint: Endpoint): GatewayError {
  const headers = { Allow: allowOf(endpoint) };
  return new GatewayError('METHOD_NOT_ALLOWED', `This path takes ${headers.Allow}.`, { headers });
}

/** The headers that tell what a path takes (RFC 9110 section 9.3.7, RFC 5789 section 3.1). */
function optionsOf(endpoint: Endpoint): Record<string, string> {
  const { acceptPatch } = endpoint;
  return { Allow: allowOf(endpoint), ...(acceptPatch !== undefined && { 'Accept-Patch': acceptPatch }) };
}

/** Reads a body once; a caller who waits for it is told to send it (RFC 9110 section 10.1.1). */
function bodyReader(
  request: IncomingMessage,
  response: ServerResponse,
  { memory, visit }: Exchange,
  limit: number,
): () => Promise<Uint8Array> {
  let body: Promise<Uint8Array> | undefined;
  return () => {
    if (!body) {
      if (request.headers.expect !== undefined && hasBody(request)) response.writeContinue();
      body = visit.whileReceiving(readBody(request, limit, memory));
    }
    return body;
  };
}

/** The part of the gateway that a path belongs to at which there is nothing. */
const doorOf = (path: string) => (/^\/v1(\/|$)/i.test(path) ? 'rest' : 'none');

/**
 * Makes what answers requests, stage by stage: match the path, check the method, authenticate, authorize, check what the
 * head says of the body, read the body, answer. Nothing of a body is read for a caller who is not let in; of a signed
 * request it is a part of what authenticates.
 */
export function createDispatcher({ router, authenticate, compress }: DispatchOptions): Dispatcher {
  async function admit(
    { incoming, body, signed, access }: Operation & { incoming: Incoming },
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<void> {
    const limit = body?.limit(incoming) ?? 0;
    const checkBody = () => {
      if (!body) return;
      checkAnnounced(request, limit);
      body.check(incoming);
    };
    const read = bodyReader(request, response, exchange, limit);
    if (signed) {
      exchange.readSigned = async (tokenId) => {
        exchange.memory.caller = tokenId;
        checkBody();
        return read();
      };
    }
    if (access !== 'public') {
      const { caller } = await authenticate(incoming, exchange);
      if (access !== 'token' && !may(caller.role, access)) throw forbidden(caller.role);
    }
    if (!body) return;
    checkBody();
    exchange.body = await read();
  }
  return {
    route(request) {
      const { path, query } = targetOf(request);
      const { endpoint, id } = router(path) ?? { endpoint: undefined, id: undefined };
      const incoming = { method: request.method ?? '', path, query, header: headerOf(request), id };
      if (!endpoint)
        return { incoming, endpoint, operation: undefined, place: { door: doorOf(path), route: undefined } };
      const operation = operationFor(endpoint, incoming);
      const isKnown = operation !== undefined || incoming.method === 'OPTIONS';
      return {
        incoming,
        endpoint,
        operation,
        place: { door: endpoint.door, route: isKnown ? endpoint.path : undefined },
      };
    },
    async answer({ incoming, endpoint, operation }, request, response, exchange) {
      if (!endpoint) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
      const sending = { request, response, exchange, compress };
      if (!operation) {
        if (incoming.method !== 'OPTIONS') throw methodRefusal(endpoint);
        return sendAnswer(sending, { status: 204, headers: optionsOf(endpoint), body: null });
      }
      await admit({ ...operation, incoming }, request, response, exchange);
      const method = exchange.headOnly ? 'GET' : incoming.method;
      const answer = await operation.handle({ ...incoming, method }, exchange, response);
      // It is not needed any more, and the answer may be slow to be read.
      exchange.body = none;
      exchange.memory.drop('body');
      if (answer) await sendAnswer(sending, answer);
    },
  };
}
