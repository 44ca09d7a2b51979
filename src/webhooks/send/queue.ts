import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import type { Attempt, Claim } from '../../db/queue/jobs.js';
import { Prisma } from '../../generated/prisma/client.js';
import { liveSecretsSql, type SealedSecret } from '../secrets.js';

const { sql } = Prisma;

/** The most messages on their way to an endpoint at once. */
const mostInFlight = 4;

/** A claimed delivery, with all that sending it needs. */
export interface ClaimedMessage extends Attempt {
  /** The attempts of earlier rounds. */
  readonly attemptsBefore: number;
  readonly organizationId: string;
  readonly teamId: string;
  readonly messageId: string;
  readonly body: string;
  readonly endpointId: string;
  readonly endpointName: string;
  readonly url: string;
  readonly sealedHeaders: Uint8Array | null;
}

/**
 * Claims due deliveries with a lease. The queue is read by endpoint, those with the fewest messages on their
 * way first, so that a slow receiver is not in the way of others. An endpoint has at most four on their way,
 * and no more per second than its rate, half of it while it is slowed down.
 */
export function claimMessages(
  database: Database,
  { count, now, leaseUntil }: Claim,
): Promise<ClaimedMessage[]> {
  const statement = sql`
    WITH ready AS MATERIALIZED (
      SELECT endpoint.id, endpoint.in_flight, endpoint.rate, endpoint.base,
        least(${mostInFlight} - endpoint.in_flight,
          floor(extract(epoch FROM ${now}::timestamptz - endpoint.base) * endpoint.rate + 0.001)::int) AS allowance
      FROM (
        SELECT own.id, greatest(own.paced_until, ${now}::timestamptz - interval '1 second') AS base,
          own.rate_per_second / CASE WHEN own.slowed_until > ${now}::timestamptz THEN 2.0 ELSE 1.0 END AS rate,
          (SELECT count(*)::int FROM webhook_deliveries AS sent
            WHERE sent.endpoint_id = own.id AND sent.is_claimed AND sent.due_at > ${now}::timestamptz) AS in_flight
        FROM webhook_endpoints AS own
        WHERE own.state = 'ENABLED' AND EXISTS (
          SELECT FROM webhook_deliveries AS due
          WHERE due.endpoint_id = own.id AND due.due_at <= ${now}::timestamptz)
        ORDER BY in_flight, own.paced_until NULLS FIRST
        FOR NO KEY UPDATE OF own SKIP LOCKED
      ) AS endpoint
    ), next AS MATERIALIZED (
      SELECT job.id, ready.id AS endpoint_id, ready.base, ready.rate
      FROM ready CROSS JOIN LATERAL (
        SELECT delivery.id, delivery.due_at FROM webhook_deliveries AS delivery
        WHERE delivery.endpoint_id = ready.id AND delivery.due_at <= ${now}::timestamptz
        ORDER BY delivery.due_at LIMIT greatest(ready.allowance, 0) FOR NO KEY UPDATE SKIP LOCKED
      ) AS job
      ORDER BY ready.in_flight + row_number() OVER (PARTITION BY ready.id ORDER BY job.due_at), job.due_at
      LIMIT ${count}
    ), paced AS (
      UPDATE webhook_endpoints AS endpoint
      SET paced_until = taken.base + taken.count / taken.rate * interval '1 second'
      FROM (SELECT endpoint_id, base, rate, count(*)::int AS count FROM next GROUP BY 1, 2, 3) AS taken
      WHERE endpoint.id = taken.endpoint_id
    )
    UPDATE webhook_deliveries AS job
    SET due_at = ${leaseUntil}::timestamptz, attempts = attempts + 1, is_claimed = TRUE
    FROM next
    JOIN webhook_endpoints AS endpoint ON endpoint.id = next.endpoint_id,
    webhook_messages AS message
    WHERE job.id = next.id AND message.id = job.message_id
    RETURNING job.id, job.attempts, job.attempts_before AS "attemptsBefore", job.organization_id AS "organizationId",
      message.team_id AS "teamId", message.id AS "messageId", message.body, endpoint.id AS "endpointId",
      endpoint.name AS "endpointName", endpoint.url, endpoint.sealed_headers AS "sealedHeaders"`;
  return database.query<ClaimedMessage>(named('webhook_deliveries.claim', statement));
}

/** Reads the secrets that sign messages to an endpoint now. */
export const readSecrets = (database: Database, endpointId: string, now: Date): Promise<SealedSecret[]> =>
  database.query<SealedSecret>(named('webhook_secrets.live', liveSecretsSql(endpointId, now)));
