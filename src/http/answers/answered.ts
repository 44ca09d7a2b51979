import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { splitTarget } from '../request/request.js';
import type { Exchange, RequestedEndpoint } from '../routing/exchange.js';

/** A request or operation that has ended, for whatever reason. */
export interface Ended {
  readonly exchange: Exchange;
  /** Milliseconds from its start to the end of its answer. */
  readonly ms: number;
}

/** A request whose answer has been sent, or will never be sent. */
export interface Answered extends Ended {
  /** The method as it was sent: `HEAD` does not become `GET`. */
  readonly method: string;
  /** The path without query string and secrets. */
  readonly path: string;
  readonly response: ServerResponse;
}

/**
 * Listener called when a request has ended. It runs between requests, so it must be quick and must not throw.
 */
export type OnAnswered = (answered: Answered) => void;

/** An operation over a WebSocket that has ended, or a refused connection. */
export interface Operated extends Ended {
  /** The status that the operation would have over HTTP; undefined if the client had disconnected. */
  readonly status: number | undefined;
}

/** Listener called at the end of an operation. It must be quick and must not throw. */
export type OnOperated = (operated: Operated) => void;

/** Returns a request's path without query string and secrets. */
export function loggedPath(
  { isSecret, route = 'secret' }: RequestedEndpoint,
  request: IncomingMessage,
): string {
  return isSecret ? route : splitTarget(request).path;
}

/** Reports a request when it ends, for whatever reason. */
export function watchAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  onAnswered: OnAnswered,
): void {
  const started = performance.now();
  // HEAD is handled by the handler of GET, which changes `method`, so keep the original.
  const { method = '' } = request;
  response.once('close', () => {
    const ms = performance.now() - started;
    const path = loggedPath(exchange.place, request);
    onAnswered({ exchange, method, path, response, ms });
  });
}

/** Logs one line per request, but never its query string, headers or body. */
export function logAnswers(log: Logger): OnAnswered {
  return ({ exchange: { id, session, trace }, method, path, response, ms }) => {
    log.info({
      id,
      method,
      path,
      status: response.statusCode,
      ms: Math.round(ms * 10) / 10,
      ...(!response.writableFinished && { aborted: true }),
      ...(session && { tokenId: session.caller.tokenId }),
      ...(trace && { traceId: trace.id }),
    });
  };
}
