import { Request } from '@whatwg-node/fetch';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { makeServer, type Server } from 'graphql-ws';
import { isAsyncIterable } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Session } from '../../db/connection/session.js';
import { paths } from '../../domain/doors/paths.js';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import { type ErrorCode, errorKinds, GatewayError } from '../../domain/errors.js';
import { errorExtensions } from '../../graphql/errors.js';
import { schema } from '../../graphql/schema.js';
import type { Authenticate } from '../auth/auth.js';
import type { createGraphql } from '../graphql/graphql.js';
import { runOperation } from '../graphql/graphql-door.js';
import { forgetParams } from '../graphql/params.js';
import { type Admission, type Permit, unlimited } from '../load/admission.js';
import type { MemoryBudget } from '../load/memory.js';
import { maskErrors, type OnOperated, toGatewayError } from '../responses/request-log.js';
import { noteError, type RequestContext } from '../routing/endpoint.js';
import { closeForError, type WebSocketConnection } from './connection.js';

export interface ProtocolOptions {
  readonly yoga: ReturnType<typeof createGraphql>;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly onOperated: OnOperated;
  readonly stages: StageTimer;
  readonly memory: MemoryBudget;
  readonly admission: Admission;
  readonly connections: ReadonlySet<WebSocketConnection>;
}

/** Reads `Authorization` from the payload of `connection_init`, in any letter case. */
function readAuthorization(params: Record<string, unknown> | undefined): string | undefined {
  const [, value] =
    Object.entries(params ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  if (value === undefined) return undefined;
  // A value that is invalid in a header cannot be a token either.
  return typeof value === 'string' && /^[ -~]*$/.test(value) ? value : '';
}

/** Headers of the upgrade request that belong to each operation. */
const sentOnUpgrade = new Set(['cookie', 'origin', 'sec-fetch-site']);

/** Builds the Fetch request that an operation would be over HTTP. */
function createRequest({ authorization, signal }: WebSocketConnection): Request {
  const headers = new Headers({ Accept: 'text/event-stream' });
  if (authorization !== undefined) headers.set('Authorization', authorization);
  return new Request(`http://gateway${paths.graphql}`, { method: 'POST', headers, signal });
}

/** Serializes a GraphQL error for a client, without yoga's hints for HTTP responses. */
function serializeError(error: GraphQLError) {
  const { extensions: { http: _, ...extensions } = {}, ...shown } = error.toJSON();
  return { ...shown, extensions };
}

function asGraphqlError(error: GatewayError): GraphQLError {
  return new GraphQLError(error.message, { extensions: errorExtensions(error) });
}

/** The most WebSockets that one token may have open in a process. The same limit applies to subscriptions. */
const maxWebSocketsPerToken = 100;

/** @throws GatewayError TOO_MANY_REQUESTS if a token has too many connections open */
function checkWebSocketsPerToken(
  { tokenId }: WebSocketConnection,
  connections: ReadonlySet<WebSocketConnection>,
): void {
  let own = 0;
  for (const other of connections) if (other.tokenId === tokenId) own++;
  if (own <= maxWebSocketsPerToken) return;
  throw new GatewayError(
    'TOO_MANY_REQUESTS',
    `A token can have at most ${maxWebSocketsPerToken} WebSockets at once; close some of them.`,
  );
}

/** Ends an exchange with its status over HTTP. The status is undefined if the client has gone. */
type End = (status: number | undefined) => void;

/** Returns the HTTP status of an operation that was refused before it ran. */
function refusalStatus([error]: readonly GraphQLError[]): number {
  return errorKinds[error?.extensions.code as ErrorCode]?.status ?? 500;
}

/** A placeholder document. graphql-ws needs one to distinguish subscriptions from other operations. */
const document = parse('{ __typename }');

/**
 * Creates the protocol `graphql-transport-ws`. It decides who may connect, and runs operations like the HTTP
 * endpoint.
 */
export function createProtocol({
  yoga,
  authenticate,
  log,
  onOperated,
  stages,
  memory,
  admission,
  connections,
}: ProtocolOptions): Server<WebSocketConnection> {
  /** Callbacks that end a message's exchange, by the message's payload. */
  const ends = new WeakMap<object, (waitedFor: boolean) => void>();

  function begin({ id, socket, sender, origin }: WebSocketConnection): {
    exchange: RequestContext;
    end: End;
  } {
    const started = performance.now();
    const cut = () => {
      if (socket.bufferedAmount > 0) socket.terminate();
    };
    const exchange: RequestContext = {
      id,
      headOnly: false,
      cut,
      sender,
      origin,
      setHeader: () => {},
      memory: memory.open(),
      visit: unlimited,
      place: { door: 'graphql', route: paths.graphql, shownPath: paths.graphql },
      stages,
      body: new Uint8Array(),
    };
    const end = (status: number | undefined) => {
      exchange.memory.close();
      onOperated({ exchange, status, ms: performance.now() - started });
    };
    return { exchange, end };
  }
  const authenticateStage: Stage<
    { connection: WebSocketConnection; exchange: RequestContext },
    Promise<Session>
  > = {
    name: 'authenticate',
    run({ connection: { authorization, header: ofUpgrade }, exchange }) {
      const header = (name: string) => {
        if (name === 'authorization') return authorization ?? null;
        return sentOnUpgrade.has(name) ? ofUpgrade(name) : null;
      };
      return authenticate({ method: 'POST', path: paths.graphql, header, isUpgrade: true }, exchange);
    },
  };
  /** Waits for an operation's turn in admission control. */
  async function enter(): Promise<Permit> {
    const visit = admission.operation();
    await visit.turn();
    return visit;
  }
  /** Authenticates each operation again. */
  async function admit(connection: WebSocketConnection, exchange: RequestContext): Promise<void> {
    const { caller } = await stages.run(authenticateStage, { connection, exchange });
    connection.tokenId = caller.tokenId;
    // Keep the first caller: the memory must be returned to the same one.
    if (connection.memory.caller === '') connection.memory.caller = caller.tokenId;
  }
  async function run(connection: WebSocketConnection, exchange: RequestContext, params: object) {
    const result = await runOperation(yoga, { params, request: createRequest(connection) }, exchange);
    return isAsyncIterable(result) ? result : maskErrors(result, log, exchange);
  }
  return makeServer<Record<string, unknown>, WebSocketConnection>({
    async onConnect({ connectionParams, extra: connection }) {
      connection.authorization = readAuthorization(connectionParams) ?? connection.authorization;
      const { exchange, end } = begin(connection);
      let visit: Permit | undefined;
      try {
        visit = await enter();
        await admit(connection, exchange);
        checkWebSocketsPerToken(connection, connections);
        return true;
      } catch (error) {
        const known = toGatewayError(error, log, connection.id);
        noteError(exchange, known.code);
        end(known.status);
        closeForError(connection, known);
        return false;
      } finally {
        visit?.end();
      }
    },
    async onSubscribe(context, id, params): Promise<ExecutionArgs | GraphQLError[]> {
      const { extra: connection } = context;
      const { exchange, end } = begin(connection);
      const refused = (errors: GraphQLError[]) => {
        end(id in context.subscriptions ? refusalStatus(errors) : undefined);
        return errors;
      };
      let visit: Permit | undefined;
      try {
        visit = await enter();
        await admit(connection, exchange);
        const result = await run(connection, exchange, params);
        const isStream = isAsyncIterable(result);
        // Without data, the request itself failed, for which the protocol has a message of its own.
        if (!isStream && result.errors && result.data === undefined) return refused([...result.errors]);
        // A stream counts as answered, whichever side ends it.
        ends.set(params, (waitedFor) => end(isStream || waitedFor ? 200 : undefined));
        if (isStream) {
          forgetParams(params);
          connection.begun.get(params)?.();
        }
        return { schema, document, contextValue: result };
      } catch (error) {
        const known = toGatewayError(error, log, connection.id);
        noteError(exchange, known.code);
        const errors = refused([asGraphqlError(known)]);
        if (known.code === 'UNAUTHORIZED') closeForError(connection, known);
        return errors;
      } finally {
        // An open stream must not hold a slot of admission control.
        visit?.end();
      }
    },
    onComplete: ({ subscriptions }, id, params) => ends.get(params)?.(id in subscriptions),
    execute: ({ contextValue }) => contextValue as ExecutionResult | AsyncIterable<ExecutionResult>,
    onNext: ({ extra: { written } }, _id, _params, _args, { errors, data, ...result }) => ({
      ...result,
      ...(errors && { errors: errors.map(serializeError) }),
      ...(data !== undefined && { data: written.keep(data) }),
    }),
    onError: (_connection, _id, _params, errors) => errors.map(serializeError),
  });
}
