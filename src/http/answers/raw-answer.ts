import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { GatewayError } from '../../domain/errors.js';
import { alwaysSent } from '../../web/answer.js';
import { errorAnswer } from '../../web/errors.js';

/**
 * Milliseconds to flush the last response of a connection. Then it is cut, because its client does not read.
 */
const flushTimeoutMs = 1_000;

/** Builds the headers and body of an error response that closes its connection. */
function closingAnswer(error: GatewayError): { headers: Record<string, string | number>; body: string } {
  const { headers, body } = errorAnswer(error);
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
export function answerLast(response: ServerResponse, error: GatewayError): void {
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
export function answerRaw(
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
