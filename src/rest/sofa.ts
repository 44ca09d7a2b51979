// REST as a configuration of SOFA. Our handler, the endpoints and the OpenAPI document read it; test/rest/sofa.test.ts
// mounts SOFA's own router on it, and compares the answers.
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationTypeNode,
} from 'graphql';
import type { createSofa } from 'sofa-api';
import { maxReadBytes, ReadBound } from '../db/connection/bounds.js';
import type { Session } from '../db/connection/session.js';
import type { Route } from '../domain/doors/route.js';
import type { Door } from '../graphql/context.js';
import { execute } from '../graphql/execution/execute.js';
import { type ResponseMemory, ResponseSize } from '../graphql/limits/response-size.js';
import { memberName } from '../web/parameters.js';
import { writeJson } from '../web/response.js';
import { contractLeaf, gatewayWord } from './body.js';
import { projectSchema, type RestContext } from './projection.js';
import { answersWithBody, creates, isMember, modelOf, operationIdOf, routes } from './routes.js';

type SofaConfig = Parameters<typeof createSofa>[0];

/** The REST door shows the members of the contract's models. */
export const restDoor: Door = {
  naming: memberName,
  shows: (type, field) => isMember(type, memberName(field)),
  leaf: contractLeaf,
  word: (value, type) => gatewayWord(value, type) ?? value,
  isContract: true,
  changes: (type) => {
    const route = routes.find(
      ({ kind, ...route }) => kind === 'patch' && 'model' in route && modelOf(route.model).type === type,
    );
    return route ? `PATCH ${route.path}` : `update${type} in GraphQL`;
  },
};

/** A route as SOFA takes it, with its declaration. */
export interface SofaRoute extends Required<NonNullable<SofaConfig['routes']>[string]> {
  readonly method: Route['method'];
  /** The path in SOFA's spelling, `/v1/vehicles/:id`. */
  readonly path: string;
  /** The status of a success (docs/use/rest.md). */
  readonly responseStatus: 200 | 201 | 204;
  readonly declared: Route;
}

/** The facts of a request that its resolvers may need. */
interface ContextOptions extends Partial<Pick<RestContext, 'body' | 'page' | 'fileContent' | 'origin'>> {
  readonly session: Session;
  /** The memory for creating the answer. */
  readonly memory?: ResponseMemory;
}

/** Executes an operation, like graphql-js. */
type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** The REST API as a configuration of SOFA. */
export interface RestConfig extends Omit<SofaConfig, 'context'> {
  /** The routes by their root field in the projection: `Query.vehicle`. */
  readonly routes: Readonly<Record<string, SofaRoute>>;
  readonly execute: Execute;
  /** Throws the error of a resolver. The server writes it, as it writes all errors (`errorResponse`). */
  readonly errorHandler: (errors: readonly unknown[]) => never;
  /** Creates the context of resolvers. The request can read only one list of one kind of record. */
  readonly context: (options: ContextOptions) => RestContext;
}

/** Returns the key of a route in SOFA's configuration. */
const keyOf = (route: Route) => `${route.method === 'GET' ? 'Query' : 'Mutation'}.${operationIdOf(route)}`;

/** Returns the path of a route as the contract spells it. */
export const contractPath = ({ path }: SofaRoute): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** Unwraps an error from what execution wraps around it. */
export function unwrapError(error: unknown): unknown {
  const original = (error as { originalError?: unknown }).originalError;
  return original === undefined ? error : unwrapError(original);
}

/** Converts a declared route to SOFA's form. */
const sofaRoute = (route: Route): SofaRoute => ({
  method: route.method,
  path: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  responseStatus: !answersWithBody(route) ? 204 : creates(route) || route.kind === 'take' ? 201 : 200,
  tags: [route.tag],
  description: route.summary,
  declared: route,
});

/**
 * Configures SOFA for the REST API.
 * @param gateway the gateway's schema
 * @param table the routes to serve
 */
export function configureRest(gateway: GraphQLSchema, table: readonly Route[] = routes): RestConfig {
  return {
    basePath: '/',
    schema: projectSchema(gateway, table),
    routes: Object.fromEntries(table.map((route) => [keyOf(route), sofaRoute(route)])),
    // An operation shows a record's own fields and those inside it, but no record again inside itself.
    depthLimit: 1,
    execute,
    errorHandler: ([error]) => {
      throw unwrapError(error);
    },
    context: ({ session, memory, page = 1, fileContent = 'none', body, origin }) => {
      session.readBound = new ReadBound(maxReadBytes);
      return {
        ...{ session, schema: gateway, door: restDoor, fileContent, page },
        ...(body && { body }),
        ...(origin !== undefined && { origin }),
        answer: new ResponseSize(Number.POSITIVE_INFINITY, memory),
        outcome: {},
        shown: {},
      };
    },
  };
}

/** A request's variables, which we have read and checked. */
export type RouteVariables = Readonly<Record<string, unknown>>;

/** The record or list that answers a route, as a value and as JSON. */
export interface RouteResult {
  readonly value: unknown;
  readonly body: string;
}

/** Executes the operation of a route; rejects with the error that a resolver threw. */
type RunRoute = (route: SofaRoute, context: RestContext, variables: RouteVariables) => Promise<RouteResult>;

/**
 * Creates the builder of routes' operations. They request all fields of the route's model. Like SOFA's router, it is
 * `buildOperationNodeForField` of `@graphql-tools/utils` with the models, ignored fields and depth that SOFA determines.
 */
async function loadOperationBuilder(config: RestConfig): Promise<(route: SofaRoute) => DocumentNode> {
  const [{ createSofa }, { buildOperationNodeForField }] = await Promise.all([
    import('sofa-api'),
    import('@graphql-tools/utils'),
  ]);
  const { schema, models, ignore, depthLimit } = createSofa(config as object as SofaConfig);
  return ({ declared }) => {
    const kind = (declared.method === 'GET' ? 'query' : 'mutation') as OperationTypeNode;
    const shared = { schema, models, ignore, circularReferenceDepth: depthLimit };
    const operation = buildOperationNodeForField({ ...shared, kind, field: operationIdOf(declared) });
    return { kind: Kind.DOCUMENT, definitions: [operation] };
  };
}

/**
 * Creates the executor of routes, which runs what SOFA's router would run. SOFA's
 * router does not serve: it costs more than the rest of a small request, has one status for each route, and reads the
 * variables from query string and body, where one overrides the other, null and missing look the same, and large
 * numbers are rounded. The first request loads SOFA, which has a sixth of all modules, so that the start need
 * not wait for it.
 */
export function createRunRoute(config: RestConfig): RunRoute {
  const operations = new Map<SofaRoute, DocumentNode>();
  let loading: Promise<(route: SofaRoute) => DocumentNode> | undefined;

  async function build(route: SofaRoute): Promise<DocumentNode> {
    loading ??= loadOperationBuilder(config);
    const document = (await loading)(route);
    operations.set(route, document);
    return document;
  }

  return async (route, contextValue, variables) => {
    const document = operations.get(route) ?? (await build(route));
    const { schema, execute, errorHandler } = config;
    const { data, errors } = await execute({
      ...{ schema, document, contextValue },
      variableValues: { ...variables },
    });
    if (errors) errorHandler(errors);
    const value = data?.[operationIdOf(route.declared)];
    return { value, body: await writeJson(value, contextValue.session.slices) };
  };
}
