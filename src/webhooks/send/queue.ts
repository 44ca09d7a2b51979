import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import { notFrozen } from '../../db/queue/frozen.js';
import type { Attempt, Claim } from '../../db/queue/jobs.js';
import { notSilent } from '../../db/queue/silence.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { liveSecretsSql, type SealedSecret } from '../secrets.js';

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

/** A delivery that is locked to be claimed. */
interface LockedDelivery {
  readonly id: string;
  readonly endpointId: string;
}

/** Returns SQL for the messages on their way to an endpoint. */
const inFlightSql = (now: Date) => sql`
  (SELECT count(*)::int FROM webhook_deliveries AS sent
    WHERE sent.endpoint_id = own.id AND sent.is_claimed AND sent.due_at > ${now}::timestamptz)`;

/** Returns SQL that locks endpoints with due deliveries that may get messages now. */
function lockEndpointsSql({ count, now }: Claim, slowCount: number): Sql {
  const { isSlow, allowance } = paceSql(now);
  // The first due delivery is a value and no condition, which the planner would find by reading the whole queue.
  return sql`
    WITH waiting AS MATERIALIZED (
      SELECT id, row_number() OVER (PARTITION BY is_slow ORDER BY in_flight, paced_until NULLS FIRST) AS place, is_slow
      FROM (
        SELECT own.id, own.paced_until, ${isSlow} AS is_slow, ${inFlightSql(now)} AS in_flight
        FROM webhook_endpoints AS own
        WHERE own.state = 'ENABLED' AND ${notFrozen('own')} AND ${notSilent} AND ${allowance} > 0 AND (
          SELECT due_at FROM webhook_deliveries AS due
          WHERE due.endpoint_id = own.id AND due.due_at <= ${now}::timestamptz ORDER BY due_at LIMIT 1) IS NOT NULL
      ) AS endpoint
      WHERE in_flight < ${mostInFlight}
    )
    SELECT own.id FROM waiting JOIN webhook_endpoints AS own ON own.id = waiting.id
    WHERE waiting.place <= CASE WHEN waiting.is_slow THEN ${slowCount}::int ELSE ${count}::int END
    FOR NO KEY UPDATE OF own SKIP LOCKED`;
}

/** Returns SQL that locks the next due deliveries of locked endpoints. */
function lockDeliveriesSql(
  endpointIds: readonly string[],
  { count, now, held = [] }: Claim,
  slowCount: number,
): Sql {
  const { isSlow, allowance } = paceSql(now);
  return sql`
    WITH ready AS MATERIALIZED (
      SELECT own.id, own.paced_until, ${isSlow} AS is_slow, ${inFlightSql(now)} AS in_flight, ${allowance} AS allowance
      FROM webhook_endpoints AS own WHERE own.id = ANY(${[...endpointIds]}::uuid[]) AND own.state = 'ENABLED'
    ), due AS MATERIALIZED (
      SELECT job.id, ready.id AS endpoint_id, ready.is_slow, ready.paced_until, job.due_at,
        ready.in_flight + row_number() OVER (PARTITION BY ready.id ORDER BY job.due_at) AS turn
      FROM ready CROSS JOIN LATERAL (
        SELECT delivery.id, delivery.due_at FROM webhook_deliveries AS delivery
        WHERE delivery.endpoint_id = ready.id AND delivery.due_at <= ${now}::timestamptz
          AND delivery.id <> ALL (${[...held]}::uuid[])
        ORDER BY delivery.due_at LIMIT greatest(least(${mostInFlight} - ready.in_flight, ready.allowance), 0)
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS job
    )
    SELECT id, endpoint_id AS "endpointId" FROM (
      SELECT *, row_number() OVER (PARTITION BY is_slow ORDER BY turn, paced_until NULLS FIRST, due_at) AS place
      FROM due
    ) AS ranked
    WHERE NOT is_slow OR place <= ${slowCount}
    ORDER BY turn, paced_until NULLS FIRST, due_at LIMIT ${count}`;
}

/** Returns SQL that claims locked deliveries, and moves the paces of their endpoints. */
function claimSql(locked: readonly LockedDelivery[], { now, leaseUntil }: Claim): Sql {
  const { rate, base } = paceSql(now);
  return sql`
    WITH next AS MATERIALIZED (
      SELECT * FROM unnest(${locked.map(({ id }) => id)}::uuid[],
        ${locked.map(({ endpointId }) => endpointId)}::uuid[]) AS next (id, endpoint_id)
    ), paced AS (
      UPDATE webhook_endpoints AS own SET paced_until = ${base} + taken.count / ${rate} * interval '1 second'
      FROM (SELECT endpoint_id, count(*)::int AS count FROM next GROUP BY 1) AS taken
      WHERE own.id = taken.endpoint_id
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
}

/**
 * Claims due deliveries with a lease. The queue is read by endpoint, those with the fewest messages on their
 * way first, so that a slow receiver is not in the way of others. An endpoint has at most four on their way,
 * and no more per second than its rate, half of it while it is slowed down. What it costs does not grow with
 * the number of deliveries. Rows are locked by statements of their own; see `claimJobs`.
 * @param slowCount maximum number of jobs for endpoints that are slowed down
 */
export function claimMessages(
  database: Pick<Database, 'inTransaction'>,
  claim: Claim,
  slowCount = claim.count,
): Promise<ClaimedMessage[]> {
  return database.inTransaction(async (tx) => {
    const lockEndpoints = named('webhook_endpoints.lock_ready', lockEndpointsSql(claim, slowCount));
    const ready = await tx.run<{ readonly id: string }>(lockEndpoints);
    if (ready.length === 0) return [];
    const ids = ready.map(({ id }) => id);
    const lockDue = named('webhook_deliveries.lock_due', lockDeliveriesSql(ids, claim, slowCount));
    const locked = await tx.run<LockedDelivery>(lockDue);
    if (locked.length === 0) return [];
    return tx.run<ClaimedMessage>(named('webhook_deliveries.claim', claimSql(locked, claim)));
  });
}

/** Reads the secrets that sign messages to an endpoint now. */
export const readSecrets = (database: Database, endpointId: string, now: Date): Promise<SealedSecret[]> =>
  database.query<SealedSecret>(named('webhook_secrets.live', liveSecretsSql(endpointId, now)));
