import type { CustomField as CustomFieldShape } from '../../../domain/rules.js';
import { builder } from '../../builder.js';

/** A field of a caller's own making on a record. */
export const CustomField = builder.objectRef<CustomFieldShape>('CustomField').implement({
  description: 'A custom field: a name and a value chosen by the caller.',
  fields: (t) => ({
    definitionId: t.exposeID('id', {
      description: 'The id of its definition, which it shares with the field of that name in other records.',
    }),
    id: t.exposeID('id', {
      description: "The custom field's id.",
      deprecationReason:
        'Ask for `definitionId`. Caches take an `id` for that of the object, and show one value in all records. It goes in version 1.0.',
    }),
    name: t.exposeString('name', { nullable: true, description: "The custom field's name." }),
    value: t.exposeString('value', { nullable: true, description: "The custom field's value." }),
  }),
});

/** A custom field on input. */
export const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'A custom field: a name and a value chosen by the caller.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id. If omitted, the server generates one." }),
    name: t.string({ description: "The custom field's name, at most 255 characters." }),
    value: t.string({ description: "The custom field's value, at most 4096 characters." }),
  }),
});
