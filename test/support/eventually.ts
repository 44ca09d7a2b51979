import { vi } from 'vitest';

/**
 * Waits until a check passes: what happens soon after an answer, in another process or behind a socket. It is patient,
 * as a machine may be busy with other tests; a check that fails for good fails the test with its own words.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { interval: 5, timeout: 10_000 });
}
