import type pg from 'pg';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { sql } from '../sql/sql.js';

/*
 * A restored database may be a copy beside the real one, with the same recipients, receivers and files. It is silent:
 * what would reach another system waits in its queue until somebody says that this database is the real one.
 */

/**
 * SQL condition that the database is not silent. Whatever reaches other systems is claimed only then. It is evaluated
 * once for a statement.
 */
export const notSilent = sql`NOT EXISTS (SELECT FROM restored_backup)`;

/** The backup that a silent database was restored from. */
export interface RestoredBackup {
  readonly madeAt: Date;
  readonly restoredAt: Date;
}

/** Says why a silent database sends nothing, and how to end that. */
export const silentText =
  'This database was restored from a backup. Until somebody says that it is the real one, and not a copy, it sends ' +
  'nothing (mail, chat, webhooks), and fetches and removes no files. To end that, run the command `go-live`, or use ' +
  'the button in the console.';

/** Returns the backup that made a database silent; undefined if it is not. */
export async function readSilence(database: Pick<Database, 'query'>): Promise<RestoredBackup | undefined> {
  const statement = sql`SELECT made_at AS "madeAt", restored_at AS "restoredAt" FROM restored_backup`;
  const [backup] = await database.query<RestoredBackup>(named('restored_backup.read', statement));
  return backup;
}

/**
 * Ends the silence of a database for all processes.
 * @returns whether it was silent
 */
export async function endSilence(database: Pick<Database, 'query'>): Promise<boolean> {
  return (
    (await database.query(named('restored_backup.end', sql`DELETE FROM restored_backup RETURNING 1`)))
      .length > 0
  );
}

/** The table as its migration makes it. The schema of a backup may be older. */
const table = `
  CREATE TABLE IF NOT EXISTS restored_backup (
    made_at TIMESTAMPTZ(3) NOT NULL,
    restored_at TIMESTAMPTZ(3) NOT NULL,
    single BOOLEAN NOT NULL DEFAULT TRUE CHECK (single),
    CONSTRAINT restored_backup_pkey PRIMARY KEY (single)
  )`;

/** Makes a database silent, or not, in the transaction that restores it. */
export async function setSilence(client: pg.ClientBase, backup: RestoredBackup | undefined): Promise<void> {
  await client.query(table);
  // The backup itself may be of a silent database.
  await client.query('DELETE FROM restored_backup');
  if (!backup) return;
  const { madeAt, restoredAt } = backup;
  await client.query('INSERT INTO restored_backup (made_at, restored_at) VALUES ($1, $2)', [
    madeAt.toISOString(),
    restoredAt.toISOString(),
  ]);
}
