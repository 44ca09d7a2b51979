import { createHash } from 'node:crypto';
import { useEngine } from '@envelop/core';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  locatedError,
  type ParseOptions,
  parse,
  type SelectionSetNode,
  type Source,
  specifiedRules,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { createGraphQLError, createYoga, type GraphQLParams, type YogaInitialContext } from 'graphql-yoga';
import type { Logger } from 'pino';
import { once } from '../../access/idempotency.js';
import type { Config } from '../../config/config.js';
import { isDeadlock } from '../../db/connection/errors.js';
import { paths } from '../../domain/doors/paths.js';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import { GatewayError } from '../../domain/errors.js';
import { FileError } from '../../domain/files.js';
import { exactText } from '../../domain/text/json.js';
import type { Context, Door, Services, SignInDoor } from '../../graphql/context.js';
import { execute, subscribe } from '../../graphql/execution/execute.js';
import { checkRepeats, checkText, passesFastValidation } from '../../graphql/limits/documents.js';
import {
  asInvalid,
  fragmentsOf,
  maxErrors,
  requestLimits,
  type SentVariables,
  valuesBesideInputs,
} from '../../graphql/limits/limits.js';
import { placed } from '../../graphql/limits/places.js';
import { type ResponseMemory, ResponseSize, withDoneNote } from '../../graphql/limits/response-size.js';
import { federate, schema as ownSchema } from '../../graphql/schema.js';
import type { EventReader } from '../../live/follower.js';
import type { Live } from '../../live/live.js';
import { relyingPartyOf } from '../../sign-in/factors/passkeys.js';
import type { SignInContext } from '../../sign-in/sessions.js';
import { checkKey, keyHeader, replayedHeader } from '../../web/parameters.js';
import { noSession } from '../auth/auth.js';
import type { MemoryHold } from '../load/memory.js';
import type { Tracing } from '../metrics/tracing.js';
import { callerQuery } from '../pages/pages.js';
import { accepts } from '../request/request.js';
import { eventStream } from '../responses/event-stream.js';
import { maskErrors, toGatewayError } from '../responses/request-log.js';
import type { RequestContext } from '../routing/endpoint.js';
import { type CookieSettings, cookiesAt } from '../session/cookies.js';
import {
  createDocumentCache,
  estimateDocumentBytes,
  type GatewayPlugin,
  type ServerContext,
  useLimits,
} from './limits.js';
import { forgetParams, usePersistedDocuments } from './params.js';

/** Hashes an operation: document, name and variables, including files. */
async function hashOperation({ query, operationName, variables }: GraphQLParams): Promise<string> {
  // Number the files, so that a file that occurs in a thousand places is read only once.
  const files = new Map<File, number>();
  const numberFile = (file: File) => {
    const number = files.get(file) ?? files.size + 1;
    files.set(file, number);
    return number;
  };
  const text = exactText([query, operationName ?? null, variables ?? null], (_name, value) =>
    value instanceof File ? numberFile(value) : value,
  );
  const hash = createHash('sha256').update(text);
  for (const file of files.keys()) {
    hash.update(JSON.stringify([file.name, file.type, file.size]));
    hash.update(new Uint8Array(await file.arrayBuffer()));
  }
  return hash.digest('base64url');
}

/** Thrown to roll back an operation with errors. */
class OperationFailed extends Error {
  constructor(readonly result: ExecutionResult) {
    super('The operation has errors.');
  }
}

/**
 * Removes the note that changes were made from a result-size error. They were not, as the transaction is
 * rolled back.
 */
function withoutDoneNote(error: GraphQLError): GraphQLError {
  const original = withDoneNote(error.originalError);
  return original === error.originalError ? error : locatedError(original, error.nodes, error.path);
}

/** Returns whether all that a result lacks are bytes of files. Its changes are none the worse for it. */
const lacksOnlyFiles = ({ data, errors = [] }: ExecutionResult) =>
  data != null && errors.every(({ originalError }) => originalError instanceof FileError);

/** Executes an operation. Throws a deadlock, to be retried, or a result with errors, to be rolled back. */
async function executeOrThrow(execute: () => unknown): Promise<ExecutionResult> {
  // A schema without @defer and @stream has only single results.
  const result = (await execute()) as ExecutionResult;
  if (!result.errors || lacksOnlyFiles(result)) return result;
  const deadlock = result.errors.find(({ originalError }) => originalError && isDeadlock(originalError));
  throw (
    deadlock?.originalError ?? new OperationFailed({ ...result, errors: result.errors.map(withoutDoneNote) })
  );
}

/**
 * Makes mutations with an `Idempotency-Key` idempotent: a retry gets the first result. Such a document is all
 * or nothing: a result with errors has no data, because nothing was written.
 */
function useIdempotency(log: Logger): GatewayPlugin {
  /** Creates the result of a request that was not executed, or whose transaction failed. */
  function refusal(error: unknown, id: string): ExecutionResult {
    const { message, status, headers } = toGatewayError(error, log, id);
    return { errors: [new GraphQLError(message, { extensions: { http: { status, headers } } })] };
  }
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { request, session, params, exchange } = args.contextValue;
      const key = request.headers.get(keyHeader);
      if (key === null) return;
      if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return;
      setExecuteFn(async (given) => {
        try {
          const keyed = { key: checkKey(key), fingerprint: await hashOperation(params) };
          let lacking: ExecutionResult['errors'];
          const work = async () => {
            const { errors, ...result } = await executeOrThrow(() => executeFn(given));
            lacking = errors;
            return result;
          };
          const { answer, replayed } = await once(session, keyed, work);
          if (replayed) return { ...answer, extensions: { http: { headers: replayedHeader } } };
          return lacking ? { ...answer, errors: lacking } : answer;
        } catch (error) {
          return error instanceof OperationFailed
            ? { ...error.result, data: null }
            : refusal(error, exchange.id);
        }
      });
    },
  };
}

/** Arguments of mutations that take versions, like `If-Match`. */
const versionArguments: ReadonlySet<string> = new Set(['ifVersion', 'ifVersions']);

/** Lists the mutations of an operation by their keys in the result. Fragments are followed. */
function mutationsOf({ document, operationName }: ExecutionArgs): FieldNode[] {
  const found = new Map<string, FieldNode>();
  const fragments = fragmentsOf(document);
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { alias, name } = selection;
        if (name.value !== '__typename') found.set((alias ?? name).value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'mutation') collect(operation.selectionSet);
  return [...found.values()];
}

/** Returns the refusal of an operation's `If-Match`, if any. */
function refusalOf(args: ExecutionArgs): GatewayError | undefined {
  const [mutation, ...others] = mutationsOf(args);
  if (!mutation) return undefined;
  if (others.length > 0) {
    const message =
      '`If-Match` works only with a single mutation; give each mutation an `ifVersion` instead.';
    return new GatewayError('BAD_REQUEST', message);
  }
  const field = args.schema.getMutationType()?.getFields()[mutation.name.value];
  if (field?.args.some(({ name }) => versionArguments.has(name))) return undefined;
  const message = `\`${mutation.name.value}\` changes no record whose version \`If-Match\` could name.`;
  return new GatewayError('PRECONDITION_FAILED', message);
}

/**
 * Rejects `If-Match` where it is unclear which record it applies to. It is a condition on the one record that
 * a request changes, so a document with several mutations must not have it.
 */
function useConditions(): GatewayPlugin {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      if (args.contextValue.request.headers.get('if-match') === null) return;
      const originalError = refusalOf(args);
      if (!originalError) return;
      const nodes = getOperationAST(args.document, args.operationName);
      const extensions = { http: { ...asInvalid().http, status: originalError.status } };
      setResultAndStopExecution({ errors: [new GraphQLError('', { nodes, originalError, extensions })] });
    },
  };
}

/** The request header that asks for an operation's cost. */
const costHeader = 'graphql-cost';

/**
 * Adds the cost of an operation to the extensions of its answer. Callers get it if they ask for it with the
 * header `GraphQL-Cost`, or if they are refused because of it. `useLimits`, which comes later, measures the
 * cost.
 */
function useCost(): GatewayPlugin {
  return {
    onExecute({ args }) {
      const { answer, request } = args.contextValue;
      const isAsked = request.headers.get(costHeader)?.trim().toLowerCase() === 'true';
      return {
        onExecuteDone({ result, setResult }) {
          const { cost } = answer;
          if (cost === undefined || !(isAsked || cost > requestLimits.cost)) return;
          // A schema without @defer and @stream has only single results.
          const { extensions, ...rest } = result as { readonly extensions?: object };
          const told = { requested: cost, limit: requestLimits.cost };
          setResult({ ...rest, extensions: { ...extensions, cost: told } });
        },
      };
    },
  };
}

/** Traces each query and mutation with a span. A subscription lasts for hours, so it has none. */
function useTracing(tracing: Tracing): GatewayPlugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => {
        const operation = getOperationAST(args.document, args.operationName);
        const run = async () => executeFn(args);
        return tracing.operation(operation?.operation ?? '', operation?.name?.value, run);
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn((args) => tracing.outside(() => subscribeFn(args)));
    },
  };
}

interface Text {
  readonly source: string | Source;
  readonly options: ParseOptions | undefined;
}

/** Parses a document whose text is within the limits. */
const parseDocument: Stage<Text, DocumentNode> = {
  name: 'parse',
  run({ source, options }) {
    checkText(source.toString());
    return parse(source, options);
  },
};

interface Parsed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly rules: readonly ValidationRule[] | undefined;
}

/**
 * Validates a document, unless it repeats so much that validation would be slow. One walk finds most valid
 * documents; the rules are only needed to explain what may be wrong with the others.
 */
const validateDocument: Stage<Parsed, readonly GraphQLError[]> = {
  name: 'validate',
  run({ schema, document, rules }) {
    const refusal = checkRepeats(document);
    if (refusal) return [refusal];
    if (passesFastValidation(schema, document)) return [];
    // graphql-js would add "too many errors" as one more error without a location, which would change the
    // answer's status.
    const options = { maxErrors: maxErrors, hideSuggestions: true };
    const own = (rules ?? specifiedRules).map((rule) =>
      rule === ValuesOfCorrectTypeRule ? valuesBesideInputs : rule,
    );
    return placed(validate(schema, document, own, options).slice(0, maxErrors), schema, document);
  },
};

/** Installs the gateway's parser, validator and executor in yoga. */
function useGatewayEngine(stages: StageTimer, log: Logger): GatewayPlugin {
  const engine = {
    parse: (source: string | Source, options?: ParseOptions) =>
      stages.run(parseDocument, { source, options }),
    validate: (schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) =>
      stages.run(validateDocument, { schema, document, rules }),
    execute: (args: ExecutionArgs) => execute(args, stages),
    subscribe: (args: ExecutionArgs) => {
      const { exchange } = args.contextValue as ServerContext;
      return subscribe(args, (result: ExecutionResult) => maskErrors(result, log, exchange));
    },
  };
  return useEngine(engine) as GatewayPlugin;
}

/** Returns the values of the variables that an operation declares. A request may send others, too. */
function usedVariables({ document, operationName, variableValues }: ExecutionArgs): SentVariables {
  const names = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const sent = variableValues ?? {};
  return Object.fromEntries(
    names
      .map(({ variable: { name } }) => name.value)
      .filter((name) => Object.hasOwn(sent, name))
      .map((name) => [name, sent[name]]),
  );
}

function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  return Object.values(value).reduce((sum: number, inner) => sum + estimateBytes(inner), 64);
}

/**
 * Runs subscriptions. Over HTTP they are server-sent events only, and each event is read anew. A stream keeps
 * its document and variables in memory, and nothing else of its request.
 */
function useStreams(): GatewayPlugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { request, exchange } = args.contextValue;
      if (accepts(request.headers.get('accept'), eventStream) && !exchange.headOnly) {
        const { memory } = exchange;
        args.variableValues = usedVariables(args);
        if (
          !memory.tryGrow(estimateDocumentBytes(args.document) + estimateBytes(args.variableValues), 'stream')
        ) {
          throw memory.refusal();
        }
        forgetParams(args.contextValue.params);
        return;
      }
      // Checked before the stream begins: yoga would refuse it itself, but leave it open.
      const message = `A subscription returns ${eventStream}: \`Accept\` it, or use a WebSocket.`;
      const error = createGraphQLError(message, { extensions: { http: { status: 406 } } });
      setResultAndStopExecution({ errors: [error] });
    },
  };
}

interface GraphqlOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly live: Live;
  readonly tracing?: Tracing | undefined;
  readonly stages: StageTimer;
  readonly services?: Services | undefined;
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
export function responseMemory(memory: MemoryHold, isWrite: () => boolean): ResponseMemory {
  return {
    take(bytes) {
      if (isWrite()) memory.force(bytes, 'answer');
      else if (!memory.tryGrow(bytes, 'answer')) throw memory.refusal();
    },
    release: (bytes) => memory.shrink(bytes, 'answer'),
  };
}

/** Creates what resolvers need to change how people sign in. */
function signInDoor(context: SignInContext, exchange: RequestContext, settings: CookieSettings): SignInDoor {
  const origin = exchange.origin();
  const cookies = cookiesAt(origin, settings);
  const party = () => relyingPartyOf(cookies?.origin ?? origin, settings.publicUrl);
  if (!cookies || !exchange.setCookies) return { context, party };
  return { context, party, setSecret: (secret) => exchange.setCookies?.([cookies.set('session', secret)]) };
}

/** Creates the context of resolvers with the authenticated session. */
function createContext(
  { exchange, request }: ServerContext & YogaInitialContext,
  given: Pick<GraphqlOptions, 'live' | 'config' | 'services' | 'signIn'> & Pick<Context, 'schema'>,
): Context {
  const { live, config, services, signIn, schema } = given;
  const { session = noSession() } = exchange;
  const stream = { live, reader: new StreamReader(request, exchange) };
  const memory = responseMemory(exchange.memory, () => exchange.operation === 'mutation');
  const answer = new ResponseSize(requestLimits.answerBytes, memory);
  exchange.answer = answer;
  const origin = config.publicUrl ?? exchange.origin();
  return {
    session,
    schema,
    door,
    stream,
    origin,
    ...(services && { services }),
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
  services,
  signIn,
  operations = new Map(),
  documents = [],
}: GraphqlOptions) {
  const schema = config.federation ? federate(ownSchema) : ownSchema;
  return createYoga<ServerContext, Context>({
    schema,
    context: (context) => createContext(context, { live, config, services, signIn, schema }),
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
