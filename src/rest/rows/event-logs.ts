import type { Route } from '../route.js';

/** Rows of /v1 about events. */
export const eventLogs: readonly Route[] = [
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/eventlogs/{id}',
    origin: 'contract',
    field: 'eventLog',
    model: 'EventLogModel',
    errors: ['NOT_FOUND'],
    tag: 'Event logs',
    summary: 'Reads an event.',
  },
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/eventlogs',
    origin: 'contract',
    field: 'eventLogs',
    model: 'EventLogModel',
    list: 'eventlogs',
    parameters: ['term', 'type', 'page', 'sort', 'sortDirection'],
    order: { field: 'created', direction: 'desc' },
    errors: ['BAD_REQUEST'],
    tag: 'Event logs',
    summary: 'Lists events.',
  },
];
