import { type ExecutionArgs, getOperationAST } from 'graphql';
import { createYoga, type YogaInitialContext } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { paths } from '../../domain/doors/paths.js';
import type { StageTimer } from '../../domain/doors/stages.js';
import type { Context, Door, SignInDoor } from '../../graphql/context.js';
import { federate } from '../../graphql/federation.js';
import { type AnswerMemory, AnswerSize } from '../../graphql/limits/answer-size.js';
import { requestLimits } from '../../graphql/limits/limits.js';
import { schema as ownSchema } from '../../graphql/schema.js';
import type { EventReader } from '../../live/follower.js';
import type { Live } from '../../live/live.js';
import type { ChatDoor } from '../../reminders/chat/chat-door.js';
import type { MailDoor } from '../../reminders/shown/mail-door.js';
import type { SignInContext } from '../../sign-in/context.js';
import { relyingPartyOf } from '../../sign-in/factors/relying-party.js';
import type { WebhookDoor } from '../../webhooks/webhook-door.js';
import { noSession } from '../auth/auth.js';
import type { MemoryHold } from '../load/memory-hold.js';
import type { Tracing } from '../metrics/tracing.js';
import { callerQuery } from '../pages/page-texts.js';
import type { Exchange } from '../routing/exchange.js';
import { type CookieSettings, cookiesAt } from '../session/cookies.js';
import { useConditions, useIdempotency } from './conditions.js';
import { useCost, useGatewayEngine, useTracing } from './engine.js';
import { createDocumentCache, useLimits } from './limits.js';
import { usePersistedDocuments } from './persisted.js';
import type { GatewayPlugin, ServerContext } from './plugin.js';
import { useStreams } from './streams.js';

export interface GraphqlOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly live: Live;
  readonly tracing?: Tracing | undefined;
  readonly stages: StageTimer;
  readonly mail?: MailDoor | undefined;
  readonly webhooks?: WebhookDoor | undefined;
  readonly chat?: ChatDoor | undefined;
  readonly signIn?: SignInContext | undefined;
  /** Documents of the console by the ids that it sends. They are answered whatever is configured. */
  readonly operations?: ReadonlyMap<string, string> | undefined;
  /** Further documents that are answered whatever is configured. */
  readonly documents?: readonly string[] | undefined;
}

/** Records the type of each operation. Queries may read from the replica; mutations read their own writes. */
function useOperationKind(): GatewayPlugin {
  const note = ({ document, operationName, contextValue }: ExecutionArgs) => {
    const { exchange, session } = contextValue as Context & ServerContext;
    exchange.operation = getOperationAST(document, operationName)?.operation;
    if (exchange.operation === 'query') session.readFromReplica();
  };
  return { onExecute: ({ args }) => note(args), onSubscribe: ({ args }) => note(args) };
}

/** GraphQL shows every field under its own name. */
const door: Door = {
  naming: (field) => field,
  shows: () => true,
  leaf: (type) => type,
  word: (value) => value,
  isContract: false,
  changes: (type) => `update${type}`,
};

/** The reader of an event stream. Its abort signal is created on first access. */
class StreamReader implements EventReader {
  readonly cut: () => void;
  readonly #request: Request;

  constructor(request: Request, { cut }: ServerContext['exchange']) {
    this.#request = request;
    this.cut = cut;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/**
 * Creates the memory account of a request's result. A mutation gets its bytes even if memory is short: its
 * changes have been made, and the client must learn about them.
 */
export function answerMemory(memory: MemoryHold, isWrite: () => boolean): AnswerMemory {
  return {
    take(bytes) {
      if (isWrite()) memory.force(bytes, 'answer');
      else if (!memory.tryGrow(bytes, 'answer')) throw memory.refusal();
    },
    release: (bytes) => memory.shrink(bytes, 'answer'),
  };
}

/** Creates what resolvers need to change how people sign in. */
function signInDoor(context: SignInContext, exchange: Exchange, settings: CookieSettings): SignInDoor {
  const origin = exchange.origin();
  const cookies = cookiesAt(origin, settings);
  const party = () => relyingPartyOf(cookies?.origin ?? origin, settings.publicUrl);
  if (!cookies || !exchange.setCookies) return { context, party };
  return { context, party, setSecret: (secret) => exchange.setCookies?.([cookies.set('session', secret)]) };
}

/** Creates the context of resolvers with the authenticated session. */
function createContext(
  { exchange, request }: ServerContext & YogaInitialContext,
  given: Pick<GraphqlOptions, 'live' | 'config' | 'mail' | 'webhooks' | 'chat' | 'signIn'> &
    Pick<Context, 'schema'>,
): Context {
  const { live, config, mail, webhooks, chat, signIn, schema } = given;
  const { session = noSession() } = exchange;
  const stream = { live, reader: new StreamReader(request, exchange) };
  const memory = answerMemory(exchange.memory, () => exchange.operation === 'mutation');
  const answer = new AnswerSize(requestLimits.answerBytes, memory);
  exchange.answer = answer;
  const origin = config.publicUrl ?? exchange.origin();
  return {
    session,
    schema,
    door,
    stream,
    origin,
    ...(mail && { mail }),
    ...(webhooks && { webhooks }),
    ...(chat && { chat }),
    ...(signIn && { signIn: signInDoor(signIn, exchange, config) }),
    fileContent: 'base64',
    answer,
    outcome: {},
  };
}

/**
 * Creates the GraphQL engine: yoga with the gateway's schema. Its HTTP layer is not used (graphql-door.ts).
 */
export function createGraphql({
  config,
  log,
  live,
  tracing,
  stages,
  mail,
  webhooks,
  chat,
  signIn,
  operations = new Map(),
  documents = [],
}: GraphqlOptions) {
  const schema = config.federation ? federate(ownSchema) : ownSchema;
  return createYoga<ServerContext, Context>({
    schema,
    context: (context) => createContext(context, { live, config, mail, webhooks, chat, signIn, schema }),
    graphqlEndpoint: paths.graphql,
    // Yoga's health check would answer every URL with this ending, so use an ending that no URL has.
    healthCheckEndpoint: '/\0',
    landingPage: false,
    batching: false,
    multipart: false,
    // body.ts has read and limited the body already, and useErrorCodes masks errors.
    maxRequestBodySize: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: createDocumentCache([...operations.values(), ...documents]),
    // cors.ts sets the headers of all answers, whichever door they come from.
    cors: false,
    // The editor is served with the other pages.
    graphiql: false,
    plugins: [
      // Parses, validates and executes documents; the plugins below wrap it.
      useGatewayEngine(stages, log),
      useCost(),
      useLimits(config.introspection, stages),
      usePersistedDocuments(config.persistedOperations, [callerQuery, ...documents], operations),
      useConditions(),
      useStreams(),
      useIdempotency(log),
      useOperationKind(),
      // Must wrap everything else that runs operations.
      ...(tracing ? [useTracing(tracing)] : []),
    ],
  });
}
