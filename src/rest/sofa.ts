import { Response } from '@whatwg-node/fetch';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { useSofa } from 'sofa-api';
import { execute } from '../graphql/execution/execute.js';
import type { RestContext } from './projection.js';
import type { Route } from './route.js';
import { routes } from './routes.js';

type Options = Parameters<typeof useSofa>[0];
type Execute = NonNullable<Options['execute']>;
type ErrorHandler = NonNullable<Options['errorHandler']>;

/** A request's variables, read and checked by us. */
export type Variables = Readonly<Record<string, unknown>>;

/** What a resolver threw, out of the wrapping that execution puts around it. */
function originalOf(error: unknown): unknown {
  const original = (error as { originalError?: unknown }).originalError;
  return original === undefined ? error : originalOf(original);
}

/** What a row of the contract shows: as it is, and written as JSON. */
export interface Shown {
  readonly value: unknown;
  readonly body: string;
}

/** Answers a row of the contract. */
export type Sofa = (route: Route, context: RestContext, variables: Variables) => Promise<Shown>;

/** SOFA's way of writing the id in a path. */
const pathOf = (path: string, id: string) => path.replace('{id}', id);

/**
 * The operations that SOFA makes of the rows: each asks the row's field for every member of its model. A row's is
 * SOFA's answer to the first request of that row, and is kept: its router, and the Fetch objects around it, cost more
 * than the rest of a small request, and would read the variables from query string and body, where one overrides the
 * other, null and absent look the same and large numbers are rounded.
 */
function createOperations(schema: GraphQLSchema): (route: Route) => Promise<DocumentNode> {
  let asked: DocumentNode | undefined;
  /** Makes SOFA's router. SOFA is loaded by the first request: a sixth of all modules, which no start has to wait for. */
  const createRouter = async () =>
    (await import('sofa-api')).useSofa({
      basePath: '/',
      schema,
      execute: (async ({ document }) => {
        asked = document;
        return { data: {} };
      }) as Execute,
      // What becomes of SOFA's own answer does not matter; the type is fets' narrower one of the same class.
      errorHandler: () => new Response(null, { status: 500 }) as unknown as ReturnType<ErrorHandler>,
      routes: Object.fromEntries(
        routes.map(({ method, path, field }) => [
          `${method === 'GET' ? 'Query' : 'Mutation'}.${field}`,
          { method, path: pathOf(path, ':id') },
        ]),
      ),
    });
  let router: ReturnType<typeof createRouter> | undefined;
  const operations = new Map<Route, Promise<DocumentNode>>();
  let queue: Promise<unknown> = Promise.resolve();

  async function ask({ method, path }: Route): Promise<DocumentNode> {
    router ??= createRouter();
    const { fetch } = await router;
    asked = undefined;
    await fetch(`http://gateway${pathOf(path, '0')}`, { method });
    if (!asked) throw new Error(`SOFA has no operation for ${method} ${path}.`);
    return asked;
  }

  return (route) => {
    const known = operations.get(route);
    if (known) return known;
    // One after the other, since SOFA does not say which of its requests it executes.
    const operation = queue.then(() => ask(route));
    queue = operation.catch(() => {});
    operations.set(route, operation);
    return operation;
  };
}

/**
 * SOFA over the projection: it makes the operation of a row, which is executed with our variables.
 * @returns a function that rejects with what a resolver threw
 */
export function createSofa(schema: GraphQLSchema): Sofa {
  const operationOf = createOperations(schema);
  return async (route, contextValue, variables) => {
    const document = await operationOf(route);
    const result = await execute({ schema, document, contextValue, variableValues: { ...variables } });
    if (result.errors) throw originalOf(result.errors[0]);
    const value = result.data?.[route.field];
    return { value, body: JSON.stringify(value) };
  };
}
