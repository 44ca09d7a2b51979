import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notSilent, onlyWhen, startLoop } from '../../db/queue/loop.js';
import {
  type Attempt,
  type Claim,
  type Keep,
  notFrozen,
  type QueueWorkerSettings,
  startQueueWorker,
  sweep,
  unsettled,
} from '../../db/queue/queue.js';
import { SecretKeyError, type Secrets } from '../../db/secrets/secrets.js';
import type { RowOf } from '../../db/sql/conditions.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { addDays } from '../../domain/dates.js';
import type { DisabledCause } from '../../mail/webhook-mail.js';
import { askedTime, isAccepted, type Post, type PostResult } from '../../outbound/outbound.js';
import { logEvent } from '../../records/event-logs.js';
import { administersSql } from '../../records/sees.js';
import { webhookDisabledSubject } from '../../reminders/send/queue.js';
import {
  liveSecretsSql,
  messageIdOf,
  openHeaders,
  openSecrets,
  type SealedSecret,
  signatureHeaders,
} from '../signatures.js';
import { fanOut, type RecordReader } from './fan-out.js';

/** The most messages on their way to an endpoint at once. */
const maxInFlight = 4;

/** A claimed delivery, with all that sending it needs. */
interface ClaimedMessage extends Attempt {
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
      WHERE in_flight < ${maxInFlight}
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
        ORDER BY delivery.due_at LIMIT greatest(least(${maxInFlight} - ready.in_flight, ready.allowance), 0)
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
    const lockEndpoints = prepared('webhook_endpoints.lock_ready', lockEndpointsSql(claim, slowCount));
    const ready = await tx.run<{ readonly id: string }>(lockEndpoints);
    if (ready.length === 0) return [];
    const ids = ready.map(({ id }) => id);
    const lockDue = prepared('webhook_deliveries.lock_due', lockDeliveriesSql(ids, claim, slowCount));
    const locked = await tx.run<LockedDelivery>(lockDue);
    if (locked.length === 0) return [];
    return tx.run<ClaimedMessage>(prepared('webhook_deliveries.claim', claimSql(locked, claim)));
  });
}

/** Reads the secrets that sign messages to an endpoint now. */
const readSecrets = (database: Database, endpointId: string, now: Date): Promise<SealedSecret[]> =>
  database.query<SealedSecret>(prepared('webhook_secrets.live', liveSecretsSql(endpointId, now)));

/** An endpoint, and the workspace of the message that failed last. */
interface FailingEndpoint {
  readonly endpointId: string;
  readonly endpointName: string;
  readonly url: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Texts of the causes, as the field `disabledReason` has them. */
const reasons: Readonly<Record<DisabledCause, string>> = {
  gone: 'The receiver asked for no more messages (410).',
  failing: 'All messages failed for five days.',
};

/**
 * Returns SQL that locks an endpoint, unless it is disabled. Who makes messages for it at the moment is waited
 * for, so that these are cancelled, too.
 */
const lockSql = (endpointId: string) => sql`
  SELECT FROM webhook_endpoints WHERE id = ${endpointId}::uuid AND state <> 'DISABLED' FOR UPDATE`;

/** Returns SQL that cancels what waits for an endpoint. What is on its way is settled by its sender. */
const cancelWaitingSql = (endpointId: string, now: Date) => sql`
  UPDATE webhook_deliveries SET state = 'CANCELLED', due_at = NULL, is_claimed = FALSE,
    settled_at = ${now}::timestamptz, modified = ${now}::timestamptz
  WHERE endpoint_id = ${endpointId}::uuid AND due_at IS NOT NULL
    AND NOT (is_claimed AND due_at > ${now}::timestamptz)`;

/** Returns SQL that queues a mail to each administrator. */
function mailsSql(
  { endpointId, endpointName, organizationId, teamId, url }: FailingEndpoint,
  cause: DisabledCause,
  now: Date,
): Sql {
  const payload = JSON.stringify({ name: endpointName, host: new URL(url).host, cause });
  return sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, payload, address, due_at,
      created)
    SELECT md5(${endpointId} || ${now.toISOString()} || address)::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL',
      ${`${webhookDisabledSubject} ${endpointId} ${now.toISOString()}`} || ' ' || address, ${webhookDisabledSubject},
      ${payload}::jsonb, address, ${now}::timestamptz, ${now}::timestamptz
    FROM (
      SELECT DISTINCT ON (natural_key(email)) email AS address FROM users AS person
      WHERE organization_id = ${organizationId}::uuid AND is_active AND natural_key(email) IS NOT NULL
        AND ${administersSql}
    ) AS admin
    ON CONFLICT DO NOTHING`;
}

/** Disables an endpoint whose receiver fails, cancels what waits for it, and tells administrators. */
async function disableFailing(
  tx: Transaction,
  failing: FailingEndpoint,
  cause: DisabledCause,
  now: Date,
): Promise<void> {
  const { endpointId, endpointName, organizationId, teamId } = failing;
  const reason = reasons[cause];
  const [locked] = await tx.run(prepared('webhook_endpoints.lock_enabled', lockSql(endpointId)));
  if (!locked) return;
  const statement = sql`
    UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = ${reason},
      modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')
    WHERE id = ${endpointId}::uuid`;
  await tx.run(prepared('webhook_endpoints.disable', statement));
  await tx.run(prepared('webhook_deliveries.cancel', cancelWaitingSql(endpointId, now)));
  await tx.run(prepared('deliveries.webhook_disabled', mailsSql(failing, cause, now)));
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvent(
    tx,
    { caller: author, now },
    {
      ...{ type: 'webhook disabled', teamId, entities: [] },
      description: `Webhook endpoint ${JSON.stringify(endpointName)} was disabled: ${reason}`,
      details: {
        state: { before: 'ENABLED', after: 'DISABLED' },
        endpoint_id: { before: null, after: endpointId },
      },
    },
  );
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds to wait after each failed attempt, without jitter (Standard Webhooks 1.0). */
const waits = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** Milliseconds of nothing but failures after which an endpoint is disabled. */
const failingFor = 120 * hour;

/**
 * Returns the time of the next attempt after a failed one. Waits vary by a fifth, so that messages that
 * failed together are not repeated together.
 * @param failed number of the failed attempt, from 1
 * @param retryAfter the header of the answer; a later time than ours counts, up to a day
 * @param random from 0 to 1, 1 excluded
 * @returns null after the last attempt
 */
function retryAt(failed: number, retryAfter: string | null, now: Date, random: number): Date | null {
  const wait = waits[failed - 1];
  if (wait === undefined) return null;
  const ours = now.getTime() + wait * (0.8 + 0.4 * random);
  return new Date(Math.round(Math.max(ours, askedTime(retryAfter, now).getTime())));
}

/** Outcomes of an attempt to send a message. */
export const messageOutcomes = ['sent', 'retried', 'failed', 'disabled', 'lost'] as const;

/** Outcome of an attempt to send a message. */
type MessageOutcome = (typeof messageOutcomes)[number];

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
  const [endpoint] = await tx.run<LockedEndpoint>(prepared('webhook_endpoints.lock_failing', statement));
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
      WHERE id = ${id}::uuid AND attempts = ${attempts} AND ${unsettled('webhook_deliveries')} RETURNING id
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
  const settled = await tx.run(prepared('webhook_deliveries.settle', statement));
  return settled.length > 0 ? { failingSince, isDisabled } : undefined;
}

/**
 * Stores the result of an attempt. A status from 200 to 299 ends the delivery; 410 disables the endpoint, and
 * so does nothing but failures for five days.
 * @param times when the attempt began, and now
 */
async function settleMessage(
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
async function releaseMessage(tx: Transaction, { id, attempts }: ClaimedMessage, now: Date): Promise<void> {
  const statement = sql`
    UPDATE webhook_deliveries SET due_at = ${now}::timestamptz, is_claimed = FALSE
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND ${unsettled('webhook_deliveries')}`;
  await tx.run(prepared('webhook_deliveries.release', statement));
}

/** Days for which messages and attempts are kept. */
const keptDays = 30;

/** Milliseconds between two looks for messages that are too old. */
const sweepMs = 60 * 60_000;

/** Listeners of messages. */
export interface MessageEvents {
  /** Called with each attempt to send, with its milliseconds. */
  readonly onSent?: ((outcome: MessageOutcome, ms: number) => void) | undefined;
}

/** Settings of webhooks in a process. */
export interface WebhooksOptions extends QueueWorkerSettings, MessageEvents {
  readonly secrets: Pick<Secrets, 'open'>;
  readonly post: Post;
  /** Loads the function that reads records. Without endpoints, nobody needs it. */
  readonly loadReader: () => Promise<RecordReader>;
  /** Returns the gateway's public address, for links to the console. */
  readonly origin: () => Promise<string | undefined>;
}

/** Result for a message that this process cannot sign. Another may, or this one with the right key. */
const withoutKey: PostResult = {
  ...{ status: null, isLate: false, ms: 0, responseStart: '', retryAfter: null },
  error: 'The message cannot be signed: this process needs the same SECRET_KEY as `serve`.',
};

/** Returns the headers of a message. They are undefined if this process lacks the key of its secrets. */
async function headersOf(
  { database, secrets }: WebhooksOptions,
  { endpointId, messageId, body, sealedHeaders }: ClaimedMessage,
  at: Date,
): Promise<Record<string, string> | undefined> {
  const sealed = await readSecrets(database, endpointId, at);
  try {
    const own = await openHeaders(secrets, { id: endpointId, sealedHeaders });
    const keys = await openSecrets(secrets, sealed);
    return { ...own, ...signatureHeaders({ id: messageIdOf(messageId), at, body }, keys) };
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

/** Signs and sends one message, and stores the result. */
async function send(
  options: WebhooksOptions,
  message: ClaimedMessage,
  signal: AbortSignal,
  keep: Keep,
): Promise<MessageOutcome> {
  const { database, clock, post } = options;
  const at = clock();
  let result: PostResult;
  try {
    const headers = await headersOf(options, message, at);
    result = headers ? await post(message.url, headers, message.body, signal) : withoutKey;
  } catch (error) {
    if (!signal.aborted) throw error;
    await keep(() => database.inTransaction((tx) => releaseMessage(tx, message, clock())));
    return 'lost';
  }
  const times = [at, clock()] as const;
  return keep(() => database.inTransaction((tx) => settleMessage(tx, message, result, times)));
}

/** Deletes messages after their time, with their deliveries and attempts. */
function sweepMessages(database: Pick<Database, 'inTransaction'>, now: Date): Promise<number> {
  const where = sql`created < ${addDays(now, -keptDays)}::timestamptz`;
  return sweep(database, { table: 'webhook_messages', where, order: 'created' });
}

const warn = (log: Logger, what: string) => (error: Error, isFirst: boolean) => {
  if (isFirst) log.warn({ reason: error.message }, what);
};

/**
 * Makes messages from events, and sends them to the endpoints. Any number of processes may do so: each event
 * and each delivery belongs to one at a time. If a process is killed between the receiver's answer and its
 * own commit, the same message is sent twice, with one id.
 * @returns a function that stops it; messages in progress are put back
 */
export function startWebhooks(options: WebhooksOptions): () => Promise<void> {
  const { database, clock, log, onSent, loadReader, origin, concurrency = 64 } = options;
  const readRecord: RecordReader = async (...about) => (await loadReader())(...about);
  const sending = startQueueWorker<ClaimedMessage, MessageOutcome>({
    ...{ leaseMs: 30_000, ...options, concurrency, onTried: onSent },
    ...{ table: 'webhook_deliveries', jobs: 'webhook messages', unstored: 'lost' },
    // Half of the places are kept for endpoints that answer quickly.
    claim: (claim) => claimMessages(database, claim, Math.max(0, Math.ceil(claim.count - concurrency / 2))),
    work: (message, signal, keep) => send(options, message, signal, keep),
  });
  const making = startLoop(
    onlyWhen(options.isSure, async () => {
      for (let made = 1; made > 0; ) {
        made = await fanOut({ database, clock, log, readRecord, origin });
        if (made > 0) sending.wake();
      }
    }),
    options.pollMs ?? 500,
    warn(log, 'The messages of webhooks cannot be made'),
  );
  const sweeping = startLoop(
    onlyWhen(options.isSure, () => sweepMessages(database, clock())),
    sweepMs,
    warn(log, 'Old messages of webhooks cannot be deleted'),
  );
  sweeping.wake();
  return async () => {
    await Promise.all([making.stop(), sweeping.stop()]);
    await sending.stop();
  };
}
