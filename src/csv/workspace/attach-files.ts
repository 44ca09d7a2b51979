import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { groupBy } from '../../domain/collections.js';
import { GatewayError } from '../../domain/errors.js';
import { FileContent } from '../../domain/files.js';
import { isUuid } from '../../domain/rules.js';
import type { ArchiveEntry } from '../../exports/archive-writer.js';
import { maxFiles } from '../../exports/exports.js';
import type { RowResult } from '../../imports/imports.js';
import type { RowError } from '../../imports/options.js';
import { attachIn } from '../../items/attachment-files.js';
import { unguarded } from '../columns.js';
import { rowError } from '../import/rows.js';
import { filesPath, refuseZip, type WorkspaceArchive } from './archive.js';
import { archivedRows, type ImportedRecords, importedId } from './lists.js';

/** An attached file, as an archive lists it. */
export interface ArchivedFile {
  readonly line: number;
  readonly id: string;
  readonly itemId: string;
  readonly name: string | null;
  readonly contentType: string | null;
  /** Undefined if the archive lacks it. */
  readonly entry: ArchiveEntry | undefined;
}

const fileColumns = ['id', 'expiration_item_id', 'name', 'content_type', 'path'] as const;

/**
 * Reads the list of attached files. Those that were deleted while the archive was made are left out.
 * @throws GatewayError BAD_REQUEST
 */
export async function* archivedFiles(archive: WorkspaceArchive): AsyncGenerator<ArchivedFile> {
  if (!archive.find(filesPath)) return;
  const missing = new Set(archive.manifest.missing);
  const ids = new Set<string>();
  let places: readonly number[] | undefined;
  for await (const { line, cells } of archivedRows(archive, filesPath)) {
    if (!places) {
      places = fileColumns.map((column) => cells.indexOf(column));
      const lacking = fileColumns.find((_, at) => places?.[at] === -1);
      if (lacking) throw refuseZip(`${filesPath} has no column ${lacking}`);
      continue;
    }
    const [id = '', itemId = '', name, contentType, path = ''] = places.map((at) =>
      unguarded(cells[at] ?? ''),
    );
    if (!isUuid(id) || !isUuid(itemId)) throw refuseZip(`line ${line} of ${filesPath} has no id`);
    if (ids.has(id)) throw refuseZip(`line ${line} of ${filesPath} has the id of another row`);
    ids.add(id);
    if (ids.size > maxFiles) throw refuseZip(`it has more than ${maxFiles} attached files`);
    if (missing.has(id)) continue;
    const entry = path.startsWith('files/') ? archive.find(path) : undefined;
    yield {
      ...{ line, id: id.toLowerCase(), itemId: itemId.toLowerCase(), entry },
      ...{ name: name || null, contentType: contentType || null },
    };
  }
}

/** Files that are looked up at once. */
const filesAtOnce = 50;

/** Bytes of files that are attached in one transaction, unless a single one has more. */
const batchBytes = 8 * 1024 * 1024;

/** Collects files in batches that fit into memory. */
export async function* fileBatches(files: AsyncIterable<ArchivedFile>): AsyncGenerator<ArchivedFile[]> {
  let [batch, bytes]: [ArchivedFile[], number] = [[], 0];
  for await (const file of files) {
    const size = file.entry?.size ?? 0;
    if (batch.length > 0 && (batch.length >= filesAtOnce || bytes + size > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** The outcome that is foreseen for a file. */
interface PlannedFile {
  readonly file: ArchivedFile;
  /** Its id here. */
  readonly id: string;
  readonly itemId: string;
  readonly action: 'created' | 'unchanged' | 'failed';
  readonly error?: RowError;
}

/** Finds out which files are to be attached. */
export async function planFiles(
  session: Session,
  targets: ImportedRecords,
  teamId: string,
  files: readonly ArchivedFile[],
): Promise<PlannedFile[]> {
  const ids = files.flatMap(({ id }) => [id, importedId(teamId, id)]);
  const rows = await readRows(session, 'Attachment', { where: { id: { in: ids }, teamId } }, ['id']);
  const here = new Set(rows.map(({ id }) => id));
  return files.map((file): PlannedFile => {
    const derived = importedId(teamId, file.id);
    const item = targets.of('expirationItem').get(file.itemId);
    const itemId = item?.id ?? file.itemId;
    const refuse = (column: string, value: string, message: string): PlannedFile => {
      const error = { list: 'files', ...rowError(file.line, column, value, message) };
      return { file, id: derived, itemId, action: 'failed', error };
    };
    if (here.has(file.id)) return { file, id: file.id, itemId, action: 'unchanged' };
    if (here.has(derived)) return { file, id: derived, itemId, action: 'unchanged' };
    if (!item || item.state === 'refused')
      return refuse('expiration_item_id', file.itemId, 'names no expiration item that is imported');
    if (!file.entry) return refuse('path', file.name ?? '', 'names no file of the archive');
    return { file, id: derived, itemId, action: 'created' };
  });
}

/** Bytes of files by their ids here. */
type Contents = ReadonlyMap<string, FileContent>;

/** Reads the bytes of the files that are to be attached. @throws GatewayError BAD_REQUEST for a wrong checksum */
export async function readContents(
  archive: WorkspaceArchive,
  planned: readonly PlannedFile[],
): Promise<Contents> {
  const contents = new Map<string, FileContent>();
  for (const { file, id, action } of planned)
    if (action === 'created' && file.entry)
      contents.set(id, new FileContent(await archive.readAll(file.entry.path)));
  return contents;
}

/** Attaches files in a transaction. What is wrong with one item does not affect others. @returns the outcomes */
export async function attachFiles(
  tx: Transaction,
  session: Session,
  planned: readonly PlannedFile[],
  contents: Contents,
): Promise<RowResult[]> {
  const failed = new Map<PlannedFile, string>();
  const wanted = planned.filter(({ action }) => action === 'created');
  for (const files of groupBy(wanted, ({ itemId }) => itemId)) {
    const heads = files.flatMap(({ file: { name, contentType }, id }) => {
      const content = contents.get(id);
      if (!content) return [];
      return [{ id, name, contentType, contentLength: content.bytes.length, sourceUrl: null, content }];
    });
    try {
      await tx.inTransaction((part) =>
        session.within(part, () => attachIn(part, session, files[0]?.itemId ?? '', heads)),
      );
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      for (const file of files) failed.set(file, error.message);
    }
  }
  return planned.map((one): RowResult => {
    const { action, id, file, error } = one;
    const why = failed.get(one) ?? error?.message ?? null;
    const isFailed = why !== null;
    return [isFailed ? 'failed' : action, isFailed ? null : id, why, 'files', file.id];
  });
}
