import { autoRenewRule } from '../domain/reminders/renewal.js';
import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { inBoth, inGraphql } from '../records/declare/fields.js';
import { link } from '../records/declare/linked-fields.js';
import { noNotes, noneBy } from '../records/lists/links.js';
import { resolvePolicy } from './reminder-policies.js';

/** Document types: the types of expiration items, and the custom fields that their items have. */
export const categories = declareResource('Category', {
  fields: {
    name: inBoth(rules.name),
    id: inBoth(),
    modified: inBoth(),
    created: inGraphql(),
    isActive: inBoth(rules.flag(true)),
    teamId: inBoth(rules.uuid),
    team: link('teamId', 'The workspace the document type belongs to.', {
      list: 'The document types of the workspace.',
    }),
    customFields: inBoth(rules.fieldDefinitions, {
      type: '[CategoryCustomField]',
      description: 'The custom fields that its items have, in the order sent.',
    }),
    reminderPolicyId: inGraphql(rules.uuid),
    reminderPolicy: link(
      'reminderPolicyId',
      'The reminder policy of its items, if it differs from the workspace’s.',
      {
        ordered: false,
        hasNone: false,
      },
    ),
    autoRenew: inGraphql(autoRenewRule, {
      type: 'AutoRenew',
      description: 'How its items are renewed automatically. Null if they are not.',
    }),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    isActive: 'If true, only document types in use. If false, only those not in use.',
    teamId: 'Document types in this workspace.',
  },
  hasNone: { EXPIRATION_ITEMS: noneBy('expirationItem', 'categoryId'), NOTES: noNotes('category') },
  retired: { field: 'isActive', when: false },
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
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
        kind: 'list',
        origin: 'attested',
        field: 'categories',
        parameters: ['term', 'page', 'paging', 'sort', 'sortDirection'],
        summary: 'Lists document types.',
      },
      'POST /v1/categories': {
        kind: 'write',
        origin: 'listed',
        field: 'createCategory',
        required: ['name'],
        summary: 'Creates a document type.',
        example: { name: 'Trade licence', custom_fields: [{ name: 'Number' }] },
      },
      'GET /v1/categories/{id}': {
        kind: 'read',
        origin: 'listed',
        field: 'category',
        summary: 'Reads a document type.',
      },
      'PUT /v1/categories/{id}': {
        kind: 'write',
        origin: 'contract',
        field: 'updateCategory',
        required: ['name'],
        summary:
          'Updates a document type. Omitted fields are kept, null clears a field, and a list replaces the old one.',
        example: { name: 'Trade licence', custom_fields: [{ name: 'Number' }] },
      },
      'PATCH /v1/categories/{id}': {
        kind: 'patch',
        origin: 'addition',
        field: 'patchCategory',
        summary: 'Patches a document type.',
        example: [{ op: 'replace', path: '/name', value: 'Operating licence' }],
      },
      'DELETE /v1/categories/{id}': {
        kind: 'delete',
        origin: 'listed',
        field: 'deleteCategory',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Deletes a document type that no item uses and returns it as it was.',
      },
    },
  },
});
