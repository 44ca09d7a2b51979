import pg from 'pg';

/** Matches a statement that builds an index while others write, with the index's name. */
const building = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"? ON /m;

/** Returns the index that a script builds while others write; undefined for any other script. */
export const concurrentIndex = (script: string): string | undefined => building.exec(script)?.[1];

/** Removes an index whose building was interrupted. It would be written, but never read. */
export async function dropUnfinishedIndex(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [pg.escapeIdentifier(name)],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(name)}`);
}

/** Returns a script for a transaction in which nobody else writes. */
export const withoutConcurrency = (script: string): string =>
  concurrentIndex(script) ? script.replace(' INDEX CONCURRENTLY ', ' INDEX ') : script;
