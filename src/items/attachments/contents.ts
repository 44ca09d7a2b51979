import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { readStored, type StoredContent, storedColumnsSql } from '../../db/files/contents.js';
import { recordsSql } from '../../db/sql/conditions.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { BatchLoader } from '../../records/loaders.js';

/** JOIN of an attachment, called `record`, with its stored bytes. */
export const contentJoin = Prisma.sql`JOIN attachment_contents AS stored ON stored.attachment_id = record.id`;

/** Reads the bytes of small files together. Files that are not stored or not visible are left out. */
export async function readFiles(session: Session, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const find = (some: readonly string[]) =>
    session.read<StoredContent & { readonly id: string }>(
      named(
        'attachment_contents.read',
        Prisma.sql`
    SELECT record.id, ${storedColumnsSql(Prisma.sql`stored.content`)}
    ${recordsSql(session, 'attachment', { id: { in: [...some] } }, contentJoin)}`,
      ),
    );
  const rows = await find(ids);
  const files = new Map<string, Uint8Array>();
  for (const row of rows) {
    let known: typeof row | undefined = row;
    const again = async () => {
      const found = known ?? (await find([row.id]))[0];
      known = undefined;
      return found;
    };
    const bytes = await readStored(session.database, again);
    if (bytes) files.set(row.id, bytes);
  }
  return files;
}

/** Bytes of a stored file that are compared at once. */
const comparedBytes = 1024 * 1024;

/**
 * Returns whether an attachment has certain bytes, as many as it has. It compares them in pieces until one differs, so
 * no second file is in memory.
 */
export async function hasBytes(session: Session, id: string, bytes: Uint8Array): Promise<boolean> {
  let first = 0;
  do {
    const piece = bytes.subarray(first, first + comparedBytes);
    const part = Prisma.sql`substring(stored.content FROM ${first + 1}::int FOR ${piece.length}::int)`;
    const find = async () => {
      const statement = Prisma.sql`
    SELECT ${storedColumnsSql(part)} ${recordsSql(session, 'attachment', { id }, contentJoin)}`;
      const [row] = await session.read<StoredContent>(named('attachment_contents.compare', statement));
      return row;
    };
    const stored = await readStored(session.database, find, { first, length: piece.length });
    if (!stored || Buffer.compare(stored, piece) !== 0) return false;
    first += comparedBytes;
  } while (first < bytes.length);
  return true;
}

/** Loads the bytes of attachments; null if they are not stored. */
export const contentByAttachment: BatchLoader<Uint8Array | null> = async (session, attachmentIds) => {
  const files = await readFiles(session, attachmentIds);
  return attachmentIds.map((id) => files.get(id) ?? null);
};
