import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/columns.js';
import { sql } from '../../db/sql/sql.js';
import { isAccepted, type PostResult } from '../../outbound/post.js';
import { disableFailing } from './disable.js';
import type { ClaimedMessage } from './queue.js';
import { failingFor, retryAt } from './schedule.js';

/** Outcomes of an attempt to send a message. */
export const messageOutcomes = ['sent', 'retried', 'failed', 'disabled', 'lost'] as const;

/** Outcome of an attempt to send a message. */
export type MessageOutcome = (typeof messageOutcomes)[number];

/** Milliseconds for which an endpoint gets half of its rate. */
const slowedFor = 5 * 60_000;

/** Milliseconds of an answer from which its receiver is slow. */
const slowFrom = 5_000;

/** Returns whether a receiver is slow, or says that it has too much to do. */
const isSlow = ({ status, isLate, ms }: PostResult) =>
  isLate || ms >= slowFrom || [429, 502, 504].includes(status ?? 0);

/** An endpoint that is locked. */
interface LockedEndpoint {
  readonly state: RowOf<'WebhookEndpoint'>['state'];
  readonly failingSince: Date | null;
}

/**
 * Locks the endpoint of an attempt, if the result may change it. It is locked before the delivery, like by what disables
 * or deletes endpoints: otherwise they would wait for each other.
 */
async function lockEndpoint(
  tx: Transaction,
  { endpointId }: ClaimedMessage,
  isChanged: boolean,
): Promise<LockedEndpoint | undefined> {
  const statement = sql`
    SELECT state, failing_since AS "failingSince" FROM webhook_endpoints
    WHERE id = ${endpointId}::uuid AND (failing_since IS NOT NULL OR ${isChanged}) FOR NO KEY UPDATE`;
  const [endpoint] = await tx.run<LockedEndpoint>(named('webhook_endpoints.lock_failing', statement));
  return endpoint;
}

interface Settled {
  readonly failingSince: Date | null;
  /** True if the endpoint was disabled while the message was on its way. */
  readonly isDisabled: boolean;
}

/**
 * Stores an attempt, and what follows for the delivery and its endpoint.
 * @returns undefined if the delivery was settled meanwhile, or another process has it
 */
async function store(
  tx: Transaction,
  message: ClaimedMessage,
  result: PostResult,
  dueAt: Date | null,
  [at, now]: readonly [Date, Date],
): Promise<Settled | undefined> {
  const { id, attempts, endpointId } = message;
  const isSent = isAccepted(result);
  const slowedUntil = isSlow(result) ? new Date(now.getTime() + slowedFor) : null;
  const endpoint = await lockEndpoint(tx, message, !isSent || slowedUntil !== null);
  const isDisabled = endpoint?.state === 'DISABLED';
  const nextAt = isDisabled ? null : dueAt;
  const state = isSent ? 'SENT' : nextAt ? 'QUEUED' : dueAt ? 'CANCELLED' : 'FAILED';
  const { status, error, ms, responseStart } = result;
  const failingSince = isSent ? null : (endpoint?.failingSince ?? now);
  const statement = sql`
    WITH settled AS (
      UPDATE webhook_deliveries SET state = ${state}::webhook_delivery_state, due_at = ${nextAt}::timestamptz,
        is_claimed = FALSE, status_code = ${status}::int, last_error = ${error},
        settled_at = ${nextAt ? null : now}::timestamptz, modified = ${now}::timestamptz
      WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL RETURNING id
    ), tried AS (
      INSERT INTO webhook_attempts (delivery_id, number, at, status_code, error, ms, response_start)
      SELECT id, ${attempts}, ${at}::timestamptz, ${status}::int, ${error}, ${ms}, ${responseStart} FROM settled
    ), noted AS (
      UPDATE webhook_endpoints SET failing_since = ${failingSince}::timestamptz,
        slowed_until = coalesce(${slowedUntil}::timestamptz, slowed_until)
      WHERE id = ${endpointId}::uuid AND ${endpoint !== undefined} AND EXISTS (SELECT FROM settled)
        AND ((failing_since IS NOT NULL) = ${isSent} OR ${slowedUntil !== null})
    )
    SELECT id FROM settled`;
  const settled = await tx.run(named('webhook_deliveries.settle', statement));
  return settled.length > 0 ? { failingSince, isDisabled } : undefined;
}

/**
 * Stores the result of an attempt. A status from 200 to 299 ends the delivery; 410 disables the endpoint, and
 * so does nothing but failures for five days.
 * @param times when the attempt began, and now
 */
export async function settleMessage(
  tx: Transaction,
  message: ClaimedMessage,
  result: PostResult,
  times: readonly [Date, Date],
): Promise<MessageOutcome> {
  const [, now] = times;
  const isSent = isAccepted(result);
  const isGone = result.status === 410;
  const failed = message.attempts - message.attemptsBefore;
  const dueAt = isSent || isGone ? null : retryAt(failed, result.retryAfter, now, Math.random());
  const settled = await store(tx, message, result, dueAt, times);
  if (!settled) return 'lost';
  if (isSent) return 'sent';
  const { failingSince, isDisabled } = settled;
  const failsTooLong = failingSince !== null && now.getTime() - failingSince.getTime() >= failingFor;
  if (!isDisabled && (isGone || failsTooLong))
    await disableFailing(tx, message, isGone ? 'gone' : 'failing', now);
  if (isDisabled || isGone || failsTooLong) return 'disabled';
  return dueAt ? 'retried' : 'failed';
}

/** Puts back a message whose attempt was interrupted. It is due at once. */
export async function releaseMessage(
  tx: Transaction,
  { id, attempts }: ClaimedMessage,
  now: Date,
): Promise<void> {
  const statement = sql`
    UPDATE webhook_deliveries SET due_at = ${now}::timestamptz, is_claimed = FALSE
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL`;
  await tx.run(named('webhook_deliveries.release', statement));
}
