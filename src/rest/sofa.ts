import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationTypeNode,
} from 'graphql';
import type { Route } from '../domain/doors/route.js';
import { execute } from '../graphql/execution/execute.js';
import { writeJson } from '../web/answer.js';
import type { RestContext } from './projection.js';

/** A request's variables, which we have read and checked. */
export type RouteVariables = Readonly<Record<string, unknown>>;

/** The record or list that answers a route, as a value and as JSON. */
export interface RouteResult {
  readonly value: unknown;
  readonly body: string;
}

/** Executes the operation of a route; rejects with the error that a resolver threw. */
export type Sofa = (route: Route, context: RestContext, variables: RouteVariables) => Promise<RouteResult>;

/** Executes an operation, like graphql-js. */
export type Run = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** Unwraps an error from what execution wraps around it. */
export function unwrapError(error: unknown): unknown {
  const original = (error as { originalError?: unknown }).originalError;
  return original === undefined ? error : unwrapError(original);
}

/** Builds the operation of a route. */
type Build = (route: Route) => DocumentNode;

/**
 * Loads SOFA and lets it build operations, each with all fields of its model. SOFA's router is not used: it
 * costs more than the rest of a small request, and reads the variables from query string and body, where one
 * overrides the other, null and missing look the same and large numbers are rounded.
 */
async function loadSofa(schema: GraphQLSchema): Promise<Build> {
  const [{ createSofa }, { buildOperationNodeForField }] = await Promise.all([
    import('sofa-api'),
    import('@graphql-tools/utils'),
  ]);
  const { models, ignore, depthLimit } = createSofa({ basePath: '/', schema });
  return ({ method, field }) => {
    const kind = (method === 'GET' ? 'query' : 'mutation') as OperationTypeNode;
    const shared = { schema, models, ignore, circularReferenceDepth: depthLimit };
    return { kind: Kind.DOCUMENT, definitions: [buildOperationNodeForField({ ...shared, kind, field })] };
  };
}

/**
 * Creates the executor of the routes. The first request loads SOFA, which has a sixth of all modules, so that
 * the start need not wait for it.
 * @param schema the projection of the gateway's schema onto the contract
 * @param run executes an operation; tests compare ours with graphql-js
 */
export function createSofaExecutor(schema: GraphQLSchema, run: Run = execute): Sofa {
  const operations = new Map<Route, DocumentNode>();
  let loading: Promise<Build> | undefined;

  async function build(route: Route): Promise<DocumentNode> {
    loading ??= loadSofa(schema);
    const document = (await loading)(route);
    operations.set(route, document);
    return document;
  }

  return async (route, contextValue, variables) => {
    const document = operations.get(route) ?? (await build(route));
    const result = await run({ schema, document, contextValue, variableValues: { ...variables } });
    if (result.errors) throw unwrapError(result.errors[0]);
    const value = result.data?.[route.field];
    return { value, body: await writeJson(value, contextValue.session.slices) };
  };
}
