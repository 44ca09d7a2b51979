import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/connection/database.js';
import { isLockTimeout, isOutage } from '../db/connection/errors.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { notFrozen } from '../db/queue/queue.js';
import { columnsSql, type EnumOf } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import { gatewayCaller } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import {
  type AskingSettings,
  askingLimits,
  type RequestStep,
  stateAfter,
  statesBefore,
  usualAsking,
} from '../domain/document-requests.js';
import type { EventName } from '../domain/models.js';
import { newId } from '../domain/rules.js';
import { isDemoWorkspace } from '../domain/text/demo.js';
import { dropHeld, mailsOfDaySql, tellRequest } from './ask.js';
import type { DocumentRequest } from './document-requests.js';
import { type AskedDocument, endingSql, keepSecret, readAsked } from './links.js';

/** Kind of deliveries that ask for documents. */
export const documentRequestSubject = 'documentRequest';

const dayMs = 86_400_000;

/** Requests and links that one transaction deals with. */
const page = 100;

/** Reasons in the words of events. */
const endings: Readonly<Record<EnumOf<'DocumentRequestEnding'>, string>> = {
  MEMBER: 'somebody cancelled it',
  MET: 'a valid document arrived another way',
  ITEM_GONE: 'the item to renew is gone',
  HOLDER_GONE: 'the record whose document it is is gone',
  TYPE_GONE: 'the document type is gone',
  RECIPIENT_GONE: 'the recipient is gone, or has another address',
  NOT_REQUIRED: 'the requirement that needs it is no longer in use, or applies to the record no more',
  EXEMPT: 'the record was exempted from the requirement',
};

/** Stores a step that the gateway itself takes with a locked request, and its event. */
async function takeOwnStep(
  tx: Transaction,
  request: DocumentRequest,
  step: RequestStep,
  values: Pick<DocumentRequest, 'ending' | 'sentAt' | 'settledAt'>,
  [type, what]: readonly [EventName, string],
  now: Date,
): Promise<void> {
  const changed = { ...request, ...values, state: stateAfter(request.state, step) ?? request.state };
  const statement = sql`
    UPDATE document_requests SET state = ${changed.state}::document_request_state,
      ending = ${changed.ending}::document_request_ending, sent_at = ${changed.sentAt}::timestamptz,
      settled_at = ${changed.settledAt}::timestamptz, modified = ${nextModified(now, request.modified)}::timestamptz
    WHERE id = ${request.id}::uuid`;
  await tx.run(prepared('document_requests.step', statement));
  const caller = gatewayCaller(request.organizationId, request.teamId);
  await tellRequest(tx, { caller, now }, changed, type, what);
}

/** Open requests that one transaction looks at. What each needs is looked up in up to ten tables. */
const lookedAt = 1_000;

/** Place of a walk through all open requests. */
interface Walk {
  /** The request after which it goes on; undefined for its beginning. */
  after?: string | undefined;
  /** The most that it looks at next, if a failure has made them fewer. */
  count?: number;
}

/** Called with the id of a request or link that fails. It is tried again later. */
type OnFault = (error: Error, id: string) => void;

/**
 * Ends requests that are not needed any more, and those whose link has ended. Several processes may do so at once. After a
 * failure, half as many are looked at, so that in the end only the request is passed by that fails.
 * @returns whether there may be more to end among those of this look
 * @throws temporary errors. The walk moves on all the same, because a single lock may be the cause
 */
export async function closeRequests(
  database: Database,
  now: Date,
  walk: Walk = {},
  onFault?: OnFault,
): Promise<boolean> {
  const { after, count = lookedAt } = walk;
  let ids: readonly string[] = [];
  try {
    const isMore = await database.inTransaction(async (tx) => {
      ids = (await findOpen(tx, after)).slice(0, count);
      walk.after = ids[count - 1];
      const ended = await endUnneeded(tx, ids, now);
      if (ended.length === page) walk.after = ended.at(-1);
      return ended.length === page;
    });
    walk.count = Math.min(2 * count, lookedAt);
    return isMore || (count < lookedAt && walk.after !== undefined);
  } catch (error) {
    const [first, ...others] = ids;
    if (!first || isOutage(error) || isLockTimeout(error)) throw error;
    walk.after = others.length > 0 ? after : first;
    walk.count = Math.ceil(ids.length / 2);
    if (others.length === 0) onFault?.(error as Error, first);
    return true;
  }
}

/** SQL for the states of open requests. They are literals, so that the index has only these. */
const openSql = raw(
  statesBefore('lapsed')
    .map((state) => `'${state}'`)
    .join(),
);

/** Finds the next open requests, by their ids. */
async function findOpen(tx: Transaction, after: string | undefined): Promise<string[]> {
  const find = sql`
    SELECT id FROM document_requests AS record
    WHERE state IN (${openSql}) AND id > coalesce(${after ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
      AND ${notFrozen('record')}
    ORDER BY id LIMIT ${raw(String(lookedAt))}`;
  return (await tx.run<{ id: string }>(prepared('document_requests.open', find))).map(({ id }) => id);
}

/** Ends those of some requests that have to end, at most a page. @returns their ids */
async function endUnneeded(tx: Transaction, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const statement = sql`
    SELECT ${columnsSql('DocumentRequest')}, why.ending AS why FROM document_requests AS record
    CROSS JOIN LATERAL (
      SELECT ${endingSql(now)} AS ending, link.expires_at FROM (SELECT record.*) AS request
      LEFT JOIN document_request_links AS link ON link.id = request.link_id
    ) AS why
    WHERE record.id = ANY (${[...ids]}::uuid[]) AND record.state IN (${openSql})
      AND (why.ending IS NOT NULL OR why.expires_at <= ${now}::timestamptz)
    ORDER BY record.id LIMIT ${page} FOR NO KEY UPDATE OF record SKIP LOCKED`;
  const rows = await tx.run<DocumentRequest & { readonly why: EnumOf<'DocumentRequestEnding'> | null }>(
    prepared('document_requests.unneeded', statement),
  );
  for (const { why, ...request } of rows) {
    // Parts of an answer that never came whole.
    if (why) await dropHeld(tx, request);
    const values = { ending: why, sentAt: request.sentAt, settledAt: now };
    const told = why
      ? (['request cancelled', `was cancelled, because ${endings[why]}`] as const)
      : (['request lapsed', 'lapsed, because its link ended without an answer'] as const);
    await takeOwnStep(tx, request, why ? 'cancelled' : 'lapsed', values, told, now);
  }
  return rows.map(({ id }) => id);
}

interface DueLink {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly mails: number;
  readonly address: string | null;
  readonly isSuppressed: boolean;
  /** Milliseconds until the first due day, if it is ahead. */
  readonly dueOn: Date | null;
  /** Days until the next mail, if a requirement says so. */
  readonly everyDays: number | null;
  /** Mails of the last day to the recipient, and of the workspace. */
  readonly own: number;
  readonly ofTeam: number;
}

/**
 * Queues the mails that are due, one for each recipient, and plans the next ones. Each is queued once, however many
 * processes do this. Beyond the most of a day, mails wait, and so does one that cannot be queued.
 * @returns whether there may be more
 */
export function queueRequestMails(
  database: Database,
  now: Date,
  asking: AskingSettings = usualAsking,
  onFault?: OnFault,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    // One process counts the mails of a day at a time. Two would each queue the last one.
    const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended('mails that ask for documents', 0))`;
    await tx.run(prepared('document_request_links.lock_queueing', lock));
    const statement = sql`
      SELECT link.id, link.organization_id AS "organizationId", link.team_id AS "teamId", link.mails, open.address,
        open.due_on AS "dueOn", open.every_days AS "everyDays", EXISTS (
          SELECT FROM suppressions AS suppression WHERE suppression.organization_id = link.organization_id
            AND 'mail:' || suppression.address_key = link.recipient_key AND suppression.scope = 'ALL'
            AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz)
        ) AS "isSuppressed", day.own, day.of_team AS "ofTeam"
      FROM document_request_links AS link
      CROSS JOIN LATERAL (
        SELECT min(coalesce(request.email, recipient.email)) AS address,
          min(coalesce(request.every_days, ${asking.mailDays}::int)) AS every_days,
          min(request.due_on) FILTER (WHERE request.due_on::timestamptz > ${now}::timestamptz) AS due_on
        FROM document_requests AS request LEFT JOIN contacts AS recipient ON recipient.id = request.recipient_id
        WHERE request.link_id = link.id AND request.state IN ('OPEN', 'SENT', 'OPENED')
      ) AS open
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS of_team, count(*) FILTER (WHERE mail.subject_id = link.id)::int AS own
        ${mailsOfDaySql(sql`link.team_id`, now)}
      ) AS day
      WHERE link.next_mail_at <= ${now}::timestamptz AND ${notFrozen('link')}
      ORDER BY link.next_mail_at LIMIT ${page} FOR NO KEY UPDATE OF link SKIP LOCKED`;
    const links = await tx.run<DueLink>(prepared('document_request_links.due', statement));
    const queued = new Map<string, number>();
    for (const link of links) {
      const ofTeam = link.ofTeam + (queued.get(link.teamId) ?? 0);
      if (link.own >= askingLimits.mailsOfDay || ofTeam >= asking.perDay) {
        await postpone(tx, link, now);
        continue;
      }
      try {
        await tx.inTransaction((part) => queueMail(part, link, now, asking));
        queued.set(link.teamId, (queued.get(link.teamId) ?? 0) + 1);
      } catch (error) {
        if (isOutage(error)) throw error;
        await postpone(tx, link, now);
        onFault?.(error as Error, link.id);
        // What waits for one lock may wait for each: the others come in the next look.
        if (isLockTimeout(error)) return false;
      }
    }
    return links.length === page;
  });
}

/** Lets the mail of a locked link wait. The recipient or the workspace had too many, or it cannot be queued. */
async function postpone(tx: Transaction, { id }: DueLink, now: Date): Promise<void> {
  const later = sql`
    UPDATE document_request_links SET next_mail_at = ${now}::timestamptz + interval '1 hour' WHERE id = ${id}::uuid`;
  await tx.run(prepared('document_request_links.postpone', later));
}

/** Queues the mail of a locked link, and plans the next one. */
async function queueMail(tx: Transaction, link: DueLink, now: Date, asking: AskingSettings): Promise<void> {
  const { id, organizationId, teamId, mails, address, dueOn, isSuppressed } = link;
  const everyDays = link.everyDays ?? asking.mailDays;
  const isSent = address !== null && !isDemoWorkspace(teamId, organizationId);
  const next = new Date(now.getTime() + everyDays * dayMs);
  const nextAt = dueOn && dueOn < next ? dueOn : next;
  const plan = sql`
    UPDATE document_request_links SET mails = mails + 1,
      next_mail_at = ${isSent && mails + 1 < asking.mails ? nextAt : null}::timestamptz,
      expires_at = ${new Date(now.getTime() + asking.linkDays * dayMs)}::timestamptz
    WHERE id = ${id}::uuid`;
  await tx.run(prepared('document_request_links.plan', plan));
  if (!isSent) return;
  const deliveryId = newId();
  const insert = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, payload, address, state,
      due_at, settled_at, last_error, created)
    VALUES (${deliveryId}::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL', ${`request ${deliveryId}`},
      ${documentRequestSubject}, ${id}::uuid, ${JSON.stringify({ again: mails > 0 })}::jsonb, ${address},
      ${isSuppressed ? 'SUPPRESSED' : 'QUEUED'}::delivery_state, ${isSuppressed ? null : now}::timestamptz,
      ${isSuppressed ? now : null}::timestamptz, ${isSuppressed ? 'suppressed' : null}, ${now}::timestamptz)`;
  await tx.run(prepared('document_request_links.queue', insert));
  const note = sql`
    UPDATE document_requests SET delivery_id = ${deliveryId}::uuid, modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')
    WHERE link_id = ${id}::uuid AND state IN ('OPEN', 'SENT', 'OPENED')`;
  await tx.run(prepared('document_requests.mailed', note));
}

/** Content of a mail that asks for documents. */
export interface RequestLetter {
  readonly asked: readonly AskedDocument[];
  readonly secret: string;
  /** The last day of the link. */
  readonly expiresAt: Date;
  readonly recipientKey: string;
  readonly isAgain: boolean;
}

/**
 * Reads what a mail asks for, and makes the secret of its link.
 * @returns undefined if nothing is asked any more
 */
export async function readLetter(
  tx: Transaction,
  deliveryId: string,
  key: KeyObject,
  now: Date,
): Promise<RequestLetter | undefined> {
  const find = sql`
    SELECT link.id, link.round, link.hash, link.expires_at AS "expiresAt", link.recipient_key AS "recipientKey",
      (delivery.payload->>'again')::boolean AS "isAgain"
    FROM deliveries AS delivery JOIN document_request_links AS link ON link.id = delivery.subject_id
    WHERE delivery.id = ${deliveryId}::uuid AND link.expires_at > ${now}::timestamptz
      AND 'mail:' || natural_key(delivery.address) = link.recipient_key
    FOR NO KEY UPDATE OF link`;
  const [link] = await tx.run<
    Pick<RequestLetter, 'expiresAt' | 'recipientKey' | 'isAgain'> & {
      id: string;
      round: number;
      hash: Uint8Array | null;
    }
  >(prepared('document_request_links.letter', find));
  if (!link) return undefined;
  const asked = (await readAsked(tx, 'id', sql`link.id = ${link.id}::uuid`, now)).filter(
    ({ isReceived }) => !isReceived,
  );
  if (asked.length === 0) return undefined;
  return { ...link, asked, secret: await keepSecret(tx, link, key) };
}

/**
 * Notes that mails were sent. What they asked for the first time is sent from now on.
 * @param sent ids of their deliveries, with the times
 */
export async function noteSent(tx: Transaction, sent: ReadonlyMap<string, Date>): Promise<void> {
  if (sent.size === 0) return;
  const statement = sql`
    SELECT ${columnsSql('DocumentRequest')} FROM document_requests AS record
    WHERE record.delivery_id = ANY(${[...sent.keys()]}::uuid[]) AND record.state = ANY (${[...statesBefore('sent')]}::document_request_state[])
    ORDER BY record.id FOR NO KEY UPDATE`;
  const rows = await tx.run<DocumentRequest>(prepared('document_requests.sent', statement));
  for (const request of rows) {
    const at = sent.get(request.deliveryId ?? '');
    if (!at) continue;
    const values = { ending: null, sentAt: request.sentAt ?? at, settledAt: null };
    await takeOwnStep(tx, request, 'sent', values, ['request sent', 'was sent'], at);
  }
}
