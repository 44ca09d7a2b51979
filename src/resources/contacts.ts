import { rules } from '../domain/rules.js';
import { declareResource, termInCustomFields } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link, unexposed, withCustomFields } from '../records/declare/fields.js';
import { noNotes, noneBy } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';

/** People to be reminded or responsible. */
export const contacts = declareResource('Contact', {
  fields: {
    name: exposed(rules.line),
    id: exposed(),
    email: exposed(rules.email),
    timezone: exposed(rules.timezone),
    mobile: exposed(rules.line),
    phone: exposed(rules.line),
    assignedToId: unexposed(rules.uuid),
    assignedTo: link('assignedToId', 'The user the contact is assigned to.', {
      written: true,
      list: 'The contacts assigned to the user.',
    }),
    typeId: exposed(rules.uuid),
    type: link('typeId', "The contact's type, if the caller may see it.", {
      list: 'The contacts of the type.',
    }),
    contactId: exposed(rules.line),
    locationId: exposed(rules.uuid),
    location: link('locationId', 'The location where the contact works, if the caller may see it.', {
      list: 'The contacts directly at the location.',
    }),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the contact belongs to.', {
      list: 'The contacts of the workspace.',
    }),
    isActive: exposed(rules.flag(true)),
    modified: exposed(),
    created: exposedInGraphql(),
    customFields: withCustomFields,
  },
  filter: {
    term: {
      in: ['name', 'email', 'phone', 'mobile', 'contactId'],
      custom: true,
      description:
        "Part of the name, e-mail address, a telephone number or the caller's own id, ignoring case.",
    },
    termInCustomFields,
    email: {
      description: 'The contact with this e-mail address, ignoring case.',
      where: (email) => ({ email: { key: email } }),
    },
    isActive: 'If true, only contacts in use. If false, only those not in use.',
    teamId: 'Contacts in this workspace.',
    typeId: 'Contacts of this type.',
    locationId: 'Contacts at this location.',
    assignedToId: 'Contacts assigned to this user.',
    importId: importedIn('Contacts'),
  },
  hasNone: {
    VEHICLES: noneBy('vehicle', 'assignedToContactId'),
    COMPANIES: noneBy('company', 'primaryContactId'),
    NOTES: noNotes('contact'),
  },
  retired: { field: 'isActive', when: false },
  uniqueBy: ['email'],
  indexed: ['name'],
  indexedBy: { teamId: ['name'] },
  searchPlace: 2,
  title: (contact) => contact.name ?? contact.email,
  rest: {
    tag: 'Contacts',
    about: 'People who are reminded of what expires.',
    model: 'ContactModel',
    records: { '/v1/contacts': { kind: 'contact', name: 'Ben Carter', deleted: 'Hugo Martin' } },
    term: 'carter',
    routes: {
      'GET /v1/contacts': {
        origin: 'attested',
        parameters: ['term', 'email', 'page', 'paging', 'sort', 'sortDirection'],
      },
      'POST /v1/contacts': {
        origin: 'contract',
        example: { name: 'Ada Lind', email: 'ada.lind@example.com', mobile: '+1 555 0100' },
      },
      'GET /v1/contacts/{id}': {
        origin: 'listed',
      },
      'PUT /v1/contacts/{id}': {
        origin: 'contract',
        example: {
          name: 'Ada Lind',
          email: 'lind@example.com',
          mobile: '+1 555 0100',
          timezone: 'America/Toronto',
        },
      },
      'PATCH /v1/contacts/{id}': {
        origin: 'contract',
        example: [{ op: 'replace', path: '/phone', value: '+1 555 0101' }],
      },
      'DELETE /v1/contacts/{id}': {
        origin: 'listed',
        summary: 'Deletes a contact and returns it as it was. Items keep their other contacts.',
      },
    },
  },
});
