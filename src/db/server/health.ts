import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastBackup } from '../backup/last-backup.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';

/** State of the database and of its disk. */
export interface DatabaseHealth {
  /** PostgreSQL's version, such as `18.1`. */
  readonly version: string;
  /** Round trip of a query in milliseconds. */
  readonly latencyMs: number;
  /** Size of the database on disk in bytes. */
  readonly size: bigint;
  /** The disk; null if the database is on another machine, or does not reveal it. */
  readonly disk: DiskSpace | null;
  /** The last backup that the command `backup` has completed; null if none is known. */
  readonly lastBackup: LastBackup | null;
}

/** Space of a disk, in bytes. */
export interface DiskSpace {
  readonly free: bigint;
  readonly total: bigint;
}

interface Row {
  readonly version: string;
  readonly size: bigint;
  /** Null for a role that may not read it. */
  readonly folder: string | null;
  readonly started: number;
  readonly finishedAt: Date | null;
  readonly bytes: bigint | null;
}

/**
 * The most seconds by which two times of PostgreSQL's start may differ. It reports one, and its folder has
 * the other.
 */
const maxApart = 60;

/** Reads the state of the database. */
export async function readDatabaseHealth(database: Database): Promise<DatabaseHealth> {
  const asked = performance.now();
  await database.ping();
  const latencyMs = performance.now() - asked;
  const [row] = await database.query<Row>(
    prepared('database.health', {
      text: `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size,
      (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder,
      extract(epoch FROM pg_postmaster_start_time())::float8 AS started,
      backup.finished_at AS "finishedAt", backup.bytes
      FROM (SELECT) AS one LEFT JOIN last_backup AS backup ON TRUE`,
      values: [],
    }),
  );
  if (!row) throw new Error('A statement without a condition gave no row.');
  const { version, size, folder, started, finishedAt, bytes } = row;
  const lastBackup = finishedAt && bytes !== null ? { finishedAt, bytes } : null;
  const disk = folder === null ? null : await readDisk(folder, started);
  return { version, latencyMs, size, disk, lastBackup };
}

/**
 * Reads the space of the disk with a running server's folder. The folder must be on this machine: its file
 * with the time of the server's start reveals a server of another machine that has a folder of the same name.
 */
async function readDisk(folder: string, started: number): Promise<DiskSpace | null> {
  try {
    const [, , written] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
    if (Math.abs(Number(written) - started) > maxApart) return null;
    const { bavail, blocks, bsize } = await statfs(folder, { bigint: true });
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
}
