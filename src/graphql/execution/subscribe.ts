import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  locatedError,
} from 'graphql';
import type { LiveEvent } from '../../live/feeds.js';
import type { Context } from '../context.js';
import { withMissingArgument } from '../errors.js';
import { execute } from './execute.js';

/** A stream of results. If it fails, its last result has the error. */
type Results = AsyncIterableIterator<ExecutionResult>;

/** Names the argument with the id of no record in a refused subscription's errors. */
function explainedResult(result: ExecutionResult, args: ExecutionArgs): ExecutionResult {
  const { variableDefinitions = [] } = getOperationAST(args.document, args.operationName) ?? {};
  const { coerced = {} } = getVariableValues(args.schema, variableDefinitions, args.variableValues ?? {});
  const errors = result.errors?.map((error) => {
    const [node] = error.nodes ?? [];
    const original = error.originalError;
    if (node?.kind !== Kind.FIELD || !original) return error;
    const explained = withMissingArgument(original, node, coerced);
    return explained === original ? error : locatedError(explained, error.nodes, error.path);
  });
  return errors ? { ...result, errors } : result;
}

/**
 * Runs a subscription like graphql-js, but with a new session per event. So data and rights loaded for one
 * event are not reused for the next.
 * @param finish prepares a result for the client
 */
export async function subscribe(
  args: ExecutionArgs,
  finish: (result: ExecutionResult) => ExecutionResult,
): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return explainedResult(source, args);
  // This is the type of what the subscription fields return.
  const events = source[Symbol.asyncIterator]() as AsyncIterator<LiveEvent<unknown>>;
  const context = args.contextValue as Context;
  let { answer } = context;
  let isOver = false;

  const over = { done: true, value: undefined } as const;
  async function result(): Promise<ExecutionResult | undefined> {
    try {
      const { done, value: event } = await events.next();
      if (done) return undefined;
      answer = answer.next();
      const contextValue: Context = { ...context, session: event.session, answer, outcome: {} };
      return await execute({ ...args, contextValue, rootValue: event });
    } catch (error) {
      isOver = true;
      return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
    }
  }
  async function end() {
    isOver = true;
    await events.return?.();
    return over;
  }
  const results: Results = {
    async next() {
      const next = isOver ? undefined : await result();
      return next ? { done: false, value: finish(next) } : over;
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return results;
}
