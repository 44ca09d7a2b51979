import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import { DatabaseClient } from '../hosts/hosts.js';

/** A completed backup. */
interface Finished {
  readonly at: Date;
  readonly bytes: number;
}

/** The last backup that a database knows of. */
export interface LastBackup {
  readonly finishedAt: Date;
  /** Size of the file in bytes. */
  readonly bytes: bigint;
}

/** Reads when the database was last backed up by the command. */
export async function lastBackupOf(database: Pick<Database, 'query'>): Promise<LastBackup | undefined> {
  const text = 'SELECT finished_at AS "finishedAt", bytes FROM last_backup';
  const [row] = await database.query<LastBackup>(prepared('last_backup.read', { text, values: [] }));
  return row;
}

/** SQLSTATE undefined_table: the database has an older version without this table. */
const undefinedTable = '42P01';

/**
 * Stores in the database when it was last backed up. The gateway shows it.
 * @param url connection string
 * @throws {Error} of `pg` if the database accepts no writes
 */
export async function keepLastBackup(url: string, { at, bytes }: Finished): Promise<void> {
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // the query fails as well
  try {
    await client.connect();
    await client.query(
      `INSERT INTO last_backup (finished_at, bytes) VALUES ($1, $2)
       ON CONFLICT (single) DO UPDATE SET finished_at = excluded.finished_at, bytes = excluded.bytes`,
      [at.toISOString(), bytes],
    );
  } catch (error) {
    if ((error as { code?: string }).code !== undefinedTable) throw error;
  } finally {
    await client.end();
  }
}
