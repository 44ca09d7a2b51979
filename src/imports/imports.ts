import { createHash } from 'node:crypto';
import { hasRightsOfWorkSql } from '../access/callers.js';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { type Archive, collectParts, deleteParts, type Storing, storePart } from '../db/files/file-parts.js';
import { notFrozen } from '../db/queue/queue.js';
import { columnsSql, type EnumOf, type RowOf, shownFields, visibleRowSql } from '../db/sql/conditions.js';
import { empty, raw, type Sql, sql } from '../db/sql/sql.js';
import { insertSql } from '../db/sql/write.js';
import { hasRight, personOf, refusalOf } from '../domain/caller.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, newId } from '../domain/rules.js';
import { findFinished, readFinished } from '../uploads/resumable.js';
import {
  checkOptions,
  type ImportChanges,
  type ImportOptions,
  importLimits,
  importRules,
  isOfWorkspace,
  type NewImport,
  type Preview,
  type Undo,
  wholeWorkspace,
} from './options.js';

/** A ZIP file with a whole workspace, wherever its bytes are. */
export interface WorkspaceFile {
  /** Hash of what identifies its bytes, in hexadecimal. */
  readonly hash: string;
  /** Size in bytes. */
  readonly size: number;
  /** Stores its bytes for an import. @throws Error if the import is gone */
  readonly store: (storing: Storing, archive: Archive) => Promise<void>;
}

/** Stores bytes in parts, as long as the import is there that they are for. */
async function storeArchive(
  storing: Storing,
  archive: Archive,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const exists = sql`SELECT FROM imports WHERE id = ${archive.id}::uuid FOR KEY SHARE`;
  let number = 0;
  await collectParts(bytes, async (part) => {
    const isStored = await storePart(
      storing,
      archive,
      { number: number++, bytes: part },
      async (tx) => (await tx.run(prepared('imports.exists', exists))).length > 0,
    );
    if (!isStored) throw new GatewayError('CONFLICT', 'The import was deleted while its file was stored.');
  });
}

/** Returns a ZIP file whose bytes are in memory. @throws GatewayError BAD_REQUEST; PAYLOAD_TOO_LARGE */
function workspaceFileOf(content: Uint8Array): WorkspaceFile {
  if (content.byteLength === 0) throw badField(['file'], 'is empty', 'required');
  if (content.byteLength > importLimits.bytes)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file has at most ${importLimits.bytes} bytes.`);
  async function* bytes() {
    yield content;
  }
  return {
    hash: createHash('sha256').update(content).digest('hex'),
    size: content.byteLength,
    store: (storing, archive) => storeArchive(storing, archive, bytes()),
  };
}

/**
 * Returns a ZIP file of any size. Its bytes are read twice: for its hash, and when they are stored.
 * @param read reads it from the beginning
 * @throws GatewayError BAD_REQUEST for an empty file
 */
export async function largeWorkspaceFile(read: () => AsyncIterable<Uint8Array>): Promise<WorkspaceFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of read()) {
    hash.update(bytes);
    size += bytes.length;
  }
  if (size === 0) throw badField(['file'], 'is empty', 'required');
  const store: WorkspaceFile['store'] = (storing, archive) => storeArchive(storing, archive, read());
  return { hash: hash.digest('hex'), size, store };
}

const unknownPieces = () =>
  badField(['resumableUploadId'], 'names no resumable upload that exists', 'reference');

/** Moves the bytes of a file that came in pieces to an import. They are used once. */
async function takePieces(storing: Storing, archive: Archive, id: string): Promise<void> {
  const mine = sql`WHERE id = ${id}::uuid AND organization_id = ${archive.organizationId}::uuid`;
  await storing.inTransaction(async (tx) => {
    const lock = sql`SELECT FROM resumable_uploads ${mine} FOR UPDATE`;
    if ((await tx.run(prepared('resumable_uploads.lock_row', lock))).length === 0) throw unknownPieces();
    const move = sql`UPDATE archive_parts SET archive_id = ${archive.id}::uuid WHERE archive_id = ${id}::uuid`;
    await tx.run(prepared('archive_parts.move', move));
    await tx.run(prepared('resumable_uploads.take', sql`DELETE FROM resumable_uploads ${mine}`));
  });
}

/**
 * Finds the file of an import that came in pieces. Whoever sends the id of a ZIP file again gets the import
 * that has used it.
 * @throws GatewayError BAD_REQUEST for an id that names none; CONFLICT while pieces are missing;
 *   PAYLOAD_TOO_LARGE
 */
export async function fileInPieces(
  session: Session,
  { kind }: Pick<NewImport, 'kind'>,
  id: string,
): Promise<Uint8Array | WorkspaceFile> {
  const finished = await findFinished(session, id).catch((error) => {
    if (!(error instanceof GatewayError) || error.code !== 'NOT_FOUND') throw error;
    if (kind !== wholeWorkspace) throw unknownPieces();
    return undefined;
  });
  const own = id.toLowerCase();
  if (kind === wholeWorkspace) {
    if (finished?.length === 0) throw badField(['resumableUploadId'], 'is empty', 'required');
    return {
      hash: createHash('sha256').update(`resumable ${own}`).digest('hex'),
      size: finished?.length ?? 0,
      async store(storing, archive) {
        if (!finished) throw unknownPieces();
        await takePieces(storing, archive, own);
      },
    };
  }
  if (!finished) throw unknownPieces();
  if (finished.length > importLimits.bytes)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file has at most ${importLimits.bytes} bytes.`);
  return readFinished(session, finished);
}

/**
 * Finds the workspace that a file is imported into.
 * @throws GatewayError FORBIDDEN for anybody but administrators; BAD_REQUEST; NOT_FOUND
 */
function workspaceFor({ caller }: Session, teamId: string | null): string {
  if (!hasRight(caller, 'administer')) throw refusalOf(caller);
  if (teamId === null) throw badField(['teamId'], 'is required for a whole workspace', 'required');
  const id = teamId.toLowerCase();
  if (!caller.teamIds.includes(id)) throw notFound('workspace', teamId);
  return id;
}

/**
 * Returns what the row of an import has in place of the file. It is also a CSV file, so that workers of older
 * versions fail only at the kind, and leave the import to others.
 */
const placeholderOf = (teamId: string, { hash }: Pick<WorkspaceFile, 'hash'>): Uint8Array =>
  Buffer.from(`${wholeWorkspace} ${teamId} ${hash}`);

/** Days for which a ZIP file is kept that nobody imports. */
export const keptFileDays = 7;

/** Deletes the ZIP files of imports that have ended, or of which nothing was written. */
export async function releaseArchives(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptFileDays * 86_400_000);
  const statement = sql`
    UPDATE imports SET content_length = NULL
    WHERE content_length IS NOT NULL AND due_at IS NULL AND ${notFrozen('imports')}
      AND (state = 'DONE' OR (state = 'FAILED' AND row_count = 0)
        OR (state = 'CANCELLED' AND done_count = 0) OR modified < ${before}::timestamptz)
    RETURNING id`;
  const released = await database.query<{ id: string }>(prepared('imports.release', statement));
  for (const archive of released) await deleteParts(database, archive);
}

/** States of imports that have written nothing that is still there. */
const withoutEffect = ['FAILED', 'UNDOING', 'UNDONE'];

/** Hours for which the same file with the same options leads to the first import. */
const sameHours = 24;

/** Columns that only the gateway uses. A new one is shown, unless it is here. */
const hidden = [
  ...(['organizationId', 'userId', 'role', 'teams', 'teamId', 'hash'] as const),
  ...(['content', 'contentLength', 'sheetRows', 'attempts', 'dueAt'] as const),
] as const;

/** An import as its user sees it. */
export interface ShownImport
  extends Omit<RowOf<'Import'>, (typeof hidden)[number] | 'options' | 'preview' | 'undo'> {
  readonly options: ImportOptions;
  readonly preview: Preview | null;
  readonly undo: Undo | null;
  /** Changes with the options. */
  readonly version: string;
}

/** Returns SQL for the version of an import. Its hash is that of its file and its options. */
const versionSql = raw("left(encode(record.hash, 'hex'), 32)");

const shownSql = sql`${columnsSql('Import', shownFields('Import', hidden))}, ${versionSql} AS version`;

/** Returns SQL for the caller's own imports. Those with wider rights than the caller has are none of them. */
const ownImportsSql = (session: Session, where: object = {}): Sql => {
  const own = visibleRowSql(session, 'Import', { userId: personOf(session.caller).id, ...where });
  return sql`${own} AND ${hasRightsOfWorkSql('record', session.caller)}`;
};

/** Returns the id in a path. @throws GatewayError NOT_FOUND for no id at all */
function importIdIn(id: string): string {
  if (!isUuid(id)) throw notFound('import', id);
  return id.toLowerCase();
}

/** Reads one of the caller's imports. @throws GatewayError NOT_FOUND */
export async function findImport(session: Session, id: string): Promise<ShownImport> {
  const statement = sql`SELECT ${shownSql} FROM imports AS record WHERE ${ownImportsSql(session, { id: importIdIn(id) })}`;
  const [found] = await session.read<ShownImport>(prepared('imports.get', statement));
  if (!found) throw notFound('import', id);
  return found;
}

/** The most imports that a list shows. */
const maxShown = 100;

/** Lists the caller's latest imports, the newest first. */
export function listImports(session: Session): Promise<ShownImport[]> {
  const statement = sql`
    SELECT ${shownSql} FROM imports AS record WHERE ${ownImportsSql(session)}
    ORDER BY record.created DESC, record.id DESC LIMIT ${raw(String(maxShown))}`;
  return session.read(prepared('imports.list', statement));
}

/** Bytes of a file that are hashed in one turn of the event loop. */
const hashedBytes = 1024 * 1024;

/** Hashes what an import would do: its file, and everything that the outcome depends on. */
async function hashOf(
  { slices }: Session,
  {
    kind,
    options,
    content,
  }: { readonly kind: EnumOf<'ImportKind'>; readonly options: ImportOptions; readonly content: Uint8Array },
): Promise<Uint8Array> {
  const { mapping, ...others } = options;
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, others, mapping]))
    .update('\n');
  for (let at = 0; at < content.length; at += hashedBytes) {
    if (at > 0) await slices.next();
    hash.update(content.subarray(at, at + hashedBytes));
  }
  return hash.digest();
}

/** The columns of a new import that depend on its file. */
interface Content {
  readonly content: Uint8Array;
  readonly teamId?: string;
  readonly contentLength?: bigint;
}

/** Returns what is stored of a file. @throws GatewayError */
function contentOf(
  session: Session,
  { kind, teamId }: { readonly kind: EnumOf<'ImportKind'>; readonly teamId: string | null },
  file: Uint8Array | WorkspaceFile,
): Content & { readonly archive?: WorkspaceFile } {
  if (isOfWorkspace({ kind })) {
    const target = workspaceFor(session, teamId);
    const archive = file instanceof Uint8Array ? workspaceFileOf(file) : file;
    const content = placeholderOf(target, archive);
    return { archive, content, teamId: target, contentLength: BigInt(archive.size) };
  }
  if (teamId !== null) throw badField(['teamId'], 'is only for a whole workspace');
  if (!(file instanceof Uint8Array)) throw badField(['kind'], 'must be the whole workspace for a ZIP file');
  if (file.byteLength === 0) throw badField(['file'], 'is empty', 'required');
  if (file.byteLength > importLimits.bytes)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file has at most ${importLimits.bytes} bytes.`);
  return { content: file };
}

/** Minutes that storing a ZIP file takes at most. Until then, the same file leads to the same import. */
const storingMinutes = 60;

/**
 * Stores a file, of which a worker makes a preview. The same file with the same options leads to the import
 * that the caller created within the last day.
 * @param given options of either API; their rules are checked here
 * @param file the bytes of a CSV file or a small ZIP file, or a ZIP file that is elsewhere
 * @param resume true to find also an import that was cancelled halfway, for `resumeImport`
 * @param awaited true to find also an import whose file another process is storing
 * @throws GatewayError BAD_REQUEST for a wrong option or an empty file; PAYLOAD_TOO_LARGE; FORBIDDEN and
 *   NOT_FOUND for a workspace that the caller does not administer
 */
export async function createImport(
  session: Session,
  given: NewImport,
  file: Uint8Array | WorkspaceFile,
  { resume = false, awaited = true }: { readonly resume?: boolean; readonly awaited?: boolean } = {},
): Promise<ShownImport> {
  const { caller, now } = session;
  const { kind, fileName, again, teamId } = check(importRules, given);
  const options = checkOptions(kind, given);
  const { archive, ...content } = contentOf(session, { kind, teamId }, file);
  const userId = personOf(caller).id;
  const hash = await hashOf(session, { kind, options, content: content.content });
  const newOne = newId();
  const id = await session.inTransaction(async (tx) => {
    // Two requests with the same file take turns.
    const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${userId} ${Buffer.from(hash).toString('hex')}`}, 0))`;
    await tx.run(prepared('imports.lock', lock));
    const since = new Date(now.getTime() - sameHours * 3_600_000);
    const stored = new Date(now.getTime() - storingMinutes * 60_000);
    const same = sql`
      SELECT record.id FROM imports AS record
      WHERE ${ownImportsSql(session, { hash, created: { gt: since } })} AND record.state::text <> ALL (${withoutEffect})
        AND (record.state <> 'CANCELLED' OR (${resume} AND record.done_count > 0))
        AND (record.state <> 'READING' OR record.due_at IS NOT NULL OR (${awaited} AND record.created > ${stored}::timestamptz))
      ORDER BY record.created LIMIT 1`;
    const [known] = again ? [] : await tx.run<{ id: string }>(prepared('imports.same', same));
    if (known) return known.id;
    // Returning the row would read all of the file again.
    const row = {
      ...{ id: newOne, organizationId: caller.organizationId, userId, role: caller.role, kind },
      ...{ fileName, hash, options, ...content, dueAt: archive ? null : now, created: now, modified: now },
      ...(caller.identity?.teams && { teams: [...caller.identity.teams] }),
    };
    await tx.run(prepared('imports.insert', insertSql(tx, 'Import', row)));
    return newOne;
  });
  if (archive && id === newOne) await storeFile(session, id, archive);
  return findImport(session, id);
}

/** Stores the ZIP file of a new import, which a worker may take up then. */
async function storeFile(session: Session, id: string, archive: WorkspaceFile): Promise<void> {
  const { caller, now } = session;
  try {
    await archive.store(session, { id, organizationId: caller.organizationId });
  } catch (error) {
    const remove = sql`DELETE FROM imports AS record WHERE ${ownImportsSql(session, { id })} RETURNING record.id`;
    await session.inTransaction((tx) => tx.run(prepared('imports.remove', remove)));
    throw error;
  }
  await moveTo(session, id, 'READING', ['READING'], now);
}

/** Creates the error for an import whose options are others than the caller has seen. */
const changedMeanwhile = (id: string): GatewayError =>
  new GatewayError(
    'PRECONDITION_FAILED',
    `The import ${id} has another version: somebody has changed how it is read.`,
    {
      path: ['ifVersion'],
    },
  );

/** Changes the state of one of the caller's imports. @returns false if it is in none of the named states */
async function moveTo(
  session: Session,
  id: string,
  state: EnumOf<'ImportState'>,
  from: readonly EnumOf<'ImportState'>[],
  dueAt: Date | null,
  { set = empty, where = empty }: { readonly set?: Sql; readonly where?: Sql } = {},
): Promise<boolean> {
  const statement = sql`
    UPDATE imports AS record SET state = ${state}::import_state, due_at = ${dueAt}::timestamptz, attempts = 0,
      modified = ${session.now}::timestamptz ${set}
    WHERE ${ownImportsSql(session, { id })} AND record.state = ANY (${[...from]}::import_state[]) ${where} RETURNING record.id`;
  const moved = await session.inTransaction((tx) =>
    tx.run(prepared(`imports.${state.toLowerCase()}`, statement)),
  );
  return moved.length > 0;
}

/** An import's state and version, which decide whether it can be changed. */
interface ChangedImport {
  readonly kind: EnumOf<'ImportKind'>;
  readonly content: Uint8Array;
  readonly version: string;
  readonly isOpen: boolean;
  readonly state: EnumOf<'ImportState'>;
}

/**
 * Changes how an import is read, and makes its preview again. Nothing has been written for it yet.
 * @param ifVersion the version that the caller has seen, if it must not have changed since
 * @throws GatewayError NOT_FOUND; BAD_REQUEST; CONFLICT if it was started or has ended; PRECONDITION_FAILED
 */
export async function changeImport(
  session: Session,
  id: string,
  given: ImportChanges,
  ifVersion?: string | null,
): Promise<ShownImport> {
  const own = importIdIn(id);
  const isOpen = sql`(record.state = 'READY' OR (record.state = 'FAILED' AND record.row_count = 0))`;
  const changed = await session.inTransaction(async (tx) => {
    const file = sql`
      SELECT record.kind, record.content, ${versionSql} AS version, ${isOpen} AS "isOpen", record.state
      FROM imports AS record WHERE ${ownImportsSql(session, { id: own })} FOR UPDATE`;
    const [row] = await tx.run<ChangedImport>(prepared('imports.file', file));
    // While it is read again, somebody else has just changed it.
    const isUnseen = ifVersion != null && ifVersion !== row?.version;
    if (row && isUnseen && (row.isOpen || row.state === 'READING')) throw changedMeanwhile(own);
    if (!row?.isOpen) return false;
    const options = checkOptions(row.kind, given);
    const hash = await hashOf(session, { kind: row.kind, options, content: row.content });
    const update = sql`
      UPDATE imports AS record SET options = ${JSON.stringify(options)}::jsonb,
        hash = ${hash}, state = 'READING', preview = NULL, error = NULL,
        row_count = 0, sheet_rows = NULL, attempts = 0, due_at = ${session.now}::timestamptz, modified = ${session.now}::timestamptz
      WHERE ${ownImportsSql(session, { id: own })}`;
    await tx.run(prepared('imports.change', update));
    return true;
  });
  const found = await findImport(session, own);
  if (!changed) throw new GatewayError('CONFLICT', `The import cannot be changed: it is ${found.state}.`);
  return found;
}

/** Days for which an import can be taken back, if the bin lasts as long. */
const undoDays = 7;

/** Returns the assignment of the time until which an import can be taken back. Those of workspaces cannot. */
function undoableSql({ now, binDays }: Session): Sql {
  const until = new Date(now.getTime() + Math.min(undoDays, binDays) * 86_400_000);
  return binDays === 0
    ? empty
    : sql`, undo_until = CASE kind WHEN ${wholeWorkspace}::import_kind THEN NULL ELSE ${until}::timestamptz END`;
}

/**
 * Starts to take an import back. What it made goes into the bin, and what it changed gets its values again. A worker
 * does it.
 * @throws GatewayError NOT_FOUND; CONFLICT if it wrote nothing, if it runs, or if its time is over
 */
export async function undoImport(session: Session, id: string): Promise<ShownImport> {
  const own = importIdIn(id);
  const begun = {
    next: -1,
    binDays: session.binDays,
    deleted: 0,
    restored: 0,
    gone: 0,
    kept: 0,
    records: [],
  };
  const isMoved = await moveTo(session, own, 'UNDOING', ['DONE', 'CANCELLED', 'FAILED'], session.now, {
    set: sql`, error = NULL, undo = coalesce(record.undo, jsonb_set(${JSON.stringify(begun)}::jsonb, '{next}', to_jsonb(
      (SELECT coalesce(max(number), -1) FROM import_batches WHERE import_id = record.id))))`,
    where: sql`AND record.undo_until > ${session.now}::timestamptz AND record.done_count > 0`,
  });
  const found = await findImport(session, own);
  if (isMoved) return found;
  const { state, undoUntil, doneCount } = found;
  const why = !['DONE', 'CANCELLED', 'FAILED'].includes(state)
    ? `it is ${state}`
    : doneCount === 0
      ? 'it has written nothing'
      : undoUntil === null
        ? 'nothing is kept of what was before'
        : `that was possible until ${undoUntil.toISOString()}`;
  throw new GatewayError('CONFLICT', `The import cannot be taken back: ${why}.`);
}

/**
 * Starts to write the records of an import. A worker does it.
 * @param ifVersion the version whose preview the caller has seen, if it must not have changed since
 * @throws GatewayError NOT_FOUND; CONFLICT unless its preview is there and it was not started yet; PRECONDITION_FAILED
 */
export async function runImport(
  session: Session,
  id: string,
  ifVersion?: string | null,
): Promise<ShownImport> {
  const own = importIdIn(id);
  const isMoved = await moveTo(session, own, 'RUNNING', ['READY'], session.now, {
    set: undoableSql(session),
    where: ifVersion == null ? empty : sql`AND ${versionSql} = ${ifVersion}`,
  });
  const found = await findImport(session, own);
  if (!isMoved) {
    if (ifVersion != null && ifVersion !== found.version && ['READY', 'READING'].includes(found.state))
      throw changedMeanwhile(own);
    const why = found.state === 'READING' ? 'its preview is not there yet' : `it is ${found.state}`;
    throw new GatewayError('CONFLICT', `The import cannot be started: ${why}.`);
  }
  return found;
}

/**
 * Continues an import that was cancelled halfway, with the next batch.
 * @throws GatewayError NOT_FOUND; CONFLICT if it was not cancelled
 */
export async function resumeImport(session: Session, id: string): Promise<ShownImport> {
  const own = importIdIn(id);
  const isMoved = await moveTo(session, own, 'RUNNING', ['CANCELLED'], session.now);
  const found = await findImport(session, own);
  if (!isMoved) throw new GatewayError('CONFLICT', `The import cannot be continued: it is ${found.state}.`);
  return found;
}

/**
 * Stops an import. Batches that were written stay.
 * @throws GatewayError NOT_FOUND; CONFLICT if it has ended
 */
export async function cancelImport(session: Session, id: string): Promise<ShownImport> {
  const own = importIdIn(id);
  const isMoved = await moveTo(session, own, 'CANCELLED', ['READING', 'READY', 'RUNNING'], null);
  const found = await findImport(session, own);
  if (!isMoved) throw new GatewayError('CONFLICT', `The import cannot be cancelled: it is ${found.state}.`);
  return found;
}

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

/** The file of an import. */
export interface ImportFile {
  readonly options: ImportOptions;
  readonly content: Uint8Array;
  readonly sheetRows: Uint8Array | null;
}

/** Reads the file of one of the caller's imports. @throws GatewayError NOT_FOUND */
export async function readImportFile(session: Session, id: string): Promise<ImportFile> {
  const statement = sql`
    SELECT record.options, record.content, record.sheet_rows AS "sheetRows"
    FROM imports AS record WHERE ${ownImportsSql(session, { id: importIdIn(id) })}`;
  const [found] = await session.read<ImportFile>(prepared('imports.content', statement));
  if (!found) throw notFound('import', id);
  return found;
}
