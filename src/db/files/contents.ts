import { createHash, hash as hashOnce, webcrypto } from 'node:crypto';
import { type FileContent, FileError } from '../../domain/files.js';
import { retryDelay } from '../../domain/load/quota.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import type { Loop } from '../queue/loop.js';
import {
  type Attempt,
  type Claim,
  claimJobs,
  type Keep,
  type QueueWorkerSettings,
  startQueueWorker,
} from '../queue/queue.js';
import type { EnumOf } from '../sql/conditions.js';
import { type Sql, sql } from '../sql/sql.js';
import { insertRows } from '../sql/write.js';
import { causeText, damagedFile, type FileStores, storeUnavailable } from './store.js';

/** The place of a row's bytes, if a store has them. */
interface Placed {
  readonly store: EnumOf<'StoreKind'> | null;
  readonly objectKey: string | null;
}

/** A row's bytes: its own, or those of a store's object. */
export interface StoredContent extends Placed {
  /** Id of the row. */
  readonly contentId: string;
  /** Null if a store has them. */
  readonly content: Uint8Array | null;
  /** Size in bytes of what a store has. */
  readonly size: number | null;
  /** Null if it is not known. */
  readonly digest: Uint8Array | null;
}

/** A range of bytes, from the index of its first one. */
interface Part {
  readonly first: number;
  readonly length: number;
}

/** Bytes that are hashed at once on the event loop. That takes a fraction of a millisecond. */
const hashedHere = 128 * 1024;

/** Computes the SHA-256 of bytes. Many are hashed beside the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= hashedHere) return new Uint8Array(hashOnce('sha256', bytes, 'buffer'));
  return new Uint8Array(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/** SQL for a file's size in bytes. The row of `attachment_contents` is called `stored`. */
export const sizeSql = sql`coalesce(stored.object_size, octet_length(stored.content))`;

/** Returns the columns of a `StoredContent`. `content` selects all bytes, or some of them. */
export const storedColumnsSql = (content: Sql): Sql =>
  sql`stored.id AS "contentId", ${content} AS content, stored.store, stored.object_key AS "objectKey",
    stored.object_size AS size, stored.digest`;

/** Reports a file that is missing or damaged. Its store has reported other failures itself. */
export function reportProblem(
  files: FileStores,
  { store, objectKey, contentId = '' }: Placed & { readonly contentId?: string },
  error: FileError,
): void {
  const { problem: reason } = error;
  const address = files.all.find(({ kind }) => kind === store)?.address;
  const key = objectKey ?? contentId;
  files.report({ operation: 'read', reason, store: address, key, message: causeText(error) });
}

async function readObject(
  files: FileStores,
  { store, objectKey, size }: StoredContent,
  part: Part | undefined,
): Promise<Uint8Array> {
  if (store === null || objectKey === null || size === null) throw new Error('A file is in no store.');
  const { first, length } = part ?? { first: 0, length: size };
  if (length === 0) return new Uint8Array();
  const bytes = await files.find(store).read(objectKey, first, length);
  if (bytes.length < length) throw damagedFile(`The file ${objectKey} is shorter than it was.`);
  if (bytes.length > length) throw storeUnavailable(new Error('The store sent more bytes than requested.'));
  return bytes;
}

const otherBytes = () => damagedFile('The bytes have another SHA-256 than those that were stored.');

/** Returns the bytes of a row. Those of a whole file are compared with its SHA-256. */
async function readRow(files: FileStores, row: StoredContent, part: Part | undefined): Promise<Uint8Array> {
  const bytes = row.content ?? (await readObject(files, row, part));
  if (part || !row.digest) return bytes;
  if (Buffer.compare(await sha256Of(bytes), row.digest) !== 0) throw otherBytes();
  return bytes;
}

/**
 * Reads a file's bytes, wherever they are. A whole file is compared with its SHA-256.
 * @param find reads its row; its `content` has only the bytes of the part
 * @returns undefined if there is no such row
 * @throws {FileError} if the bytes are missing, damaged, or cannot be read now
 */
export async function readStored(
  { files }: Pick<Database, 'files'>,
  find: () => Promise<StoredContent | undefined>,
  part?: Part,
): Promise<Uint8Array | undefined> {
  let row = await find();
  if (!row) return undefined;
  try {
    try {
      return await readRow(files, row, part);
    } catch (error) {
      if (!(error instanceof FileError) || error.problem !== 'missing') throw error;
      // It may have been moved after its row was read.
      const now = await find();
      if (!now) return undefined;
      if (!now.content && now.store === row.store && now.objectKey === row.objectKey) throw error;
      row = now;
      return await readRow(files, now, part);
    }
  } catch (error) {
    if (error instanceof FileError && error.problem !== 'unavailable') reportProblem(files, row, error);
    throw error;
  }
}

/** A file that is read in slices. */
export interface SlicedFile {
  /** Store that has the bytes; null for the database. */
  readonly store: EnumOf<'StoreKind'> | null;
  /** Id of the row with its bytes. */
  readonly version: string;
  /** Size in bytes. */
  readonly size: number;
  /** Null if it is not known. */
  readonly digest: Uint8Array | null;
}

/**
 * Yields a whole file slice by slice. The last slice comes only if all bytes have the file's SHA-256.
 * @param read reads bytes from the index of the first one
 * @throws {FileError} like `readStored`
 */
export async function* readWhole(
  { files }: Pick<Database, 'files'>,
  { store, version, size, digest }: SlicedFile,
  read: (first: number, length: number) => Promise<Uint8Array>,
  sliceBytes: number,
): AsyncGenerator<Uint8Array> {
  const hash = digest && createHash('sha256');
  for (let at = 0; at < size; at += sliceBytes) {
    const slice = await read(at, Math.min(sliceBytes, size - at));
    hash?.update(slice);
    if (hash && digest && at + sliceBytes >= size && Buffer.compare(hash.digest(), digest) !== 0) {
      const error = otherBytes();
      reportProblem(files, { store, objectKey: null, contentId: version }, error);
      throw error;
    }
    yield slice;
  }
}

/** Stores the bytes of new attachments, or which objects of the store have them. */
export async function storeContents(
  tx: Transaction,
  files: readonly { readonly attachmentId: string; readonly content: FileContent }[],
): Promise<void> {
  for (const { attachmentId, content } of files) {
    // One by one, because together they would make one very long statement text.
    const staged = tx.files.target && tx.files.take(content);
    if (tx.files.target && !staged) continue;
    const row = { attachmentId, digest: await sha256Of(content.bytes) };
    if (!staged) {
      await insertRows(tx, 'AttachmentContent', [{ ...row, content: content.bytes }]);
      continue;
    }
    const { store, key: objectKey, bytes } = staged;
    await insertRows(tx, 'AttachmentContent', [{ ...row, store, objectKey, objectSize: bytes.length }]);
  }
}

/** An object that is to be removed from its store, unless a file has it. */
interface Removal extends Attempt {
  readonly store: EnumOf<'StoreKind'>;
  readonly objectKey: string;
}

function claim(database: Database, claim: Claim): Promise<Removal[]> {
  const kinds = database.files.all.map(({ kind }) => kind);
  return claimJobs(database, 'file_removals', claim, {
    where: sql`store = ANY(${kinds}::store_kind[])`,
    set: sql`store = store`,
    returning: sql`store, object_key AS "objectKey"`,
  });
}

/** Returns whether a file or an archive has an object. Once a removal is claimed, no further file can get it. */
async function hasFile(database: Database, { store, objectKey }: Removal): Promise<boolean> {
  const statement = sql`
    SELECT FROM attachment_contents WHERE store = ${store}::store_kind AND object_key = ${objectKey}
    UNION ALL SELECT FROM archive_parts WHERE store = ${store}::store_kind AND object_key = ${objectKey}
    LIMIT 1`;
  return (await database.query(prepared('file_removals.needed', statement))).length > 0;
}

/** Removes an object, unless a file has it. After a failure it is tried again, with no end. */
async function remove(
  database: Database,
  removal: Removal,
  { clock, log }: Pick<QueueWorkerSettings, 'clock' | 'log'>,
  keep: Keep,
): Promise<'removed' | 'retried'> {
  const { id, attempts, store, objectKey } = removal;
  try {
    if (!(await hasFile(database, removal))) await database.files.find(store).remove(objectKey);
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    log.warn({ key: objectKey, attempts, reason }, 'a file could not be removed from its store');
    const due = new Date(clock().getTime() + retryDelay(attempts, Math.random()));
    const later = sql`
      UPDATE file_removals SET due_at = ${due}::timestamptz WHERE id = ${id}::uuid AND attempts = ${attempts}`;
    await keep(() => database.query(prepared('file_removals.later', later)));
    return 'retried';
  }
  // Another file may have lost the object meanwhile, which has begun a new count of attempts.
  const done = sql`DELETE FROM file_removals WHERE id = ${id}::uuid AND attempts = ${attempts}`;
  await keep(() => database.query(prepared('file_removals.done', done)));
  return 'removed';
}

/** Starts removing objects that no file has from the stores. Any number of processes may do so. */
export function startFileRemovals(settings: QueueWorkerSettings): Loop {
  const { database } = settings;
  return startQueueWorker<Removal, 'removed' | 'retried'>({
    ...settings,
    ...{ table: 'file_removals', jobs: 'file removals', unstored: 'retried' },
    // A store has longer to answer than this.
    leaseMs: settings.leaseMs ?? 60_000,
    claim: (wanted) => claim(database, wanted),
    work: (removal, _signal, keep) => remove(database, removal, settings, keep),
  });
}
