import type pg from 'pg';
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
}

/** Reads the bytes of a file outside the database; undefined if they are gone. */
export type ReadOutsideFile = (file: OutsideFile) => Promise<Uint8Array | undefined>;

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

const pageSql = (where: string) => `
  SELECT id, attachment_id, bin_entry_id, store, object_key, object_size FROM attachment_contents
  WHERE (${where}) AND store IS NOT NULL AND id > $1 ORDER BY id LIMIT 100`;

/**
 * Generates rows of outside files in COPY's text format, with their bytes inside.
 * @param onLost is called with a file whose bytes are gone; its row stays as it is
 */
export async function* outsideRows(
  client: pg.Client,
  { columns, where = 'TRUE' }: CopiedTable,
  read: ReadOutsideFile,
  onLost: () => void,
) {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await client.query<OutsideFile>(pageSql(where), [after]);
    for (const file of rows) {
      const bytes = await read(file);
      if (!bytes) onLost();
      const content = bytes && `\\\\x${Buffer.from(bytes).toString('hex')}`;
      const inside = bytes ? { content, store: null, object_key: null, object_size: null } : {};
      const values: Readonly<Record<string, unknown>> = { ...file, ...inside };
      yield `${columns.map((column) => values[column] ?? '\\N').join('\t')}\n`;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
