import { v5 as uuidv5 } from 'uuid';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate, todayIn } from '../../domain/dates.js';
import { listPage } from '../../domain/doors/paths.js';
import { type DigestTimes, dayAt, nextDigest } from '../../domain/reminders/slots.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { allIsWellMail } from '../../mail/all-is-well-mail.js';
import { type MailContent, pickLanguage } from '../../mail/mail.js';
import { seesSql } from '../../records/sees.js';
import type { Place } from '../evaluate/plan-deliveries.js';
import { digestSettingSql } from '../queries/digest-settings.js';
import { allIsWellSubject, type ClaimedDelivery, cancelDelivery, missingSubject } from './queue.js';

const hourMs = 3_600_000;

/** Milliseconds before its time in which a mail is queued. A day has at most 25 hours. */
const ahead = 36 * hourMs;

/** Milliseconds without a mail after which one says that all is well. A week, less the time that a mail may take. */
const silentFor = 6.5 * 24 * hourMs;

/** Milliseconds after its time from which a mail is no longer sent. The next one says the same. */
const keptFor = 48 * hourMs;

/** Milliseconds until a mail looks again whether what is due was sent. */
const againAfter = 5 * 60_000;

/** People of a workspace whose wishes are looked at in one transaction. */
const pageSize = 2_000;

interface Wish extends Omit<DigestTimes, 'mode'> {
  readonly recipientKey: string;
  readonly address: string;
  readonly timezone: string | null;
  /** Kinds of the mails. Null for the last one of a full page if that one wants none. */
  readonly wanted: readonly string[] | null;
  /** Set for the last one of a full page. */
  readonly lastId: string | null;
}

/** SQL condition that somebody wants a weekly mail. Only users may know what is missing. */
const wantsSql = sql`(wish.all_is_well OR person.is_user AND wish.what_is_missing)`;

/** SQL for the kinds of the weekly mails that somebody wants. */
const wantedSql = sql`array_remove(ARRAY[CASE WHEN wish.all_is_well THEN ${allIsWellSubject} END,
  CASE WHEN person.is_user AND wish.what_is_missing THEN ${missingSubject} END], NULL)`;

/**
 * Queues the weekly mails of those among a workspace's people who want them. Each is queued once for its day, however
 * often this runs.
 * @param after the last person of the page before
 * @returns the last person of the page; undefined if there are no more
 */
export async function queueAllIsWell(
  tx: Transaction,
  workspace: Place,
  now: Date,
  after: string | null = null,
): Promise<string | undefined> {
  const { organizationId, teamId, timezone } = workspace;
  // Nobody of a demo is real.
  if (isDemoWorkspace(teamId, organizationId)) return undefined;
  const key = sql`('mail:' || natural_key(person.email))`;
  // Most organizations have nobody who wants it: their people are not read then.
  const statement = sql`
    SELECT ${key} AS "recipientKey", person.email AS address, person.timezone, wish.weekday, wish.digest_time AS "digestTime",
      CASE WHEN ${wantsSql} THEN ${wantedSql} END AS wanted, CASE place WHEN ${pageSize} THEN person.id END AS "lastId"
    FROM (
      SELECT own.*, row_number() OVER (ORDER BY id) AS place FROM (
        SELECT id, email, timezone, true AS is_user FROM users WHERE team_id = ${teamId}::uuid AND is_active
        UNION ALL
        SELECT id, email, timezone, false FROM contacts WHERE team_id = ${teamId}::uuid AND is_active AND email IS NOT NULL
          AND NOT EXISTS (
            SELECT FROM users WHERE users.organization_id = contacts.organization_id
              AND natural_key(users.email) = natural_key(contacts.email))
      ) AS own
      WHERE id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') AND EXISTS (
        SELECT FROM recipient_settings WHERE organization_id = ${organizationId}::uuid AND (all_is_well OR what_is_missing))
      ORDER BY id LIMIT ${pageSize}
    ) AS person
    LEFT JOIN LATERAL (${digestSettingSql(sql`${organizationId}::uuid`, key)}) AS wish ON true
    WHERE ${wantsSql} OR place = ${pageSize} ORDER BY place`;
  const found = await tx.run<Wish>(prepared('all_is_well.find', statement));
  const latest = new Date(now.getTime() + ahead);
  const due = found.flatMap(({ recipientKey, address, wanted, weekday, digestTime, ...own }) => {
    if (!wanted) return [];
    const zone = own.timezone ?? timezone;
    const dueAt = nextDigest({ mode: 'WEEKLY', weekday, digestTime }, zone, now);
    if (dueAt > latest) return [];
    return wanted.map((subject) => {
      const word = subject === allIsWellSubject ? 'well' : 'missing';
      const dedupeKey = `${word} ${recipientKey} ${formatDate(dayAt(dueAt, zone))}`;
      return { id: uuidv5(dedupeKey, organizationId), dedupeKey, subject, address, dueAt };
    });
  });
  const next = found.at(-1)?.lastId ?? undefined;
  if (due.length === 0) return next;
  const insert = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, address, due_at, created)
    SELECT id, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL', key, subject, address, due, due
    FROM unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ dedupeKey }) => dedupeKey)}::text[],
      ${due.map(({ subject }) => subject)}::text[], ${due.map(({ address }) => address)}::text[], ${due.map(({ dueAt }) => dueAt)}::timestamptz[])
      AS planned (id, key, subject, address, due)
    ON CONFLICT DO NOTHING`;
  await tx.run(prepared('all_is_well.queue', insert));
  return next;
}

interface Row {
  readonly recipientKey: string;
  readonly organization: string;
  readonly timezone: string;
  readonly isUser: boolean;
  readonly isWanted: boolean;
  readonly isSuppressed: boolean;
  readonly isLate: boolean;
  /** True if a reminder to the address is on its way. */
  readonly isAwaited: boolean;
  /** Time at which a mail server last took a mail to the address. */
  readonly lastAt: Date | null;
  readonly languages: readonly (string | null)[];
  readonly watched: number;
  readonly expired: number;
  readonly next: { readonly name: string; readonly date: string } | null;
}

/** Reads what a mail says, and whether it is still wanted. No row if nobody has the address any more. */
async function readNews(tx: Transaction, delivery: ClaimedDelivery, now: Date): Promise<Row | undefined> {
  const { id, organizationId } = delivery;
  const statement = sql`
    WITH own AS (
      SELECT delivery.id, delivery.created, delivery.team_id, delivery.organization_id, natural_key(delivery.address) AS folded
      FROM deliveries AS delivery WHERE delivery.id = ${id}::uuid
    ), person AS (
      SELECT person.* FROM own JOIN users AS person ON person.organization_id = own.organization_id
        AND natural_key(person.email) = own.folded AND person.is_active
    ), contact AS (
      SELECT contact.* FROM own JOIN contacts AS contact ON contact.organization_id = own.organization_id
        AND natural_key(contact.email) = own.folded AND contact.is_active
      WHERE NOT EXISTS (SELECT FROM person)
    ), seen AS (
      SELECT told.team_id FROM (SELECT id AS team_id, organization_id, is_active FROM teams) AS told
      JOIN person ON told.organization_id = person.organization_id AND ${seesSql} WHERE told.is_active
    ), watched AS (
      SELECT item.name, item.expiration_date AS date, item.id,
        (${now}::timestamptz AT TIME ZONE team.timezone)::date AS today
      FROM (
        SELECT item.* FROM seen JOIN expiration_items AS item ON item.team_id = seen.team_id
        UNION ALL
        SELECT item.* FROM (
          SELECT item.id FROM contact JOIN expiration_items AS item ON item.contact_id = contact.id
          UNION
          SELECT link.item_id FROM contact JOIN expiration_item_contacts AS link ON link.contact_id = contact.id
        ) AS linked JOIN expiration_items AS item ON item.id = linked.id
      ) AS item JOIN teams AS team ON team.id = item.team_id AND team.is_active
      WHERE item.organization_id = ${organizationId}::uuid AND item.is_active AND NOT item.is_missing
        AND item.reminder_mode <> 'OFF' AND item.expiration_date IS NOT NULL
    )
    SELECT 'mail:' || own.folded AS "recipientKey", organization.name AS organization, home.timezone,
      EXISTS (SELECT FROM person) AS "isUser", coalesce(wish.all_is_well, false) AS "isWanted",
      ARRAY[setting.language, (SELECT language FROM person), organization.locale] AS languages,
      setting.muted_until > ${now}::timestamptz OR EXISTS (
        SELECT FROM suppressions AS suppression
        WHERE suppression.organization_id = own.organization_id AND suppression.address_key = own.folded
          AND suppression.scope = 'ALL' AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz)
      ) AS "isSuppressed",
      own.created < ${new Date(now.getTime() - keptFor)}::timestamptz AS "isLate",
      EXISTS (
        SELECT FROM deliveries AS other
        WHERE other.organization_id = own.organization_id AND natural_key(other.address) = own.folded
          AND other.kind = 'MAIL' AND other.subject_kind IN ('item', 'digest') AND other.state = 'QUEUED'
          AND (other.due_at <= ${now}::timestamptz OR other.attempts > 0)
      ) AS "isAwaited",
      (
        SELECT max(other.settled_at) FROM deliveries AS other
        WHERE other.organization_id = own.organization_id AND natural_key(other.address) = own.folded
          AND other.kind = 'MAIL' AND other.state = 'SENT' AND other.subject_kind IN ('item', 'digest', ${allIsWellSubject})
      ) AS "lastAt",
      (SELECT count(*)::int FROM watched) AS watched,
      (SELECT count(*)::int FROM watched WHERE date < today) AS expired,
      (
        SELECT json_build_object('name', name, 'date', date) FROM watched
        WHERE date >= today ORDER BY date, name, id LIMIT 1
      ) AS next
    FROM own JOIN organizations AS organization ON organization.id = own.organization_id
    JOIN teams AS home ON home.id = own.team_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = own.organization_id AND setting.recipient_key = 'mail:' || own.folded
    LEFT JOIN LATERAL (${digestSettingSql(sql`own.organization_id`, sql`('mail:' || own.folded)`)}) AS wish ON true
    WHERE EXISTS (SELECT FROM person) OR EXISTS (SELECT FROM contact)`;
  const [row] = await tx.run<Row>(prepared('all_is_well.read', statement));
  return row;
}

/** The content of a mail without items, and whose it is. */
export interface News {
  readonly content: (end: { readonly digest?: string; readonly unsubscribe?: string }) => MailContent;
  readonly recipientKey: string;
}

/**
 * Writes the weekly mail of somebody to whom nothing was sent for a week. Otherwise it is cancelled. While a reminder is
 * on its way, it waits: that one may turn out to have nothing to say.
 * @param origin the gateway's public address; without it, the mail has no link
 * @returns undefined if there is nothing to send
 */
export async function composeAllIsWell(
  tx: Transaction,
  delivery: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<News | undefined> {
  const row = await readNews(tx, delivery, now);
  const isRecent = row?.lastAt && now.getTime() - row.lastAt.getTime() < silentFor;
  const isForNobody = !row || (row.watched === 0 && !row.isUser);
  if (isForNobody || !row.isWanted || row.isSuppressed || row.isLate || isRecent) {
    const reason = row?.isSuppressed ? 'suppressed' : 'nothing to tell';
    await cancelDelivery(tx, delivery.id, row ? reason : 'inactive', now);
    return undefined;
  }
  if (row.isAwaited) {
    const again = new Date(now.getTime() + againAfter);
    const statement = sql`UPDATE deliveries SET due_at = ${again}::timestamptz WHERE id = ${delivery.id}::uuid`;
    await tx.run(prepared('all_is_well.wait', statement));
    return undefined;
  }
  const { organization, timezone, languages, watched, expired, next, lastAt, isUser, recipientKey } = row;
  const link = isUser && origin !== undefined ? listPage(origin, 'expirationItem') : undefined;
  const last = lastAt ? formatDate(todayIn(timezone, lastAt)) : undefined;
  const news = { language: pickLanguage(...languages), organization, watched, expired, next, last, link };
  return { recipientKey, content: (end) => allIsWellMail({ ...news, ...end }) };
}
