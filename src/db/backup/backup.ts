import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { version } from '../../version.js';
import { sync } from '../embedded/cluster.js';
import { DatabaseClient } from '../hosts/client.js';
import { appliedMigrations } from '../migrations/history.js';
import { PRISMA_LOCK } from '../migrations/lock.js';
import {
  checksumLine,
  type ExportedOrganization,
  endLine,
  headLine,
  type RowCounts,
  tableLine,
  tailLine,
} from './backup-file.js';
import {
  countOutsideFiles,
  hasOutsideFiles,
  type LeftOutFile,
  outsideRows,
  type ReadOutsideFile,
} from './outside-files.js';
import { type CopiedTable, listTables } from './tables.js';

/** Contents of a backup: its migrations and row counts. */
export interface Backup {
  readonly migrations: readonly string[];
  readonly counts: RowCounts;
  /** Compressed bytes. */
  readonly bytes: number;
  /** Number of files whose bytes are not in it. */
  readonly outside: number;
  /** Files that were to be in it, but could not be read. */
  readonly leftOut: readonly LeftOutFile[];
}

export interface BackupProgress {
  readonly table: string;
  /** Number of tables written. */
  readonly done: number;
  readonly tables: number;
  /** Compressed bytes so far. */
  readonly bytes: number;
}

/** Contents of the file of an organization. */
export interface BackupContents {
  readonly organization: ExportedOrganization;
  readonly tables: readonly CopiedTable[];
}

export interface BackupOptions {
  /** Selects what to back up, in the snapshot of the backup. Without it, everything is. */
  readonly select?: (client: pg.Client) => Promise<BackupContents>;
  /** True to replace an existing file. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Reads files outside the database, which are then in the backup. */
  readonly readFile?: ReadOutsideFile | undefined;
}

/**
 * Statements that make COPY exact and consistent. It writes every value with all its digits, however the
 * database is configured, and the rows of all tables as of one moment, while others keep writing.
 */
const beginSnapshot = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1;
  SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0;`;

interface Text extends Partial<BackupContents> {
  readonly migrations: readonly string[];
  /** Filled in at the end. */
  readonly counts: Record<string, number>;
  readonly onTable: (at: Omit<BackupProgress, 'bytes'>) => void;
  readonly readFile: ReadOutsideFile | undefined;
  /** Called with the number of files whose bytes are not in it. */
  readonly onOutside: (files: number) => void;
  readonly onLeftOut: (file: LeftOutFile) => void;
}

/** Returns a query, because PostgreSQL does not copy a partitioned table by its name. */
function copySql({ name, columns, where = 'TRUE' }: CopiedTable, onlyInside: boolean): string {
  const inside = onlyInside ? ' AND store IS NULL' : '';
  return `COPY (SELECT ${columns.join(', ')} FROM ${name} WHERE (${where})${inside}) TO STDOUT`;
}

/** Generates a backup's text in chunks. The row counts are complete once it has been read to the end. */
async function* generateText(client: pg.Client, text: Text): AsyncGenerator<string | Buffer> {
  const { migrations, organization, counts, onTable, readFile, onOutside, onLeftOut } = text;
  yield headLine({
    format: 1,
    created: new Date().toISOString(),
    version,
    migrations,
    ...(organization && { organization }),
  });
  const copies: [string, CopyToStreamQuery][] = [];
  const tables: readonly CopiedTable[] = text.tables ?? (await listTables(client));
  for (const [done, table] of tables.entries()) {
    onTable({ table: table.name, done, tables: tables.length });
    yield tableLine(table);
    const outside = hasOutsideFiles(table) ? await countOutsideFiles(client, table) : 0;
    const rows = client.query(copyTo(copySql(table, readFile !== undefined && outside > 0)));
    yield* rows;
    if (readFile && outside > 0) {
      let lost = 0;
      yield* outsideRows(client, table, readFile, (file) => {
        lost++;
        onLeftOut(file);
      });
      onOutside(lost);
      counts[table.name] = outside;
    } else if (outside > 0) onOutside(outside);
    yield endLine;
    copies.push([table.name, rows]);
  }
  // The server has reported the last count by the time this is answered.
  await client.query('COMMIT');
  for (const [name, { rowCount }] of copies) counts[name] = (counts[name] ?? 0) + rowCount;
  yield tailLine(counts);
}

/** Appends the checksum of a text to it. */
async function* withChecksum(text: AsyncIterable<string | Buffer>) {
  const hash = createHash('sha256');
  for await (const part of text) {
    hash.update(part);
    yield part;
  }
  yield checksumLine(hash.digest('hex'));
}

/**
 * Backs up a database as of one moment, even while it is in use. Nothing large is kept in memory.
 * @param url connection string
 * @param target a stream, which is left open; or the name of a file, which appears only once it is complete
 *   and on disk, readable only by its owner
 * @throws {Error} if the database cannot be read, the target cannot be written, or a file must not be
 *   replaced; the reason of `signal` if it is aborted
 */
export async function writeBackup(
  url: string,
  target: string | Writable,
  options: BackupOptions = {},
): Promise<Backup> {
  const { force = false, signal } = options;
  if (typeof target === 'string') await checkFree(target, force);
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    if (typeof target === 'string')
      return await writeAtomically(target, force, (open) => write(client, { open, end: true }, options));
    const backup = await write(client, { open: () => target, end: false }, options);
    // Everything written earlier has been flushed once this callback runs.
    await new Promise<void>((resolve, reject) =>
      target.write('', (error) => (error ? reject(error) : resolve())),
    );
    return backup;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await client.end();
  }
}

interface Output {
  readonly open: () => Writable;
  /** True if the stream ends with the backup. */
  readonly end: boolean;
}

async function write(client: pg.Client, { open, end }: Output, options: BackupOptions): Promise<Backup> {
  const { select, signal, onProgress, readFile } = options;
  // The lock keeps migrations from changing the tables meanwhile.
  await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
  await client.query(beginSnapshot);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0) throw new Error('There is nothing to back up: the database is empty.');
  const selection = await select?.(client);
  const counts: Record<string, number> = {};
  let bytes = 0;
  let outside = 0;
  const leftOut: LeftOutFile[] = [];
  let at: Omit<BackupProgress, 'bytes'> | undefined;
  const text = generateText(client, {
    ...selection,
    migrations,
    counts,
    onTable: (table) => {
      at = table;
    },
    readFile,
    onOutside: (files) => {
      outside = files;
    },
    onLeftOut: (file) => leftOut.push(file),
  });
  async function* counted(parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      bytes += part.length;
      if (at) onProgress?.({ ...at, bytes });
      yield part;
    }
  }
  const whole = selection ? withChecksum(text) : text;
  await pipeline(whole, createGzip(), counted, open(), { end, ...(signal && { signal }) });
  return { migrations, counts, bytes, outside, leftOut };
}

/** Rejects an existing path, unless it is a file that may be replaced. */
async function checkFree(file: string, force: boolean): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!found) return;
  if (!found.isFile() && !found.isSymbolicLink()) throw new Error(`${file} exists, but is not a file.`);
  if (!force) throw new Error(`${file} already exists: use --force to replace it.`);
}

/** Writes a temporary file, and renames it once it is complete and on disk. */
async function writeAtomically<T>(
  file: string,
  force: boolean,
  work: (open: () => Writable) => Promise<T>,
): Promise<T> {
  const part = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const result = await work(() => createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
    // Another file may have appeared meanwhile.
    await checkFree(file, force);
    await rename(part, file);
    await sync(dirname(file));
    return result;
  } finally {
    await rm(part, { force: true });
  }
}
