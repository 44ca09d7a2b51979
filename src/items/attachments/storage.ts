import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { storeContents } from '../../db/files/contents.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, insertRows, updateEach } from '../../db/sql/write.js';
import { keptInBin } from '../../records/delete.js';
import type { AttachmentHead } from './entries.js';

interface Owner {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Stores the attachments of a new item. */
export function insertAttachments(
  tx: Transaction,
  owner: Owner,
  heads: readonly AttachmentHead[],
  now: Date,
): Promise<void> {
  return insertFresh(
    tx,
    owner,
    heads.map((head, position) => ({ head, position })),
    now,
  );
}

/** Inserts attachments with their bytes, each at its position. */
async function insertFresh(
  tx: Transaction,
  { id: itemId, organizationId, teamId }: Owner,
  fresh: readonly { readonly head: AttachmentHead; readonly position: number }[],
  now: Date,
): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(
    ({ head: { content: _bytes, replacedFile: _id, contentLength, ...head }, position }) => ({
      ...{ ...head, position, itemId, organizationId, teamId },
      ...{ contentLength: BigInt(contentLength), created: now },
    }),
  );
  await insertRows(tx, 'Attachment', rows);
  await storeContents(
    tx,
    fresh.flatMap(({ head: { id, content } }) => (content ? [{ attachmentId: id, content }] : [])),
  );
}

/**
 * Moves the bytes of a replaced file into the bin, under another id. The attachment keeps its id. Nothing is
 * copied.
 */
async function discardContent(
  tx: Transaction,
  session: Session,
  { id, replacedFile }: AttachmentHead,
): Promise<void> {
  const [row] = await readRows(tx, 'Attachment', { where: { id } });
  if (!row || replacedFile === undefined) return;
  const records = [{ id: replacedFile, teamId: row.teamId, name: row.name }];
  const keeping = keptInBin(session, { model: 'Attachment', kind: 'attachment' }, records);
  if (!keeping) {
    await deleteRows(tx, 'AttachmentContent', { attachmentId: id });
    return;
  }
  await insertRows(tx, 'Attachment', [{ ...row, id: replacedFile }]);
  const move = sql`
    UPDATE attachment_contents SET attachment_id = ${replacedFile}::uuid WHERE attachment_id = ${id}::uuid`;
  await tx.run(named('attachment_contents.discard', move));
  await tx.run(named('bin_entries.insert', sql`WITH ${keeping} SELECT`));
  await deleteRows(tx, 'Attachment', { id: replacedFile });
}

/** Returns whether attachments that stay have new values or another place. */
function areChanged(before: readonly AttachmentHead[], after: readonly AttachmentHead[]): boolean {
  return before.some(
    (head, place) => after.length <= place || JSON.stringify(head) !== JSON.stringify(after[place]),
  );
}

/**
 * Stores the changes of an item's attachments. It deletes removed ones, replaces files, renames and orders those that
 * stay, and inserts new ones.
 */
export async function changeAttachments(
  tx: Transaction,
  session: Session,
  owner: Owner,
  before: readonly AttachmentHead[],
  after: readonly AttachmentHead[],
  now: Date,
): Promise<void> {
  const ids = new Set(after.map(({ id }) => id));
  const gone = before.map(({ id }) => id).filter((id) => !ids.has(id));
  if (gone.length > 0) await deleteRows(tx, 'Attachment', { itemId: owner.id, id: { in: gone } });
  const known = new Set(before.map(({ id }) => id));
  const placed = after.map((head, position) => ({ head, position }));
  const kept = placed.filter(({ head }) => known.has(head.id));
  for (const { head } of kept) {
    if (!head.content) continue;
    await discardContent(tx, session, head);
    await storeContents(tx, [{ attachmentId: head.id, content: head.content }]);
  }
  if (kept.length > 0 && areChanged(before, after)) {
    const rows = kept.map(({ head: { id, name, contentType, contentLength, sourceUrl }, position }) => ({
      ...{ id, name, contentType, sourceUrl, position },
      contentLength: BigInt(contentLength),
    }));
    await updateEach(tx, 'Attachment', rows);
  }
  const fresh = placed.filter(({ head }) => !known.has(head.id));
  await insertFresh(tx, owner, fresh, now);
}
