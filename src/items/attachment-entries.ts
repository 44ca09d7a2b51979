import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import { storeContents } from '../db/files/contents.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import type { FieldPath } from '../domain/errors.js';
import { base64Length, decodeBase64, FileContent, largestFile } from '../domain/files.js';
import { Violations } from '../domain/input/violations.js';
import { isUuid, limits, newId, rules } from '../domain/rules.js';

/** Rules of an attachment in its item's values, with its bytes until they are stored. */
export const attachmentRules = z.object({
  id: z.guid(),
  name: rules.line,
  contentType: rules.line,
  // A sender may have stated the size of a file that was too large to be stored.
  contentLength: z.number().meta({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sourceUrl: rules.address,
  content: z
    .instanceof(FileContent)
    .meta({ maxLength: base64Length(largestFile), limitsInputOnly: true })
    .optional(),
});

export const attachmentsRule = z
  .array(attachmentRules)
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish()
  .transform((entries) => entries ?? []);

/** An attachment without its bytes once they are stored. */
export type AttachmentHead = z.output<typeof attachmentRules>;

/** An attachment as a caller writes it. */
export interface AttachmentEntry {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly contentType?: string | null;
  /** Base64, or the bytes themselves. */
  readonly content?: string | FileContent | null;
}

/** A file that the gateway itself attaches to an item. Callers' input is never an instance of this class. */
export class AttachedFile {
  readonly head: AttachmentHead;

  constructor(head: AttachmentHead) {
    this.head = head;
  }
}

/**
 * Merges the input of an item's attachments with the stored ones. Entries with a known id are kept, other
 * entries with content are added, and attachments without an entry are removed.
 * @throws GatewayError BAD_REQUEST naming the invalid entries
 */
export function resolveAttachments(
  entries: readonly (AttachmentEntry | AttachedFile)[],
  stored: readonly AttachmentHead[],
): AttachmentHead[] {
  const byId = new Map(stored.map((head) => [head.id, head]));
  const problems = new Violations();
  const resolved = entries.flatMap((entry, index) => {
    if (entry instanceof AttachedFile) return [entry.head];
    const known = byId.get(entry.id?.toLowerCase() ?? '') ?? newAttachment(entry, index, problems);
    return known ? [known] : [];
  });
  problems.end();
  return [...new Map(resolved.map((head) => [head.id, head])).values()];
}

/** Creates an attachment from an entry. Returns undefined and adds a problem if the entry is invalid. */
function newAttachment(
  { id, name, contentType, content }: AttachmentEntry,
  index: number,
  problems: Violations,
): AttachmentHead | undefined {
  const at = (...path: FieldPath) => ['attachments', index, ...path];
  if (id != null && !isUuid(id)) problems.add(at('id'), 'must be a UUID', 'format');
  if (content == null) {
    problems.add(at(), 'needs content, or the id of an attachment of this item', 'required');
    return undefined;
  }
  const file = content instanceof FileContent ? content : decodeBase64(content);
  if (!file) problems.add(at('content'), 'must be base64', 'format');
  if (!file) return undefined;
  return {
    // An id from elsewhere is ignored, so the new attachment gets its own.
    id: newId(),
    name: name ?? null,
    contentType: contentType ?? null,
    contentLength: file.bytes.length,
    sourceUrl: null,
    content: file,
  };
}

interface Owner {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Stores an item's attachments: deletes removed ones, inserts new ones with their bytes. */
export async function storeAttachments(
  tx: Transaction,
  { id: itemId, organizationId, teamId }: Owner,
  before: readonly AttachmentHead[],
  after: readonly AttachmentHead[],
  now: Date,
): Promise<void> {
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id));
  if (gone.length > 0) await deleteRows(tx, 'Attachment', { itemId, id: { in: gone } });
  const known = new Set(before.map(({ id }) => id));
  const fresh = after.flatMap((head, position) => (known.has(head.id) ? [] : [{ ...head, position }]));
  if (fresh.length === 0) return;
  await insertRows(
    tx,
    'Attachment',
    fresh.map(({ content: _bytes, contentLength, ...head }) => ({
      ...head,
      contentLength: BigInt(contentLength),
      itemId,
      organizationId,
      teamId,
      created: now,
    })),
  );
  await storeContents(
    tx,
    fresh.flatMap(({ id, content }) => (content ? [{ attachmentId: id, content }] : [])),
  );
}
