/** Milliseconds over which a quota comes back, and the most of it that can be saved up. */
export const quotaWindow = 60_000;

/**
 * A quota that is used up and comes back evenly (GCRA, the generic cell rate algorithm of ATM Forum TM 4.0): a caller
 * who has waited may use a whole minute's worth at once, and from then on as much as comes back. All that is known of
 * one is a moment; the time until then is what several processes can add up.
 */
export interface Quota {
  /** How long it takes until what is used once is back, in milliseconds. */
  readonly cost: number;
  /** When all that was used is back, in milliseconds of a clock that goes evenly and never back. */
  readonly until: number;
}

/** What databases round moments to, and what fractions of a millisecond add up to. */
const tolerance = 1;

/** The cost of one use of so many per minute, in milliseconds. */
export function costOf(perMinute: number): number {
  return quotaWindow / perMinute;
}

/** Milliseconds until the quota can be used again; 0 when it can be now. */
export function waitOf({ cost, until }: Quota, now: number): number {
  const wait = Math.max(until, now) + cost - (now + quotaWindow);
  return wait > tolerance ? wait : 0;
}

/** When all is back after one more use. */
export function useOnce({ cost, until }: Quota, now: number): number {
  return Math.max(until, now) + cost;
}

/** How often the quota can be used now. */
export function remainingOf({ cost, until }: Quota, now: number): number {
  return Math.max(0, Math.floor((now + quotaWindow + tolerance - Math.max(until, now)) / cost));
}
