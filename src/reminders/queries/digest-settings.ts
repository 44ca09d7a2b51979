import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Runs, Transaction } from '../../db/connection/transaction.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { hasRight, refusalOf } from '../../domain/caller.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import type { EventEntity } from '../../domain/models.js';
import type { DigestTimes } from '../../domain/reminders/slots.js';
import { check, isUuid, rules } from '../../domain/rules.js';
import { logEvent } from '../../records/event-logs.js';
import { moveDigests, type WaitingDigest } from '../evaluate/plan-deliveries.js';

/** Ways in which somebody gets reminders. */
export const digestModes = ['SINGLE', 'DAILY', 'WEEKLY'] as const;

/** Defaults that stand for many people, by the words that name them. */
const defaults = {
  users: 'all users',
  contacts: 'all contacts',
  organization: 'the whole organization',
} as const;

/** Words that name a setting besides ids. */
export const digestWords = ['me', ...Object.keys(defaults)];

/** Origins of a setting. */
export const digestOrigins = ['OWN', 'USERS', 'CONTACTS', 'ORGANIZATION', 'NONE'] as const;

/** The setting that applies to somebody, and whose it is. */
export interface DigestSetting extends Omit<DigestTimes, 'digestTime'> {
  /** The id or the word that it was asked for by. */
  readonly id: string;
  /** `HH:mm` */
  readonly time: string;
  /** True if a mail comes each week even if nothing is due. */
  readonly allIsWell: boolean;
  /** True if a mail comes each week that says what is missing, if anything is. */
  readonly whatIsMissing: boolean;
  readonly from: (typeof digestOrigins)[number];
}

const wishRule = z
  .boolean('must be true or false')
  .nullish()
  .transform((wanted) => wanted ?? false);

/** Rules of a setting. */
export const digestRules = z.object({
  mode: z.enum(digestModes, `must be one of ${digestModes.join(', ')}`),
  weekday: z
    .int32('must be a day of the week, 1 Monday to 7 Sunday')
    .min(1, 'must be at least 1')
    .max(7, 'must be at most 7')
    .nullish()
    .transform((day) => day ?? 1),
  time: rules.timeOfDay.transform((time) => time ?? '08:00'),
  allIsWell: wishRule,
  whatIsMissing: wishRule,
});

/** Values of a setting. */
type DigestInput = Omit<z.input<typeof digestRules>, 'mode'> & { readonly mode: string };

/**
 * Returns SQL for the setting that applies to a recipient. It is their own, that of all users or of all contacts, or
 * that of the organization. The most specific one applies whole.
 */
export const digestSettingSql = (organizationId: Sql, key: Sql): Sql => {
  const address = sql`natural_key(email) = substr(${key}, 6) AND organization_id = ${organizationId}`;
  const isUser = sql`EXISTS (SELECT FROM users WHERE ${address})`;
  return sql`
    SELECT wish.mode::text AS mode, wish.weekday, wish.digest_time, wish.all_is_well, wish.what_is_missing, wish.recipient_key
    FROM recipient_settings AS wish
    WHERE wish.organization_id = ${organizationId} AND (wish.recipient_key = ${key} OR
      CASE wish.recipient_key
        WHEN 'default:users' THEN ${isUser}
        WHEN 'default:contacts' THEN EXISTS (SELECT FROM contacts WHERE ${address}) AND NOT ${isUser}
      END OR wish.recipient_key = 'default:organization')
      AND wish.recipient_key = ANY (ARRAY[${key}, 'default:users', 'default:contacts', 'default:organization'])
    ORDER BY wish.recipient_key = ${key} DESC, wish.recipient_key = 'default:organization' LIMIT 1`;
};

/** A person or a group whose setting somebody asks for. */
interface Owner {
  /** Key of the setting. */
  readonly key: string;
  readonly label: string;
  readonly teamId: string;
  readonly entities: readonly EventEntity[];
}

interface PersonRow {
  readonly id: string;
  readonly kind: 'user' | 'contact';
  readonly name: string;
  /** Null without an address. */
  readonly key: string | null;
  readonly teamId: string;
}

/** Reads a user or a contact of the organization. */
async function readPerson(on: Runs, { caller }: Session, id: string): Promise<PersonRow | undefined> {
  const statement = sql`
    SELECT id, 'user' AS kind, name, 'mail:' || natural_key(email) AS key, team_id AS "teamId" FROM users
    WHERE id = ${id}::uuid AND organization_id = ${caller.organizationId}::uuid
    UNION ALL
    SELECT id, 'contact', name, 'mail:' || natural_key(email), team_id FROM contacts
    WHERE id = ${id}::uuid AND organization_id = ${caller.organizationId}::uuid
      AND team_id = ANY(${[...caller.teamIds]}::uuid[])`;
  const [found] = await on.run<PersonRow>(prepared('digest_settings.person', statement));
  return found;
}

/** Returns the id or the word that somebody means. */
function meantBy({ caller }: Session, given: string): string | null {
  const word = given.toLowerCase();
  return word === 'me' ? caller.user.id : word;
}

/**
 * Checks that a caller may name somebody. Callers have their own setting; admins have all, because an address is the
 * whole organization's.
 * @throws GatewayError FORBIDDEN
 */
function checkMayName(session: Session, given: string): void {
  const { caller } = session;
  if (meantBy(session, given) === caller.user.id || hasRight(caller, 'administer')) return;
  throw refusalOf(caller);
}

/** Finds whose setting somebody asks for. @throws GatewayError NOT_FOUND; BAD_REQUEST for a contact without address */
async function findOwner(on: Runs, session: Session, given: string): Promise<Owner> {
  const { caller } = session;
  const id = meantBy(session, given);
  if (id !== null && Object.hasOwn(defaults, id)) {
    const label = defaults[id as keyof typeof defaults];
    return { key: `default:${id}`, label, teamId: caller.user.teamId, entities: [] };
  }
  const person = id !== null && isUuid(id) ? await readPerson(on, session, id) : undefined;
  if (!person) throw notFound('user or contact', given);
  const { kind, key, name, teamId } = person;
  if (key === null)
    throw new GatewayError('BAD_REQUEST', `Contact "${given}" has no email address that mails could go to.`);
  // A user's own workspace may be one that the caller does not see.
  const seen = caller.teamIds.includes(teamId) ? teamId : caller.user.teamId;
  const entities = kind === 'contact' ? [{ kind, id: person.id }] : [];
  return { key, label: `"${name}"`, teamId: seen, entities };
}

interface SettingRow extends Omit<DigestTimes, 'digestTime'> {
  readonly digest_time: string;
  readonly all_is_well: boolean;
  readonly what_is_missing: boolean;
  readonly recipient_key: string;
}

/** Reads the setting that applies to an owner. */
async function readSetting(on: Runs, { caller }: Session, id: string, key: string): Promise<DigestSetting> {
  const statement = digestSettingSql(sql`${caller.organizationId}::uuid`, sql`${key}::text`);
  const [row] = await on.run<SettingRow>(prepared('digest_settings.read', statement));
  const none = { mode: 'SINGLE', weekday: 1, time: '08:00', allIsWell: false, whatIsMissing: false } as const;
  if (!row) return { id, ...none, from: 'NONE' };
  const { mode, weekday, digest_time: time, recipient_key: origin } = row;
  const from =
    origin === key ? 'OWN' : (origin.replace('default:', '').toUpperCase() as DigestSetting['from']);
  return { id, mode, weekday, time, allIsWell: row.all_is_well, whatIsMissing: row.what_is_missing, from };
}

/**
 * Finds how somebody gets reminders.
 * @param id a user's or contact's id, or one of `digestWords`
 * @throws GatewayError FORBIDDEN; NOT_FOUND; BAD_REQUEST
 */
export async function findDigestSetting(session: Session, id: string): Promise<DigestSetting> {
  checkMayName(session, id);
  const on: Runs = { run: (statement) => session.lookUp(statement) };
  const { key } = await findOwner(on, session, id);
  return readSetting(on, session, id, key);
}

/** Digests that are moved at once, so that other requests are answered in between. */
const pageSize = 1_000;

/**
 * Moves the digests that wait for whoever a setting applies to. They come at the time that is wanted now; those whose time
 * has come stay. What was moved may be met again, and is left as it is.
 * @param key of the setting that has changed
 */
async function moveWaiting(tx: Transaction, organizationId: string, key: string, now: Date): Promise<void> {
  let waiting: WaitingDigest[];
  let after = '00000000-0000-0000-0000-000000000000';
  do {
    waiting = await findWaiting(tx, organizationId, key, now, after);
    await moveDigests(tx, organizationId, waiting, now);
    after = waiting.at(-1)?.id ?? after;
  } while (waiting.length === pageSize);
}

/** Locks and reads a page of the digests that wait, by their ids. */
function findWaiting(
  tx: Transaction,
  organizationId: string,
  key: string,
  now: Date,
  after: string,
): Promise<WaitingDigest[]> {
  const own = sql`('mail:' || natural_key(delivery.address))`;
  const statement = sql`
    SELECT delivery.id, delivery.team_id AS "teamId", team.timezone AS "ofTeam", delivery.address,
      ${own} AS "recipientKey", delivery.home_team_id AS home, coalesce(person.timezone, contact.timezone) AS timezone,
      coalesce(wish.mode, 'SINGLE') AS mode, coalesce(wish.weekday, 1) AS weekday,
      coalesce(wish.digest_time, '08:00') AS "digestTime"
    FROM deliveries AS delivery JOIN teams AS team ON team.id = delivery.team_id
    LEFT JOIN users AS person ON person.organization_id = delivery.organization_id
      AND natural_key(person.email) = natural_key(delivery.address)
    LEFT JOIN contacts AS contact ON contact.organization_id = delivery.organization_id
      AND natural_key(contact.email) = natural_key(delivery.address)
    LEFT JOIN LATERAL (${digestSettingSql(sql`delivery.organization_id`, own)}) AS wish ON true
    WHERE delivery.organization_id = ${organizationId}::uuid AND delivery.state = 'QUEUED' AND delivery.attempts = 0
      AND delivery.due_at > ${now}::timestamptz AND delivery.dedupe_key LIKE 'digest %'
      AND CASE WHEN ${key} LIKE 'mail:%' THEN natural_key(delivery.address) = substr(${key}, 6)
        ELSE wish.recipient_key IS DISTINCT FROM ${own} END
      AND delivery.id > ${after}::uuid
    ORDER BY delivery.id LIMIT ${pageSize} FOR NO KEY UPDATE OF delivery`;
  return tx.run<WaitingDigest>(prepared('digests.waiting', statement));
}

/** A setting as it is stored. */
interface StoredSetting extends DigestTimes, Pick<DigestSetting, 'allIsWell' | 'whatIsMissing'> {}

/** Stores a setting. Digests that wait come at its time. */
export async function storeDigestSetting(
  tx: Transaction,
  organizationId: string,
  key: string,
  { mode, weekday, digestTime, allIsWell, whatIsMissing }: StoredSetting,
  now: Date,
): Promise<void> {
  const statement = sql`
    INSERT INTO recipient_settings (organization_id, recipient_key, mode, weekday, digest_time, all_is_well, what_is_missing)
    VALUES (${organizationId}::uuid, ${key}, ${mode}::recipient_mode, ${weekday}::int, ${digestTime}, ${allIsWell}, ${whatIsMissing})
    ON CONFLICT (organization_id, recipient_key) DO UPDATE
    SET mode = excluded.mode, weekday = excluded.weekday, digest_time = excluded.digest_time,
      all_is_well = excluded.all_is_well, what_is_missing = excluded.what_is_missing`;
  await tx.run(prepared('digest_settings.store', statement));
  await moveWaiting(tx, organizationId, key, now);
}

/** Lets a recipient choose how often mails come. The rest of the setting stays as it is. */
export async function chooseDigests(
  tx: Transaction,
  organizationId: string,
  key: string,
  mode: DigestTimes['mode'],
  now: Date,
): Promise<void> {
  const statement = digestSettingSql(sql`${organizationId}::uuid`, sql`${key}::text`);
  const [row] = await tx.run<SettingRow>(prepared('digest_settings.read', statement));
  const times = { weekday: row?.weekday ?? 1, digestTime: row?.digest_time ?? '08:00' };
  const wishes = { allIsWell: row?.all_is_well ?? false, whatIsMissing: row?.what_is_missing ?? false };
  const setting = { mode, ...times, ...wishes };
  await storeDigestSetting(tx, organizationId, key, setting, now);
}

const words = { SINGLE: 'single mails', DAILY: 'a daily digest', WEEKLY: 'a weekly digest' } as const;

function log(tx: Transaction, { caller, now }: Session, owner: Owner, description: string) {
  const { teamId, entities } = owner;
  return logEvent(tx, { caller, now }, { type: 'updated', teamId, description, details: null, entities });
}

/**
 * Sets how somebody gets reminders.
 * @throws GatewayError FORBIDDEN; NOT_FOUND; BAD_REQUEST naming the invalid member
 */
export async function setDigestSetting(
  session: Session,
  id: string,
  input: DigestInput,
): Promise<DigestSetting> {
  checkMayName(session, id);
  const { time: digestTime, ...rest } = check(digestRules, input);
  return session.inTransaction(async (tx) => {
    const owner = await findOwner(tx, session, id);
    const { key, label } = owner;
    const { organizationId } = session.caller;
    await storeDigestSetting(tx, organizationId, key, { ...rest, digestTime }, session.now);
    const well = rest.allIsWell ? ', and a weekly mail if nothing is due' : '';
    const missing = rest.whatIsMissing ? ', and a weekly mail if something is missing' : '';
    await log(tx, session, owner, `Reminders for ${label} are sent as ${words[rest.mode]}${well}${missing}`);
    return readSetting(tx, session, id, key);
  });
}

/**
 * Removes a setting, so that the default applies.
 * @returns the setting as it was
 * @throws GatewayError FORBIDDEN; NOT_FOUND, also if there is none
 */
export async function deleteDigestSetting(session: Session, id: string): Promise<DigestSetting> {
  checkMayName(session, id);
  return session.inTransaction(async (tx) => {
    const owner = await findOwner(tx, session, id);
    const { key, label } = owner;
    const before = await readSetting(tx, session, id, key);
    if (before.from !== 'OWN') throw notFound('digest setting', id);
    const { organizationId } = session.caller;
    const statement = sql`
      DELETE FROM recipient_settings WHERE organization_id = ${organizationId}::uuid AND recipient_key = ${key}`;
    await tx.run(prepared('digest_settings.delete', statement));
    await moveWaiting(tx, organizationId, key, session.now);
    await log(tx, session, owner, `Reminders for ${label} follow the default again`);
    return before;
  });
}
