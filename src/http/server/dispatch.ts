import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Session } from '../../db/connection/session.js';
import { hasRight, refusalOf } from '../../domain/caller.js';
import type { Stage } from '../../domain/doors/stages.js';
import { GatewayError } from '../../domain/errors.js';
import { readParameters } from '../../web/parameters.js';
import type { HttpResponse } from '../../web/response.js';
import type { Authenticate } from '../auth/auth.js';
import type { MemoryHold } from '../load/memory.js';
import { sendResponse } from '../responses/response.js';
import {
  allowedMethods,
  type Endpoint,
  type Incoming,
  type MethodHandler,
  type RequestContext,
  type Routed,
  type Router,
  type TakesBody,
} from '../routing/endpoint.js';
import { respondOnce } from './claim-key.js';
import { late } from './wire.js';

const emptyBody = new Uint8Array();

/** Size in bytes from which a chunk of a body is kept without being copied. */
const minUncopiedBytes = 4 * 1024;

/** Largest block, in bytes, into which small chunks are copied. Blocks grow with the body. */
const maxBlockBytes = 64 * 1024;

/**
 * Collects the chunks of a body. Small chunks are copied together, because each Buffer costs some hundred
 * bytes however small it is, and a caller may send its body in chunks of one byte.
 */
class BodyChunks {
  #whole: Buffer[] = [];
  #block = Buffer.alloc(0);
  #filled = 0;
  size = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    // Most bodies arrive in one chunk.
    if (piece.length >= minUncopiedBytes || this.size === piece.length) {
      this.#endBlock();
      this.#whole.push(piece);
      return;
    }
    if (this.#filled + piece.length > this.#block.length) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafe(Math.min(maxBlockBytes, Math.max(minUncopiedBytes, this.size)));
    }
    this.#filled += piece.copy(this.#block, this.#filled);
  }

  #endBlock(): void {
    if (this.#filled > 0) this.#whole.push(this.#block.subarray(0, this.#filled));
    this.#block = this.#block.subarray(this.#filled);
    this.#filled = 0;
  }

  whole(): Uint8Array {
    this.#endBlock();
    const [first = emptyBody] = this.#whole;
    return this.#whole.length === 1 ? first : Buffer.concat(this.#whole);
  }

  drop(): void {
    this.#whole = [];
    this.#block = Buffer.alloc(0);
    this.#filled = 0;
  }
}

/**
 * Number of chunks that is always allowed, and the minimum average size beyond it. Each chunk takes some
 * microseconds however small it is: in chunks of one byte, the largest body would take minutes.
 */
const [uncheckedChunks, minAverageChunkBytes] = [64 * 1024, 16];

const codings = 'gzip, identity';

/** Returns whether a request has a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`);
}

/**
 * Checks what a request's head announces about its body, before any of it is read.
 * @throws GatewayError PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE for a content coding other than gzip
 */
function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== 'gzip') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body can only be compressed with gzip.', {
      headers: { 'Accept-Encoding': codings },
    });
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** Decompresses a body by its `Content-Encoding`. */
function decoded(request: IncomingMessage): Readable {
  if (request.headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return request;
  const gunzip = createGunzip();
  // A client can cut the connection after the compressed bytes, when nobody reads them any more.
  gunzip.on('error', () => {});
  request.once('error', (error) => gunzip.destroy(error));
  request.once('close', () => {
    if (!request.complete) gunzip.destroy(new Error('The request was aborted.'));
  });
  return request.pipe(gunzip);
}

/**
 * Reads a request's body up to a limit, which counts bytes after decompression. Reading waits while there is
 * no memory for more (backpressure). Memory is taken as bytes arrive, so a body that is only announced takes
 * none from others.
 * @throws GatewayError PAYLOAD_TOO_LARGE as soon as the body is known to be larger; BAD_REQUEST if it ends
 *   early, comes in too many small chunks or is not the gzip that it claims to be, or 408 if it is late while
 *   others wait for its memory; UNAVAILABLE if no memory becomes free in time
 */
async function readBody(request: IncomingMessage, limit: number, memory: MemoryHold): Promise<Uint8Array> {
  if (!hasBody(request)) return emptyBody;
  if (request.destroyed && !request.complete) throw endedEarly();
  const source = decoded(request);
  return new Promise((resolve, reject) => {
    const pieces = new BodyChunks();
    let sent = 0;
    let chunks = 0;
    /**
     * Removes all listeners. The request object lives as long as its stream, and the listeners would keep the
     * body in memory.
     */
    const removeListeners = () => {
      source.off('data', take).off('end', finish).off('error', fail);
      request.off('data', count).off('close', abort);
    };
    const stop = (error: unknown) => {
      removeListeners();
      source.on('error', () => {});
      if (source !== request) request.unpipe();
      request.resume();
      if (source !== request) source.destroy();
      pieces.drop();
      memory.received();
      memory.drop('body');
      reject(error);
    };
    const giveUp = () => stop(late);
    /**
     * Limits the bytes and chunks that arrive. A gzip stream can go on for ever and decompress to nothing.
     */
    const count = (chunk: Buffer): boolean => {
      sent += chunk.length;
      chunks += 1;
      const isPieced = chunks > uncheckedChunks && sent < chunks * minAverageChunkBytes;
      if (sent > limit) stop(tooLarge(limit));
      else if (isPieced) stop(tooManyChunks());
      return sent <= limit && !isPieced;
    };
    const take = (chunk: Buffer) => {
      if (source === request && !count(chunk)) return;
      if (pieces.size + chunk.length > limit) return stop(tooLarge(limit));
      pieces.add(chunk);
      try {
        const wait = memory.receive(chunk.length, giveUp);
        if (!wait) return;
        source.pause();
        wait.then(() => source.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    const finish = () => {
      removeListeners();
      // What follows the compressed bytes is dropped; unread, it would hold the connection up.
      if (source !== request) request.unpipe().resume();
      memory.received();
      resolve(pieces.whole());
    };
    const fail = () =>
      stop(request.complete || source === request ? notGzip(source === request) : endedEarly());
    // Every request emits "close" in the end, so check first: creating an error is slow.
    const abort = () => {
      if (!request.complete) stop(endedEarly());
    };
    if (source !== request) request.on('data', count);
    source.on('data', take).once('end', finish).once('error', fail);
    request.once('close', abort);
  });
}

function tooManyChunks(): GatewayError {
  return new GatewayError(
    'BAD_REQUEST',
    `The body has too many chunks: above ${uncheckedChunks}, they must have at least ${minAverageChunkBytes} bytes on average.`,
  );
}

function endedEarly(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'The body ended early.');
}

function notGzip(isPlain: boolean): GatewayError {
  return isPlain
    ? endedEarly()
    : new GatewayError('BAD_REQUEST', 'The body is not gzip, as `Content-Encoding` says.');
}

/** Routes requests to their handlers. */
export interface Dispatcher {
  /** Runs the stage `match`, which comes first for every request. It never throws. */
  readonly route: Router;
  /** Answers a request, or rejects with the error to send. */
  answer(
    routed: Routed,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: RequestContext,
  ): Promise<void>;
}

interface DispatchOptions {
  readonly router: Router;
  readonly authenticate: Authenticate;
  readonly compress: boolean;
}

/** Creates the 405 for a method that a path does not have. */
function methodRefusal(endpoint: Endpoint): GatewayError {
  const headers = { Allow: allowedMethods(endpoint) };
  return new GatewayError('METHOD_NOT_ALLOWED', `This path supports only ${headers.Allow}.`, { headers });
}

/** Adds the metadata's address to the challenge of a 401 (RFC 9728 section 5.1). */
function withMetadata(error: unknown, address: string): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'UNAUTHORIZED') return error;
  const { message, headers } = error;
  const challenge = headers['WWW-Authenticate'] ?? 'Bearer';
  const told = `${challenge}${challenge.includes(' ') ? ',' : ''} resource_metadata="${address}"`;
  return new GatewayError('UNAUTHORIZED', message, { headers: { ...headers, 'WWW-Authenticate': told } });
}

/** Lists what a path accepts, as headers (RFC 9110 section 9.3.7, RFC 5789 section 3.1). */
function optionsHeaders(endpoint: Endpoint): Record<string, string> {
  const { acceptPatch, options } = endpoint;
  return {
    ...options,
    Allow: allowedMethods(endpoint),
    ...(acceptPatch !== undefined && { 'Accept-Patch': acceptPatch }),
  };
}

/** The body of a request. It is read once, and only when a stage needs it. */
class RequestBody {
  readonly #takes: TakesBody;
  readonly #incoming: Incoming;
  readonly #response: ServerResponse;
  readonly #exchange: RequestContext;
  #read: Promise<Uint8Array> | undefined;

  constructor(takes: TakesBody, incoming: Incoming, response: ServerResponse, exchange: RequestContext) {
    this.#takes = takes;
    this.#incoming = incoming;
    this.#response = response;
    this.#exchange = exchange;
  }

  /**
   * Checks the headers that announce the body, and reads it. Sends `100 Continue` first to a client that
   * waits for it.
   */
  read(): Promise<Uint8Array> {
    if (this.#read) return this.#read;
    const limit = this.#takes.limit(this.#incoming);
    const response = this.#response;
    const { req: request } = response;
    const { memory, visit } = this.#exchange;
    checkAnnounced(request, limit);
    this.#takes.check(this.#incoming);
    if (request.headers.expect !== undefined && hasBody(request)) response.writeContinue();
    this.#read = visit.whileReceiving(readBody(request, limit, memory));
    return this.#read;
  }
}

/** A request whose caller is not authenticated and authorized yet. */
interface Unauthenticated {
  readonly incoming: Incoming;
  readonly exchange: RequestContext;
  readonly access: Exclude<MethodHandler['access'], 'public'>;
}

/** Reads the body after the caller has been authorized. */
const readBodyStage: Stage<RequestBody, Promise<Uint8Array>> = {
  name: 'readBody',
  run: async (body) => body.read(),
};

type Work = () => Promise<HttpResponse | undefined>;

/** Executes a request and answers it. */
const executeStage: Stage<Work, ReturnType<Work>> = { name: 'execute', run: (work) => work() };

/** Answers a request of the REST door by the stages after `readBody`. */
function answerRest(
  incoming: Incoming,
  handler: MethodHandler,
  exchange: RequestContext,
  work: Work,
): ReturnType<Work> {
  const execute = handler.hasStages ? work : () => exchange.stages.run(executeStage, work);
  return respondOnce({ incoming, handler, exchange }, execute);
}

/**
 * Creates the dispatcher: match path and method, authenticate, authorize, read the body, handle. The body is
 * read only for an authorized caller. For a signed request, the body is part of the authentication.
 */
export function createDispatcher({ router, authenticate, compress }: DispatchOptions): Dispatcher {
  const authenticateStage: Stage<Unauthenticated, Promise<Session>> = {
    name: 'authenticate',
    async run({ incoming, exchange, access }) {
      const session = await authenticate(incoming, exchange);
      const { caller } = session;
      // GraphQL checks each field itself.
      if (access !== 'token' && !hasRight(caller, access)) throw refusalOf(caller);
      return session;
    },
  };

  /** Authorizes the caller, then reads the body if the handler takes one. */
  async function receive(
    { body, signed, linked, isFeed, access, resource }: MethodHandler,
    incoming: Incoming,
    response: ServerResponse,
    exchange: RequestContext,
  ): Promise<void> {
    const { stages } = exchange;
    const sent = body && new RequestBody(body, incoming, response, exchange);
    if (signed && sent) {
      exchange.readSigned = async (tokenId) => {
        exchange.memory.caller = tokenId;
        return sent.read();
      };
    }
    const link = linked ? readParameters(incoming.query).get('link') : null;
    if (linked && link !== null) exchange.link = { target: linked(incoming), link };
    if (isFeed) exchange.feed = /^(.*)\.ics$/i.exec(incoming.id ?? '')?.[1] ?? '';
    if (resource?.audience !== undefined) exchange.resource = resource.audience;
    if (access !== 'public') {
      await stages.run(authenticateStage, { incoming, exchange, access }).catch((error: unknown) => {
        throw resource ? withMetadata(error, resource.metadata(exchange)) : error;
      });
    }
    if (sent) exchange.body = await stages.run(readBodyStage, sent);
  }

  return {
    route: router,
    async answer({ incoming, endpoint, handler }, request, response, exchange) {
      if (!endpoint) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
      for (const [name, value] of Object.entries(endpoint.headers ?? {})) response.setHeader(name, value);
      const sending = { request, response, exchange, compress };
      if (!handler) {
        if (incoming.method !== 'OPTIONS') throw methodRefusal(endpoint);
        return sendResponse(sending, { status: 204, headers: optionsHeaders(endpoint), body: null });
      }
      await receive(handler, incoming, response, exchange);
      const method = exchange.headOnly ? 'GET' : incoming.method;
      const asked = { ...incoming, method };
      const work = () => handler.handle(asked, exchange, response);
      const answered = await (endpoint.door === 'rest' ? answerRest(asked, handler, exchange, work) : work());
      const answer = answered && (await (handler.complete?.(answered, exchange) ?? answered));
      // The body is no longer needed, and the client may read the answer slowly.
      exchange.body = emptyBody;
      exchange.memory.drop('body');
      if (answer) await sendResponse(sending, answer);
    },
  };
}
