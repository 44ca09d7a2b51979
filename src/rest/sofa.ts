import { Response } from '@whatwg-node/fetch';
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import type { RestContext } from './projection.js';
import { routes } from './routes.js';

type ErrorHandler = NonNullable<Parameters<typeof useSofa>[0]['errorHandler']>;

/** A request's variables, read and checked by us. */
export type Variables = Readonly<Record<string, unknown>>;

interface SofaContext extends RestContext {
  readonly variables: Variables;
  /** Where the result is kept: SOFA and its router would turn a failure into an answer of their own. */
  readonly run: { result?: ExecutionResult };
}

/** What a resolver threw, out of the wrapping that execution puts around it. */
function originalOf(error: unknown): unknown {
  const original = (error as { originalError?: unknown }).originalError;
  return original === undefined ? error : originalOf(original);
}

/**
 * SOFA would read the variables from query string and body, where one overrides the other, null and absent look
 * the same and large numbers are rounded. It gets ours instead.
 */
async function executeWith({ contextValue, ...args }: ExecutionArgs) {
  const { variables, run } = contextValue as SofaContext;
  run.result = await execute({ ...args, contextValue, variableValues: { ...variables } });
  return run.result;
}

/** What a row of the contract shows: as it is, and written as JSON. */
export interface Shown {
  readonly value: unknown;
  readonly body: string;
}

/** Answers a row of the contract. */
export type Sofa = (
  path: string,
  method: string,
  context: RestContext,
  variables: Variables,
) => Promise<Shown>;

/**
 * SOFA over the projection: it finds the route's operation, selects every member of its model, executes it and
 * writes the answer.
 * @returns a function that rejects with what a resolver threw
 */
export function createSofa(schema: GraphQLSchema): Sofa {
  const router = useSofa({
    basePath: '/',
    schema,
    // Its type promises graphql-js' function, which may also answer at once; SOFA awaits either.
    execute: executeWith as typeof execute,
    // Not an answer, since the failure is kept; its type is fets' narrower one of the same class.
    errorHandler: () => new Response(null, { status: 500 }) as unknown as ReturnType<ErrorHandler>,
    routes: Object.fromEntries(
      routes.map(({ method, path, field }) => [
        `${method === 'GET' ? 'Query' : 'Mutation'}.${field}`,
        { method, path: path.replace('{id}', ':id') },
      ]),
    ),
  });
  return async (path, method, context, variables) => {
    const run: SofaContext['run'] = {};
    const sofaContext: SofaContext = { ...context, variables, run };
    const response = await router.fetch(`http://gateway${path}`, { method }, sofaContext);
    if (run.result?.errors) throw originalOf(run.result.errors[0]);
    if (response.status !== 200) throw new Error(`SOFA answered ${response.status} to ${method} ${path}.`);
    const [value] = Object.values(run.result?.data ?? {});
    return { value, body: await response.text() };
  };
}
