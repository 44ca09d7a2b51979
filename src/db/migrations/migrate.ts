import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Log } from '../../domain/log.js';
import { version as ownVersion } from '../../version.js';
import { DatabaseClient } from '../hosts/hosts.js';
import { announceLongWait, type Wait } from '../server/long-wait.js';
import { remedyOfState } from '../server/remedies.js';

/** Rights of a role that migrations need; names are quoted. */
interface Rights {
  readonly role: string;
  readonly database: string;
  /** Schema for new tables; null if the role may use none of its search path. */
  readonly schema: string | null;
  readonly may_make_tables: boolean;
  readonly may_make_schemas: boolean;
  readonly has_extension: boolean;
  readonly can_have_extension: boolean;
}

const select = `
  SELECT
    quote_ident(current_user) AS role,
    quote_ident(current_database()) AS database,
    quote_ident(current_schema()) AS schema,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_make_tables,
    has_database_privilege(current_database(), 'CREATE') AS may_make_schemas,
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS has_extension,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS can_have_extension`;

/**
 * Checks that the connection's role may run migrations. They create tables, for which PostgreSQL 15 and later
 * grant nobody CREATE on the schema public, and the extension pg_trgm.
 * @param first true if the first migration is pending, which creates the schema
 * @throws {Error} with the statements for the database's administrator
 */
export async function checkRights(db: Pick<pg.Pool | pg.ClientBase, 'query'>, first: boolean): Promise<void> {
  const { rows } = await db.query<Rights>(select);
  const [rights] = rows;
  if (!rights) throw new Error('A statement without a condition gave no row.');
  const { role, database, schema } = rights;
  if (!rights.has_extension && !rights.can_have_extension) {
    throw new Error(
      'The PostgreSQL server lacks the extension pg_trgm: ask its administrator to install the contrib package.',
    );
  }
  const needsDatabase = (first || !rights.has_extension) && !rights.may_make_schemas;
  const grants = [
    schema === null && `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
    schema !== null && !rights.may_make_tables && `GRANT CREATE ON SCHEMA ${schema} TO ${role};`,
    needsDatabase && `GRANT CREATE ON DATABASE ${database} TO ${role};`,
  ].filter((grant) => grant !== false);
  if (grants.length === 0) return;
  throw new Error(
    `The role ${role} may not create the gateway's tables in the database ${database}: ` +
      `ask an administrator to run ${grants.join(' ')} in that database, and start again.`,
  );
}

/** Matches a statement that builds an index while others write, with the index's name. */
const building = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"? ON /m;

/** Returns the index that a script builds while others write; undefined for any other script. */
export const concurrentIndex = (script: string): string | undefined => building.exec(script)?.[1];

/** Removes an index whose building was interrupted. It would be written, but never read. */
async function dropUnfinishedIndex(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [pg.escapeIdentifier(name)],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(name)}`);
}

/** Returns a script for a transaction in which nobody else writes. */
export const withoutConcurrency = (script: string): string =>
  concurrentIndex(script) ? script.replace(' INDEX CONCURRENTLY ', ' INDEX ') : script;

/**
 * Detects deadlocks and lock timeouts, which are temporary. The migration lost against a request of the
 * previous version, which keeps serving while a new one starts. "Write conflict" is the term of Prisma's
 * engine, which 0.1 had.
 */
const isContention = (logs: string) => /\b(40P01|55P03)\b|write conflict|lock timeout/i.test(logs);

/** Detects SQLSTATE insufficient_privilege. */
const isDenied = (logs: string) => /\b42501\b|permission denied|must be owner/i.test(logs);

/** Returns the SQLSTATE in the reason that is kept of a failed migration. */
const stateIn = (logs: string) => /^Database error code: (\w{5})$/m.exec(logs)?.[1] ?? '';

/**
 * Detects failures of the surroundings, which are not the migration's own. They are a lack of space, memory or
 * connections (53), a stop or a cancelled statement (57), errors of files and disks (58), conflicts with other
 * sessions (40, 55), and a server that is read-only.
 */
const isOfSurroundings = (logs: string) => /^(40|53|55|57|58|25006)/.test(stateIn(logs));

/**
 * Describes why a failed migration may be tried again without a person. The cause may be gone. It is undefined
 * if the failure is the migration's own, or that of the data.
 * @param logs the reason that was kept; null if the process died first
 */
function describeInterruption(logs: string | null): string | undefined {
  if (!logs) return 'interrupted';
  if (isDenied(logs)) return 'denied';
  if (isContention(logs)) return 'blocked by locks of another session';
  return isOfSurroundings(logs) ? 'stopped by the database server or its disk' : undefined;
}

/** Creates the error of a failed migration, with instructions. */
function migrationFailure(name: string, logs: string, cause?: unknown): Error {
  // Prisma's engine logged a stack trace after its message.
  const reason = logs.replace(/\n\s*0: [\s\S]*$/, '').trim();
  return new Error(`The migration ${name} ${describe(logs, reason)}`, { cause });
}

function describe(logs: string, reason: string): string {
  if (isDenied(logs)) {
    return (
      `was denied: ${reason}\n` +
      'It was rolled back. Ask the administrator to make the role the owner of the tables, and start again.'
    );
  }
  if (describeInterruption(logs)) {
    const todo = remedyOfState(stateIn(logs)) ?? '';
    return `could not be applied now: ${reason}\nIt was rolled back, and the next start tries it again. ${todo}`.trim();
  }
  return (
    `failed: ${reason}\n` +
    'It was rolled back. When you have fixed the cause, run the command `migrate --retry`, which tries it again.'
  );
}

/** The migrations of this build, found from src and from dist alike. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
/** The file in each migration's folder. */
export const SCRIPT = 'migration.sql';

/** A migration with its SQL script. */
interface Migration {
  readonly name: string;
  readonly script: string;
}

/** Lists the migrations in a folder, oldest first. @throws {Error} `ENOENT` if there is no such folder */
export async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads migrations of a folder with their scripts.
 * @throws {Error} `ENOENT` if a migration has no script
 */
export function readMigrations(folder: string, names: readonly string[]): Promise<Migration[]> {
  const read = async (name: string) => ({ name, script: await readFile(join(folder, name, SCRIPT), 'utf8') });
  return Promise.all(names.map(read));
}

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
async function settleUnfinished(
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
interface LockPatience {
  /** Time for which one attempt may wait for a lock. Meanwhile, requests for the same table wait behind it. */
  readonly attempt: number;
  /** Time for which attempts are repeated. */
  readonly total: number;
}

/** The default. Requests wait for at most a second, and a backup of a minute does not end the start. */
const lockPatience: LockPatience = { attempt: 1_000, total: 60_000 };

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
async function apply(client: pg.Client, migration: Migration, applying: Applying): Promise<void> {
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

/** A database's migrations, compared with those of a build. */
interface History {
  /** Names of the migrations that the database lacks, oldest first. */
  readonly pending: readonly string[];
  /** Names of the applied migrations that the build lacks, because a newer version applied them. */
  readonly newer: readonly string[];
}

/**
 * Compares a database's migrations with those of a build.
 * @param known the names of the build's migrations, oldest first
 */
export async function readHistory(db: pg.ClientBase, known: readonly string[]): Promise<History> {
  const applied = await appliedMigrations(db);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  };
}

/**
 * Rejects a database whose newer migrations took away what this version uses. The schema itself says which
 * version is the oldest that can use it (`oldest_version`).
 * @throws {Error} with instructions
 */
export async function refuseTooNew(
  db: pg.ClientBase,
  { newer }: History,
  version: string = ownVersion,
): Promise<void> {
  if (newer.length === 0) return;
  const oldest = await readOldestVersion(db);
  if (oldest !== undefined && !isBefore(version, oldest)) return;
  const needed = oldest === undefined ? 'a newer version' : `version ${oldest} or a newer one`;
  throw new Error(
    `The database was upgraded by a newer version of the gateway, with the migration ${newer.join(', ')}, and this ` +
      `one (${version}) cannot use it: run ${needed}, or restore a backup from before the upgrade.`,
  );
}

/** Reads the oldest version that can use the schema. It is undefined if the schema does not say. */
async function readOldestVersion(db: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await db.query("SELECT to_regprocedure('oldest_version()') IS NOT NULL AS present");
  if (!rows[0].present) return undefined;
  const { rows: told } = await db.query<{ oldest: string }>('SELECT oldest_version() AS oldest');
  return told[0]?.oldest;
}

/** Returns whether a version came before another. A preview counts as the version that it precedes. */
function isBefore(version: string, other: string): boolean {
  const [own, least] = [version, other].map((text) => text.split('-')[0] ?? '');
  return (own ?? '').localeCompare(least ?? '', 'en', { numeric: true }) < 0;
}

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

/**
 * Looks at the schema while nobody changes it. A backup shares the lock of migrations and may take hours, so whoever finds
 * nothing to do need not wait for it.
 * @returns undefined if a migration or a restore is under way
 */
export async function lookAtSchema<T>(client: pg.ClientBase, look: () => Promise<T>): Promise<T | undefined> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock_shared($1) AS locked', [PRISMA_LOCK]);
  if (!rows[0].locked) return undefined;
  const found = await look();
  await client.query('SELECT pg_advisory_unlock_shared($1)', [PRISMA_LOCK]);
  return found;
}

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
interface Build {
  /** Folder of the migrations; defaults to that of this build. */
  readonly folder?: string;
  /** Version of the gateway; defaults to that of this build. */
  readonly version?: string;
}

/** Options of applying migrations. */
interface MigrateOptions extends Build {
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
    const known = await listMigrations(folder);
    const findPending = async () => {
      const history = await readHistory(client, known);
      await refuseTooNew(client, history, version);
      return history.pending;
    };
    if ((await lookAtSchema(client, findPending))?.length === 0) return [];
    await lockMigrations(client, signal);
    wait = { reason: 'the database answers slowly' };
    const pending = await findPending();
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
