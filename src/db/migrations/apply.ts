import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../embedded/log.js';
import { concurrentIndex, dropUnfinishedIndex } from './concurrent-index.js';
import { describeInterruption, isContention, migrationFailure } from './failure.js';
import type { Migration } from './migrations.js';

/** A row of Prisma's table for a migration that is neither finished nor rolled back. */
interface Unfinished {
  readonly id: string;
  readonly name: string;
  readonly logs: string | null;
}

/** Options of clearing unfinished migrations. */
interface Settling {
  readonly log: Log;
  /** True if a person has looked at the reasons. */
  readonly retry?: boolean | undefined;
}

/**
 * Clears unfinished migrations, so that they are retried. If one failed, `logs` has the reason and a person
 * must look at it, unless it was the surroundings that failed: rights may have been granted since, disks freed
 * and locks released. Without a reason, its process died. As we hold the lock, nobody is working on it, and as
 * scripts are applied completely or not at all, it can simply be retried.
 */
export async function settleUnfinished(
  client: pg.Client,
  names: readonly string[],
  { log, retry = false }: Settling,
): Promise<void> {
  const { rows } = await client.query<Unfinished>(
    `SELECT id, migration_name AS name, logs FROM _prisma_migrations
      WHERE finished_at IS NULL AND rolled_back_at IS NULL AND migration_name = ANY ($1) ORDER BY started_at`,
    [names],
  );
  for (const { id, name, logs } of rows) {
    const interruption = describeInterruption(logs);
    if (logs && !interruption && !retry) throw migrationFailure(name, logs);
    log.warn(
      { migration: name },
      `A migration ${interruption ? `was ${interruption}` : 'failed'}; trying it again`,
    );
    await client.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = $1', [id]);
  }
}

/** Patience of a migration with locks of other sessions, in milliseconds. */
export interface LockPatience {
  /** Time for which one attempt may wait for a lock. Meanwhile, requests for the same table wait behind it. */
  readonly attempt: number;
  /** Time for which attempts are repeated. */
  readonly total: number;
}

/** The default. Requests wait for at most a second, and a backup of a minute does not end the start. */
export const lockPatience: LockPatience = { attempt: 1_000, total: 60_000 };

/** The fewest attempts, whatever time they take, and the longest pause between two in milliseconds. */
const [leastTries, longestPause] = [5, 5_000];

/** Options of applying a migration. */
interface Applying {
  readonly log: Log;
  readonly patience: LockPatience;
  /** Ends the pauses between attempts. */
  readonly signal: AbortSignal | undefined;
}

const insert = 'INSERT INTO _prisma_migrations (id, checksum, migration_name,';

/** Returns the first values of a migration's row, as SQL. */
function rowOf({ name, script }: Migration, id: string): string {
  const checksum = createHash('sha256').update(script).digest('hex');
  return [id, checksum, name].map(pg.escapeLiteral).join(', ');
}

const describeFailure = ({ code, message }: pg.DatabaseError) =>
  `Database error code: ${code}\n\nERROR: ${message}`;

/** Applies a migration in one transaction, unless it builds an index while others write. */
export async function apply(client: pg.Client, migration: Migration, applying: Applying): Promise<void> {
  const index = concurrentIndex(migration.script);
  if (index === undefined) await applyAtOnce(client, migration, applying);
  else await buildIndex(client, migration, index);
}

/**
 * Applies a migration in one transaction, together with its row in Prisma's table. If it lost against a
 * request's locks, it is retried after a pause in which requests run; any other failure is recorded for the
 * next start.
 */
async function applyAtOnce(
  client: pg.Client,
  migration: Migration,
  { log, patience, signal }: Applying,
): Promise<void> {
  const { name, script } = migration;
  const until = performance.now() + patience.total;
  for (let tries = 1; ; tries++) {
    const row = rowOf(migration, randomUUID());
    try {
      // A query without parameters may have many statements, and is one transaction. A script may end in a
      // comment.
      await client.query(
        `${script}\n;${insert} finished_at, applied_steps_count) VALUES (${row}, clock_timestamp(), 1)`,
      );
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      const logs = describeFailure(error);
      // A full disk may have no space for that either, and then the next start finds nothing to settle.
      await client.query(`${insert} logs) VALUES (${row}, ${pg.escapeLiteral(logs)})`).catch(() => {});
      const isOver = tries >= leastTries && performance.now() > until;
      if (isOver || !isContention(logs)) throw migrationFailure(name, logs, error);
      await settleUnfinished(client, [name], { log });
      const pause = Math.min(longestPause, patience.attempt * tries) * (0.5 + Math.random());
      await sleep(pause, undefined, { signal });
    }
  }
}

/**
 * Builds an index while others write, which PostgreSQL does in several transactions. What an interrupted
 * attempt has left is removed first. Nobody waits behind it, so it may wait for locks as long as it takes.
 */
async function buildIndex(client: pg.Client, migration: Migration, index: string): Promise<void> {
  const { name, script } = migration;
  const id = randomUUID();
  await client.query(`${insert} logs) VALUES (${rowOf(migration, id)}, NULL)`);
  try {
    await client.query('SET lock_timeout = 0');
    await dropUnfinishedIndex(client, index);
    await client.query(script);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const logs = describeFailure(error);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, logs]).catch(() => {});
    throw migrationFailure(name, logs, error);
  }
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}
