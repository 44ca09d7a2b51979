import type { Session } from '../../db/connection/session.js';
import { type RowResult, readImportFile, type ShownImport } from '../../imports/imports.js';
import { isOfWorkspace } from '../../imports/options.js';
import { readBatch } from '../../imports/queue.js';
import { guarded, resultHeaders, writeCsv } from '../columns.js';
import { mended, readFile } from './read-file.js';

/** Writes the result file of an import, some rows at a time. */
export const resultFile = async (session: Session, shown: ShownImport): Promise<AsyncIterable<string>> => {
  const lines = isOfWorkspace(shown) ? teamResult(session, shown.id) : await fileResult(session, shown);
  return inParts(lines);
};

/** Characters that are sent at once, at least. */
const partLength = 64 * 1024;

/** Joins lines in parts that are worth sending. */
async function* inParts(lines: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let part: (readonly string[])[] = [];
  let length = 0;
  for await (const cells of lines) {
    part.push(cells);
    length += cells.reduce((sum, cell) => sum + cell.length + 1, 0);
    if (length < partLength) continue;
    yield writeCsv(part);
    [part, length] = [[], 0];
  }
  if (part.length > 0) yield writeCsv(part);
}

/** Yields the outcomes of rows in their order. Only one batch is in memory. */
export async function* resultsOf(session: Session, id: string): AsyncGenerator<RowResult> {
  for (let number = 0; ; number++) {
    const results = await readBatch(session.database, { id }, number);
    if (!results) return;
    yield* results;
  }
}

/** Yields the outcomes of a whole workspace's rows. */
async function* teamResult(session: Session, id: string): AsyncGenerator<string[]> {
  yield ['list', 'id', ...resultHeaders];
  for await (const [action, here, error, list = '', rowId = ''] of resultsOf(session, id))
    yield [list, rowId, action, here ?? '', error ?? ''].map(guarded);
}

/**
 * Yields the imported file with the outcome of each row. All cells are guarded, also of a file from elsewhere.
 * @throws GatewayError NOT_FOUND; BAD_REQUEST for a file that cannot be read
 */
async function fileResult(session: Session, { id, rowCount }: ShownImport): Promise<AsyncIterable<string[]>> {
  const { content, options, sheetRows } = await readImportFile(session, id);
  const { headers, rows } = mended(await readFile(content, options, sheetRows), options.corrections);
  // What no preview has read to its end may have an error there.
  if (rowCount === 0) for await (const _row of rows);
  return (async function* () {
    yield [...headers.map(guarded), ...resultHeaders];
    const results = resultsOf(session, id);
    for await (const { cells } of rows) {
      const next = await results.next();
      const [action, own, error] = next.done ? (['pending', null, null] as const) : next.value;
      // A row with fewer cells than headers would shift its outcome.
      const filled = [...cells, ...Array(Math.max(0, headers.length - cells.length)).fill('')];
      yield [...filled, action, own ?? '', error ?? ''].map(guarded);
    }
  })();
}
