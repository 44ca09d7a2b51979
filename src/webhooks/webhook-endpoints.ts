import { declareList } from '../records/declare/declare.js';
import { inGraphql } from '../records/declare/fields.js';

/** Webhook endpoints of an organization. */
export const webhookEndpoints = declareList('WebhookEndpoint', {
  fields: {
    id: inGraphql(),
    name: inGraphql(),
    url: inGraphql(),
    eventTypes: inGraphql(),
    teamIds: inGraphql(),
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
