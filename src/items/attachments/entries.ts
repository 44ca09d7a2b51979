import * as z from 'zod';
import type { FieldPath } from '../../domain/errors.js';
import { base64Length, decodeBase64, FileContent, largestFile } from '../../domain/files.js';
import { Violations } from '../../domain/input/violations.js';
import { isUuid, limits, newId, rules } from '../../domain/rules.js';
import type { Write } from '../../records/resource.js';
import { hasBytes } from './contents.js';

/** Rules of an attachment in its item's values, with its bytes until they are stored. */
export const attachmentRules = z.object({
  id: z.guid(),
  name: rules.line,
  contentType: rules.line,
  // A sender may have stated the size of a file that was too large to be stored.
  contentLength: z.number().meta({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sourceUrl: rules.address,
  /** Id in the bin of the file that this change replaces. */
  replacedFile: z.guid().optional(),
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
 * Merges the input of an item's attachments with the stored ones. Entries with a known id are kept, and their files
 * replaced if they have other bytes. Other entries with content are added, and attachments without an entry are
 * removed.
 * @throws GatewayError BAD_REQUEST naming the invalid entries
 */
export async function resolveAttachments(
  write: Write,
  entries: readonly (AttachmentEntry | AttachedFile)[],
  stored: readonly AttachmentHead[],
): Promise<AttachmentHead[]> {
  const byId = new Map(stored.map((head) => [head.id, head]));
  const problems = new Violations();
  const resolved = new Map<string, AttachmentHead>();
  for (const [index, entry] of entries.entries()) {
    const known = entry instanceof AttachedFile ? undefined : byId.get(entry.id?.toLowerCase() ?? '');
    const head =
      entry instanceof AttachedFile
        ? entry.head
        : known
          ? await changedAttachment(write, known, entry, index, problems)
          : newAttachment(entry, index, problems);
    if (head) resolved.set(head.id, head);
  }
  problems.end();
  return [...resolved.values()];
}

/** Decodes the bytes of an entry. Adds a problem if they are not base64. */
function decodeContent(content: string | FileContent, index: number, problems: Violations) {
  const file = content instanceof FileContent ? content : decodeBase64(content);
  if (!file) problems.add(['attachments', index, 'content'], 'must be base64', 'format');
  return file;
}

/** Returns whether an attachment has these bytes. They are only read if the length is the same. */
async function isUnchanged(
  { tx, session }: Write,
  { id, contentLength }: AttachmentHead,
  { bytes }: FileContent,
): Promise<boolean> {
  return contentLength === bytes.length && session.within(tx, () => hasBytes(session, id, bytes));
}

/** Returns a stored attachment as an entry wants it. Only a patch changes a name without replacing the file. */
async function changedAttachment(
  write: Write,
  known: AttachmentHead,
  { name, contentType, content }: AttachmentEntry,
  index: number,
  problems: Violations,
): Promise<AttachmentHead> {
  const file = content == null ? undefined : decodeContent(content, index, problems);
  const isReplaced = file !== undefined && !(await isUnchanged(write, known, file));
  const head = {
    ...known,
    ...(write.isPatch && {
      ...(name !== undefined && { name }),
      ...(contentType !== undefined && { contentType }),
    }),
  };
  if (!isReplaced) return head;
  return {
    ...head,
    ...(name != null && { name }),
    ...(contentType != null && { contentType }),
    ...{ contentLength: file.bytes.length, sourceUrl: null, content: file, replacedFile: newId() },
  };
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
  const file = decodeContent(content, index, problems);
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
