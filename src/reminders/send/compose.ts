import type { KeyObject } from 'node:crypto';
import { invitationLink, invitationSeal, invitationSubject } from '../../access/invitations.js';
import { hashToken } from '../../access/tokens.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { unsettled } from '../../db/queue/queue.js';
import { SecretKeyError, type Secrets } from '../../db/secrets/secrets.js';
import { sameAddressSql } from '../../db/sql/addresses.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate, todayIn } from '../../domain/dates.js';
import { type AskingSettings, usualAsking } from '../../domain/document-requests.js';
import { recordPage, toldPage } from '../../domain/doors/paths.js';
import { type AppliedText, pickOwn } from '../../domain/reminders/mail-words.js';
import type { ItemDate } from '../../domain/reminders/policy.js';
import { digestMail } from '../../mail/digest-mail.js';
import { documentRequestMail } from '../../mail/document-request-mail.js';
import { invitationMail } from '../../mail/invitation-mail.js';
import { type Language, type MailMessage, pickLanguage } from '../../mail/mail.js';
import { type ReminderEntry, reminderMail } from '../../mail/reminder-mail.js';
import { signInMail } from '../../mail/sign-in-mail.js';
import { type LinkAction, type LinkPurpose, signLink } from '../../mail/signed-links.js';
import { type DisabledCause, webhookMail } from '../../mail/webhook-mail.js';
import { mentionSubject } from '../../records/mentions.js';
import { administersSql } from '../../records/sees.js';
import { askByReminder } from '../../requests/by-reminder.js';
import { documentRequestLink, languageOf } from '../../requests/links.js';
import { documentRequestSubject, readLetter } from '../../requests/mails.js';
import { appliedTexts } from '../../resources/mail-texts.js';
import { addressOfLink, type LinkRequest, makeLink, wayOfPurpose } from '../../sign-in/sign-in-links.js';
import { dateSql } from '../evaluate/ledger.js';
import { dateKey } from '../evaluate/plan-deliveries.js';
import { proposeToRecipient } from '../renewal-links.js';
import { composeAllIsWell } from './all-is-well.js';
import { composeComplianceNews } from './compliance-news.js';
import { revalidateDelivery } from './fence.js';
import { composeMention } from './mentions.js';
import {
  allIsWellSubject,
  type ClaimedDelivery,
  cancelDelivery,
  isNotice,
  missingSubject,
  tellFallback,
  watchedSubject,
  webhookDisabledSubject,
} from './queue.js';

/** The most items that a digest lists. It only counts the others. */
const maxEntries = 500;

/** Items of a digest that have all their links. The others have the one that says who cares. */
const maxWithAllLinks = 50;

/** An item of a delivery, with its workspace and the languages of its recipient. */
interface EntryRow {
  readonly itemId: string;
  readonly name: string;
  readonly about: ItemDate;
  readonly date: Date;
  readonly expirationDate: Date | null;
  readonly details: string | null;
  readonly documentType: string | null;
  readonly assignee: string | null;
  readonly recipientKey: string;
  /** True if a step asks the recipient for the new document. */
  readonly asks: boolean;
  readonly teamId: string;
  readonly categoryId: string | null;
  readonly recipientName: string | null;
  readonly organization: string;
  readonly workspace: string;
  readonly timezone: string;
  readonly languages: readonly (string | null)[];
  /** Number of items in the delivery. */
  readonly total: number;
  /** Number of those that have expired. */
  readonly expired: number;
}

/** Reads the current items of a delivery, the most urgent first. */
function readEntries(tx: Transaction, deliveryId: string, now: Date): Promise<EntryRow[]> {
  const statement = sql`
    SELECT item.id AS "itemId", item.name, told.about, dated.date, item.expiration_date AS "expirationDate", item.details,
      category.name AS "documentType", assignee.name AS assignee, told.recipient_key AS "recipientKey", told.asks,
      item.team_id AS "teamId", item.category_id AS "categoryId", coalesce(person.name, contact.name) AS "recipientName",
      organization.name AS organization, team.name AS workspace, team.timezone,
      ARRAY[setting.language, person.language, organization.locale] AS languages,
      count(*) OVER ()::int AS total,
      count(*) FILTER (WHERE told.about = 'EXPIRATION' AND dated.date < (${now}::timestamptz AT TIME ZONE team.timezone)::date) OVER ()::int
        AS expired
    FROM (
      SELECT reminder.item_id, reminder.about, reminder.team_id, target.recipient_key,
        -- Whoever only stands in for others has no document.
        bool_or(reminder.about = 'EXPIRATION' AND coalesce(step.asks_for_document, false)
          AND reminder.reason IS DISTINCT FROM 'without recipient') AS asks
      FROM reminder_targets AS target JOIN reminders AS reminder ON reminder.id = target.reminder_id
      LEFT JOIN reminder_steps AS step ON step.id = coalesce(reminder.step_id, reminder.step_key)
      WHERE target.delivery_id = ${deliveryId}::uuid AND target.reason IS NULL
      GROUP BY reminder.item_id, reminder.about, reminder.team_id, target.recipient_key
    ) AS told
    -- An item that is moved between the check and this statement is not shown.
    JOIN expiration_items AS item ON item.id = told.item_id AND item.team_id = told.team_id
    CROSS JOIN LATERAL (SELECT ${dateSql(sql`told.about`)} AS date) AS dated
    JOIN teams AS team ON team.id = item.team_id
    JOIN organizations AS organization ON organization.id = item.organization_id
    LEFT JOIN categories AS category ON category.id = item.category_id
    LEFT JOIN users AS assignee ON assignee.id = item.assigned_to_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = item.organization_id AND setting.recipient_key = told.recipient_key
    LEFT JOIN users AS person
      ON person.organization_id = item.organization_id AND natural_key(person.email) = substr(told.recipient_key, 6)
    LEFT JOIN contacts AS contact
      ON contact.organization_id = item.organization_id AND natural_key(contact.email) = substr(told.recipient_key, 6)
    ORDER BY dated.date, item.name, item.id, told.about LIMIT ${maxEntries}`;
  return tx.run<EntryRow>(prepared('deliveries.entries', statement));
}

const dayMs = 86_400_000;

/** Locks a delivery. @returns false if another process has it by now */
export async function lockDelivery(tx: Transaction, { id, attempts }: ClaimedDelivery): Promise<boolean> {
  const lock = sql`
    SELECT FROM deliveries WHERE id = ${id}::uuid AND attempts = ${attempts}
      AND ${unsettled('deliveries')} FOR NO KEY UPDATE`;
  return (await tx.run(prepared('deliveries.lock', lock))).length > 0;
}

/**
 * Reads the current items of a delivery whose decisions still apply. Others are cancelled, and the delivery,
 * too, if nothing is left.
 */
export async function standingEntries(
  tx: Transaction,
  delivery: ClaimedDelivery,
  now: Date,
): Promise<readonly EntryRow[]> {
  const { standing, hasLostTargets } = await revalidateDelivery(tx, delivery.id, now);
  if (hasLostTargets) await tellFallback(tx, delivery, null, now);
  return standing.length === 0 ? [] : readEntries(tx, delivery.id, now);
}

/** Returns an item as messages show it, without links. */
export function entryOf(row: EntryRow, now: Date): Omit<ReminderEntry, 'links'> {
  const today = todayIn(row.timezone, now);
  return {
    ...{ name: row.name, documentType: row.documentType, assignee: row.assignee, details: row.details },
    ...{ about: row.about, date: formatDate(row.date) },
    ...(row.about !== 'EXPIRATION' &&
      row.expirationDate && { expirationDate: formatDate(row.expirationDate) }),
    daysLeft: Math.round((row.date.getTime() - today.getTime()) / dayMs),
  };
}

/** Opens sealed secrets, and provides the origin of links. */
interface InvitationLinks {
  readonly origin: string;
  readonly open: Secrets['open'];
}

interface InvitationRow {
  readonly sealed: string | null;
  readonly inviter: string | null;
  readonly userName: string;
  readonly organization: string;
  readonly languages: readonly (string | null)[];
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
}

/**
 * Writes the mail of an invitation. It is cancelled if its link no longer works: it was used, has expired, or
 * has been replaced.
 * @returns undefined if there is nothing to send
 * @throws SecretKeyError if the secret was sealed with another key
 */
async function composeInvitation(
  tx: Transaction,
  { id, address, messageId }: ClaimedDelivery,
  links: InvitationLinks,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT delivery.payload->>'sealed' AS sealed, delivery.payload->>'inviter' AS inviter, person.name AS "userName",
      organization.name AS organization, ARRAY[person.language, organization.locale] AS languages, invitation.hash,
      invitation.expires_at AS "expiresAt"
    FROM deliveries AS delivery
    JOIN users AS person ON person.id = delivery.subject_id AND person.organization_id = delivery.organization_id
    JOIN organizations AS organization ON organization.id = person.organization_id
    JOIN invitations AS invitation ON invitation.user_id = person.id
    WHERE delivery.id = ${id}::uuid AND person.is_active AND invitation.used_at IS NULL
      AND invitation.expires_at > ${now}::timestamptz`;
  const [row] = await tx.run<InvitationRow>(prepared('deliveries.invitation', statement));
  const secret = row?.sealed && (await links.open(Buffer.from(row.sealed, 'base64'), invitationSeal(id)));
  if (!secret || !hashToken(secret).equals(row.hash)) {
    await cancelDelivery(tx, id, 'the link opens nothing any more', now);
    return undefined;
  }
  const { userName, organization, inviter, languages, expiresAt } = row;
  const language = pickLanguage(...languages);
  const link = invitationLink(links.origin, secret);
  const letter = { language, organization, userName, inviter, until: formatDate(expiresAt), link };
  return { ...invitationMail(letter), to: address, messageId };
}

/** Milliseconds for which somebody waits for a link. A later mail would only be a riddle. */
const waitsFor = 3_600_000;

interface SignInLinkRow extends LinkRequest {
  readonly userId: string;
  readonly userName: string;
  readonly organization: string;
  readonly languages: readonly (string | null)[];
  readonly ways: readonly string[];
}

/**
 * Writes the mail with a link for signing in, and makes the link. Each attempt has a link of its own, so that
 * the queue keeps no secret, and the time for using it begins with the attempt. The mail is cancelled if it
 * comes too late, or its user may not use the link any more.
 * @returns undefined if there is nothing to send
 */
async function composeSignInLink(
  tx: Transaction,
  { id, address, messageId, organizationId }: ClaimedDelivery,
  origin: string,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT person.id AS "userId", person.name AS "userName", organization.name AS organization,
      delivery.payload->>'purpose' AS purpose, delivery.payload->'from' AS "from",
      organization.sign_in_ways::text[] AS ways, ARRAY[person.language, organization.locale] AS languages
    FROM deliveries AS delivery
    JOIN users AS person ON person.id = delivery.subject_id AND person.organization_id = delivery.organization_id
    JOIN organizations AS organization ON organization.id = person.organization_id
    WHERE delivery.id = ${id}::uuid AND person.is_active
        AND ${sameAddressSql(sql`person.email`, sql`delivery.address`)}
      AND NOT (person.subject IS NOT NULL AND organization.issuer_alone)
      AND delivery.created > ${new Date(now.getTime() - waitsFor)}::timestamptz`;
  const [row] = await tx.run<SignInLinkRow>(prepared('deliveries.sign_in_link', statement));
  if (!row?.ways.includes(wayOfPurpose[row.purpose])) {
    await cancelDelivery(tx, id, 'the link opens nothing any more', now);
    return undefined;
  }
  const { userId, userName, organization, purpose, from } = row;
  const secret = await makeLink(tx, { id: userId, organizationId }, { purpose, email: address }, now);
  const letter = {
    ...{ language: pickLanguage(...row.languages), organization, userName, isReset: purpose === 'RESET' },
    ...{ browser: from.browser, address: from.address, link: addressOfLink(origin, purpose, secret) },
  };
  return { ...signInMail(letter), to: address, messageId };
}

interface WebhookDisabledRow {
  readonly organization: string;
  readonly name: string;
  readonly host: string;
  readonly cause: DisabledCause;
  readonly languages: readonly (string | null)[];
}

/**
 * Writes the mail about a webhook endpoint that was disabled. It is cancelled if its recipient no longer
 * administers the organization.
 * @param origin the gateway's public address; without it, the mail has no link
 * @returns undefined if there is nothing to send
 */
async function composeWebhookDisabled(
  tx: Transaction,
  { id, address, messageId }: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<MailMessage | undefined> {
  const statement = sql`
    SELECT organization.name AS organization, delivery.payload->>'name' AS name, delivery.payload->>'host' AS host,
      delivery.payload->>'cause' AS cause, ARRAY[person.language, organization.locale] AS languages
    FROM deliveries AS delivery
    JOIN organizations AS organization ON organization.id = delivery.organization_id
    JOIN users AS person ON person.organization_id = organization.id AND person.is_active
      AND ${administersSql} AND ${sameAddressSql(sql`person.email`, sql`delivery.address`)}
    WHERE delivery.id = ${id}::uuid LIMIT 1`;
  const [row] = await tx.run<WebhookDisabledRow>(prepared('deliveries.webhook_disabled', statement));
  if (!row) {
    await cancelDelivery(tx, id, 'inactive', now);
    return undefined;
  }
  const { languages, ...about } = row;
  const link = origin && `${origin}/settings/webhooks`;
  return { ...webhookMail({ ...about, language: pickLanguage(...languages), link }), to: address, messageId };
}

/** Asks the recipient of a reminder for the new documents of its items. @returns the link, by the items */
async function askForDocuments(
  tx: Transaction,
  { id: deliveryId, organizationId, teamId, address, isElsewhere }: ClaimedDelivery,
  rows: readonly EntryRow[],
  {
    language,
    links,
    asking,
    now,
  }: {
    readonly language: Language;
    readonly links: LinkMaker;
    readonly asking: AskingSettings;
    readonly now: Date;
  },
): Promise<(row: EntryRow) => string | undefined> {
  // Whoever is a contact of another workspace is not known here.
  const itemIds = isElsewhere ? [] : rows.filter(({ asks }) => asks).map(({ itemId }) => itemId);
  const mail = { deliveryId, organizationId, teamId, address, language, itemIds };
  const asked = await askByReminder(tx, mail, links.key, now, asking);
  const url = asked && documentRequestLink(links.origin, asked.secret);
  return ({ itemId, about }) => (about === 'EXPIRATION' && asked?.itemIds.has(itemId) ? url : undefined);
}

/** Creates the links of mails. Without the gateway's public address there are none. */
export interface LinkMaker extends InvitationLinks {
  readonly key: KeyObject;
}

/**
 * Writes the mail that asks for documents. It is cancelled if nothing is asked any more.
 * @returns undefined if there is nothing to send
 */
async function composeRequest(
  tx: Transaction,
  { id, address, messageId, organizationId, teamId }: ClaimedDelivery,
  { origin, key }: LinkMaker,
  linkTo: (action: LinkAction, recipientKey: string) => string | undefined,
  now: Date,
): Promise<MailMessage | undefined> {
  const letter = await readLetter(tx, id, key, now);
  const [first] = letter?.asked ?? [];
  if (!letter || !first) {
    await cancelDelivery(tx, id, 'the link opens nothing any more', now);
    return undefined;
  }
  const { asked, isAgain, expiresAt, recipientKey, secret } = letter;
  const language = languageOf(asked);
  const unsubscribe = linkTo('unsubscribe', recipientKey);
  const about = { organizationId, teamId, categoryId: null };
  const own = pickOwn(language, await tx.run<AppliedText>(appliedTexts(about)));
  return {
    ...documentRequestMail({
      ...{ language, organization: first.organization, asked, isAgain, until: formatDate(expiresAt) },
      ...{ link: documentRequestLink(origin, secret), unsubscribe },
    }),
    ...{ senderName: own.senderName, replyTo: own.replyTo, to: address, messageId, unsubscribe },
  };
}

/** Writers of mails without items, by the kinds of their deliveries. */
const newsComposers: ReadonlyMap<string, typeof composeAllIsWell> = new Map([
  [allIsWellSubject, composeAllIsWell],
  [watchedSubject, composeComplianceNews],
  [missingSubject, composeComplianceNews],
  [mentionSubject, composeMention],
]);

/**
 * Writes the mail of a delivery from the current data. It first checks whether the decisions still apply;
 * others are cancelled.
 * @returns undefined if there is nothing to send, or another process has the delivery by now
 * @throws SecretKeyError if the link of an invitation or for signing in cannot be created here
 */
export async function composeMail(
  tx: Transaction,
  delivery: ClaimedDelivery,
  links: LinkMaker | undefined,
  now: Date,
  asking: AskingSettings = usualAsking,
): Promise<MailMessage | undefined> {
  if (!(await lockDelivery(tx, delivery))) return undefined;
  if (delivery.subjectKind === webhookDisabledSubject)
    return composeWebhookDisabled(tx, delivery, links?.origin, now);
  const linkTo = (action: LinkAction, recipientKey: string, item: Partial<LinkPurpose> = {}) => {
    const { organizationId } = delivery;
    const purpose = { itemId: undefined, date: undefined, ...item, action, organizationId, recipientKey };
    return links && `${links.origin}/r/${signLink(links.key, purpose, now)}`;
  };
  const composeNews = newsComposers.get(delivery.subjectKind);
  if (composeNews) {
    const news = await composeNews(tx, delivery, links?.origin, now);
    if (!news) return undefined;
    const [digest, unsubscribe] = (['digest', 'unsubscribe'] as const).map((action) =>
      linkTo(action, news.recipientKey),
    );
    const { address: to, messageId } = delivery;
    return { ...news.content({ digest, unsubscribe }), to, messageId, unsubscribe };
  }
  if (isNotice(delivery)) {
    if (!links) throw new SecretKeyError('The link needs PUBLIC_URL and the same key as `serve`.');
    if (delivery.subjectKind === documentRequestSubject)
      return composeRequest(tx, delivery, links, linkTo, now);
    return delivery.subjectKind === invitationSubject
      ? composeInvitation(tx, delivery, links, now)
      : composeSignInLink(tx, delivery, links.origin, now);
  }
  const rows = await standingEntries(tx, delivery, now);
  const [first] = rows;
  if (!first) return undefined;
  const isDigest = first.total > 1;
  const { organizationId } = delivery;
  const link = (action: LinkAction, row?: EntryRow) =>
    linkTo(
      action,
      first.recipientKey,
      row && { itemId: row.itemId, about: row.about, date: formatDate(row.date) },
    );
  // Mail programs cut long mails off.
  const linked = rows.slice(0, links ? maxWithAllLinks : 0);
  const itemIds = linked.filter(({ about }) => about === 'EXPIRATION').map(({ itemId }) => itemId);
  const { recipientKey } = first;
  const dates = await proposeToRecipient(tx, { organizationId, itemIds, recipientKey }, now);
  const renewal = (row: EntryRow) => {
    const date = row.about === 'EXPIRATION' ? dates.get(row.itemId) : undefined;
    const url = date && link('renew', row);
    return url ? { url, date } : undefined;
  };
  const language = pickLanguage(...first.languages);
  const send = links
    ? await askForDocuments(tx, delivery, linked, { language, links, asking, now })
    : () => undefined;
  const entries = rows.map((row, place): ReminderEntry => {
    const others = place < maxWithAllLinks && {
      send: send(row),
      open: links && recordPage(links.origin, 'expirationItem', row.itemId),
      renew: renewal(row),
      snooze: link('snooze', row),
    };
    return { ...entryOf(row, now), links: { acknowledge: link('acknowledge', row), ...others } };
  });
  const unsubscribe = link('unsubscribe', isDigest ? undefined : first);
  const host = delivery.messageId.replace(/^.*@|>$/g, '');
  const { workspace, total, expired, organization } = first;
  const about = { organizationId, teamId: first.teamId, categoryId: isDigest ? null : first.categoryId };
  const own = pickOwn(language, await tx.run<AppliedText>(appliedTexts(about)));
  const recipient = first.recipientName ?? delivery.address;
  const all = links && toldPage(links.origin, delivery.id);
  const end = { digest: link('digest'), unsubscribe };
  const reminder = { language, workspace, organization, own, recipient, entries, ...end };
  return {
    ...(isDigest ? digestMail({ ...reminder, total, expired, all }) : reminderMail(reminder)),
    ...{ senderName: own.senderName, replyTo: own.replyTo },
    to: delivery.address,
    messageId: delivery.messageId,
    thread: isDigest ? undefined : `<${first.itemId}.${dateKey(first).replace(' ', '.')}@${host}>`,
    unsubscribe,
  };
}
