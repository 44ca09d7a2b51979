import { autoRenewRule } from '../domain/reminders/renewal.js';
import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link } from '../records/declare/fields.js';
import { noNotes, noneBy } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';
import { resolvePolicy } from './reminder-policies.js';

/** Document types: the types of expiration items, and the custom fields that their items have. */
export const categories = declareResource('Category', {
  fields: {
    name: exposed(rules.name),
    id: exposed(),
    modified: exposed(),
    created: exposedInGraphql(),
    isActive: exposed(rules.flag(true)),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the document type belongs to.', {
      list: 'The document types of the workspace.',
    }),
    customFields: exposed(rules.fieldDefinitions, {
      type: '[CategoryCustomField]',
      description: 'The custom fields that its items have, in the order sent.',
    }),
    reminderPolicyId: exposedInGraphql(rules.uuid),
    reminderPolicy: link(
      'reminderPolicyId',
      'The reminder policy of its items, if it differs from the workspace’s.',
      {
        ordered: false,
        hasNone: false,
      },
    ),
    autoRenew: exposedInGraphql(autoRenewRule, {
      type: 'AutoRenew',
      description: 'How its items are renewed automatically. Null if they are not.',
    }),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    isActive: 'If true, only document types in use. If false, only those not in use.',
    teamId: 'Document types in this workspace.',
    importId: importedIn('Document types'),
  },
  hasNone: { EXPIRATION_ITEMS: noneBy('expirationItem', 'categoryId'), NOTES: noNotes('category') },
  retired: { field: 'isActive', when: false },
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  searchPlace: 6,
  resolve: resolvePolicy,
  title: (category) => category.name,
  rest: {
    tag: 'Document types',
    about: 'The types of expiration items, and the custom fields that their items have.',
    model: 'CategoryModel',
    models: {
      CategoryCustomFieldModel: { type: 'CategoryCustomField', members: ['id', 'name', 'internalName'] },
    },
    records: { '/v1/categories': { kind: 'category', name: 'Insurance policy', deleted: 'Visitor pass' } },
    term: 'licence',
    routes: {
      'GET /v1/categories': {
        origin: 'attested',
        parameters: ['term', 'page', 'paging', 'sort', 'sortDirection'],
      },
      'POST /v1/categories': {
        origin: 'listed',
        required: ['name'],
        example: { name: 'Trade licence', custom_fields: [{ name: 'Number' }] },
      },
      'GET /v1/categories/{id}': {
        origin: 'listed',
      },
      'PUT /v1/categories/{id}': {
        origin: 'contract',
        field: 'updateCategory',
        required: ['name'],
        example: { name: 'Trade licence', custom_fields: [{ name: 'Number' }] },
      },
      'PATCH /v1/categories/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/name', value: 'Operating licence' }],
      },
      'DELETE /v1/categories/{id}': {
        origin: 'listed',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Deletes a document type that no item uses and returns it as it was.',
      },
    },
  },
});
