import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { endLine, headLine, type RowCounts, tableLine, tailLine } from './backup-file.js';
import { sync } from './cluster.js';
import { appliedMigrations, PRISMA_LOCK } from './migrate.js';
import { listTables } from './tables.js';

/** What a backup holds. */
export interface Backup {
  readonly migrations: readonly string[];
  readonly counts: RowCounts;
  /** Of the file. */
  readonly bytes: number;
}

/**
 * What makes COPY write every value to its last digit, however the database is set up, and one moment's rows in all
 * tables, while others write.
 */
const begin = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1;
  SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0;`;

/** The text of a backup, piece by piece; how many rows it had is known when it is read to its end. */
async function* textOf(client: pg.Client, migrations: readonly string[], counts: Record<string, number>) {
  yield headLine({ format: 1, created: new Date().toISOString(), migrations });
  const copies: [string, CopyToStreamQuery][] = [];
  for (const table of await listTables(client)) {
    yield tableLine(table);
    const rows = client.query(copyTo(`COPY ${table.name} (${table.columns.join(', ')}) TO STDOUT`));
    yield* rows;
    yield endLine;
    copies.push([table.name, rows]);
  }
  // The server has told the last count when this is answered.
  await client.query('COMMIT');
  for (const [name, { rowCount }] of copies) counts[name] = rowCount;
  yield tailLine(counts);
}

/**
 * Writes a backup of a database, which may be in use: the state of one moment. The file appears whole and on disk, or
 * not at all, readable by its owner alone; an older one of the name is replaced. Nothing large is kept in memory.
 * @param url connection string
 * @throws {Error} when the database cannot be read, or the file not be written; the reason of `signal`, when it is aborted
 */
export async function writeBackup(url: string, file: string, signal?: AbortSignal): Promise<Backup> {
  const part = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // what is under way fails, too
  try {
    await client.connect();
    // No migration changes the tables meanwhile.
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
    await client.query(begin);
    const migrations = await appliedMigrations(client);
    if (migrations.length === 0) throw new Error('There is nothing to back up: the database is empty.');
    const counts: Record<string, number> = {};
    const output = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(textOf(client, migrations, counts), createGzip(), output, signal ? { signal } : {});
    const { size } = await stat(part);
    await rename(part, file);
    await sync(dirname(file));
    return { migrations, counts, bytes: size };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(part, { force: true });
    await client.end();
  }
}
