import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import { type UploadNotification, UploadState } from '../generated/prisma/client.js';
import { declareEndpoints } from '../records/declare/endpoints.js';
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

/** Endpoints of uploads: their receiver, and the inbox of what was received. */
export const uploadEndpoints = declareEndpoints({
  model: 'UploadNotification',
  list: 'uploads',
  order: { field: 'receivedAt', direction: 'desc' },
  rest: {
    tag: 'Uploads',
    about: {
      'Bulk scan': 'The receiver for upload services and scanners.',
      Uploads: 'Notifications that the receiver got, and what happened to them.',
    },
    model: 'UploadModel',
    members: [
      'id',
      'notificationId',
      'action',
      'timestamp',
      'container',
      'url',
      'filename',
      'client',
      'key',
      'type',
      'status',
      'size',
      'uploadTags',
      'state',
      'error',
      'attempts',
      'receivedAt',
      'filedAt',
      'modified',
      'suggestedExpirationDate',
      'suggestedFrom',
      'expirationItemId',
      'attachmentId',
    ],
    records: {
      '/v1/uploads': { kind: 'upload', name: 'scan-0412.pdf' },
      '/v1/uploads/{id}/retry': { kind: 'upload', name: 'scan-0413.pdf' },
    },
    term: 'scan',
    routes: {
      'POST /v1/bulkscan/receive': {
        kind: 'receive',
        origin: 'contract',
        field: 'receiveUpload',
        errors: [],
        tag: 'Bulk scan',
        summary: 'Receives an upload notification.',
        example: {
          id: 1,
          action: 'fp.upload',
          timestamp: 1790000000,
          text: { filename: 'scan.pdf', type: 'application/pdf', size: 48213 },
        },
      },
      'GET /v1/uploads': {
        kind: 'list',
        origin: 'addition',
        field: 'uploadNotifications',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        states: uploadStates,
        summary: 'Lists uploads, the last received first.',
      },
      'GET /v1/uploads/{id}': {
        kind: 'read',
        origin: 'addition',
        field: 'uploadNotification',
        summary: 'Reads an upload.',
      },
      'POST /v1/uploads/{id}/retry': {
        kind: 'act',
        origin: 'addition',
        field: 'retryUpload',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Retries an upload that could not be filed, from the beginning.',
      },
      'POST /v1/uploads/{id}/confirm': {
        kind: 'write',
        origin: 'addition',
        field: 'confirmUpload',
        errors: ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'],
        summary:
          "Settles an upload with a person's decision. It files the upload, or corrects the item if it is already filed.",
        example: { name: 'Trade licence', expiration_date: '2027-03-31', category: 'Licence' },
      },
    },
  },
});
