import type { Heading, Route } from '../route.js';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { 'Event logs': 'What happened to records: who did it, when, and what changed.' },
  records: { '/v1/eventlogs': { kind: 'event', name: 'Expiration item "Cargo insurance" was renewed' } },
  terms: { eventlogs: 'renewed' },
};

/** Rows of /v1 about events. */
export const rows: readonly Route[] = [
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
