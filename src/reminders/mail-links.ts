import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { Runs, Transaction } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import { addDays, formatDate, parseDate, todayIn } from '../domain/dates.js';
import { GatewayError } from '../domain/errors.js';
import type { EventName } from '../domain/models.js';
import type { DigestTimes } from '../domain/reminders/slots.js';
import { isDemoWorkspace } from '../domain/text/demo.js';
import { capitalized } from '../domain/text/names.js';
import { acknowledgedOf } from '../items/acknowledgements.js';
import { type Language, pickLanguage } from '../mail/mail.js';
import type { LinkPurpose, RenewalProblem } from '../mail/signed-links.js';
import { logEvent } from '../records/event-logs.js';
import { mayLearnOf } from './evaluate/decide-items.js';
import { dateSql } from './evaluate/ledger.js';
import { chooseDigests } from './queries/digest-settings.js';
import { suppressAddress } from './queries/suppressions.js';
import { proposeToRecipient, renewByLink, wasRenewedFrom } from './renewal-links.js';

/** The current subject of a link. */
interface LinkSubject {
  readonly language: Language;
  readonly organizationName: string;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly contactId: string | null;
  /** The item. Undefined if its reminders have ended, or the recipient may not learn of it. */
  readonly item:
    | {
        readonly id: string;
        readonly teamId: string;
        readonly name: string;
        /** The date that the link is about, `YYYY-MM-DD`. */
        readonly date: string;
        /** Today in the workspace. */
        readonly today: Date;
        /** True if somebody has ended all reminders of the date. */
        readonly isSilent: boolean;
        /** The date that a link to renew it proposes, `YYYY-MM-DD`. Undefined if the recipient may not renew it. */
        readonly proposed?: string | undefined;
        /** True if it was renewed from the date of the link. */
        readonly isRenewed?: boolean;
      }
    | undefined;
}

interface Row {
  readonly organizationName: string;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly contactId: string | null;
  readonly languages: readonly (string | null)[];
  readonly itemId: string | null;
  readonly teamId: string;
  readonly name: string;
  readonly date: string;
  readonly timezone: string;
  readonly isSilent: boolean;
  /** The addresses that reminders of the item go to, whoever has them. */
  readonly typed: readonly string[];
  /** True if a reminder of the item, in its workspace, was for the recipient. */
  readonly wasTold: boolean;
}

/** Returns the folded address of a recipient. */
const addressOf = (recipientKey: string) => recipientKey.replace(/^mail:/, '');

/**
 * Finds the subject and the owner of a link. It asks again what was asked before the mail was sent: whether the
 * recipient may learn of the item, as it is now and where it is now.
 * @returns undefined if the organization is gone
 */
async function findLinkSubject(on: Runs, purpose: LinkPurpose, now: Date): Promise<LinkSubject | undefined> {
  const { action, organizationId, itemId, about = 'EXPIRATION', recipientKey } = purpose;
  const address = addressOf(recipientKey);
  const statement = sql`
    SELECT organization.name AS "organizationName", person.id AS "userId", person.name AS "userName",
      contact.id AS "contactId",
      ARRAY[setting.language, person.language, organization.locale] AS languages,
      item.id AS "itemId", item.team_id AS "teamId", item.name, item.date::text AS date,
      team.timezone,
      EXISTS (
        SELECT FROM acknowledgements AS ack
        WHERE ack.item_id = item.id AND ack.about = ${about}::item_date AND ack.expiration_date = item.date AND ack.silence
          AND (ack.snooze_until IS NULL OR ack.snooze_until > (${now}::timestamptz AT TIME ZONE team.timezone)::date)
      ) AS "isSilent",
      ARRAY(
        SELECT unnest(step.addresses) FROM reminder_steps AS step
        WHERE step.policy_id = coalesce(item.reminder_policy_id, category.reminder_policy_id, team.reminder_policy_id)
        UNION ALL SELECT team.reminder_fallback_address WHERE team.reminder_fallback_address IS NOT NULL
      ) AS typed,
      EXISTS (
        SELECT FROM reminders AS reminder JOIN reminder_targets AS target ON target.reminder_id = reminder.id
        WHERE reminder.item_id = item.id AND reminder.team_id = item.team_id
          AND target.recipient_key = ${recipientKey}
      ) AS "wasTold"
    FROM organizations AS organization
    LEFT JOIN LATERAL (
      SELECT item.*, ${dateSql(sql`${about}::item_date`)} AS date FROM expiration_items AS item
      WHERE item.organization_id = organization.id AND item.id = ${itemId ?? null}::uuid AND item.is_active
        AND NOT item.is_missing AND item.reminder_mode <> 'OFF'
    ) AS item ON item.date IS NOT NULL
    LEFT JOIN categories AS category ON category.id = item.category_id
    LEFT JOIN teams AS team ON team.id = item.team_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = organization.id AND setting.recipient_key = ${recipientKey}
    LEFT JOIN LATERAL (
      SELECT id, name, language FROM users
      WHERE users.organization_id = organization.id AND natural_key(email) = ${address}
      ORDER BY is_active DESC, id LIMIT 1
    ) AS person ON true
    LEFT JOIN LATERAL (
      SELECT id FROM contacts
      WHERE contacts.organization_id = organization.id AND contacts.team_id = item.team_id AND is_active
        AND natural_key(email) = ${address} ORDER BY id LIMIT 1
    ) AS contact ON true
    WHERE organization.id = ${organizationId}::uuid`;
  const [row] = await on.run<Row>(prepared('mail_links.find', statement));
  if (!row) return undefined;
  const { itemId: id, teamId, name, date, timezone, languages, typed, wasTold, isSilent, ...whose } = row;
  // Nobody of the demo exists; its reminders go to an address of their own.
  const may =
    id !== null &&
    (isDemoWorkspace(teamId, organizationId) ? wasTold : await mayLearnOf(on, id, recipientKey, typed));
  const item = may ? { id, teamId, name, date, today: todayIn(timezone, now), isSilent } : undefined;
  return {
    ...whose,
    language: pickLanguage(...languages),
    item: item && action === 'renew' ? { ...item, ...(await findRenewal(on, purpose, item, now)) } : item,
  };
}

/** Finds what a link to renew an item needs to know. */
async function findRenewal(
  on: Runs,
  { organizationId, recipientKey, date }: LinkPurpose,
  item: { readonly id: string; readonly date: string },
  now: Date,
) {
  const renewals = await proposeToRecipient(on, { organizationId, itemIds: [item.id], recipientKey }, now);
  const isRenewed =
    renewals.has(item.id) &&
    date !== undefined &&
    date !== item.date &&
    (await wasRenewedFrom(on, item.id, date));
  return { proposed: renewals.get(item.id), isRenewed };
}

/** Days by which a link can postpone a reminder. */
export const snoozeDays = [1, 3, 7, 14] as const;

const dayMs = 86_400_000;

/** Days by which a reminder can be postponed now. */
interface OfferedDays {
  readonly days: readonly number[];
  /** True if all of them are after the date. */
  readonly isAfter: boolean;
}

/** Returns the days that make sense. They are up to the date, or any once it is there. */
export function offeredDays({ date, today }: NonNullable<LinkSubject['item']>): OfferedDays {
  const left = (new Date(date).getTime() - today.getTime()) / dayMs;
  const before = snoozeDays.filter((count) => count <= left);
  return { days: before.length > 0 ? before : snoozeDays, isAfter: before.length === 0 };
}

/** Choice of the pressed button. Mail programs press none: they send an empty body. */
interface Choice {
  /** Days until the next reminder. */
  readonly days: (typeof snoozeDays)[number];
  /** Frequency of mails. */
  readonly mode: DigestTimes['mode'];
  /** True to stop only mails about this item. */
  readonly isItemOnly: boolean;
  /** True to receive mails again. */
  readonly isUndone: boolean;
  /** The date until which the item was renewed, as it was typed. */
  readonly renewedUntil?: string;
}

/** State of a link, and the result of pressing its button. */
type LinkState =
  | 'open'
  | 'done'
  | 'undone'
  /** The item has another date now. */
  | 'changed'
  /** The item has another date now, because it was renewed. */
  | 'renewed'
  /** The renewal was refused, for a `problem`. */
  | 'refused'
  /** The link opens nothing: it is none, has ended, or is nobody's any more. */
  | 'unknown';

/** Result of a link, with its subject. */
export interface LinkResult {
  readonly state: LinkState;
  readonly linked?: LinkSubject;
  /** The day of the next reminder, or the date until which it was renewed, `YYYY-MM-DD`. */
  readonly until?: string;
  /** Reason of a refusal. The typed date is none or too early, or the item itself is not valid. */
  readonly problem?: RenewalProblem;
}

/** Returns what a link would do now. It changes nothing. */
function stateOf({ action, date }: LinkPurpose, linked: LinkSubject | undefined): LinkState {
  if (!linked) return 'unknown';
  if (action === 'unsubscribe' || action === 'digest') return 'open';
  if (!linked.item || (action === 'snooze' && linked.item.isSilent)) return 'unknown';
  if (linked.item.isRenewed) return 'renewed';
  if (action === 'renew' && linked.item.proposed === undefined) return 'unknown';
  return linked.item.date === date ? 'open' : 'changed';
}

/** Shows the purpose of a link. It changes nothing, because scanners open links before people do. */
export async function lookAtLink(database: Database, purpose: LinkPurpose, now: Date): Promise<LinkResult> {
  const linked = await findLinkSubject({ run: (statement) => database.query(statement) }, purpose, now);
  return { state: stateOf(purpose, linked), ...(linked && { linked }) };
}

/** Renews an item until the date that was typed. */
async function renew(
  database: Database,
  purpose: LinkPurpose,
  typed: string,
  now: Date,
): Promise<LinkResult> {
  const looked = await lookAtLink(database, purpose, now);
  const { item, userId, userName, contactId } = looked.linked ?? {};
  const { organizationId, recipientKey, date } = purpose;
  if (looked.state !== 'open' || !item || date === undefined) return looked;
  const refused = (problem: RenewalProblem): LinkResult => ({ ...looked, state: 'refused', problem });
  const until = typed.length === date.length ? parseDate(typed) : undefined;
  if (!until) return refused('none');
  if (until <= new Date(date)) return refused('earlier');
  const { id: itemId, teamId } = item;
  const user = userId ? { id: userId, name: userName ?? '' } : undefined;
  const renewal = { organizationId, recipientKey, teamId, itemId, date, until, user };
  try {
    if (await renewByLink(database, { ...renewal, contactId: contactId ?? null }, now))
      return { ...looked, state: 'done', until: formatDate(until) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'BAD_REQUEST') throw error;
    return refused('invalid');
  }
  // Somebody else was first, or the right to renew it has ended.
  return lookAtLink(database, purpose, now);
}

/** Performs a link's action. Repeating it changes nothing more. */
export async function actOnLink(
  database: Database,
  purpose: LinkPurpose,
  choice: Choice,
  now: Date,
): Promise<LinkResult> {
  // A renewal is written like any other, in a transaction of its caller.
  if (purpose.action === 'renew') return renew(database, purpose, choice.renewedUntil ?? '', now);
  return database.inTransaction(async (tx) => {
    // A concurrent renewal of the item waits for this lock, or holds it first.
    const lock = sql`
      SELECT FROM expiration_items WHERE id = ${purpose.itemId ?? null}::uuid
        AND organization_id = ${purpose.organizationId}::uuid FOR NO KEY UPDATE`;
    if (purpose.itemId !== undefined) await tx.run(prepared('mail_links.lock', lock));
    const linked = await findLinkSubject(tx, purpose, now);
    const state = stateOf(purpose, linked);
    if (!linked || state !== 'open') return { state, ...(linked && { linked }) };
    if (purpose.action === 'unsubscribe') {
      await (choice.isUndone ? resubscribe : unsubscribe)(tx, purpose, choice.isItemOnly, now);
      return { state: choice.isUndone ? 'undone' : 'done', linked };
    }
    if (purpose.action === 'digest') {
      await chooseDigests(tx, purpose.organizationId, purpose.recipientKey, choice.mode, now);
      return { state: 'done', linked };
    }
    if (purpose.action === 'acknowledge') {
      await acknowledge(tx, purpose, linked, now);
      return { state: 'done', linked };
    }
    const until = await postpone(tx, purpose, linked, choice.days, now);
    return { state: 'done', linked, ...(until !== undefined && { until }) };
  });
}

/** Writes an event about what a link has done to an item. */
function log(
  tx: Transaction,
  { organizationId }: LinkPurpose,
  { item, userId, userName }: LinkSubject,
  type: EventName,
  description: string,
  now: Date,
): Promise<void> {
  const teamId = item?.teamId ?? '';
  const caller = { organizationId, teamIds: [teamId], user: { id: userId, name: userName } };
  const entities = [{ kind: 'expirationItem', id: item?.id ?? '' }] as const;
  return logEvent(tx, { caller, now }, { type, teamId, description, details: null, entities });
}

/** Acknowledges the date of an item. An acknowledgement that ends all reminders of the date stays. */
async function acknowledge(
  tx: Transaction,
  purpose: LinkPurpose,
  linked: LinkSubject,
  now: Date,
): Promise<void> {
  const { item, userId, contactId } = linked;
  const { about = 'EXPIRATION' } = purpose;
  if (!item) return;
  const statement = sql`
    INSERT INTO acknowledgements AS own (organization_id, team_id, item_id, about, expiration_date, user_id, contact_id,
      via, created)
    VALUES (${purpose.organizationId}::uuid, ${item.teamId}::uuid, ${item.id}::uuid, ${about}::item_date,
      ${item.date}::date, ${userId}::uuid, ${contactId}::uuid, 'LINK', ${now}::timestamptz)
    ON CONFLICT (item_id, about, expiration_date) DO UPDATE
    SET user_id = excluded.user_id, contact_id = excluded.contact_id, via = 'LINK', note = NULL,
      snooze_until = NULL, created = excluded.created
    WHERE NOT own.silence AND own.snooze_until IS NOT NULL
    RETURNING id`;
  const [written] = await tx.run(prepared('mail_links.acknowledge', statement));
  const what = `${capitalized(acknowledgedOf(item.name, about))} was acknowledged by a link in a mail`;
  if (written) await log(tx, purpose, linked, 'acknowledged', what, now);
}

/**
 * Postpones the reminders of a date for one recipient. Others are reminded as before, and nothing is acknowledged.
 * @returns the day of the next reminder
 */
async function postpone(
  tx: Transaction,
  purpose: LinkPurpose,
  linked: LinkSubject,
  days: number,
  now: Date,
): Promise<string | undefined> {
  const { item } = linked;
  if (!item) return undefined;
  const { days: offered } = offeredDays(item);
  const chosen = offered.filter((count) => count <= days).at(-1) ?? offered[0] ?? days;
  const until = formatDate(addDays(item.today, chosen));
  // Another day has another reminder, whose key in the ledger is the id.
  const statement = sql`
    INSERT INTO postponements AS own (organization_id, team_id, item_id, about, expiration_date, recipient_key, until, created)
    VALUES (${purpose.organizationId}::uuid, ${item.teamId}::uuid, ${item.id}::uuid,
      ${purpose.about ?? 'EXPIRATION'}::item_date, ${item.date}::date, ${purpose.recipientKey}, ${until}::date,
      ${now}::timestamptz)
    ON CONFLICT (item_id, about, expiration_date, recipient_key) DO UPDATE
    SET id = gen_random_uuid(), until = excluded.until, created = excluded.created
    WHERE own.until <> excluded.until
    RETURNING id`;
  const [written] = await tx.run(prepared('mail_links.postpone', statement));
  const what = `One recipient postponed reminders of expiration item "${item.name}" until ${until} by a link in a mail`;
  if (written) await log(tx, purpose, linked, 'updated', what, now);
  return until;
}

type Suppress = (tx: Transaction, purpose: LinkPurpose, isItemOnly: boolean, now: Date) => Promise<void>;

const scopeOf = ({ itemId }: LinkPurpose, isItemOnly: boolean) =>
  isItemOnly && itemId !== undefined
    ? ({ scope: 'ITEM', scopeId: itemId } as const)
    : ({ scope: 'ALL', scopeId: null } as const);

const unsubscribe: Suppress = async (tx, purpose, isItemOnly, now) => {
  const { organizationId, recipientKey } = purpose;
  const { scope, scopeId } = scopeOf(purpose, isItemOnly);
  const address = addressOf(recipientKey);
  await suppressAddress(
    tx,
    { organizationId, address, scope, scopeId, reason: 'UNSUBSCRIBED', until: null },
    now,
  );
};

/** Reverses `unsubscribe`. Addresses that a server refused or an admin suppressed stay suppressed. */
const resubscribe: Suppress = async (tx, purpose, isItemOnly) => {
  const { organizationId, recipientKey } = purpose;
  const { scope, scopeId } = scopeOf(purpose, isItemOnly);
  const statement = sql`
    DELETE FROM suppressions
    WHERE organization_id = ${organizationId}::uuid AND address_key = ${addressOf(recipientKey)}
      AND scope = ${scope}::suppression_scope AND scope_id IS NOT DISTINCT FROM ${scopeId}::uuid
      AND reason = 'UNSUBSCRIBED'`;
  await tx.run(prepared('mail_links.resubscribe', statement));
};
