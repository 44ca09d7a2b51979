import type { Heading, Route } from '../route.js';

const contact = { name: 'Ada Lind', email: 'ada.lind@example.com', mobile: '+1 555 0100' };

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { Contacts: 'People who are told of what expires.' },
  records: { '/v1/contacts': { kind: 'contact', name: 'Ben Carter', deleted: 'Hugo Martin' } },
  terms: { contacts: 'carter' },
};

/** Rows of /v1 about contacts. */
export const rows: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/contacts',
    origin: 'attested',
    field: 'contacts',
    model: 'ContactModel',
    list: 'contacts',
    parameters: ['term', 'email', 'page', 'paging', 'sort', 'sortDirection'],
    order: { field: 'name', direction: 'asc' },
    errors: ['BAD_REQUEST'],
    tag: 'Contacts',
    summary: 'Lists contacts.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/contacts',
    origin: 'contract',
    field: 'createContact',
    model: 'ContactModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Contacts',
    summary: 'Creates a contact.',
    example: contact,
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/contacts/{id}',
    origin: 'listed',
    field: 'contact',
    model: 'ContactModel',
    errors: ['NOT_FOUND'],
    tag: 'Contacts',
    summary: 'Reads a contact.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/contacts/{id}',
    origin: 'contract',
    field: 'replaceContact',
    model: 'ContactModel',
    errors: ['NOT_FOUND'],
    tag: 'Contacts',
    summary: 'Replaces a contact: a field left out returns to its default.',
    example: { ...contact, email: 'lind@example.com', timezone: 'America/Toronto' },
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/contacts/{id}',
    origin: 'contract',
    field: 'patchContact',
    model: 'ContactModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Contacts',
    summary: 'Patches a contact.',
    example: [{ op: 'replace', path: '/phone', value: '+1 555 0101' }],
  },
  {
    kind: 'delete',
    method: 'DELETE',
    path: '/v1/contacts/{id}',
    origin: 'listed',
    field: 'deleteContact',
    model: 'ContactModel',
    errors: ['NOT_FOUND'],
    tag: 'Contacts',
    summary: 'Deletes a contact, and answers it as it was; items keep their other contacts.',
  },
];
