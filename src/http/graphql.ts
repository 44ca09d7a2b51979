import type { ExecutionResult } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { GatewayError } from '../domain/errors.js';
import type { Context, Door } from '../graphql/context.js';
import { publicError } from '../graphql/errors.js';
import { schema } from '../graphql/schema.js';
import type { Authenticate } from './auth.js';
import { corsOf, useVary } from './cors.js';
import { graphqlErrorResponse, toGatewayError } from './errors.js';
import type { GatewayPlugin, ServerContext } from './exchange.js';
import { useRefusals } from './guard.js';
import { createDocumentCache, useLimits } from './limits.js';
import { checkAccept, readParams } from './params.js';
import { usePersisted } from './persisted.js';

/** What the GraphQL door is built of. */
export interface GraphqlOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly authenticate: Authenticate;
  /** Further doors and pages, in the order in which they are asked. */
  readonly plugins: readonly GatewayPlugin[];
}

/** Gives every error its code, whichever stage of a request it comes from. */
function useErrorCodes(log: Logger): GatewayPlugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const report = (err: Error) => log.error({ err, id: serverContext.exchange.id }, 'a resolver failed');
      const { errors } = result as ExecutionResult;
      if (!errors) return;
      setResult({
        ...(result as ExecutionResult),
        errors: errors.map((error) => publicError(error, report)),
      });
    },
  };
}

/** Opens the session of each GraphQL request and reads its parameters; without a session, nothing is parsed. */
function useSession(authenticate: Authenticate, log: Logger): GatewayPlugin {
  return {
    async onRequestParse({ request, setRequestParser, serverContext: { exchange }, endResponse }) {
      try {
        await authenticate(request, exchange);
        checkAccept(request.headers.get('accept'));
        const params = readParams(request, exchange.body);
        setRequestParser(() => params);
      } catch (error) {
        endResponse(graphqlErrorResponse(toGatewayError(error, log, exchange.id)));
      }
    },
  };
}

/** GraphQL shows everything under its own name. */
const door: Door = { naming: (field) => field, shows: () => true };

/** The session that `useSession` opened. */
function contextOf({ exchange }: ServerContext): Context {
  if (!exchange.session) throw new GatewayError('UNAUTHORIZED', 'No access token was sent.');
  return { session: exchange.session, schema, door, fileContent: true, outcome: {} };
}

/**
 * Yoga with the gateway's schema at `/graphql`; it is also the frame in which the other doors and pages answer.
 */
export function createGraphql({ config, log, authenticate, plugins }: GraphqlOptions) {
  return createYoga<ServerContext, Context>({
    schema,
    context: contextOf,
    graphqlEndpoint: '/graphql',
    // Yoga's own check would answer for any URL with this ending; no URL has this one.
    healthCheckEndpoint: '/\0',
    landingPage: false,
    batching: false,
    multipart: false,
    // Bodies arrive read and limited (body.ts), errors leave masked (useErrorCodes).
    maxRequestBodySize: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: createDocumentCache(),
    cors: corsOf(config.corsOrigins),
    // Served among the pages, at its own path alone.
    graphiql: false,
    plugins: [
      useVary(config.corsOrigins),
      useRefusals(),
      ...plugins,
      useSession(authenticate, log),
      useLimits(config.introspection),
      usePersisted(config.persistedOperations),
      useErrorCodes(log),
    ],
  });
}
