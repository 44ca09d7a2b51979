import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { Loop } from '../../db/queue/loop.js';
import { claimJobs, type Keep, type QueueWorkerSettings, startQueueWorker } from '../../db/queue/queue.js';
import type { Secrets } from '../../db/secrets/secrets.js';
import type { RowOf } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { listPage, recordPage } from '../../domain/doors/paths.js';
import { fillTemplate, pickLanguage } from '../../mail/mail.js';
import { reminderLines } from '../../mail/reminder-mail.js';
import { askedTime, type Post, type PostResult } from '../../outbound/outbound.js';
import type { DeliveryOutcome, OnDelivered } from '../reminder-worker.js';
import { entryOf, lockDelivery, standingEntries } from '../send/compose.js';
import {
  type ClaimedDelivery,
  cancelDelivery,
  failedSubject,
  isCompleteSql,
  settleDelivery,
} from '../send/queue.js';
import { type ChatMessage, chatProblem, sendToChannel } from './chat-service.js';
import { chatTexts } from './chat-texts.js';

/** Days before a date from which a message hurries. */
const soonDays = 7;

/** Writes the message about a mail that could not be delivered. */
async function composeFailure(
  tx: Transaction,
  { id }: ClaimedDelivery,
  origin: string | undefined,
): Promise<ChatMessage> {
  const statement = sql`
    SELECT delivery.payload->>'address' AS address, delivery.payload->>'reason' AS reason,
      organization.locale AS language
    FROM deliveries AS delivery JOIN organizations AS organization ON organization.id = delivery.organization_id
    WHERE delivery.id = ${id}::uuid`;
  const [row] = await tx.run<{ address: string; reason: string; language: string | null }>(
    prepared('deliveries.failure', statement),
  );
  const { failed, open: linkLabel } = chatTexts[pickLanguage(row?.language)];
  const text = fillTemplate(failed.text, { address: row?.address ?? '', reason: row?.reason ?? '' });
  const link = origin && `${origin}/deliveries?state=FAILED`;
  return { title: failed.title, lines: [text], link, linkLabel, urgency: 'soon' };
}

/**
 * Writes the message of a delivery to a channel from the current data. Decisions that no longer apply are
 * cancelled.
 * @param origin the gateway's public address; without it, the message has no link
 * @returns undefined if there is nothing to send, or another process has the delivery by now
 */
async function composeChat(
  tx: Transaction,
  delivery: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<ChatMessage | undefined> {
  if (!(await lockDelivery(tx, delivery))) return undefined;
  if (delivery.subjectKind === failedSubject) return composeFailure(tx, delivery, origin);
  const rows = await standingEntries(tx, delivery, now);
  const [first] = rows;
  if (!first) return undefined;
  const language = pickLanguage(...first.languages);
  const entries = rows.map((row) => ({ ...entryOf(row, now), links: {} }));
  const { title, lines } = reminderLines(language, first.workspace, entries, first.total);
  const least = Math.min(...entries.map(({ daysLeft }) => daysLeft));
  return {
    ...{ title, lines, linkLabel: chatTexts[language].open },
    link:
      origin &&
      (rows.length === 1
        ? recordPage(origin, 'expirationItem', first.itemId)
        : listPage(origin, 'expirationItem')),
    urgency: least < 0 ? 'expired' : least <= soonDays ? 'soon' : 'normal',
  };
}

/** Settings of the sender of chat messages. */
interface ChatSenderOptions extends QueueWorkerSettings {
  readonly secrets: Pick<Secrets, 'open'>;
  readonly post: Post;
  /** Returns the gateway's public address, for links to the console. */
  readonly origin: () => Promise<string | undefined>;
  readonly onDelivered?: OnDelivered | undefined;
}

interface ClaimedChat extends ClaimedDelivery {
  readonly channelId: string;
}

/** Reads the channel of a delivery, if it is in use. */
async function readChannel(tx: Transaction, channelId: string): Promise<RowOf<'Channel'> | undefined> {
  const statement = sql`
    SELECT id, kind::text AS kind, host, sealed_url AS "sealedUrl", sealed_token AS "sealedToken" FROM channels
    WHERE id = ${channelId}::uuid AND is_active`;
  const [channel] = await tx.run<RowOf<'Channel'>>(prepared('channels.of_delivery', statement));
  return channel;
}

/** Stores the result of an attempt, for the delivery and for its channel. */
async function settle(
  { database }: ChatSenderOptions,
  delivery: ClaimedChat,
  channel: Pick<RowOf<'Channel'>, 'kind' | 'host'>,
  result: PostResult,
  now: Date,
): Promise<DeliveryOutcome> {
  const problem = chatProblem(channel, result);
  return database.inTransaction(async (tx) => {
    const statement = sql`
      UPDATE channels SET last_error = ${problem?.reason ?? null}, last_ok_at = CASE WHEN ${problem === null} THEN ${now}::timestamptz
        ELSE last_ok_at END
      WHERE id = ${delivery.channelId}::uuid`;
    await tx.run(prepared('channels.noted', statement));
    if (problem === null) return settleDelivery(tx, delivery, { outcome: 'sent' }, now);
    const { reason, failure, isHopeless } = problem;
    const failed = { reason, failure, statusCode: result.status ?? undefined };
    if (isHopeless) return settleDelivery(tx, delivery, { outcome: 'hopeless', ...failed }, now);
    const notBefore = askedTime(result.retryAfter, now);
    return settleDelivery(tx, delivery, { outcome: 'failed', ...failed, notBefore }, now);
  });
}

/** Sends one claimed message, and stores the result. */
async function deliver(
  options: ChatSenderOptions,
  delivery: ClaimedChat,
  keep: Keep,
): Promise<DeliveryOutcome> {
  const { database, clock, post, secrets } = options;
  const origin = await options.origin();
  const [channel, message] = await database.inTransaction(async (tx) => {
    const found = await readChannel(tx, delivery.channelId);
    if (found) return [found, await composeChat(tx, delivery, origin, clock())] as const;
    await cancelDelivery(tx, delivery.id, 'inactive', clock());
    return [] as const;
  });
  if (!channel || !message) return 'cancelled';
  const result = await sendToChannel(post, secrets, channel, message);
  const now = clock();
  return keep(() => settle(options, delivery, channel, result, now));
}

/**
 * Starts sending messages to chat channels. Any number of processes may do so: each belongs to one at a time.
 * @returns the loop that claims them; stopping it also waits for those in progress
 */
export function startChatSender(options: ChatSenderOptions): Loop {
  const { database } = options;
  return startQueueWorker<ClaimedChat, DeliveryOutcome>({
    ...{ concurrency: 8, leaseMs: 60_000, ...options, onTried: options.onDelivered },
    ...{ table: 'deliveries', jobs: 'chat messages', unstored: 'lost' },
    claim: (claim) =>
      claimJobs(database, 'deliveries', claim, {
        where: sql`kind = 'CHAT' AND ${isCompleteSql(claim.now)}`,
        set: sql`first_tried_at = coalesce(first_tried_at, ${claim.now}::timestamptz)`,
        returning: sql`
          organization_id AS "organizationId", team_id AS "teamId", subject_kind AS "subjectKind", address,
          FALSE AS "isElsewhere", first_tried_at AS "firstTriedAt", '' AS "messageId", channel_id AS "channelId"`,
      }),
    work: (delivery, _signal, keep) => deliver(options, delivery, keep),
  });
}
