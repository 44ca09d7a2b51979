import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { readStored, type StoredContent, storedColumnsSql } from '../db/files/contents.js';
import { Patience } from '../db/files/store.js';
import { type RowOf, recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { type FieldPath, Violations } from '../domain/errors.js';
import { base64Length, decodeBase64, FileContent, FileError, largestFile } from '../domain/files.js';
import { isUuid, limits, newId, rules } from '../domain/rules.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposed, exposedInGraphql, link, special, unexposed } from '../records/declare/fields.js';
import { type BatchLoader, groupByKey } from '../records/loaders.js';
import type { Write } from '../records/resource.js';

/** JOIN of an attachment, called `record`, with its stored bytes. */
export const contentJoin = sql`JOIN attachment_contents AS stored ON stored.attachment_id = record.id`;

/** Milliseconds that an answer waits for a store that fails. Then it leaves out the other files. */
export const responsePatienceMs = 2_000;

/**
 * Reads the bytes of small files together, or why a file's bytes cannot be read. Files that are not stored or
 * not visible are left out.
 */
export async function readFiles(
  session: Session,
  ids: readonly string[],
  patience = new Patience(responsePatienceMs),
): Promise<Map<string, Uint8Array | FileError>> {
  const find = (some: readonly string[]) =>
    session.read<StoredContent & { readonly id: string }>(
      prepared(
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
async function hasBytes(session: Session, id: string, bytes: Uint8Array): Promise<boolean> {
  let first = 0;
  do {
    const piece = bytes.subarray(first, first + comparedBytes);
    const content = sql`substring(stored.content FROM ${first + 1}::int FOR ${piece.length}::int)`;
    const find = async () => {
      const statement = sql`
    SELECT ${storedColumnsSql(content)} ${recordsSql(session, 'attachment', { id }, contentJoin)}`;
      const [row] = await session.read<StoredContent>(prepared('attachment_contents.compare', statement));
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

/** Rules of an attachment in its item's values, with its bytes until they are stored. */
const attachmentRules = z.object({
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

/** Files of expiration items. */
export const attachments = declareList('Attachment', {
  fields: {
    id: exposed(),
    content: special,
    name: exposed(),
    contentType: exposed(),
    created: exposed(),
    contentLength: exposed(),
    sourceUrl: exposedInGraphql(),
    entityType: computed(
      'String!',
      [],
      'The type of the record that the file is attached to: always `expirationitem`.',
      () => 'expirationitem',
    ),
    entityId: computed(
      'ID!',
      ['itemId'],
      'The id of the record that the file is attached to.',
      ({ itemId }: RowOf<'Attachment'>) => itemId,
    ),
    itemId: unexposed(),
    expirationItem: link('itemId', 'The item it belongs to.'),
    teamId: unexposed(),
    team: link('teamId', 'The workspace of its item.', { door: 'hidden' }),
    position: unexposed(),
  },
  bounds: attachmentRules,
  filter: {
    term: { in: ['name'], description: 'Part of the file name, ignoring case.' },
    expirationItemId: { column: 'itemId', description: 'Attachments of this item.' },
    teamId: 'Attachments of items in this workspace.',
  },
  sortable: ['id', 'name', 'contentType', 'created'],
  order: { field: 'created', direction: 'asc' },
  indexed: ['created'],
  searchPlace: 9,
  ranges: ['contentLength'],
  rest: {
    tag: 'Attachments',
    about: 'The files of expiration items.',
    model: 'ExpirationItemAttachmentModel',
    models: {
      AttachmentModel: {
        type: 'Attachment',
        members: [
          'id',
          'content',
          'name',
          'contentType',
          'created',
          'contentLength',
          'entityType',
          'entityId',
        ],
      },
    },
    records: { '/v1/attachments/expirationitem': { kind: 'attachment', name: 'cargo-policy.txt' } },
    term: 'policy',
    routes: {
      'GET /v1/attachments/expirationitem': {
        model: 'AttachmentModel',
        origin: 'attested',
        parameters: ['term', 'page', 'includeFileContent'],
        fileContent: true,
        summary: 'Lists the files of expiration items, the oldest first.',
      },
      'GET /v1/attachments/expirationitem/{id}': {
        model: 'AttachmentModel',
        origin: 'listed',
        fileContent: true,
        summary: "Reads a file of an expiration item, by the file's id.",
      },
      'GET /v1/attachments/search': {
        model: 'AttachmentModel',
        origin: 'attested',
        operation: 'searchAttachments',
        pageSize: 25,
        parameters: ['term', 'page', 'includeFileContent'],
        fileContent: true,
        summary: 'Searches files by name, in pages of 25, the oldest first.',
      },
    },
  },
});

/** Reads the attachments of items in their order, without their bytes. */
export function readAttachments(
  on: Session | Transaction,
  itemIds: readonly string[],
): Promise<RowOf<'Attachment'>[]> {
  return readRows(on, 'Attachment', {
    where: { itemId: { in: itemIds } },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
}

/** Loads the attachments of items, without their bytes. */
export const attachmentsByItem: BatchLoader<RowOf<'Attachment'>[]> = async (session, itemIds) =>
  groupByKey(itemIds, await readAttachments(session, itemIds), ({ itemId }) => itemId);

/** Returns whether the bytes of attachments are stored in this database. */
export const isStoredByAttachment: BatchLoader<boolean> = async (session, attachmentIds) => {
  const where = { attachmentId: { in: attachmentIds } };
  const rows = await readRows(session, 'AttachmentContent', { where }, ['attachmentId']);
  const stored = new Set(rows.map(({ attachmentId }) => attachmentId));
  return attachmentIds.map((id) => stored.has(id));
};
