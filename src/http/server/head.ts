import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import { isAuthority, targetAuthority } from '../request/request.js';
import { ProtocolError } from './protocol-error.js';

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
export function unknownMethod(): GatewayError {
  return new ProtocolError(
    501,
    'METHOD_NOT_ALLOWED',
    'The request method is not supported.',
    closeConnection,
  );
}

/** Creates the 505 for another version of HTTP (RFC 9110, section 15.6.6). */
export function unknownVersion(): GatewayError {
  return new ProtocolError(505, 'BAD_REQUEST', 'This server speaks HTTP/1.1 and HTTP/1.0.', closeConnection);
}

/** Creates the 501 for an unknown `Transfer-Encoding` (RFC 9112, section 6.1). */
export function unknownCoding(): GatewayError {
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
