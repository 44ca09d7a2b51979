import { prepared } from '../../db/connection/statement.js';
import type { Runs, Transaction } from '../../db/connection/transaction.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import {
  type Decision,
  type DueItem,
  type DueStep,
  datesDue,
  type Known,
  mutedReasons,
  undecided,
} from '../../domain/reminders/decide.js';
import { type ItemDate, recipientKinds, stepsAbout } from '../../domain/reminders/policy.js';
import type { Slot } from '../../domain/reminders/slots.js';
import { newId } from '../../domain/rules.js';

/** A step with its recipients. */
export interface PolicyStep extends DueStep {
  readonly policyId: string;
  /** The date that it counts from; null for each date of an item. */
  readonly about: ItemDate | null;
  readonly recipients: readonly string[];
  readonly addresses: readonly string[];
  readonly channelIds: readonly string[];
  readonly asksForDocument: boolean;
}

/** The properties of a workspace that its reminders depend on. */
export interface Workspace {
  readonly teamId: string;
  readonly organizationId: string;
  readonly timezone: string;
  readonly workingDays: readonly number[];
  readonly policyId: string | null;
  readonly fallbackAddress: string | null;
  /** True if a document type renews its items by itself. */
  readonly renews: boolean;
  /** Steps of its policies, by policy. */
  readonly steps: ReadonlyMap<string, readonly PolicyStep[]>;
  /** The local times at which something may be due. */
  readonly times: readonly string[];
}

type Row = Omit<Workspace, 'steps'> & { readonly steps: readonly PolicyStep[] | null };

/**
 * Reads workspaces, their policies, and the times of day in use, with one statement. The items' own times are
 * found by a loose index scan. Workspaces that are not active are left out.
 */
export async function readWorkspaces(tx: Runs, teamIds: readonly string[]): Promise<Workspace[]> {
  const statement = sql`
    SELECT team.id AS "teamId", organization_id AS "organizationId", timezone, working_days AS "workingDays",
      reminder_policy_id AS "policyId", reminder_fallback_address AS "fallbackAddress",
      EXISTS (SELECT FROM categories WHERE team_id = team.id AND auto_renew IS NOT NULL) AS renews,
      ARRAY(
        WITH RECURSIVE own (time) AS (
          SELECT min(time_of_day) FROM expiration_items WHERE team_id = team.id AND time_of_day IS NOT NULL
          UNION ALL
          SELECT (
            SELECT min(time_of_day) FROM expiration_items WHERE team_id = team.id AND time_of_day > own.time
          ) FROM own WHERE own.time IS NOT NULL
        )
        SELECT time FROM own WHERE time IS NOT NULL
        UNION SELECT time_of_day FROM reminder_policies WHERE team_id = team.id
      ) AS times,
      (
        SELECT json_agg(json_build_object('id', step.id, 'policyId', policy.id, 'about', about, 'offsetDays', offset_days,
          'repeatEveryDays', repeat_every_days, 'repeatCount', repeat_count, 'onlyUnacknowledged', only_unacknowledged,
          'timeOfDay', time_of_day, 'workingDaysOnly', deliver_on = 'WORKING_DAYS', 'recipients', recipients,
          'addresses', addresses, 'channelIds', channel_ids,
          'asksForDocument', asks_for_document) ORDER BY offset_days, only_unacknowledged)
        FROM reminder_policies AS policy JOIN reminder_steps AS step ON step.policy_id = policy.id
        WHERE policy.team_id = team.id
      ) AS steps
    FROM unnest(${[...teamIds]}::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM teams WHERE id = wanted.id AND is_active OFFSET 0
    ) AS team`;
  const rows = await tx.run<Row>(prepared('reminders.workspace', statement));
  return rows.map((row) => {
    const steps = new Map<string, PolicyStep[]>();
    for (const step of row.steps ?? []) steps.set(step.policyId, [...(steps.get(step.policyId) ?? []), step]);
    return { ...row, steps };
  });
}

/** Reads a workspace in the same way. Undefined if it is not active. */
export async function readWorkspace(tx: Runs, teamId: string): Promise<Workspace | undefined> {
  const [workspace] = await readWorkspaces(tx, [teamId]);
  return workspace;
}

/** A date of an item that may be due. */
export interface FoundItem extends DueItem {
  readonly teamId: string;
  readonly name: string;
  readonly about: ItemDate;
}

/** A row of `itemsSql`. */
export interface ItemRow {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly about: ItemDate;
  readonly date: Date;
  readonly timeOfDay: string | null;
  readonly policyId: string | null;
  readonly silence: boolean | null;
  readonly snoozeUntil: Date | null;
  readonly postponed: readonly { id: string; recipientKey: string; until: string }[] | null;
}

/** Returns SQL for the date of the row `item` that `about` names. */
export const dateSql = (about: Sql) =>
  sql`CASE ${about} WHEN 'NOTICE' THEN item.notice_date ELSE item.expiration_date END`;

/** Workspaces and their standard policies, as SQL. */
interface OfWorkspaces {
  /** Condition of the column `item.team_id`. */
  readonly isOf: Sql;
  readonly policyId: Sql;
}

/** Returns SQL for one workspace, or several. */
export function ofWorkspaces([first, ...others]: readonly Workspace[]): OfWorkspaces {
  if (first && others.length === 0) {
    return { isOf: sql`item.team_id = ${first.teamId}::uuid`, policyId: sql`${first.policyId}::uuid` };
  }
  const all = first ? [first, ...others] : [];
  const teamIds = sql`${all.map(({ teamId }) => teamId)}::uuid[]`;
  const policies = sql`unnest(${teamIds}, ${all.map(({ policyId }) => policyId)}::uuid[])`;
  return {
    isOf: sql`item.team_id = ANY(${teamIds})`,
    policyId: sql`(SELECT own.policy FROM ${policies} AS own (team, policy) WHERE own.team = item.team_id)`,
  };
}

/** Returns SQL that reads the dates of items of workspaces whose reminders are on. `which` selects the items. */
export const itemsSql = ({ isOf, policyId }: OfWorkspaces, which: Sql, from = sql`expiration_items`) => sql`
  SELECT item.id, item.team_id AS "teamId", item.name, dated.about, dated.date, item.time_of_day AS "timeOfDay",
    coalesce(item.reminder_policy_id, category.reminder_policy_id, ${policyId}) AS "policyId",
    ack.silence, ack.snooze_until AS "snoozeUntil",
    (
      SELECT json_agg(json_build_object('id', own.id, 'recipientKey', recipient_key, 'until', until))
      FROM postponements AS own
      WHERE own.item_id = item.id AND own.about = dated.about AND own.expiration_date = dated.date
    ) AS postponed
  FROM ${from} AS item JOIN categories AS category ON category.id = item.category_id
  CROSS JOIN LATERAL (
    VALUES ('EXPIRATION'::item_date, item.expiration_date), ('NOTICE', item.notice_date)
  ) AS dated (about, date)
  LEFT JOIN acknowledgements AS ack
    ON ack.item_id = item.id AND ack.about = dated.about AND ack.expiration_date = dated.date
  WHERE ${isOf} AND item.is_active AND NOT item.is_missing AND item.reminder_mode <> 'OFF'
    AND dated.date IS NOT NULL AND ${which}`;

/** Creates a date of an item from its row, with its steps. */
export const toItem = (
  { steps }: Workspace,
  { policyId, silence, snoozeUntil, postponed, ...row }: ItemRow,
): FoundItem => ({
  ...row,
  steps: stepsAbout(steps.get(policyId ?? '') ?? [], row.about),
  acknowledged: silence === null ? null : { silence, snoozeUntil },
  postponed: (postponed ?? []).map(({ until, ...one }) => ({ ...one, until: new Date(until) })),
});

/** Reads the current state of the dates of items of a workspace. */
export async function readItems(
  tx: Runs,
  workspace: Workspace,
  ids: readonly string[],
): Promise<FoundItem[]> {
  const statement = itemsSql(ofWorkspaces([workspace]), sql`item.id = ANY(${[...ids]}::uuid[])`);
  const rows = await tx.run<ItemRow>(prepared('reminders.items', statement));
  return rows.map((row) => toItem(workspace, row));
}

/** Items of a page. Some may have no reminders any more. */
interface DuePage {
  readonly items: readonly FoundItem[];
  /** The last id, if there may be more behind it. */
  readonly next: string | null;
}

type DueRow = { readonly dueId: string } & (ItemRow | { readonly id: null });

/** A workspace, and the slots that have come in it. */
interface Coming {
  readonly workspace: Workspace;
  readonly slots: readonly Slot[];
}

/** Dates of items that are due in some slots. */
interface DueDates {
  /** The days of the slots. */
  readonly days: readonly Date[];
  /** Expiration dates and notice dates, as days since 1970. */
  readonly expiring: readonly number[];
  readonly notices: readonly number[];
}

function dueDates({ workspace, slots }: Coming): DueDates {
  const days = [...new Set(slots.map(({ nominal }) => nominal.getTime()))].map((day) => new Date(day));
  const steps = [...workspace.steps.values()].flat();
  const [expiring, notices] = (['EXPIRATION', 'NOTICE'] as const).map((about) =>
    datesDue(days, stepsAbout(steps, about)),
  );
  return { days, expiring: expiring ?? [], notices: notices ?? [] };
}

/**
 * Finds the workspaces in which an item is due in one of their slots. Workspaces with the same slots and
 * steps are looked at together. Most have nothing, and cost a look into each index.
 */
export async function findWorkspacesDue(tx: Runs, coming: readonly Coming[]): Promise<ReadonlySet<string>> {
  const groups = new Map<string, { readonly dates: DueDates; readonly teamIds: string[] }>();
  for (const one of coming) {
    if (one.slots.length === 0) continue;
    const dates = dueDates(one);
    const key = JSON.stringify(dates);
    const group = groups.get(key) ?? { dates, teamIds: [] };
    groups.set(key, group);
    group.teamIds.push(one.workspace.teamId);
  }
  const due = new Set<string>();
  for (const { dates, teamIds } of groups.values()) {
    const { days, expiring, notices } = dates;
    // The index is read for the range, and the days are compared with its entries. As a condition of the index, they would
    // seem to cost so many look-ups that PostgreSQL would rather read all items of the workspace.
    const hasDate = (column: Sql, dates: readonly number[]) => sql`EXISTS (
      SELECT FROM expiration_items WHERE team_id = own.id AND is_active
        AND ${column} >= date '1970-01-01' + ${dates[0] ?? 0}::int AND ${column} <= date '1970-01-01' + ${dates.at(-1) ?? 0}::int
        AND ${column} + 0 = ANY(${dates.map((day) => new Date(day * 86_400_000))}::date[]) OFFSET 0)`;
    const statement = sql`
      SELECT id FROM unnest(${teamIds}::uuid[]) AS own (id)
      WHERE ${hasDate(sql`expiration_date`, expiring)} OR ${hasDate(sql`notice_date`, notices)}
        OR EXISTS (SELECT FROM acknowledgements WHERE team_id = own.id AND snooze_until = ANY(${days}::date[]) OFFSET 0)
        OR EXISTS (SELECT FROM postponements WHERE team_id = own.id AND until = ANY(${days}::date[]) OFFSET 0)`;
    const found = await tx.run<{ id: string }>(prepared('reminders.workspaces_due', statement));
    for (const { id } of found) due.add(id);
  }
  return due;
}

/**
 * Finds a page of items that are due, in the order of ids. They come with all of their dates, and have a step in one of
 * some slots. It looks up dates in the indexes of the workspace's items, so its time depends on how much is due.
 */
export async function findDue(
  tx: Runs,
  workspace: Workspace,
  slots: readonly Slot[],
  after: string | null,
  count: number,
): Promise<DuePage> {
  const { days, expiring, notices } = dueDates({ workspace, slots });
  // A range, because the planner would read the table for each day if most items have the same date.
  const isOn = (date: Sql) => sql`${date} >= date '1970-01-01' + day AND ${date} < date '1970-01-02' + day`;
  // Look up each date and each item separately: the planner's estimates would lead to a scan of the whole
  // table.
  const statement = sql`
    SELECT due.id AS "dueId", found.* FROM (
      SELECT id FROM (
        SELECT dated.id FROM unnest(${expiring}::int[]) AS day CROSS JOIN LATERAL (
          SELECT id FROM expiration_items
          WHERE team_id = ${workspace.teamId}::uuid AND is_active AND ${isOn(sql`expiration_date`)} OFFSET 0
        ) AS dated
        UNION SELECT dated.id FROM unnest(${notices}::int[]) AS day CROSS JOIN LATERAL (
          SELECT id FROM expiration_items
          WHERE team_id = ${workspace.teamId}::uuid AND is_active AND ${isOn(sql`notice_date`)} OFFSET 0
        ) AS dated
        UNION SELECT item_id FROM acknowledgements
        WHERE team_id = ${workspace.teamId}::uuid AND snooze_until = ANY(${days}::date[])
        UNION SELECT item_id FROM postponements
        WHERE team_id = ${workspace.teamId}::uuid AND until = ANY(${days}::date[])
      ) AS due
      WHERE id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY id LIMIT ${count}
    ) AS due LEFT JOIN LATERAL (
      ${itemsSql(ofWorkspaces([workspace]), sql`true`, sql`(SELECT * FROM expiration_items WHERE id = due.id OFFSET 0)`)}
    ) AS found ON true
    ORDER BY due.id`;
  const rows = await tx.run<DueRow>(prepared('reminders.due', statement));
  const isFull = new Set(rows.map(({ dueId }) => dueId)).size >= count;
  const items = rows.flatMap(({ dueId: _, ...row }) => (row.id === null ? [] : [toItem(workspace, row)]));
  return { items, next: (isFull && rows.at(-1)?.dueId) || null };
}

/** Reads what the ledger knows of the steps of items. */
export async function readKnown(
  tx: Runs,
  items: readonly FoundItem[],
): Promise<(item: FoundItem, stepKey: string) => Known> {
  if (items.length === 0) return () => undecided;
  const statement = sql`
    SELECT reminder.item_id AS "itemId", reminder.about, step_key AS "stepKey", max(occurrence) AS last,
      bool_or(reason IS NOT NULL AND reason = ANY(${[...mutedReasons]})) AS "isMuted"
    FROM unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ about }) => about)}::text[],
      ${items.map(({ date }) => date)}::date[]) AS item (id, about, date)
    JOIN reminders AS reminder ON reminder.item_id = item.id AND reminder.about = item.about::item_date
      AND reminder.expiration_date = item.date
    GROUP BY reminder.item_id, reminder.about, step_key`;
  const rows = await tx.run<Known & { itemId: string; about: ItemDate; stepKey: string }>(
    prepared('reminders.known', statement),
  );
  const known = new Map(rows.map((row) => [`${row.itemId} ${row.about} ${row.stepKey}`, row]));
  return ({ id, about }, stepKey) => known.get(`${id} ${about} ${stepKey}`) ?? undecided;
}

/** The recipients that a step names. */
export type Step = Pick<PolicyStep, 'recipients' | 'addresses' | 'channelIds'>;

/**
 * Returns the roles of those who may postpone a reminder. They have one in the item, or its steps or the workspace name
 * their address.
 */
export const anyRole = (steps: readonly DueStep[], fallbackAddress: string | null): Step => ({
  recipients: recipientKinds,
  addresses: [
    ...(steps as readonly PolicyStep[]).flatMap(({ addresses }) => addresses),
    ...(fallbackAddress === null ? [] : [fallbackAddress]),
  ],
  channelIds: [],
});

/** A reminder that was just decided, and must be sent. */
export interface Notified {
  readonly id: string;
  readonly itemId: string;
  readonly about: ItemDate;
  readonly date: Date;
  readonly slot: Date;
  readonly step: Step;
  /** The only recipient, who has postponed an earlier one. */
  readonly recipientKey: string | null;
  /** Steps whose recipients are told of the same later today. */
  readonly yieldsTo: readonly PolicyStep[];
}

/** A decision about a date of an item. */
interface Decided {
  readonly item: FoundItem;
  readonly decision: Decision;
}

/** New entries of the ledger: those to be sent, and the number of others. */
interface NewEntries {
  readonly told: readonly Notified[];
  readonly skipped: number;
}

/**
 * Writes decisions into the ledger. Existing entries are skipped: the ledger's unique key is what prevents
 * duplicate reminders.
 * @returns the new entries
 */
export async function writeLedger(
  tx: Transaction,
  { teamId, organizationId, fallbackAddress }: Workspace,
  decided: readonly Decided[],
  now: Date,
): Promise<NewEntries> {
  if (decided.length === 0) return { told: [], skipped: 0 };
  const rows = decided.map(({ item, decision }) => ({ id: newId(), item, decision }));
  const of = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value);
  const statement = sql`
    INSERT INTO reminders (id, organization_id, team_id, item_id, item_name, step_key, step_id, recipient_key, about, expiration_date,
      occurrence, slot, state, reason, decided_at)
    SELECT id, ${organizationId}::uuid, ${teamId}::uuid, item_id, name, step_key, step_id, recipient_key, about::item_date, date,
      occurrence, slot, state::reminder_state, reason, ${now}::timestamptz
    FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ item }) => item.id)}::uuid[], ${of(({ item }) => item.name)}::text[],
      ${of(({ decision }) => decision.stepKey)}::uuid[], ${of(({ decision }) => (decision.recipientKey ? decision.stepKey : decision.step.id))}::uuid[], ${of(({ decision }) => decision.recipientKey)}::text[],
      ${of(({ item }) => item.about)}::text[], ${of(({ item }) => item.date)}::date[],
      ${of(({ decision }) => decision.occurrence)}::int[], ${of(({ decision }) => decision.slot)}::timestamptz[],
      ${of(({ decision }) => decision.state)}::text[], ${of(({ decision }) => decision.reason)}::text[]
    ) AS decided (id, item_id, name, step_key, step_id, recipient_key, about, date, occurrence, slot, state, reason)
    ON CONFLICT DO NOTHING
    RETURNING id, state = 'PENDING' AS told`;
  const written = await tx.run<{ id: string; told: boolean }>(prepared('reminders.decide', statement));
  const isTold = new Set(written.filter((row) => row.told).map(({ id }) => id));
  const told = rows
    .filter(({ id }) => isTold.has(id))
    .map(({ id, item, decision }) => ({
      id,
      itemId: item.id,
      about: item.about,
      date: item.date,
      slot: decision.slot,
      // The step belongs to the item, which got it from the workspace's policies.
      step: decision.recipientKey ? anyRole(item.steps, fallbackAddress) : (decision.step as PolicyStep),
      recipientKey: decision.recipientKey,
      yieldsTo: decision.yieldsTo as readonly PolicyStep[],
    }));
  return { told, skipped: written.length - told.length };
}
