import type { Session } from '../../db/connection/session.js';
import type { RowOf } from '../../db/sql/columns.js';
import { readRows } from '../../db/sql/select.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, inGraphql, inNeither } from '../../records/declare/fields.js';
import { link } from '../../records/declare/linked-fields.js';
import { type BatchLoader, groupByKey, loadBatched } from '../../records/loaders.js';

/** Loads the attempts of deliveries, the first one first. */
const attemptsByDelivery: BatchLoader<RowOf<'WebhookAttempt'>[]> = async (session: Session, ids) => {
  const where = { deliveryId: { in: ids } };
  const rows = await readRows(session, 'WebhookAttempt', { where, orderBy: [{ number: 'asc' }] });
  return groupByKey(ids, rows, ({ deliveryId }) => deliveryId);
};

/** An attempt to send a message to a webhook endpoint. */
export type SendAttempt = RowOf<'WebhookAttempt'>;

/** Messages to single webhook endpoints, whether sent or not. */
export const webhookDeliveries = declareList('WebhookDelivery', {
  fields: {
    id: inGraphql(),
    messageId: inNeither(),
    message: link('messageId', 'The message.', {
      ...{ ordered: false, hasNone: false },
      ...{ list: 'Where the message was sent.', listName: 'deliveries' },
    }),
    endpointId: inNeither(),
    endpoint: link('endpointId', 'The endpoint.', {
      ...{ ordered: false, hasNone: false },
      ...{ list: 'What was sent to the endpoint, the newest first.', listName: 'deliveries' },
    }),
    state: inGraphql(undefined, {
      enum: {
        about: 'The state of a delivery to a webhook endpoint.',
        values: {
          QUEUED: 'It is waiting for its time or for another attempt.',
          SENT: 'The receiver accepted it.',
          FAILED: 'The gateway gave up sending it.',
          CANCELLED: 'The endpoint was disabled before it was sent.',
        },
      },
    }),
    attempts: computed(
      '[WebhookAttempt]!',
      [],
      'The attempts to send it, the first one first.',
      ({ id }: RowOf<'WebhookDelivery'>, session) => loadBatched(session, attemptsByDelivery, id),
    ),
    attemptsBefore: inNeither(),
    dueAt: inGraphql(),
    isClaimed: inNeither(),
    statusCode: inGraphql(),
    lastError: inGraphql(),
    settledAt: inGraphql(),
    created: inGraphql(),
    modified: inGraphql(),
  },
  filter: {
    term: { in: ['lastError'], description: 'Part of what prevented an answer, ignoring case.' },
    state: 'Deliveries in this state.',
    endpointId: 'Deliveries to this endpoint.',
    messageId: 'Deliveries of this message.',
    since: {
      type: 'DateTime',
      description: 'Deliveries queued at or after this time.',
      where: (moment) => ({ created: { gte: moment } }),
    },
  },
  right: 'administer',
  sortable: ['id', 'dueAt', 'settledAt', 'created', 'modified'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
  ranges: ['dueAt', 'settledAt'],
});
