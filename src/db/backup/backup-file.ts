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
export type FileKind = 'backup' | 'organization';

const purposes: Readonly<Record<FileKind, string>> = {
  backup: 'a backup that can be restored',
  organization: 'an organization that can be imported',
};

/** Returns the beginning of a file's first line. */
export const headMark = (kind: FileKind) => `-- expiration-gateway ${kind} `;
/** Beginning of the line with the row counts. */
export const TAIL = '-- rows ';
/** Mark at the end of a table. No row can look like it, because COPY doubles backslashes. */
export const END = Buffer.from('\n\\.\n');

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
export function parseTableLine(line: string): Table | undefined {
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
