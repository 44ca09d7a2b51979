import { Prisma, type StoreKind } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { stageFiles } from './staging.js';
import { MissingObject } from './store.js';

const { sql } = Prisma;

/** Bytes of each part of an archive but the last one. */
export const partBytes = 8 * 1024 * 1024;

/** A large file that is stored in parts. */
export interface Archive {
  readonly id: string;
  readonly organizationId: string;
}

/** Days after which an object is removed, even if the unlogged table was emptied. */
const longestDays = 8;

/**
 * Stores a part of an archive. If there is a store of files, it is an object there, which is noted for removal
 * for the time when every archive is gone.
 * @param before runs in the same transaction; it returns false if the part must not be stored
 * @returns whether it was stored
 */
export async function storePart(
  database: Database,
  { id, organizationId }: Archive,
  { number, bytes }: { readonly number: number; readonly bytes: Uint8Array<ArrayBuffer> },
  before: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const { target } = database.files;
  const [staged] = target ? await stageFiles(database, target, organizationId, [{ bytes }]) : [];
  return database.inTransaction(async (tx) => {
    if (!(await before(tx))) return false;
    if (staged) {
      const keep = sql`
        UPDATE file_removals SET due_at = now() + make_interval(days => ${longestDays}::int)
        WHERE store = ${staged.store}::store_kind AND object_key = ${staged.key} AND attempts = 0 RETURNING id`;
      // After a pause, a worker may have removed it already.
      if ((await tx.run(named('file_removals.keep', keep))).length === 0) return false;
    }
    const [content, store, key, size] = staged
      ? [null, staged.store, staged.key, bytes.length]
      : [bytes, null, null, null];
    const insert = sql`
      INSERT INTO archive_parts (archive_id, number, organization_id, content, store, object_key, object_size)
      VALUES (${id}::uuid, ${number}, ${organizationId}::uuid, ${content}::bytea, ${store}::store_kind, ${key}, ${size})`;
    await tx.run(named('archive_parts.insert', insert));
    return true;
  });
}

/** Parts that one statement deletes. */
const deletedAtOnce = 16;

/** Deletes the parts of an archive, some at a time. */
export async function deleteParts(database: Database, { id }: Pick<Archive, 'id'>): Promise<void> {
  const statement = sql`
    DELETE FROM archive_parts WHERE archive_id = ${id}::uuid AND number = ANY(ARRAY(
      SELECT number FROM archive_parts WHERE archive_id = ${id}::uuid ORDER BY number LIMIT ${deletedAtOnce}
    )) RETURNING number`;
  for (;;) {
    const deleted = await database.query(named('archive_parts.delete', statement));
    if (deleted.length < deletedAtOnce) return;
  }
}

/** Reads the total size of the parts of an archive in bytes. */
export async function storedSize(database: Database, { id }: Pick<Archive, 'id'>): Promise<number> {
  const statement = sql`
    SELECT coalesce(sum(coalesce(object_size, octet_length(content))), 0)::float8 AS size
    FROM archive_parts WHERE archive_id = ${id}::uuid`;
  const [found] = await database.query<{ size: number }>(named('archive_parts.size', statement));
  return found?.size ?? 0;
}

interface Part {
  readonly content: Uint8Array | null;
  readonly store: StoreKind | null;
  readonly objectKey: string | null;
}

/** Reads a range of one part. Returns undefined if the part is gone. */
async function readFromPart(
  database: Database,
  { id }: Pick<Archive, 'id'>,
  { number, first, length }: { readonly number: number; readonly first: number; readonly length: number },
): Promise<Uint8Array | undefined> {
  // The table is on no replica, so this reads from the primary.
  const statement = sql`
    SELECT substring(content FROM ${first + 1}::int FOR ${length}::int) AS content, store, object_key AS "objectKey"
    FROM archive_parts WHERE archive_id = ${id}::uuid AND number = ${number}`;
  const [part] = await database.query<Part>(named('archive_parts.read', statement));
  if (!part) return undefined;
  if (part.content || part.store === null || part.objectKey === null) return part.content ?? undefined;
  try {
    return await database.files.find(part.store).read(part.objectKey, first, length);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    database.files.onLost(error);
    return undefined;
  }
}

/**
 * Reads a range of an archive.
 * @param first index of the first byte
 * @returns undefined if some of it is gone
 * @throws GatewayError UNAVAILABLE if its store does not answer
 */
export async function readArchive(
  database: Database,
  archive: Pick<Archive, 'id'>,
  first: number,
  length: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  for (let at = first; at < first + length; ) {
    const [number, within] = [Math.floor(at / partBytes), at % partBytes];
    const wanted = Math.min(partBytes - within, first + length - at);
    const piece = await readFromPart(database, archive, { number, first: within, length: wanted });
    if (piece?.length !== wanted) return undefined;
    pieces.push(piece);
    at += wanted;
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
}
