import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import { notFrozen } from '../../db/queue/frozen.js';
import type { Attempt, Claim } from '../../db/queue/jobs.js';
import { notSilent } from '../../db/queue/silence.js';
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

/** Returns SQL for an endpoint's rate, and for the messages that it allows now. */
const paceSql = (now: Date) => {
  const isSlow = sql`coalesce(own.slowed_until > ${now}::timestamptz, FALSE)`;
  const rate = sql`(own.rate_per_second / CASE WHEN ${isSlow} THEN 2.0 ELSE 1.0 END)`;
  // What was not used is lost after a second, or after the time of one message. A clock that is set back changes nothing.
  const unused = sql`${now}::timestamptz - greatest(1, 1 / ${rate}) * interval '1 second'`;
  const base = sql`least(greatest(own.paced_until, ${unused}), ${now}::timestamptz)`;
  const allowance = sql`floor(extract(epoch FROM ${now}::timestamptz - ${base}) * ${rate} + 0.001)::int`;
  return { isSlow, rate, base, allowance };
};

/**
 * Claims due deliveries with a lease. The queue is read by endpoint, those with the fewest messages on their
 * way first, so that a slow receiver is not in the way of others. An endpoint has at most four on their way,
 * and no more per second than its rate, half of it while it is slowed down. What it costs does not grow with
 * the number of deliveries.
 * @param slowCount maximum number of jobs for endpoints that are slowed down
 */
export function claimMessages(
  database: Pick<Database, 'query'>,
  { count, now, leaseUntil }: Claim,
  slowCount = count,
): Promise<ClaimedMessage[]> {
  const { isSlow, rate, base, allowance } = paceSql(now);
  // The first due delivery is a value and no condition, which the planner would find by reading the whole queue.
  const statement = sql`
    WITH waiting AS MATERIALIZED (
      SELECT id, in_flight, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY in_flight, paced_until NULLS FIRST)
        AS place
      FROM (
        SELECT own.id, own.paced_until, ${isSlow} AS is_slow,
          (SELECT count(*)::int FROM webhook_deliveries AS sent
            WHERE sent.endpoint_id = own.id AND sent.is_claimed AND sent.due_at > ${now}::timestamptz) AS in_flight
        FROM webhook_endpoints AS own
        WHERE own.state = 'ENABLED' AND ${notFrozen('own')} AND ${notSilent} AND ${allowance} > 0 AND (
          SELECT due_at FROM webhook_deliveries AS due
          WHERE due.endpoint_id = own.id AND due.due_at <= ${now}::timestamptz ORDER BY due_at LIMIT 1) IS NOT NULL
      ) AS endpoint
      WHERE in_flight < ${mostInFlight}
    ), ready AS MATERIALIZED (
      SELECT own.id, waiting.in_flight, waiting.is_slow, own.paced_until, ${rate} AS rate, ${base} AS base,
        least(${mostInFlight} - waiting.in_flight, ${allowance}) AS allowance
      FROM waiting JOIN webhook_endpoints AS own ON own.id = waiting.id
      WHERE waiting.place <= CASE WHEN waiting.is_slow THEN ${slowCount}::int ELSE ${count}::int END
      FOR NO KEY UPDATE OF own SKIP LOCKED
    ), due AS MATERIALIZED (
      SELECT job.id, ready.id AS endpoint_id, ready.base, ready.rate, ready.is_slow, ready.paced_until, job.due_at,
        ready.in_flight + row_number() OVER (PARTITION BY ready.id ORDER BY job.due_at) AS turn
      FROM ready CROSS JOIN LATERAL (
        SELECT delivery.id, delivery.due_at FROM webhook_deliveries AS delivery
        WHERE delivery.endpoint_id = ready.id AND delivery.due_at <= ${now}::timestamptz
        ORDER BY delivery.due_at LIMIT greatest(ready.allowance, 0) FOR NO KEY UPDATE SKIP LOCKED
      ) AS job
    ), next AS MATERIALIZED (
      SELECT id, endpoint_id, base, rate FROM (
        SELECT *, row_number() OVER (PARTITION BY is_slow ORDER BY turn, paced_until NULLS FIRST, due_at) AS place
        FROM due
      ) AS ranked
      WHERE NOT is_slow OR place <= ${slowCount}
      ORDER BY turn, paced_until NULLS FIRST, due_at LIMIT ${count}
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
