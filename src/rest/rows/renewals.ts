import type { Route } from '../route.js';

/** Rows of /v1 about the history of expiration items. */
export const renewals: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/expirationitems/{id}/renewals',
    origin: 'addition',
    field: 'renewals',
    model: 'RenewalModel',
    list: 'renewals',
    of: 'expirationItem',
    parameters: ['term', 'page', 'sort', 'sortDirection'],
    order: { field: 'created', direction: 'desc' },
    errors: ['NOT_FOUND', 'BAD_REQUEST'],
    tag: 'Expiration items',
    summary: 'Lists the renewals of an item, the newest first.',
  },
];
