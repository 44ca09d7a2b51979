import pg from 'pg';
import type { RowCounts } from '../backup/backup-file.js';
import { DatabaseClient } from '../hosts/client.js';
import { PRISMA_LOCK } from '../migrations/lock.js';
import { derivedTables, listOwnedTables } from './owned-tables.js';

export interface DeletionProgress {
  readonly table: string;
  /** Number of tables that have been emptied. */
  readonly done: number;
  readonly tables: number;
}

export interface DeletionOptions {
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
