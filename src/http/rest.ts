import type { Right } from '../domain/roles.js';
import { schema } from '../graphql/schema.js';
import { checkJsonType, patchTypes } from '../rest/body.js';
import { createRest } from '../rest/handler.js';
import { largestBodyOf, type Route } from '../rest/route.js';
import { routes } from '../rest/routes.js';
import { readParameters } from '../web/parameters.js';
import { withFileContents } from './answers/file-contents.js';
import { noSession } from './auth/auth.js';
import { answerMemory } from './graphql/graphql.js';
import type { Endpoint, Operation } from './router.js';

/** The same for every gateway of a process: it keeps the operations of the contract's rows, and nothing of callers. */
const answer = createRest(schema);

/** The right that each kind of row asks for. */
const rights: Readonly<Record<Route['kind'], Right>> = {
  read: 'read',
  list: 'read',
  write: 'write',
  patch: 'write',
  receive: 'upload',
};

/** The operation of a row of the contract. */
function operationOf(route: Route): Operation {
  const takesBody = route.kind !== 'read' && route.kind !== 'list';
  return {
    access: rights[route.kind],
    ...(route.kind === 'receive' && { signed: true, work: 'upload' }),
    ...(takesBody && {
      body: {
        limit: () => largestBodyOf(route),
        check: ({ header }) => checkJsonType(header('content-type'), route.kind === 'patch'),
      },
    }),
    async handle(request, exchange) {
      const { session = noSession(), body } = exchange;
      const query = readParameters(request.query);
      const given = { ...request, query, body, memory: answerMemory(exchange.memory, () => takesBody) };
      return withFileContents(session, await answer(route, given, session));
    },
  };
}

/**
 * The endpoints of the REST door: the rows of the contract, by path. They stand before yoga, not within it: the Fetch
 * objects that yoga makes of a request and an answer cost as much as a small request does.
 */
export function restEndpoints(): Endpoint[] {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return paths.map((path) => {
    const rows = routes.filter((route) => route.path === path);
    return {
      path,
      door: 'rest',
      methods: Object.fromEntries(rows.map((route) => [route.method, operationOf(route)])),
      ...(rows.some(({ kind }) => kind === 'patch') && { acceptPatch: patchTypes.join(', ') }),
    };
  });
}
