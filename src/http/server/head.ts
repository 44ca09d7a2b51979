import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import { ProtocolError } from './protocol-error.js';

/** Methods that are known here (RFC 9110, section 9.1, and PATCH); others that Node reads are WebDAV's and the like. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Headers that a request has once: two readers of it may each take another one of two for the right one. */
const onlyOnce = new Map([
  ['host', 'Host'],
  ['content-type', 'Content-Type'],
]);

/** Characters of an address at most. */
const longestTarget = 8192;

/** Ends the connection: where the next request begins is not certain. */
const last = { headers: { Connection: 'close' } };

/** The answer to a method that is none of ours (RFC 9110, section 15.6.2). */
export function unknownMethod(): GatewayError {
  return new ProtocolError(501, 'METHOD_NOT_ALLOWED', 'The method of the request is not known here.', last);
}

/** The answer to a transfer coding that is not understood (RFC 9112, section 6.1). */
export function unknownCoding(): GatewayError {
  return new ProtocolError(
    501,
    'BAD_REQUEST',
    'The header `Transfer-Encoding` may say nothing but `chunked`.',
    last,
  );
}

/** Refuses what says twice whose request it is, or what its body is; Node keeps the first of two. */
function checkRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string;
    // Most names are of another length, and need no copy in lower case.
    if (raw.length !== 4 && raw.length !== 12) continue;
    const name = onlyOnce.get(raw.toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name)) throw new GatewayError('BAD_REQUEST', `The header \`${name}\` was sent twice.`, last);
    seen.add(name);
  }
}

/** Refuses framing that is understood in more than one way (RFC 9112, section 6.1). */
function checkFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0') {
    throw new GatewayError('BAD_REQUEST', 'HTTP/1.0 has no header `Transfer-Encoding`.', last);
  }
  if (coding.trim().toLowerCase() !== 'chunked') throw unknownCoding();
  if (headers['content-length'] !== undefined) {
    throw new GatewayError(
      'BAD_REQUEST',
      '`Content-Length` and `Transfer-Encoding` exclude each other.',
      last,
    );
  }
}

/** Refuses a `Host` that is none: the request's URL is made with it. HTTP/1.0 does without (RFC 9112, section 3.2). */
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined ? httpVersion === '1.0' : URL.canParse(`http://${host}`)) return;
  throw new GatewayError('BAD_REQUEST', 'The header `Host` is not valid.', last);
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
  if (!methods.has(method)) throw unknownMethod();
  if (url.length > longestTarget) {
    throw new GatewayError('BAD_REQUEST', `The address is longer than ${longestTarget} characters.`);
  }
}

/** Gives the error that `checkHead` throws for a request, if any. */
export function headErrorOf(request: IncomingMessage): GatewayError | undefined {
  try {
    checkHead(request);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
