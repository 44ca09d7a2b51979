const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds to wait after each failed attempt, without jitter (Standard Webhooks 1.0). */
const waits = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** The longest time that a receiver can ask for by `Retry-After`. */
const longestAsked = 24 * hour;

/** Milliseconds of nothing but failures after which an endpoint is disabled. */
export const failingFor = 120 * hour;

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3). */
function askedTime(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? now.getTime() + Number(text) * second : Date.parse(text);
  return Number.isNaN(asked) ? 0 : Math.min(asked, now.getTime() + longestAsked);
}

/**
 * Returns the time of the next attempt after a failed one. Waits vary by a fifth, so that messages that
 * failed together are not repeated together.
 * @param failed number of the failed attempt, from 1
 * @param retryAfter the header of the answer; a later time than ours counts, up to a day
 * @param random from 0 to 1, 1 excluded
 * @returns null after the last attempt
 */
export function retryAt(failed: number, retryAfter: string | null, now: Date, random: number): Date | null {
  const wait = waits[failed - 1];
  if (wait === undefined) return null;
  const ours = now.getTime() + wait * (0.8 + 0.4 * random);
  return new Date(Math.round(Math.max(ours, askedTime(retryAfter, now))));
}
