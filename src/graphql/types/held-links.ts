import { attachmentsByItem } from '../../items/attachments.js';
import { renewalsByItem } from '../../items/renewals.js';
import type { Item } from '../../items/storage.js';
import { loadAll, loadBatched } from '../../records/loaders.js';
import { ancestorsByLocation } from '../../resources/locations.js';
import { typeOf } from '../builder.js';
import { nestHeld } from '../define/held-list.js';
import { listOf } from '../define/records.js';
import { attachmentList } from './attachments.js';
import { ExpirationItem } from './expiration-items.js';
import './resources.js';
import { renewalList } from './renewals.js';

// Lists below records whose rows a deleted record still has, or which have an order that no query has.

nestHeld({
  on: ExpirationItem,
  field: 'attachments',
  description: 'The files attached to the item.',
  list: attachmentList,
  orders: [{ field: 'position', direction: 'asc' }],
  // An item that was just written knows whether it has any, and one that was deleted, which it had.
  rows: async (session, { id, attachments, files }: Item) =>
    files ?? (attachments?.length === 0 ? [] : loadBatched(session, attachmentsByItem, id)),
});

nestHeld({
  on: ExpirationItem,
  field: 'renewals',
  description: "The item's renewals, the newest first.",
  list: renewalList,
  orders: [{ field: 'created', direction: 'desc' }],
  rows: async (session, { id, renewals }: Item) => renewals ?? loadBatched(session, renewalsByItem, id),
});

nestHeld({
  on: typeOf('location'),
  field: 'ancestors',
  description:
    'The locations that contain this one, the outermost first. The list stops at the first location that the caller may not see.',
  list: listOf('location'),
  rows: async (session, { id }) =>
    loadAll(session, 'location', await loadBatched(session, ancestorsByLocation, id)),
});
