import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { GatewayError } from '../domain/errors.js';
import { errorAnswer } from '../rest/errors.js';
import { alwaysSent } from './headers.js';

/** How what never became a request is answered: libraries' own words are for those who write parsers. */
export interface Failure {
  readonly status: number;
  readonly error: GatewayError;
}

/** The headers of a failure's answer, which is the last of its connection. */
export function headersFor({ error }: Failure, body: string): Record<string, string | number> {
  const { headers } = errorAnswer(error);
  return { ...alwaysSent, ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
}

/** A whole answer, for a connection without a request. */
function rawAnswer(failure: Failure): string {
  const body = errorAnswer(failure.error).body ?? '';
  const lines = Object.entries(headersFor(failure, body)).map(([name, value]) => `${name}: ${value}`);
  // A reason may be empty (RFC 9112, section 4).
  return [`HTTP/1.1 ${failure.status} `, `Date: ${new Date().toUTCString()}`, ...lines, '', body].join(
    '\r\n',
  );
}

/** The answer that a connection is at; Node keeps it there, and looks at it when it answers by itself. */
function responseOf({ _httpMessage }: Duplex & { _httpMessage?: unknown }): ServerResponse | undefined {
  return _httpMessage instanceof ServerResponse ? _httpMessage : undefined;
}

/** Answers on a connection that no request can be answered on, in the words of all errors, and ends it. */
export function answerRaw(socket: Duplex, failure: Failure, log: Logger): void {
  const { status, error } = failure;
  const response = responseOf(socket);
  // What is added to an answer on its way would be read as a part of it.
  if (!socket.writable || response?.headersSent) return void socket.destroy();
  // A request that has begun has a line of its own in the log.
  if (response) response.statusCode = status;
  else log.info({ status, reason: error.message }, 'a request could not be read');
  socket.end(rawAnswer(failure), () => socket.destroy());
}
