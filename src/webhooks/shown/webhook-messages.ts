import * as z from 'zod';
import { declareList } from '../../records/declare/declare.js';
import { inGraphql } from '../../records/declare/fields.js';
import { link } from '../../records/declare/linked-fields.js';
import { mostBytes } from '../send/message-body.js';

/** Messages to webhook endpoints, for 30 days. */
export const webhookMessages = declareList('WebhookMessage', {
  fields: {
    id: inGraphql(),
    type: inGraphql(),
    body: inGraphql(undefined, { long: true }),
    occurredAt: inGraphql(),
    created: inGraphql(),
    eventId: inGraphql(),
    teamId: inGraphql(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace of the event.', { hasNone: false }),
  },
  filter: {
    term: { in: ['type'], description: 'Part of the type.' },
    type: 'Messages of this type.',
    eventId: 'Messages about this event.',
    teamId: 'Messages about events in this workspace.',
    since: {
      type: 'DateTime',
      description: 'Messages made at or after this time.',
      where: (moment) => ({ created: { gte: moment } }),
    },
  },
  bounds: z.object({ body: z.string().max(mostBytes) }),
  right: 'administer',
  sortable: ['id', 'type', 'occurredAt', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
  ranges: [],
});
