/** Milliseconds before the second attempt, without jitter. */
const first = 5_000;
/** Maximum milliseconds between two attempts. */
const longest = 30 * 60_000;

/** Attempts before a job is given up, over about three quarters of an hour. */
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
