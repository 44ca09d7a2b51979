import type { RowOf } from '../db/sql/columns.js';
import { declareList } from '../records/declare/declare.js';
import { computed, inGraphql, inNeither } from '../records/declare/fields.js';

/** Webhook endpoints of an organization. */
export const webhookEndpoints = declareList('WebhookEndpoint', {
  fields: {
    id: inGraphql(),
    name: inGraphql(),
    url: inGraphql(),
    eventTypes: inGraphql(),
    teamIds: inGraphql(),
    payload: inGraphql(undefined, {
      enum: {
        about: 'What the messages of a webhook endpoint have.',
        values: {
          FULL: "The event's changes, and the record as REST shows it.",
          THIN: "The event's changes, without the record.",
        },
      },
    }),
    categoryIds: inGraphql(),
    tagIds: inGraphql(),
    statuses: computed(
      '[ExpirationStatus]!',
      ['statuses'],
      'States whose items it hears of. Empty for all.',
      ({ statuses }: RowOf<'WebhookEndpoint'>) => statuses,
    ),
    sealedHeaders: inNeither(),
    hasHeaders: computed(
      'Boolean!',
      ['sealedHeaders'],
      'True if its messages have further headers. Nobody can read them again.',
      ({ sealedHeaders }: RowOf<'WebhookEndpoint'>) => sealedHeaders !== null,
    ),
    ratePerSecond: inGraphql(),
    pacedUntil: inNeither(),
    slowedUntil: inNeither(),
    state: inGraphql(undefined, {
      enum: {
        about: 'Whether messages are sent to a webhook endpoint.',
        values: {
          ENABLED: 'Messages are sent.',
          PAUSED: 'An administrator has paused it. Messages wait.',
          DISABLED: 'It failed for too long, or asked for no more messages.',
        },
      },
    }),
    disabledReason: inGraphql(),
    failingSince: inGraphql(),
    created: inGraphql(),
    modified: inGraphql(),
  },
  filter: {
    term: { in: ['name', 'url'], description: 'Part of the name or address, ignoring case.' },
    state: 'Endpoints in this state.',
  },
  right: 'administer',
  sortable: ['id', 'name', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: [],
});
