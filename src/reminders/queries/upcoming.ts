import type { TimeSlices } from '../../db/connection/bounds.js';
import type { Session } from '../../db/connection/session.js';
import { prepared, type Statement } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { join, type Sql, sql } from '../../db/sql/sql.js';
import { gatewayCaller } from '../../domain/caller.js';
import { groupBy } from '../../domain/collections.js';
import { addDays } from '../../domain/dates.js';
import { GatewayError } from '../../domain/errors.js';
import { type Ahead, maxRepeatsOf, mutedReasons, shiftOf, snoozeKey } from '../../domain/reminders/decide.js';
import { type ItemDate, stepsAbout } from '../../domain/reminders/policy.js';
import { dayAt, nextDigest, type Shift, slotsBetween, timesBetween } from '../../domain/reminders/slots.js';
import { type Foretold, foretell, foretellNext, type Renewing } from '../../domain/reminders/terms.js';
import { newId } from '../../domain/rules.js';
import { earlierDatesByItem } from '../../items/item-rows.js';
import { type BatchLoader, groupByKey } from '../../records/loaders.js';
import { findTargets, withoutYielding } from '../evaluate/decide-items.js';
import {
  anyRole,
  type FoundItem,
  type ItemRow,
  itemsSql,
  ofWorkspaces,
  type PolicyStep,
  readItems,
  readKnown,
  readWorkspace,
  readWorkspaces,
  toItem,
  type Workspace,
} from '../evaluate/ledger.js';
import type { FoundTarget } from '../evaluate/plan-deliveries.js';
import { maxTargets } from './reminders.js';

const dayMilliseconds = 86_400_000;

/** Days by which a slot may differ from the day that its step counts. */
const margin = 9;

/** Days from which slots may be counted, by how days off shift these. */
type CountedDays = Readonly<Record<Shift, readonly number[]>>;

function daysOf(workspace: Workspace, { from, until }: Pick<Ahead, 'from' | 'until'>): CountedDays {
  const days = (shift: Shift) => {
    const slots = slotsBetween(from, until, workspace, workspace.times, [shift]);
    return [...new Set(slots.map(({ nominal }) => nominal.getTime()))];
  };
  return { none: days('none'), before: days('before'), after: days('after') };
}

/** Returns how many days after a date a step is due, or is repeated. */
const offsetsOf = (step: PolicyStep, isRepeated: boolean) =>
  isRepeated
    ? Array.from(
        { length: maxRepeatsOf(step) },
        (_, place) => step.offsetDays + (place + 1) * (step.repeatEveryDays ?? 0),
      )
    : [step.offsetDays];

/** Lists the dates for which a step is due, or repeated, on some days. */
function datesOf(days: CountedDays, steps: readonly PolicyStep[], isRepeated: boolean): Date[] {
  const dates = new Set<number>();
  for (const step of steps) {
    for (const offset of offsetsOf(step, isRepeated)) {
      for (const day of days[shiftOf(step, offset)]) dates.add(day - offset * dayMilliseconds);
    }
  }
  return [...dates].sort((a, b) => a - b).map((date) => new Date(date));
}

/** Dates of items to look for, and days to which reminders were put off. */
interface Wanted {
  readonly plain: Readonly<Record<ItemDate, readonly Date[]>>;
  readonly repeated: Readonly<Record<ItemDate, readonly Date[]>>;
  /** Dates from which the reminder that a repetition repeats may itself be still to come. */
  readonly recent: Date;
  readonly days: readonly Date[];
}

function wantedIn(workspace: Workspace, ahead: Pick<Ahead, 'from' | 'until' | 'now'>): Wanted {
  const steps = [...workspace.steps.values()].flat();
  const days = daysOf(workspace, ahead);
  const dates = (isRepeated: boolean) => ({
    EXPIRATION: datesOf(days, stepsAbout(steps, 'EXPIRATION'), isRepeated),
    NOTICE: datesOf(days, stepsAbout(steps, 'NOTICE'), isRepeated),
  });
  const repeating = steps.filter(({ repeatEveryDays }) => repeatEveryDays !== null);
  const latest = Math.max(0, ...repeating.map(({ offsetDays }) => offsetDays));
  return {
    plain: dates(false),
    repeated: dates(true),
    recent: new Date(ahead.now.getTime() - (latest + margin) * dayMilliseconds),
    days: days.none.map((day) => new Date(day)),
  };
}

/** Workspaces of an organization with the same calendar and steps, and so the same dates. */
type Group = readonly [Workspace, ...Workspace[]];

function groupsOf(workspaces: readonly Workspace[]): readonly Group[] {
  const planOf = ({ organizationId, timezone, workingDays, times, renews, steps }: Workspace) =>
    JSON.stringify([
      ...[organizationId, timezone, workingDays, [...times].sort(), renews],
      [...steps.values()]
        .flat()
        .map((step) => [
          ...[step.about, step.offsetDays, step.repeatEveryDays, step.repeatCount, step.workingDaysOnly],
        ]),
    ]);
  return groupBy(workspaces, planOf) as readonly (readonly Workspace[])[] as readonly Group[];
}

/** Lists when workspaces may send something, in order. Items may have each minute of a day. */
function* momentsOf(groups: readonly Group[], from: Date, end: Date): Generator<Date> {
  for (let since = from; since < end; since = addDays(since, 1)) {
    const until = addDays(since, 1);
    const moments = groups.flatMap(([{ timezone, times, renews }]) =>
      // At midnight, items are renewed by themselves.
      timesBetween(since, until, timezone, renews ? [...times, '00:00'] : times),
    );
    for (const moment of [...new Set(moments)].sort((a, b) => a - b))
      if (moment < end.getTime()) yield new Date(moment);
  }
}

/** A part of the time ahead. */
interface Part extends Pick<Ahead, 'from' | 'until' | 'now'> {
  /** True if all reminders have its end as their time. They then have their items' order. */
  readonly isMoment: boolean;
}

/** A part of the items, by their ids. */
interface ItemPage {
  readonly since: string | null;
  readonly after: string | null;
  readonly count: number;
}

/**
 * Finds a page of items that may have a reminder in a span. They come with their dates, in the order of their ids.
 * Items that would only have a repetition are included only if the ledger knows them, or they were snoozed, so that items
 * which expired years ago are skipped.
 */
async function findUpcoming(
  on: Runs,
  workspaces: Group,
  wanted: Wanted,
  { now, until }: Pick<Part, 'now' | 'until'>,
  { since, after, count }: ItemPage,
): Promise<FoundItem[]> {
  const [{ organizationId }, ...others] = workspaces;
  const teamIds = (some: readonly Workspace[]) => sql`${some.map(({ teamId }) => teamId)}::uuid[]`;
  const isOf =
    others.length === 0
      ? sql`team_id = ${workspaces[0].teamId}::uuid`
      : sql`team_id = ANY(${teamIds(workspaces)})`;
  // The dates of several workspaces are looked up at once, in the index of their organization.
  const expires = others.length === 0 ? isOf : sql`organization_id = ${organizationId}::uuid AND ${isOf}`;
  const repeating = workspaces.flatMap(({ steps }) =>
    [...steps.values()].flat().flatMap(({ id, repeatEveryDays }) => (repeatEveryDays === null ? [] : [id])),
  );
  const renewing = workspaces.filter(({ renews }) => renews);
  const passed = new Date(now.getTime() - 4 * dayMilliseconds);
  // Each date and each item is looked up separately, as the evaluator does.
  const having = (about: ItemDate, dates: readonly Date[], isSure: Sql, own: Sql, date: Sql) => sql`
    SELECT dated.id, ${about}::item_date AS about, day, ${isSure} AS sure
    FROM unnest(${dates}::date[]) AS day CROSS JOIN LATERAL (
      SELECT id FROM expiration_items WHERE ${own} AND is_active AND ${date} = day OFFSET 0
    ) AS dated`;
  // Most repetitions would be of dates before the first one.
  const repeated = (about: ItemDate, own: Sql, date: Sql, first: Sql) => sql`
    ${having(about, wanted.repeated[about], sql`day >= ${wanted.recent}::date`, own, date)} WHERE day >= (${first})`;
  const firstExpires = sql`
    SELECT min(expiration_date) FROM expiration_items
    WHERE ${others.length === 0 ? sql`${isOf} AND is_active` : sql`organization_id = ${organizationId}::uuid`}`;
  const firstNotice = sql`
    SELECT min(day) FROM unnest(${teamIds(workspaces)}) AS team (id) CROSS JOIN LATERAL (
      SELECT min(notice_date) AS day FROM expiration_items WHERE team_id = team.id AND notice_date IS NOT NULL
    ) AS own`;
  // With OFFSET 0, each item is looked up. Otherwise PostgreSQL may read the reminders of all items first.
  const known = (about: ItemDate, day: Sql) => sql`
    EXISTS (
      SELECT FROM acknowledgements AS ack
      WHERE ack.item_id = due.id AND ack.about = ${about}::item_date AND ack.expiration_date = ${day}
        AND ack.snooze_until IS NOT NULL OFFSET 0
    ) OR EXISTS (
      SELECT FROM reminders AS told
      WHERE told.item_id = due.id AND told.about = ${about}::item_date AND told.expiration_date = ${day}
        AND told.step_key = ANY(${repeating}::uuid[])
        AND (told.reason IS NULL OR told.reason <> ALL(${[...mutedReasons]})) OFFSET 0
    )`;
  const asked = (from: Sql, condition: Sql) =>
    sql`SELECT item_id, NULL::item_date, NULL::date, true FROM ${from} WHERE ${condition}`;
  const days = sql`${wanted.days}::date[]`;
  const all = [
    having('EXPIRATION', wanted.plain.EXPIRATION, sql`true`, expires, sql`expiration_date`),
    having('NOTICE', wanted.plain.NOTICE, sql`true`, isOf, sql`notice_date`),
    repeated('EXPIRATION', expires, sql`expiration_date`, firstExpires),
    repeated('NOTICE', isOf, sql`notice_date`, firstNotice),
    asked(sql`acknowledgements`, sql`${isOf} AND snooze_until = ANY(${days})`),
    asked(sql`postponements`, sql`${isOf} AND until = ANY(${days})`),
    // What is renewed by itself until then has other dates.
    sql`SELECT own.id, NULL::item_date, NULL::date, true
      FROM expiration_items AS own JOIN categories AS category ON category.id = own.category_id
      WHERE own.team_id = ANY(${teamIds(renewing)}) AND own.is_active
        AND own.expiration_date BETWEEN ${passed}::date AND ${until}::date AND category.auto_renew IS NOT NULL`,
    asked(sql`acknowledgements`, sql`team_id = ANY(${teamIds(renewing)}) AND created >= ${passed}::date`),
  ];
  // Items are read in the order of their ids, and no more than the page has.
  const statement = sql`
    SELECT found.* FROM (
      SELECT id, bool_or(sure) AS sure, max(day) FILTER (WHERE about = 'EXPIRATION') AS expires,
        max(day) FILTER (WHERE about = 'NOTICE') AS gives_notice
      FROM (${join(all, ' UNION ALL ')}) AS due
      WHERE id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        AND id >= coalesce(${since}::uuid, '00000000-0000-0000-0000-000000000000')
      GROUP BY id ORDER BY id
    ) AS due CROSS JOIN LATERAL (
      ${itemsSql(ofWorkspaces(workspaces), sql`true`, sql`(SELECT * FROM expiration_items WHERE id = due.id OFFSET 0)`)}
    ) AS found
    WHERE due.sure OR ${known('EXPIRATION', sql`due.expires`)} OR ${known('NOTICE', sql`due.gives_notice`)}
    ORDER BY due.id FETCH FIRST ${count} ROWS WITH TIES`;
  const rows = await on.run<ItemRow>(prepared('reminders.upcoming', statement));
  const byTeam = new Map(workspaces.map((workspace) => [workspace.teamId, workspace]));
  return rows.flatMap((row) => {
    const workspace = byTeam.get(row.teamId);
    return workspace ? [toItem(workspace, row)] : [];
  });
}

/** Reads how items are renewed by themselves. Those that are not have no entry. */
async function readRenewing(
  on: Runs,
  { renews, organizationId, teamId }: Workspace,
  items: readonly FoundItem[],
): Promise<ReadonlyMap<string, Renewing>> {
  if (!renews || items.length === 0) return new Map();
  const ids = [...new Set(items.map(({ id }) => id))];
  const statement = sql`
    SELECT item.id, item.expiration_date AS "expirationDate", item.notice_date AS "noticeDate",
      item.notice_rule AS "noticeRule", item.renew_until AS "renewUntil", item.renewals_left AS "renewalsLeft",
      category.auto_renew AS rule, ack.created AS "acknowledgedAt"
    FROM expiration_items AS item JOIN categories AS category ON category.id = item.category_id
    LEFT JOIN acknowledgements AS ack ON ack.item_id = item.id AND ack.about = 'EXPIRATION'
      AND ack.expiration_date = item.expiration_date AND ack.snooze_until IS NULL
    WHERE item.id = ANY(${ids}::uuid[]) AND category.auto_renew IS NOT NULL AND item.expiration_date IS NOT NULL`;
  const rows = await on.run<Omit<Renewing, 'before'> & { id: string }>(
    prepared('reminders.renewing', statement),
  );
  if (rows.length === 0) return new Map();
  const session = {
    caller: gatewayCaller(organizationId, teamId),
    read: <T>(sent: Statement) => on.run<T>(sent),
  };
  const before = await earlierDatesByItem(
    session,
    rows.map(({ id }) => id),
  );
  return new Map(rows.map(({ id, ...row }, place) => [id, { ...row, before: before[place] ?? [] }]));
}

/** The most days ahead. */
export const maxDays = 90;

/** The most workspaces in one request. */
export const maxWorkspaces = 50;

/** Estimated work of foretelling an item's reminders, in bytes read. */
const readBytesOfItem = 1024;

/** Items that are read with one statement, and items examined for one page. */
const [pageSize, maxItems] = [2_000, 100_000];

/** Items of a first page for each reminder that is asked for. Not every item has one. */
const firstPage = 2;

/** Reminder that will be sent if nothing changes. */
export interface UpcomingReminder {
  /** Sort key among those of the same time. */
  readonly key: string;
  readonly at: Date;
  readonly teamId: string;
  readonly itemId: string;
  readonly itemName: string;
  readonly about: ItemDate;
  readonly date: Date;
  readonly occurrence: number;
  readonly isAfterSnooze: boolean;
  readonly step: PolicyStep;
  /** Finds the recipients. Those of all reminders of its page are found together, once. */
  recipients(): Promise<readonly FoundTarget[]>;
}

/** A page of upcoming reminders. It starts after a position, in the order of time. */
interface UpcomingQuery {
  readonly teamIds: readonly string[];
  readonly now: Date;
  readonly days: number;
  readonly after: { readonly at: Date; readonly key: string } | undefined;
  readonly limit: number;
  /** The time slices of the request that asks. */
  readonly slices?: TimeSlices;
}

/** A reminder whose recipients are to be found. */
interface Recipients extends Pick<Foretold<FoundItem>, 'item' | 'yieldsTo' | 'endsAt'> {
  readonly workspace: Workspace;
  readonly at: Date;
  readonly step: PolicyStep;
  readonly recipientKey: string | null;
}

type Planned = Omit<UpcomingReminder, 'recipients'> & Recipients;

const byPlace = (a: Pick<Planned, 'at' | 'key'>, b: Pick<Planned, 'at' | 'key'>) =>
  a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

const toPlanned = (
  workspace: Workspace,
  { item, candidate, yieldsTo, endsAt }: Foretold<FoundItem>,
): Planned => ({
  key: `${item.id} ${item.about} ${candidate.stepKey} ${candidate.occurrence}`,
  at: candidate.slot,
  teamId: workspace.teamId,
  itemId: item.id,
  itemName: item.name,
  ...{ about: item.about, date: item.date },
  occurrence: candidate.stepKey === snoozeKey ? 0 : candidate.occurrence,
  isAfterSnooze: candidate.stepKey === snoozeKey || candidate.recipientKey !== null,
  // The step belongs to the item, which got it from the workspace's policies.
  step: candidate.step as PolicyStep,
  recipientKey: candidate.recipientKey,
  ...{ workspace, item, yieldsTo, endsAt },
});

/** Finds the recipients of reminders, each at its time. They are in the order of the reminders. */
async function findRecipients(
  on: Runs,
  reminders: readonly Recipients[],
  now: Date,
): Promise<FoundTarget[][]> {
  const asked = reminders.map(({ workspace, item, at, step, recipientKey, yieldsTo }) => ({
    ...{ workspace, id: newId(), itemId: item.id, about: item.about, at, recipientKey },
    step: recipientKey === null ? step : anyRole(item.steps, workspace.fallbackAddress),
    // The steps belong to the item, which got them from the workspace's policies.
    yieldsTo: yieldsTo as readonly PolicyStep[],
  }));
  const found = await findTargets(on, asked, now, { most: maxTargets });
  const targets = groupByKey(
    asked.map(({ id }) => id),
    await withoutYielding(on, asked, found, now),
    ({ reminderId }) => reminderId,
  );
  return reminders.map(({ workspace, at, endsAt }, place) =>
    (targets[place] ?? []).map((one) =>
      // Their digest comes too late.
      endsAt &&
      one.reason === null &&
      one.mode !== 'SINGLE' &&
      nextDigest(one, one.timezone ?? workspace.timezone, at) >= endsAt
        ? { ...one, reason: 'renewed' as const }
        : one,
    ),
  );
}

/** Finds the first reminders of a part of the time ahead, by pages of items. It keeps only as many as requested. */
async function scan(
  on: Runs,
  groups: readonly Group[],
  part: Part,
  { after, limit, slices }: UpcomingQuery,
  budget: { items: number },
): Promise<Planned[]> {
  const { isMoment, until } = part;
  // Those of the cursor's item and time may come after it.
  const since =
    isMoment && after?.at.getTime() === until.getTime() ? (after.key.split(' ')[0] ?? null) : null;
  let kept: Planned[] = [];
  for (const group of groups) {
    const wanted = wantedIn(group[0], part);
    const ofTeam = new Map(group.map((workspace) => [workspace.teamId, workspace]));
    let last: string | null = null;
    let count = isMoment ? Math.min(pageSize, firstPage * limit) : pageSize;
    for (let more = true; more; ) {
      const items: FoundItem[] = await findUpcoming(on, group, wanted, part, { since, after: last, count });
      const known = await readKnown(on, items);
      slices?.addRead(items.length * readBytesOfItem);
      const planned: Planned[] = [];
      for (const own of groupBy(items, ({ teamId }) => teamId)) {
        // Items are found in these workspaces only.
        const workspace = ofTeam.get(own[0]?.teamId ?? '') as Workspace;
        const renewing = await readRenewing(on, workspace, own);
        const ahead = { ...part, timezone: workspace.timezone, workingDays: workspace.workingDays };
        for (const item of own) {
          if (slices?.isOver) await slices.next();
          const foretold = foretell(item, renewing.get(item.id), ahead, (stepKey) => known(item, stepKey));
          planned.push(...foretold.map((one) => toPlanned(workspace, one)));
        }
      }
      const fresh = planned.filter((one) => !after || byPlace(one, after) > 0);
      kept = [...kept, ...fresh].sort(byPlace).slice(0, limit);
      budget.items -= items.length;
      if (budget.items < 0)
        throw new GatewayError(
          'BAD_REQUEST',
          'Too many items are due: ask for one workspace, or fewer days.',
        );
      last = items.at(-1)?.id ?? null;
      more = items.length >= count && !(isMoment && isFull(kept, limit, last));
      count = Math.min(pageSize, 4 * count);
    }
  }
  return kept;
}

/** Returns whether no item beyond an id has one of a moment's first reminders. */
function isFull(kept: readonly Planned[], limit: number, last: string | null): boolean {
  const furthest = kept[limit - 1];
  return furthest !== undefined && last !== null && furthest.itemId <= last;
}

/** Adds a function to reminders that finds their recipients. Its first call finds those of all. */
function withRecipients(on: Runs, planned: readonly Planned[], now: Date): UpcomingReminder[] {
  let found: Promise<FoundTarget[][]> | undefined;
  return planned.map((reminder, place) => {
    const { workspace: _, item: __, recipientKey: ___, yieldsTo: ____, endsAt: _____, ...one } = reminder;
    const recipients = async () => {
      found ??= findRecipients(on, planned, now);
      return (await found)[place] ?? [];
    };
    return { ...one, recipients };
  });
}

/**
 * Lists the reminders of the next days if nothing changes. It examines near days first, and no more than it
 * needs.
 * @returns one more than requested, if there are more
 * @throws GatewayError BAD_REQUEST if there are too many items to examine
 */
export async function listUpcoming(on: Runs, query: UpcomingQuery): Promise<UpcomingReminder[]> {
  const { teamIds, now, days, after, limit } = query;
  const groups = groupsOf(await readWorkspaces(on, teamIds));
  const end = addDays(now, days);
  // Reminders of the cursor's exact time may come after it.
  let from = after && after.at > now ? new Date(after.at.getTime() - 1) : now;
  const planned: Planned[] = [];
  const budget = { items: maxItems };
  const coming = momentsOf(groups, from, end);
  // Each part of the time has twice as many moments as the one before, starting with a single one.
  for (let moments = 1; from < end && planned.length < limit && groups.length > 0; moments *= 2) {
    let until = end;
    for (let moment = 0; moment < moments; moment++) {
      const next = coming.next();
      until = next.done ? end : next.value;
      if (next.done) break;
    }
    const rest = { ...query, limit: limit - planned.length };
    const part = { from, until, now, isMoment: moments === 1 };
    planned.push(...(await scan(on, groups, part, rest, budget)));
    from = until;
  }
  return withRecipients(on, planned, now);
}

/** Next reminder of an item if nothing changes. */
export interface NextReminder {
  readonly about: ItemDate;
  /** The day in the workspace, at midnight UTC. */
  readonly on: Date;
  readonly at: Date;
  readonly step: PolicyStep;
  readonly recipients: readonly FoundTarget[];
}

/** Lets a session run the evaluator's reading statements. Statements of one turn share a connection. */
export const readingOf = (session: Session): Runs => ({
  rowSecurity: session.rowSecurity,
  run: <Row>(statement: Statement) => session.lookUp<Row>(statement),
});

/** Excludes contacts whose workspaces a caller does not see. */
export const seenBy =
  (teamIds: readonly string[]) =>
  ({ home }: FoundTarget): boolean =>
    home === null || teamIds.includes(home);

async function readNext(
  session: Session,
  teamId: string,
  itemIds: readonly string[],
): Promise<(readonly [string, NextReminder])[]> {
  const { now, slices } = session;
  const on = readingOf(session);
  const workspace = await readWorkspace(on, teamId);
  if (!workspace) return [];
  const { timezone, workingDays } = workspace;
  const items = await readItems(on, workspace, itemIds);
  const known = await readKnown(on, items);
  const renewing = await readRenewing(on, workspace, items);
  slices.addRead(items.length * readBytesOfItem);
  const first = new Map<string, Recipients>();
  for (const item of items) {
    if (slices.isOver) await slices.next();
    const calendar = { now, timezone, workingDays };
    const found = foretellNext(item, renewing.get(item.id), calendar, (stepKey) => known(item, stepKey));
    if (!found) continue;
    const { slot: at, recipientKey, step } = found.candidate;
    const other = first.get(item.id);
    if (!other || at < other.at)
      first.set(item.id, { ...found, workspace, at, recipientKey, step: step as PolicyStep });
  }
  const next = [...first.values()];
  const targets = await findRecipients(on, next, now);
  return next.map(({ item: { id, about }, at, step }, place) => {
    const recipients = (targets[place] ?? []).filter(seenBy(session.caller.teamIds));
    return [id, { about, on: dayAt(at, timezone), at, step, recipients }] as const;
  });
}

/** Loads the next reminders of items, with a few statements per workspace. */
export const nextReminders: BatchLoader<NextReminder | null> = async (session, itemIds) => {
  const items = await readRows(session, 'ExpirationItem', { where: { id: { in: itemIds } } }, [
    'id',
    'teamId',
  ]);
  const found = await Promise.all(
    groupBy(items, ({ teamId }) => teamId).map((own) =>
      readNext(
        session,
        own[0]?.teamId ?? '',
        own.map(({ id }) => id),
      ),
    ),
  );
  const next = new Map(found.flat());
  return itemIds.map((id) => next.get(id) ?? null);
};
