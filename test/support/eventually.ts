import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a test waits for a condition: only what hangs takes so long. */
export const patience = 30_000;

/**
 * Waits until a check passes: what happens soon after an answer, in another process or behind a socket. It is patient,
 * as a machine may be busy with other tests; a check that fails for good fails the test with its own words.
 *
 * Vitest's own `vi.waitFor` moves a date that is faked on with each look, so that the longer a test waits the later it is.
 */
export async function eventually<T>(check: () => T | Promise<T>, limit = patience): Promise<T> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(5);
  }
}
