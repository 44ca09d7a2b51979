import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import {
  readStored,
  readWhole,
  type SlicedFile,
  type StoredContent,
  sizeSql,
  storedColumnsSql,
} from '../db/files/contents.js';
import { type RowOf, recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows } from '../db/sql/write.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { base64Length, decodeBase64, type FileContent, largestFile } from '../domain/files.js';
import { entityTypes } from '../domain/models.js';
import { check, isUuid, rules } from '../domain/rules.js';
import { lockEntry } from '../records/bin.js';
import { checkVersion } from '../records/locks.js';
import { type ChangeOptions, changeIn, changeRecord, transact } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { AttachedFile, type AttachmentEntry, type AttachmentHead, contentJoin } from './attachments.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-rows.js';

const headRules = z.object({ name: rules.line, contentType: rules.line });

/** Rules of a file that is sent as text. */
export const fileRules = headRules.extend({
  content: z.string().meta({ maxLength: base64Length(largestFile) }),
});

interface NewFile {
  readonly name?: string | null;
  readonly contentType?: string | null;
  /** Base64, or the bytes themselves. */
  readonly content: string | FileContent;
}

function checkContent(content: string | FileContent): FileContent {
  const file = typeof content === 'string' ? decodeBase64(content) : content;
  if (!file) throw badField(['content'], 'must be base64', 'format');
  if (file.bytes.length > largestFile) {
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file may have at most ${largestFile} bytes.`);
  }
  return file;
}

async function findAttachment(session: Session, id: string): Promise<RowOf<'Attachment'> | undefined> {
  const [found] = await readRows(session, 'Attachment', { where: { id } });
  return found;
}

/** Lists an item's attachments as entries of its input. */
const attachmentEntries = (item: Item): AttachmentEntry[] =>
  (item.attachments ?? []).map(({ id }) => ({ id }));

/**
 * Adds a file to an item, after its existing files.
 * @returns the item
 * @throws GatewayError like `changeRecord`; BAD_REQUEST naming the invalid member; PAYLOAD_TOO_LARGE
 */
export async function attachFile(session: Session, itemId: string, file: NewFile): Promise<Item> {
  const entry = { ...check(headRules, file), content: checkContent(file.content) };
  const { row } = await changeRecord(session, expirationItems, itemId, (item: Item) => ({
    ...writableValues(expirationItems, item),
    attachments: [...attachmentEntries(item), entry],
  }));
  return row;
}

/** Adds files with their ids to an item in a larger transaction. @throws GatewayError */
export async function attachIn(
  tx: Transaction,
  session: Session,
  itemId: string,
  heads: readonly AttachmentHead[],
  options: Pick<ChangeOptions<Item>, 'unconditional'> = {},
): Promise<void> {
  const change = (item: Item) => ({
    ...writableValues(expirationItems, item),
    attachments: [...attachmentEntries(item), ...heads.map((head) => new AttachedFile(head))],
  });
  await changeIn(tx, session, expirationItems, itemId, change, options);
}

/**
 * Adds a file to an item, and returns the file.
 * @throws GatewayError like `attachFile`; NOT_FOUND if the file was removed again at once
 */
export async function addAttachment(
  session: Session,
  itemId: string,
  file: NewFile,
): Promise<RowOf<'Attachment'>> {
  const row = await attachFile(session, itemId, file);
  const id = row.attachments?.at(-1)?.id ?? '';
  const attachment = await findAttachment(session, id);
  // Others may have removed it as soon as it was stored, or deleted its item.
  if (!attachment) throw notFound('attachment', id);
  return attachment;
}

/**
 * Removes a file from its item, which changes the item.
 * @returns the attachment as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export async function removeAttachment(session: Session, id: string): Promise<RowOf<'Attachment'>> {
  const found = isUuid(id) ? await findAttachment(session, id) : null;
  if (!found) throw notFound('attachment', id);
  await changeRecord(session, expirationItems, found.itemId, (item: Item) => {
    const attachments = attachmentEntries(item).filter((entry) => entry.id !== found.id);
    if (attachments.length === item.attachments?.length) throw notFound('attachment', id);
    return { ...writableValues(expirationItems, item), attachments };
  });
  return found;
}

/** The stored bytes of an attachment. Their id changes when the file is replaced. */
export interface AttachedBytes extends SlicedFile {
  /** Id of the attachment. */
  readonly id: string;
}

/** An attachment whose bytes are stored, without the bytes. */
interface FoundAttachment extends AttachedBytes {
  readonly name: string | null;
  readonly contentType: string | null;
}

const slicedSql = sql`${sizeSql} AS size, stored.id AS version, stored.store, stored.digest`;

/** Finds an attachment with stored bytes; null if the caller does not see it. */
export async function findFile(session: Session, id: string): Promise<FoundAttachment | null> {
  if (!isUuid(id)) return null;
  const [file] = await session.read<FoundAttachment>(
    prepared(
      'attachment_contents.head',
      sql`
    SELECT record.id, record.name, record.content_type AS "contentType", ${slicedSql}
    ${recordsSql(session, 'attachment', { id }, contentJoin)}`,
    ),
  );
  return file ?? null;
}

/** Finds stored files without their bytes, by id. Files that are not stored or not visible are left out. */
export async function findFiles(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, AttachedBytes>> {
  const rows = await session.read<AttachedBytes>(
    prepared(
      'attachment_contents.size',
      sql`
    SELECT record.id, ${slicedSql}
    ${recordsSql(session, 'attachment', { id: { in: [...ids] } }, contentJoin)}`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Reads a range of an attachment's bytes. No other bytes leave the database or the store.
 * @param first index of the first byte
 * @throws GatewayError NOT_FOUND, also if the file has been replaced; {FileError} if its bytes cannot be read
 */
export async function readFileRange(
  session: Session,
  { id, version }: Pick<AttachedBytes, 'id' | 'version'>,
  first: number,
  length: number,
): Promise<Uint8Array> {
  const part = sql`substring(stored.content FROM ${first + 1}::int FOR ${length}::int)`;
  const find = async () => {
    const [row] = await session.read<StoredContent>(
      prepared(
        'attachment_contents.part',
        sql`
    SELECT ${storedColumnsSql(part)} ${recordsSql(session, 'attachment', { id }, contentJoin)} AND stored.id = ${version}::uuid`,
      ),
    );
    return row;
  };
  const bytes = await readStored(session.database, find, { first, length });
  if (!bytes) throw notFound('attachment', id);
  return bytes;
}

/**
 * Reads all bytes of an attachment, and compares them with its SHA-256.
 * @throws GatewayError like `readFileRange`
 */
export async function readWholeFile(session: Session, file: AttachedBytes): Promise<Uint8Array> {
  for await (const bytes of fileSlices(session, file, file.size)) return bytes;
  return new Uint8Array();
}

/**
 * Yields all bytes of an attachment, slice by slice. The last slice comes only if all have the file's SHA-256.
 * @throws GatewayError like `readFileRange`
 */
export const fileSlices = (
  session: Session,
  file: AttachedBytes,
  sliceBytes: number,
): AsyncGenerator<Uint8Array> =>
  readWhole(
    session.database,
    file,
    (first, length) => readFileRange(session, file, first, length),
    sliceBytes,
  );

/** A replaced file as the bin keeps it. */
type WeakCache = Omit<AttachmentHead, 'content' | 'replacedFile'> & { readonly itemId: string };

/** Reads the attachment of an entry in the bin. */
async function readKept(tx: Transaction, entryId: string): Promise<WeakCache | undefined> {
  const statement = sql`
    SELECT row->>'id' AS id, row->>'item_id' AS "itemId", row->>'name' AS name, row->>'content_type' AS "contentType",
      (row->>'content_length')::float8 AS "contentLength", row->>'source_url' AS "sourceUrl"
    FROM bin_rows WHERE entry_id = ${entryId}::uuid AND table_name = 'attachments' AND pointer IS NULL`;
  const [kept] = await tx.run<WeakCache>(prepared('bin_rows.attachment', statement));
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
    await tx.run(prepared('attachment_contents.restore', back));
    await deleteRows(tx, 'BinEntry', { id: entry.id });
    const [row] = await readRows(tx, 'Attachment', { where: { id: head.id } });
    if (!row) throw new Error('An attachment that was restored is gone.');
    return row;
  });
}
