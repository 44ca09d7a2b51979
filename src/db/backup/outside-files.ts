import type pg from 'pg';
import { FileError, type FileProblem } from '../../domain/files.js';
import { causeText } from '../files/failures.js';
import type { FileStore } from '../files/store.js';
import type { CopiedTable, Table } from './tables.js';

/** A row of a file whose bytes are outside the database. */
export interface OutsideFile {
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
export const hasOutsideFiles = ({ name, columns }: Table): boolean =>
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
export async function* outsideRows(
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
