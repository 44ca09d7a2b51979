import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { sql } from '../db/sql/sql.js';
import { notFound } from '../domain/errors.js';
import { importIdIn, ownImportsSql } from './imports.js';
import type { ImportOptions } from './options.js';

/**
 * Outcome of a row: what was done, the record's id, and the error. For a whole workspace, also the list and the
 * row's id there.
 */
export type RowResult = readonly [
  action: string,
  id: string | null,
  error: string | null,
  list?: string,
  rowId?: string,
];

/** The file of an import, and the outcomes of its rows so far. */
export interface ImportResult {
  readonly fileName: string | null;
  readonly options: ImportOptions;
  readonly content: Uint8Array;
  readonly results: readonly RowResult[];
}

/** Reads the file of one of the caller's imports with the outcomes. @throws GatewayError NOT_FOUND */
export async function readImportResult(session: Session, id: string): Promise<ImportResult> {
  const statement = sql`
    SELECT record.file_name AS "fileName", record.options, record.content,
      coalesce((SELECT json_agg(batch.results ORDER BY batch.number)
        FROM import_batches AS batch WHERE batch.import_id = record.id), '[]') AS batches
    FROM imports AS record WHERE ${ownImportsSql(session, { id: importIdIn(id) })}`;
  type Found = Omit<ImportResult, 'results'> & { readonly batches: readonly (readonly RowResult[])[] };
  const [found] = await session.read<Found>(named('imports.result', statement));
  if (!found) throw notFound('import', id);
  const { batches, ...file } = found;
  return { ...file, results: batches.flat() };
}
