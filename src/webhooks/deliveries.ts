import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { addDays } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from '../records/declare/fields.js';
import { type BatchLoader, groupByKey, loadBatched } from '../records/loaders.js';
import { findEndpoint, lockEndpoint, logEndpoint } from './endpoints.js';
import { maxBytes } from './send/fan-out.js';

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
    id: exposedInGraphql(),
    messageId: unexposed(),
    message: link('messageId', 'The message.', {
      ...{ ordered: false, hasNone: false },
      ...{ list: 'Where the message was sent.', listName: 'deliveries' },
    }),
    endpointId: unexposed(),
    endpoint: link('endpointId', 'The endpoint.', {
      ...{ ordered: false, hasNone: false },
      ...{ list: 'What was sent to the endpoint, the newest first.', listName: 'deliveries' },
    }),
    state: exposedInGraphql(undefined, {
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
    attemptsBefore: unexposed(),
    dueAt: exposedInGraphql(),
    isClaimed: unexposed(),
    statusCode: exposedInGraphql(),
    lastError: exposedInGraphql(),
    settledAt: exposedInGraphql(),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
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

/** The most days that a recovery reaches back. */
const furthestBack = 14;

/** Values of a delivery that begins a new round of attempts. */
const queuedAgain = (now: Date) => sql`
  state = 'QUEUED', attempts_before = attempts, is_claimed = FALSE, settled_at = NULL, status_code = NULL,
  last_error = NULL, modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')`;

/** Rejects an endpoint to which nothing is sent. */
function checkEnabled({ state }: RowOf<'WebhookEndpoint'>): void {
  if (state === 'DISABLED') throw new GatewayError('CONFLICT', 'The endpoint is disabled. Enable it first.');
}

/**
 * Sends a message to an endpoint again, with the same id and body.
 * One that waits for another attempt is sent now.
 * @throws GatewayError NOT_FOUND for a message that was not meant for the endpoint; CONFLICT if the endpoint
 *   is disabled
 */
export async function replayMessage(
  session: Session,
  messageId: string,
  endpointId: string,
): Promise<RowOf<'WebhookDelivery'>> {
  const { now } = session;
  const endpoint = await findEndpoint(session, endpointId);
  if (!isUuid(messageId)) throw notFound('webhook message', messageId);
  const wanted = { messageId: messageId.toLowerCase(), endpointId: endpoint.id };
  const [found] = await readRows(session, 'WebhookDelivery', { where: wanted });
  if (!found) throw notFound('webhook message', messageId);
  checkEnabled(endpoint);
  return session.inTransaction(async (tx) => {
    const statement = sql`
      UPDATE webhook_deliveries SET due_at = ${now}::timestamptz, ${queuedAgain(now)}
      WHERE id = ${found.id}::uuid AND NOT is_claimed`;
    await tx.run(prepared('webhook_deliveries.replay', statement));
    return (await webhookDeliveries.rows.lock(tx, found.id)) ?? found;
  });
}

/**
 * Sends everything again that an endpoint did not accept, once and the oldest first.
 * @param since at most 14 days ago
 * @returns the number of messages
 * @throws GatewayError NOT_FOUND; BAD_REQUEST for a time too long ago; CONFLICT if the endpoint is disabled
 */
export async function recoverEndpoint(session: Session, endpointId: string, since: Date): Promise<number> {
  const { now } = session;
  if (since < addDays(now, -furthestBack))
    throw badField(['since'], `must be at most ${furthestBack} days ago`, 'range');
  return session.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, session, endpointId);
    checkEnabled(endpoint);
    // Their order is that of the times at which they are due.
    const statement = sql`
      WITH failed AS (
        SELECT id, row_number() OVER (ORDER BY created, id) AS place FROM webhook_deliveries
        WHERE endpoint_id = ${endpoint.id}::uuid AND state IN ('FAILED', 'CANCELLED')
          AND created >= ${since}::timestamptz
      ), queued AS (
        UPDATE webhook_deliveries AS delivery
        SET due_at = ${now}::timestamptz + (failed.place - 1) * interval '1 millisecond',
          ${queuedAgain(now)}
        FROM failed WHERE delivery.id = failed.id AND delivery.due_at IS NULL RETURNING TRUE
      )
      SELECT count(*)::int AS count FROM queued`;
    const [queued] = await tx.run<{ count: number }>(prepared('webhook_deliveries.recover', statement));
    const count = queued?.count ?? 0;
    if (count > 0) await logEndpoint(tx, session, endpoint, `gets ${count} messages again`);
    return count;
  });
}

/** Messages to webhook endpoints, for 30 days. */
export const webhookMessages = declareList('WebhookMessage', {
  fields: {
    id: exposedInGraphql(),
    type: exposedInGraphql(),
    body: exposedInGraphql(undefined, { long: true }),
    occurredAt: exposedInGraphql(),
    created: exposedInGraphql(),
    eventId: exposedInGraphql(),
    teamId: exposedInGraphql(undefined, { to: 'team' }),
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
  bounds: z.object({ body: z.string().max(maxBytes) }),
  right: 'administer',
  sortable: ['id', 'type', 'occurredAt', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
  ranges: [],
});
