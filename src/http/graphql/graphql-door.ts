import type { ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type GraphQLParams, isAsyncIterable, processRegularResult } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { TimeSlices } from '../../db/connection/bounds.js';
import { paths } from '../../domain/doors/paths.js';
import type { Stage } from '../../domain/doors/stages.js';
import { exactText } from '../../domain/text/json.js';
import { largestBodies } from '../../rest/routes.js';
import { type HttpResponse, writeJson } from '../../web/response.js';
import { isMultipart, multipartOverheadBytes, prefersPage } from '../request/request.js';
import { eventStream, formatEvent, lastEvent, sendEvents } from '../responses/event-stream.js';
import { maskErrors } from '../responses/request-log.js';
import { withVary } from '../responses/response.js';
import type { Endpoint, Incoming, MethodHandler, RequestContext } from '../routing/endpoint.js';
import type { createGraphql } from './graphql.js';
import { checkAccept, checkParamsType, forgetParams, mediaTypeFor, readParams } from './params.js';

/** An operation with its HTTP request, or the equivalent of one. */
interface OperationRequest {
  readonly params: GraphQLParams;
  readonly request: Request;
}

/**
 * Runs a GraphQL operation with yoga. An error thrown by a plugin's hook becomes an error of the result.
 * @returns the events of a subscription, else one result
 */
export async function runOperation(
  yoga: ReturnType<typeof createGraphql>,
  { params, request }: OperationRequest,
  exchange: RequestContext,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  try {
    return (await yoga.getResultForParams({ params, request }, { exchange })) ?? {};
  } catch (error) {
    const known = error instanceof GraphQLError ? error : undefined;
    return { errors: [known ?? new GraphQLError('', { originalError: error as Error })] };
  }
}

interface GraphqlDoorOptions {
  readonly yoga: ReturnType<typeof createGraphql>;
  readonly log: Logger;
  /** Milliseconds between pings of a stream. */
  readonly heartbeat: number;
  /** The page that browsers get at the path. */
  readonly editor?: MethodHandler | undefined;
}

const emptyBody = new Uint8Array();

/**
 * The parts of a Fetch `Request` that yoga's hooks read. Creating a complete one costs as much as a small
 * query.
 */
class EngineRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly #response: ServerResponse;
  #gone: AbortController | undefined;

  constructor({ method, path, query, header }: Incoming, response: ServerResponse) {
    this.method = method;
    this.url = `http://gateway${path}${query && `?${query}`}`;
    this.headers = { get: header, has: (name) => header(name) !== null };
    this.#response = response;
  }

  /**
   * The signal that is aborted when the connection closes. It is created on first access; subscriptions need
   * it.
   */
  get signal(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController();
      if (this.#response.destroyed) gone.abort();
      else this.#response.once('close', () => gone.abort());
      this.#gone = gone;
    }
    return this.#gone.signal;
  }
}

/** Casts to Fetch's `Request`. Yoga and its plugins read no other members. */
const asRequest = (request: Pick<Request, 'method' | 'url' | 'signal'> & Pick<EngineRequest, 'headers'>) =>
  request as Request;

/** Replaces Fetch's `Response`: yoga creates it from a result. */
class ResultAnswer {
  readonly body: string;
  readonly init: { readonly status: number; readonly headers: Record<string, string> };

  constructor(body: string, init: ResultAnswer['init']) {
    this.body = body;
    this.init = init;
  }
}

/**
 * The part of yoga's `processRegularResult` that is used here. Its types demand all of Fetch, but it calls only the
 * constructor `Response`. The functions that it calls would need no Fetch, but yoga does not export them.
 */
type Process = (
  result: ExecutionResult,
  fetchAPI: { readonly Response: typeof ResultAnswer },
  type: string,
) => ResultAnswer;
const processResult = processRegularResult as unknown as Process;

/** A result with the function that writes it. Yoga calls it after it has hidden the details of errors. */
interface WritableResult extends ExecutionResult {
  readonly stringify?: (result: ExecutionResult) => string;
}

/** Writes a result with yoga, with the status and headers that its errors ask for. */
const writeResult = (result: WritableResult, type: string) =>
  processResult({ stringify: exactText, ...result }, { Response: ResultAnswer }, type);

const toJson = (result: ExecutionResult) => writeResult(result, 'application/json').body;

/** Writes the data of a large result in time slices. */
async function withDataWritten(result: ExecutionResult, slices: TimeSlices): Promise<WritableResult> {
  const data = await writeJson(result.data, slices);
  const stringify = ({ data: _, ...others }: ExecutionResult) => {
    const before = JSON.stringify(others).slice(0, -1);
    return `${before}${before === '{' ? '' : ','}"data":${data}}`;
  };
  return { ...result, stringify };
}

/** Writes a single GraphQL result in the media type that the client prefers. */
function writeAnswer(result: ExecutionResult, type: string): HttpResponse {
  const isJson = type.endsWith('json');
  const { body, init } = writeResult(result, isJson ? type : 'application/json');
  const { status, headers } = init;
  if (isJson) return { status, headers, body };
  if (type === eventStream) {
    return {
      status,
      headers: { ...headers, 'Content-Type': type },
      body: `${formatEvent(body)}${lastEvent}`,
    };
  }
  const part = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return {
    status,
    headers: { ...headers, 'Content-Type': `${type}; boundary="-"` },
    body: `\r\n---\r\n${part}\r\n\r\n${body}\r\n-----\r\n`,
  };
}

interface Received {
  readonly incoming: Incoming;
  readonly body: Uint8Array;
}

/** Reads the document, operation name and variables of a request. */
const readArguments: Stage<Received, Promise<GraphQLParams>> = {
  name: 'readArguments',
  run: ({ incoming, body }) => readParams(incoming, body),
};

/**
 * Runs that stage. It is a function of its own so that no variable in `answer` keeps the body for as long as
 * a stream is open.
 */
const runReadArguments = (incoming: Incoming, { stages, body }: RequestContext) =>
  stages.run(readArguments, { incoming, body });

interface Executed {
  readonly incoming: Incoming;
  readonly result: ExecutionResult;
  readonly slices: TimeSlices | undefined;
}

/** Writes a result in the media type that the caller prefers. */
const respond: Stage<Executed, HttpResponse | Promise<HttpResponse>> = {
  name: 'respond',
  run({ incoming, result, slices }) {
    const respondWith = (written: ExecutionResult) => {
      const answer = writeAnswer(written, mediaTypeFor(incoming.header('accept')));
      return incoming.method === 'GET' ? withVary('Accept', answer) : answer;
    };
    return slices?.isDivided && result.data
      ? withDataWritten(result, slices).then(respondWith)
      : respondWith(result);
  },
};

/**
 * Creates the endpoint `/graphql` over HTTP. Yoga is its engine and runs all hooks of its plugins. Its HTTP
 * layer is bypassed, because the Fetch objects of a request and a response cost more than a small query.
 */
export function graphqlEndpoint({ yoga, log, heartbeat, editor }: GraphqlDoorOptions): Endpoint {
  async function answer(incoming: Incoming, exchange: RequestContext, response: ServerResponse) {
    checkAccept(incoming.header('accept'));
    const params = await runReadArguments(incoming, exchange);
    // From here on only the parsed values are needed, and the body may contain a large file once more.
    exchange.body = emptyBody;
    const request = asRequest(new EngineRequest(incoming, response));
    const result = await runOperation(yoga, { params, request }, exchange);
    if (isAsyncIterable(result)) {
      forgetParams(params);
      exchange.memory.drop('body');
      await sendEvents(result, { response, exchange, heartbeat, write: toJson });
      return undefined;
    }
    const { stages, session } = exchange;
    return stages.run(respond, {
      incoming,
      result: maskErrors(result, log, exchange),
      slices: session?.slices,
    });
  }
  const query: MethodHandler = { access: 'token', handle: answer };
  const post: MethodHandler = {
    ...query,
    body: {
      limit: ({ header }) =>
        largestBodies.files + (isMultipart(header('content-type')) ? multipartOverheadBytes : 0),
      check({ header }) {
        checkAccept(header('accept'));
        checkParamsType(header);
      },
    },
  };
  return {
    path: paths.graphql,
    door: 'graphql',
    methods: {
      GET: ({ header }) => (editor && prefersPage(header('accept')) ? editor : query),
      POST: post,
    },
  };
}
