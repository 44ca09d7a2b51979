import { uploadStates } from '../../uploads/notifications.js';
import type { Heading, Route } from '../route.js';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: {
    'Bulk scan': 'The receiver of upload services and scanners.',
    Uploads: 'What the receiver was sent, and what became of it.',
  },
  records: {
    '/v1/uploads': { kind: 'upload', name: 'scan-0412.pdf' },
    '/v1/uploads/{id}/retry': { kind: 'upload', name: 'scan-0413.pdf' },
  },
  terms: { uploads: 'scan' },
};

/** Rows of /v1 about uploads: their receiver, and the inbox of what was received. */
export const rows: readonly Route[] = [
  {
    kind: 'receive',
    method: 'POST',
    path: '/v1/bulkscan/receive',
    origin: 'contract',
    field: 'receiveUpload',
    errors: [],
    tag: 'Bulk scan',
    summary: 'Receives an upload notification.',
    example: {
      id: 1,
      action: 'fp.upload',
      timestamp: 1_790_000_000,
      text: { filename: 'scan.pdf', type: 'application/pdf', size: 48_213 },
    },
  },
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/uploads',
    origin: 'addition',
    field: 'uploadNotifications',
    model: 'UploadModel',
    list: 'uploads',
    parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
    states: uploadStates,
    order: { field: 'receivedAt', direction: 'desc' },
    errors: ['BAD_REQUEST'],
    tag: 'Uploads',
    summary: 'Lists uploads, the one received last first.',
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/uploads/{id}',
    origin: 'addition',
    field: 'uploadNotification',
    model: 'UploadModel',
    errors: ['NOT_FOUND'],
    tag: 'Uploads',
    summary: 'Reads an upload.',
  },
  {
    kind: 'act',
    method: 'POST',
    path: '/v1/uploads/{id}/retry',
    origin: 'addition',
    field: 'retryUpload',
    model: 'UploadModel',
    errors: ['NOT_FOUND', 'CONFLICT'],
    tag: 'Uploads',
    summary: 'Has an upload that could not be filed tried again, from the beginning.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/uploads/{id}/confirm',
    origin: 'addition',
    field: 'confirmUpload',
    model: 'UploadModel',
    errors: ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'],
    tag: 'Uploads',
    summary: 'Settles an upload as a person decides: files it, or corrects the item that it was filed under.',
    example: { name: 'Trade licence', expiration_date: '2027-03-31', category: 'Licence' },
  },
];
