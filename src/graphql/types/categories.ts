import type { InputShapeFromFields } from '@pothos/core';
import type { AutoRenew } from '../../domain/reminders/renewal.js';
import type { FieldDefinition } from '../../domain/rules.js';
import { type CategoryFilter, categories } from '../../resources/categories.js';
import { builder, graphqlOnly, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { Team } from './teams.js';

const CategoryCustomField = builder.objectRef<FieldDefinition>('CategoryCustomField').implement({
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The custom field's id, the same in every item." }),
    name: t.exposeString('name', { nullable: true, description: "The custom field's name." }),
    internalName: t.exposeString('internalName', {
      nullable: true,
      description: "The custom field's name in another system, kept as sent.",
    }),
  }),
});

const CategoryCustomFieldInput = builder.inputType('CategoryCustomFieldInput', {
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id; made when left out." }),
    name: t.string({ description: "The custom field's name, at most 255 characters." }),
    internalName: t.string({ description: 'Its name in another system, at most 255 characters.' }),
  }),
});

const RenewalUnitEnum = builder.enumType('RenewalUnit', {
  description: 'Units of time in which items are renewed.',
  values: {
    DAYS: { description: 'Days.' },
    MONTHS: { description: 'Months: the 31st is the last day of a shorter one.' },
    YEARS: { description: 'Years: the 29th of February is the 28th where there is none.' },
  } as const,
});

const renewal = {
  description:
    'How items are renewed by themselves: at midnight after their date, to the first date that has not passed.',
  every: 'Number of units from one date to the next.',
  unit: 'The unit.',
  requireAcknowledgement: 'Whether only an item is renewed whose date somebody has acknowledged.',
};

const AutoRenewType = builder.objectRef<AutoRenew>('AutoRenew').implement({
  description: renewal.description,
  fields: (t) => ({
    every: t.exposeInt('every', { description: renewal.every }),
    unit: t.expose('unit', { type: RenewalUnitEnum, description: renewal.unit }),
    requireAcknowledgement: t.exposeBoolean('requireAcknowledgement', {
      description: renewal.requireAcknowledgement,
    }),
  }),
});

const AutoRenewInput = builder.inputType('AutoRenewInput', {
  description: renewal.description,
  fields: (t) => ({
    every: t.int({ required: true, description: renewal.every }),
    unit: t.field({ type: RenewalUnitEnum, required: true, description: renewal.unit }),
    requireAcknowledgement: t.boolean({ description: renewal.requireAcknowledgement }),
  }),
});

/** A document type. */
export const Category = builder.prismaObject('Category', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isActive: t.exposeBoolean('isActive'),
    teamId: t.exposeID('teamId'),
    customFields: t.field({
      type: [CategoryCustomField],
      description: 'The custom fields that its items have, in the order sent.',
      ...needs({ fields: ['customFields'] }),
      // The column is JSON to Prisma; the rules let nothing else into it.
      resolve: ({ customFields }) => customFields as FieldDefinition[],
    }),
    reminderPolicyId: t.exposeID('reminderPolicyId', { nullable: true }),
    autoRenew: t.field({
      type: AutoRenewType,
      nullable: true,
      description: 'How its items are renewed by themselves; not at all when null.',
      ...needs({ fields: ['autoRenew'] }),
      // The column is JSON to Prisma; the rules let nothing else into it.
      resolve: ({ autoRenew }) => autoRenew as AutoRenew | null,
    }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the document type belongs to.')),
  }),
});

const inputFields = (t: InputFields, whole: boolean) => ({
  name: t.string({ required: whole }),
  isActive: t.boolean(),
  teamId: t.id(),
  customFields: t.field({ type: [CategoryCustomFieldInput] }),
  reminderPolicyId: t.id(graphqlOnly),
  autoRenew: t.field({
    ...graphqlOnly,
    type: AutoRenewInput,
    description: 'How its items are renewed by themselves; not at all when null.',
  }),
});

type CategoryInput = InputShapeFromFields<ReturnType<typeof inputFields>>;

defineWrites({
  type: Category,
  resource: categories,
  inputFields,
  toValues: (input: Partial<CategoryInput>) => input,
});

const CategoryFilterInput = builder.inputRef<CategoryFilter>('CategoryFilter').implement({
  description: 'What a list of document types is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    isActive: t.boolean({ description: 'Document types in use only, or none of them.' }),
    teamId: t.id({ description: 'Document types of a workspace.' }),
  }),
});

/** The list of document types. */
export const categoryList = defineReads({
  type: Category,
  resource: categories,
  names: ['category', 'categories'],
  filter: CategoryFilterInput,
  order: { field: 'name', direction: 'asc' },
});
