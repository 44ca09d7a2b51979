import { rules } from '../domain/rules.js';
import { declareResource, termInCustomFields } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link, unexposed, withCustomFields } from '../records/declare/fields.js';
import { noNotes } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';

/** Companies that things are had from, or that they belong to. */
export const companies = declareResource('Company', {
  fields: {
    id: exposed(),
    name: exposed(rules.line, { required: 'graphql' }),
    doingBusinessAs: exposed(rules.line),
    phone: exposed(rules.line),
    website: exposed(rules.line),
    addressLine1: exposed(rules.line),
    addressLine2: exposed(rules.line),
    city: exposed(rules.line),
    province: exposed(rules.line),
    postalCode: exposed(rules.line),
    countryId: exposed(rules.uuid),
    taxId: exposed(rules.line),
    taxTypeId: exposed(rules.int),
    typeId: exposed(rules.uuid),
    primaryContactId: exposed(rules.uuid),
    primaryContact: link('primaryContactId', "The company's main contact, if the caller may see it.", {
      list: 'The companies that have the contact as their primary contact.',
    }),
    assignedToId: unexposed(rules.uuid),
    assignedTo: link('assignedToId', 'The user the company is assigned to.', {
      written: true,
      list: 'The companies assigned to the user.',
    }),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the company belongs to.', {
      list: 'The companies of the workspace.',
    }),
    isArchived: exposed(rules.flag(false)),
    modified: exposed(),
    created: exposedInGraphql(),
    customFields: withCustomFields,
  },
  filter: {
    term: {
      in: ['name', 'doingBusinessAs', 'taxId', 'phone', 'city'],
      custom: true,
      description: 'Part of the name, trading name, tax number, telephone number or city, ignoring case.',
    },
    termInCustomFields,
    isArchived: 'If true, only archived companies. If false, only those not archived.',
    teamId: 'Companies in this workspace.',
    primaryContactId: 'Companies with this primary contact.',
    assignedToId: 'Companies assigned to this user.',
    importId: importedIn('Companies'),
  },
  hasNone: { NOTES: noNotes('company') },
  retired: { field: 'isArchived', when: true },
  uniqueBy: ['taxId'],
  indexed: ['name'],
  indexedBy: { teamId: ['name'] },
  searchPlace: 4,
  title: (company) => company.name ?? company.doingBusinessAs ?? company.taxId,
  rest: {
    tag: 'Companies',
    about: 'Companies that supply things or own them.',
    model: 'CompanyModel',
    records: {
      '/v1/companies': {
        kind: 'company',
        name: 'Great Lakes Insurance Brokers',
        deleted: 'Steel City Truck Service',
      },
    },
    term: 'insurance',
    routes: {
      'GET /v1/companies': {
        origin: 'addition',
      },
      'POST /v1/companies': {
        origin: 'contract',
        example: { name: 'Maple Ridge Ltd', city: 'Toronto', website: 'https://mapleridge.example' },
      },
      'GET /v1/companies/{id}': {
        origin: 'contract',
      },
      'PUT /v1/companies/{id}': {
        origin: 'attested',
        example: { name: 'Maple Ridge Ltd', city: 'Ottawa' },
      },
      'PATCH /v1/companies/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/city', value: 'Hamilton' }],
      },
      'DELETE /v1/companies/{id}': {
        origin: 'addition',
      },
    },
  },
});
