import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { matchRoute } from '../rest/match.js';
import { largestBodies, largestBodyOf } from '../rest/route.js';
import { senderOfRequest } from './address.js';
import { type Admission, unhindered, type Visit } from './admission.js';
import { type OnAnswered, watchAnswer } from './answered.js';
import { readBody } from './body.js';
import type { ConnectionLimits } from './connections.js';
import { errorResponseFor, toGatewayError } from './errors.js';
import { type Exchange, noteError } from './exchange.js';
import { setAlwaysSent } from './headers.js';
import { isMultipart } from './multipart.js';
import { headerOf, targetOf } from './request.js';
import type { Tracing } from './tracing.js';
import type { OtherProtocol } from './upgrade.js';
import { createWire, type WireLimits } from './wire.js';

/** Answers a request whose body is read. */
export type Handler = (request: IncomingMessage, response: ServerResponse, exchange: Exchange) => unknown;

/** What a server is made of. */
export interface ServerOptions extends ConnectionLimits {
  readonly handler: Handler;
  /** Answers first; true when nothing is left to do. */
  readonly cors: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly log: Logger;
  /** Proxies in front (address.ts). */
  readonly trustProxy: number;
  readonly limits: WireLimits;
  readonly onAnswered: OnAnswered;
  readonly tracing?: Tracing | undefined;
  /** Bounds how long requests wait; without it, all are let in. */
  readonly admission?: Admission | undefined;
  /** Is given the connections that ask for it. */
  readonly other: OtherProtocol;
}

/** A server that can listen and be closed. */
export interface HttpServer {
  /** @param port 0 for any free one */
  listen(host: string, port: number): Promise<{ url: string }>;
  /** How many connections are open. */
  connections(): number;
  /** Takes no new connections and waits for what is in flight. */
  close(): Promise<void>;
}

const none = new Uint8Array();

/** Milliseconds that requests in flight are waited for at the end. */
const patience = 10_000;

const pathOf = (request: IncomingMessage) => targetOf(request).path;

/** What comes around a file of the largest size when it is sent as one part of a body, in bytes. */
const envelope = 64 * 1024;

/** Bytes that a request's body may have; files can be sent to the GraphQL door as well. */
function bodyLimit({ method = '', headers }: IncomingMessage, path: string): number {
  if (path !== '/graphql') return largestBodyOf(matchRoute(method, path).route);
  return largestBodies.files + (isMultipart(headers['content-type'] ?? null) ? envelope : 0);
}

/** Characters of an address at most. */
const longestTarget = 8192;

/** Refuses an address that is too long, before anything looks for what is there. */
function checkTarget({ url = '' }: IncomingMessage): void {
  if (url.length > longestTarget) {
    throw new GatewayError('BAD_REQUEST', `The address is longer than ${longestTarget} characters.`);
  }
}

/** Refuses a `Host` that is none: the request's URL is made with it. */
function checkHost(request: IncomingMessage): void {
  if (!isHost(request)) throw new GatewayError('BAD_REQUEST', 'The header `Host` is not valid.');
}

/** Only HTTP/1.0 does without (RFC 9112, section 3.2). */
function isHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  return host === undefined ? httpVersion === '1.0' : URL.canParse(`http://${host}`);
}

/** Ends a connection with its answer: one that is kept alive would keep a closing server waiting. */
function endConnection(response: ServerResponse): void {
  const { headersSent, socket } = response;
  if (!headersSent) response.setHeader('Connection', 'close');
  else response.once('finish', () => socket?.end());
}

/** Ends a connection whose caller does not read. */
function cut(response: ServerResponse): void {
  if (!response.writableFinished) response.destroy();
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: Logger,
  exchange: Exchange,
) {
  const asked = { path: pathOf(request), header: headerOf(request) };
  const told = toGatewayError(error, log, exchange.id);
  noteError(exchange, told.code);
  const answer = errorResponseFor(asked, told);
  if (response.headersSent) return response.destroy();
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

/** A node server in front of the handler: it names and limits each request, and tells of its end. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const { handler, cors, log, onAnswered, tracing, trustProxy, other, admission } = options;
  const open = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let closing = false;
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    visit: Visit,
  ) {
    try {
      checkTarget(request);
      checkHost(request);
      if (cors(request, response)) return;
      await visit.turn();
      exchange.body = await visit.whileReceiving(readBody(request, bodyLimit(request, pathOf(request))));
      // Whatever answers GET answers HEAD; the response, made for HEAD, keeps its body back (RFC 9110 §9.3.2).
      if (request.method === 'HEAD') request.method = 'GET';
      await handler(request, response, exchange);
    } catch (error) {
      await refuse(request, response, error, log, exchange);
    } finally {
      visit.end();
    }
  }
  const upgrades: OtherProtocol = {
    wants: (request) => !closing && isHost(request) && other.wants(request),
    take: other.take,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (closing) endConnection(response);
    const visit = admission ? admission.request(request, response) : unhindered;
    if (!visit) return;
    const exchange: Exchange = {
      id: randomUUID(),
      headOnly: request.method === 'HEAD',
      cut: () => cut(response),
      sender: () => senderOfRequest(request, trustProxy),
      tell: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value);
      },
      body: none,
    };
    response.setHeader('X-Request-Id', exchange.id);
    setAlwaysSent(response);
    watchAnswer(request, response, exchange, onAnswered);
    if (tracing) await tracing.request(request, exchange, () => answer(request, response, exchange, visit));
    else await answer(request, response, exchange, visit);
  };
  const server = createWire(listener, { ...options, upgrades });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
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
    connections: () => sockets.size,
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
        // Browsers and fetch connect ahead of a request; Node counts such connections as busy.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }),
  };
}
