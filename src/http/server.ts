import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { senderOfRequest } from './address.js';
import { sendAnswer } from './answer.js';
import { type OnAnswered, watchAnswer } from './answered.js';
import { hasBody } from './body.js';
import type { ConnectionLimits } from './connections.js';
import type { Dispatcher, Routed } from './dispatch.js';
import { errorAnswerFor, toGatewayError } from './errors.js';
import { type Exchange, noteError } from './exchange.js';
import { setAlwaysSent } from './headers.js';
import { lingerOn } from './linger.js';
import type { MemoryBudget } from './memory-budget.js';
import type { Tracing } from './tracing.js';
import type { OtherProtocol } from './upgrade.js';
import { createWire, type WireLimits } from './wire.js';

/** What a server is made of. */
export interface ServerOptions extends ConnectionLimits {
  readonly dispatcher: Dispatcher;
  /** Answers first; true when nothing is left to do. */
  readonly cors: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly log: Logger;
  /** Proxies in front (address.ts). */
  readonly trustProxy: number;
  readonly memory: MemoryBudget;
  readonly limits: WireLimits;
  readonly onAnswered: OnAnswered;
  readonly tracing?: Tracing | undefined;
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

/** Characters of an address at most. */
const longestTarget = 8192;

/** Refuses an address that is too long. */
function checkTarget({ url = '' }: IncomingMessage): void {
  if (url.length > longestTarget) {
    throw new GatewayError('BAD_REQUEST', `The address is longer than ${longestTarget} characters.`);
  }
}

/** Refuses a `Host` that is none: addresses are made with it. */
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

/** Ends a connection with an answer that is given before the request's body has come. */
async function endUnread(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.complete || !hasBody(request)) return;
  // What came in one packet with the head is read by then.
  await setImmediate();
  if (request.complete) return;
  response.setHeader('Connection', 'close');
  // Who waits for a word to send its body sends none.
  if (request.headers.expect === undefined) lingerOn(request.socket);
}

/** A node server in front of the dispatcher: it names and limits each request, and tells of its end. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const { dispatcher, cors, log, memory, onAnswered, tracing, trustProxy, other } = options;
  const open = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let closing = false;
  async function refuse({ incoming }: Routed, response: ServerResponse, error: unknown, exchange: Exchange) {
    const told = toGatewayError(error, log, exchange.id);
    noteError(exchange, told.code);
    if (response.headersSent) return response.destroy();
    await endUnread(response.req, response);
    const answer = errorAnswerFor(exchange.place, incoming.header, told);
    return sendAnswer({ request: response.req, response, exchange, compress: false }, answer);
  }
  async function answer(
    routed: Routed,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ) {
    try {
      checkTarget(request);
      checkHost(request);
      if (cors(request, response)) return;
      await dispatcher.answer(routed, request, response, exchange);
    } catch (error) {
      await refuse(routed, response, error, exchange);
    }
  }
  const upgrades: OtherProtocol = {
    wants: (request) => !closing && isHost(request) && other.wants(request),
    take: other.take,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    const routed = dispatcher.route(request);
    const exchange: Exchange = {
      id: randomUUID(),
      headOnly: request.method === 'HEAD',
      cut: () => cut(response),
      sender: () => senderOfRequest(request, trustProxy),
      tell: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value);
      },
      memory: memory.open(),
      place: routed.place,
      body: none,
    };
    response.once('close', () => {
      open.delete(response);
      exchange.memory.close();
    });
    if (closing) endConnection(response);
    response.setHeader('X-Request-Id', exchange.id);
    setAlwaysSent(response);
    watchAnswer(request, response, exchange, onAnswered);
    const run = () => answer(routed, request, response, exchange);
    await (tracing ? tracing.request(request, exchange, run) : run());
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
