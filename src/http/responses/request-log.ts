import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { unavailableOf } from '../../db/connection/errors.js';
import { type ErrorCode, GatewayError, internalError } from '../../domain/errors.js';
import { publicError } from '../../graphql/errors.js';
import { noteError, type RequestContext } from '../routing/endpoint.js';

/**
 * Masks the errors of a GraphQL result for clients. Each gets its code; internal errors are logged and
 * hidden.
 */
function publicResult(result: ExecutionResult, log: Logger, id: string): ExecutionResult {
  if (!result.errors) return result;
  const report = (err: Error) => log.error({ err, id }, 'a resolver failed');
  return { ...result, errors: result.errors.map((error) => publicError(error, report)) };
}

/** Masks the errors of a request's result, and counts them. */
export function maskErrors(result: ExecutionResult, log: Logger, exchange: RequestContext): ExecutionResult {
  const shown = publicResult(result, log, exchange.id);
  for (const { extensions } of shown.errors ?? []) noteError(exchange, extensions.code as ErrorCode);
  return shown;
}

/** Converts anything thrown into an error for the caller. An internal error is logged first. */
export function toGatewayError(error: unknown, log: Logger, id: string): GatewayError {
  if (error instanceof GatewayError) return error;
  const away = unavailableOf(error);
  if (away) {
    log.error({ err: error, id }, away.message);
    return away;
  }
  log.error({ err: error, id }, 'a request failed');
  return internalError;
}

/** A request or operation that has ended, for whatever reason. */
export interface Ended {
  readonly exchange: RequestContext;
  /** Milliseconds from its start to the end of its answer. */
  readonly ms: number;
}

/** A request whose answer has been sent, or will never be sent. */
export interface EndedRequest extends Ended {
  /** The method as it was sent: `HEAD` does not become `GET`. */
  readonly method: string;
  readonly response: ServerResponse;
}

/**
 * Listener called when a request has ended. It runs between requests, so it must be quick and must not throw.
 */
export type OnEnded = (answered: EndedRequest) => void;

/** An operation over a WebSocket that has ended, or a refused connection. */
interface Operated extends Ended {
  /** The status that the operation would have over HTTP; undefined if the client had disconnected. */
  readonly status: number | undefined;
}

/** Listener called at the end of an operation. It must be quick and must not throw. */
export type OnOperated = (operated: Operated) => void;

/** Reports a request when it ends, for whatever reason. */
export function watchResponse(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: RequestContext,
  onAnswered: OnEnded,
): void {
  const started = performance.now();
  // HEAD is handled by the handler of GET, which changes `method`, so keep the original.
  const { method = '' } = request;
  response.once('close', () => {
    const ms = performance.now() - started;
    onAnswered({ exchange, method, response, ms });
  });
}

/** Logs one line per request, but never its query string, headers or body. */
export function logRequests(log: Logger): OnEnded {
  return ({ exchange: { id, session, trace, place }, method, response, ms }) => {
    log.info({
      id,
      method,
      path: place.shownPath,
      status: response.statusCode,
      ms: Math.round(ms * 10) / 10,
      ...(!response.writableFinished && { aborted: true }),
      ...(session && { tokenId: session.caller.tokenId }),
      ...(trace && { traceId: trace.id }),
    });
  };
}
