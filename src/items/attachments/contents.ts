import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { readStored, type StoredContent, storedColumnsSql } from '../../db/files/contents.js';
import { Patience } from '../../db/files/patience.js';
import { recordsSql } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { FileError } from '../../domain/files.js';
import type { BatchLoader } from '../../records/loaders.js';

/** JOIN of an attachment, called `record`, with its stored bytes. */
export const contentJoin = sql`JOIN attachment_contents AS stored ON stored.attachment_id = record.id`;

/** Milliseconds that an answer waits for a store that fails. Then it leaves out the other files. */
export const answerPatienceMs = 2_000;

/**
 * Reads the bytes of small files together, or why a file's bytes cannot be read. Files that are not stored or
 * not visible are left out.
 */
export async function readFiles(
  session: Session,
  ids: readonly string[],
  patience = new Patience(answerPatienceMs),
): Promise<Map<string, Uint8Array | FileError>> {
  const find = (some: readonly string[]) =>
    session.read<StoredContent & { readonly id: string }>(
      named(
        'attachment_contents.read',
        sql`
    SELECT record.id, ${storedColumnsSql(sql`stored.content`)}
    ${recordsSql(session, 'attachment', { id: { in: [...some] } }, contentJoin)}`,
      ),
    );
  const rows = await find(ids);
  const files = new Map<string, Uint8Array | FileError>();
  for (const row of rows) {
    let known: typeof row | undefined = row;
    const again = async () => {
      const found = known ?? (await find([row.id]))[0];
      known = undefined;
      return found;
    };
    const read = () => readStored(session.database, again);
    const found = await patience.attempt(row.store, read).catch((error: unknown) => {
      if (error instanceof FileError) return error;
      throw error;
    });
    if (found) files.set(row.id, found);
  }
  return files;
}

/** Returns undefined for bytes that are missing or damaged. @throws any other error */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof FileError) || error.problem === 'unavailable') throw error;
}

/** Bytes of a stored file that are compared at once. */
const comparedBytes = 1024 * 1024;

/**
 * Returns whether an attachment has certain bytes, as many as it has. It compares them in pieces until one differs, so
 * no second file is in memory. An attachment whose bytes are missing or damaged has none, so that sending them mends it.
 */
export async function hasBytes(session: Session, id: string, bytes: Uint8Array): Promise<boolean> {
  let first = 0;
  do {
    const piece = bytes.subarray(first, first + comparedBytes);
    const content = sql`substring(stored.content FROM ${first + 1}::int FOR ${piece.length}::int)`;
    const find = async () => {
      const statement = sql`
    SELECT ${storedColumnsSql(content)} ${recordsSql(session, 'attachment', { id }, contentJoin)}`;
      const [row] = await session.read<StoredContent>(named('attachment_contents.compare', statement));
      return row;
    };
    const part = { first, length: piece.length };
    const stored = await readStored(session.database, find, part).catch(unlessUnavailable);
    if (!stored || Buffer.compare(stored, piece) !== 0) return false;
    first += comparedBytes;
  } while (first < bytes.length);
  return true;
}

/**
 * Reads the bytes of a file. They are undefined if they are missing, damaged or not visible.
 * @throws {FileError} if they cannot be read now
 */
export async function readReadable(session: Session, id: string): Promise<Uint8Array | undefined> {
  const found = (await readFiles(session, [id])).get(id);
  return found instanceof FileError ? unlessUnavailable(found) : found;
}

/** Loads the bytes of attachments, or the errors that say why not. It is null for bytes that are not stored. */
export const contentByAttachment: BatchLoader<Uint8Array | FileError | null> = async (
  session,
  attachmentIds,
) => {
  const files = await readFiles(session, attachmentIds);
  return attachmentIds.map((id) => files.get(id) ?? null);
};
