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
