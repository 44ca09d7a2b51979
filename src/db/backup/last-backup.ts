import { DatabaseClient } from '../hosts/client.js';

/** A completed backup. */
interface Finished {
  readonly at: Date;
  readonly bytes: number;
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
