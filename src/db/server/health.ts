import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';

/** State of the database and of the disk that it is on. */
export interface DatabaseHealth {
  /** Like `18.1`. */
  readonly version: string;
  /** Milliseconds that an answer takes. */
  readonly latencyMs: number;
  /** Bytes that it takes on disk. */
  readonly size: bigint;
  /** The disk; null when the database is on another machine, or does not tell. */
  readonly disk: DiskSpace | null;
  /** The last backup that the command `backup` has finished; null when none is known. */
  readonly lastBackup: LastBackup | null;
}

/** Space of a disk, in bytes. */
export interface DiskSpace {
  readonly free: bigint;
  readonly total: bigint;
}

/** A backup that was made. */
export interface LastBackup {
  readonly finishedAt: Date;
  /** Its size, compressed. */
  readonly bytes: bigint;
}

interface Row {
  readonly version: string;
  readonly size: bigint;
  /** Null for a role that may not know it. */
  readonly folder: string | null;
  readonly started: number;
  readonly finishedAt: Date | null;
  readonly bytes: bigint | null;
}

/** Seconds that the two times of PostgreSQL's start may be apart. It tells one, and its folder has the other. */
const mostApart = 60;

/** Reads how the database does. */
export async function readDatabaseHealth(database: Database): Promise<DatabaseHealth> {
  const asked = performance.now();
  await database.ping();
  const latencyMs = performance.now() - asked;
  const [row] = await database.query<Row>(
    named('database.health', {
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
 * Reads the space of the disk that a running server's folder is on. The folder must be on this machine: the file in it
 * that names the server's start tells a server of another machine, whose folder has the same name.
 */
async function readDisk(folder: string, started: number): Promise<DiskSpace | null> {
  try {
    const [, , written] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
    if (Math.abs(Number(written) - started) > mostApart) return null;
    const { bavail, blocks, bsize } = await statfs(folder, { bigint: true });
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
}
