import { createHash } from 'node:crypto';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import {
  type Archive,
  collectParts,
  deleteParts,
  type Storing,
  storePart,
} from '../db/files/archive-parts.js';
import { sql } from '../db/sql/sql.js';
import { hasRight, refusalOf } from '../domain/caller.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { findFinished, readFinished } from '../uploads/resumable.js';
import { importLimits, type NewImport, wholeWorkspace } from './options.js';

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
export async function storeArchive(
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
      async (tx) => (await tx.run(named('imports.exists', exists))).length > 0,
    );
    if (!isStored) throw new GatewayError('CONFLICT', 'The import was deleted while its file was stored.');
  });
}

/** Returns a ZIP file whose bytes are in memory. @throws GatewayError BAD_REQUEST; PAYLOAD_TOO_LARGE */
export function workspaceFileOf(content: Uint8Array): WorkspaceFile {
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
    if ((await tx.run(named('resumable_uploads.lock_row', lock))).length === 0) throw unknownPieces();
    const move = sql`UPDATE archive_parts SET archive_id = ${archive.id}::uuid WHERE archive_id = ${id}::uuid`;
    await tx.run(named('archive_parts.move', move));
    await tx.run(named('resumable_uploads.take', sql`DELETE FROM resumable_uploads ${mine}`));
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
export function workspaceFor({ caller }: Session, teamId: string | null): string {
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
export const placeholderOf = (teamId: string, { hash }: Pick<WorkspaceFile, 'hash'>): Uint8Array =>
  Buffer.from(`${wholeWorkspace} ${teamId} ${hash}`);

/** Days for which a ZIP file is kept that nobody imports. */
export const keptFileDays = 7;

/** Deletes the ZIP files of imports that have ended, or of which nothing was written. */
export async function releaseArchives(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptFileDays * 86_400_000);
  const statement = sql`
    UPDATE imports SET content_length = NULL
    WHERE content_length IS NOT NULL AND due_at IS NULL
      AND (state = 'DONE' OR (state = 'FAILED' AND row_count = 0)
        OR (state = 'CANCELLED' AND done_count = 0) OR modified < ${before}::timestamptz)
    RETURNING id`;
  const released = await database.query<{ id: string }>(named('imports.release', statement));
  for (const archive of released) await deleteParts(database, archive);
}
