import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type GraphQLParams, isAsyncIterable, processRegularResult } from 'graphql-yoga';
import type { Logger } from 'pino';
import { isJson } from '../rest/body.js';
import type { Authenticate } from './auth.js';
import { answeredResult } from './errors.js';
import type { Exchange } from './exchange.js';
import type { createGraphql } from './graphql.js';
import { readParams } from './params.js';
import { headerOf, type ReadHeader, targetOf } from './request.js';

/** What the short way is made of. */
export interface FastOptions {
  readonly yoga: ReturnType<typeof createGraphql>;
  readonly authenticate: Authenticate;
  readonly log: Logger;
}

/** In what an answer is that is none of several, by the range that accepts it. */
const answered: Readonly<Record<string, string>> = {
  '*/*': 'application/json',
  'application/*': 'application/json',
  'application/json': 'application/json',
  'application/graphql-response+json': 'application/graphql-response+json',
};

/** In what yoga would answer; undefined where that takes more than a look. */
function typeOf(accept: string | null): string | undefined {
  const ranges = (accept || '*/*').toLowerCase().replaceAll(/\s/g, '').split(',');
  if (ranges.some((range) => range.includes('charset='))) return undefined;
  const known = ranges.map((range) => answered[range.split(';')[0] ?? '']);
  return known.find((type) => type !== undefined);
}

/** A response that is not sent by itself: what yoga makes of a result. */
class Answer {
  readonly body: string;
  readonly init: { readonly status: number; readonly headers: Record<string, string> };

  constructor(body: string, init: Answer['init']) {
    this.body = body;
    this.init = init;
  }
}

/** Yoga's hooks ask these of a request, and no more. */
function requestOf({ method, url }: IncomingMessage, header: ReadHeader): Request {
  const headers = { get: header, has: (name: string) => header(name) !== null };
  return { method, url: `http://gateway${url}`, headers } as unknown as Request;
}

const latin1 = new TextDecoder('latin1');

/** Whether a body may ask for a subscription, whose answer is a stream, or for a document that is stored here. */
const mayStream = (text: string) => /subscription|extensions|documentId/.test(text);

/** What yoga answers an operation; of what a hook throws it makes an error, too. */
async function resultOf(
  yoga: FastOptions['yoga'],
  asked: { readonly params: GraphQLParams; readonly request: Request },
  exchange: Exchange,
): Promise<ExecutionResult> {
  try {
    const result = await yoga.getResultForParams(asked, { exchange });
    // No document without the word is a subscription.
    if (isAsyncIterable(result)) throw new Error('A stream was answered.');
    return result ?? {};
  } catch (error) {
    const known = error instanceof GraphQLError ? error : undefined;
    return { errors: [known ?? new GraphQLError('', { originalError: error as Error })] };
  }
}

/**
 * The short way of most requests at the GraphQL door: an operation in a body of JSON, answered by one result. It goes
 * through every hook of yoga that a request of this kind has, with the same answers (a test compares them), but past
 * the Fetch objects that yoga's HTTP layer makes of a request and an answer: they cost more than a small query.
 * @returns a function that answers a request, or says that it does not: then nothing has been done
 */
export function createFastGraphql({ yoga, authenticate, log }: FastOptions) {
  return async (
    incoming: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<boolean> => {
    const { path, query } = targetOf(incoming);
    const header = headerOf(incoming);
    const type = typeOf(header('accept'));
    if (incoming.method !== 'POST' || path !== '/graphql' || query !== '' || type === undefined) return false;
    if (!isJson(header('content-type')) || mayStream(latin1.decode(exchange.body))) return false;
    await authenticate({ method: 'POST', path, header }, exchange);
    const request = requestOf(incoming, header);
    const params = await readParams(request, exchange.body);
    // In the body, it may have been escaped.
    if (mayStream(String(params.query))) return false;
    const result = answeredResult(await resultOf(yoga, { params, request }, exchange), log, exchange);
    const fetchAPI = { Response: Answer } as unknown as Parameters<typeof processRegularResult>[1];
    const { body, init } = processRegularResult(result, fetchAPI, type) as unknown as Answer;
    response.writeHead(init.status, { ...init.headers, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
    return true;
  };
}
