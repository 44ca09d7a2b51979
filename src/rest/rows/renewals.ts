import type { Heading, Route } from '../route.js';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  terms: { renewals: 'year' },
};

/** Rows of /v1 about the history of expiration items. */
export const rows: readonly Route[] = [
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
