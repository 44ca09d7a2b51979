import { evaluateNamed } from '../../compliance/ask.js';
import { urgenciesOf } from '../../compliance/kept.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import { compliancePage, recordPage } from '../../domain/doors/paths.js';
import { type HolderKind, holderKinds } from '../../items/holders.js';
import { complianceMail, type MailedHolder, type MailedHolders } from '../../mail/compliance-mail.js';
import { pickLanguage } from '../../mail/mail.js';
import { seesSql } from '../../records/sees.js';
import { digestSettingSql } from '../queries/digest-settings.js';
import type { News } from './all-is-well.js';
import { type ClaimedDelivery, cancelDelivery, missingSubject } from './queue.js';

/** The most records of a section that a mail lists. It only counts the others. */
const maxListed = 50;

/** Milliseconds after its time from which a weekly mail is no longer sent. The next one says the same. */
const keptFor = 48 * 3_600_000;

/** Whoever a mail is for. */
interface Recipient {
  readonly recipientKey: string;
  readonly organization: string;
  readonly workspace: string;
  readonly isUser: boolean;
  readonly isSuppressed: boolean;
  /** True if a weekly mail is not wanted any more, or late. */
  readonly isUnwanted: boolean;
  readonly languages: readonly (string | null)[];
}

/** Reads whoever a mail is for. None if nobody has the address any more. */
async function readRecipient(
  tx: Transaction,
  { id, subjectKind }: ClaimedDelivery,
  now: Date,
): Promise<Recipient | undefined> {
  const key = sql`('mail:' || own.folded)`;
  const statement = sql`
    SELECT ${key} AS "recipientKey", organization.name AS organization, home.name AS workspace,
      person.id IS NOT NULL AS "isUser", ARRAY[setting.language, person.language, organization.locale] AS languages,
      coalesce(setting.muted_until > ${now}::timestamptz, false) OR EXISTS (
        SELECT FROM suppressions AS suppression
        WHERE suppression.organization_id = own.organization_id AND suppression.address_key = own.folded
          AND suppression.scope = 'ALL' AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz)
      ) AS "isSuppressed",
      ${subjectKind === missingSubject} AND (
        wish.what_is_missing IS NOT TRUE OR own.created < ${new Date(now.getTime() - keptFor)}::timestamptz
      ) AS "isUnwanted"
    FROM (
      SELECT *, natural_key(address) AS folded FROM deliveries WHERE id = ${id}::uuid
    ) AS own
    JOIN organizations AS organization ON organization.id = own.organization_id
    JOIN teams AS home ON home.id = own.team_id
    LEFT JOIN users AS person ON person.organization_id = own.organization_id AND natural_key(person.email) = own.folded
      AND person.is_active
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = own.organization_id AND setting.recipient_key = ${key}
    LEFT JOIN LATERAL (${digestSettingSql(sql`own.organization_id`, key)}) AS wish ON true
    WHERE person.id IS NOT NULL OR EXISTS (
      SELECT FROM contacts AS contact WHERE contact.organization_id = own.organization_id
        AND natural_key(contact.email) = own.folded AND contact.is_active)`;
  const [recipient] = await tx.run<Recipient>(prepared('compliance_news.recipient', statement));
  return recipient;
}

/** A record that a mail tells of. */
interface Told {
  readonly kind: HolderKind;
  readonly id: string;
  readonly name: string | null;
  /** True if it lacks something, false if it soon will. */
  readonly lacks: boolean;
  /** Number of all that do. */
  readonly total: number;
  readonly isOneKind: boolean;
}

/** Reads the first records of each section, which the rest of a statement finds. */
function readTold(tx: Transaction, name: string, found: Sql): Promise<Told[]> {
  const statement = sql`
    SELECT * FROM (
      SELECT lower(kind::text) AS kind, holder_id AS id, name, lacks, count(*) OVER section ::int AS total,
        min(kind) OVER section = max(kind) OVER section AS "isOneKind",
        row_number() OVER (PARTITION BY lacks ORDER BY until, name, holder_id) AS place
      FROM (${found}) AS told WINDOW section AS (PARTITION BY lacks)
    ) AS told WHERE place <= ${maxListed} ORDER BY lacks DESC, place`;
  return tx.run<Told>(prepared(`compliance_news.${name}`, statement));
}

/**
 * Returns SQL for the records that a mail to somebody who watches them tells of. They still lack something, or will, and
 * whoever watches may still know.
 */
const watchedSql = ({ id }: ClaimedDelivery) => sql`
  SELECT own.kind, own.holder_id, own.name, own.until, bool_or(notice.days = 0) AS lacks
  FROM compliance_notices AS notice
  JOIN deliveries AS delivery ON delivery.id = notice.delivery_id
  JOIN watches AS watch ON watch.id = notice.watch_id AND watch.is_active
  JOIN holder_compliances AS own ON own.id = notice.compliance_id AND own.team_id = notice.team_id
  JOIN teams AS team ON team.id = own.team_id AND team.is_active
  WHERE notice.delivery_id = ${id}::uuid
    AND CASE WHEN notice.days = 0 THEN own.lacking_ids && notice.requirement_ids ELSE own.until = notice.until END
    AND EXISTS (
      SELECT FROM (SELECT own.team_id) AS told, users AS person
      WHERE person.id = watch.user_id AND natural_key(person.email) = natural_key(delivery.address) AND ${seesSql}
      UNION ALL
      SELECT FROM contacts AS person
      WHERE person.id = watch.contact_id AND natural_key(person.email) = natural_key(delivery.address) AND person.is_active)
  GROUP BY own.id`;

/** Returns SQL for all records that lack something and that a user sees. */
const missingSql = ({ id }: ClaimedDelivery) => {
  const { gte, lte } = urgenciesOf('NON_COMPLIANT');
  return sql`
    SELECT own.kind, own.holder_id, own.name, own.until, true AS lacks
    FROM deliveries AS delivery
    JOIN users AS person ON person.organization_id = delivery.organization_id
      AND natural_key(person.email) = natural_key(delivery.address)
    JOIN (
      SELECT id AS team_id, organization_id FROM teams WHERE is_active
    ) AS told ON told.organization_id = person.organization_id AND ${seesSql}
    JOIN holder_compliances AS own ON own.team_id = told.team_id AND own.urgency BETWEEN ${gte}::int AND ${lte}::int
    WHERE delivery.id = ${id}::uuid`;
};

/** Plans anew what somebody is told whose address has changed meanwhile. */
async function followAddresses(tx: Transaction, { id }: ClaimedDelivery, now: Date): Promise<void> {
  const statement = sql`
    UPDATE compliance_notices AS notice SET delivery_id = NULL, due_at = ${now}::timestamptz
    FROM watches AS watch JOIN deliveries AS delivery ON delivery.id = ${id}::uuid
    LEFT JOIN users AS person ON person.id = watch.user_id
    LEFT JOIN contacts AS contact ON contact.id = watch.contact_id
    WHERE notice.delivery_id = ${id}::uuid AND watch.id = notice.watch_id
      AND natural_key(coalesce(person.email, contact.email)) <> natural_key(delivery.address)`;
  await tx.run(prepared('compliance_notices.follow', statement));
}

/** Describes the records of a section. */
async function describe(
  tx: Transaction,
  told: readonly Told[],
  origin: string | undefined,
  now: Date,
): Promise<MailedHolders> {
  const known = new Map<string, Omit<MailedHolder, 'name' | 'link'>>();
  for (const kind of holderKinds) {
    const ids = told.filter((one) => one.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const { id, gaps, until, lapsing } of await evaluateNamed(tx, kind, ids, now)) {
      const shown = gaps.map(({ name, state, since }) => ({
        ...{ name, since: since ? formatDate(since) : undefined },
        state: state === 'EXPIRED' ? ('EXPIRED' as const) : ('MISSING' as const),
      }));
      known.set(id, { gaps: shown, until: until ? formatDate(until) : undefined, lapsing });
    }
  }
  const [first] = told;
  return {
    total: first?.total ?? 0,
    kind: first?.isOneKind ? first.kind : 'any',
    holders: told.map(({ kind, id, name }) => ({
      ...(known.get(id) ?? { gaps: [], until: undefined, lapsing: [] }),
      name: name ?? '',
      link: origin && recordPage(origin, kind, id),
    })),
  };
}

/**
 * Writes a mail about records that lack something, from what is known now. It is cancelled if there is nothing to tell.
 * @param origin the gateway's public address; without it, the mail has no link
 * @returns undefined if there is nothing to send
 */
export async function composeComplianceNews(
  tx: Transaction,
  delivery: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<News | undefined> {
  const isWeekly = delivery.subjectKind === missingSubject;
  if (!isWeekly) await followAddresses(tx, delivery, now);
  const recipient = await readRecipient(tx, delivery, now);
  const isStopped = !recipient || recipient.isSuppressed || recipient.isUnwanted;
  const found = isWeekly ? missingSql(delivery) : watchedSql(delivery);
  const told = isStopped ? [] : await readTold(tx, delivery.subjectKind, found);
  if (!recipient || told.length === 0) {
    const reason = recipient?.isSuppressed ? 'suppressed' : 'nothing to tell';
    await cancelDelivery(tx, delivery.id, recipient ? reason : 'inactive', now);
    return undefined;
  }
  const { organization, workspace, recipientKey, languages, isUser } = recipient;
  const shown = isUser ? origin : undefined;
  const [lacking, soon] = [
    await describe(
      tx,
      told.filter(({ lacks }) => lacks),
      shown,
      now,
    ),
    await describe(
      tx,
      told.filter(({ lacks }) => !lacks),
      shown,
      now,
    ),
  ];
  const { kind } = lacking.total > 0 ? lacking : soon;
  const state = lacking.total > 0 ? 'NON_COMPLIANT' : undefined;
  const news = {
    ...{ language: pickLanguage(...languages), organization, lacking, soon },
    workspace: isWeekly ? undefined : workspace,
    all:
      shown &&
      compliancePage(shown, {
        kind: kind === 'any' ? undefined : kind.toUpperCase(),
        state,
        team: isWeekly ? undefined : delivery.teamId,
      }),
  };
  return { recipientKey, content: (end) => complianceMail({ ...news, ...end }) };
}
