import { invitationSubject } from '../../access/invitations.js';
import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notSilent } from '../../db/queue/loop.js';
import {
  type Attempt,
  type Claim,
  claimJobs,
  notFrozen,
  settleJob,
  unsettled,
} from '../../db/queue/queue.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { signInLinkSubject } from '../../domain/caller.js';
import { addDays } from '../../domain/dates.js';
import { nextAttemptAt } from '../../domain/load/quota.js';
import { deliverySettledType } from '../../domain/models.js';
import {
  type Ending,
  heldReasons,
  isChatFailure,
  type MailFailure,
  somebodyElse,
} from '../../domain/reminders/reasons.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { type Event, logEvent } from '../../records/event-logs.js';
import { mentionSubject } from '../../records/mentions.js';
import { administersSql } from '../../records/sees.js';
import { documentRequestSubject, noteSent } from '../../requests/mails.js';
import { maxSingles } from '../evaluate/plan-deliveries.js';
import { maxMailsCounted, refusedSql } from '../health.js';
import { suppressAddress } from '../queries/suppressions.js';

/** Kind of deliveries that tell administrators of a webhook endpoint that was disabled. */
export const webhookDisabledSubject = 'webhookDisabled';

/** Kind of deliveries that say that all is well. */
export const allIsWellSubject = 'allIsWell';

/** Kind of deliveries that tell those who watch records what these lack, or soon will. */
export const watchedSubject = 'compliance';

/** Kind of deliveries that say each week what is missing. */
export const missingSubject = 'whatIsMissing';

/** A delivery that this process has claimed. No other process sends it until its lease ends. */
export interface ClaimedDelivery extends Attempt {
  readonly organizationId: string;
  readonly teamId: string;
  /** `item`, `digest` for several, or that of a notice. */
  readonly subjectKind: string;
  readonly address: string;
  /** True if it goes to a contact of another workspace. Not everybody here may know them. */
  readonly isElsewhere: boolean;
  readonly firstTriedAt: Date;
  /** The same for each attempt. */
  readonly messageId: string;
}

/**
 * Returns the SQL condition that a delivery waits for no decision. A digest takes further items until its workspace has
 * decided what is due, page by page, and nobody is told that all is well before. Where deciding fails, nothing waits.
 */
export const isCompleteSql = (now: Date): Sql => {
  const undecided = sql`
    FROM reminder_marks AS mark WHERE mark.next_at <= ${now}::timestamptz AND mark.failing_since IS NULL`;
  return sql`
    CASE subject_kind
      WHEN 'digest' THEN attempts > 0 OR team_id NOT IN (SELECT mark.team_id ${undecided})
      WHEN ${allIsWellSubject} THEN organization_id NOT IN (SELECT mark.organization_id ${undecided})
      ELSE true END`;
};

/**
 * Claims due mails. An attempt after the end of a lease has the same message id.
 * @param host of the ids of messages
 */
export function claimDeliveries(
  database: Database,
  { host, ...claim }: Claim & { readonly host: string },
): Promise<ClaimedDelivery[]> {
  return claimJobs(database, 'deliveries', claim, {
    where: sql`kind = 'MAIL' AND ${isCompleteSql(claim.now)}`,
    set: sql`
      first_tried_at = coalesce(first_tried_at, ${claim.now}::timestamptz),
      message_id = coalesce(message_id, '<' || job.id || '@' || ${host} || '>')`,
    returning: sql`
      organization_id AS "organizationId", team_id AS "teamId", subject_kind AS "subjectKind", address,
      home_team_id IS NOT NULL AS "isElsewhere", first_tried_at AS "firstTriedAt", message_id AS "messageId"`,
  });
}

const isFree = (row: string) => notFrozen(row).text;
const maySend = notSilent.text;

/** State of reminders and of their mails. */
export interface RemindersState {
  /** Deliveries that are not settled, at most `maxMailsCounted`. */
  readonly queued: number;
  /** Time of the next decisions of any workspace. It is in the past if nobody makes them, or they fail. */
  readonly next: Date | null;
  /** Time since when the longest waiting delivery could have been sent. Null if there is none. */
  readonly oldest: Date | null;
  /** Mails that wait because they were refused, at most `maxMailsCounted`. */
  readonly refused: number;
}

/**
 * Reads how many deliveries wait, and when reminders are next decided. Each comes from an index. Nothing is late while
 * the database is silent.
 */
export async function remindersState(database: Database, now: Date): Promise<RemindersState> {
  const refused = sql`
    SELECT count(*)::int AS refused FROM (
      SELECT FROM deliveries AS job WHERE ${refusedSql('job', now)} AND ${notFrozen('job')} LIMIT ${maxMailsCounted}
    ) AS few`;
  const [counted] = await database.query<{ refused: number }>(prepared('deliveries.refused', refused));
  const [state] = await database.query<Omit<RemindersState, 'refused'>>(
    prepared('deliveries.state', {
      // A failed attempt postpones `due_at`, but does not make the delivery younger.
      text: `SELECT least(
        (SELECT min(next_at) FROM reminder_marks AS mark WHERE ${isFree('mark')} AND ${maySend}),
        (SELECT min(failing_since) FROM reminder_marks AS mark WHERE failing_since IS NOT NULL AND ${isFree('mark')} AND ${maySend})
      ) AS next, count(*)::int AS queued, min(since) FILTER (WHERE ${maySend}) AS oldest
      FROM (
        SELECT coalesce(first_tried_at, due_at) AS since FROM deliveries AS job
        WHERE due_at IS NOT NULL AND ${isFree('job')}
        ORDER BY due_at LIMIT $1
      ) AS waiting`,
      values: [maxMailsCounted],
    }),
  );
  const none = { queued: 0, next: null, oldest: null };
  return { ...(state ?? none), refused: counted?.refused ?? 0 };
}

/** A delivery that was sent, given up or cancelled, with its workspace. */
export interface SettledDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Announces to all processes that a delivery was settled, once its transaction commits. */
export function announceSettled(tx: Transaction, { id, organizationId, teamId }: SettledDelivery): void {
  tx.pendingEvents.push({
    ...{ id, organizationId, teamId },
    ...{ typeId: deliverySettledType, entities: [], more: false },
  });
}

/** Cancels a delivery. Its sealed secret, and who asked for it, are deleted. */
export async function cancelDelivery(tx: Transaction, id: string, reason: Ending, now: Date): Promise<void> {
  const statement = sql`
    UPDATE deliveries SET state = 'CANCELLED', due_at = NULL, last_error = ${reason}, error_code = NULL, settled_at = ${now}::timestamptz,
      payload = payload - ARRAY['sealed', 'from']
    WHERE id = ${id}::uuid AND ${unsettled('deliveries')}
    RETURNING id, organization_id AS "organizationId", team_id AS "teamId"`;
  const [cancelled] = await tx.run<SettledDelivery>(prepared('deliveries.cancel', statement));
  if (cancelled) announceSettled(tx, cancelled);
}

/** Days for which a dead mailbox gets no mail. */
const refusedDays = 30;

/** The most records that an event lists. A digest may be about more. */
const maxNamed = 100;

interface ToldItem {
  readonly deliveryId: string;
  readonly itemId: string;
  readonly name: string;
  /** Number of the delivery's items. */
  readonly total: number;
}

/** Reads the items of deliveries. */
function readItems(tx: Transaction, deliveryIds: readonly string[]): Promise<ToldItem[]> {
  const statement = sql`
    SELECT own.id AS "deliveryId", told.* FROM unnest(${[...deliveryIds]}::uuid[]) AS own (id) CROSS JOIN LATERAL (
      SELECT *, count(*) OVER ()::int AS total
      FROM (
        SELECT DISTINCT reminder.item_id AS "itemId", reminder.item_name AS name
        FROM reminder_targets AS target JOIN reminders AS reminder ON reminder.id = target.reminder_id
        WHERE target.delivery_id = own.id AND target.reason IS NULL
      ) AS told
      ORDER BY name, "itemId" LIMIT ${maxNamed}
    ) AS told
    ORDER BY name, "itemId"`;
  return tx.run<ToldItem>(prepared('deliveries.items', statement));
}

/** Writes the event of a settled delivery. Its author is the gateway itself. */
async function logDelivery(
  tx: Transaction,
  { organizationId, teamId, address, isElsewhere }: ClaimedDelivery,
  items: readonly ToldItem[],
  now: Date,
  reason?: string,
): Promise<void> {
  const what =
    items.length === 1
      ? `Reminder of "${items[0]?.name}"`
      : `Reminder of ${items[0]?.total ?? 0} expiration items`;
  const whom = isElsewhere ? somebodyElse : address;
  // The server's message may contain the address.
  const why = isElsewhere ? '' : `: ${reason}`;
  const event: Event = {
    type: reason === undefined ? 'reminder sent' : 'reminder failed',
    teamId,
    description:
      reason === undefined ? `${what} was sent to ${whom}` : `${what} could not be sent to ${whom}${why}`,
    details: null,
    entities: items.map(({ itemId }) => ({ kind: 'expirationItem', id: itemId })),
  };
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvent(tx, { caller: author, now }, event);
}

/** Kind of deliveries that tell a chat channel of one that failed. */
export const failedSubject = 'deliveryFailed';

/** Kinds of deliveries without reminders. Their events belong to what they are about. */
const notices: readonly string[] = [
  ...[invitationSubject, signInLinkSubject, webhookDisabledSubject, failedSubject, allIsWellSubject],
  ...[documentRequestSubject, watchedSubject, missingSubject, mentionSubject],
];

/** Returns whether a delivery has no reminders. */
export const isNotice = ({ subjectKind }: Pick<ClaimedDelivery, 'subjectKind'>): boolean =>
  notices.includes(subjectKind);

/** Milliseconds after its first attempt for which a delivery is retried. */
const retriedFor = 24 * 3_600_000;

/** Result of an attempt to deliver. */
type DeliveryResult =
  | { readonly outcome: 'sent' }
  /** Refused: the mailbox is dead. Hopeless: another attempt would fail as well. */
  | (Failure & {
      readonly outcome: 'refused' | 'hopeless' | 'failed';
      /** Time before which no further attempt is wanted. */
      readonly notBefore?: Date;
    });

/** Stores the result of an attempt, and when the next one is. */
export async function settleDelivery(
  tx: Transaction,
  delivery: ClaimedDelivery,
  result: DeliveryResult,
  now: Date,
): Promise<'sent' | 'refused' | 'retried' | 'failed'> {
  const { outcome } = result;
  if (outcome === 'sent') {
    await settleSent(tx, [{ delivery, at: now }]);
    return outcome;
  }
  const ours = outcome === 'failed' ? nextAttemptAt({ ms: retriedFor }, delivery, now) : null;
  if (ours) {
    const { notBefore = now } = result;
    const dueAt = notBefore > ours ? notBefore : ours;
    await settleRetry(tx, delivery, result, dueAt);
    return 'retried';
  }
  const isRefused = outcome === 'refused';
  await settleFailed(tx, delivery, result, isRefused, now);
  return isRefused ? 'refused' : 'failed';
}

/** A delivery that was accepted, and when. */
export interface Accepted {
  readonly delivery: ClaimedDelivery;
  readonly at: Date;
}

/** Records that deliveries were accepted, with their events. Those that others have settled or taken are left alone. */
export async function settleSent(tx: Transaction, accepted: readonly Accepted[]): Promise<void> {
  const of = <T>(value: (one: Accepted) => T) => accepted.map(value);
  const statement = sql`
    UPDATE deliveries AS job SET state = 'SENT', due_at = NULL, settled_at = accepted.at, last_error = NULL,
      error_code = NULL, payload = payload - ARRAY['sealed', 'from']
    FROM unnest(${of(({ delivery }) => delivery.id)}::uuid[], ${of(({ delivery }) => delivery.attempts)}::int[],
      ${of(({ at }) => at)}::timestamptz[]) AS accepted (id, number, at)
    WHERE job.id = accepted.id AND job.attempts = accepted.number AND ${unsettled('job')} RETURNING job.id`;
  const settled = await tx.run<{ id: string }>(prepared('deliveries.settle', statement));
  const ids = new Set(settled.map(({ id }) => id));
  const sent = accepted.filter(({ delivery }) => ids.has(delivery.id));
  for (const { delivery } of sent) announceSettled(tx, delivery);
  const reminding = sent.filter(({ delivery }) => !isNotice(delivery));
  // Reminders may ask for documents, too.
  const asking = sent.filter(
    ({ delivery }) => delivery.subjectKind === documentRequestSubject || !isNotice(delivery),
  );
  await noteSent(tx, new Map(asking.map(({ delivery, at }) => [delivery.id, at])));
  if (reminding.length === 0) return;
  const reminded = reminding.map(({ delivery }) => delivery.id);
  const told = sql`
    UPDATE reminders SET state = 'TOLD' WHERE state = 'PENDING' AND id IN (
      SELECT reminder_id FROM reminder_targets WHERE delivery_id = ANY(${reminded}::uuid[]) AND reason IS NULL)`;
  const [items] = await Promise.all([readItems(tx, reminded), tx.run(prepared('reminders.told', told))]);
  await Promise.all(
    reminding.map(({ delivery, at }) =>
      logDelivery(
        tx,
        delivery,
        items.filter(({ deliveryId }) => deliveryId === delivery.id),
        at,
      ),
    ),
  );
}

/** Reason of a failed attempt. */
interface Failure {
  readonly reason: string;
  readonly failure: MailFailure;
  readonly statusCode: number | undefined;
}

/** Records a failed attempt, and when the next one is. */
async function settleRetry(
  tx: Transaction,
  delivery: ClaimedDelivery,
  { reason, failure, statusCode }: Failure,
  dueAt: Date,
): Promise<void> {
  const values = sql`
    due_at = ${dueAt}::timestamptz, last_error = ${reason}, error_code = ${failure},
    status_code = ${statusCode ?? null}::int`;
  await settleJob(tx, 'deliveries', delivery, values);
}

/** Returns why nobody was told by a delivery that was given up. */
function endingOf(failure: MailFailure, isRefused: boolean): Ending {
  if (isChatFailure(failure)) return 'chat failed';
  return isRefused ? 'refused' : 'failed';
}

/**
 * Gives a delivery up, with its event. If nobody else gets a reminder of an item, it goes to the workspace's
 * fallback address, or else to the admins.
 * @param isRefused true if the mailbox is dead: it gets no mail for a while
 */
async function settleFailed(
  tx: Transaction,
  delivery: ClaimedDelivery,
  { reason, failure, statusCode }: Failure,
  isRefused: boolean,
  now: Date,
): Promise<void> {
  const values = sql`
    state = 'FAILED', due_at = NULL, settled_at = ${now}::timestamptz, last_error = ${reason},
    error_code = ${failure}, status_code = ${statusCode ?? null}::int, payload = payload - ARRAY['sealed', 'from']`;
  if (!(await settleJob(tx, 'deliveries', delivery, values))) return;
  announceSettled(tx, delivery);
  if (isRefused) {
    const { organizationId, address } = delivery;
    const until = addDays(now, refusedDays);
    const refused = { scope: 'ALL', scopeId: null, reason: 'REFUSED', until } as const;
    await suppressAddress(tx, { organizationId, address, ...refused }, now);
  }
  if (delivery.subjectKind !== failedSubject) await tellChannels(tx, delivery, reason, now);
  if (isNotice(delivery)) return;
  const items = await readItems(tx, [delivery.id]);
  await tellFallback(tx, delivery, endingOf(failure, isRefused), now);
  await logDelivery(tx, delivery, items, now, reason);
}

/** Tells the chat channels of a workspace that hear of failures. */
async function tellChannels(
  tx: Transaction,
  { id, organizationId, teamId, address, isElsewhere }: ClaimedDelivery,
  reason: string,
  now: Date,
): Promise<void> {
  // The server's message may contain the address.
  const told = isElsewhere ? { address: somebodyElse, reason: '' } : { address, reason };
  const statement = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, payload, address, channel_id,
      due_at, created)
    SELECT md5(${id} || channel.id)::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'CHAT',
      'failed ' || ${id} || ' ' || channel.id, ${failedSubject}, ${JSON.stringify(told)}::jsonb, channel.name, channel.id,
      ${now}::timestamptz, ${now}::timestamptz
    FROM channels AS channel, deliveries AS failed
    WHERE failed.id = ${id}::uuid AND channel.team_id = ${teamId}::uuid AND channel.is_active AND channel.tells_failures
      AND channel.id IS DISTINCT FROM failed.channel_id
    ON CONFLICT DO NOTHING`;
  await tx.run(prepared('deliveries.tell_channels', statement));
}

/**
 * Sends a failed delivery's reminders to others if nobody else gets them. Silence would look as if nothing
 * were due. Addresses that already failed for the same reminder are not tried again. A reminder is over if the rest of
 * its recipients are told at another time.
 * @param reason why none of its targets gets it; null if only targets with a reason of their own do not
 */
export async function tellFallback(
  tx: Transaction,
  { id, organizationId, teamId, attempts }: ClaimedDelivery,
  reason: Ending | null,
  now: Date,
): Promise<void> {
  const isAll = reason !== null;
  const held = [...heldReasons];
  // Nobody else gets reminders of the demo.
  const isDemo = isDemoWorkspace(teamId, organizationId);
  const statement = sql`
    WITH failed AS (
      UPDATE reminder_targets SET reason = coalesce(reason, ${reason})
      WHERE delivery_id = ${id}::uuid AND (${isAll} OR reason IS NOT NULL) AND (reason = ANY(${held})) IS NOT TRUE
      RETURNING reminder_id, recipient_key
    ), alone AS (
      SELECT reminder.id, reminder.item_id, reminder.expiration_date FROM reminders AS reminder
      JOIN failed ON failed.reminder_id = reminder.id
      -- What somebody has postponed goes to others only if their mail failed.
      WHERE reminder.state = 'PENDING' AND (${isAll} OR reminder.recipient_key IS NULL) AND NOT EXISTS (
        SELECT FROM reminder_targets AS other WHERE other.reminder_id = reminder.id
          AND other.recipient_key <> failed.recipient_key AND (other.reason IS NULL OR other.reason = ANY(${held})))
    ), people AS (
      SELECT DISTINCT ON (natural_key(address)) address, 'mail:' || natural_key(address) AS recipient_key
      FROM (
        SELECT reminder_fallback_address AS address FROM teams WHERE id = ${teamId}::uuid
        UNION ALL
        SELECT person.email FROM users AS person JOIN teams ON teams.id = ${teamId}::uuid
        WHERE person.organization_id = ${organizationId}::uuid AND person.is_active
          AND teams.reminder_fallback_address IS NULL
          AND ${administersSql}
      ) AS candidate
      WHERE NOT ${isDemo} AND natural_key(address) IS NOT NULL AND NOT EXISTS (
        SELECT FROM suppressions AS suppression
        WHERE suppression.organization_id = ${organizationId}::uuid AND suppression.address_key = natural_key(address)
          AND suppression.scope = 'ALL' AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz))
    ), told AS (
      SELECT alone.id AS reminder_id, alone.item_id, people.*, ${maxSingles} < (
        SELECT count(DISTINCT one.item_id) FROM alone AS one) AS is_digest
      FROM alone CROSS JOIN people
      WHERE NOT EXISTS (
        SELECT FROM reminder_targets AS known
        WHERE known.reminder_id = alone.id AND known.recipient_key = people.recipient_key)
    ), planned AS (
      SELECT *, CASE WHEN is_digest THEN ${`${id} ${attempts} ${reason ?? ''}`} ELSE reminder_id::text END AS of FROM told
    ), queued AS (
      INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, address, due_at,
        created)
      SELECT DISTINCT md5(of || recipient_key)::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL'::delivery_kind,
        'fallback ' || of || recipient_key, CASE WHEN is_digest THEN 'digest' ELSE 'item' END,
        CASE WHEN NOT is_digest THEN item_id END, address, ${now}::timestamptz, ${now}::timestamptz
      FROM planned ON CONFLICT DO NOTHING
    ), linked AS (
      INSERT INTO reminder_targets (reminder_id, recipient_key, address, delivery_id)
      SELECT reminder_id, recipient_key, address, md5(of || recipient_key)::uuid FROM planned ON CONFLICT DO NOTHING
    )
    UPDATE reminders SET reason = 'without recipient',
      state = CASE WHEN id IN (SELECT reminder_id FROM planned) THEN state ELSE 'SKIPPED' END
    WHERE id IN (SELECT id FROM alone)`;
  await tx.run(prepared('reminders.fallback', statement));
  const withhold = sql`
    UPDATE reminders AS reminder SET state = 'SKIPPED', reason = target.reason
    FROM reminder_targets AS target
    WHERE target.reminder_id = reminder.id AND (target.reason = ANY(${held}) OR reminder.recipient_key IS NOT NULL)
      AND reminder.state = 'PENDING'
      AND reminder.id IN (SELECT reminder_id FROM reminder_targets WHERE delivery_id = ${id}::uuid)
      AND NOT EXISTS (
        SELECT FROM reminder_targets AS other WHERE other.reminder_id = reminder.id AND other.reason IS NULL)`;
  await tx.run(prepared('reminders.withhold_rest', withhold));
}
