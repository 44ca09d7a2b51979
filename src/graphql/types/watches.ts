import { type WatchedItems, type WatchFilter, watches } from '../../resources/watches.js';
import { builder, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { Contact } from './contacts.js';
import { Team } from './teams.js';
import { User } from './users.js';

const narrowed = {
  categoryIds: 'Items of any of these document types.',
  locationId: 'Items at this location itself.',
  tagIds: 'Items with any of these tags.',
  contactTypeId: 'Items with a contact of this type.',
  contactIds: 'Items with any of these contacts.',
};

const WatchedItemsType = builder.objectRef<WatchedItems>('WatchedItems').implement({
  description: 'The items that a watch is narrowed to: those that meet each member that is not null.',
  fields: (t) => ({
    categoryIds: t.field({
      type: ['ID'],
      nullable: true,
      description: narrowed.categoryIds,
      resolve: ({ categoryIds }) => categoryIds && [...categoryIds],
    }),
    locationId: t.exposeID('locationId', { nullable: true, description: narrowed.locationId }),
    tagIds: t.field({
      type: ['ID'],
      nullable: true,
      description: narrowed.tagIds,
      resolve: ({ tagIds }) => tagIds && [...tagIds],
    }),
    contactTypeId: t.exposeID('contactTypeId', { nullable: true, description: narrowed.contactTypeId }),
    contactIds: t.field({
      type: ['ID'],
      nullable: true,
      description: narrowed.contactIds,
      resolve: ({ contactIds }) => contactIds && [...contactIds],
    }),
  }),
});

const WatchedItemsInput = builder.inputType('WatchedItemsInput', {
  description: 'The items that a watch is narrowed to; each member narrows further.',
  fields: (t) => ({
    categoryIds: t.idList({ description: narrowed.categoryIds }),
    locationId: t.id({ description: narrowed.locationId }),
    tagIds: t.idList({ description: narrowed.tagIds }),
    contactTypeId: t.id({ description: narrowed.contactTypeId }),
    contactIds: t.idList({ description: narrowed.contactIds }),
  }),
});

/** Somebody who is told of items. */
export const Watch = builder.prismaObject('Watch', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    userId: t.exposeID('userId', { nullable: true }),
    contactId: t.exposeID('contactId', { nullable: true }),
    filter: t.field({
      type: WatchedItemsType,
      description: 'The items that it is narrowed to.',
      ...needs({ fields: ['filter'] }),
      // The rules let nothing else into it.
      resolve: ({ filter }) => filter as WatchedItems,
    }),
    isActive: t.exposeBoolean('isActive'),
    teamId: t.exposeID('teamId'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    user: t.field(linkTo(User, 'user', 'userId', 'The user who is told.')),
    contact: t.field(
      linkTo(Contact, 'contact', 'contactId', 'The contact who is told, when the caller may see it.'),
    ),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace whose items are watched.')),
  }),
});

defineWrites({
  type: Watch,
  resource: watches,
  inputFields: (t: InputFields) => ({
    name: t.string(),
    userId: t.id({
      description:
        "The user who is told; the caller where no contact is. Others' watches are an admin's to change.",
    }),
    contactId: t.id({ description: 'The contact who is told instead of a user. It takes an admin.' }),
    filter: t.field({
      type: WatchedItemsInput,
      description: 'The items that it is narrowed to; all when left out.',
    }),
    isActive: t.boolean(),
    teamId: t.id(),
  }),
  toValues: (input: object) => input,
});

const WatchFilterInput = builder.inputRef<WatchFilter>('WatchFilter').implement({
  description: 'What a list of watches is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    teamId: t.id({ description: 'Watches of a workspace.' }),
    userId: t.id({ description: 'Watches by which a user is told.' }),
    contactId: t.id({ description: 'Watches by which a contact is told.' }),
    isActive: t.boolean({ description: 'Watches in use only, or none of them.' }),
  }),
});

/** The list of watches. */
export const watchList = defineReads({
  type: Watch,
  resource: watches,
  names: ['watch', 'watches'],
  filter: WatchFilterInput,
  order: { field: 'name', direction: 'asc' },
});
