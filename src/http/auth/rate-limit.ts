import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SharedQuotas } from '../../access/shared-quotas.js';
import type { Config } from '../../config/config.js';
import { type ErrorCode, GatewayError } from '../../domain/errors.js';
import { costPerUse, type Quota, quotaWindow, remainingUses, waitForUse } from '../../domain/load/quota.js';
import type { RequestContext } from '../routing/endpoint.js';
import { ForeignRequest } from '../session/cookies.js';
import type { Authenticate } from './auth.js';

/**
 * Names of the rate limits. `token` counts requests per token, `failures` failed authentications per address.
 */
export const limitNames = ['token', 'failures'] as const;

export type LimitName = (typeof limitNames)[number];

/** One limit: what it counts, and what answers say about it. */
interface Limit {
  readonly name: LimitName;
  readonly cost: number;
  /** Value of the header `RateLimit-Policy`. */
  readonly policy: string;
  readonly refusal: string;
}

function createLimit(name: LimitName, perMinute: number, refusal: string): Limit | undefined {
  if (perMinute === Number.POSITIVE_INFINITY) return undefined;
  const policy = `"${name}";q=${perMinute};w=${quotaWindow / 1000}`;
  return { name, cost: costPerUse(perMinute), policy, refusal };
}

/** Headers that say what is left of a limit. */
export const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

const seconds = (ms: number) => Math.ceil(ms / 1000);

/** Codes of failed authentications. An unknown calendar feed is not found. */
const refusals: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND']);

/**
 * Returns whether an error counts as a failed authentication. Otherwise a page of another site could use up
 * what its visitor's address may send.
 */
const isFailure = (error: unknown): boolean =>
  error instanceof GatewayError && refusals.has(error.code) && !(error instanceof ForeignRequest);

const maxKnownTokens = 10_000;

interface RateLimitOptions {
  readonly config: Pick<Config, 'rateLimit' | 'rateLimitFailures'>;
  readonly quotas: SharedQuotas;
  readonly uptime: () => number;
  /** Called for each request that a limit refuses. It must not throw. */
  readonly onLimited?: ((limit: LimitName) => void) | undefined;
}

/**
 * Limits requests per token, and failed authentications per address. A caller over a limit is refused before
 * its token is looked up. An address over its limit is refused with all tokens but those that this process
 * knows to be valid, so that other people behind the same address can go on.
 *
 * Answers state the remaining quota in `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10, sections 3, 4).
 * @returns a function that opens sessions like the given one, and also rejects with GatewayError
 *   TOO_MANY_REQUESTS
 */
export function limitRate(
  authenticate: Authenticate,
  { config, quotas, uptime, onLimited }: RateLimitOptions,
): Authenticate {
  const requests = createLimit('token', config.rateLimit, 'This token has sent too many requests.');
  const failures = createLimit(
    'failures',
    config.rateLimitFailures,
    'Too many requests without a valid token.',
  );
  if (!requests && !failures) return authenticate;
  /** Ids of valid tokens, by hashes of what they came in. */
  const known = new LRUCache<string, string>({ max: maxKnownTokens });

  function headersOf({ name, policy }: Limit, quota: Quota, now: number, wait: number) {
    const state = `"${name}";r=${remainingUses(quota, now)};t=${seconds(wait)}`;
    return { RateLimit: state, 'RateLimit-Policy': policy };
  }
  function check(limit: Limit | undefined, who: string, now: number): void {
    if (!limit) return;
    const quota = quotas.of(`${limit.name}:${who}`, limit.cost);
    const wait = waitForUse(quota, now);
    if (wait === 0) return;
    onLimited?.(limit.name);
    const again = seconds(wait);
    const message = `${limit.refusal} Try again in ${again} s.`;
    const headers = { ...headersOf(limit, quota, now, wait), 'Retry-After': String(again) };
    throw new GatewayError('TOO_MANY_REQUESTS', message, { headers });
  }
  /** Checks and counts a request in one step. So concurrent requests cannot exceed the limit. */
  function use(limit: Limit | undefined, who: string, exchange: RequestContext, now: number): void {
    if (!limit) return;
    check(limit, who, now);
    const quota = quotas.use(`${limit.name}:${who}`, limit.cost, now);
    const headers = headersOf(limit, quota, now, Math.max(0, quota.until - now));
    for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
  }
  return async (request, exchange) => {
    const now = uptime();
    const sent =
      exchange.feed ??
      exchange.link?.link ??
      request.header('authorization') ??
      request.header('cookie') ??
      '';
    const credential = hash('sha256', sent, 'base64');
    const id = known.get(credential);
    if (id !== undefined) check(requests, id, now);
    else check(failures, exchange.sender(), now);
    try {
      const session = await authenticate(request, exchange);
      const { tokenId } = session.caller;
      known.set(credential, tokenId);
      use(requests, tokenId, exchange, now);
      return session;
    } catch (error) {
      if (isFailure(error)) {
        known.delete(credential);
        use(failures, exchange.sender(), exchange, now);
      }
      throw error;
    }
  };
}
