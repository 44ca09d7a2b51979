import type { IncomingMessage, ServerResponse } from 'node:http';
import { schema } from '../graphql/schema.js';
import type { RestAnswer } from '../rest/answer.js';
import { createRest } from '../rest/handler.js';
import type { Authenticate } from './auth.js';
import type { Exchange } from './exchange.js';
import { headerOf, targetOf } from './request.js';

/** Whether a path is the REST door's. The printed contract is a page, though it stands among them. */
export function isRestPath(path: string): boolean {
  return (path === '/v1' || path.startsWith('/v1/')) && path !== '/v1/openapi.json';
}

/** Sends an answer; one to HEAD keeps its body back (RFC 9110 §9.3.2). */
export function sendAnswer(response: ServerResponse, { status, headers, body }: RestAnswer): void {
  const length =
    body === null || status === 204 || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}

/** The REST door: it answers everything below `/v1`, and rejects with what went wrong. */
export type RestDoor = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
) => Promise<void>;

/** The same for every gateway of a process: it keeps the operations of the contract's rows, and nothing of callers. */
const rest = createRest(schema);

/**
 * Makes the REST door. It stands before yoga, not within it: the Fetch objects that yoga makes of a request and an
 * answer cost as much as a small request does.
 */
export function createRestDoor(authenticate: Authenticate): RestDoor {
  return async (request, response, exchange) => {
    const { path, query } = targetOf(request);
    const incoming = {
      method: request.method ?? '',
      path,
      search: query,
      header: headerOf(request),
      body: exchange.body,
    };
    sendAnswer(response, await rest(incoming, () => authenticate(incoming, exchange)));
  };
}
