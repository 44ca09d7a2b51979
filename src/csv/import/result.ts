import type { Session } from '../../db/connection/session.js';
import { type ImportResult, readImportResult, type ShownImport } from '../../imports/imports.js';
import { isOfWorkspace } from '../../imports/options.js';
import { readBatch } from '../../imports/queue.js';
import { guarded, resultHeaders, writeCsv } from '../columns.js';
import { readFile } from './read-file.js';

/** Writes the result file of an import. The rows of a whole workspace come some at a time. */
export const resultFile = async (session: Session, shown: ShownImport) =>
  isOfWorkspace(shown)
    ? writeTeamResult(session, shown.id)
    : writeResult(await readImportResult(session, shown.id));

/** Yields the outcomes of a whole workspace's rows as CSV, some at a time. */
async function* writeTeamResult(session: Session, id: string): AsyncGenerator<string> {
  yield writeCsv([['list', 'id', ...resultHeaders]]);
  for (let number = 0; ; number++) {
    const results = await readBatch(session.database, { id }, number);
    if (!results) return;
    const rows = results.map(([action, here, error, list = '', rowId = '']) => [
      ...[list, rowId, action, here ?? '', error ?? ''].map(guarded),
    ]);
    if (rows.length > 0) yield writeCsv(rows);
  }
}

/** Writes the imported file with the outcome of each row. All cells are guarded, also of a file from elsewhere. */
async function writeResult({ content, sheetRows, options, results }: ImportResult): Promise<string> {
  const { headers, rows } = await readFile(content, options, sheetRows);
  const lines: string[][] = [[...headers.map(guarded), ...resultHeaders]];
  for await (const { cells } of rows) {
    const [action = 'pending', id, error] = results[lines.length - 1] ?? [];
    // A row with fewer cells than headers would shift its outcome.
    const filled = [...cells, ...Array(Math.max(0, headers.length - cells.length)).fill('')];
    lines.push([...filled, action, id ?? '', error ?? ''].map(guarded));
  }
  return writeCsv(lines);
}
