import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { errorAnswer } from '../rest/errors.js';
import { type ConnectionLimits, limitConnections } from './connections.js';
import { answerRaw, type Failure, headersFor } from './raw-answer.js';
import type { OtherProtocol } from './upgrade.js';
import { handleUpgrades, upgradeOptions } from './upgrade.js';

/** What a connection may take; times in milliseconds. */
export interface WireLimits {
  /** Until a request's head is there, from the connection's beginning or the last answer's end. */
  readonly headersTimeout: number;
  /** Until a request is there, body included: 16 MiB at 1 Mbit/s take 134 seconds. */
  readonly requestTimeout: number;
  /** In which nothing is sent, nor taken of what is sent. No request takes that long; streams are pinged. */
  readonly idleTimeout: number;
  /** Between requests: longer than proxies keep theirs (60 seconds), so that none sends into a closing one. */
  readonly keepAliveTimeout: number;
  /** Between looks at who takes too long. */
  readonly checkInterval: number;
}

/** The usual ones. */
export const wireLimits: WireLimits = {
  headersTimeout: 15_000,
  requestTimeout: 180_000,
  idleTimeout: 60_000,
  keepAliveTimeout: 65_000,
  checkInterval: 5_000,
};

/** Bytes of a request's head, its first line included. */
const largestHead = 16 * 1024;

const failures: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new GatewayError(
      'BAD_REQUEST',
      `The address and the headers are larger than ${largestHead} bytes.`,
    ),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    error: new GatewayError('PAYLOAD_TOO_LARGE', 'The extensions of the chunks of the body are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new GatewayError('BAD_REQUEST', 'The request took too long to come.'),
  },
};

const malformed: Failure = { status: 400, error: new GatewayError('BAD_REQUEST', 'This is not HTTP.') };
const noTunnel: Failure = {
  status: 405,
  error: new GatewayError('METHOD_NOT_ALLOWED', 'This is no proxy.', { headers: { Allow: 'GET, HEAD' } }),
};
const expected: Failure = {
  status: 417,
  error: new GatewayError('BAD_REQUEST', 'The only expectation that is met is 100-continue.'),
};

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = errorAnswer(expected.error).body ?? '';
  response.writeHead(expected.status, headersFor(expected, body)).end(body);
}

/** What a server is made with, before it reads requests. */
export interface WireOptions extends ConnectionLimits {
  readonly limits: WireLimits;
  readonly upgrades: OtherProtocol;
  readonly log: Logger;
}

/**
 * Makes a server that bounds what connections may take, and answers what Node cannot read as a request in the words
 * of all errors (contract, section 7).
 */
export function createWire(listener: RequestListener, options: WireOptions): Server {
  const { limits, upgrades, log } = options;
  const server = createServer(
    {
      ...upgradeOptions(upgrades),
      // Refused with the others that are not valid (server.ts); Node's own answer has no words.
      requireHostHeader: false,
      maxHeaderSize: largestHead,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.checkInterval,
    },
    listener,
  );
  server.setTimeout(limits.idleTimeout);
  // Answered like any other: who waits for a word to send its body is told once it is let in (dispatch.ts).
  server.on('checkContinue', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Gone: there is nobody to answer.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy();
    answerRaw(socket, failures[error.code ?? ''] ?? malformed, log);
  });
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', (_request, socket) => answerRaw(socket, noTunnel, log));
  limitConnections(server, options, log);
  handleUpgrades(server, upgrades);
  return server;
}
