import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The lock of Prisma's own tools. It makes their migrations and ours exclude each other. */
export const PRISMA_LOCK = 72707369;

/** Milliseconds between two attempts. */
const pause = 200;

/**
 * Takes the lock of migrations until the session ends. It asks again and again instead of waiting in one
 * statement: building an index concurrently waits for all statements, and the holder of the lock may be doing
 * that.
 * @param signal ends the waiting
 */
export async function lockMigrations(client: pg.ClientBase, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS locked', [PRISMA_LOCK]);
    if (rows[0].locked) return;
    await sleep(pause, undefined, { signal });
  }
}
