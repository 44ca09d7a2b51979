import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { splitTarget } from '../request/request.js';
import type { Exchange, RequestedEndpoint } from '../routing/exchange.js';

/** A request or operation that has ended, in whichever way. */
export interface Ended {
  readonly exchange: Exchange;
  /** Milliseconds from its beginning to the end of its answer. */
  readonly ms: number;
}

/** A request whose answer has been sent, or will not be sent any more. */
export interface Answered extends Ended {
  /** The request's method as it was sent: `HEAD` is not made `GET`. */
  readonly method: string;
  /** Without the query string and secrets. */
  readonly path: string;
  readonly response: ServerResponse;
}

/** Listener called when a request has ended. It runs between requests, so it must be quick and must not throw. */
export type OnAnswered = (answered: Answered) => void;

/** An operation over a WebSocket that has ended, or a refused connection. */
export interface Operated extends Ended {
  /** The status that the operation would have over HTTP; undefined when the client had gone. */
  readonly status: number | undefined;
}

/** Told of an operation at its end; it must be quick and must not throw. */
export type OnOperated = (operated: Operated) => void;

/** Returns a request's path without the query string and without secrets. */
export function loggedPath(
  { isSecret, route = 'secret' }: RequestedEndpoint,
  request: IncomingMessage,
): string {
  return isSecret ? route : splitTarget(request).path;
}

/** Tells of a request when it ends, whatever its end is. */
export function watchAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  onAnswered: OnAnswered,
): void {
  const started = performance.now();
  // What answers GET answers HEAD as well, and then calls it GET.
  const { method = '' } = request;
  response.once('close', () => {
    const ms = performance.now() - started;
    const path = loggedPath(exchange.place, request);
    onAnswered({ exchange, method, path, response, ms });
  });
}

/** Logs one line per request; never its query string, its headers or its body. */
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
