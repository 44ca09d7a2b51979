import type { Session } from '../db/connection/session.js';
import type { Attempt } from '../db/queue/jobs.js';
import type { RowOf } from '../db/sql/columns.js';
import { updateRows } from '../db/sql/write.js';
import { nextModified, parseDate } from '../domain/dates.js';
import { trustedDate } from '../domain/documents/finding.js';
import type { Suggestion } from '../domain/uploads/suggestions.js';
import { trustsScan, unseenDate } from '../domain/uploads/upload.js';
import { findFile, readWholeFile } from '../items/attachments/files.js';
import { expirationItems } from '../items/expiration-items.js';
import type { Item } from '../items/storage.js';
import { changeIn, findRecord, setValues, transact } from '../records/record.js';
import { type FoundFile, suggestionsIn, toSuggested } from './filing.js';
import { uploadNotifications } from './notifications.js';

/** A stored file, with its media type. */
interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/** Reads the file of a filed upload. It is undefined if it was removed. */
export async function readFiledFile(
  session: Session,
  { attachmentId }: RowOf<'UploadNotification'>,
): Promise<StoredFile | undefined> {
  const file = attachmentId && (await findFile(session, attachmentId));
  if (!file) return undefined;
  const bytes = await readWholeFile(session, file);
  return { bytes: new Uint8Array(bytes), contentType: file.contentType };
}

/** Checks that an item is as it was filed, unread. */
const isAsFiled = (
  { created, modified, expirationDate }: Item,
  upload: RowOf<'UploadNotification'>,
  today: Date,
) =>
  Number(created) === Number(upload.filedAt) &&
  Number(modified) === Number(upload.filedAt) &&
  Number(expirationDate) === Number(unseenDate(upload, [], today));

/**
 * Returns the date that an item has after its document was read. If nobody has changed the item meanwhile, it is the same
 * as if the document had been read before. Otherwise, the document can only give an item its first date.
 */
function dateAfterReading(
  item: Item,
  upload: RowOf<'UploadNotification'>,
  said: readonly Suggestion[],
  today: Date,
) {
  if (isAsFiled(item, upload, today)) return unseenDate(upload, said, today);
  if (item.expirationDate !== null || !trustsScan(upload)) return item.expirationDate;
  return parseDate(trustedDate(said) ?? '') ?? null;
}

/**
 * Stores what was found in the document of a filed upload. With `trust_scan`, the date becomes that of an item
 * without one. A date that the item has from the file's name is removed if the document says another. If the
 * upload was settled or taken over meanwhile, nothing is stored.
 * @param dueAt time of the next attempt; null if there is none
 */
export function settleReading(
  session: Session,
  { id, attempts }: Attempt,
  found: FoundFile,
  dueAt: Date | null = null,
): Promise<void> {
  return transact(session, expirationItems, async (tx) => {
    const upload = await uploadNotifications.rows.lock(tx, id);
    if (upload?.state !== 'FILED' || upload.attempts !== attempts || upload.dueAt === null) return;
    const modified = nextModified(session.now, upload.modified);
    const said = suggestionsIn(found);
    const item = await findRecord(session, expirationItems, upload.expirationItemId ?? '');
    const expirationDate = item && said ? dateAfterReading(item, upload, said, session.now) : null;
    if (item && said && Number(expirationDate) !== Number(item.expirationDate)) {
      const change = setValues(expirationItems, { expirationDate });
      await changeIn(tx, session, expirationItems, item.id, change, { unconditional: true });
    }
    const suggested = said && toSuggested(upload, said, expirationDate, session.now);
    const needsReview = item !== null && suggested?.needsReview;
    const read = suggested && { ...suggested, needsReview };
    await updateRows(tx, 'UploadNotification', { id }, { dueAt, modified, ...read });
  });
}
