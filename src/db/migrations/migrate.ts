import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Log } from '../embedded/log.js';
import { checkRights } from '../server/rights.js';
import { listMigrations, MIGRATIONS_FOLDER, type Migration, readMigrations } from './migrations.js';

/** The lock of Prisma's own tools. It makes their migrations and ours exclude each other. */
export const PRISMA_LOCK = 72707369;

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

/** A row of Prisma's table for a migration that is neither finished nor rolled back. */
interface Unfinished {
  readonly id: string;
  readonly name: string;
  readonly logs: string | null;
}

/**
 * Applies pending migrations, like `prisma migrate deploy`. Any number of processes may call it at once; each
 * script is applied completely or not at all.
 * @param url connection string of a PostgreSQL 14 or later; not through a transaction-pooling proxy
 * @param options.folder the migrations; defaults to those of this build
 * @returns the names of the migrations that this call applied, in order
 * @throws {Error} if the database is of a newer version, before anything is changed; if the role lacks
 *   rights; if a migration fails or has failed before, with the database's message and instructions
 */
export async function migrate(url: string, options: { log: Log; folder?: string }): Promise<string[]> {
  const { log, folder = MIGRATIONS_FOLDER } = options;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the next query fails as well, and is awaited
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    const pending = await findPending(client, folder, log);
    if (pending.length === 0) return [];
    const isNew = (await appliedMigrations(client)).length === 0;
    await checkRights(client, isNew);
    await client.query(MIGRATIONS_TABLE);
    for (const migration of await readMigrations(folder, pending)) await apply(client, migration, log);
    // The first start applies all of them, whose names would fill the screen.
    log.info(isNew ? { migrations: pending.length } : { applied: pending }, 'Database migrated');
    return pending;
  } finally {
    await client.end(); // the lock ends with the session
  }
}

/** Finds the migrations to apply, in order. */
async function findPending(client: pg.Client, folder: string, log: Log): Promise<string[]> {
  const names = await listMigrations(folder);
  if (!(await hasMigrations(client))) return names;
  await checkVersion(client, names);
  await settleUnfinished(client, log);
  const finished = new Set(await appliedMigrations(client));
  return names.filter((name) => !finished.has(name));
}

/** Rejects a database with migrations that are unknown to this build, including unfinished ones. */
async function checkVersion(client: pg.Client, known: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT migration_name AS name FROM _prisma_migrations
      WHERE rolled_back_at IS NULL AND migration_name <> ALL ($1) ORDER BY name`,
    [known],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(
    `The database was upgraded by a newer version of the gateway, with the migration ${names}: ` +
      'run that version or a newer one, or restore a backup from before the upgrade.',
  );
}

async function hasMigrations(db: pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  return rows[0].present;
}

/** Lists the applied migrations of a database, oldest first. */
export async function appliedMigrations(db: pg.ClientBase): Promise<string[]> {
  if (!(await hasMigrations(db))) return [];
  const { rows } = await db.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map((row) => row.migration_name);
}

/**
 * Clears unfinished migrations, so that they are retried. If one failed, `logs` has the reason and a person
 * must look at it, unless the role lacked rights, which may have been granted since, or another session held
 * locks. Without a reason, its process died. As we hold the lock, nobody is working on it, and as scripts are
 * applied completely or not at all, it can simply be retried.
 */
async function settleUnfinished(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query<Unfinished>(
    `SELECT id, migration_name AS name, logs FROM _prisma_migrations
      WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at`,
  );
  for (const { id, name, logs } of rows) {
    if (logs && !isDenied(logs) && !isContention(logs)) throw failure(name, logs);
    log.warn({ migration: name }, `A migration was ${describeInterruption(logs)}; trying it again`);
    await client.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = $1', [id]);
  }
}

/**
 * Detects deadlocks and lock timeouts, which are temporary. The migration lost against a request of the
 * previous version, which keeps serving while a new one starts. "Write conflict" is the term of Prisma's
 * engine, which 0.1 had.
 */
const isContention = (logs: string) => /\b(40P01|55P03)\b|write conflict|lock timeout/i.test(logs);

/** Detects SQLSTATE insufficient_privilege. */
const isDenied = (logs: string) => /\b42501\b|permission denied|must be owner/i.test(logs);

function describeInterruption(logs: string | null): string {
  if (!logs) return 'interrupted';
  return isDenied(logs) ? 'denied' : 'blocked by locks of another session';
}

function failure(name: string, logs: string, cause?: unknown): Error {
  // Prisma's engine logged a stack trace after its message.
  const reason = logs.replace(/\n\s*0: [\s\S]*$/, '').trim();
  if (isDenied(logs)) {
    return new Error(
      `The migration ${name} was denied: ${reason}\n` +
        'It was rolled back. Ask the administrator to make the role the owner of the tables, and start again.',
      { cause },
    );
  }
  return new Error(
    `The migration ${name} failed: ${reason}\n` +
      'It was rolled back. When you have fixed the cause, allow another attempt with\n' +
      '  UPDATE _prisma_migrations SET rolled_back_at = now() ' +
      `WHERE migration_name = '${name}' AND finished_at IS NULL;`,
    { cause },
  );
}

/**
 * Applies a migration in one transaction, together with its row in Prisma's table. If it lost against a
 * request's locks, it is retried; any other failure is recorded for the next start.
 */
async function apply(client: pg.Client, migration: Migration, log: Log, tries = 5): Promise<void> {
  const { name, script } = migration;
  const checksum = createHash('sha256').update(script).digest('hex');
  const row = [randomUUID(), checksum, name].map(pg.escapeLiteral).join(', ');
  const insert = 'INSERT INTO _prisma_migrations (id, checksum, migration_name,';
  try {
    // A query without parameters may have many statements, and is one transaction. A script may end in a
    // comment.
    await client.query(
      `${script}\n;${insert} finished_at, applied_steps_count) VALUES (${row}, clock_timestamp(), 1)`,
    );
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const logs = `Database error code: ${error.code}\n\nERROR: ${error.message}`;
    await client.query(`${insert} logs) VALUES (${row}, ${pg.escapeLiteral(logs)})`);
    if (tries <= 1 || !isContention(logs)) throw failure(name, logs, error);
    await settleUnfinished(client, log);
    await apply(client, migration, log, tries - 1);
  }
}
