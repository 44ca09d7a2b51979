import type { AutoRenew } from '../../../domain/reminders/renewal.js';
import type { FieldDefinition } from '../../../domain/rules.js';
import { builder } from '../../builder.js';

builder.objectRef<FieldDefinition>('CategoryCustomField').implement({
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The custom field's id, the same in every item." }),
    name: t.exposeString('name', { nullable: true, description: "The custom field's name." }),
    internalName: t.exposeString('internalName', {
      nullable: true,
      description: "The custom field's name in another system. Stored as sent.",
    }),
  }),
});

builder.inputType('CategoryCustomFieldInput', {
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id. If omitted, the server generates one." }),
    name: t.string({ description: "The custom field's name, at most 255 characters." }),
    internalName: t.string({ description: 'Its name in another system, at most 255 characters.' }),
  }),
});

const RenewalUnitEnum = builder.enumType('RenewalUnit', {
  description: 'Units of the interval at which items are renewed.',
  values: {
    DAYS: { description: 'Days.' },
    MONTHS: { description: 'Months. In a shorter month, the 31st becomes the last day.' },
    YEARS: { description: 'Years. In years without February 29, it becomes February 28.' },
  } as const,
});

const renewal = {
  description:
    'Renews items automatically at midnight after their date, to the first date that has not passed.',
  every: 'The number of units between two dates.',
  unit: 'The unit.',
  requireAcknowledgement: 'True if an item is renewed only after somebody has acknowledged its date.',
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
