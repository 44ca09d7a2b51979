/** Milliseconds before the second attempt, without jitter. */
const first = 5_000;
/** Milliseconds between two attempts at most. */
const longest = 30 * 60_000;

/** Attempts before a job is given up, over about three quarters of an hour. */
export const maxAttempts = 10;

/**
 * Returns the milliseconds until the next attempt (exponential backoff with jitter). The wait is twice as
 * long each time, up to half an hour; of each, the second half is random, so that what failed together does
 * not come back together.
 * @param attempt which attempt failed, from 1
 * @param random from 0 to 1, 1 excluded
 */
export function retryDelay(attempt: number, random: number): number {
  const full = Math.min(longest, first * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random / 2));
}
