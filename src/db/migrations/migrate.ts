import type pg from 'pg';
import type { Log } from '../embedded/log.js';
import { DatabaseClient } from '../hosts/client.js';
import { announceLongWait, type Wait } from '../server/long-wait.js';
import { checkRights } from '../server/rights.js';
import { apply, type LockPatience, lockPatience, settleUnfinished } from './apply.js';
import { readHistory, refuseTooNew } from './history.js';
import { lockMigrations } from './lock.js';
import { listMigrations, MIGRATIONS_FOLDER, readMigrations } from './migrations.js';

/** The table of Prisma's own tools, as they create it before the first migration. */
export const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** A build of the gateway, with which a database is compared. */
export interface Build {
  /** Folder of the migrations; defaults to that of this build. */
  readonly folder?: string;
  /** Version of the gateway; defaults to that of this build. */
  readonly version?: string;
}

/** Options of applying migrations. */
export interface MigrateOptions extends Build {
  readonly log: Log;
  /** Defaults to what spares requests, and outlasts short locks. */
  readonly patience?: LockPatience | undefined;
  /** True to try migrations again that have failed, because a person has fixed the cause. */
  readonly retry?: boolean | undefined;
  /** Ends the waiting, and cancels what is being applied. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs work on a connection of its own. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // the next query fails as well, and is awaited
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Cancels the statement of another session. It is not told, because the statement may be over. */
async function cancelStatement(url: string, pid: number): Promise<void> {
  await withClient(url, (client) => client.query('SELECT pg_cancel_backend($1)', [pid])).catch(() => {});
}

/**
 * Runs work on a connection of its own, whose statement a signal cancels.
 * @throws the reason of the signal, if it ended the work
 */
function withCancelledClient<T>(
  url: string,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const cancel = () => void cancelStatement(url, rows[0]?.pid ?? 0);
    signal?.addEventListener('abort', cancel);
    try {
      return await work(client);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  });
}

/**
 * Applies pending migrations, like `prisma migrate deploy`. Any number of processes may call it at once; each
 * script is applied completely or not at all. A database that a newer version has migrated is left alone.
 * @param url connection string of a PostgreSQL 14 or later; not through a transaction-pooling proxy
 * @returns the names of the migrations that this call applied, in order
 * @throws {Error} if the database is too new for this version, before anything is changed; if the role lacks
 *   rights; if a migration fails or has failed before, with the database's message and instructions; if
 *   `signal` aborts
 */
export function migrate(url: string, options: MigrateOptions): Promise<readonly string[]> {
  const { log, folder = MIGRATIONS_FOLDER, version, patience = lockPatience, retry, signal } = options;
  let wait: Wait = { reason: 'another process is migrating the database', isForOthers: true };
  const work = async (client: pg.Client) => {
    await lockMigrations(client, signal);
    wait = { reason: 'the database answers slowly' };
    const known = await listMigrations(folder);
    const history = await readHistory(client, known);
    await refuseTooNew(client, history, version);
    const { pending } = history;
    if (pending.length === 0) return [];
    const isNew = pending.length === known.length;
    await checkRights(client, isNew);
    await client.query(MIGRATIONS_TABLE);
    await settleUnfinished(client, pending, { log, retry });
    await client.query('SET statement_timeout = 0');
    for (const migration of await readMigrations(folder, pending)) {
      signal?.throwIfAborted();
      wait = { reason: `the migration ${migration.name} is being applied` };
      await client.query(`SET lock_timeout = ${patience.attempt}`);
      await apply(client, migration, { log, patience, signal });
    }
    // The first start applies all of them, whose names would fill the screen.
    log.info(isNew ? { migrations: pending.length } : { applied: pending }, 'Database migrated');
    return pending;
  };
  return announceLongWait(
    log,
    () => wait,
    () => withCancelledClient(url, signal, work),
  );
}

/**
 * Lists the migrations that a database lacks, without changing it.
 * @throws {Error} if the database is too new for this version
 */
export function pendingMigrations(
  url: string,
  { folder = MIGRATIONS_FOLDER, version }: Build = {},
): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const history = await readHistory(client, await listMigrations(folder));
    await refuseTooNew(client, history, version);
    return history.pending;
  });
}
