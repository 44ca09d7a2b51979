import { type IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Logger } from 'pino';
import type { GatewayError } from '../../domain/errors.js';
import { errorResponse } from '../../web/errors.js';
import { alwaysSent, type Coding, type HttpResponse } from '../../web/response.js';
import { askedOrigin } from '../request/request.js';
import type { RequestContext } from '../routing/endpoint.js';
import { isLoopback, ownOrigin } from '../session/cookies.js';

const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Unreadable-Files',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'WWW-Authenticate',
  'X-Error-Code',
  'X-Request-Id',
].join(', ');
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which browsers cache a preflight; the longest that any of them accepts. */
const preflightMaxAgeSeconds = 86_400;

/**
 * Creates the CORS handler: pages of the given origins may read responses (Fetch standard §3.2).
 * @returns a function that sets the headers of an answer; it returns true if it has answered the request,
 *   which was a preflight
 */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  return ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
    if (allowed.size === 0) return false;
    // Caches must not serve one origin's answer to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.setHeader('Access-Control-Allow-Methods', allowedMethods);
    const asked = headers['access-control-request-headers'];
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
    response.setHeader('Access-Control-Max-Age', preflightMaxAgeSeconds);
    response.writeHead(204).end();
    return true;
  };
}

/** The smallest body, in bytes, that is compressed. A smaller one fits into one packet anyway. */
const minCompressedBytes = 1024;

/** The gzip level. It takes half the time of the default for a tenth more bytes. */
const gzipLevel = 4;

const compressibleTypes =
  /^(text\/(?!event-stream)|application\/(json|graphql-response\+json|xml|yaml)\b|image\/svg)/;

const gzipped = promisify(gzip);

const byteLength = (body: string | Uint8Array) =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;

/**
 * Returns whether a response may be compressed. A 206 may not: its range counts the bytes of the uncompressed
 * file.
 */
function isCompressible({ status, headers, body }: HttpResponse): boolean {
  if (body === null || body instanceof Readable || status === 204 || status === 304 || status === 206)
    return false;
  return compressibleTypes.test(headers['Content-Type'] ?? '') && byteLength(body) >= minCompressedBytes;
}

/** Picks the content coding that a request prefers (`Accept-Encoding`); undefined for none. */
function preferredCoding({ headers }: IncomingMessage, { compressed }: HttpResponse): Coding | undefined {
  if (headers['accept-encoding'] === undefined) return undefined;
  const available = compressed ? ['br', 'gzip', 'identity'] : ['gzip', 'identity'];
  const accepted = new Negotiator({ headers }).encodings(available);
  if (accepted.includes('br')) return 'br';
  return accepted[0] === 'gzip' ? 'gzip' : undefined;
}

/** Merges lists of header names into one value of `Vary` without repetitions. */
function mergeVary(...lists: readonly (string | undefined)[]): string {
  const names = lists.flatMap((list) => (list ? list.split(/\s*,\s*/) : []));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}

/** Adds a header's name to an answer's `Vary` (RFC 9110 section 12.5.5). */
export function withVary(name: string, answer: HttpResponse): HttpResponse {
  return { ...answer, headers: { ...answer.headers, Vary: mergeVary(answer.headers.Vary, name) } };
}

/** Compresses a response as its request prefers. The entity tag remains that of the record. */
async function compressAnswer(request: IncomingMessage, answer: HttpResponse): Promise<HttpResponse> {
  if (!isCompressible(answer)) return answer;
  const headers = { ...answer.headers, Vary: mergeVary(answer.headers.Vary, 'Accept-Encoding') };
  const coding = preferredCoding(request, answer);
  if (coding === undefined) return { ...answer, headers };
  const { compressed, body } = answer;
  const bytes = compressed
    ? await compressed(coding)
    : await gzipped(body as string | Uint8Array, { level: gzipLevel });
  return { ...answer, headers: { ...headers, 'Content-Encoding': coding }, body: bytes };
}

interface Sending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: RequestContext;
  /** True if answers are compressed here rather than by a proxy in front. */
  readonly compress: boolean;
}

/** Sends a stream. A caller that disconnects early is not an error; the log says `aborted`. */
async function sendStream(body: Readable, response: ServerResponse): Promise<void> {
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/**
 * Sends an answer. The answer to HEAD has no body (RFC 9110 section 9.3.2).
 * @throws the error that interrupts a stream; the connection is cut then, because the caller could not detect
 *   it otherwise
 */
export async function sendResponse(
  { request, response, exchange, compress }: Sending,
  answer: HttpResponse,
): Promise<void> {
  const { status, headers, body } = compress ? await compressAnswer(request, answer) : answer;
  const isBare = body === null || status === 204 || status === 304;
  const length = isBare || body instanceof Readable ? {} : { 'Content-Length': byteLength(body) };
  const vary = mergeVary(headers.Vary, String(response.getHeader('Vary') ?? ''));
  response.writeHead(status, { ...headers, ...(vary && { Vary: vary }), ...length });
  if (body instanceof Readable) {
    // A stream must not hold a slot of admission control: it lasts as long as its caller wants.
    exchange.visit.end();
    // Node adds six listeners besides those of the stages that wait for the end, and takes eleven for a leak.
    response.setMaxListeners(20);
    if (!exchange.headOnly) return sendStream(body, response);
    body.destroy();
    response.end();
    return;
  }
  response.end(isBare || exchange.headOnly ? undefined : body);
  holdUnsent(response, exchange);
}

/** Counts unsent bytes of an answer in the memory budget until they are sent. */
function holdUnsent({ socket }: ServerResponse, { memory }: RequestContext): void {
  const unsent = socket?.writableLength ?? 0;
  // The bytes cannot be taken back, so take them without asking.
  if (unsent > 0) memory.force(unsent, 'answer');
}

/**
 * Milliseconds to flush the last response of a connection. Then it is cut, because its client does not read.
 */
const flushTimeoutMs = 1_000;

/** Builds the headers and body of an error response that closes its connection. */
function closingAnswer(error: GatewayError): { headers: Record<string, string | number>; body: string } {
  const { headers, body } = errorResponse(error);
  const text = body ?? '';
  return {
    headers: {
      ...alwaysSent,
      ...headers,
      'Content-Length': Buffer.byteLength(text),
      Connection: 'close',
    },
    body: text,
  };
}

/** Answers a request with an error and closes the connection, bypassing the listener. */
export function respondLast(response: ServerResponse, error: GatewayError): void {
  const { headers, body } = closingAnswer(error);
  response.writeHead(error.status, headers).end(body);
}

/** Writes a complete HTTP response as text, for a socket without a request. */
function rawAnswer(error: GatewayError, others: Readonly<Record<string, string>>): string {
  const { headers, body } = closingAnswer(error);
  const lines = Object.entries({ ...headers, ...others }).map(([name, value]) => `${name}: ${value}`);
  // The reason phrase may be empty (RFC 9112, section 4).
  return [`HTTP/1.1 ${error.status} `, `Date: ${new Date().toUTCString()}`, ...lines, '', body].join('\r\n');
}

/** Finds the response in progress on a socket. Node keeps it in a private field. */
function responseInProgress({
  _httpMessage,
}: Duplex & { _httpMessage?: unknown }): ServerResponse | undefined {
  return _httpMessage instanceof ServerResponse ? _httpMessage : undefined;
}

/**
 * Writes an error response straight to a socket, and closes the connection.
 * @param options.headers headers that it has besides its own
 */
export function sendRawResponse(
  socket: Duplex,
  error: GatewayError,
  { log, headers }: { readonly log: Logger; readonly headers: Readonly<Record<string, string>> },
): void {
  // The connection is being ended already, and takes at most as long as this would.
  if (socket.writableEnded) return;
  const { status, message } = error;
  const response = responseInProgress(socket);
  // Anything sent after the start of an answer would be read as part of it.
  if (!socket.writable || response?.headersSent) return void socket.destroy();
  // A request that has begun gets its own line in the log.
  if (response) response.statusCode = status;
  else log.info({ status, reason: message }, 'a request could not be read');
  // Node removes its listeners, including that of errors, from connections that ask for another protocol.
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), flushTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(rawAnswer(error, headers), () => socket.destroy());
}

/** Settings of the header `Strict-Transport-Security`. */
interface TransportSettings {
  readonly publicUrl: string | undefined;
  /** Days for which browsers use only https; Infinity if they are not told to. */
  readonly hstsDays: number;
  /** Number of proxies in front (address.ts). */
  readonly trustProxy: number;
}

/**
 * Returns the headers that an answer has because of how it was asked for.
 * @param request undefined for bytes that could not be read as one
 */
export type TransportHeaders = (request: IncomingMessage | undefined) => Readonly<Record<string, string>>;

const none: Readonly<Record<string, string>> = {};

/**
 * Returns the headers that tell browsers to use only https for a host (RFC 6797). Only answers over https have
 * them. Other programs on this machine may use plain http, also at other ports, so `localhost` is left out.
 */
export function transportSecurity({ publicUrl, hstsDays, trustProxy }: TransportSettings): TransportHeaders {
  if (hstsDays === Number.POSITIVE_INFINITY) return () => none;
  const strict = { 'Strict-Transport-Security': `max-age=${hstsDays * 86_400}` };
  return (request) => {
    const origin = request ? ownOrigin(askedOrigin(request, trustProxy), publicUrl) : publicUrl;
    if (origin === undefined) return none;
    const { protocol, hostname } = new URL(origin);
    return protocol === 'https:' && !isLoopback(hostname) ? strict : none;
  };
}
