import { createHash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { OidcConfig } from '../../config/config.js';
import { type Identity, isTrustworthyUrl, readIdentity } from '../../domain/caller.js';
import { isMoment } from '../../domain/dates.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { isObject } from '../../domain/text/json.js';

type Jose = typeof import('jose');
type KeySet = ReturnType<Jose['createRemoteJWKSet']>;

/** Milliseconds after which the issuer's keys are fetched again. */
const keysMaxAge = 5 * 60_000;

/** Minimum milliseconds between two fetches for unknown keys, however many tokens name one. */
const cooldownMs = 30_000;

/** Seconds to wait after a failed fetch before the next one. */
const retryAfterSeconds = 5;

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
class IssuerError extends Error {
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

interface IssuerKeys {
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
function createIssuerKeys(
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

// Import only types: the library itself is loaded with the first JWT, and never without OIDC_ISSUER.

/** An OpenID Connect issuer whose tokens are accepted. */
export interface Issuer {
  /**
   * Verifies a token, and reads the identity that it states.
   * @param resource an audience that is accepted besides the configured one
   * @throws GatewayError UNAUTHORIZED with the fault; FORBIDDEN if the token grants no role; UNAVAILABLE if
   *   the issuer's keys are needed but cannot be fetched
   */
  verify(token: string, now: Date, resource?: string): Promise<Identity>;
}

/**
 * Accepted signature algorithms. They are asymmetric, so only the issuer can create signatures; a shared
 * secret would be known to others (RFC 8725 §3.1, §3.2).
 */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Accepted values of a token's `typ` header. It may be absent, any JWT, or an access token (RFC 9068 §4). */
const acceptedTokenTypes = new Set([undefined, 'jwt', 'at+jwt']);

const maxTokenLength = 8_192;

/** Seconds that the issuer's clock may be off. */
const clockToleranceSeconds = 30;

const maxCachedTokens = 5_000;

/** Milliseconds in which a warning is logged once. Whoever sends tokens decides how often there is a reason. */
const warningIntervalMs = 60_000;

/** Returns the function that logs a warning at most once in the interval. @returns whether it was logged */
function warningOf(log: Logger, clock: () => Date) {
  const last = new Map<string, number>();
  return (message: string, about: object): boolean => {
    const now = clock().getTime();
    const before = last.get(message) ?? Number.NEGATIVE_INFINITY;
    // If the clock was set back, the last one may lie in the future.
    if (now >= before && now - before < warningIntervalMs) return false;
    last.set(message, now);
    log.warn(about, message);
    return true;
  };
}

/**
 * Distinguishes a signed JWT from our own tokens. It has three parts, and the first is a JSON object (RFC 7515
 * §4).
 */
export function isJwt(token: string): boolean {
  const [, header] = /^([\w-]+)\.[\w-]*\.[\w-]*$/.exec(token) ?? [];
  if (!header) return false;
  try {
    return isObject(JSON.parse(Buffer.from(header, 'base64url').toString()));
  } catch {
    return false;
  }
}

function rejectToken(problem: string): never {
  throw unauthorized(`The access token ${problem}.`, 'invalid_token');
}

/** Messages for tokens that `jose` refuses, by its error codes. Any other code is a fault of the keys. */
const problems: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'has expired',
  ERR_JWT_INVALID: 'is not a JWT',
  ERR_JWS_INVALID: 'is not a JWT',
  ERR_JOSE_ALG_NOT_ALLOWED: 'is signed with an algorithm that is not accepted',
  ERR_JOSE_NOT_SUPPORTED: 'is signed in a way that is not accepted',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'is not signed by its issuer',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with a key that its issuer does not have',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'does not say with which key it is signed',
};

function claimProblem(claim: string): string {
  return claim === 'nbf' ? 'is not valid yet' : `has a claim \`${claim}\` that is missing or not accepted`;
}

/** Decodes a token's header and claims, which anybody can have written. */
function decode(jose: Jose, token: string) {
  try {
    return { header: jose.decodeProtectedHeader(token), claims: jose.decodeJwt(token) };
  } catch {
    return rejectToken('is not a JWT');
  }
}

/** Checks that a JWT is an access token of this issuer. This needs no key, so other tokens cause no fetch. */
function checkKind(jose: Jose, token: string, { issuer }: OidcConfig): void {
  const { header, claims } = decode(jose, token);
  const { typ } = header;
  const kind =
    typ === undefined
      ? undefined
      : String(typ)
          .toLowerCase()
          .replace(/^application\//, '');
  if (!acceptedTokenTypes.has(kind)) rejectToken('is of a type that is not accepted');
  if (claims.iss !== issuer) rejectToken(claimProblem('iss'));
}

/**
 * Checks a token's times in seconds since 1970 (RFC 7519 §2). They must lie within the years that a date can
 * express; `1e400` is parsed as infinite.
 */
function checkTimes(claims: JWTPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const seconds = claims[name];
    if (seconds !== undefined && !isMoment(new Date(seconds * 1000))) rejectToken(claimProblem(name));
  }
}

/** Rejects ID tokens, which grant no access (OpenID Connect Core §3.1.3.6), and sender-constrained tokens. */
function checkUse({ at_hash, c_hash, cnf }: JWTPayload): void {
  if (at_hash !== undefined || c_hash !== undefined) rejectToken('is an ID token');
  if (cnf !== undefined) rejectToken('is bound to a key, which is not supported');
}

interface IssuerOptions {
  readonly clock: () => Date;
  readonly log: Logger;
  /** Called for each failure of the issuer itself, not of a caller. It must not throw. */
  readonly onFailure?: ((failure: IssuerFailure) => void) | undefined;
}

/** Creates the verifier of an issuer's tokens. Nothing is loaded or fetched before the first token. */
export function createIssuer(config: OidcConfig, { clock, log, onFailure }: IssuerOptions): Issuer {
  const warn = warningOf(log, clock);
  const keys = createIssuerKeys(config.issuer, clock, ({ message }, failure) => {
    onFailure?.(failure);
    warn('The keys of OIDC_ISSUER cannot be fetched', { reason: message });
  });
  const verified = new LRUCache<string, { readonly identity: Identity; readonly until: number }>({
    max: maxCachedTokens,
  });

  function asGatewayError(error: unknown): Error {
    if (error instanceof GatewayError) return error;
    const { code = '', claim = '' } = error as { code?: string; claim?: string };
    if (error instanceof IssuerError || (code === 'ERR_JWKS_NO_MATCHING_KEY' && keys.failing())) {
      const message = "The issuer's keys cannot be fetched now; try again.";
      const headers = { 'Retry-After': String(retryAfterSeconds) };
      return new GatewayError('UNAVAILABLE', message, { cause: error, headers });
    }
    const problem = code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' ? claimProblem(claim) : problems[code];
    if (!problem && warn('A key of OIDC_ISSUER cannot be used', { err: error })) onFailure?.('key');
    return unauthorized(`The access token ${problem ?? 'cannot be checked'}.`, 'invalid_token');
  }
  async function check(token: string, now: Date, audience: string[]): Promise<JWTPayload> {
    const jose = await import('jose');
    try {
      checkKind(jose, token, config);
      const findKey: JWTVerifyGetKey = async (...asked) => (await keys.of(jose))(...asked);
      const { payload } = await jose.jwtVerify(token, findKey, {
        issuer: config.issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        currentDate: now,
        clockTolerance: clockToleranceSeconds,
      });
      checkTimes(payload);
      checkUse(payload);
      return payload;
    } catch (error) {
      throw asGatewayError(error);
    }
  }
  return {
    async verify(token, now, resource) {
      if (token.length > maxTokenLength) rejectToken(`is longer than ${maxTokenLength} characters`);
      // What is accepted at a resource is not accepted elsewhere.
      const hash = createHash('sha256')
        .update(`${resource ?? ''} ${token}`)
        .digest('base64');
      const audience = resource === undefined ? [config.audience] : [config.audience, resource];
      const known = verified.get(hash);
      if (known && now.getTime() < known.until) return known.identity;
      const identity = readIdentity(await check(token, now, audience), config.claims);
      // Do not cache for longer than the keys: a key that the issuer has withdrawn must stop working.
      const until = Math.min(
        identity.expiresAt.getTime() + clockToleranceSeconds * 1000,
        now.getTime() + keysMaxAge,
      );
      verified.set(hash, { identity, until });
      return identity;
    },
  };
}
