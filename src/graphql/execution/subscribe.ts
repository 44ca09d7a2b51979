import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { LiveEvent } from '../../live/feeds.js';
import type { Context } from '../context.js';
import { execute } from './execute.js';

/** A stream of results; one that fails says why in its last result. */
type Results = AsyncIterableIterator<ExecutionResult>;

/**
 * Runs a subscription as graphql-js does, with a session of its own per event. Thereby nothing that one event has
 * loaded, and no right that its caller had, is taken for true at the next.
 * @param finish makes a result what callers are shown
 */
export async function subscribe(
  args: ExecutionArgs,
  finish: (result: ExecutionResult) => ExecutionResult,
): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  // What the fields of the schema's subscription type give.
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
