import type { FileContent } from '../../domain/files.js';
import { Prisma, type StoreKind } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import type { Transaction } from '../connection/transaction.js';
import { insertRows } from '../sql/write.js';
import { MissingObject, storeUnavailable } from './store.js';

const { sql } = Prisma;

/** A row's bytes: its own, or those of a store's object. */
export interface StoredContent {
  /** Null if a store has them. */
  readonly content: Uint8Array | null;
  readonly store: StoreKind | null;
  readonly objectKey: string | null;
  /** Size in bytes of what a store has. */
  readonly size: number | null;
}

/** A range of bytes, from the index of its first one. */
interface Part {
  readonly first: number;
  readonly length: number;
}

/** SQL for a file's size in bytes. The row of `attachment_contents` is called `stored`. */
export const sizeSql = sql`coalesce(stored.object_size, octet_length(stored.content))`;

/** Returns the columns of a `StoredContent`. `content` selects all bytes, or some of them. */
export const storedColumnsSql = (content: Prisma.Sql): Prisma.Sql =>
  sql`${content} AS content, stored.store, stored.object_key AS "objectKey", stored.object_size AS size`;

async function readObject(
  { files }: Pick<Database, 'files'>,
  { store, objectKey, size }: StoredContent,
  part: Part | undefined,
): Promise<Uint8Array> {
  if (store === null || objectKey === null || size === null) throw new Error('A file is in no store.');
  const { first, length } = part ?? { first: 0, length: size };
  if (length === 0) return new Uint8Array();
  const bytes = await files.find(store).read(objectKey, first, length);
  if (bytes.length !== length)
    throw storeUnavailable(new Error(`The file ${objectKey} is shorter than it was.`));
  return bytes;
}

/**
 * Reads a file's bytes, wherever they are.
 * @param find reads its row; its `content` has only the bytes of the part
 * @returns undefined if there is no such row, or its store has lost the object, which is reported
 * @throws GatewayError UNAVAILABLE if the store does not answer
 */
export async function readStored(
  database: Pick<Database, 'files'>,
  find: () => Promise<StoredContent | undefined>,
  part?: Part,
): Promise<Uint8Array | undefined> {
  const row = await find();
  if (!row) return undefined;
  if (row.content) return row.content;
  try {
    return await readObject(database, row, part);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    // It may have been moved after its row was read.
    const now = await find();
    if (!now) return undefined;
    if (now.content) return now.content;
    if (now.store !== row.store || now.objectKey !== row.objectKey) return readObject(database, now, part);
    database.files.onLost(error);
    return undefined;
  }
}

/** Stores the bytes of new attachments, or which objects of the store have them. */
export async function storeContents(
  tx: Transaction,
  files: readonly { readonly attachmentId: string; readonly content: FileContent }[],
): Promise<void> {
  for (const { attachmentId, content } of files) {
    // One by one, because together they would make one very long statement text.
    if (!tx.files.target) {
      await insertRows(tx, 'AttachmentContent', [{ attachmentId, content: content.bytes }]);
      continue;
    }
    const staged = tx.files.take(content);
    if (!staged) continue;
    const { store, key: objectKey, bytes } = staged;
    await insertRows(tx, 'AttachmentContent', [{ attachmentId, store, objectKey, objectSize: bytes.length }]);
  }
}
