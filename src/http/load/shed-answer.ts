import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import type { TextAnswer } from '../../web/answer.js';
import { errorAnswer, graphqlErrorAnswer } from '../../web/errors.js';
import { alwaysSent } from '../../web/headers.js';
import { lingerOn } from '../connections/linger.js';

/** Bytes of a refused body that are read and dropped to keep the connection open. */
const maxDrainedBytes = 64 * 1024;

/** An answer that is prepared in advance. */
interface PreparedAnswer {
  readonly head: readonly string[];
  readonly body: Buffer;
}

function prepareAnswer({ headers, body }: TextAnswer): PreparedAnswer {
  const bytes = Buffer.from(body ?? '');
  const head = { ...alwaysSent, ...headers, 'Content-Length': String(bytes.length) };
  return { head: Object.entries(head).flat(), body: bytes };
}

/** A refusal, prepared in the formats of both APIs. */
export interface PreparedRefusal {
  readonly error: GatewayError;
  readonly rest: PreparedAnswer;
  readonly graphql: PreparedAnswer;
}

function prepareRefusal(seconds: number): PreparedRefusal {
  const headers = { 'Retry-After': String(seconds) };
  const error = new GatewayError('UNAVAILABLE', 'The gateway is overloaded; try again.', { headers });
  const graphql = graphqlErrorAnswer(error, 'application/json');
  return { error, rest: prepareAnswer(errorAnswer(error)), graphql: prepareAnswer(graphql) };
}

/** Callers get different retry times, so that they do not all come back at once. */
const firstRefusal = prepareRefusal(1);
const refusals = [firstRefusal, prepareRefusal(2), prepareRefusal(3)];

/**
 * Picks the prepared 503 of the n-th shed request. They alternate, so that callers wait for different times.
 */
export const refusalFor = (shed: number): PreparedRefusal => refusals[shed % refusals.length] ?? firstRefusal;

/** Answers a shed request with 503. Only its head is read, which keeps this cheap. */
export function answerShed(
  request: IncomingMessage,
  response: ServerResponse,
  door: string,
  { rest, graphql }: PreparedRefusal,
): void {
  const { head, body } = door === 'graphql' ? graphql : rest;
  // Skip GET: Node builds `headers` on first access, which takes longer than all the rest.
  const closing = request.method !== 'GET' && hasLargeBody(request) ? ['Connection', 'close'] : [];
  if (closing.length > 0) lingerOn(request.socket);
  response.writeHead(503, [...head, 'X-Request-Id', randomUUID(), ...closing]).end(body);
}

/** Recognizes a large body, or one whose caller waits for `100 Continue`. */
function hasLargeBody({ headers }: IncomingMessage): boolean {
  if (headers.expect !== undefined) return true;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDrainedBytes
  );
}
