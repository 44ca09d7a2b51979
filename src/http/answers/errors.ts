import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { unavailableOf } from '../../db/connection/errors.js';
import { type ErrorCode, GatewayError, internalError } from '../../domain/errors.js';
import { extensionsOf, publicError } from '../../graphql/errors.js';
import { errorAnswer } from '../../web/errors.js';
import { type Exchange, noteError } from '../exchange.js';
import { hasRefusalPage, refusalPageAnswer } from '../pages/pages.js';
import type { Place } from '../router.js';
import { type Asked, prefersPage } from '../server/request.js';
import { type Answer, varyingBy } from './answer.js';

/** The media type whose body is GraphQL's at any status (GraphQL over HTTP); of plain JSON, clients assume less. */
const graphqlResponse = 'application/graphql-response+json';

/**
 * An error as a GraphQL client reads it, for a request that never became an operation.
 * @param accept the request's header: some clients look for GraphQL's errors in GraphQL's own media type alone
 */
function graphqlErrorAnswer(error: GatewayError, accept: string | null): Answer {
  const body = { errors: [{ message: error.message, extensions: extensionsOf(error) }] };
  const type = accept?.toLowerCase().includes(graphqlResponse) ? graphqlResponse : 'application/json';
  return {
    status: error.status,
    headers: { 'Content-Type': `${type}; charset=utf-8`, ...error.headers },
    body: JSON.stringify(body),
  };
}

/**
 * An error in the words of the door that a request leads to. People who open an address in a browser are told by a
 * page; but below `/v1`, where the contract has one body for errors whatever `Accept` says.
 */
export async function errorAnswerFor({ door }: Place, asked: Asked, error: GatewayError): Promise<Answer> {
  const { header, method } = asked;
  const answer = door === 'graphql' ? graphqlErrorAnswer(error, header('accept')) : errorAnswer(error);
  const mayBePage = door !== 'rest' && (method === 'GET' || method === 'HEAD');
  if (!mayBePage || !hasRefusalPage(error.code)) return answer;
  const page = prefersPage(header('accept')) ? await refusalPageAnswer(error) : answer;
  return varyingBy('Accept', page);
}

/** A result as its caller is shown it: every error with its code, faults of ours logged and masked. */
export function publicResult(result: ExecutionResult, log: Logger, id: string): ExecutionResult {
  if (!result.errors) return result;
  const report = (err: Error) => log.error({ err, id }, 'a resolver failed');
  return { ...result, errors: result.errors.map((error) => publicError(error, report)) };
}

/** The public result that a request is answered with: its errors are counted. */
export function answeredResult(result: ExecutionResult, log: Logger, exchange: Exchange): ExecutionResult {
  const shown = publicResult(result, log, exchange.id);
  for (const { extensions } of shown.errors ?? []) noteError(exchange, extensions.code as ErrorCode);
  return shown;
}

/** What the caller is told of anything thrown; a fault of ours is logged first. */
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
