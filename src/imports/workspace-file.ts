import { createHash } from 'node:crypto';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { type Archive, collectParts, deleteParts, storePart } from '../db/files/archive-parts.js';
import { hasRight, refusalOf } from '../domain/caller.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { Prisma } from '../generated/prisma/client.js';
import { importLimits, wholeWorkspace } from './options.js';

const { sql } = Prisma;

/** A ZIP file with a whole workspace, wherever its bytes are. */
export interface WorkspaceFile {
  /** Hash of what identifies its bytes, in hexadecimal. */
  readonly hash: string;
  /** Size in bytes. */
  readonly size: number;
  /** Stores its bytes for an import. @throws Error if the import is gone */
  readonly store: (database: Database, archive: Archive) => Promise<void>;
}

/** Stores bytes in parts, as long as the import is there that they are for. */
export async function storeArchive(
  database: Database,
  archive: Archive,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const exists = sql`SELECT FROM imports WHERE id = ${archive.id}::uuid FOR KEY SHARE`;
  let number = 0;
  await collectParts(bytes, async (part) => {
    const isStored = await storePart(
      database,
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
    store: (database, archive) => storeArchive(database, archive, bytes()),
  };
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

/** Deletes the ZIP files of imports that have ended or were never run. */
export async function releaseArchives(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptFileDays * 86_400_000);
  const statement = sql`
    UPDATE imports SET content_length = NULL
    WHERE content_length IS NOT NULL AND due_at IS NULL
      AND (state = 'DONE' OR (state = 'FAILED' AND row_count = 0) OR modified < ${before}::timestamptz)
    RETURNING id`;
  const released = await database.query<{ id: string }>(named('imports.release', statement));
  for (const archive of released) await deleteParts(database, archive);
}
