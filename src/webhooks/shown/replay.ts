import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { RowOf } from '../../db/sql/columns.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { badField, GatewayError, notFound } from '../../domain/errors.js';
import { isUuid } from '../../domain/rules.js';
import { addDays } from '../../domain/status.js';
import { findEndpoint, lockEndpoint, logEndpoint } from '../endpoints.js';
import { webhookDeliveries } from './webhook-deliveries.js';

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
    await tx.run(named('webhook_deliveries.replay', statement));
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
    const [queued] = await tx.run<{ count: number }>(named('webhook_deliveries.recover', statement));
    const count = queued?.count ?? 0;
    if (count > 0) await logEndpoint(tx, session, endpoint, `gets ${count} messages again`);
    return count;
  });
}
