import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { RowCounts } from '../backup/format.js';
import { derivedTables, listOwnedTables } from '../backup/tables.js';
import { isLockTimeout } from '../connection/errors.js';
import { DatabaseClient } from '../hosts/hosts.js';
import { PRISMA_LOCK } from '../migrations/migrate.js';

interface FreezeOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds in which writers must leave each table. */
  readonly patience?: number;
}

/** Milliseconds that a statement waits for a table. Others queue behind it, so it tries again instead. */
const lockWait = 500;

/** Milliseconds to wait for messages that are being sent. */
const sendingWait = 3_000;

const triggerName = (id: string) => `frozen_${id.replaceAll('-', '')}`;

/**
 * Freezes an organization, so that it can be read but not changed. Writes that have begun are finished before,
 * and their results are kept. If it fails, the organization is not frozen.
 * @param url connection string of the tables' owner
 * @throws {Error} if writers do not leave a table in time; the reason of `signal` if it is aborted
 */
export async function freezeOrganization(
  url: string,
  id: string,
  options: FreezeOptions = {},
): Promise<void> {
  const { signal, patience = 30_000 } = options;
  await withClient(url, async (client) => {
    await refuseCopy(client, id);
    // From now on, nobody claims background work of the organization.
    await client.query('UPDATE organizations SET frozen_at = now() WHERE id = $1 AND frozen_at IS NULL', [
      id,
    ]);
    try {
      await untilSent(client, id, signal);
      for (const [table, column] of await guardedTables(client, id))
        await guard(client, { table, column, id }, { deadline: performance.now() + patience, signal });
    } catch (error) {
      await thaw(client, id);
      signal?.throwIfAborted();
      throw error;
    }
  });
}

/** Lets a frozen organization be changed again. */
export function unfreezeOrganization(url: string, id: string): Promise<void> {
  return withClient(url, async (client) => {
    await refuseCopy(client, id);
    await thaw(client, id);
  });
}

/** Rejects a copy that waits for its changes. Without them, it lacks what was written since it was made. */
async function refuseCopy(client: pg.Client, id: string): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM organizations WHERE id = $1 AND copied_from IS NOT NULL',
    [id],
  );
  if (rowCount)
    throw new Error('It is a copy that waits for its changes: import them, or delete the organization here.');
}

/** Removes the triggers of an organization that is no longer frozen, or that is gone. */
export function removeGuards(url: string, id: string): Promise<void> {
  return withClient(url, (client) => dropGuards(client, id));
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    // The lock keeps migrations from changing the tables meanwhile.
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
    await client.query(`SET lock_timeout = ${lockWait}`);
    await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the tables whose rows name their organization, with the column that does. Parts are written with them. */
async function guardedTables(client: pg.Client, id: string): Promise<[table: string, column: string][]> {
  const tables = await listOwnedTables(client, pg.escapeLiteral(id));
  return tables.flatMap(({ name, columns }) => {
    const column = name === 'organizations' ? 'id' : 'organization_id';
    return columns.includes(column) ? [[name, column]] : [];
  });
}

interface Guard {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/**
 * Creates the triggers of a table. They are created when nobody is writing to it, so every write is either
 * finished or refused.
 */
async function guard(
  client: pg.Client,
  { table, column, id }: Guard,
  { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const [name, literal] = [triggerName(id), pg.escapeLiteral(id)];
  const create = (suffix: string, events: string, row: string) => `
    CREATE OR REPLACE TRIGGER ${name}_${suffix} BEFORE ${events} ON ${table} FOR EACH ROW
      WHEN (${row}.${column} = ${literal}) EXECUTE FUNCTION refuse_frozen(${literal})`;
  for (;;) {
    signal?.throwIfAborted();
    try {
      // A query without parameters may have many statements, and is one transaction.
      await client.query(
        [create('written', 'INSERT OR UPDATE', 'NEW'), create('deleted', 'DELETE', 'OLD')].join(';'),
      );
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > deadline)
        throw new Error(
          `Somebody has been writing to ${table} all the time, so the organization cannot be frozen: try again later.`,
          { cause: error },
        );
      await pause(lockWait / 5);
    }
  }
}

/**
 * Messages that are being sent. What has been tried before may be waiting for its next attempt instead, which
 * looks the same for deliveries, so only their first attempts count.
 */
const sending = `
  SELECT FROM deliveries WHERE organization_id = $1 AND due_at > now() AND attempts = 1 AND last_error IS NULL
  UNION ALL
  SELECT FROM webhook_deliveries WHERE organization_id = $1 AND due_at > now() AND is_claimed
  LIMIT 1`;

/**
 * Waits for messages that are being sent, so that the database knows that they were. One that takes too long
 * is sent again after the move, as after the end of a process.
 */
async function untilSent(client: pg.Client, id: string, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + sendingWait;
  while ((await client.query(sending, [id])).rowCount) {
    signal?.throwIfAborted();
    if (performance.now() > deadline) return;
    await pause(50);
  }
}

async function thaw(client: pg.Client, id: string): Promise<void> {
  // The triggers would refuse it.
  await client.query('BEGIN');
  await client.query("SET LOCAL gateway.copying = 'on'");
  await client.query('UPDATE organizations SET frozen_at = NULL WHERE id = $1', [id]);
  await client.query('COMMIT');
  await dropGuards(client, id);
}

/** Drops the triggers of an organization. One that stays because its table is busy has no effect any more. */
async function dropGuards(client: pg.Client, id: string): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `SELECT tgname AS name, format('%I', relname) AS table FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
     WHERE relnamespace = current_schema()::regnamespace AND tgparentid = 0 AND starts_with(tgname, $1)`,
    [triggerName(id)],
  );
  for (const { name, table } of rows)
    await client.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
    });
}

interface DeletionProgress {
  readonly table: string;
  /** Number of tables that have been emptied. */
  readonly done: number;
  readonly tables: number;
}

interface DeletionOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: DeletionProgress) => void;
}

/** Pattern of an id in the key of a request count. */
const idPattern = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Returns statements that delete what tables of the whole installation have about an organization's people. */
const forgetSql = (id: string) => [
  `DELETE FROM sign_in_challenges WHERE user_id IN (SELECT id FROM users WHERE organization_id = ${id})`,
  `DELETE FROM rate_limits WHERE (regexp_match(key, '(${idPattern})'))[1] IN (
    ${['users', 'access_tokens', 'sessions', 'calendar_feeds']
      .map((table) => `SELECT id::text FROM ${table} WHERE organization_id = ${id}`)
      .join(' UNION ALL ')})`,
];

/**
 * Deletes an organization with all its rows, in one transaction. It should be frozen, because rows that
 * others add meanwhile could make it fail.
 * @param url connection string
 * @returns the number of deleted rows of each table
 */
export async function deleteOrganization(
  url: string,
  id: string,
  { signal, onProgress }: DeletionOptions = {},
): Promise<RowCounts> {
  const literal = pg.escapeLiteral(id);
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
    await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL gateway.copying = 'on'");
    for (const statement of forgetSql(literal)) await client.query(statement);
    const counts: Record<string, number> = {};
    // A table comes after those that its rows refer to, so they are emptied in the other direction.
    const tables = (await listOwnedTables(client, literal)).reverse();
    for (const [done, { name, where }] of tables.entries()) {
      signal?.throwIfAborted();
      onProgress?.({ table: name, done, tables: tables.length });
      counts[name] = (await client.query(`DELETE FROM ${name} WHERE ${where}`)).rowCount ?? 0;
    }
    for (const name of derivedTables)
      await client.query(`DELETE FROM ${name} WHERE organization_id = ${literal}`);
    await client.query('COMMIT');
    return counts;
  } finally {
    await client.end();
  }
}
