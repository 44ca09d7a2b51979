import type { ExecutionResult } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { GatewayError } from '../domain/errors.js';
import type { Context, Door } from '../graphql/context.js';
import { publicError } from '../graphql/errors.js';
import { schema } from '../graphql/schema.js';
import { readJson } from '../rest/body.js';
import type { Authenticate } from './auth.js';
import { graphqlErrorResponse, toGatewayError } from './errors.js';
import type { GatewayPlugin, ServerContext } from './exchange.js';
import { isMultipart, readMultipart } from './multipart.js';

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

/** Opens the session of each GraphQL request; without one, nothing is parsed. */
function useSession(authenticate: Authenticate, log: Logger): GatewayPlugin {
  return {
    async onRequestParse({ request, setRequestParser, serverContext: { exchange }, endResponse }) {
      try {
        await authenticate(request, exchange);
        if (request.method !== 'POST') return;
        const type = request.headers.get('content-type');
        // Read as the REST door reads bodies: one kind, from the bytes that are here already.
        const params = isMultipart(type)
          ? await readMultipart(type, exchange.body)
          : readJson(type, exchange.body, false);
        if (typeof params !== 'object' || params === null) {
          throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object.');
        }
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
    cors: config.corsOrigins.length > 0 && {
      origin: [...config.corsOrigins],
      credentials: false,
      exposedHeaders: [
        'Accept-Ranges',
        'Content-Disposition',
        'Content-Range',
        'ETag',
        'Location',
        'Retry-After',
        'X-Error-Code',
        'X-Request-Id',
      ],
    },
    // Served among the pages, at its own path alone.
    graphiql: false,
    plugins: [...plugins, useSession(authenticate, log), useErrorCodes(log)],
  });
}
