import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import { findHeadError, unknownCoding, unknownMethod, unknownVersion } from './head.js';
import { ProtocolError } from './protocol-error.js';

/** Maximum bytes of a request's head, including its first line. */
export const maxHeadBytes = 16 * 1024;

/** An error of Node's HTTP parser (llhttp). It has the bytes parsed last, and how many of them were valid. */
export interface ParserError extends NodeJS.ErrnoException {
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
export function parserErrorAnswer(error: ParserError, request: IncomingMessage | undefined): GatewayError {
  const head = request && findHeadError(request);
  if (head) return head;
  if (isMethodAtFault(error)) return unknownMethod();
  if (isVersionAtFault(error)) return unknownVersion();
  if (isCodingAtFault(error)) return unknownCoding();
  return errors[error.code ?? ''] ?? notHttp;
}
