import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a test waits for a condition. Only a hang takes this long. */
export const patience = 30_000;

/**
 * Waits until a check passes, for effects that follow an answer, in another process or behind a socket. It is
 * patient, because other tests may keep the machine busy; if the check never passes, its own error fails the
 * test.
 *
 * Vitest's own `vi.waitFor` advances a faked date on each check, so the longer a test waits, the later it is.
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
