import type { Heading, Route } from '../route.js';

const tag = 'Attachments';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { Attachments: 'The files of expiration items.' },
  records: { '/v1/attachments/expirationitem': { kind: 'attachment', name: 'cargo-policy.txt' } },
  terms: { attachments: 'policy' },
};

/** Rows of /v1 about files of expiration items, as clients of the original know them. */
export const rows: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/attachments/expirationitem',
    origin: 'attested',
    field: 'attachments',
    model: 'AttachmentModel',
    list: 'attachments',
    parameters: ['term', 'page', 'includeFileContent'],
    order: { field: 'created', direction: 'asc' },
    fileContent: true,
    errors: ['BAD_REQUEST'],
    tag,
    summary: 'Lists the files of expiration items, the oldest first.',
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/attachments/expirationitem/{id}',
    origin: 'listed',
    field: 'attachment',
    model: 'AttachmentModel',
    fileContent: true,
    errors: ['NOT_FOUND'],
    tag,
    summary: "Reads a file of an expiration item, by the file's id.",
  },
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/attachments/search',
    origin: 'attested',
    field: 'attachments',
    operation: 'searchAttachments',
    model: 'AttachmentModel',
    list: 'attachments',
    pageSize: 25,
    parameters: ['term', 'page', 'includeFileContent'],
    order: { field: 'created', direction: 'asc' },
    fileContent: true,
    errors: ['BAD_REQUEST'],
    tag,
    summary: 'Searches files by name, in pages of 25, the oldest first.',
  },
];
