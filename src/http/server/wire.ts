import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { GatewayError } from '../../domain/errors.js';
import { answerLast, answerRaw } from '../answers/raw-answer.js';
import type { TransportHeaders } from '../answers/transport-security.js';
import type { ConnectionEvents, ConnectionLimits, ConnectionTable } from '../connections/connections.js';
import { countConnections, refuseOnReserve, watchHeads } from '../connections/connections.js';
import type { OtherProtocol } from '../connections/upgrade.js';
import { handleUpgrades, upgradeOptions } from '../connections/upgrade.js';
import { Pipelines } from './pipelining.js';
import { ProtocolError } from './protocol-error.js';
import { late, maxHeadBytes, type ParserError, parserErrorAnswer } from './unreadable.js';

/** Limits of a connection, in milliseconds. */
export interface WireLimits {
  /** Time for a head. It counts from the connection's start, for later heads from their first byte. */
  readonly headersTimeout: number;
  /** Time for a whole request with its body. 16 MiB at 1 Mbit/s take 134 seconds. */
  readonly requestTimeout: number;
  /** Time without a byte sent or received. No request takes that long, and streams are pinged. */
  readonly idleTimeout: number;
  /**
   * Idle time between requests. It exceeds the usual 60 seconds of proxies, so that none sends into a closing
   * connection.
   */
  readonly keepAliveTimeout: number;
  /** Interval between checks for slow clients. */
  readonly checkInterval: number;
}

export const wireLimits: WireLimits = {
  headersTimeout: 10_000,
  requestTimeout: 180_000,
  idleTimeout: 60_000,
  keepAliveTimeout: 65_000,
  checkInterval: 1_000,
};

const noTunnel = new GatewayError('METHOD_NOT_ALLOWED', 'This server is not a proxy.', {
  headers: { Allow: 'GET, HEAD' },
});
const expected = new ProtocolError(417, 'BAD_REQUEST', 'The only supported expectation is 100-continue.');

export interface WireOptions extends ConnectionLimits, ConnectionEvents {
  readonly limits: WireLimits;
  readonly upgrades: OtherProtocol;
  readonly log: Logger;
  /** Headers of every answer, also of those that are written before routing. */
  readonly transportHeaders?: TransportHeaders | undefined;
}

export interface Wire {
  readonly server: Server;
  readonly connections: ConnectionTable;
}

const noHeaders: TransportHeaders = () => ({});

/** Answers a socket, and the request on it if there is one. */
type RawAnswers = (socket: Duplex, error: GatewayError, request?: IncomingMessage) => void;

/** Answers a malformed request when its turn comes, or closes the connection. */
function handleUnreadable(server: Server, pipelines: Pipelines, answer: RawAnswers): void {
  server.on('clientError', (error: ParserError, socket) => {
    // The client is gone, so there is nobody to answer.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy();
    const request = pipelines.incomplete(socket);
    // The request is not read while earlier ones wait, so it is not the client's fault that it is late.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !request && pipelines.isWaiting(socket)) return;
    const isMore = error.code === 'HPE_CLOSED_CONNECTION';
    pipelines.fail(socket, () => answer(socket, parserErrorAnswer(error, request), request), isMore);
  });
}

/**
 * Creates a Node server with bounded connections and ordered pipelining. It also answers malformed requests.
 */
export function createWire(listener: RequestListener, options: WireOptions): Wire {
  const { limits, upgrades, log, transportHeaders = noHeaders } = options;
  const raw: RawAnswers = (socket, error, request) =>
    answerRaw(socket, error, { log, headers: transportHeaders(request) });
  const server = createServer({
    ...upgradeOptions(upgrades),
    // head.ts rejects it together with other invalid hosts; Node's own answer has no message.
    requireHostHeader: false,
    maxHeaderSize: maxHeadBytes,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.checkInterval,
  });
  // The bytes of a head are limited. Node would silently drop headers after the 2000th, such as a second `Host`.
  server.maxHeadersCount = 0;
  server.setTimeout(limits.idleTimeout);
  // A client may half-close after sending all its requests, and still gets its answers (RFC 9112, section
  // 9.6).
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = countConnections(server, options);
  const pipelines = new Pipelines({
    onBusy: (socket) => connections.begin(socket),
    onIdle: (socket) => connections.end(socket),
    onOverrun: () => options.onOverrun?.(),
  });
  const receive = (request: IncomingMessage, response: ServerResponse, answer: RequestListener) => {
    const { socket } = request;
    const refusal = refuseOnReserve(connections, request);
    if (connections.isReserved(socket)) response.shouldKeepAlive = false;
    for (const [name, value] of Object.entries(transportHeaders(request))) response.setHeader(name, value);
    pipelines.enter(request, response, () => {
      if (refusal) answerLast(response, refusal);
      else answer(request, response);
    });
  };
  server.on('request', (request, response) => receive(request, response, listener));
  // Handled like any other request: dispatch.ts sends `100 Continue` once the caller is authorized.
  server.on('checkContinue', (request, response) => receive(request, response, listener));
  server.on('checkExpectation', (request, response) =>
    receive(request, response, () => answerLast(response, expected)),
  );
  handleUnreadable(server, pipelines, raw);
  watchHeads(server, connections, limits, (socket) => raw(socket, late));
  const inTurn = (socket: Duplex, run: () => void) => pipelines.handOver(socket, run);
  server.on('connect', (request, socket) => inTurn(socket, () => raw(socket, noTunnel, request)));
  const take: OtherProtocol['take'] = (request, socket, head) => {
    // A WebSocket stays open for long, and would take the place of a health check.
    const refusal = refuseOnReserve(connections, request);
    if (refusal) return raw(socket, refusal, request);
    connections.begin(request.socket);
    upgrades.take(request, socket, head);
  };
  handleUpgrades(server, { ...upgrades, take }, inTurn);
  return { server, connections };
}
