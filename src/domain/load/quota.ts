/** Window of a quota in milliseconds. It refills over this time, and nothing beyond it is saved up. */
export const quotaWindow = 60_000;

/**
 * Rate limit of a caller that refills evenly (GCRA). In the generic cell rate algorithm (ATM Forum TM 4.0), a
 * caller who has waited may use a whole minute's worth at once, and from then on as much as refills. The
 * whole state is one point in time; several processes can add up the time until then.
 */
export interface Quota {
  /** Milliseconds until one use is refilled. */
  readonly cost: number;
  /** Time at which everything is refilled, in milliseconds of a monotonic clock. */
  readonly until: number;
}

/** Rounding tolerance in milliseconds: databases round timestamps, and fractions add up. */
const tolerance = 1;

/** Returns the cost of one use in milliseconds. */
export function costPerUse(perMinute: number): number {
  return quotaWindow / perMinute;
}

/** Returns the milliseconds until the next use; 0 if it is possible now. */
export function waitForUse({ cost, until }: Quota, now: number, window = quotaWindow): number {
  const wait = Math.max(until, now) + cost - (now + window);
  return wait > tolerance ? wait : 0;
}

/** Returns the time at which everything is refilled after one more use. */
export function useOnce({ cost, until }: Quota, now: number): number {
  return Math.max(until, now) + cost;
}

/** Returns the number of uses left now. */
export function remainingUses({ cost, until }: Quota, now: number, window = quotaWindow): number {
  return Math.max(0, Math.floor((now + window + tolerance - Math.max(until, now)) / cost));
}

/** Limits the number of actions per second. */
export interface Rate {
  /** Takes as many as are available, at most `wanted`. */
  take(wanted: number): number;
  /** Returns unused ones. */
  giveBack(count: number): void;
  /** Returns the milliseconds until one is available; 0 if one is. */
  wait(): number;
}

/** Milliseconds' worth of actions that are saved up while idle. */
const burstMs = 500;

/**
 * Creates a rate limit.
 * @param perSecond actions per second in the long run
 * @param uptime milliseconds of a monotonic clock
 */
export function createRate(perSecond: number, uptime: () => number): Rate {
  const cost = 1_000 / perSecond;
  const window = Math.max(cost, burstMs);
  let until = 0;
  return {
    take(wanted) {
      const now = uptime();
      const taken = Math.min(wanted, remainingUses({ cost, until }, now, window));
      until = Math.max(until, now) + taken * cost;
      return taken;
    },
    giveBack(count) {
      until -= count * cost;
    },
    wait: () => Math.ceil(waitForUse({ cost, until }, uptime(), window)),
  };
}

/** Milliseconds before the second attempt, without jitter. */
const first = 5_000;
/** Maximum milliseconds between two attempts. */
const longest = 30 * 60_000;

/** Attempts before an upload is given up, over about three quarters of an hour. */
export const maxAttempts = 10;

/**
 * Returns the milliseconds until the next attempt (exponential backoff with jitter). Each wait is twice as
 * long, up to half an hour; its second half is random, so that jobs that failed together are not retried
 * together.
 * @param attempt number of the failed attempt, from 1
 * @param random from 0 to 1, 1 excluded
 */
export function retryDelay(attempt: number, random: number): number {
  const full = Math.min(longest, first * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random / 2));
}

/**
 * Returns the time of the next attempt after a failed one, or null.
 * @param limit the most attempts, and milliseconds after the first one in which others are made
 * @param failed the number of the failed attempt, and the time of the first one
 */
export function nextAttemptAt(
  limit: { readonly attempts?: number; readonly ms?: number },
  failed: { readonly attempts: number; readonly firstTriedAt?: Date },
  now: Date,
): Date | null {
  const spent = now.getTime() - (failed.firstTriedAt ?? now).getTime();
  if (failed.attempts >= (limit.attempts ?? Infinity) || spent >= (limit.ms ?? Infinity)) return null;
  return new Date(now.getTime() + retryDelay(failed.attempts, Math.random()));
}
