import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { matchRoute } from '../rest/match.js';
import { largestBodies, largestBodyOf } from '../rest/route.js';
import { asStream, readBody } from './body.js';
import { errorResponseFor, toGatewayError } from './errors.js';
import type { Exchange, ServerContext } from './exchange.js';
import { isMultipart } from './multipart.js';

/** Answers a request whose body is read. */
type Handler = (request: IncomingMessage, response: ServerResponse, context: ServerContext) => unknown;

/** A server that can listen and be closed. */
export interface HttpServer {
  /** @param port 0 for any free one */
  listen(host: string, port: number): Promise<{ url: string }>;
  /** Takes no new connections and waits for what is in flight. */
  close(): Promise<void>;
}

const none = new Uint8Array();

/** Milliseconds that requests in flight are waited for at the end. */
const patience = 10_000;

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

/** What comes around a file of the largest size when it is sent as one part of a body, in bytes. */
const envelope = 64 * 1024;

/** Bytes that a request's body may have; files can be sent to the GraphQL door as well. */
function bodyLimit({ method = '', headers }: IncomingMessage, path: string): number {
  if (path !== '/graphql') return largestBodyOf(matchRoute(method, path).route);
  return largestBodies.files + (isMultipart(headers['content-type'] ?? null) ? envelope : 0);
}

/** One line per request; never its query string, its headers or its body. */
function logAnswer(
  log: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): void {
  const started = performance.now();
  const { method } = request;
  response.once('close', () => {
    const { session } = exchange;
    log.info({
      id: exchange.id,
      method,
      path: pathOf(request),
      status: response.statusCode,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(!response.writableFinished && { aborted: true }),
      ...(session && { tokenId: session.caller.tokenId }),
    });
  });
}

/** Refuses a `Host` that is none: the request's URL is made with it. */
function checkHost({ headers: { host } }: IncomingMessage): void {
  if (host !== undefined && !URL.canParse(`http://${host}`)) {
    throw new GatewayError('BAD_REQUEST', 'The header `Host` is not valid.');
  }
}

/** Ends a connection with its answer: one that is kept alive would keep a closing server waiting. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: Logger,
  id: string,
) {
  const answer = errorResponseFor(pathOf(request), toGatewayError(error, log, id));
  if (response.headersSent) return response.destroy();
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

/** A node server in front of the handler: it names, logs and limits each request. */
export function createHttpServer(handler: Handler, log: Logger): HttpServer {
  const open = new Set<ServerResponse>();
  let closing = false;
  const server = createServer(async (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (closing) endConnection(response);
    const exchange: Exchange = { id: randomUUID(), body: none, abort: () => response.destroy() };
    response.setHeader('X-Request-Id', exchange.id);
    logAnswer(log, request, response, exchange);
    try {
      checkHost(request);
      exchange.body = await readBody(request, bodyLimit(request, pathOf(request)));
      // The Fetch adapter takes a body that is already read from here.
      if (exchange.body.length > 0) Object.assign(request, { body: asStream(exchange.body) });
      // Whatever answers GET answers HEAD; the response, made for HEAD, keeps its body back (RFC 9110 §9.3.2).
      exchange.head = request.method === 'HEAD';
      if (exchange.head) request.method = 'GET';
      await handler(request, response, { exchange });
    } catch (error) {
      await refuse(request, response, error, log, exchange.id);
    }
  });
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const { port: bound } = server.address() as AddressInfo;
          resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        for (const response of open) endConnection(response);
        const impatient = setTimeout(() => server.closeAllConnections(), patience);
        server.close(() => {
          clearTimeout(impatient);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
