import type { Session } from '../db/connection/session.js';
import type { Attempt } from '../db/queue/jobs.js';
import { updateRows } from '../db/sql/write.js';
import { formatDate, nextModified } from '../domain/dates.js';
import { suggestsOtherDate } from '../domain/uploads/suggestions.js';
import { trustsScan } from '../domain/uploads/upload.js';
import type { UploadNotification } from '../generated/prisma/client.js';
import { expirationItems } from '../items/expiration-items.js';
import { findFile, readFileRange } from '../items/files.js';
import { changeIn, findRecord, setValues, transact } from '../records/record.js';
import { type FoundFile, suggestionsIn, toJson, trustedIn } from './filing.js';
import { uploadNotifications } from './notifications.js';

/** A stored file, with its media type. */
interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/** Reads the file of a filed upload. It is undefined if it was removed. */
export async function readFiledFile(
  session: Session,
  { attachmentId }: UploadNotification,
): Promise<StoredFile | undefined> {
  const file = attachmentId && (await findFile(session, attachmentId));
  if (!file) return undefined;
  const bytes = await readFileRange(session, file.id, 0, file.size);
  return { bytes: new Uint8Array(bytes), contentType: file.contentType };
}

/**
 * Stores what was found in the document of a filed upload. With `trust_scan`, the date becomes that of an item
 * without one. If the upload was settled or taken over meanwhile, nothing is stored.
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
    const suggestions = suggestionsIn(found);
    const item = await findRecord(session, expirationItems, upload.expirationItemId ?? '');
    const trusted = item?.expirationDate === null && trustsScan(upload) ? trustedIn(found) : null;
    if (item && trusted) {
      const change = setValues(expirationItems, { expirationDate: trusted });
      await changeIn(tx, session, expirationItems, item.id, change, { unconditional: true });
    }
    const date = trusted ?? item?.expirationDate ?? null;
    const read = suggestions && {
      suggestions: toJson(suggestions),
      needsReview: item !== null && suggestsOtherDate(suggestions, date && formatDate(date)),
      suggestedExpirationDate: found.suggestion?.date ?? null,
      suggestedFrom: found.suggestion?.from ?? null,
    };
    await updateRows(tx, 'UploadNotification', { id }, { dueAt, modified, ...read });
  });
}
