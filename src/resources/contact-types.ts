import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link, takenByRest } from '../records/declare/fields.js';
import { noNotes, noneBy } from '../records/lists/filter.js';

/** Kinds of contacts. */
export const contactTypes = declareResource('ContactType', {
  fields: {
    name: exposed(rules.line, { required: 'graphql' }),
    id: exposed(),
    teamId: takenByRest(rules.uuid, { description: 'The workspace the contact type belongs to.' }),
    team: link('teamId', 'The workspace the contact type belongs to.', {
      list: 'The contact types of the workspace.',
    }),
    isActive: exposed(rules.flag(true)),
    modified: exposed(),
    created: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    isActive: 'If true, only contact types in use. If false, only those not in use.',
    teamId: 'Contact types in this workspace.',
  },
  hasNone: { CONTACTS: noneBy('contact', 'typeId'), NOTES: noNotes('contactType') },
  retired: { field: 'isActive', when: false },
  uniqueBy: ['name'],
  indexed: ['name'],
  searchPlace: 10,
  title: (contactType) => contactType.name,
  rest: {
    tag: 'Contact types',
    about: 'The roles of contacts, such as drivers.',
    model: 'ContactType',
    records: { '/v1/contacttypes': { kind: 'contactType', name: 'Dispatcher', deleted: 'Mechanic' } },
    term: 'driver',
    routes: {
      'GET /v1/contacttypes': {
        origin: 'listed',
      },
      'POST /v1/contacttypes': {
        origin: 'contract',
        example: { name: 'Inspector' },
      },
      'GET /v1/contacttypes/{id}': {
        origin: 'listed',
      },
      'PUT /v1/contacttypes/{id}': {
        origin: 'listed',
        field: 'updateContactType',
        example: { name: 'Auditor' },
      },
      'PATCH /v1/contacttypes/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/is_active', value: false }],
      },
      'DELETE /v1/contacttypes/{id}': {
        origin: 'listed',
        summary: 'Deletes a contact type and returns it as it was. Its contacts remain, without a type.',
      },
    },
  },
});
