import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Table } from './tables.js';

/*
 * A backup is a text compressed by gzip: a header line, then each table in the format of PostgreSQL's COPY, then
 * a line with the row counts. Without that last line a backup is incomplete; gzip's checksum verifies the rest.
 * The file of an organization has the same form, and ends with the SHA-256 of everything before.
 */

/** Header of a backup, or of the file of an organization. */
export interface BackupHead {
  readonly format: 1;
  /** Time of the backup: RFC 3339, in UTC. */
  readonly created: string;
  /** Version of the gateway that wrote the file. Older ones did not tell. */
  readonly version?: string;
  /** The migrations of the backed-up database. */
  readonly migrations: readonly string[];
  /** The organization that it has, unless it has everything. */
  readonly organization?: ExportedOrganization;
}

/** The organization that a file contains. */
export interface ExportedOrganization {
  readonly id: string;
  readonly name: string;
  /**
   * Identifies the key that encrypted some of its values, without telling anything about the key. Missing if no
   * value is encrypted.
   */
  readonly key?: string;
  /** The moment of a file to which changes can be added. */
  readonly base?: Base;
  /** Id of the copy whose changes the file contains. Missing if it has everything. */
  readonly since?: string;
}

/** A moment of a database. */
export interface Base {
  /** Identifies the file. */
  readonly id: string;
  /** The oldest transaction, a decimal number, that was not over. What changed later has this or a newer one. */
  readonly transaction: string;
  /** Identifies the database and its timeline. Numbers of transactions mean nothing in another. */
  readonly database: string;
}

export type RowCounts = Readonly<Record<string, number>>;

/** Contents of a file: everything, or one organization. */
type FileKind = 'backup' | 'organization';

const purposes: Readonly<Record<FileKind, string>> = {
  backup: 'a backup that can be restored',
  organization: 'an organization that can be imported',
};

/** Returns the beginning of a file's first line. */
const headMark = (kind: FileKind) => `-- expiration-gateway ${kind} `;
/** Beginning of the line with the row counts. */
const TAIL = '-- rows ';
/** Mark at the end of a table. No row can look like it, because COPY doubles backslashes. */
const END = Buffer.from('\n\\.\n');

/** Formats the first line of a file. */
export const headLine = (head: BackupHead) =>
  `${headMark(head.organization ? 'organization' : 'backup')}${JSON.stringify(head)}\n`;
/** Formats the line above a table's rows. */
export const tableLine = ({ name, columns }: Table) => `COPY ${name} (${columns.join(', ')}) FROM stdin;\n`;
/** The line below a table's rows. */
export const endLine = '\\.\n';
/** Formats the line with the row counts, which ends a backup. */
export const tailLine = (counts: RowCounts) => `${TAIL}${JSON.stringify(counts)}\n`;
/** Formats the line with the checksum of all lines before. It ends the file of an organization. */
export const checksumLine = (sha256: string) => `-- sha256 ${sha256}\n`;

/** Error for a file that is not complete, or not what was asked for. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(problem: string, { kind = 'backup', ...options }: ErrorOptions & { kind?: FileKind } = {}) {
    super(`The file is not ${purposes[kind]}: ${problem}.`, options);
  }
}

/** Pattern of a name as PostgreSQL quotes it. Nothing else from a backup ever becomes part of a statement. */
const name = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")';
const tablePattern = new RegExp(`^COPY (${name}) \\((${name}(?:, ${name})*)\\) FROM stdin;$`);

/** Parses the line above a table's rows. Returns undefined for any other line. */
function parseTableLine(line: string): Table | undefined {
  const [, table, columns] = tablePattern.exec(line) ?? [];
  if (table === undefined || columns === undefined) return undefined;
  return { name: table, columns: columns.match(new RegExp(name, 'g')) ?? [] };
}

/**
 * Compares the row counts of tables with those that a backup states.
 * @throws {BackupError} if they differ
 */
export function compareCounts(told: RowCounts, found: RowCounts, kind: FileKind = 'backup'): void {
  const tables = Object.keys({ ...told, ...found });
  const wrong = tables.find((table) => told[table] !== found[table]);
  if (wrong !== undefined)
    throw new BackupError(`${wrong} does not have the expected number of rows`, { kind });
}

const NEW_LINE = 0x0a;
/** Maximum bytes of a line that is not a row. */
const LONGEST_LINE = 1024 * 1024;

const contents: Readonly<Record<FileKind, string>> = { backup: 'a backup', organization: 'an organization' };

/** Error for a file, before it is clear what the file should contain. */
class Problem extends Error {}

/** Reads lines, and the rows between them, from a stream of bytes. */
class Reader {
  private readonly source: AsyncIterator<Buffer>;
  private readonly hash = createHash('sha256');
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
      if (this.rest.length > LONGEST_LINE) throw new Problem('a line is too long');
      if (!(await this.more())) {
        if (this.rest.length > 0) throw new Problem('it ends in the middle of a line');
        return undefined;
      }
      end = this.rest.indexOf(NEW_LINE);
    }
    const line = this.rest.toString('utf8', 0, end);
    this.hash.update(this.rest.subarray(0, end + 1));
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  /** Returns the SHA-256 of everything that has been read so far. */
  checksum(): string {
    return this.hash.copy().digest('hex');
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
      this.hash.update(rows);
      if (rows.length > 0) yield rows;
      if (end >= 0) {
        this.hash.update(endLine);
        return;
      }
      if (!(await this.more())) throw new Problem('it ends in the middle of a table');
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

/** Parses the JSON after the mark of a line. */
function parseMarked<T>(line: string, mark: string, problem: string): T {
  if (!line.startsWith(mark)) throw new Problem(problem);
  return JSON.parse(line.slice(mark.length)) as T;
}

function parseHead(line: string, kind: FileKind): BackupHead {
  const other = kind === 'backup' ? 'organization' : 'backup';
  if (line.startsWith(headMark(other))) throw new Problem(`it contains ${contents[other]}`);
  const head = parseMarked<BackupHead>(line, headMark(kind), 'it does not begin like one');
  if (head.format !== 1 || !Array.isArray(head.migrations))
    throw new Problem('its format is not supported by this version');
  return head;
}

async function checkChecksum(reader: Reader): Promise<void> {
  const wanted = checksumLine(reader.checksum());
  const line = await reader.line();
  if (line === undefined) throw new Problem('its end is missing');
  if (`${line}\n` !== wanted) throw new Problem('its checksum is wrong, so it was changed or damaged');
}

async function readText(
  text: AsyncIterable<Buffer>,
  visitor: BackupVisitor,
  kind: FileKind,
): Promise<RowCounts> {
  const reader = new Reader(text);
  await visitor.head?.(parseHead((await reader.line()) ?? '', kind));
  for (;;) {
    const line = await reader.line();
    if (line === undefined) throw new Problem('its end is missing');
    if (!line.startsWith('COPY ')) {
      const counts = parseMarked<RowCounts>(line, TAIL, 'it contains an unknown section');
      if (kind === 'organization') await checkChecksum(reader);
      if ((await reader.line()) !== undefined) throw new Problem('there is more data after its end');
      return counts;
    }
    const table = parseTableLine(line);
    if (!table) throw new Problem('a table does not begin correctly');
    await visitor.table(table, reader.rows());
  }
}

interface ReadingOptions {
  /** Contents that the file must have; a backup by default. */
  readonly kind?: FileKind;
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
  { kind = 'backup', signal, onBytes }: ReadingOptions = {},
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
    return await readText(text, visitor, kind);
  } catch (error) {
    signal?.throwIfAborted();
    throw explained(error, kind);
  } finally {
    text.destroy();
    await flowing;
  }
}

/** Reads the header of a file. @throws {BackupError} if it is not of that kind */
export async function readHead(file: string, kind: FileKind): Promise<BackupHead> {
  const text = createGunzip();
  const flowing = pipeline(createReadStream(file), text).catch(() => {});
  try {
    return parseHead((await new Reader(text).line()) ?? '', kind);
  } catch (error) {
    throw explained(error, kind);
  } finally {
    text.destroy();
    await flowing;
  }
}

/** Translates errors of zlib and JSON. zlib reports bytes that gzip did not write, or that were damaged. */
function explained(cause: unknown, kind: FileKind): unknown {
  const { code } = cause as { code?: string };
  const explain = (problem: string) => new BackupError(problem, { kind, cause });
  if (cause instanceof Problem) return new BackupError(cause.message, { kind });
  if (cause instanceof SyntaxError) return explain('one of its lines is damaged');
  if (code === 'Z_BUF_ERROR') return explain('it is truncated');
  return code?.startsWith('Z_') ? explain(`it is damaged, or not ${contents[kind]}`) : cause;
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
  if (!head) throw new BackupError('it does not begin like one');
  return { head, counts };
}
