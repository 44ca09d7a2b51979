import type { Route } from '../route.js';

/** Rows of /v1 about users. */
export const users: readonly Route[] = [
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
