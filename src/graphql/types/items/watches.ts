import type { WatchedHolders, WatchedItems } from '../../../items/watches.js';
import { builder } from '../../builder.js';
import { HolderKindEnum } from './holders.js';

const narrowed = {
  categoryIds: 'Items of any of these document types.',
  locationId: 'Items directly at this location.',
  tagIds: 'Items with any of these tags.',
  contactTypeId: 'Items with a contact of this type.',
  contactIds: 'Items with any of these contacts.',
};

builder.objectRef<WatchedItems>('WatchedItems').implement({
  description: 'Which items a watch includes: those that match every field that is not null.',
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

builder.inputType('WatchedItemsInput', {
  description: 'Which items a watch includes: those that match every field.',
  fields: (t) => ({
    categoryIds: t.idList({ description: narrowed.categoryIds }),
    locationId: t.id({ description: narrowed.locationId }),
    tagIds: t.idList({ description: narrowed.tagIds }),
    contactTypeId: t.id({ description: narrowed.contactTypeId }),
    contactIds: t.idList({ description: narrowed.contactIds }),
  }),
});

const narrowedHolders = {
  kind: 'Records of this kind.',
  requirementIds: 'Records that do not meet one of these requirements, or soon will not.',
  locationId: 'Vehicles and people directly at this location, and locations directly inside it.',
  term: 'Records whose name contains this, ignoring case.',
};

builder.objectRef<WatchedHolders>('WatchedHolders').implement({
  description: 'Which records a watch includes: those that match every field that is not null.',
  fields: (t) => ({
    kind: t.expose('kind', { type: HolderKindEnum, nullable: true, description: narrowedHolders.kind }),
    requirementIds: t.field({
      type: ['ID'],
      nullable: true,
      description: narrowedHolders.requirementIds,
      resolve: ({ requirementIds }) => requirementIds && [...requirementIds],
    }),
    locationId: t.exposeID('locationId', { nullable: true, description: narrowedHolders.locationId }),
    term: t.exposeString('term', { nullable: true, description: narrowedHolders.term }),
  }),
});

builder.inputType('WatchedHoldersInput', {
  description: 'Which records a watch includes: those that match every field.',
  fields: (t) => ({
    kind: t.field({ type: HolderKindEnum, description: narrowedHolders.kind }),
    requirementIds: t.idList({ description: narrowedHolders.requirementIds }),
    locationId: t.id({ description: narrowedHolders.locationId }),
    term: t.string({ description: narrowedHolders.term }),
  }),
});
