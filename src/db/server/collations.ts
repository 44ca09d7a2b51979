import pg from 'pg';
import { connectToPrivateServer } from './private-connection.js';

/** Advisory lock of the process that rebuilds indexes. */
const REFRESH_LOCK = 0x636f6c6c;

/** Settings for all sessions must not end a rebuild. */
const patient = '-c statement_timeout=0 -c lock_timeout=0';

/**
 * Rebuilds the indexes of databases in which the library that sorts text has changed. Programs from another
 * source, or a newer version of them, may bring another ICU or C library. An index that the former one has
 * sorted would miss rows. PostgreSQL only warns.
 * @param client a session of the database `postgres`
 * @throws {Error} of `pg`; the next call then begins anew
 */
export async function refreshCollations(client: pg.Client, port: number, password: string): Promise<void> {
  if ((await outdatedDatabases(client)).length === 0) return;
  await client.query('SELECT pg_advisory_lock($1)', [REFRESH_LOCK]);
  try {
    // Another process may have done it meanwhile.
    for (const { name, isOpen } of await outdatedDatabases(client)) {
      if (isOpen) await rebuildIndexes(name, port, password);
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} REFRESH COLLATION VERSION`);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [REFRESH_LOCK]);
  }
}

interface OutdatedDatabase {
  readonly name: string;
  /** True if it accepts connections; one that does not has nothing to rebuild. */
  readonly isOpen: boolean;
}

/** Finds databases that record another version of their library. PostgreSQL 14 records none. */
async function outdatedDatabases(client: pg.Client): Promise<OutdatedDatabase[]> {
  const { rows } = await client.query<{ known: boolean }>(
    `SELECT current_setting('server_version_num')::integer >= 150000 AND NOT pg_is_in_recovery() AS known`,
  );
  if (!rows[0]?.known) return [];
  const found = await client.query<OutdatedDatabase>(
    `SELECT datname AS name, datallowconn AS "isOpen" FROM pg_database
      WHERE datcollversion <> pg_database_collation_actual_version(oid) ORDER BY datname`,
  );
  return found.rows;
}

/**
 * Selects the indexes that may depend on the order or case of text. Columns of "C" and "POSIX" do not; an
 * expression or condition may, whatever its type.
 */
const dependent = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'i' AND n.nspname NOT IN ('pg_catalog', 'pg_toast')
     AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
          OR EXISTS (SELECT FROM unnest(i.indcollation) AS used
                      WHERE used <> 0 AND used NOT IN ('"C"'::regcollation, '"POSIX"'::regcollation)))
   ORDER BY name`;

async function rebuildIndexes(database: string, port: number, password: string): Promise<void> {
  const { client, socket } = await connectToPrivateServer(port, password, { database, options: patient });
  try {
    const { rows } = await client.query<{ name: string }>(dependent);
    // A long wait is announced with the log's last message.
    const message = `indexes of "${database}" are rebuilt, because the library that sorts text has changed`;
    if (rows.length > 0)
      await client.query(`DO $$ BEGIN RAISE LOG '%', ${pg.escapeLiteral(message)}; END $$`);
    for (const { name } of rows) await client.query(`REINDEX INDEX ${name}`);
  } finally {
    socket.destroy();
  }
}
