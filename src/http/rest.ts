import type { Right } from '../domain/caller.js';
import type { Route } from '../domain/doors/route.js';
import { schema } from '../graphql/schema.js';
import { checkJsonType, patchTypes } from '../rest/body.js';
import { createRest, type RestHandler } from '../rest/handler.js';
import { largestContents } from '../rest/lists/list.js';
import { bodyLimit, routes, takesBody, takesForm } from '../rest/routes.js';
import { configureRest, contractPath, type SofaRoute } from '../rest/sofa.js';
import { isStrict, strictApplied } from '../rest/strict.js';
import { readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { withFileContents } from './embedded-files.js';
import { responseMemory } from './graphql/graphql.js';
import { formIn, isMultipart } from './request/request.js';
import type { Endpoint, MethodHandler } from './routing/endpoint.js';

/** The contract as SOFA takes it. */
const contract = configureRest(schema);

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
        hasMembers: true,
        limit: () => bodyLimit(route),
        check: ({ header }) => {
          const type = header('content-type');
          if (!(takesForm(route) && isMultipart(type))) checkJsonType(type, route.kind === 'patch');
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
      const given = { ...request, query, body, form, memory, stages };
      return answer(served, given, session);
    },
    complete: (answered, { session = noSession(), headOnly, memory }) =>
      withFileContents(session, answered, {
        ...(route.kind === 'list' && { most: largestContents }),
        ...{ isWritten: isWrite, headOnly, memory },
      }),
  };
}

/**
 * Creates the endpoints of the REST door, one for each path of the contract. They bypass yoga: the Fetch
 * objects that yoga creates for a request and its response cost as much as a small request does.
 */
export function restEndpoints(table: readonly Route[] = routes): Endpoint[] {
  const config = table === routes ? contract : configureRest(schema, table);
  const answer = table === routes ? contractHandler : createRest(schema, config);
  const served = Object.values(config.routes);
  const paths = [...new Set(served.map(contractPath))];
  return paths.map((path) => {
    const rows = served.filter((route) => contractPath(route) === path);
    return {
      path,
      door: 'rest',
      methods: Object.fromEntries(rows.map((route) => [route.method, createMethodHandler(answer, route)])),
      ...(rows.some(({ method }) => method === 'PATCH') && { acceptPatch: patchTypes.join(', ') }),
    };
  });
}
