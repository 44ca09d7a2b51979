import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { RowOf } from '../db/sql/columns.js';
import { personOf } from '../domain/caller.js';
import { formatDate } from '../domain/dates.js';
import { argumentError, badField, GatewayError } from '../domain/errors.js';
import { base64Length, decodeBase64, FileContent, largestFile } from '../domain/files.js';
import { movedViolations } from '../domain/input/violations.js';
import { check, newId, rules } from '../domain/rules.js';
import { camelCase } from '../domain/text/names.js';
import { tellsDate } from '../domain/uploads/upload.js';
import { expirationItems } from '../items/expiration-items.js';
import { transact } from '../records/record.js';
import { fileLocked } from './filing.js';
import { sentUpload, uploadNotifications } from './notifications.js';
import {
  findReceived,
  noWorkspace,
  STORED_ACTION,
  storeInTransaction,
  tellWorkers,
  toRow,
} from './receiving.js';
import { findFinished, readFinished, useResumable } from './resumable.js';
import { decisionRules, toDecisionError } from './settling.js';

/** Rules of what is sent with a file. */
export const addUploadRules = decisionRules.extend({
  content: z
    .string()
    .meta({ maxLength: base64Length(largestFile) })
    .nullish(),
  resumableUploadId: rules.uuid,
  fileName: rules.line,
  contentType: rules.line,
  trustScan: z.boolean().nullish(),
});

/** A file that a caller sends, and where it belongs. */
export interface NewUpload extends z.input<typeof addUploadRules> {
  readonly file?: File | null;
}

/** A file's bytes, and what is known about it besides what the caller says. */
interface SentFile {
  readonly content: FileContent;
  readonly name: string | null;
  readonly type: string | null;
  readonly teamId?: string;
  /** By which another try finds the upload. */
  readonly dedupeKey: string;
}

const tooLarge = () => new GatewayError('PAYLOAD_TOO_LARGE', `A file may have at most ${largestFile} bytes.`);

const emptyFile = (name: keyof NewUpload) => badField([name], 'is empty', 'required');

/** Returns the key that an upload has whose bytes came in pieces. */
const resumableKey = (id: string) => `resumable:${id.toLowerCase()}`;

/** Reads a file whose bytes came in pieces. @throws GatewayError BAD_REQUEST; CONFLICT; PAYLOAD_TOO_LARGE */
async function resumableFile(session: Session, id: string): Promise<SentFile> {
  const finished = await findFinished(session, id).catch((error) => {
    if (!(error instanceof GatewayError) || error.code !== 'NOT_FOUND') throw error;
    throw badField(['resumableUploadId'], 'names no resumable upload that exists', 'reference');
  });
  if (finished.length === 0) throw emptyFile('resumableUploadId');
  if (finished.length > largestFile) throw tooLarge();
  const content = new FileContent(await readFinished(session, finished));
  const { filename: name, filetype: type, teamId } = finished;
  return { content, name, type, teamId, dedupeKey: resumableKey(id) };
}

/** Reads a file's bytes. @throws GatewayError BAD_REQUEST if there are none; PAYLOAD_TOO_LARGE */
async function sentFile(
  session: Session,
  { file, content }: NewUpload,
  resumableUploadId: string | null,
): Promise<SentFile> {
  if (resumableUploadId) {
    if (file == null && content == null) return resumableFile(session, resumableUploadId);
    throw badField(['resumableUploadId'], 'cannot be sent together with `content` or `file`');
  }
  if ((file == null) === (content == null))
    throw argumentError('BAD_REQUEST', 'Send one of `content`, `file` and `resumableUploadId`.', ['content']);
  const read = file ? new FileContent(new Uint8Array(await file.arrayBuffer())) : decodeBase64(content ?? '');
  const name = file ? 'file' : 'content';
  if (!read) throw badField([name], 'must be base64', 'format');
  if (read.bytes.length === 0) throw emptyFile(name);
  if (read.bytes.length > largestFile) throw tooLarge();
  const about = { name: file?.name || null, type: file?.type || null };
  return { ...about, content: read, dedupeKey: `sent:${newId()}` };
}

/** Finds the upload that a file in pieces has become already. */
async function findUsed({ resumableUploadId: id }: NewUpload, session: Session) {
  const found = id == null ? null : await findReceived(session, resumableKey(id));
  return found?.userId === personOf(session.caller).id ? found : null;
}

/** Returns the workspace of a new upload. @throws GatewayError BAD_REQUEST for one that the caller does not see */
function teamOf({ caller }: Session, named: string | null | undefined): string {
  if (caller.teamIds.length === 0) throw noWorkspace;
  const teamId = named?.toLowerCase() ?? caller.user.teamId;
  if (named && !caller.teamIds.includes(teamId))
    throw badField(['teamId'], 'names no workspace that exists', 'reference');
  return teamId;
}

/** Names an error's members as the caller does. The upload keeps what was sent as tags. */
function toInputError(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'BAD_REQUEST') return error;
  return toDecisionError(
    movedViolations(error, (violation) =>
      violation.path[0] === 'upload_Tags'
        ? { ...violation, path: [camelCase(String(violation.path[1]))] }
        : violation,
    ),
  );
}

/**
 * Stores a file as an upload, and files it at once. It goes under the named item, or under a new one. A worker
 * then reads it, unless the date was sent, and stores what it suggests. A file that came in pieces is used
 * once: whoever sends its id again gets the same upload.
 * @throws GatewayError BAD_REQUEST naming the wrong member; PAYLOAD_TOO_LARGE; FORBIDDEN for a token without
 *   workspaces; CONFLICT while pieces are missing
 */
export async function addUpload(session: Session, input: NewUpload): Promise<RowOf<'UploadNotification'>> {
  try {
    return await addFile(session, input);
  } catch (error) {
    // Another request has used the pieces, now or long ago.
    const used = error instanceof GatewayError && (await findUsed(input, session));
    if (used) return used;
    throw toInputError(error);
  }
}

async function addFile(session: Session, input: NewUpload): Promise<RowOf<'UploadNotification'>> {
  const { file: _file, ...given } = input;
  const { teamId, expirationDate, resumableUploadId, ...sent } = check(addUploadRules, given);
  const { content, dedupeKey, ...about } = await sentFile(session, input, resumableUploadId);
  const team = teamOf(session, teamId ?? about.teamId);
  const tags = {
    ...(sent.expirationItemId && { expiration_item_id: sent.expirationItemId }),
    ...(sent.name && { name: sent.name }),
    ...(expirationDate && { expiration_date: formatDate(expirationDate) }),
    ...(sent.category && { category: sent.category }),
    ...(sent.contactEmail && { contact_email: sent.contactEmail }),
    ...(sent.trustScan && { trust_scan: true }),
  };
  const type = sent.contentType ?? about.type;
  const notification = check(sentUpload, {
    ...{ action: STORED_ACTION },
    text: {
      ...{ filename: sent.fileName ?? about.name, type, size: BigInt(content.bytes.length) },
      ...(Object.keys(tags).length > 0 && { uploadTags: tags }),
    },
  });
  const row = toRow(notification, session, dedupeKey, team);
  const filed = await transact(session, expirationItems, async (tx) => {
    await storeInTransaction(tx, row);
    const upload = await uploadNotifications.rows.lock(tx, row.id);
    if (!upload) throw resumableUploadId ? usedMeanwhile : noWorkspace;
    const readAt = tellsDate(upload) ? null : session.now;
    if (resumableUploadId) await useResumable(tx, resumableUploadId);
    return fileLocked(tx, session, upload, { fetched: { content, contentType: type } }, undefined, readAt);
  });
  if (!session.transaction) tellWorkers(session.database);
  return filed;
}

/** The 409 for a file in pieces that another request is using. */
const usedMeanwhile = new GatewayError('CONFLICT', 'The resumable upload was used by another request.');
