import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/columns.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows } from '../../db/sql/write.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import { entityTypes } from '../../domain/events.js';
import { isUuid } from '../../domain/rules.js';
import { lockEntry } from '../../records/bin/entries.js';
import { checkVersion } from '../../records/locking.js';
import { transact } from '../../records/record.js';
import { expirationItems } from '../expiration-items.js';
import type { AttachmentHead } from './entries.js';
import { attachIn } from './files.js';

/** A replaced file as the bin keeps it. */
type Kept = Omit<AttachmentHead, 'content' | 'replacedFile'> & { readonly itemId: string };

/** Reads the attachment of an entry in the bin. */
async function readKept(tx: Transaction, entryId: string): Promise<Kept | undefined> {
  const statement = sql`
    SELECT row->>'id' AS id, row->>'item_id' AS "itemId", row->>'name' AS name, row->>'content_type' AS "contentType",
      (row->>'content_length')::float8 AS "contentLength", row->>'source_url' AS "sourceUrl"
    FROM bin_rows WHERE entry_id = ${entryId}::uuid AND table_name = 'attachments' AND pointer IS NULL`;
  const [kept] = await tx.run<Kept>(named('bin_rows.attachment', statement));
  return kept;
}

/**
 * Restores a replaced file from the bin. It becomes the last file of its item.
 * @param id of the file in the bin
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if its item is gone
 */
export function restoreFile(session: Session, id: string): Promise<RowOf<'Attachment'>> {
  const missing = notFound('attachment in the bin', id);
  if (!isUuid(id)) throw missing;
  return transact(session, expirationItems, async (tx) => {
    const where = { typeId: entityTypes.attachment, recordId: id.toLowerCase() };
    const entry = await lockEntry(tx, where, session.now);
    const kept = entry && (await readKept(tx, entry.id));
    if (!kept) throw missing;
    checkVersion(session, entry);
    const { itemId, ...head } = kept;
    const [item] = await readRows(tx, 'ExpirationItem', { where: { id: itemId } }, ['id']);
    if (!item) throw new GatewayError('CONFLICT', 'The file cannot be restored: its item is gone.');
    // The caller's condition is on the entry.
    await attachIn(tx, session, itemId, [head], { unconditional: true });
    const back = sql`
      UPDATE attachment_contents SET attachment_id = ${head.id}::uuid, bin_entry_id = NULL
      WHERE bin_entry_id = ${entry.id}::uuid`;
    await tx.run(named('attachment_contents.restore', back));
    await deleteRows(tx, 'BinEntry', { id: entry.id });
    const [row] = await readRows(tx, 'Attachment', { where: { id: head.id } });
    if (!row) throw new Error('An attachment that was restored is gone.');
    return row;
  });
}
