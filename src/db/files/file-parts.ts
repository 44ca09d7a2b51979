import { FileContent, FileError } from '../../domain/files.js';
import type { Database, SendStatement } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import type { EnumOf } from '../sql/conditions.js';
import { raw, sql } from '../sql/sql.js';
import { reportProblem } from './contents.js';
import { withStagedFiles } from './staging.js';

/** The most bytes of a part. An archive that the gateway writes itself has so many in all but the last. */
export const partBytes = 8 * 1024 * 1024;

/** A part of an archive. */
interface NewPart {
  /** Its number, from 0. */
  readonly number: number;
  /** Index of its first byte. Without it, all parts before it are full. */
  readonly position?: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A large file that is stored in parts. */
export interface Archive {
  readonly id: string;
  readonly organizationId: string;
}

/** Days after which an object is removed, even if the unlogged table was emptied. */
const longestDays = 8;

/** Begins transactions whose new files are in their store before they are committed. A session is one. */
export interface Storing {
  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Returns what stores parts of an organization on nobody's behalf. */
export const storingFor = (
  database: Database,
  { organizationId }: Pick<Archive, 'organizationId'>,
): Storing => ({
  inTransaction: (work) =>
    withStagedFiles(database, { organizationId }, (staged) =>
      database.inTransaction(work, undefined, staged),
    ),
});

/**
 * Stores a part of an archive. If there is a store of files, it is an object there, which is noted for removal
 * for the time when every archive is gone.
 * @param before runs in the same transaction; it returns false if the part must not be stored
 * @returns whether it was stored
 */
export async function storePart(
  storing: Storing,
  { id, organizationId }: Archive,
  { number, bytes, position = number * partBytes }: NewPart,
  before: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return storing.inTransaction(async (tx) => {
    if (!(await before(tx))) return false;
    const staged = tx.files.target && tx.files.take(new FileContent(bytes));
    // It runs again when the part is in its store.
    if (tx.files.target && !staged) return true;
    if (staged) {
      const keep = sql`
        UPDATE file_removals SET due_at = now() + make_interval(days => ${longestDays}::int)
        WHERE store = ${staged.store}::store_kind AND object_key = ${staged.key} AND attempts = 0 RETURNING id`;
      // After a pause, a worker may have removed it already.
      if ((await tx.run(prepared('file_removals.keep', keep))).length === 0) return false;
    }
    const [content, store, key, size] = staged
      ? [null, staged.store, staged.key, bytes.length]
      : [bytes, null, null, null];
    const insert = sql`
      INSERT INTO archive_parts (archive_id, number, organization_id, position, content, store, object_key, object_size)
      VALUES (${id}::uuid, ${number}, ${organizationId}::uuid, ${position}::bigint, ${content}::bytea,
        ${store}::store_kind, ${key}, ${size})`;
    await tx.run(prepared('archive_parts.insert', insert));
    return true;
  });
}

/** Collects bytes into parts, and hands over each when it is full. All but the last have the same size. */
export async function collectParts(
  bytes: AsyncIterable<Uint8Array>,
  store: (part: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + partBytes - length);
      part.set(taken, length);
      length += taken.length;
      at += taken.length;
      if (length < partBytes) continue;
      await store(part);
      part = new Uint8Array(partBytes);
      length = 0;
    }
  }
  if (length > 0) await store(part.slice(0, length));
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
    const deleted = await database.query(prepared('archive_parts.delete', statement));
    if (deleted.length < deletedAtOnce) return;
  }
}

/** The part of an archive that is stored. */
export interface StoredParts {
  /** The number of parts. */
  readonly count: number;
  /** Bytes of all parts. */
  readonly size: number;
}

/** Reads how much of an archive is stored. */
export async function storedParts(run: SendStatement, { id }: Pick<Archive, 'id'>): Promise<StoredParts> {
  const statement = sql`
    SELECT count(*)::int AS count, coalesce(sum(coalesce(object_size, octet_length(content))), 0)::float8 AS size
    FROM archive_parts WHERE archive_id = ${id}::uuid`;
  const [found] = await run<StoredParts>(prepared('archive_parts.stored', statement));
  return found ?? { count: 0, size: 0 };
}

/** Reads parts of archives and their objects. The table is on no replica, so it reads from the primary. */
interface PartsReader {
  readonly database: Database;
  readonly run: SendStatement;
}

/** Returns the reader of a database's archives. In a transaction, it needs no further connection. */
export const partsReader = (database: Database, tx?: Transaction): PartsReader => ({
  database,
  run: (statement) => tx?.run(statement) ?? database.query(statement),
});

interface Part {
  readonly content: Uint8Array | null;
  readonly store: EnumOf<'StoreKind'> | null;
  readonly objectKey: string | null;
  /** Index of its first byte in the archive. */
  readonly position: number;
  /** Size in bytes. */
  readonly size: number;
}

/** SQL for the index of a part's first byte. Older versions do not store it, and fill all parts but the last. */
const positionSql = sql`coalesce(position, number::bigint * ${raw(String(partBytes))})`;

/** Reads bytes of an archive up to the end of a part. Returns undefined if the part is gone. */
async function readFromPart(
  { database, run }: PartsReader,
  { id }: Pick<Archive, 'id'>,
  first: number,
  most: number,
): Promise<Uint8Array | undefined> {
  const statement = sql`
    SELECT substring(content FROM (${first}::bigint - ${positionSql} + 1)::int FOR ${most}::int) AS content, store,
      object_key AS "objectKey", ${positionSql}::float8 AS position,
      coalesce(object_size, octet_length(content)) AS size
    FROM archive_parts WHERE archive_id = ${id}::uuid AND ${positionSql} <= ${first}::bigint
    ORDER BY number DESC LIMIT 1`;
  const [part] = await run<Part>(prepared('archive_parts.read', statement));
  if (!part) return undefined;
  if (part.content || part.store === null || part.objectKey === null) return part.content ?? undefined;
  const within = first - part.position;
  const length = Math.min(most, part.size - within);
  if (length <= 0) return undefined;
  try {
    return await database.files.find(part.store).read(part.objectKey, within, length);
  } catch (error) {
    if (!(error instanceof FileError) || error.problem === 'unavailable') throw error;
    reportProblem(database.files, part, error);
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
  reader: PartsReader,
  archive: Pick<Archive, 'id'>,
  first: number,
  length: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  for (let at = first; at < first + length; ) {
    const piece = await readFromPart(reader, archive, at, Math.min(first + length - at, partBytes));
    if (!piece || piece.length === 0) return undefined;
    pieces.push(piece);
    at += piece.length;
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
}
