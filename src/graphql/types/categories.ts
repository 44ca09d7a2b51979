import type { AutoRenew } from '../../domain/reminders/renewal.js';
import type { FieldDefinition } from '../../domain/rules.js';
import { builder } from '../builder.js';

builder.objectRef<FieldDefinition>('CategoryCustomField').implement({
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

builder.inputType('CategoryCustomFieldInput', {
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

builder.objectRef<AutoRenew>('AutoRenew').implement({
  description: renewal.description,
  fields: (t) => ({
    every: t.exposeInt('every', { description: renewal.every }),
    unit: t.expose('unit', { type: RenewalUnitEnum, description: renewal.unit }),
    requireAcknowledgement: t.exposeBoolean('requireAcknowledgement', {
      description: renewal.requireAcknowledgement,
    }),
  }),
});

builder.inputType('AutoRenewInput', {
  description: renewal.description,
  fields: (t) => ({
    every: t.int({ required: true, description: renewal.every }),
    unit: t.field({ type: RenewalUnitEnum, required: true, description: renewal.unit }),
    requireAcknowledgement: t.boolean({ description: renewal.requireAcknowledgement }),
  }),
});
