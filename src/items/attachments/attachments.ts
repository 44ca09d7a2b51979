import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/columns.js';
import { readRows } from '../../db/sql/select.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, inBoth, inGraphql, inNeither, special } from '../../records/declare/fields.js';
import { link } from '../../records/declare/linked-fields.js';
import { type BatchLoader, groupByKey } from '../../records/loaders.js';
import { attachmentRules } from './entries.js';

/** Files of expiration items. */
export const attachments = declareList('Attachment', {
  fields: {
    id: inBoth(),
    content: special,
    name: inBoth(),
    contentType: inBoth(),
    created: inBoth(),
    contentLength: inBoth(),
    sourceUrl: inGraphql(),
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
    itemId: inNeither(),
    expirationItem: link('itemId', 'The item it belongs to.'),
    teamId: inNeither(),
    team: link('teamId', 'The workspace of its item.', { door: 'hidden' }),
    position: inNeither(),
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
