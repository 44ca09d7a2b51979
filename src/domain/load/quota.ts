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
export function waitForUse({ cost, until }: Quota, now: number): number {
  const wait = Math.max(until, now) + cost - (now + quotaWindow);
  return wait > tolerance ? wait : 0;
}

/** Returns the time at which everything is refilled after one more use. */
export function useOnce({ cost, until }: Quota, now: number): number {
  return Math.max(until, now) + cost;
}

/** Returns the number of uses left now. */
export function remainingUses({ cost, until }: Quota, now: number): number {
  return Math.max(0, Math.floor((now + quotaWindow + tolerance - Math.max(until, now)) / cost));
}
