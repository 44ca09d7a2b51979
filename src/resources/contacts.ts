import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { inBoth, inGraphql, inNeither, link, withCustomFields } from '../records/declare/fields.js';
import { noNotes, noneBy } from '../records/lists/links.js';

/** People to be reminded or responsible. */
export const contacts = declareResource('Contact', {
  fields: {
    name: inBoth(rules.line),
    id: inBoth(),
    email: inBoth(rules.email),
    timezone: inBoth(rules.timezone),
    mobile: inBoth(rules.line),
    phone: inBoth(rules.line),
    assignedToId: inNeither(rules.uuid),
    assignedTo: link('assignedToId', 'The user the contact is assigned to.', {
      written: true,
      list: 'The contacts assigned to the user.',
    }),
    typeId: inBoth(rules.uuid),
    type: link('typeId', "The contact's type, when the caller may see it.", {
      list: 'The contacts of the type.',
    }),
    contactId: inBoth(rules.line),
    locationId: inBoth(rules.uuid),
    location: link('locationId', 'Where the contact works, when the caller may see it.', {
      list: 'The contacts at the location itself.',
    }),
    teamId: inBoth(rules.uuid),
    team: link('teamId', 'The workspace the contact belongs to.', {
      list: 'The contacts of the workspace.',
    }),
    isActive: inBoth(rules.flag(true)),
    modified: inBoth(),
    created: inGraphql(),
    customFields: withCustomFields,
  },
  filter: {
    term: {
      in: ['name', 'email', 'phone', 'mobile', 'contactId'],
      description:
        "Part of the name, e-mail address, telephone numbers or the caller's own id, in any letter case.",
    },
    email: {
      description: 'The contact with this e-mail address, in any letter case.',
      where: (email) => ({ email: { key: email } }),
    },
    isActive: 'Contacts in use only, or none of them.',
    teamId: 'Contacts of a workspace.',
    typeId: 'Contacts of a type.',
    locationId: 'Contacts at a location.',
    assignedToId: 'Contacts assigned to a user.',
  },
  hasNone: {
    VEHICLES: noneBy('vehicle', 'assignedToContactId'),
    COMPANIES: noneBy('company', 'primaryContactId'),
    NOTES: noNotes('contact'),
  },
  retired: { field: 'isActive', when: false },
  uniqueBy: ['email'],
  indexed: ['name'],
  title: (contact) => contact.name ?? contact.email,
  rest: {
    tag: 'Contacts',
    about: 'People who are told of what expires.',
    model: 'ContactModel',
    records: { '/v1/contacts': { kind: 'contact', name: 'Ben Carter', deleted: 'Hugo Martin' } },
    term: 'carter',
    routes: {
      'GET /v1/contacts': {
        kind: 'list',
        origin: 'attested',
        field: 'contacts',
        parameters: ['term', 'email', 'page', 'paging', 'sort', 'sortDirection'],
        summary: 'Lists contacts.',
      },
      'POST /v1/contacts': {
        kind: 'write',
        origin: 'contract',
        field: 'createContact',
        summary: 'Creates a contact.',
        example: { name: 'Ada Lind', email: 'ada.lind@example.com', mobile: '+1 555 0100' },
      },
      'GET /v1/contacts/{id}': {
        kind: 'read',
        origin: 'listed',
        field: 'contact',
        summary: 'Reads a contact.',
      },
      'PUT /v1/contacts/{id}': {
        kind: 'write',
        origin: 'contract',
        field: 'replaceContact',
        summary: 'Replaces a contact: a field left out returns to its default.',
        example: {
          name: 'Ada Lind',
          email: 'lind@example.com',
          mobile: '+1 555 0100',
          timezone: 'America/Toronto',
        },
      },
      'PATCH /v1/contacts/{id}': {
        kind: 'patch',
        origin: 'contract',
        field: 'patchContact',
        summary: 'Patches a contact.',
        example: [{ op: 'replace', path: '/phone', value: '+1 555 0101' }],
      },
      'DELETE /v1/contacts/{id}': {
        kind: 'delete',
        origin: 'listed',
        field: 'deleteContact',
        summary: 'Deletes a contact, and answers it as it was; items keep their other contacts.',
      },
    },
  },
});
