import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Log } from '../embedded/log.js';
import { checkRights } from '../server/rights.js';
import { listMigrations, MIGRATIONS_FOLDER, readMigrations } from './migrations.js';
import { engineMessage, NO_FILTERS, startEngine } from './schema-engine.js';
import { wholeScripts } from './script-adapter.js';

/** The lock that Prisma's own tools take: theirs and our migrations exclude each other. */
export const PRISMA_LOCK = 72707369;

/** A row of Prisma's table that is not a migration finished or rolled back. */
interface Unfinished {
  readonly id: string;
  readonly name: string;
  readonly logs: string | null;
}

/**
 * Applies the migrations that the database does not have yet, like `prisma migrate deploy`. Any number of
 * processes may call it at once; each script is applied whole or not at all.
 * @param url connection string of a PostgreSQL 14 or later; not through a transaction-pooling proxy.
 * @param options.folder the migrations; those of this build unless told.
 * @returns the names of the migrations this call applied, in order.
 * @throws {Error} when the database is of a newer version, before anything is changed; when the role lacks rights;
 *   when a migration fails or has failed before, with the database's words and the way on.
 */
export async function migrate(url: string, options: { log: Log; folder?: string }): Promise<string[]> {
  const folder = options.folder ?? MIGRATIONS_FOLDER;
  // One connection for everything: the lock belongs to it, and the engine, which wants the same, gets it again.
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on('error', () => {}); // the next query fails too, and is awaited
  try {
    await pool.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    if (!(await isPending(pool, folder, options.log))) return [];
    await checkRights(pool, (await appliedMigrations(pool)).length === 0);
    const applied = await applyPersistently(pool, folder, options.log);
    options.log.info({ applied }, 'Database migrated');
    return applied;
  } finally {
    await pool.end(); // and with the session ends the lock
  }
}

/** Checks for pending migrations, without loading the engine. */
async function isPending(pool: pg.Pool, folder: string, log: Log): Promise<boolean> {
  const names = await listMigrations(folder);
  if (!(await hasMigrations(pool))) return names.length > 0;
  await checkVersion(pool, names);
  await settleUnfinished(pool, log);
  const finished = new Set(await appliedMigrations(pool));
  return names.some((name) => !finished.has(name));
}

/** Refuses a database with migrations unknown to this build. One of them that was only begun counts, too. */
async function checkVersion(pool: pg.Pool, known: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT migration_name AS name FROM _prisma_migrations
      WHERE rolled_back_at IS NULL AND migration_name <> ALL ($1) ORDER BY name`,
    [known],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(
    `The database is of a newer version of the gateway, which has the migration ${names}: ` +
      'run that version or a newer one, or restore a backup that was made before the upgrade.',
  );
}

/** Pool or client that takes queries. */
type Queryable = Pick<pg.Pool | pg.ClientBase, 'query'>;

async function hasMigrations(db: Queryable): Promise<boolean> {
  const { rows } = await db.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  return rows[0].present;
}

/** Lists the applied migrations of a database, oldest first. */
export async function appliedMigrations(db: Queryable): Promise<string[]> {
  if (!(await hasMigrations(db))) return [];
  const { rows } = await db.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map((row) => row.migration_name);
}

/**
 * Clears migrations that did not finish, so that they are tried again. One that failed has its reason in
 * `logs`, and a person must look at it, unless the role lacked rights, which it may have by now, or another
 * session held locks. One without a reason was cut off with its process. As we hold the lock nobody is at it,
 * and as scripts are applied whole, it can simply be tried again.
 */
async function settleUnfinished(pool: pg.Pool, log: Log): Promise<void> {
  for (const { id, name, logs } of await findUnfinished(pool)) {
    if (logs && !isDenied(logs) && !isContention(logs)) throw failure(name, logs);
    log.warn({ migration: name }, `A migration was ${describeInterruption(logs)}; trying it again`);
    await pool.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = $1', [id]);
  }
}

/**
 * Deadlocks (the engine's "write conflict") and lock timeouts pass. The migration lost against a request of the version
 * before, which goes on serving while a new one starts.
 */
const isContention = (logs: string) => /Transaction write conflict|lock timeout/i.test(logs);

/** Detects SQLSTATE insufficient_privilege. The engine writes it down with PostgreSQL's words. */
const isDenied = (logs: string) => /\b42501\b|permission denied|must be owner/i.test(logs);

function describeInterruption(logs: string | null): string {
  if (!logs) return 'cut off';
  return isDenied(logs) ? 'denied' : 'stopped by the locks of another session';
}

async function findUnfinished(pool: pg.Pool): Promise<Unfinished[]> {
  const { rows } = await pool.query<Unfinished>(
    `SELECT id, migration_name AS name, logs FROM _prisma_migrations
      WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function failure(name: string, logs: string, cause?: unknown): Error {
  if (isDenied(logs)) {
    return new Error(
      `The migration ${name} was denied: ${engineMessage(logs)}\n` +
        'Nothing of it was kept. Let the administrator make the role the owner of the tables, and start again.',
      { cause },
    );
  }
  return new Error(
    `The migration ${name} failed: ${engineMessage(logs)}\n` +
      'Nothing of it was kept. When the cause is gone, allow another try with\n' +
      '  UPDATE _prisma_migrations SET rolled_back_at = now() ' +
      `WHERE migration_name = '${name}' AND finished_at IS NULL;`,
    { cause },
  );
}

/**
 * Retries migrations that lost against a request's locks. A gateway of the version before may serve
 * meanwhile.
 */
async function applyPersistently(pool: pg.Pool, folder: string, log: Log, tries = 5): Promise<string[]> {
  const before = await appliedMigrations(pool);
  try {
    await apply(pool, folder);
  } catch (error) {
    const stopped = (await findUnfinished(pool).catch(() => [])).some(
      ({ logs }) => logs && isContention(logs),
    );
    if (!stopped || tries <= 1) throw error;
    await settleUnfinished(pool, log);
    await applyPersistently(pool, folder, log, tries - 1);
  }
  return (await appliedMigrations(pool)).filter((name) => !before.includes(name));
}

async function apply(pool: pg.Pool, folder: string): Promise<void> {
  const engine = await startEngine(wholeScripts(new PrismaPg(pool)));
  try {
    const input = { migrationsList: await readMigrations(folder), filters: NO_FILTERS };
    await engine.applyMigrations(input);
  } catch (error) {
    // The engine wrote the failure down. The next start will say the same.
    const failed = (await findUnfinished(pool).catch(() => [])).find((row) => row.logs);
    throw failed?.logs ? failure(failed.name, failed.logs, error) : error;
  } finally {
    engine.free();
  }
}
