import type { components } from './generated.js';

/** The version of a record: the record as it was received, or its ETag. */
export type Version = string | object;

/** Functions that read and write JSON, such as those of `lossless-json`. */
export interface Json {
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string | undefined;
}

/** Options of a client. */
export interface ClientOptions {
  /** Address of the gateway, such as `https://gateway.example`. */
  readonly baseUrl: string;
  /** An access token, or a function that returns the current one before each attempt. */
  readonly token: string | (() => string | Promise<string>);
  /** Retries after the first attempt; 3 by default. */
  readonly retries?: number | undefined;
  /** Milliseconds for each attempt; 60,000 by default. */
  readonly timeout?: number | undefined;
  /** A function that sends requests, instead of the platform's `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Reads and writes JSON. The default, the platform's `JSON`, rounds integers beyond 2^53. */
  readonly json?: Json | undefined;
}

/** Options of a single request. */
export interface RequestOptions {
  /** Retries after the first attempt, instead of the client's. */
  readonly retries?: number | undefined;
  /** Milliseconds for each attempt, instead of the client's. */
  readonly timeout?: number | undefined;
  /** Aborts the request, and the wait for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Idempotency key of a write, which is done once under it. By default, each call creates its own. */
  readonly idempotencyKey?: string | undefined;
  /** The expected version: a write to any other is rejected with 412. */
  readonly ifMatch?: Version | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options for reading only what has changed. */
export interface Conditional {
  /** The version that the caller has. While it is current, the result is undefined. */
  readonly ifNoneMatch: Version;
}

/** A request to the gateway. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: unknown;
}

/** An error answer, or a request that got no answer. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The gateway's error code. An answer that is not the gateway's has `UNEXPECTED_ANSWER`. */
  readonly code: components['schemas']['ErrorBody']['code'] | 'NO_ANSWER' | 'TIMEOUT' | 'UNEXPECTED_ANSWER';
  /** Id of the request in the gateway's log. */
  readonly requestId: string | undefined;
  /** Seconds after which to retry, if the answer contains them. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Pick<GatewayError, 'status' | 'code'> & Partial<GatewayError>) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

const etags = new WeakMap<object, string>();

/** Returns the ETag that a record was received with. */
export function etagOf(version: Version): string | undefined {
  return typeof version === 'string' ? version : etags.get(version);
}

/** Formats an ETag for a header. */
function tag(version: Version): string {
  const etag = etagOf(version);
  if (etag === undefined)
    throw new TypeError('This is no record as the gateway answered it: it has no ETag.');
  return etag;
}

/** Creates a key from random bytes, because pages without TLS have no `randomUUID`. */
const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));

function headersOf({ method, body }: Sent, options: RequestOptions & Partial<Conditional>): Headers {
  const headers = new Headers(options.headers);
  if (body !== undefined) {
    const isMerge = method === 'PATCH' && !Array.isArray(body);
    headers.set('Content-Type', isMerge ? 'application/merge-patch+json' : 'application/json');
  }
  // A misspelt parameter or member is an error, and not ignored.
  if (!headers.has('Prefer')) headers.set('Prefer', 'handling=strict');
  if (method !== 'GET') headers.set('Idempotency-Key', options.idempotencyKey ?? newKey());
  if (options.ifMatch !== undefined) headers.set('If-Match', tag(options.ifMatch));
  if (options.ifNoneMatch !== undefined) headers.set('If-None-Match', tag(options.ifNoneMatch));
  return headers;
}

/** Reads the seconds of `Retry-After`. The gateway writes no dates there. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

/** A successful answer, or 304. */
export interface Answer {
  readonly headers: Headers;
  readonly body: unknown;
}

function read(response: Response, text: string, { parse }: Json): Answer {
  const { status, headers, ok } = response;
  let body: unknown;
  try {
    body = text === '' ? undefined : parse(text);
    if (ok || status === 304) {
      const etag = headers.get('ETag');
      if (etag !== null && typeof body === 'object' && body !== null) etags.set(body, etag);
      return { headers, body };
    }
  } catch {}
  const { message, code } = (body ?? {}) as Partial<components['schemas']['ErrorBody']>;
  throw new GatewayError(message ?? `An unexpected answer: ${status} ${response.statusText}`.trim(), {
    status,
    code: code ?? 'UNEXPECTED_ANSWER',
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(response),
  });
}

async function tryOnce(
  client: ClientOptions,
  sent: Sent,
  headers: Headers,
  options: RequestOptions,
): Promise<Answer> {
  const { signal, timeout = client.timeout ?? 60_000 } = options;
  const { token, baseUrl, fetch: send = fetch, json = JSON } = client;
  headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(timeout);
  const request = new Request(baseUrl.replace(/\/+$/, '') + sent.target, {
    method: sent.method,
    headers,
    body: sent.body === undefined ? null : (json.stringify(sent.body) ?? null),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  let response: Response;
  let text: string;
  try {
    response = await send(request);
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    if (!limit.aborted) throw new GatewayError('No answer', { status: 0, code: 'NO_ANSWER', cause });
    throw new GatewayError(`No answer within ${timeout} ms`, { status: 0, code: 'TIMEOUT', cause });
  }
  return read(response, text, json);
}

/** The longest wait for a retry, in milliseconds. A longer one is left to the caller. */
const longestWait = 30_000;

/** Returns the milliseconds until the next attempt; undefined if retrying is useless. */
function waitAfter({ status, retryAfter }: GatewayError, tried: number): number | undefined {
  // 409 with Retry-After: the same write is in progress. With its key, no write is done twice.
  const again = [0, 429, 502, 503, 504].includes(status) || (status === 409 && retryAfter !== undefined);
  const least = retryAfter === undefined ? 0 : retryAfter * 1000;
  // Half of it is random, so that clients that failed together do not retry together.
  const wait = least + Math.min(8000, 500 * 2 ** tried) * (0.5 + Math.random() / 2);
  return again && least <= longestWait ? wait : undefined;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

/** Sends a request until it is answered, with retries after temporary failures. A write keeps its key. */
export async function exchange(client: ClientOptions, sent: Sent, options: RequestOptions): Promise<Answer> {
  const headers = headersOf(sent, options);
  const { signal, retries = client.retries ?? 3 } = options;
  for (let tried = 0; ; tried++) {
    try {
      return await tryOnce(client, sent, headers, options);
    } catch (error) {
      const wait = error instanceof GatewayError && tried < retries ? waitAfter(error, tried) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}
