import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { formatDate } from '../domain/dates.js';
import { badField, GatewayError } from '../domain/errors.js';
import { base64Length, decodeBase64, FileContent, largestFile } from '../domain/files.js';
import { movedViolations } from '../domain/input/violations.js';
import { check, newId, rules } from '../domain/rules.js';
import { camelCase } from '../domain/text/names.js';
import { tellsDate } from '../domain/uploads/upload.js';
import type { UploadNotification } from '../generated/prisma/client.js';
import { expirationItems } from '../items/expiration-items.js';
import { transact } from '../records/record.js';
import { fileLocked } from './filing.js';
import { sentUpload, uploadNotifications } from './notifications.js';
import { noWorkspace, STORED_ACTION, storeInTransaction, tellWorkers, toRow } from './receiving.js';
import { decisionRules, toDecisionError } from './settling.js';

/** Rules of what is sent with a file. */
export const addUploadRules = decisionRules.extend({
  content: z
    .string()
    .meta({ maxLength: base64Length(largestFile) })
    .nullish(),
  fileName: rules.line,
  contentType: rules.line,
  trustScan: z.boolean().nullish(),
});

/** A file that a caller sends, and where it belongs. */
export interface NewUpload extends z.input<typeof addUploadRules> {
  readonly file?: File | null;
}

/** Reads a file's bytes. @throws GatewayError BAD_REQUEST if there are none; PAYLOAD_TOO_LARGE */
async function contentOf({ file, content }: NewUpload): Promise<FileContent> {
  if ((file == null) === (content == null))
    throw new GatewayError('BAD_REQUEST', 'Send either `content` or `file`.');
  const read = file ? new FileContent(new Uint8Array(await file.arrayBuffer())) : decodeBase64(content ?? '');
  const name = file ? 'file' : 'content';
  if (!read) throw badField([name], 'must be base64', 'format');
  if (read.bytes.length === 0) throw badField([name], 'is empty', 'required');
  if (read.bytes.length > largestFile)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file may have at most ${largestFile} bytes.`);
  return read;
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
 * then reads it, unless the date was sent, and stores what it suggests.
 * @throws GatewayError BAD_REQUEST naming the wrong member; PAYLOAD_TOO_LARGE; FORBIDDEN for a token without
 *   workspaces
 */
export async function addUpload(session: Session, input: NewUpload): Promise<UploadNotification> {
  const { file, ...given } = input;
  const { teamId, expirationDate, ...sent } = check(addUploadRules, given);
  const team = teamOf(session, teamId);
  const content = await contentOf(input);
  const tags = {
    ...(sent.expirationItemId && { expiration_item_id: sent.expirationItemId }),
    ...(sent.name && { name: sent.name }),
    ...(expirationDate && { expiration_date: formatDate(expirationDate) }),
    ...(sent.category && { category: sent.category }),
    ...(sent.contactEmail && { contact_email: sent.contactEmail }),
    ...(sent.trustScan && { trust_scan: true }),
  };
  const type = sent.contentType ?? (file?.type || null);
  const filename = sent.fileName ?? (file?.name || null);
  const notification = check(sentUpload, {
    ...{ action: STORED_ACTION },
    text: {
      ...{ filename, type, size: BigInt(content.bytes.length) },
      ...(Object.keys(tags).length > 0 && { uploadTags: tags }),
    },
  });
  const row = toRow(notification, session, `sent:${newId()}`, team);
  try {
    const filed = await transact(session, expirationItems, async (tx) => {
      await storeInTransaction(tx, row);
      const upload = await uploadNotifications.rows.lock(tx, row.id);
      if (!upload) throw noWorkspace;
      const readAt = tellsDate(upload) ? null : session.now;
      return fileLocked(tx, session, upload, { fetched: { content, contentType: type } }, undefined, readAt);
    });
    if (!session.transaction) tellWorkers(session.database);
    return filed;
  } catch (error) {
    throw toInputError(error);
  }
}
