import { createHash } from 'node:crypto';
import * as z from 'zod';
import { GatewayError } from '../domain/errors.js';
import { check, newId, rules } from '../domain/rules.js';
import { Prisma, type UploadNotification, UploadState } from '../generated/prisma/client.js';
import { logEvent } from './event-logs.js';
import { whereOf } from './list.js';
import type { Readable } from './resource.js';
import { dbOf, type Session } from './scope.js';
import { inTransaction } from './transaction.js';

/** The action that stands for a file that was stored; others ask for nothing. */
const filed = 'fp.upload';

const int64 = z.bigint().nullish().default(null);

const file = z.object({
  container: rules.line,
  url: rules.address,
  filename: rules.line,
  client: rules.line,
  key: rules.address,
  type: rules.line,
  status: rules.line,
  size: int64,
  uploadTags: rules.object,
});

/** The rules of what upload services send (contract section 2, upload notification). */
export const sentUpload = z.object({
  id: int64,
  action: rules.line,
  timestamp: int64,
  text: file.nullish(),
});

type Sent = z.output<typeof sentUpload>;

/** What makes a repeat one: the sender's id and action, else the hash of all that was sent. */
function dedupeKeyOf(sent: Sent, raw: Uint8Array | undefined): string {
  if (sent.id !== null) return `${sent.id}:${sent.action ?? ''}`;
  const whole =
    raw ?? JSON.stringify(sent, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  return `sha256:${createHash('sha256').update(whole).digest('hex')}`;
}

function rowOf(
  sent: Sent,
  { caller, now }: Session,
  dedupeKey: string,
): Prisma.UploadNotificationCreateManyInput {
  const { id: notificationId, action, timestamp } = sent;
  const { uploadTags, ...text } = sent.text ?? { uploadTags: null };
  return {
    ...text,
    id: newId(),
    organizationId: caller.organizationId,
    teamId: caller.user.teamId,
    accessTokenId: caller.tokenId,
    userId: caller.user.id,
    notificationId,
    action,
    timestamp,
    uploadTags: uploadTags ?? Prisma.DbNull,
    dedupeKey,
    state: action === filed ? 'RECEIVED' : 'IGNORED',
    receivedAt: now,
  };
}

/**
 * Stores an upload notification, with its event; a repeat of one that the organization has received changes nothing.
 * @param raw the bytes that it was sent as
 * @returns the notification as it was stored first; null for a repeat of one that the caller may not see
 * @throws GatewayError BAD_REQUEST naming the member that cannot be stored; FORBIDDEN for a token without workspaces
 */
export async function receiveUpload(
  session: Session,
  input: object,
  raw: Uint8Array | undefined,
): Promise<UploadNotification | null> {
  const sent = check(sentUpload, input);
  if (session.caller.teamIds.length === 0) {
    throw new GatewayError('FORBIDDEN', 'The token reaches no workspace in which this could be kept.');
  }
  const data = rowOf(sent, session, dedupeKeyOf(sent, raw));
  return inTransaction(dbOf(session), async (tx) => {
    // Of several at once the first is stored, and the others wait for it.
    const [stored] = await tx.uploadNotification.createManyAndReturn({ data: [data], skipDuplicates: true });
    if (!stored) return tx.uploadNotification.findFirst({ where: { dedupeKey: data.dedupeKey } });
    const title = stored.filename ?? stored.action;
    await logEvent(tx, session, {
      type: 'scan received',
      teamId: stored.teamId,
      description: `Upload notification ${title === null ? '' : `"${title}" `}was received`,
      // The notification itself says it all, and is kept.
      details: null,
      entities: [{ kind: 'uploadNotification', id: stored.id }],
    });
    return stored;
  });
}

const uploadFilter = z.object({
  term: rules.line,
  state: z.enum(UploadState).nullish(),
  filename: rules.line,
  receivedAfter: rules.date,
  receivedBefore: rules.date,
});

/** What a list of upload notifications can be narrowed to. */
export type UploadFilter = z.input<typeof uploadFilter>;

/** Upload notifications, as they are read. */
export const uploadNotifications: Readable<UploadNotification> = {
  noun: 'upload notification',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['action', rules.line],
    ['filename', rules.line],
    ['receivedAt', z.date()],
    ['filedAt', z.date().nullable()],
  ]),
  where: (filter) =>
    whereOf(uploadFilter, filter, ['filename', 'action', 'url', 'key', 'error'], {
      receivedAfter: (moment) => ({ receivedAt: { gt: moment } }),
      receivedBefore: (moment) => ({ receivedAt: { lt: moment } }),
    }),
  find: (db, id) => db.uploadNotification.findUnique({ where: { id } }),
  findMany: (db, query) => db.uploadNotification.findMany(query),
  count: (db, where) => db.uploadNotification.count({ where }),
};
