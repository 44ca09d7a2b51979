import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import type { Session } from '../db/connection/session.js';
import { type Condition, recordsSql } from '../db/sql/conditions.js';
import { defineRows } from '../db/sql/select.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { pointer } from '../db/sql/tree.js';
import { groupBy } from '../domain/collections.js';
import {
  addDays,
  computeStatus,
  furthestDays,
  noDateAlias,
  type Status,
  statusIds,
  todayIn,
} from '../domain/dates.js';
import { noticeRuleRule } from '../domain/notice.js';
import { type AutoRenew, maxRenewals, proposedRenewal } from '../domain/reminders/renewal.js';
import { limits, rules } from '../domain/rules.js';
import { capitalized, withArticle } from '../domain/text/names.js';
import { declareResource, termInCustomFields } from '../records/declare/declare.js';
import type { Endpoints } from '../records/declare/endpoints.js';
import {
  computed,
  contained,
  containedParts,
  exposed,
  exposedInGraphql,
  link,
  links,
  specialInGraphql,
  takenByRest,
  unexposed,
  withCustomFields,
} from '../records/declare/fields.js';
import { byJoin, itemsOfContact } from '../records/links.js';
import { noNotes, noneBy } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';
import { loadBatched, loadJoined } from '../records/loaders.js';
import { attachmentsByItem, attachmentsRule } from './attachments.js';
import {
  changeHolders,
  checkHolderCount,
  firstHolderName,
  type HolderKind,
  heldBy,
  holderFilterRule,
  holderKinds,
  holdersRule,
  insertHolders,
  noHolder,
} from './holders.js';
import {
  changeAttachments,
  earlierDatesByItem,
  type Item,
  insertAttachments,
  itemJoins,
  loadLinked,
  moveItemParts,
  noLinks,
  readItemDependents,
  readItemLinks,
  renewalsByItem,
  settleUploads,
} from './item-rows.js';
import { resolveItem } from './resolve.js';
import { dateCondition, type ItemDay, statusConditions, statusNumber, workspaceDays } from './status.js';

/** Returns the route that lists the papers of a record. */
const papersRoute = (kind: HolderKind, operation: string) =>
  ({
    kind: 'list',
    origin: 'addition',
    field: 'expirationItems',
    operation,
    of: kind,
    isHolder: true,
    parameters: ['page', 'sort', 'sortDirection'],
    errors: ['NOT_FOUND', 'BAD_REQUEST'],
    summary: `Lists the expiration items that are papers of ${withArticle(kind)}.`,
  }) as const;

/** Endpoints of the papers of each kind of holder. Vehicles and companies have shorter ones, too. */
const papersRoutes = {
  'GET /v1/expirationitems/vehicle/{id}': papersRoute('vehicle', 'expirationItemsOfVehicle'),
  'GET /v1/expirationitems/company/{id}': papersRoute('company', 'expirationItemsOfCompany'),
  ...Object.fromEntries(
    holderKinds.map((kind) => [
      `GET /v1/expirationitems/holder/${kind}/{id}` as const,
      papersRoute(kind, `expirationItemsHeldBy${capitalized(kind)}`),
    ]),
  ),
};

/** Endpoints of expiration items. */
const itemRest: Endpoints = {
  tag: 'Expiration items',
  about: 'Things that expire, such as documents, licences and inspections, with their dates and files.',
  model: 'ExpirationItem',
  // The contract's order.
  members: [
    'id',
    'name',
    'expirationDate',
    'status',
    'timeOfDay',
    'category',
    'details',
    'assignedTo',
    'statusId',
    'modified',
    'categoryName',
    'isActive',
    'teamId',
    'contacts',
    'attachments',
    'customFields',
    'locations',
    'tags',
    'contactId',
  ],
  models: {
    NoticePeriodModel: {
      type: 'NoticePeriod',
      members: ['expirationItemId', 'expirationDate', 'noticeDate', 'rule', 'modified'],
    },
    RepetitionModel: {
      type: 'Repetition',
      members: ['expirationItemId', 'expirationDate', 'renewUntil', 'renewalsLeft', 'modified'],
    },
    ItemHoldersModel: { type: 'ItemHolders', members: ['expirationItemId', 'holders', 'modified'] },
    NoticeRuleModel: { type: 'NoticeRule', members: ['unit', 'count', 'before'] },
  },
  records: {
    '/v1/expirationitems/{id}/notice-period': {
      kind: 'item',
      name: 'Office lease',
      deleted: 'Office liability insurance',
    },
    '/v1/expirationitems/{id}/repetition': {
      kind: 'item',
      name: 'Office lease',
      deleted: 'Office liability insurance',
    },
    '/v1/expirationitems/{id}/holders': { kind: 'item', name: 'Registration Truck 102' },
    '/v1/expirationitems/{id}/holders/{holderId}': {
      kind: 'item',
      name: 'Registration Truck 101',
      inner: { kind: 'vehicle', name: 'Truck 101' },
    },
    '/v1/expirationitems': { kind: 'item', name: 'Cargo insurance', deleted: 'Copier service contract' },
    '/v1/expirationitems/contact': { kind: 'contact', name: 'Ben Carter' },
    '/v1/expirationitems/vehicle': { kind: 'vehicle', name: 'Truck 101' },
    '/v1/expirationitems/company': { kind: 'company', name: 'Maple Ridge Logistics Inc.' },
    '/v1/expirationitems/holder/vehicle': { kind: 'vehicle', name: 'Truck 101' },
    '/v1/expirationitems/holder/contact': { kind: 'contact', name: 'Elena Petrova' },
    '/v1/expirationitems/holder/company': { kind: 'company', name: 'Maple Ridge Logistics Inc.' },
    '/v1/expirationitems/holder/location': { kind: 'location', name: 'Toronto head office' },
  },
  term: 'insurance',
  routes: {
    'GET /v1/expirationitems': {
      origin: 'attested',
      parameters: ['term', 'status', 'expiresWithinDays', 'page', 'paging', 'sort', 'sortDirection'],
      added: ['contact_id', 'category_id', 'team_id'],
    },
    'POST /v1/expirationitems': {
      origin: 'attested',
      files: true,
      example: {
        name: 'Trade licence',
        expiration_date: '2027-03-31',
        category_name: 'Licence',
        tags: [{ name: 'yearly' }],
      },
    },
    'GET /v1/expirationitems/{id}': {
      origin: 'listed',
      fileContent: true,
    },
    'PUT /v1/expirationitems/{id}': {
      origin: 'contract',
      field: 'updateExpirationItem',
      required: ['name', 'expiration_date'],
      files: true,
      example: {
        name: 'Trade licence',
        expiration_date: '2027-03-31',
        category_name: 'Licence',
        tags: [{ name: 'yearly' }],
      },
    },
    'PATCH /v1/expirationitems/{id}': {
      origin: 'addition',
      files: true,
      example: [{ op: 'replace', path: '/details', value: 'Ask for the new form.' }],
    },
    'DELETE /v1/expirationitems/{id}': {
      origin: 'listed',
      summary: 'Deletes an expiration item with its files and returns it as it was.',
    },
    'PUT /v1/expirationitems/{id}/renew': {
      kind: 'write',
      origin: 'contract',
      field: 'renewExpirationItem',
      files: true,
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: "Moves an item's expiration date forward and records the renewal in its history.",
      example: { expiration_date: '2030-03-31', details: 'Renewed until 2030.' },
    },
    'POST /v1/expirationitems/{id}/renew': {
      kind: 'write',
      origin: 'attested',
      field: 'renewExpirationItem',
      operation: 'renewExpirationItemByPost',
      files: true,
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Renews an expiration item, as PUT does.',
      example: { expiration_date: '2031-03-31', details: 'Renewed for a year.' },
    },
    'POST /v1/expirationitems/{id}/attachment': {
      kind: 'write',
      origin: 'attested',
      field: 'attachToExpirationItem',
      files: true,
      wrapper: 'attachment',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Adds a file to an item, after its other files, and returns the item.',
      example: { name: 'licence.txt', content_type: 'text/plain', content: 'UGFwZXI=' },
    },
    'POST /v1/expirationitems/{id}/contacts': {
      kind: 'write',
      origin: 'listed',
      field: 'setExpirationItemContacts',
      files: true,
      wrapper: 'contacts',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Replaces the contacts of an item and returns the item.',
      example: { contacts: [{ email: 'grace@example.com' }] },
    },
    'GET /v1/expirationitems/{id}/notice-period': {
      kind: 'read',
      origin: 'addition',
      field: 'noticePeriod',
      model: 'NoticePeriodModel',
      summary: 'Reads the last day to give notice of an item, and how it is computed.',
    },
    'PUT /v1/expirationitems/{id}/notice-period': {
      kind: 'write',
      origin: 'addition',
      field: 'setNoticePeriod',
      model: 'NoticePeriodModel',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary:
        'Sets the last day to give notice of an item, or the rule that computes it from the expiration date, in place of an earlier one.',
      example: { rule: { count: 3, unit: 'months' } },
    },
    'DELETE /v1/expirationitems/{id}/notice-period': {
      kind: 'delete',
      origin: 'addition',
      field: 'deleteNoticePeriod',
      model: 'NoticePeriodModel',
      summary: 'Removes the notice period of an item and returns it as it was.',
    },
    'GET /v1/expirationitems/{id}/repetition': {
      kind: 'read',
      origin: 'addition',
      field: 'repetition',
      model: 'RepetitionModel',
      summary: 'Reads when the renewals of an item end.',
    },
    'PUT /v1/expirationitems/{id}/repetition': {
      kind: 'write',
      origin: 'addition',
      field: 'setRepetition',
      model: 'RepetitionModel',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Sets when the renewals of an item end, in place of an earlier end.',
      example: { renewals_left: 3 },
    },
    'DELETE /v1/expirationitems/{id}/repetition': {
      kind: 'delete',
      origin: 'addition',
      field: 'deleteRepetition',
      model: 'RepetitionModel',
      summary: 'Removes the end of the renewals of an item and returns it as it was.',
    },
    'GET /v1/expirationitems/{id}/holders': {
      kind: 'read',
      origin: 'addition',
      field: 'itemHolders',
      model: 'ItemHoldersModel',
      summary: 'Reads what an item is a paper of: vehicles, persons, companies and locations.',
    },
    'PUT /v1/expirationitems/{id}/holders': {
      kind: 'write',
      origin: 'addition',
      field: 'setHolders',
      model: 'ItemHoldersModel',
      wrapper: 'holders',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Replaces the holders of an item.',
      example: { holders: [{ kind: 'vehicle', license_plate: 'BT 1014' }] },
    },
    'POST /v1/expirationitems/{id}/holders': {
      kind: 'write',
      origin: 'addition',
      field: 'addHolders',
      model: 'ItemHoldersModel',
      wrapper: 'holders',
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Adds holders to an item, after its other ones.',
      example: { holders: [{ kind: 'contact', email: 'grace@example.com' }] },
    },
    'DELETE /v1/expirationitems/{id}/holders/{holderId}': {
      kind: 'act',
      origin: 'addition',
      field: 'removeHolder',
      model: 'ItemHoldersModel',
      errors: ['NOT_FOUND'],
      summary: 'Removes a holder from an item, and returns the others.',
      description: 'The holder itself stays. An id that is no holder of the item is not found.',
    },
    ...papersRoutes,
    'GET /v1/expirationitems/contact/{id}': {
      kind: 'list',
      origin: 'attested',
      field: 'expirationItems',
      operation: 'expirationItemsOfContact',
      of: 'contact',
      parameters: ['page', 'sort', 'sortDirection'],
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
      summary: 'Lists the expiration items that have a contact, either as the main one or as one of several.',
    },
  },
};

/** Rule of the statuses that a filter names. */
const statusesRule = z
  .array(
    z
      .enum([...(Object.keys(statusIds) as Status[]), noDateAlias])
      .transform((word): Status => (word === noDateAlias ? 'nodate' : word)),
  )
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish();

/**
 * Returns SQL for locations and all locations inside them (recursive CTE). It includes only locations that
 * the caller sees.
 */
function locationTreeSql(session: Session, among: string | { in: readonly string[] }): Sql {
  return sql`
    WITH RECURSIVE inside (id) AS (
      SELECT record.id ${recordsSql(session, 'location', { id: among })}
      UNION
      SELECT child.id FROM inside CROSS JOIN LATERAL (
        SELECT record.id ${recordsSql(session, 'location', { parentLocationId: sql`inside.id` })}
      ) AS child
    )
    SELECT id FROM inside`;
}

/** Returns the condition that an item is at a location, or at one inside it. */
const atLocation = (session: Session, among: string | { in: readonly string[] }): Condition => ({
  locations: { some: { locationId: { in: locationTreeSql(session, among) } } },
});

/** Returns SQL for the items that a delivery tells of. What was left out of it is none of them. */
const toldBy = (deliveryId: string): Sql => sql`
  SELECT reminder.item_id FROM reminder_targets AS target JOIN reminders AS reminder ON reminder.id = target.reminder_id
  WHERE target.delivery_id = ${deliveryId}::uuid AND target.reason IS NULL`;

/** Returns the condition that an item has one of some statuses today. */
async function withStatus(wanted: readonly Status[], _all: object, session: Session): Promise<Condition> {
  const days = await workspaceDays(session);
  const conditions = statusConditions((rangeOf, field) => dateCondition(days, rangeOf, field));
  return { OR: wanted.map((status) => conditions[status]) };
}

/** Returns the condition that a day of an item comes within a number of days. */
const isWithin =
  (field: ItemDay) =>
  async (count: number, _all: object, session: Session): Promise<Condition> => {
    const days = await workspaceDays(session);
    return dateCondition(days, (today) => ({ gte: today, lte: addDays(today, count) }), field);
  };

const [teamLink, categoryLink] = [pointer('teamId', 'team'), pointer('categoryId', 'category')];

/** Computes an item's status now. It is never stored, because it changes with the day. */
async function statusNow(item: Item, session: Session): Promise<Status> {
  const team = await loadJoined(session, item, teamLink);
  if (!team) throw new Error('An item is in a workspace that its reader does not see.');
  return computeStatus(item, team, session.now);
}

/** Returns the date that a renewal by a rule leads to. Null if it is beyond the year 9999. */
export async function renewalDate(
  item: Pick<Item, 'id' | 'teamId' | 'expirationDate'>,
  session: Session,
  rule: AutoRenew | null,
): Promise<Date | null> {
  const [team, before] = await Promise.all([
    loadJoined(session, item, teamLink),
    loadBatched(session, earlierDatesByItem, item.id),
  ]);
  const today = todayIn(team?.timezone ?? 'UTC', session.now);
  return proposedRenewal(item.expirationDate, before, today, rule) ?? null;
}

/** Proposes the date of an item's next renewal. */
async function proposeRenewal(item: Item, session: Session): Promise<Date | null> {
  const category = await loadJoined(session, item, categoryLink);
  return renewalDate(item, session, (category?.autoRenew ?? null) as AutoRenew | null);
}

/** Columns that an item's status follows from, besides its workspace's. */
const statusColumns = ['isActive', 'isMissing', 'expirationDate', 'notifyOn'];
const ofStatus = { door: 'both', joins: [[teamLink, ['timezone']]] } as const;

/** Expiration items: things that expire. */
export const expirationItems = declareResource('ExpirationItem', {
  // Errors and events name fields in this order.
  fields: {
    id: exposed(),
    name: exposed(rules.name),
    // Only a scan files an item without a date.
    expirationDate: exposed(rules.date, { required: true }),
    timeOfDay: exposed(rules.timeOfDay),
    details: exposed(rules.text),
    categoryId: unexposed(rules.uuid.pipe(z.string())),
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
    assignedToId: unexposed(rules.uuid),
    assignedTo: link('assignedToId', 'The user the item is assigned to.', {
      written: true,
      list: 'The items assigned to the user.',
    }),
    contactId: exposed(rules.uuid),
    contact: link('contactId', "The item's main contact, if the caller may see it."),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the item belongs to.', { list: 'The items of the workspace.' }),
    isActive: exposed(rules.flag(true)),
    isMissing: takenByRest(rules.flag(false)),
    customFields: withCustomFields,
    reminderPolicyId: exposedInGraphql(rules.uuid),
    reminderPolicy: link('reminderPolicyId', 'The item’s own reminder policy.', {
      ordered: false,
      hasNone: false,
    }),
    reminderMode: exposedInGraphql(
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
    holders: specialInGraphql(holdersRule, {
      input: '[HolderReference]',
      sent: `The records that the item is a paper of, in order and at most ${limits.entries}. \`addHolders\` and \`removeHolders\` take more.`,
    }),
    attachments: containedParts('attachment', attachmentsRule, {
      description: 'The files attached to the item.',
      orders: [{ field: 'position', direction: 'asc' }],
      owner: 'itemId',
      // An item that was just written knows whether it has any, and one that was deleted, which it had.
      rows: async (session, { id, attachments, files }: Item) =>
        files ?? (attachments?.length === 0 ? [] : loadBatched(session, attachmentsByItem, id)),
    }),
    renewals: contained('renewal', {
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
    proposedRenewalDate: computed(
      'Date',
      ['expirationDate'],
      'The date that a renewal now would propose. It is later than the present one and has not passed. It follows the document type, or else the last renewal, or is a year ahead. If it would be after 9999-12-31, it is null.',
      proposeRenewal,
      {
        joins: [
          [teamLink, ['timezone']],
          [categoryLink, ['autoRenew']],
        ],
      },
    ),
    notifyOn: exposedInGraphql(),
    noticeDate: exposedInGraphql(rules.date, {
      sent: 'The last day to give notice. Without `noticeRule`, it ends an earlier rule. With it, it is ignored, because the rule computes it.',
    }),
    noticeRule: exposedInGraphql(noticeRuleRule, {
      type: 'NoticeRule',
      description:
        'How the last day to give notice follows from the expiration date. Null for a day that was typed. If the expiration date changes, it is computed anew.',
    }),
    renewUntil: exposedInGraphql(rules.date),
    renewalsLeft: exposedInGraphql(rules.between(0, maxRenewals)),
    created: exposedInGraphql(),
    modified: exposed(),
  },
  filter: {
    term: {
      in: ['name', 'details'],
      plates: ['name'],
      custom: true,
      description:
        'Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided.',
    },
    termInCustomFields,
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
    holder: {
      type: 'HolderFilter',
      description: 'Items that are papers of this record, or of any record of a kind.',
      rule: holderFilterRule,
      where: heldBy,
    },
    assignedToId: 'Items assigned to this user.',
    deliveryId: {
      type: 'ID',
      description: 'Items that this message tells of.',
      where: (deliveryId) => ({ id: { in: toldBy(deliveryId) } }),
    },
    importId: importedIn('Items'),
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
      where: isWithin('expirationDate'),
    },
    noticeAfter: {
      type: 'Date',
      description: 'Items whose last day to give notice is after this date.',
      where: (date) => ({ noticeDate: { gt: date } }),
    },
    noticeBefore: {
      type: 'Date',
      description: 'Items whose last day to give notice is before this date.',
      where: (date) => ({ noticeDate: { lt: date } }),
    },
    noticeWithinDays: {
      type: 'Int',
      description:
        'Items whose last day to give notice is today or within this many days, in the time zone of their workspace.',
      rule: rules.between(0, furthestDays),
      where: isWithin('noticeDate'),
    },
    isActive: 'If true, only items in use. If false, only archived items.',
  },
  order: { field: 'expirationDate', direction: 'asc' },
  retired: { field: 'isActive', when: false },
  usual: { reminderMode: 'INHERIT' },
  indexed: ['expirationDate', 'name', 'modified'],
  searchPlace: 1,
  indexedBy: {
    categoryId: ['expirationDate'],
    assignedToId: ['expirationDate'],
    contactId: ['expirationDate'],
  },
  orderKeys: {
    'status.number': { rule: z.int32(), column: statusNumber },
    'holder.name': { rule: rules.line, column: firstHolderName },
  },
  ranges: ['expirationDate'],
  hasNone: {
    HOLDERS: noHolder,
    ATTACHMENTS: noneBy('attachment', 'itemId'),
    RENEWALS: noneBy('renewal', 'itemId'),
    NOTES: noNotes('expirationItem'),
  },
  title: (item: Item) => item.name,
  fromInput: (input: { readonly holders?: readonly unknown[] | null }) => {
    checkHolderCount(input.holders);
    return input;
  },
  resolve: resolveItem,
  rows: defineRows('ExpirationItem', (item): Item => item),
  readParts: async (tx, ids) => {
    const links = await readItemLinks(tx, ids);
    return new Map(ids.map((id) => [id, links.get(id) ?? noLinks]));
  },
  insertParts: async (tx, item) => {
    await insertAttachments(tx, item, item.attachments, item.modified);
    await insertHolders(tx, [item]);
  },
  beforeUpdate: async (tx, changes, session) => {
    const moved = changes.filter(({ before, after }) => before.teamId !== after.teamId);
    for (const together of groupBy(moved, ({ after }) => after.teamId)) {
      const ids = together.map(({ id }) => id);
      await moveItemParts(tx, ids, together[0]?.after.teamId ?? '');
    }
    await settleUploads(tx, session, changes);
    await changeHolders(tx, changes);
    for (const { id, organizationId, before, after } of changes) {
      const { teamId, modified } = after;
      const item = { id, organizationId, teamId };
      await changeAttachments(tx, session, item, before.attachments, after.attachments, modified);
    }
  },
  readDependents: readItemDependents,
  rest: itemRest,
});
