import { isTrustworthyUrl } from '../../domain/identity.js';

type Jose = typeof import('jose');
type KeySet = ReturnType<Jose['createRemoteJWKSet']>;

/** Milliseconds after which the issuer's keys are fetched again. */
export const keysMaxAge = 5 * 60_000;

/** Minimum milliseconds between two fetches for unknown keys, however many tokens name one. */
const cooldownMs = 30_000;

/** Seconds to wait after a failed fetch before the next one. */
export const retryAfterSeconds = 5;

/** Timeout of a fetch in milliseconds. */
const fetchTimeoutMs = 5_000;

/** Milliseconds for which the last good answer is used when the issuer cannot be reached. */
const staleKeysMaxAgeMs = 60 * 60_000;

/**
 * Kinds of failures when fetching the keys of the OpenID Connect issuer. The issuer is `unreachable`, or
 * redirects; it answers with a `status` other than 200, or with invalid `content`; or one of its `key`s
 * cannot be used.
 */
export const issuerFailures = ['unreachable', 'status', 'content', 'key'] as const;

export type IssuerFailure = (typeof issuerFailures)[number];

/** Thrown when the issuer's keys cannot be fetched. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/** An unusable answer, with the kind of failure. */
class AnswerError extends Error {
  constructor(
    readonly failure: IssuerFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface IssuerKeys {
  /**
   * Returns the function that finds a token's key for `jwtVerify`.
   * @throws IssuerError
   */
  of(jose: Jose): Promise<KeySet>;
  /** Returns whether the last request for the issuer's keys failed. */
  failing(): boolean;
}

/** Builds the URL of the issuer's metadata (OpenID Connect Discovery 1.0 §4). */
const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Bytes of an answer that are read. Metadata and key sets have some kilobytes. */
const maxAnswerBytes = 256 * 1024;

/** Reads an answer's text. The rest of one that is too long is neither received nor kept. */
async function readText(url: string, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxAnswerBytes) {
      throw new AnswerError('content', `${url} returned more than ${maxAnswerBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function read(url: string): Promise<string> {
  const headers = { Accept: 'application/json, application/jwk-set+json' };
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
    headers,
  });
  const body = response.body as (ReadableStream & AsyncIterable<Uint8Array>) | null;
  if (response.status === 200) return body ? readText(url, body) : '';
  await body?.cancel();
  throw new AnswerError('status', `${url} returned ${response.status}`);
}

/** Parses the text of an answer. Any error becomes a failure of kind `content`. */
function parsed<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (cause) {
    throw new AnswerError('content', (cause as Error).message, { cause });
  }
}

/** Classifies a failed fetch. Without a response of any kind, the issuer is `unreachable`. */
const classifyFailure = (error: unknown) => (error instanceof AnswerError ? error.failure : 'unreachable');

/** Returns the reason of a failed fetch. `fetch` itself tells it only in the error's cause. */
function failureReason(error: unknown): string {
  const { message, cause } = error as Error;
  if (error instanceof AnswerError) return message;
  return cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : message;
}

/** @throws {Error} if the metadata is not the issuer's, or its keys would come over an insecure connection */
function readKeysUrl(description: string, issuer: string): URL {
  const { issuer: described, jwks_uri: uri } = JSON.parse(description);
  // OpenID Connect Discovery 1.0 §4.3: anybody who could substitute another issuer's keys could sign for this
  // one.
  if (described !== issuer) throw new Error(`it describes the issuer ${JSON.stringify(described)}`);
  const isSafe =
    isTrustworthyUrl(String(uri)) && (String(uri).startsWith('https:') || issuer.startsWith('http:'));
  if (!isSafe) throw new Error(`its jwks_uri ${JSON.stringify(uri)} is not an https URL`);
  return new URL(uri);
}

/** Checks that a text is a JSON Web Key Set (RFC 7517 §5). The library only requires a list of objects. */
function checkKeySet(text: string): string {
  const { keys } = JSON.parse(text);
  const isSet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isSet) throw new Error('it is not a set of keys');
  return text;
}

/**
 * Creates the cache of an issuer's public keys (JWKS). Keys are fetched when first needed, when they have
 * become old, and when a token names an unknown key, which the library does at most once per `cooldownMs`.
 * @param onError is told about each failed fetch, and the kind of its failure
 */
export function createIssuerKeys(
  issuer: string,
  clock: () => Date,
  onError: (error: Error, failure: IssuerFailure) => void,
): IssuerKeys {
  let failedAt = Number.NEGATIVE_INFINITY;
  let last: { readonly text: string; readonly at: number } | undefined;
  let keySet: Promise<KeySet> | undefined;

  async function ask<T>(url: string, parse: (text: string) => T): Promise<T> {
    const now = clock().getTime();
    // If the clock was set back, the last failure may lie in the future.
    if (now >= failedAt && now - failedAt < retryAfterSeconds * 1000) {
      throw new IssuerError('The issuer did not answer a moment ago.');
    }
    try {
      const answer = parsed(await read(url), parse);
      failedAt = Number.NEGATIVE_INFINITY;
      return answer;
    } catch (cause) {
      failedAt = now;
      const error = new IssuerError(`${url}: ${failureReason(cause)}`, { cause });
      onError(error, classifyFailure(cause));
      throw error;
    }
  }
  async function askForKeys(url: string): Promise<Response> {
    const now = clock().getTime();
    try {
      last = { text: await ask(url, checkKeySet), at: now };
    } catch (error) {
      if (!last || now - last.at >= staleKeysMaxAgeMs) throw error;
    }
    return new Response(last.text);
  }
  async function discover({ createRemoteJWKSet, customFetch }: Jose): Promise<KeySet> {
    const url = await ask(discoveryUrl(issuer), (description) => readKeysUrl(description, issuer));
    return createRemoteJWKSet(url, {
      cacheMaxAge: keysMaxAge,
      cooldownDuration: cooldownMs,
      [customFetch]: askForKeys,
    });
  }
  return {
    async of(jose) {
      keySet ??= discover(jose);
      try {
        return await keySet;
      } catch (error) {
        keySet = undefined;
        throw error;
      }
    },
    failing: () => failedAt !== Number.NEGATIVE_INFINITY,
  };
}

/**
 * Fetches an issuer's discovery document and keys, as its first token would.
 * @throws {IssuerError} with the address that failed to answer correctly
 */
export async function checkIssuerKeys(issuer: string): Promise<void> {
  const keys = createIssuerKeys(
    issuer,
    () => new Date(),
    () => {},
  );
  await (await keys.of(await import('jose'))).reload();
}
