import type { Right } from '../domain/caller.js';
import type { Route } from '../domain/doors/route.js';
import { schema } from '../graphql/schema.js';
import { additions, type headingsOfAdditions, ownRoutes } from '../rest/additions.js';
import { checkFileType, checkJsonType, patchTypes } from '../rest/body.js';
import { createRest, type RestHandler } from '../rest/handler.js';
import { largestContents } from '../rest/lists/list.js';
import { bodyLimit, routes, takesBody, takesForm } from '../rest/routes.js';
import { configureRest, contractPath, type RestConfig, type SofaRoute } from '../rest/sofa.js';
import { isStrict, strictApplied } from '../rest/strict.js';
import { readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { withFileContents } from './embedded-files.js';
import { responseMemory } from './graphql/graphql.js';
import { formIn, isMultipart, multipartOverheadBytes } from './request/request.js';
import type { Endpoint, MethodHandler } from './routing/endpoint.js';

/** The contract and our additions as SOFA takes them. */
const contract = configureRest(schema, [...routes, ...additions]);

/** The contract's handler. All gateways of a process share it, because it keeps nothing but parsed operations. */
const contractHandler = createRest(schema, contract);

/** The right that each kind of route needs. */
const rights: Readonly<Record<Route['kind'], Right>> = {
  read: 'read',
  list: 'read',
  write: 'write',
  patch: 'write',
  act: 'write',
  delete: 'write',
  receive: 'upload',
  all: 'read',
  take: 'write',
};

/** Creates the handler of one route of the contract. */
function createMethodHandler(answer: RestHandler, served: SofaRoute): MethodHandler {
  const { method, declared: route } = served;
  const isWrite = method !== 'GET';
  return {
    access: route.right ?? rights[route.kind],
    hasStages: true,
    ...(route.kind === 'receive' && { signed: true, work: 'upload' }),
    ...(takesBody(route) && {
      body: {
        ...(route.kind !== 'take' && { hasMembers: true }),
        limit: ({ header }) => {
          const isForm = route.kind === 'take' && isMultipart(header('content-type'));
          return bodyLimit(route) + (isForm ? multipartOverheadBytes : 0);
        },
        check: ({ header }) => {
          const type = header('content-type');
          // A file that came in pieces has no body.
          if (route.kind === 'take' && type !== null) checkFileType(type);
          else if (!(takesForm(route) && isMultipart(type))) checkJsonType(type, route.kind === 'patch');
        },
      },
    }),
    async handle(request, exchange) {
      const { session = noSession(), body, stages } = exchange;
      if (isStrict(request.header('prefer'))) exchange.setHeader(...strictApplied);
      const query = readParameters(request.query);
      const memory = responseMemory(exchange.memory, () => isWrite);
      const type = request.header('content-type');
      const form = takesForm(route) && isMultipart(type) ? await formIn(type, body) : undefined;
      const given = { ...request, query, body, form, memory, stages, origin: exchange.origin };
      return answer(served, given, session);
    },
    complete: (answered, { session = noSession(), headOnly, memory }) =>
      withFileContents(session, answered, {
        ...(route.kind === 'list' && { most: largestContents }),
        ...{ isWritten: isWrite, headOnly, memory },
      }),
  };
}

/** Handlers of operations that have their own, by their ids. */
export type OwnHandlers = Readonly<Record<string, Pick<MethodHandler, 'handle'> & Partial<MethodHandler>>>;

/**
 * Creates the endpoints of the additions below a heading.
 * @param handlers of the operations that fields of the schema do not answer
 */
export function endpointsOfAdditions(
  heading: keyof typeof headingsOfAdditions,
  handlers: OwnHandlers,
): Endpoint[] {
  const own = ownRoutes
    .filter(({ tag }) => tag === heading)
    .map(({ path, method, right, operation }): [string, string, MethodHandler] => {
      const handler = handlers[operation];
      if (!handler) throw new Error(`Nothing answers ${operation}.`);
      return [path, method, { access: right, ...handler }];
    });
  return endpointsOf([
    ...answeredBy(contract, contractHandler, (route) => additions.includes(route) && route.tag === heading),
    ...own,
  ]);
}

/** Creates the endpoints of additions that fields of the schema answer alone. */
export const fieldEndpoints = (): Endpoint[] =>
  (['Document requests', 'Digests'] as const).flatMap((heading) => endpointsOfAdditions(heading, {}));

/** Lists the methods of routes that fields of the schema answer. */
const answeredBy = (
  { routes }: RestConfig,
  answer: RestHandler,
  isWanted: (route: Route) => boolean,
): [path: string, method: string, MethodHandler][] =>
  Object.values(routes)
    .filter(({ declared }) => isWanted(declared))
    .map((route) => [contractPath(route), route.method, createMethodHandler(answer, route)]);

/** Creates an endpoint for each path. */
function endpointsOf(methods: readonly [path: string, method: string, handler: MethodHandler][]): Endpoint[] {
  const paths = [...new Set(methods.map(([path]) => path))];
  return paths.map((path) => {
    const rows = methods.filter(([of]) => of === path);
    return {
      path,
      door: 'rest',
      methods: Object.fromEntries(rows.map(([, method, handler]) => [method, handler])),
      ...(rows.some(([, method]) => method === 'PATCH') && { acceptPatch: patchTypes.join(', ') }),
    };
  });
}

/**
 * Creates the endpoints of the REST door, one for each path of the contract. They bypass yoga: the Fetch
 * objects that yoga creates for a request and its response cost as much as a small request does.
 */
export function restEndpoints(table: readonly Route[] = routes): Endpoint[] {
  const config = table === routes ? contract : configureRest(schema, table);
  const answer = table === routes ? contractHandler : createRest(schema, config);
  return endpointsOf(answeredBy(config, answer, (route) => table.includes(route)));
}
