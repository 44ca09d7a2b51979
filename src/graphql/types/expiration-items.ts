import { pointer } from '../../db/sql/selection.js';
import { type CustomField as CustomFieldShape, limits } from '../../domain/rules.js';
import { computeStatus, type Status, statusIds } from '../../domain/status.js';
import { itemEndpoints } from '../../items/endpoints.js';
import { expirationItems } from '../../items/expiration-items.js';
import { itemJoins, loadLinked } from '../../items/links.js';
import { renewalRules } from '../../items/renewals.js';
import type { Item } from '../../items/storage.js';
import { loadJoined } from '../../records/loaders.js';
import { builder, graphqlOnly, type InputFields, Node, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { AttachmentInput } from './attachments.js';
import { CustomField, CustomFieldInput } from './custom-fields.js';
import { ExpirationItemFilterInput, ExpirationStatus } from './item-filter.js';
import { ReminderModeEnum } from './reminder-enums.js';
import { assigneeToId, UserReference } from './users.js';

const teamLink = pointer('teamId', 'team');
const categoryLink = pointer('categoryId', 'category');

/** Dependencies of an item's status: its columns and its workspace's. */
const statusNeeds = needs({
  fields: ['isActive', 'isMissing', 'expirationDate', 'notifyOn'],
  joins: [[teamLink, ['timezone']]],
});

/** Computes an item's status now. It is never stored, because it changes with the day. */
async function statusNow(item: Item, { session }: Context): Promise<Status> {
  const team = await loadJoined(session, item, teamLink);
  if (!team) throw new Error('An item is in a workspace that its reader does not see.');
  return computeStatus(item, team, session.now);
}

/** A renewal of an item. */
export const Renewal = builder.prismaObject('Renewal', {
  interfaces: [Node],
  extensions: { rules: renewalRules },
  fields: (t) => ({
    id: t.exposeID('id'),
    previousDate: t.expose('previousDate', { type: 'Date', nullable: true }),
    expirationDate: t.expose('expirationDate', { type: 'Date' }),
    details: t.exposeString('details', { nullable: true, ...weighing(limits.text) }),
    created: t.expose('created', { type: 'DateTime' }),
    user: t.field(linkTo('user', 'userId', 'The user who renewed the item.')),
  }),
});

/** A thing that expires. */
export const ExpirationItem = builder.prismaObject('ExpirationItem', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    expirationDate: t.expose('expirationDate', { type: 'Date', nullable: true }),
    timeOfDay: t.exposeString('timeOfDay', { nullable: true }),
    details: t.exposeString('details', { nullable: true, ...weighing(limits.text) }),
    contactId: t.exposeID('contactId', { nullable: true }),
    teamId: t.exposeID('teamId'),
    isActive: t.exposeBoolean('isActive'),
    isMissing: t.exposeBoolean('isMissing'),
    customFields: t.field({
      type: [CustomField],
      description: 'Custom fields, in the order sent.',
      ...needs({ fields: ['customFields'] }),
      // The column is JSON to Prisma; the rules let nothing else into it.
      resolve: (row) => row.customFields as CustomFieldShape[],
    }),
    reminderPolicyId: t.exposeID('reminderPolicyId', { nullable: true }),
    reminderMode: t.expose('reminderMode', { type: ReminderModeEnum }),
    notifyOn: t.expose('notifyOn', { type: 'Date', nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    status: t.field({
      type: ExpirationStatus,
      description: "The item's status today, in the time zone of its workspace.",
      ...statusNeeds,
      resolve: (item, _args, context) => statusNow(item, context),
    }),
    statusId: t.int({
      deprecationReason: 'Ask for `status`. It goes in version 1.0.',
      description:
        'The status as a number: 1 current, 2 notifying, 3 expired, 4 archived, 5 nodate, 6 missing.',
      ...statusNeeds,
      resolve: async (item, _args, context) => statusIds[await statusNow(item, context)],
    }),
    category: t.field(linkTo('category', 'categoryId', "The item's document type.")),
    categoryName: t.string({
      nullable: true,
      description: "The name of the item's document type.",
      ...needs({ joins: [[categoryLink, ['name']]] }),
      resolve: async (item, _args, { session }) =>
        (await loadJoined(session, item, categoryLink))?.name ?? null,
    }),
    assignedTo: t.field(linkTo('user', 'assignedToId', 'The user the item is assigned to.')),
    contact: t.field(linkTo('contact', 'contactId', "The item's main contact, if the caller may see it.")),
    team: t.field(linkTo('team', 'teamId', 'The workspace the item belongs to.')),
    contacts: t.field({
      type: [typeOf('contact')],
      description: 'The contacts of the item, in the order sent.',
      ...needs({ shows: itemJoins.contact }),
      resolve: (item, _args, { session }) => loadLinked(session, 'contact', item),
    }),
    locations: t.field({
      type: [typeOf('location')],
      description: 'The locations of the item, in the order sent.',
      ...needs({ shows: itemJoins.location }),
      resolve: (item, _args, { session }) => loadLinked(session, 'location', item),
    }),
    tags: t.field({
      type: [typeOf('tag')],
      description: 'The tags of the item, in the order sent.',
      ...needs({ shows: itemJoins.tag }),
      resolve: (item, _args, { session }) => loadLinked(session, 'tag', item),
    }),
  }),
});

/** Returns the field that leads from a file or a renewal to its item. */
const itself = () => linkTo('expirationItem', 'itemId', 'The item it belongs to.');
builder.prismaObjectField('Attachment', 'expirationItem', (t) => t.field(itself()));
builder.prismaObjectField('Renewal', 'expirationItem', (t) => t.field(itself()));

/** Defines the input type of a nested record: its id or its natural key. */
function reference(name: string, key: 'email' | 'name', what: string) {
  return builder.inputType(`${name}Reference`, {
    description: `Refers to a ${what} by its id, or else by its ${key}. If no ${what} has that ${key}, one is created.`,
    fields: (t) => ({
      id: t.id({ description: `The ${what}'s id.` }),
      [key]: t.string({ description: `The ${what}'s ${key}.` }),
    }),
  });
}

const CategoryReference = reference('Category', 'name', 'document type');
/** A contact of an item on input. */
export const ContactReference = reference('Contact', 'email', 'contact');
const LocationReference = reference('Location', 'name', 'location');
const TagReference = reference('Tag', 'name', 'tag');

const inputFields = (t: InputFields, whole: boolean) => ({
  name: t.string({ required: whole }),
  expirationDate: t.field({ type: 'Date', required: whole }),
  timeOfDay: t.string(),
  category: t.field({ type: CategoryReference }),
  categoryName: t.string({ description: 'The name of a document type. Used only if `category` names none.' }),
  details: t.string(),
  assignedTo: t.field({ type: UserReference }),
  isActive: t.boolean(),
  isMissing: t.boolean(),
  teamId: t.id(),
  contacts: t.field({ type: [ContactReference] }),
  attachments: t.field({ type: [AttachmentInput] }),
  customFields: t.field({ type: [CustomFieldInput] }),
  locations: t.field({ type: [LocationReference] }),
  tags: t.field({ type: [TagReference] }),
  contactId: t.id(),
  reminderPolicyId: t.id(graphqlOnly),
  reminderMode: t.field({ type: ReminderModeEnum, ...graphqlOnly }),
});

defineWrites({
  type: ExpirationItem,
  resource: expirationItems,
  inputFields,
  // Only a scan files an item without a date.
  required: ['expirationDate'],
  toValues: assigneeToId,
});

/** The list of items. */
export const itemList = defineReads({
  type: ExpirationItem,
  resource: expirationItems,
  names: ['expirationItem', 'expirationItems'],
  filter: ExpirationItemFilterInput,
  order: itemEndpoints.order,
});
