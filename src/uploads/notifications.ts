import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import { type UploadNotification, UploadState } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { noPointer } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import type { Readable } from '../records/lists/readable.js';

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

/** Rules of an upload service's notification (contract section 2). */
export const sentUpload = z.object({
  id: int64,
  action: rules.line,
  timestamp: int64,
  text: file.nullish(),
});

export type SentUpload = z.output<typeof sentUpload>;

/** Returns the title of an upload in a sentence: its file, else its action. */
export function uploadTitle({ filename, action }: Pick<UploadNotification, 'filename' | 'action'>): string {
  const title = filename ?? action;
  return title === null ? 'Upload notification' : `Upload notification "${title}"`;
}

/** States of an upload, as its rows have them. */
export const uploadStates: readonly string[] = Object.values(UploadState);

const uploadFilter = z.object({
  term: rules.line,
  state: z.enum(UploadState).nullish(),
  filename: rules.line,
  receivedAfter: rules.date,
  receivedBefore: rules.date,
});

export type UploadFilter = z.input<typeof uploadFilter>;

export const uploadNotifications: Readable<UploadNotification> = {
  noun: 'upload notification',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['action', rules.line],
    ['filename', rules.line],
    ['receivedAt', z.date()],
    ['filedAt', z.date().nullable()],
    ['modified', z.date()],
  ]),
  indexed: ['receivedAt'],
  orderKeys: linkedNames({ expirationItem: ['expirationItemId', 'expirationItem'] }),
  ranges: { receivedAt: 'DateTime', filedAt: 'DateTime', size: 'BigInt' },
  links: { EXPIRATION_ITEM: noPointer('expirationItemId'), ATTACHMENT: noPointer('attachmentId') },
  where: (filter) =>
    filterCondition(uploadFilter, filter, ['filename', 'action', 'url', 'key', 'error'], {
      receivedAfter: (moment) => ({ receivedAt: { gt: moment } }),
      receivedBefore: (moment) => ({ receivedAt: { lt: moment } }),
    }),
  rows: defineRows('UploadNotification'),
};
