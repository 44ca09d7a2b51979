import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Table } from './tables.js';

/*
 * Header of a backup. A backup is a text compressed by gzip: a header line, then each table in the format of
 * PostgreSQL's COPY, then a line with the row counts. Without that last line a backup is incomplete; gzip's
 * checksum verifies the rest.
 */

export interface BackupHead {
  readonly format: 1;
  /** Time of the backup: RFC 3339, in UTC. */
  readonly created: string;
  /** The migrations of the backed-up database. */
  readonly migrations: readonly string[];
}

export type RowCounts = Readonly<Record<string, number>>;

const HEAD = '-- expiration-gateway backup ';
const TAIL = '-- rows ';
/** Mark at the end of a table. No row can look like it, because COPY doubles backslashes. */
const END = Buffer.from('\n\\.\n');
const NEW_LINE = 0x0a;
/** Maximum bytes of a line that is not a row. */
const LONGEST_LINE = 1024 * 1024;

/** Formats the first line of a backup. */
export const headLine = (head: BackupHead) => `${HEAD}${JSON.stringify(head)}\n`;
/** Formats the line above a table's rows. */
export const tableLine = ({ name, columns }: Table) => `COPY ${name} (${columns.join(', ')}) FROM stdin;\n`;
/** The line below a table's rows. */
export const endLine = '\\.\n';
/** Formats the last line of a backup. */
export const tailLine = (counts: RowCounts) => `${TAIL}${JSON.stringify(counts)}\n`;

/** Error for a file that is not a complete backup; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(problem: string, options?: ErrorOptions) {
    super(`The file is not a backup that can be restored: ${problem}.`, options);
  }
}

/** Pattern of a name as PostgreSQL quotes it. Nothing else from a backup ever becomes part of a statement. */
const name = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")';
const tablePattern = new RegExp(`^COPY (${name}) \\((${name}(?:, ${name})*)\\) FROM stdin;$`);

function parseTableLine(line: string): Table {
  const [, table, columns] = tablePattern.exec(line) ?? [];
  if (table === undefined || columns === undefined) throw new BackupError('a table does not begin correctly');
  return { name: table, columns: columns.match(new RegExp(name, 'g')) ?? [] };
}

/** Parses the JSON after the mark of a line. */
function parseMarked<T>(line: string, mark: string, problem: string): T {
  if (!line.startsWith(mark)) throw new BackupError(problem);
  return JSON.parse(line.slice(mark.length)) as T;
}

/** Reads lines, and the rows between them, from a stream of bytes. */
class Reader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.source.next();
    if (done) return false;
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, value]) : value;
    return true;
  }

  /** Reads the next line without its line break; undefined at the end of the stream. */
  async line(): Promise<string | undefined> {
    let end = this.rest.indexOf(NEW_LINE);
    while (end < 0) {
      if (this.rest.length > LONGEST_LINE) throw new BackupError('a line is too long');
      if (!(await this.more())) {
        if (this.rest.length > 0) throw new BackupError('it ends in the middle of a line');
        return undefined;
      }
      end = this.rest.indexOf(NEW_LINE);
    }
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  /** Reads the rows of a table up to its end mark, in arbitrary chunks. */
  async *rows(): AsyncGenerator<Buffer> {
    // Keep the previous line break, so that the mark is also found for a table without rows.
    let skipped = 1;
    this.rest = Buffer.concat([END.subarray(0, skipped), this.rest]);
    for (;;) {
      const end = this.rest.indexOf(END);
      const taken = end < 0 ? Math.max(0, this.rest.length - END.length) : end + 1;
      const rows = this.rest.subarray(Math.min(skipped, taken), taken);
      skipped = Math.max(0, skipped - taken);
      this.rest = this.rest.subarray(end < 0 ? taken : end + END.length);
      if (rows.length > 0) yield rows;
      if (end >= 0) return;
      if (!(await this.more())) throw new BackupError('it ends in the middle of a table');
    }
  }
}

/** Callbacks for the parts of a backup, in the order of the file. */
export interface BackupVisitor {
  /** Receives the header; called once, before anything else. */
  head?(head: BackupHead): Promise<void> | void;
  /** Receives all rows of a table, in COPY's text format. */
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<void>;
}

async function readText(text: AsyncIterable<Buffer>, visitor: BackupVisitor): Promise<RowCounts> {
  const reader = new Reader(text);
  const head = parseMarked<BackupHead>((await reader.line()) ?? '', HEAD, 'it does not begin like a backup');
  if (head.format !== 1 || !Array.isArray(head.migrations))
    throw new BackupError('its format is not supported by this version');
  await visitor.head?.(head);
  for (;;) {
    const line = await reader.line();
    if (line === undefined) throw new BackupError('its end is missing');
    if (!line.startsWith('COPY ')) {
      const counts = parseMarked<RowCounts>(line, TAIL, 'it contains an unknown section');
      if ((await reader.line()) !== undefined) throw new BackupError('there is more data after its end');
      return counts;
    }
    await visitor.table(parseTableLine(line), reader.rows());
  }
}

export interface ReadingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of compressed bytes read so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a backup from start to end, piece by piece.
 * @param source a stream, or the name of a file
 * @returns how many rows each table should have
 * @throws {BackupError} if it is not a complete backup; whatever the visitor throws; the reason of `signal`
 *   if it is aborted
 */
export async function readBackup(
  source: string | Readable,
  visitor: BackupVisitor,
  { signal, onBytes }: ReadingOptions = {},
): Promise<RowCounts> {
  const stream = typeof source === 'string' ? createReadStream(source) : source;
  const text = createGunzip({ chunkSize: 64 * 1024 });
  async function* counted(parts: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      onBytes?.(bytes);
      yield part;
    }
  }
  // Errors of the visitor and of the streams both surface in `readText`.
  const flowing = pipeline(stream, counted, text, signal ? { signal } : {}).catch(() => {});
  try {
    return await readText(text, visitor);
  } catch (error) {
    signal?.throwIfAborted();
    throw explained(error);
  } finally {
    text.destroy();
    await flowing;
  }
}

/** Translates errors of zlib and JSON. zlib reports bytes that gzip did not write, or that were damaged. */
function explained(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (error instanceof SyntaxError) return new BackupError('one of its lines is damaged', { cause: error });
  if (code === 'Z_BUF_ERROR') return new BackupError('it is truncated', { cause: error });
  if (!code?.startsWith('Z_')) return error;
  return new BackupError('it is damaged, or not a backup', { cause: error });
}

/**
 * Reads a backup without doing anything with it.
 * @returns its header and row counts
 * @throws {BackupError} unless it is complete
 */
export async function checkBackup(
  file: string,
  options?: ReadingOptions,
): Promise<{ head: BackupHead; counts: RowCounts }> {
  let head: BackupHead | undefined;
  const found: Record<string, number> = {};
  const visitor: BackupVisitor = {
    head: (value) => {
      head = value;
    },
    async table({ name }, rows) {
      let count = 0;
      for await (const part of rows) {
        for (let at = part.indexOf(NEW_LINE); at >= 0; at = part.indexOf(NEW_LINE, at + 1)) count += 1;
      }
      found[name] = count;
    },
  };
  const counts = await readBackup(file, visitor, options);
  compareCounts(counts, found);
  if (!head) throw new BackupError('it does not begin like a backup');
  return { head, counts };
}

/**
 * Compares the row counts of tables with those that a backup states.
 * @throws {BackupError} if they differ
 */
export function compareCounts(told: RowCounts, found: RowCounts): void {
  const tables = Object.keys({ ...told, ...found });
  const wrong = tables.find((table) => told[table] !== found[table]);
  if (wrong !== undefined) throw new BackupError(`${wrong} does not have the expected number of rows`);
}
