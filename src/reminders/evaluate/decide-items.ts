import { prepared } from '../../db/connection/statement.js';
import type { Runs, Transaction } from '../../db/connection/transaction.js';
import { raw, type Sql, sql } from '../../db/sql/sql.js';
import { formatDate, todayIn } from '../../domain/dates.js';
import { decide, type Span } from '../../domain/reminders/decide.js';
import { type ItemDate, recipientKinds } from '../../domain/reminders/policy.js';
import { heldReasons, isHeld } from '../../domain/reminders/reasons.js';
import { newId } from '../../domain/rules.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { administersBy, seesSql } from '../../records/sees.js';
import { digestSettingSql } from '../queries/digest-settings.js';
import {
  dateSql,
  type FoundItem,
  type Notified,
  readKnown,
  type Step,
  type Workspace,
  writeLedger,
} from './ledger.js';
import { type FoundTarget, homeOf, type Place, planDeliveries, type Told } from './plan-deliveries.js';

/** SQL condition that a watch covers an item. Each list that it has narrows the watch. */
const watchedSql = raw(`(
  watch.holders IS NULL AND
  (NOT watch.filter ? 'categoryIds' OR watch.filter->'categoryIds' ? told.category_id::text)
  AND (NOT watch.filter ? 'tagIds' OR EXISTS (
    SELECT FROM expiration_item_tags AS link
    WHERE link.item_id = told.item_id AND watch.filter->'tagIds' ? link.tag_id::text))
  AND (NOT watch.filter ? 'locationId' OR EXISTS (
    SELECT FROM expiration_item_locations AS link
    WHERE link.item_id = told.item_id AND watch.filter->>'locationId' = link.location_id::text))
  AND (NOT watch.filter ? 'contactIds' OR EXISTS (
    SELECT FROM (
      SELECT link.contact_id AS id FROM expiration_item_contacts AS link WHERE link.item_id = told.item_id
      UNION ALL SELECT told.contact_id
    ) AS linked WHERE watch.filter->'contactIds' ? linked.id::text))
  AND (NOT watch.filter ? 'contactTypeId' OR EXISTS (
    SELECT FROM contacts AS linked
    WHERE watch.filter->>'contactTypeId' = linked.type_id::text AND (linked.id = told.contact_id OR EXISTS (
      SELECT FROM expiration_item_contacts AS link
      WHERE link.item_id = told.item_id AND link.contact_id = linked.id))))
)`);

/** Returns SQL for everybody with a role in the items. */
const peopleSql = (on: Runs) =>
  raw(`
  SELECT told.*, person.email AS address, person.is_active AS active, person.timezone, person.team_id AS home
  FROM told JOIN expiration_item_contacts AS link ON link.item_id = told.item_id
  JOIN contacts AS person ON person.id = link.contact_id AND person.organization_id = told.organization_id
  WHERE 'CONTACTS' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, person.is_active, person.timezone, person.team_id
  FROM told JOIN contacts AS person
    ON person.id = told.contact_id AND person.organization_id = told.organization_id
  WHERE 'MAIN_CONTACT' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, ${seesSql.sql}, person.timezone, NULL
  FROM told JOIN users AS person
    ON person.id = told.assigned_to_id AND person.organization_id = told.organization_id
  WHERE 'ASSIGNEE' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, ${seesSql.sql}, person.timezone, NULL
  FROM told JOIN watches AS watch ON watch.team_id = told.team_id AND watch.is_active AND ${watchedSql.sql}
  JOIN users AS person ON person.id = watch.user_id AND person.organization_id = told.organization_id
  WHERE 'WATCHERS' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, person.is_active, person.timezone, person.team_id
  FROM told JOIN watches AS watch ON watch.team_id = told.team_id AND watch.is_active AND ${watchedSql.sql}
  JOIN contacts AS person ON person.id = watch.contact_id AND person.organization_id = told.organization_id
  WHERE 'WATCHERS' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, person.is_active, person.timezone, NULL
  FROM told JOIN memberships ON memberships.team_id = told.team_id
  JOIN users AS person ON person.id = memberships.user_id AND person.organization_id = told.organization_id
  WHERE 'WORKSPACE_MEMBERS' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, person.email, true, person.timezone, NULL
  FROM told JOIN users AS person ON person.organization_id = told.organization_id
    AND person.is_active AND ${administersBy(on).sql}
  WHERE 'ADMINS' = ANY(told.kinds)
  UNION ALL
  SELECT told.*, address, true, NULL, NULL
  FROM told CROSS JOIN unnest(told.addresses) AS address WHERE 'ADDRESSES' = ANY(told.kinds)`);

/**
 * Returns SQL for the recipients, including the reasons of those who get nothing. Each address occurs once
 * per reminder. A reason that the reminder has noted for an address stays.
 */
const reachedSql = (people: Sql) => sql`
  SELECT DISTINCT ON (person.reminder_id, natural_key(person.address))
    person.reminder_id AS "reminderId", 'mail:' || natural_key(person.address) AS "recipientKey", person.address,
    noted.reminder_id IS NOT NULL AS "isKnown",
    CASE
      WHEN noted.reason IS NOT NULL THEN noted.reason
      WHEN person.active IS NOT TRUE THEN 'inactive'
      WHEN EXISTS (
        SELECT FROM suppressions AS suppression
        WHERE suppression.organization_id = person.organization_id
          AND suppression.address_key = natural_key(person.address)
          AND (suppression.until IS NULL OR suppression.until > person.at)
          AND (scope = 'ALL' OR scope = 'CATEGORY' AND scope_id = person.category_id
            OR scope = 'ITEM' AND scope_id = person.item_id)
      ) THEN 'suppressed'
      WHEN setting.muted_until > person.at THEN 'muted'
      WHEN EXISTS (
        SELECT FROM postponements AS postponed
        WHERE postponed.item_id = person.item_id AND postponed.about = person.about AND postponed.expiration_date = person.date
          AND postponed.recipient_key = 'mail:' || natural_key(person.address) AND postponed.until > person.day
      ) THEN 'postponed'
    END AS reason,
    coalesce(wish.mode, 'SINGLE') AS mode, coalesce(wish.weekday, 1) AS weekday,
    coalesce(wish.digest_time, '08:00') AS "digestTime", person.timezone, person.home
  FROM (${people}) AS person
  LEFT JOIN recipient_settings AS setting ON setting.organization_id = person.organization_id
    AND setting.recipient_key = 'mail:' || natural_key(person.address)
  LEFT JOIN LATERAL (
    ${digestSettingSql(sql`person.organization_id`, sql`('mail:' || natural_key(person.address))`)}
  ) AS wish ON true
  LEFT JOIN reminder_targets AS noted ON noted.reminder_id = person.reminder_id
    AND noted.recipient_key = 'mail:' || natural_key(person.address)
  WHERE natural_key(person.address) IS NOT NULL
    AND (person.recipient_key IS NULL OR person.recipient_key = 'mail:' || natural_key(person.address))
  ORDER BY person.reminder_id, natural_key(person.address), person.active IS TRUE DESC, person.home NULLS FIRST,
    person.timezone`;

/** Returns SQL for the first recipients of each reminder, those who get it before others. */
const firstOf = (reached: Sql, most: number) => sql`
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY "reminderId" ORDER BY reason IS NOT NULL, (reason = ANY(${[...heldReasons]})) IS NOT TRUE, "recipientKey") AS place
    FROM (${reached}) AS reached
  ) AS reached WHERE place <= ${most}`;

/** Returns SQL for one recipient, the new ones, and one who gets each reminder. */
const ofOneAndNew = (reached: Sql, recipientKey: string) => sql`
  SELECT * FROM (${firstOf(reached, 2_147_483_647)}) AS reached
  WHERE "recipientKey" = ${recipientKey} OR NOT "isKnown" OR place = 1`;

/**
 * Returns whether an address may learn of an item. It is that of a user who sees the workspace, of an active contact
 * with a role in the item, or one of those that were typed.
 */
export async function mayLearnOf(
  on: Runs,
  itemId: string,
  recipientKey: string,
  typed: readonly string[],
): Promise<boolean> {
  const statement = sql`
    WITH told AS MATERIALIZED (
      SELECT NULL::uuid AS reminder_id, id AS item_id, ${[...recipientKinds]}::text[] AS kinds,
        ${[...typed]}::text[] AS addresses, category_id, contact_id, assigned_to_id, team_id, organization_id
      FROM expiration_items WHERE id = ${itemId}::uuid
    )
    SELECT EXISTS (
      SELECT FROM (${peopleSql(on)}) AS person
      WHERE natural_key(person.address) = substr(${recipientKey}, 6) AND person.active
    ) AS may`;
  const [found] = await on.run<{ may: boolean }>(prepared('reminders.may_learn', statement));
  return found?.may === true;
}

/**
 * Finds those of some items that an address may renew. It is that of a user who may write in the workspace or, if nobody
 * has it as a user and the item's policy allows it, of an active contact with a role in the item.
 */
export async function findRenewable(
  on: Runs,
  itemIds: readonly string[],
  recipientKey: string,
  now: Date,
): Promise<ReadonlySet<string>> {
  const kinds = recipientKinds.filter((kind) => kind !== 'ADDRESSES');
  const statement = sql`
    WITH told AS MATERIALIZED (
      SELECT NULL::uuid AS reminder_id, item.id AS item_id, ${kinds}::text[] AS kinds, '{}'::text[] AS addresses,
        item.category_id, item.contact_id, item.assigned_to_id, item.team_id, item.organization_id,
        policy.contacts_may_renew
      FROM expiration_items AS item
      JOIN teams AS team ON team.id = item.team_id
      LEFT JOIN categories AS category ON category.id = item.category_id
      LEFT JOIN reminder_policies AS policy
        ON policy.id = coalesce(item.reminder_policy_id, category.reminder_policy_id, team.reminder_policy_id)
      WHERE item.id = ANY(${[...itemIds]}::uuid[])
    ), users_with_it AS (
      SELECT told.item_id, ${seesSql} AND (person.role IN ('ADMIN', 'MEMBER') OR person.role IS NULL AND EXISTS (
        SELECT FROM access_tokens AS token
        WHERE token.user_id = person.id AND token.role IN ('ADMIN', 'MEMBER') AND token.revoked_at IS NULL
          AND (token.expires_at IS NULL OR token.expires_at > ${now}::timestamptz)
      )) AS may
      FROM told JOIN users AS person ON person.organization_id = told.organization_id AND person.is_active
        AND natural_key(person.email) = substr(${recipientKey}, 6)
    )
    SELECT item_id AS id FROM users_with_it WHERE may
    UNION
    SELECT item_id FROM (${peopleSql(on)}) AS person
    WHERE natural_key(person.address) = substr(${recipientKey}, 6) AND person.active AND person.home IS NOT NULL
      AND person.contacts_may_renew AND NOT EXISTS (SELECT FROM users_with_it)`;
  const found = await on.run<{ id: string }>(prepared('reminders.renewable', statement));
  return new Set(found.map(({ id }) => id));
}

type Row = Omit<FoundTarget, 'isFallback'>;

interface ChannelRow extends Row {
  readonly id: string;
  readonly quietFrom: string | null;
  readonly quietTo: string | null;
}

/** Finds the chat channels of reminders. */
async function findChannels(tx: Runs, told: readonly Asked[]): Promise<Row[]> {
  const pairs = told.flatMap(({ id, workspace: { teamId }, step }) =>
    step.channelIds.map((channelId) => ({ id, teamId, channelId })),
  );
  if (pairs.length === 0) return [];
  const statement = sql`
    SELECT told.id AS "reminderId", 'channel:' || channel.id AS "recipientKey", channel.name AS address,
      noted.reminder_id IS NOT NULL AS "isKnown",
      coalesce(noted.reason, CASE WHEN NOT channel.is_active THEN 'inactive' END) AS reason, 'SINGLE' AS mode, 1 AS weekday,
      '08:00' AS "digestTime", NULL AS timezone, NULL AS home, channel.id, channel.quiet_from AS "quietFrom",
      channel.quiet_to AS "quietTo"
    FROM unnest(${pairs.map(({ id }) => id)}::uuid[], ${pairs.map(({ teamId }) => teamId)}::uuid[],
      ${pairs.map(({ channelId }) => channelId)}::uuid[]) AS told (id, team_id, channel_id)
    JOIN channels AS channel ON channel.id = told.channel_id AND channel.team_id = told.team_id
    LEFT JOIN reminder_targets AS noted
      ON noted.reminder_id = told.id AND noted.recipient_key = 'channel:' || channel.id`;
  const rows = await tx.run<ChannelRow>(prepared('reminders.channels', statement));
  return rows.map(({ id, quietFrom, quietTo, ...row }) => ({ ...row, channel: { id, quietFrom, quietTo } }));
}

/** A reminder whose recipients are wanted. */
interface Asked {
  readonly workspace: Place & Pick<Workspace, 'fallbackAddress'>;
  readonly id: string;
  readonly itemId: string;
  readonly about: ItemDate;
  readonly step: Step;
  /** The only recipient, who has postponed an earlier one. */
  readonly recipientKey?: string | null;
  /** The time at which it is sent, if that is not now. */
  readonly at?: Date;
}

/** Settings of a search for recipients. */
interface TargetOptions {
  readonly insteadOfAll?: string | undefined;
  readonly most?: number;
  readonly ofOne?: string | undefined;
}

/**
 * Finds the recipients of reminders, as their steps specify. If nobody is left who can get one, it goes to
 * the workspace's fallback address, or else to the admins: silence would look as if nothing were due. The reminders of all
 * workspaces are looked at together.
 * @param insteadOfAll the only address to use, if there is one
 * @param most the most recipients per reminder, if not all; those who get it come first
 * @param ofOne the recipient of interest; of the others, only new ones are found, and one who gets it
 */
export async function findTargets(
  tx: Runs,
  told: readonly Asked[],
  now: Date,
  { insteadOfAll, most, ofOne }: TargetOptions = {},
): Promise<FoundTarget[]> {
  if (told.length === 0) return [];
  const reachedOnes = reachedSql(peopleSql(tx));
  const first = most === undefined ? reachedOnes : firstOf(reachedOnes, most);
  const asked = ofOne === undefined ? first : ofOneAndNew(reachedOnes, ofOne);
  const find = async (rows: readonly Asked[]) => {
    const json = JSON.stringify(
      rows.map(({ workspace, id, itemId, about, step, recipientKey = null, at = now }) => ({
        ...{ team_id: workspace.teamId, organization_id: workspace.organizationId },
        ...{ id, item_id: itemId, about, recipient_key: recipientKey, at },
        day: formatDate(todayIn(workspace.timezone, at)),
        ...{ kinds: step.recipients, addresses: step.addresses },
      })),
    );
    // Look up each item separately: the planner would rather read thousands than find a few.
    const statement = sql`
      WITH told AS MATERIALIZED (
        SELECT wanted.id AS reminder_id, wanted.item_id, wanted.kinds, wanted.addresses, wanted.recipient_key, wanted.at, wanted.day,
          wanted.about, ${dateSql(sql`wanted.about`)} AS date, item.category_id, item.contact_id, item.assigned_to_id, wanted.team_id, wanted.organization_id
        FROM json_to_recordset(${json}::json) AS wanted (team_id uuid, organization_id uuid, id uuid, item_id uuid,
          about item_date, kinds text[], addresses text[], recipient_key text, at timestamptz, day date)
        CROSS JOIN LATERAL (SELECT * FROM expiration_items WHERE id = wanted.item_id OFFSET 0) AS item
      )
      ${asked}`;
    return tx.run<Row>(prepared('reminders.targets', statement));
  };
  const to = (recipients: readonly string[], addresses: readonly string[], one: Asked): Asked => ({
    ...one,
    step: { ...one.step, recipients, addresses },
  });
  if (insteadOfAll !== undefined) {
    const redirected = await find(told.map((one) => to(['ADDRESSES'], [insteadOfAll], one)));
    return redirected.map((target) => ({ ...target, isFallback: false }));
  }
  const people = await find(told);
  const found = [...people, ...(await findChannels(tx, told))];
  const reached = new Set(
    found.filter(({ reason }) => reason === null || isHeld(reason)).map(({ reminderId }) => reminderId),
  );
  // What one person has postponed is nobody else's.
  const alone = told.filter(({ id, recipientKey }) => !recipientKey && !reached.has(id));
  const all = found.map((target) => ({ ...target, isFallback: false }));
  if (alone.length === 0) return all;
  const fallback = await find(
    alone.map((one) => {
      const { fallbackAddress } = one.workspace;
      return fallbackAddress ? to(['ADDRESSES'], [fallbackAddress], one) : to(['ADMINS'], [], one);
    }),
  );
  const known = new Set(all.map(({ reminderId, recipientKey }) => `${reminderId} ${recipientKey}`));
  const others = fallback.filter(
    ({ reminderId, recipientKey }) => !known.has(`${reminderId} ${recipientKey}`),
  );
  return [...all, ...others.map((target) => ({ ...target, isFallback: true }))];
}

/** Numbers of reminders that are skipped. They have no recipient, or theirs are told at another time. */
interface Unsent {
  readonly withoutRecipient: number;
  readonly withheld: number;
}

/**
 * Stores the recipients of reminders, and their deliveries. Reminders without recipients are skipped.
 * @param isTimely true if each slot has just come, or came while the gateway was down
 * @returns the numbers of skipped reminders
 */
export async function writeDeliveries(
  tx: Transaction,
  workspace: Place,
  told: readonly Told[],
  targets: readonly FoundTarget[],
  now: Date,
  isTimely = false,
): Promise<Unsent> {
  if (told.length === 0) return { withoutRecipient: 0, withheld: 0 };
  const planned = await planDeliveries(tx, workspace, told, targets, { now, isTimely });
  const by = <T>(value: (one: (typeof planned)[number]) => T) => planned.map(value);
  const link = sql`
    INSERT INTO reminder_targets (reminder_id, recipient_key, channel_id, address, home_team_id, reason, delivery_id)
    SELECT * FROM unnest(${by(({ target }) => target.reminderId)}::uuid[],
      ${by(({ target }) => target.recipientKey)}::text[],
      ${by(({ target }) => target.channel?.id ?? null)}::uuid[], ${by(({ target }) => target.address)}::text[],
      ${by(({ target }) => homeOf(target, workspace))}::uuid[],
      ${by(({ target }) => target.reason)}::text[], ${by(({ delivery }) => delivery?.id ?? null)}::uuid[])
    ON CONFLICT DO NOTHING`;
  if (planned.length > 0) await tx.run(prepared('reminder_targets.insert', link));
  return noteWithoutRecipient(tx, told, targets);
}

/**
 * Records which reminders reach none of their own recipients. Those that reach nobody are skipped, and so are those whose
 * recipients are told at another time.
 */
async function noteWithoutRecipient(
  tx: Transaction,
  told: readonly Told[],
  targets: readonly FoundTarget[],
): Promise<Unsent> {
  const reached = targets.filter(({ reason }) => reason === null);
  const own = new Set(reached.filter(({ isFallback }) => !isFallback).map(({ reminderId }) => reminderId));
  const any = new Set(reached.map(({ reminderId }) => reminderId));
  const held = new Map(
    targets.flatMap(({ reminderId, reason }) => (isHeld(reason) ? [[reminderId, reason]] : [])),
  );
  const withheld = told.filter(({ id }) => held.has(id) && !any.has(id)).map(({ id }) => id);
  const skip = sql`
    UPDATE reminders SET state = 'SKIPPED', reason = withheld.reason
    FROM unnest(${withheld}::uuid[], ${withheld.map((id) => held.get(id) ?? null)}::text[]) AS withheld (id, reason)
    WHERE reminders.id = withheld.id`;
  if (withheld.length > 0) await tx.run(prepared('reminders.withhold', skip));
  const over = told
    .filter(({ id, recipientKey }) => recipientKey && !any.has(id) && !held.has(id))
    .map(({ id }) => id);
  const end = sql`
    UPDATE reminders SET state = 'SKIPPED', reason = coalesce((
      SELECT target.reason FROM reminder_targets AS target WHERE target.reminder_id = reminders.id LIMIT 1), 'no recipient')
    WHERE id = ANY(${over}::uuid[])`;
  if (over.length > 0) await tx.run(prepared('reminders.end_postponed', end));
  const alone = told
    .filter(({ id, recipientKey }) => !recipientKey && !own.has(id) && !held.has(id))
    .map(({ id }) => id);
  if (alone.length === 0) return { withoutRecipient: 0, withheld: withheld.length + over.length };
  const nobody = alone.filter((id) => !any.has(id));
  const statement = sql`
    UPDATE reminders SET reason = 'without recipient',
      state = CASE WHEN id = ANY(${nobody}::uuid[]) THEN 'SKIPPED' ELSE state END
    WHERE id = ANY(${alone}::uuid[])`;
  await tx.run(prepared('reminders.without_recipient', statement));
  return { withoutRecipient: nobody.length, withheld: withheld.length + over.length };
}

/** Numbers of decided reminders, by decision. */
export interface DecidedCounts {
  /** Reminders to send. */
  readonly told: number;
  /** Reminders that are only recorded, for example because a later step has passed as well. */
  readonly skipped: number;
  /** Reminders without anybody to send them to. */
  readonly withoutRecipient: number;
}

/** Result of looking for due reminders. */
export interface Evaluated extends DecidedCounts {
  /** True if there was anything to decide. There may be more then. */
  readonly worked: boolean;
}

/** Settings of decisions. */
export interface DecisionOptions {
  /** Address for all reminders of the demo. Without it, they are not decided. */
  readonly demoMailTo?: string | undefined;
  /** Items of a slot that are decided in one transaction. */
  readonly size?: number;
  /** Called with a workspace in which deciding failed. Others continue. */
  readonly onFault?: ((fault: Error, teamId: string) => void) | undefined;
}

/**
 * Returns whether reminders of a workspace cannot be sent anywhere. Once they can, missed ones are decided.
 */
export const isMute = ({ teamId, organizationId }: Workspace, { demoMailTo }: DecisionOptions) =>
  demoMailTo === undefined && isDemoWorkspace(teamId, organizationId);

/** Result of a look that decides nothing. */
export const emptyCounts: DecidedCounts = { told: 0, skipped: 0, withoutRecipient: 0 };

/** Adds up numbers of decided reminders. */
export const sumOf = (counts: readonly DecidedCounts[]): DecidedCounts =>
  counts.reduce(
    (sum, { told, skipped, withoutRecipient }) => ({
      told: sum.told + told,
      skipped: sum.skipped + skipped,
      withoutRecipient: sum.withoutRecipient + withoutRecipient,
    }),
    emptyCounts,
  );

/** Result of a look that finds nothing to decide. */
export const noWork: Evaluated = { ...emptyCounts, worked: false };

/** Decides about dates of items of a workspace, and stores the decisions and their deliveries. */
export async function decideItems(
  tx: Transaction,
  workspace: Workspace,
  items: readonly FoundItem[],
  span: Span,
  demoMailTo: string | undefined,
): Promise<DecidedCounts> {
  const known = await readKnown(tx, items);
  const decided = items.flatMap((item) =>
    decide(item, span, (stepKey) => known(item, stepKey)).map((decision) => ({ item, decision })),
  );
  const { told, skipped } = await writeLedger(tx, workspace, decided, span.now);
  const insteadOfAll = isDemoWorkspace(workspace.teamId, workspace.organizationId) ? demoMailTo : undefined;
  const asked = told.map((one) => ({ ...one, workspace }));
  const found = await findTargets(tx, asked, span.now, { insteadOfAll });
  const targets = await withoutYielding(tx, asked, found, span.now, insteadOfAll);
  const isTimely = span.from !== null;
  const { withoutRecipient, withheld } = await writeDeliveries(
    tx,
    workspace,
    told,
    targets,
    span.now,
    isTimely,
  );
  return { told: told.length - withoutRecipient - withheld, skipped: skipped + withheld, withoutRecipient };
}

/** Leaves out whoever is told of the same item later the same day. One mail says it. */
export async function withoutYielding(
  on: Runs,
  told: readonly (Asked & Pick<Notified, 'yieldsTo'>)[],
  found: readonly FoundTarget[],
  now: Date,
  insteadOfAll?: string,
): Promise<readonly FoundTarget[]> {
  const coming: (Asked & { readonly of: string })[] = told.flatMap(
    ({ workspace, id, itemId, about, at, yieldsTo }) =>
      yieldsTo.map((step) => ({ workspace, id: newId(), of: id, itemId, about, step, ...(at && { at }) })),
  );
  if (coming.length === 0) return found;
  const of = new Map(coming.map((one) => [one.id, one.of]));
  const later = await findTargets(on, coming, now, { insteadOfAll });
  const keys = new Set(
    later
      .filter(({ reason }) => reason === null)
      .map((one) => `${of.get(one.reminderId)} ${one.recipientKey}`),
  );
  return found.map((one) =>
    one.reason === null && keys.has(`${one.reminderId} ${one.recipientKey}`)
      ? { ...one, reason: 'superseded' as const }
      : one,
  );
}

/** Returns the time span to decide about, in the time zone of a workspace. */
export function spanOf(
  { timezone, workingDays }: Workspace,
  from: Date | null,
  now: Date,
  quiet = false,
): Span {
  return { timezone, workingDays, from, now, today: todayIn(timezone, now), quiet };
}
