import type { Heading, Route } from '../route.js';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { Users: 'The people of the organization.' },
  records: { '/v1/users': { kind: 'user', name: 'Administrator' } },
};

/** Rows of /v1 about users. */
export const rows: readonly Route[] = [
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/users/{id}',
    origin: 'listed',
    field: 'user',
    model: 'UserRecordModel',
    errors: ['NOT_FOUND'],
    tag: 'Users',
    summary: 'Reads a user of the organization.',
  },
];
