import type { Database } from '../../db/connection/database.js';
import { type OnPage, Session } from '../../db/connection/session.js';
import { storedParts, storePart, storingFor } from '../../db/files/file-parts.js';
import { Patience } from '../../db/files/store.js';
import { readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import { FileError } from '../../domain/files.js';
import { type ArchiveEntry, type ArchiveWriter, writeArchive } from '../../exports/archive-writer.js';
import {
  beginAttempt,
  type ClaimedExport,
  type ExportProgress,
  failExport,
  listTeamFiles,
  noteProgress,
  settleExport,
  type TeamFile,
} from '../../exports/exports.js';
import { findFile, readWholeFile } from '../../items/attachment-files.js';
import { guarded, writeCsv } from '../columns.js';
import { type CsvExporter, longestExportMs, pagesIn } from '../export.js';
import { archivedKinds, filesPath, listPath, manifestPath, manifestText } from './archive.js';

/** Dependencies of exporting workspaces. */
interface ExportWork {
  readonly database: Database;
  readonly clock: () => Date;
  readonly exporter: CsvExporter;
}

/** Attempts that end when a file cannot be read now. The next ones go on without it. */
const strictAttempts = 3;

/** Thrown when an export was deleted, or is another worker's. */
class Lost extends Error {}

/** Attempts after which an import or an export is given up. */
export const maxJobAttempts = 10;

/** Counts the rows of a CSV text below its header. Cells with line breaks are in quotes. */
class RowCounter {
  #isQuoted = false;
  #lines = 0;

  count(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) this.#isQuoted = !this.#isQuoted;
      else if (code === 0x0a && !this.#isQuoted) this.#lines++;
    }
  }

  get rows(): number {
    return Math.max(0, this.#lines - 1);
  }
}

/** The lists of a workspace, and what else its snapshot shows. */
interface Lists {
  readonly name: string;
  readonly counts: Record<string, number>;
  readonly files: readonly TeamFile[];
  readonly entries: ArchiveEntry[];
}

/** Yields the list of files as CSV. */
function* fileRows(files: readonly TeamFile[]): Generator<string> {
  yield writeCsv([['id', 'expiration_item_id', 'name', 'content_type', 'size', 'path']]);
  for (const { id, itemId, name, contentType, size, path } of files)
    yield writeCsv([[id, itemId, name ?? '', contentType ?? '', String(size), path].map(guarded)]);
}

/** Adds the lists of a workspace, all of one moment. */
async function addLists(
  { exporter }: ExportWork,
  onPage: OnPage,
  teamId: string,
  { add }: ArchiveWriter,
): Promise<Lists> {
  const [team] = await onPage((session) => readRows(session, 'Team', { where: { id: teamId } }, ['name']));
  if (!team)
    throw new GatewayError('FORBIDDEN', 'The person who created the export no longer sees the workspace.');
  const counts: Record<string, number> = {};
  const entries: ArchiveEntry[] = [];
  const query = new URLSearchParams({ filter: JSON.stringify({ teamId }) });
  for (const kind of archivedKinds) {
    const counter = new RowCounter();
    async function* counted() {
      for await (const text of exporter.parts(onPage, { kind, query, withIds: true })) {
        counter.count(text);
        yield text;
      }
    }
    entries.push(await add(listPath(kind), counted(), true));
    counts[kind] = counter.rows;
  }
  const files = await listTeamFiles(onPage, teamId);
  async function* list() {
    yield* fileRows(files);
  }
  entries.push(await add(filesPath, list(), true));
  counts.files = files.length;
  return { name: team.name, counts, files, entries };
}

/**
 * Adds the bytes of a file. They are read and compared first, because an entry of an archive cannot be taken back.
 * @returns undefined if it was deleted meanwhile, or its bytes cannot be read
 * @throws {FileError} if its store does not answer, and the attempt is one of the first
 */
async function addFile(
  { database, clock }: ExportWork,
  { caller }: Session,
  { id, path }: TeamFile,
  { attempts, patience }: { readonly attempts: number; readonly patience: Patience },
  { add }: ArchiveWriter,
): Promise<ArchiveEntry | undefined> {
  const session = new Session(database, { caller, now: clock() });
  // It may have been replaced since it was listed.
  const file = await findFile(session, id);
  if (!file) return undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await patience.attempt(file.store, () => readWholeFile(session, file));
  } catch (error) {
    const isAway = error instanceof FileError && error.problem === 'unavailable';
    if (isAway && (attempts <= strictAttempts || patience.isOver(file.store))) throw error;
    if (error instanceof FileError || (error instanceof GatewayError && error.code === 'NOT_FOUND'))
      return undefined;
    throw error;
  }
  async function* content() {
    if (bytes) yield bytes;
    // The archive keeps a reference to this generator until its end.
    bytes = undefined;
  }
  return add(path, content(), false);
}

/** Writes the archive of a workspace. @returns its progress at the end */
async function exportTeam(
  work: ExportWork,
  claimed: ClaimedExport,
  session: Session,
  signal: AbortSignal,
): Promise<ExportProgress> {
  const { database, clock } = work;
  const created = clock();
  const at = { fileCount: 0, size: 0, doneBytes: 0, allBytes: 0, number: 0 };
  const progress = (): ExportProgress => ({
    progress: at.allBytes === 0 ? 0 : Math.min(99, Math.floor((100 * at.doneBytes) / at.allBytes)),
    fileCount: at.fileCount,
    size: at.size,
  });
  const storing = storingFor(database, claimed);
  const store = async (bytes: Uint8Array<ArrayBuffer>) => {
    signal.throwIfAborted();
    at.size += bytes.length;
    const isStored = await storePart(storing, claimed, { number: at.number++, bytes }, (tx) =>
      noteProgress(tx, claimed, progress()),
    );
    if (!isStored) throw new Lost();
  };
  const addAll = async (writer: ArchiveWriter) => {
    const lists = await database.inSnapshot(
      (tx) => addLists(work, pagesIn(tx, session), claimed.teamId, writer),
      session.caller,
      longestExportMs,
    );
    const { files, entries } = lists;
    at.allBytes = files.reduce((sum, { size }) => sum + size, 0);
    at.fileCount = files.length;
    const missing: string[] = [];
    const { attempts } = claimed;
    const patience = new Patience();
    for (const file of files) {
      signal.throwIfAborted();
      const entry = await addFile(work, session, file, { attempts, patience }, writer);
      if (entry) entries.push(entry);
      else missing.push(file.id);
      at.doneBytes += file.size;
    }
    at.fileCount = files.length - missing.length;
    const team = { id: claimed.teamId, name: lists.name };
    const head = { created: created.toISOString(), team, counts: lists.counts, missing };
    async function* manifest() {
      yield* manifestText(head, entries);
    }
    await writer.add(manifestPath, manifest(), true);
  };
  await writeArchive(addAll, store, { mtime: created, signal });
  return { ...progress(), progress: 100 };
}

/** Result of an attempt at an export. */
export type ExportOutcome = 'done' | 'failed' | 'retried';

/**
 * Exports a workspace as a ZIP file. An attempt begins anew, because its lists must be of one moment.
 * @throws what may be temporary; the export is tried again later
 */
export async function processExport(
  work: ExportWork,
  claimed: ClaimedExport,
  signal: AbortSignal,
): Promise<ExportOutcome> {
  const { database, clock } = work;
  try {
    if (claimed.attempts > maxJobAttempts)
      throw new GatewayError('BAD_REQUEST', 'Its worker ended several times while it was made.');
    if (!claimed.session)
      throw new GatewayError('FORBIDDEN', 'The person who created the export may no longer read.');
    if (!(await beginAttempt(database, claimed))) return 'failed';
    const at = await exportTeam(work, claimed, claimed.session, signal);
    // PostgreSQL itself may have emptied the table of parts meanwhile.
    const { size } = await storedParts((statement) => database.query(statement), claimed);
    if (size !== at.size) throw new Error('Parts of an export were lost.');
    await settleExport(database, claimed, at, clock());
    return 'done';
  } catch (error) {
    if (error instanceof Lost) return 'failed';
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    await failExport(database, claimed, error.message, clock());
    return 'failed';
  }
}
