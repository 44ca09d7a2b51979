import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { unavailableOf } from '../../db/connection/errors.js';
import { type ErrorCode, GatewayError, internalError } from '../../domain/errors.js';
import { publicError } from '../../graphql/errors.js';
import { type Exchange, noteError } from '../routing/exchange.js';

/**
 * Masks the errors of a GraphQL result for clients. Each gets its code; internal errors are logged and
 * hidden.
 */
export function publicResult(result: ExecutionResult, log: Logger, id: string): ExecutionResult {
  if (!result.errors) return result;
  const report = (err: Error) => log.error({ err, id }, 'a resolver failed');
  return { ...result, errors: result.errors.map((error) => publicError(error, report)) };
}

/** Masks the errors of a request's result, and counts them. */
export function answeredResult(result: ExecutionResult, log: Logger, exchange: Exchange): ExecutionResult {
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
