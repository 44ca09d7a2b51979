import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type ErrorCode, GatewayError } from '../../domain/errors.js';
import {
  type ConnectionEvents,
  type ConnectionLimits,
  type ConnectionTable,
  countConnections,
  handleUpgrades,
  type OtherProtocol,
  refuseOnReserve,
  upgradeOptions,
  watchHeads,
} from '../connections/connections.js';
import { isAuthority, targetAuthority } from '../request/request.js';
import { respondLast, sendRawResponse, type TransportHeaders } from '../responses/response.js';

/** The most pipelined requests that may wait on one connection, and in the whole process. */
export const maxPipelined = { ofConnection: 1_000, ofProcess: 5_000 };

/** A request or hand-over that waits for the earlier requests of its connection. */
interface Turn {
  readonly request?: IncomingMessage;
  readonly run: () => void;
}

/** The current request of a connection, and those that wait for it. */
interface Line {
  busy: boolean;
  /** True once no more requests are read from the connection. */
  over: boolean;
  readonly waiting: Turn[];
  /** The latest request, until its body has arrived completely. */
  last: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

interface PipelineEvents {
  readonly onBusy: (socket: Duplex) => void;
  readonly onIdle: (socket: Duplex) => void;
  /** Called when a connection is closed because it sent too many requests ahead. */
  readonly onOverrun: (socket: Duplex) => void;
}

/**
 * Runs the pipelined requests of a connection one after the other (RFC 9112, section 9.3.2). Node starts all
 * of them at once and only sends their answers in order. But a request must see the writes of the one before
 * it.
 */
class Pipelines {
  readonly #events: PipelineEvents;
  readonly #lines = new Map<Duplex, Line>();
  #waiting = 0;

  constructor(events: PipelineEvents) {
    this.#events = events;
  }

  get waiting(): number {
    return this.#waiting;
  }

  #lineOf(socket: Duplex): Line {
    const known = this.#lines.get(socket);
    if (known) return known;
    const line: Line = { busy: false, over: false, waiting: [], last: undefined, response: undefined };
    this.#lines.set(socket, line);
    socket.once('close', () => {
      this.#drop(line);
      this.#lines.delete(socket);
    });
    return line;
  }

  /**
   * Starts a request once all earlier ones on its connection are answered. If the connection ends first, it
   * never starts.
   */
  enter(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request;
    // More requests from the same read as the one that was too many.
    if (socket.destroyed) return;
    // Requests after the last answer of a connection are read and dropped, not run (RFC 9112, section 9.6).
    if (!socket.writable) return void request.resume();
    const line = this.#lineOf(socket);
    line.last = request;
    const run = () => {
      line.response = response;
      response.once('close', () => this.#next(socket, line));
      start();
    };
    if (line.busy) this.#wait(socket, line, { request, run });
    else {
      line.busy = true;
      this.#events.onBusy(socket);
      run();
    }
  }

  #wait(socket: Duplex, line: Line, turn: Turn): void {
    line.waiting.push(turn);
    this.#waiting++;
    if (line.waiting.length > maxPipelined.ofConnection || this.#waiting > maxPipelined.ofProcess) {
      this.#events.onOverrun(socket);
      socket.destroy();
      return;
    }
    // Whatever follows waits in the system's buffers, and then at the client (backpressure).
    socket.pause();
  }

  #drop(line: Line): void {
    this.#waiting -= line.waiting.length;
    line.waiting.length = 0;
  }

  #next(socket: Duplex, line: Line): void {
    // That was the connection's last answer, so requests sent after it are not run (RFC 9112, section 9.6).
    if (!socket.writable) this.#drop(line);
    const turn = line.waiting.shift();
    if (!turn) {
      line.busy = false;
      line.response = undefined;
      if (line.last?.complete) line.last = undefined;
      if (!line.over && !socket.destroyed) this.#events.onIdle(socket);
      return;
    }
    this.#waiting--;
    if (line.waiting.length === 0 && !line.over) socket.resume();
    turn.run();
  }

  /** Hands over an upgraded connection once all earlier requests are answered. */
  handOver(socket: Duplex, run: () => void): void {
    if (!socket.writable) return void socket.destroy();
    const line = this.#lineOf(socket);
    const start = () => {
      line.busy = false;
      line.last = undefined;
      run();
    };
    if (!line.busy) {
      start();
      return;
    }
    // Node has detached its listeners from the upgraded socket, so do their work for the answer under way.
    const end = () => socket.destroy();
    socket.on('error', end);
    socket.on('timeout', end);
    socket.on('drain', () => line.response?.emit('drain'));
    this.#wait(socket, line, { run: start });
  }

  /**
   * Ends a connection after a malformed request, once all earlier requests are answered.
   * @param answer sends the error to the client
   * @param isMore true if the bytes came after the last request of the connection, and are to be ignored
   */
  fail(socket: Duplex, answer: () => void, isMore = false): void {
    const line = this.#lines.get(socket);
    if (line?.over) return;
    const body = this.incomplete(socket);
    if (!line?.busy) {
      // This is the rest of a body whose request is answered. The client would take another answer for the
      // next request's.
      if (body) socket.destroy();
      else answer();
      return;
    }
    line.over = true;
    socket.pause();
    if (!body) {
      if (!isMore) this.#wait(socket, line, { run: answer });
      return;
    }
    const at = line.waiting.findIndex(({ request }) => request === body);
    if (at !== -1) line.waiting[at] = { run: answer };
    // The request was answered early, and its answer is on its way. It is the last one.
    else if (line.response?.headersSent) this.#wait(socket, line, { run: () => socket.destroy() });
    else answer();
  }

  /** Returns the last request of a connection while its body is still arriving. */
  incomplete(socket: Duplex): IncomingMessage | undefined {
    const last = this.#lines.get(socket)?.last;
    return last?.complete ? undefined : last;
  }

  /** Returns whether requests of a connection are waiting. */
  isWaiting(socket: Duplex): boolean {
    return (this.#lines.get(socket)?.waiting.length ?? 0) > 0;
  }
}

/** Options of an error, such as headers of the answer. */
type Options = ConstructorParameters<typeof GatewayError>[2];

/** An error with status 408, 417, 431, 501 or 505. None of the contract's error codes has these. */
class ProtocolError extends GatewayError {
  readonly #status: number;

  /** @param code the closest error code, for clients that look only at the code */
  constructor(status: number, code: ErrorCode, message: string, options?: Options) {
    super(code, message, options);
    this.#status = status;
  }

  override get status(): number {
    return this.#status;
  }
}

/**
 * HTTP methods that the server knows (RFC 9110, section 9.1, and PATCH). Node also parses others, such as
 * WebDAV's.
 */
const knownMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/**
 * Headers that a request may have only once. If one came twice, a proxy and this server might read different
 * values.
 */
const singletonHeaders = new Map([
  ['host', 'Host'],
  ['content-type', 'Content-Type'],
]);

const maxTargetLength = 8192;

/** Versions that the server speaks. Node also parses `HTTP/0.9` and `HTTP/2.0` in a request line. */
const knownVersions = new Set(['1.0', '1.1']);

/** Closes the connection, because it is not certain where the next request begins. */
const closeConnection = { headers: { Connection: 'close' } };

/** Creates the 501 for an unknown method (RFC 9110, section 15.6.2). */
function unknownMethod(): GatewayError {
  return new ProtocolError(
    501,
    'METHOD_NOT_ALLOWED',
    'The request method is not supported.',
    closeConnection,
  );
}

/** Creates the 505 for another version of HTTP (RFC 9110, section 15.6.6). */
function unknownVersion(): GatewayError {
  return new ProtocolError(505, 'BAD_REQUEST', 'This server speaks HTTP/1.1 and HTTP/1.0.', closeConnection);
}

/** Creates the 501 for an unknown `Transfer-Encoding` (RFC 9112, section 6.1). */
function unknownCoding(): GatewayError {
  return new ProtocolError(
    501,
    'BAD_REQUEST',
    'The header `Transfer-Encoding` can only be `chunked`.',
    closeConnection,
  );
}

/** Rejects a request with a second `Host` or `Content-Type`. Node silently keeps the first. */
function checkRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string;
    // Most names have another length, so they need no lower-case copy.
    if (raw.length !== 4 && raw.length !== 12) continue;
    const name = singletonHeaders.get(raw.toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name))
      throw new GatewayError('BAD_REQUEST', `The header \`${name}\` was sent twice.`, closeConnection);
    seen.add(name);
  }
}

/** Rejects ambiguous message framing, which allows request smuggling (RFC 9112, section 6.1). */
function checkFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0') {
    throw new GatewayError(
      'BAD_REQUEST',
      'HTTP/1.0 does not have the header `Transfer-Encoding`.',
      closeConnection,
    );
  }
  if (coding.trim().toLowerCase() !== 'chunked') throw unknownCoding();
  if (headers['content-length'] !== undefined) {
    throw new GatewayError(
      'BAD_REQUEST',
      '`Content-Length` and `Transfer-Encoding` cannot be combined.',
      closeConnection,
    );
  }
}

/**
 * Rejects an invalid `Host`, because the request's URL is built from it. HTTP/1.0 needs none (RFC 9112,
 * section 3.2).
 */
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined ? httpVersion === '1.0' : isAuthority(host)) return;
  throw new GatewayError('BAD_REQUEST', 'The header `Host` is not valid.', closeConnection);
}

/** Rejects a target that is neither a path nor a URL (RFC 9112, section 3.2). */
function checkTarget(request: IncomingMessage): void {
  const { url = '', method } = request;
  if (url.length > maxTargetLength)
    throw new GatewayError('BAD_REQUEST', `The address is longer than ${maxTargetLength} characters.`);
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return;
  if (isAuthority(targetAuthority(request) ?? '')) return;
  throw new GatewayError('BAD_REQUEST', 'The address is neither a path nor a URL of HTTP.', closeConnection);
}

/**
 * Checks the head of a request before anything is read or looked up for it.
 * @throws GatewayError 400, 501 or 505 (RFC 9110, section 15.6); it closes the connection if the framing is in
 * doubt
 */
export function checkHead(request: IncomingMessage): void {
  if (!knownVersions.has(request.httpVersion)) throw unknownVersion();
  checkFraming(request);
  checkRepeated(request);
  checkHost(request);
  if (!knownMethods.has(request.method ?? '')) throw unknownMethod();
  checkTarget(request);
}

/** Returns the error that `checkHead` throws for a request, if any. */
export function findHeadError(request: IncomingMessage): GatewayError | undefined {
  try {
    checkHead(request);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** Maximum bytes of a request's head, including its first line. */
const maxHeadBytes = 16 * 1024;

/** An error of Node's HTTP parser (llhttp). It has the bytes parsed last, and how many of them were valid. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** The answer to a request that arrives too slowly. */
export const late = new ProtocolError(408, 'BAD_REQUEST', 'The request took too long to arrive.');

const notHttp = new GatewayError('BAD_REQUEST', 'This is not valid HTTP.');

const errors: Readonly<Record<string, GatewayError>> = {
  HPE_HEADER_OVERFLOW: new ProtocolError(
    431,
    'BAD_REQUEST',
    `The address and the headers are larger than ${maxHeadBytes} bytes.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new GatewayError(
    'PAYLOAD_TOO_LARGE',
    'The chunk extensions of the body are too large.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: late,
};

/** A request line (RFC 9112, section 3). */
const requestLine = /[!#$%&'*+\-.^_`|~\w]+ \S+ HTTP\/1\.[01]\r?\n/y;

/** Recognizes a request line in which only the method is invalid. */
function isMethodAtFault({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return false;
  const text = rawPacket.toString('latin1');
  // Methods contain no line feed, so the line begins after the last one.
  requestLine.lastIndex = bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1;
  return requestLine.test(text);
}

/** Recognizes another version of HTTP in a request line, or HTTP/2's preface. */
function isVersionAtFault({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code === 'HPE_PAUSED_H2_UPGRADE') return true;
  if (code !== 'HPE_INVALID_VERSION' || !rawPacket) return false;
  const text = rawPacket.toString('latin1');
  return /^HTTP\/(?!1\.[01])\d\.\d\r?\n/.test(text.slice(text.lastIndexOf('HTTP/', bytesParsed)));
}

/** Recognizes a `Transfer-Encoding` that is unknown, or whose last coding is not `chunked`. */
function isCodingAtFault({ code, reason = '' }: ParserError): boolean {
  return code === 'HPE_INVALID_TRANSFER_ENCODING' && !reason.includes('Content-Length');
}

/**
 * Returns the response to bytes that Node cannot parse as a request.
 * @param request the request whose body is malformed, if the fault is in a body
 */
function parserErrorAnswer(error: ParserError, request: IncomingMessage | undefined): GatewayError {
  const head = request && findHeadError(request);
  if (head) return head;
  if (isMethodAtFault(error)) return unknownMethod();
  if (isVersionAtFault(error)) return unknownVersion();
  if (isCodingAtFault(error)) return unknownCoding();
  return errors[error.code ?? ''] ?? notHttp;
}

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

interface Wire {
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
    sendRawResponse(socket, error, { log, headers: transportHeaders(request) });
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
      if (refusal) respondLast(response, refusal);
      else answer(request, response);
    });
  };
  server.on('request', (request, response) => receive(request, response, listener));
  // Handled like any other request: dispatch.ts sends `100 Continue` once the caller is authorized.
  server.on('checkContinue', (request, response) => receive(request, response, listener));
  server.on('checkExpectation', (request, response) =>
    receive(request, response, () => respondLast(response, expected)),
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
