import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import { ProtocolError } from './protocol-error.js';

/** HTTP methods that are known here (RFC 9110, section 9.1, and PATCH). Node also parses others, such as WebDAV's. */
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

/** Headers that a request may have only once. Of two, a proxy and this server might each read another one. */
const onlyOnce = new Map([
  ['host', 'Host'],
  ['content-type', 'Content-Type'],
]);

const maxTargetLength = 8192;

/** Ends the connection: where the next request begins is not certain. */
const closing = { headers: { Connection: 'close' } };

/** Creates the 501 of a method that is not known here (RFC 9110, section 15.6.2). */
export function unknownMethod(): GatewayError {
  return new ProtocolError(
    501,
    'METHOD_NOT_ALLOWED',
    'The method of the request is not known here.',
    closing,
  );
}

/** Creates the 501 of an unknown `Transfer-Encoding` (RFC 9112, section 6.1). */
export function unknownCoding(): GatewayError {
  return new ProtocolError(
    501,
    'BAD_REQUEST',
    'The header `Transfer-Encoding` may say nothing but `chunked`.',
    closing,
  );
}

/** Rejects a request with a second `Host` or `Content-Type`. Node keeps the first of two without a word. */
function checkRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string;
    // Most names are of another length, and need no copy in lower case.
    if (raw.length !== 4 && raw.length !== 12) continue;
    const name = onlyOnce.get(raw.toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name))
      throw new GatewayError('BAD_REQUEST', `The header \`${name}\` was sent twice.`, closing);
    seen.add(name);
  }
}

/** Refuses framing that is understood in more than one way (RFC 9112, section 6.1). */
function checkFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0') {
    throw new GatewayError('BAD_REQUEST', 'HTTP/1.0 has no header `Transfer-Encoding`.', closing);
  }
  if (coding.trim().toLowerCase() !== 'chunked') throw unknownCoding();
  if (headers['content-length'] !== undefined) {
    throw new GatewayError(
      'BAD_REQUEST',
      '`Content-Length` and `Transfer-Encoding` exclude each other.',
      closing,
    );
  }
}

/** Refuses a `Host` that is none: the request's URL is made with it. HTTP/1.0 does without (RFC 9112, section 3.2). */
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined ? httpVersion === '1.0' : URL.canParse(`http://${host}`)) return;
  throw new GatewayError('BAD_REQUEST', 'The header `Host` is not valid.', closing);
}

/**
 * Checks the head of a request, before anything is read or looked up for it.
 * @throws GatewayError 400, or 501 (RFC 9110, section 15.6.2); it closes the connection where framing is in doubt
 */
export function checkHead(request: IncomingMessage): void {
  const { url = '', method = '' } = request;
  checkFraming(request);
  checkRepeated(request);
  checkHost(request);
  if (!knownMethods.has(method)) throw unknownMethod();
  if (url.length > maxTargetLength) {
    throw new GatewayError('BAD_REQUEST', `The address is longer than ${maxTargetLength} characters.`);
  }
}

/** Gives the error that `checkHead` throws for a request, if any. */
export function findHeadError(request: IncomingMessage): GatewayError | undefined {
  try {
    checkHead(request);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
