import { type ExecutionArgs, getOperationAST } from 'graphql';
import { createYoga, type YogaInitialContext } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Live } from '../data/live/live.js';
import { GatewayError } from '../domain/errors.js';
import { AnswerSize } from '../graphql/answer-size.js';
import type { Context, Door } from '../graphql/context.js';
import { limits } from '../graphql/limits.js';
import { schema } from '../graphql/schema.js';
import type { Authenticate } from './auth.js';
import { answeredResult, graphqlErrorResponse, toGatewayError } from './errors.js';
import { type GatewayPlugin, noteError, type ServerContext } from './exchange.js';
import { useIdempotency } from './idempotency.js';
import { createDocumentCache, useLimits } from './limits.js';
import { checkAccept, readParams } from './params.js';
import { usePersisted } from './persisted.js';
import { useReplica } from './replica.js';
import { askedOf } from './request.js';
import { useStreams } from './streams.js';
import { useTracing } from './traced-operations.js';
import type { Tracing } from './tracing.js';

/** What the GraphQL door is built of. */
export interface GraphqlOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly authenticate: Authenticate;
  readonly live: Live;
  readonly tracing?: Tracing | undefined;
  /** Further doors and pages, in the order in which they are asked. */
  readonly plugins: readonly GatewayPlugin[];
}

/** Gives every error its code, whichever stage of a request it comes from. */
function useErrorCodes(log: Logger): GatewayPlugin {
  return {
    onResultProcess({ result, setResult, serverContext: { exchange } }) {
      if ('errors' in result) setResult(answeredResult(result, log, exchange));
    },
  };
}

/** Opens the session of each GraphQL request and reads its parameters; without a session, nothing is parsed. */
function useSession(authenticate: Authenticate, log: Logger): GatewayPlugin {
  return {
    async onRequestParse({ request, setRequestParser, serverContext: { exchange }, endResponse }) {
      try {
        await authenticate(askedOf(request), exchange);
        checkAccept(request.headers.get('accept'));
        const params = await readParams(request, exchange.body);
        setRequestParser(() => params);
      } catch (error) {
        const accept = request.headers.get('accept');
        const told = toGatewayError(error, log, exchange.id);
        noteError(exchange, told.code);
        endResponse(graphqlErrorResponse(told, accept));
      }
    },
  };
}

/** Notes the kind of each operation that is run. */
function useOperationKind(): GatewayPlugin {
  const note = ({ document, operationName, contextValue }: ExecutionArgs) => {
    const operation = getOperationAST(document, operationName);
    if (operation) (contextValue as ServerContext).exchange.operation = operation.operation;
  };
  return { onExecute: ({ args }) => note(args), onSubscribe: ({ args }) => note(args) };
}

/** GraphQL shows everything under its own name. */
const door: Door = { naming: (field) => field, shows: () => true };

/** The session that `useSession` opened. */
function contextOf({ exchange, request }: ServerContext & YogaInitialContext, live: Live): Context {
  if (!exchange.session) throw new GatewayError('UNAUTHORIZED', 'No access token was sent.');
  const stream = { live, reader: { signal: request.signal, cut: exchange.cut } };
  const answer = new AnswerSize(limits.answerBytes);
  exchange.answer = answer;
  return { session: exchange.session, schema, door, stream, fileContent: true, answer, outcome: {} };
}

/**
 * Yoga with the gateway's schema at `/graphql`; it is also the frame in which the other doors and pages answer.
 */
export function createGraphql({ config, log, authenticate, live, tracing, plugins }: GraphqlOptions) {
  return createYoga<ServerContext, Context>({
    schema,
    context: (context) => contextOf(context, live),
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
    // Told in every answer, whichever door gives it (cors.ts).
    cors: false,
    // Served among the pages, at its own path alone.
    graphiql: false,
    plugins: [
      ...plugins,
      useSession(authenticate, log),
      useLimits(config.introspection),
      usePersisted(config.persistedOperations),
      useReplica(),
      useStreams(log),
      useIdempotency(log),
      useErrorCodes(log),
      useOperationKind(),
      // Around everything else that runs operations.
      ...(tracing ? [useTracing(tracing)] : []),
    ],
  });
}
