import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import type { Session } from '../db/connection/session.js';
import { defineRows } from '../db/sql/select.js';
import { pointer } from '../db/sql/selection.js';
import { groupBy } from '../domain/load/grouping.js';
import { rules } from '../domain/rules.js';
import { computeStatus, furthestDays, type Status, statusIds } from '../domain/status.js';
import { declareResource } from '../records/declare/declare.js';
import {
  computed,
  inBoth,
  inGraphql,
  inNeither,
  takenByRest,
  withCustomFields,
} from '../records/declare/fields.js';
import { held, heldParts, link, links } from '../records/declare/linked-fields.js';
import { byJoin, itemsOfContact } from '../records/links.js';
import { noNotes, noneBy } from '../records/lists/links.js';
import { loadBatched, loadJoined } from '../records/loaders.js';
import { attachmentsByItem } from './attachments/attachments.js';
import { attachmentsRule } from './attachments/entries.js';
import { changeAttachments, insertAttachments } from './attachments/storage.js';
import { itemRest } from './endpoints.js';
import { atLocation, expiringWithin, statusesRule, withStatus } from './filter.js';
import { itemJoins, loadLinked } from './links.js';
import { resolveItem } from './resolve.js';
import { statusNumber } from './status.js';
import {
  type Item,
  moveItemParts,
  noLinks,
  readItemDependents,
  readItemLinks,
  renewalsByItem,
  settleUploads,
} from './storage.js';

const [teamLink, categoryLink] = [pointer('teamId', 'team'), pointer('categoryId', 'category')];

/** Computes an item's status now. It is never stored, because it changes with the day. */
async function statusNow(item: Item, session: Session): Promise<Status> {
  const team = await loadJoined(session, item, teamLink);
  if (!team) throw new Error('An item is in a workspace that its reader does not see.');
  return computeStatus(item, team, session.now);
}

/** Columns that an item's status follows from, besides its workspace's. */
const statusColumns = ['isActive', 'isMissing', 'expirationDate', 'notifyOn'];
const ofStatus = { door: 'both', joins: [[teamLink, ['timezone']]] } as const;

/** Expiration items: things that expire. */
export const expirationItems = declareResource('ExpirationItem', {
  // Errors and events name fields in this order.
  fields: {
    id: inBoth(),
    name: inBoth(rules.name),
    // Only a scan files an item without a date.
    expirationDate: inBoth(rules.date, { required: true }),
    timeOfDay: inBoth(rules.timeOfDay),
    details: inBoth(rules.text),
    categoryId: inNeither(rules.uuid.pipe(z.string())),
    category: link('categoryId', "The item's document type.", {
      written: 'named',
      list: 'The items of the document type.',
    }),
    categoryName: computed(
      'String',
      [],
      "The name of the item's document type.",
      async (item: Item, session) => (await loadJoined(session, item, categoryLink))?.name ?? null,
      {
        door: 'both',
        joins: [[categoryLink, ['name']]],
        input: {
          type: 'String',
          description: 'The name of a document type. Used only if `category` names none.',
        },
      },
    ),
    assignedToId: inNeither(rules.uuid),
    assignedTo: link('assignedToId', 'The user the item is assigned to.', {
      written: true,
      list: 'The items assigned to the user.',
    }),
    contactId: inBoth(rules.uuid),
    contact: link('contactId', "The item's main contact, if the caller may see it."),
    teamId: inBoth(rules.uuid),
    team: link('teamId', 'The workspace the item belongs to.', { list: 'The items of the workspace.' }),
    isActive: inBoth(rules.flag(true)),
    isMissing: takenByRest(rules.flag(false)),
    customFields: withCustomFields,
    reminderPolicyId: inGraphql(rules.uuid),
    reminderPolicy: link('reminderPolicyId', 'The item’s own reminder policy.', {
      ordered: false,
      hasNone: false,
    }),
    reminderMode: inGraphql(
      z
        .enum(enums.ReminderMode)
        .nullish()
        .transform((mode) => mode ?? 'INHERIT'),
      {
        enum: {
          about: 'Whether reminders for an item are sent.',
          values: {
            INHERIT: 'The item follows its own reminder policy, or that of its document type or workspace.',
            OFF: 'No reminders are sent for the item.',
          },
        },
      },
    ),
    contacts: links(
      itemJoins.contact,
      'The contacts of the item, in the order sent.',
      (session, item) => loadLinked(session, 'contact', item as Item),
      {
        list: 'The items with the contact, as the main one or as one of several.',
        listBy: itemsOfContact,
      },
    ),
    locations: links(
      itemJoins.location,
      'The locations of the item, in the order sent.',
      (session, item) => loadLinked(session, 'location', item as Item),
      {
        list: 'The items directly at the location. To include the locations inside it, filter the list `expirationItems` by `locationId`.',
      },
    ),
    tags: links(
      itemJoins.tag,
      'The tags of the item, in the order sent.',
      (session, item) => loadLinked(session, 'tag', item as Item),
      { list: 'The items with the tag.' },
    ),
    attachments: heldParts('attachment', attachmentsRule, {
      description: 'The files attached to the item.',
      orders: [{ field: 'position', direction: 'asc' }],
      owner: 'itemId',
      // An item that was just written knows whether it has any, and one that was deleted, which it had.
      rows: async (session, { id, attachments, files }: Item) =>
        files ?? (attachments?.length === 0 ? [] : loadBatched(session, attachmentsByItem, id)),
    }),
    renewals: held('renewal', {
      description: "The item's renewals, the newest first.",
      orders: [{ field: 'created', direction: 'desc' }],
      owner: 'itemId',
      rows: async (session, { id, renewals }: Item) => renewals ?? loadBatched(session, renewalsByItem, id),
    }),
    status: computed(
      'ExpirationStatus!',
      statusColumns,
      "The item's status today, in the time zone of its workspace.",
      statusNow,
      ofStatus,
    ),
    statusId: computed(
      'Int!',
      statusColumns,
      'The status as a number: 1 current, 2 notifying, 3 expired, 4 archived, 5 nodate, 6 missing.',
      async (item: Item, session) => statusIds[await statusNow(item, session)],
      { ...ofStatus, deprecated: 'Ask for `status`. It goes in version 1.0.' },
    ),
    notifyOn: inGraphql(),
    created: inGraphql(),
    modified: inBoth(),
  },
  filter: {
    term: { in: ['name', 'details'], description: 'Part of the name or the details, ignoring case.' },
    status: {
      type: '[ExpirationStatus]',
      description: 'Items with one of these statuses today, in the time zone of their workspace.',
      rule: statusesRule,
      where: withStatus,
    },
    categoryId: 'Items of this document type.',
    contactId: {
      description: 'Items with this contact, either as the main one or as one of several.',
      by: ['contact', itemsOfContact],
    },
    locationId: {
      type: 'ID',
      description: 'Items of this location and of all locations inside it, at any depth.',
      where: (locationId, _all, session) => atLocation(session, locationId),
      many: (ids, session) => atLocation(session, { in: ids }),
    },
    tagIds: {
      type: '[ID]',
      description: 'Items with at least one of these tags.',
      by: ['tag', byJoin(itemJoins.tag)],
    },
    assignedToId: 'Items assigned to this user.',
    teamId: 'Items in this workspace.',
    expiresAfter: {
      type: 'Date',
      description: 'Items that expire after this date.',
      where: (date) => ({ expirationDate: { gt: date } }),
    },
    expiresBefore: {
      type: 'Date',
      description: 'Items that expire before this date.',
      where: (date) => ({ expirationDate: { lt: date } }),
    },
    expiresWithinDays: {
      type: 'Int',
      description: 'Items that expire today or within this many days, in the time zone of their workspace.',
      rule: rules.between(0, furthestDays),
      where: expiringWithin,
    },
    isActive: 'If true, only items in use. If false, only archived items.',
  },
  order: { field: 'expirationDate', direction: 'asc' },
  retired: { field: 'isActive', when: false },
  indexed: ['expirationDate', 'name', 'modified'],
  searchPlace: 1,
  indexedBy: { categoryId: ['expirationDate'], assignedToId: ['expirationDate'] },
  orderKeys: { 'status.number': { rule: z.int32(), column: statusNumber } },
  ranges: ['expirationDate'],
  hasNone: {
    ATTACHMENTS: noneBy('attachment', 'itemId'),
    RENEWALS: noneBy('renewal', 'itemId'),
    NOTES: noNotes('expirationItem'),
  },
  title: (item: Item) => item.name,
  resolve: resolveItem,
  rows: defineRows('ExpirationItem', (item): Item => item),
  readParts: async (tx, ids) => {
    const links = await readItemLinks(tx, ids);
    return new Map(ids.map((id) => [id, links.get(id) ?? noLinks]));
  },
  insertParts: (tx, item) => insertAttachments(tx, item, item.attachments, item.modified),
  beforeUpdate: async (tx, changes, session) => {
    const moved = changes.filter(({ before, after }) => before.teamId !== after.teamId);
    for (const together of groupBy(moved, ({ after }) => after.teamId)) {
      const ids = together.map(({ id }) => id);
      await moveItemParts(tx, ids, together[0]?.after.teamId ?? '');
    }
    await settleUploads(tx, session, changes);
    for (const { id, organizationId, before, after } of changes) {
      const { teamId, modified } = after;
      const item = { id, organizationId, teamId };
      await changeAttachments(tx, session, item, before.attachments, after.attachments, modified);
    }
  },
  readDependents: readItemDependents,
  rest: itemRest,
});
