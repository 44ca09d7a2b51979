import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { FileError, type FileProblem } from '../../domain/files.js';
import { version } from '../../version.js';
import { sync } from '../embedded/cluster.js';
import { causeText, type FileStore } from '../files/store.js';
import { DatabaseClient } from '../hosts/hosts.js';
import { appliedMigrations, PRISMA_LOCK } from '../migrations/migrate.js';
import {
  checksumLine,
  type ExportedOrganization,
  endLine,
  headLine,
  type RowCounts,
  tableLine,
  tailLine,
} from './format.js';
import { type CopiedTable, listTables, type Table } from './tables.js';

/** A row of a file whose bytes are outside the database. */
interface OutsideFile {
  readonly id: string;
  readonly attachment_id: string | null;
  readonly bin_entry_id: string | null;
  readonly store: FileStore['kind'];
  readonly object_key: string;
  readonly object_size: number;
  /** Undefined in a database of an older version. */
  readonly digest?: Uint8Array | null;
}

/** Reads the bytes of a file outside the database, or why they cannot be read. */
export type ReadOutsideFile = (file: OutsideFile) => Promise<Uint8Array | FileError>;

/** A file whose bytes could not be read for a backup. */
export interface LeftOutFile {
  readonly store: FileStore['kind'];
  readonly objectKey: string;
  /** Null if it is in the bin. */
  readonly attachmentId: string | null;
  readonly problem: FileProblem;
  /** Message of the store or the system. */
  readonly reason: string;
}

/** Returns whether a table has files that may be outside. In a database of an older version, none are. */
const hasOutsideFiles = ({ name, columns }: Table): boolean =>
  name === 'attachment_contents' && columns.includes('object_key');

/** Counts the files outside the database, among those that are copied. */
export async function countOutsideFiles(
  client: pg.Client,
  { where = 'TRUE' }: Pick<CopiedTable, 'where'> = {},
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM attachment_contents WHERE (${where}) AND store IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}

const pageSql = (columns: readonly string[], where: string) => `
  SELECT ${columns.join(', ')} FROM attachment_contents
  WHERE (${where}) AND store IS NOT NULL AND id > $1 ORDER BY id LIMIT 100`;

const nowhere = { store: null, object_key: null, object_size: null };

/** Writes a value in COPY's text format. None of them has a character that needs an escape. */
function copyText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  return value instanceof Uint8Array ? `\\\\x${Buffer.from(value).toString('hex')}` : String(value);
}

/**
 * Generates rows of outside files in COPY's text format, with their bytes inside.
 * @param onLeftOut is called with a file whose bytes cannot be read; its row stays as it is
 */
async function* outsideRows(
  client: pg.Client,
  { columns, where = 'TRUE' }: CopiedTable,
  read: ReadOutsideFile,
  onLeftOut: (file: LeftOutFile) => void,
) {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await client.query<OutsideFile>(pageSql(columns, where), [after]);
    for (const file of rows) {
      const found = await read(file);
      if (found instanceof FileError) {
        const { store, object_key: objectKey, attachment_id: attachmentId } = file;
        onLeftOut({ store, objectKey, attachmentId, problem: found.problem, reason: causeText(found) });
      }
      const inside = found instanceof FileError ? {} : { ...nowhere, content: found };
      const values: Readonly<Record<string, unknown>> = { ...file, ...inside };
      yield `${columns.map((column) => copyText(values[column])).join('\t')}\n`;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

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
interface BackupContents {
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
