import { type ExecutionResult, GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Exchange } from '../routing/exchange.js';
import type { createGraphql } from './graphql.js';

/** An operation with its HTTP request, or the equivalent of one. */
interface OperationRequest {
  readonly params: GraphQLParams;
  readonly request: Request;
}

/**
 * Runs a GraphQL operation with yoga. An error thrown by a plugin's hook becomes an error of the result.
 * @returns the events of a subscription, else one result
 */
export async function runOperation(
  yoga: ReturnType<typeof createGraphql>,
  { params, request }: OperationRequest,
  exchange: Exchange,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  try {
    return (await yoga.getResultForParams({ params, request }, { exchange })) ?? {};
  } catch (error) {
    const known = error instanceof GraphQLError ? error : undefined;
    return { errors: [known ?? new GraphQLError('', { originalError: error as Error })] };
  }
}
