import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { APPLICATION_NAME } from '../connection/pool.js';
import { DatabaseClient } from '../hosts/hosts.js';
import {
  checkRights,
  listMigrations,
  lockMigrations,
  MIGRATIONS_FOLDER,
  MIGRATIONS_TABLE,
  readMigrations,
  withoutConcurrency,
} from '../migrations/migrate.js';
import { setSilence } from '../queue/loop.js';
import {
  type BackupHead,
  type BackupVisitor,
  checkBackup,
  compareCounts,
  type RowCounts,
  readBackup,
} from './format.js';
import { DROP_EVERYTHING, listTables } from './tables.js';

interface RestoreOptions {
  /** True to replace the contents of the database. */
  readonly force: boolean;
  /** True if the database is the real one from now on. By default it is silent, because it may be a copy. */
  readonly live?: boolean;
  /** The migrations; defaults to those of this build. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RestoreProgress) => void;
}

export interface RestoreProgress {
  readonly step: 'check' | 'restore';
  /** Bytes read so far. */
  readonly bytes: number;
  /** Size of the file in bytes; undefined for a stream. */
  readonly size: number | undefined;
}

/**
 * Restores a backup in one transaction: either completely, or nothing is changed. Afterwards the database has
 * the backup's migrations, and `migrate` applies newer ones. It is silent, unless it is said to be live.
 * @param url connection string of a database that no gateway uses
 * @param source the name of a file, or a stream, which is read once
 * @returns the row counts of the tables
 * @throws {BackupError} if it is not a complete backup; a file is checked before connecting to the database
 * @throws {Error} if the backup is of a newer version, the database is in use or, without `force`, not empty;
 *   the reason of `signal` if it is aborted
 */
export async function restoreBackup(
  url: string,
  source: string | Readable,
  options: RestoreOptions,
): Promise<RowCounts> {
  const { folder = MIGRATIONS_FOLDER, signal, onProgress } = options;
  const size = typeof source === 'string' ? (await stat(source)).size : undefined;
  const reading = (step: RestoreProgress['step']) => ({
    signal,
    onBytes: onProgress && ((bytes: number) => onProgress({ step, bytes, size })),
  });
  if (typeof source === 'string') {
    const { head } = await checkBackup(source, reading('check'));
    await checkMigrations(head, folder);
  }
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    await lockMigrations(client);
    await checkRights(client, true);
    await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'");
    await checkUnused(client);
    if (!options.force) await checkEmpty(client);
    const found: Record<string, number> = {};
    let madeAt = '';
    const visitor: BackupVisitor = {
      async head(head) {
        const { migrations, created } = head;
        madeAt = created;
        await checkMigrations(head, folder);
        await client.query(DROP_EVERYTHING);
        await makeTables(client, migrations, folder);
      },
      async table({ name, columns }, rows) {
        // The backup already has what triggers would write.
        await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
        const copy = client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN`));
        await pipeline(rows, copy);
        found[name] = copy.rowCount;
        await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
      },
    };
    const counts = await readBackup(source, visitor, reading('restore'));
    compareCounts(counts, found);
    const restored = { madeAt: new Date(madeAt), restoredAt: new Date() };
    await setSilence(client, options.live ? undefined : restored);
    signal?.throwIfAborted();
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return counts;
  } finally {
    await client.end();
  }
}

async function checkMigrations({ migrations, version }: BackupHead, folder: string): Promise<void> {
  const known = new Set(await listMigrations(folder));
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The backup has the schema of a newer version of the gateway, with the migration ${unknown.join(', ')}: ` +
      `restore it with ${version ? `version ${version}` : 'that version'} or a newer one.`,
  );
}

/** Gateways and workers would continue with tables that no longer exist. */
async function checkUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT count(*)::integer AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [APPLICATION_NAME],
  );
  const { connections } = rows[0];
  if (connections === 0) return;
  throw new Error(
    `The database is in use (connections: ${connections}). Stop all gateways and workers first.`,
  );
}

async function checkEmpty(client: pg.Client): Promise<void> {
  for (const { name } of await listTables(client)) {
    if (name === '_prisma_migrations') continue;
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount)
      throw new Error(
        `The database is not empty: ${name} has rows. Use --force to replace everything in it.`,
      );
  }
}

async function makeTables(client: pg.Client, migrations: readonly string[], folder: string): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  const made = (await listMigrations(folder)).filter((name) => migrations.includes(name));
  // A query without parameters may have many statements.
  for (const { script } of await readMigrations(folder, made)) {
    await client.query(withoutConcurrency(script));
  }
}
