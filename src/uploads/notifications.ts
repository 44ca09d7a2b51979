import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import type { RowOf } from '../db/sql/conditions.js';
import { rules } from '../domain/rules.js';
import { storedSuggestions } from '../domain/uploads/suggestions.js';
import { isUploadReason, sentTags, unreadReasonOf } from '../domain/uploads/upload.js';
import { declareList } from '../records/declare/declare.js';
import {
  computed,
  exposed,
  exposedInGraphql,
  link,
  unexposed,
  visibleId,
} from '../records/declare/fields.js';

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
  // Some senders put the tags beside the file.
  uploadTags: rules.object,
});

export type SentUpload = z.output<typeof sentUpload>;

/** Returns the title of an upload in a sentence: its file, else its action. */
export function uploadTitle({
  filename,
  action,
}: Pick<RowOf<'UploadNotification'>, 'filename' | 'action'>): string {
  const title = filename ?? action;
  return title === null ? 'Upload notification' : `Upload notification "${title}"`;
}

const reading = { right: 'read' } as const;

/** Uploads: notifications that the receiver got, and what happened to them. */
export const uploadNotifications = declareList('UploadNotification', {
  // Whoever may send uploads and read nothing sees what was sent, and not what it came to.
  fields: {
    id: exposed(),
    notificationId: exposed(),
    action: exposed(),
    timestamp: exposed(),
    container: exposed(),
    url: exposed(),
    filename: exposed(),
    client: exposed(),
    key: exposed(),
    type: exposed(),
    status: exposed(),
    size: exposed(),
    uploadTags: computed(
      'JSON',
      ['uploadTags', 'uploadTagsText'],
      "The file's tags as the sender wrote them. Numbers keep all their digits.",
      (upload: RowOf<'UploadNotification'>) => sentTags(upload),
      { door: 'both', long: true },
    ),
    uploadTagsText: exposedInGraphql(undefined, { long: true }),
    state: exposed(undefined, {
      enum: {
        about: 'The state of an upload notification.',
        values: {
          RECEIVED: 'It is stored and will be filed.',
          FILED: 'It became an attachment.',
          FAILED: 'It could not be filed and needs a person.',
          IGNORED: 'Its action requires no work.',
        },
      },
    }),
    error: exposed(undefined, reading),
    errorCode: unexposed(),
    reasonCode: computed(
      'UploadReason',
      ['errorCode'],
      'The code for why it could not be filed. Null if it could, or if an older version of the gateway tried.',
      ({ errorCode }: RowOf<'UploadNotification'>) => (isUploadReason(errorCode) ? errorCode : null),
      reading,
    ),
    attempts: exposed(),
    receivedAt: exposed(),
    filedAt: exposed(),
    modified: exposed(),
    suggestedExpirationDate: exposed(undefined, reading),
    suggestedFrom: exposed(undefined, reading),
    suggestions: computed(
      '[UploadSuggestion]!',
      ['suggestions'],
      'Details found in the document, to choose from. The most certain is first, and none is used unseen.',
      ({ suggestions }: RowOf<'UploadNotification'>) => storedSuggestions(suggestions),
      { ...reading, door: 'both', long: true },
    ),
    unreadCode: unexposed(),
    unreadReason: computed(
      'UnreadReason',
      ['unreadCode', 'dueAt', 'state'],
      'The code for why its document is not read, or not all of it. Null if it is, or if that is not needed.',
      (upload: RowOf<'UploadNotification'>) => unreadReasonOf(upload),
      { ...reading, door: 'both' },
    ),
    needsReview: exposed(undefined, reading),
    expirationItemId: visibleId(
      'expirationItemId',
      'The id of the item that it was filed under, if the caller may see it.',
      reading,
    ),
    expirationItem: link('expirationItemId', 'The item that it was filed under.', reading),
    attachmentId: visibleId(
      'attachmentId',
      'The id of the attachment that was created from it, if the caller may see it.',
      reading,
    ),
    attachment: link('attachmentId', 'The attachment that was created from it.', {
      ...reading,
      ordered: false,
    }),
    teamId: unexposed(),
    team: link('teamId', 'The workspace that received it.', { ...reading, ordered: false }),
    accessTokenId: unexposed(),
    userId: unexposed(),
    dedupeKey: unexposed(),
    dueAt: unexposed(),
    queue: unexposed(),
  },
  filter: {
    term: {
      in: ['filename', 'action', 'url', 'key', 'error'],
      description: 'Part of the file name, action, URL, key or error, ignoring case.',
    },
    state: 'Notifications in this state.',
    needsReview: 'Notifications of documents whose date a person should decide about, or the others.',
    filename: 'Notifications about files with this name.',
    expirationItemId: 'Notifications of files that were filed under this item.',
    receivedAfter: {
      type: 'DateTime',
      description: 'Notifications received after this time.',
      where: (moment) => ({ receivedAt: { gt: moment } }),
    },
    receivedBefore: {
      type: 'DateTime',
      description: 'Notifications received before this time.',
      where: (moment) => ({ receivedAt: { lt: moment } }),
    },
  },
  sortable: ['id', 'action', 'filename', 'receivedAt', 'filedAt', 'modified'],
  order: { field: 'receivedAt', direction: 'desc' },
  indexed: ['receivedAt'],
  searchPlace: 12,
  searchedIfNamed: true,
  ranges: ['receivedAt', 'filedAt', 'size'],
  rest: {
    tag: 'Uploads',
    about: {
      'Bulk scan': 'The receiver for upload services and scanners.',
      Uploads: 'Notifications that the receiver got, and what happened to them.',
    },
    model: 'UploadModel',
    models: {
      UploadSuggestionModel: {
        type: 'UploadSuggestion',
        members: ['field', 'value', 'name', 'confidence', 'source', 'page', 'box', 'words', 'reason'],
      },
      BoxModel: { type: 'Box', members: ['x', 'y', 'width', 'height'] },
    },
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
        origin: 'addition',
        list: 'uploads',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        states: enums.UploadState,
        summary: 'Lists uploads, the last received first.',
      },
      'POST /v1/uploads': {
        kind: 'write',
        form: true,
        origin: 'addition',
        field: 'addUpload',
        errors: ['BAD_REQUEST'],
        example: { file_name: 'licence.txt', content: 'VmFsaWQgdW50aWwgMjAzMS0wNy0xNQo=', name: 'Licence' },
        summary: 'Stores a file and files it under an item.',
      },
      'GET /v1/uploads/{id}': {
        origin: 'addition',
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
