import type { TimeSlices } from '../../db/connection/bounds.js';
import type { Session } from '../../db/connection/session.js';
import { prepared, type Statement } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { gatewayCaller } from '../../domain/caller.js';
import { groupBy } from '../../domain/collections.js';
import { addDays } from '../../domain/dates.js';
import { GatewayError } from '../../domain/errors.js';
import { type Ahead, maxRepeatsOf, mutedReasons, snoozeKey } from '../../domain/reminders/decide.js';
import { type ItemDate, stepsAbout } from '../../domain/reminders/policy.js';
import { dayAt, nextDigest, slotsBetween } from '../../domain/reminders/slots.js';
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
  type PolicyStep,
  readItems,
  readKnown,
  readWorkspace,
  toItem,
  type Workspace,
} from '../evaluate/ledger.js';
import type { FoundTarget } from '../evaluate/plan-deliveries.js';
import { maxTargets } from './reminders.js';

const dayMilliseconds = 86_400_000;

/** Days by which a slot may differ from the day that its step counts. */
const margin = 9;

/** Returns the days from which the slots of a span may be counted. */
function daysOf(workspace: Workspace, { from, until }: Ahead): number[] {
  const slots = slotsBetween(from, until, workspace, workspace.times, ['none', 'before', 'after']);
  return [...new Set(slots.map(({ nominal }) => nominal.getTime()))];
}

const datesOf = (days: readonly number[], offsets: ReadonlySet<number>) => [
  ...new Set(days.flatMap((day) => [...offsets].map((offset) => day - offset * dayMilliseconds))),
];

const asDates = (moments: readonly number[]) => moments.map((moment) => new Date(moment));

/**
 * Finds a page of items that may have a reminder in a span. They come with their dates, in the order of their ids.
 * Items that would only have a repetition are included only if the ledger knows them, or they were snoozed, so that items
 * which expired years ago are skipped.
 */
async function findUpcoming(
  on: Runs,
  workspace: Workspace,
  ahead: Ahead,
  after: string | null,
  count: number,
): Promise<FoundItem[]> {
  const steps = [...workspace.steps.values()].flat();
  const repeating = steps.filter(({ repeatEveryDays }) => repeatEveryDays !== null);
  const days = daysOf(workspace, ahead);
  const plain = (about: ItemDate) =>
    asDates(datesOf(days, new Set(stepsAbout(steps, about).map(({ offsetDays }) => offsetDays))));
  const later = (about: ItemDate) =>
    asDates(
      datesOf(
        days,
        new Set(
          stepsAbout(repeating, about).flatMap((step) =>
            Array.from(
              { length: maxRepeatsOf(step) },
              (_, place) => step.offsetDays + (place + 1) * (step.repeatEveryDays ?? 0),
            ),
          ),
        ),
      ),
    );
  // The reminder that a repetition repeats may itself be still to come, for dates from this one on.
  const latest = Math.max(0, ...repeating.map(({ offsetDays }) => offsetDays));
  const recent = new Date(ahead.now.getTime() - (latest + margin) * dayMilliseconds);
  const passed = new Date(ahead.now.getTime() - 4 * dayMilliseconds);
  // Look up each date and each item separately, as the evaluator does.
  const having = (about: ItemDate, date: Sql) => sql`
    SELECT dated.id FROM unnest(${plain(about)}::date[]) AS day CROSS JOIN LATERAL (
      SELECT id FROM expiration_items
      WHERE team_id = ${workspace.teamId}::uuid AND is_active AND ${date} = day OFFSET 0
    ) AS dated
    UNION SELECT dated.id FROM unnest(${later(about)}::date[]) AS day CROSS JOIN LATERAL (
      SELECT id FROM expiration_items
      WHERE team_id = ${workspace.teamId}::uuid AND is_active AND ${date} = day OFFSET 0
    ) AS dated
    WHERE day >= ${recent}::date OR EXISTS (
      SELECT FROM acknowledgements AS ack
      WHERE ack.item_id = dated.id AND ack.about = ${about}::item_date AND ack.expiration_date = day
        AND ack.snooze_until IS NOT NULL
    ) OR EXISTS (
      SELECT FROM reminders AS told
      WHERE told.item_id = dated.id AND told.about = ${about}::item_date AND told.expiration_date = day
        AND told.step_key = ANY(${repeating.map(({ id }) => id)}::uuid[])
        AND (told.reason IS NULL OR told.reason <> ALL(${[...mutedReasons]})))`;
  const statement = sql`
    SELECT found.* FROM (
      ${having('EXPIRATION', sql`expiration_date`)}
      UNION ${having('NOTICE', sql`notice_date`)}
      UNION SELECT item_id FROM acknowledgements
      WHERE team_id = ${workspace.teamId}::uuid AND snooze_until = ANY(${asDates(days)}::date[])
      UNION SELECT item_id FROM postponements
      WHERE team_id = ${workspace.teamId}::uuid AND until = ANY(${asDates(days)}::date[])
      -- What is renewed by itself until then has other dates.
      UNION SELECT own.id FROM expiration_items AS own JOIN categories AS category ON category.id = own.category_id
      WHERE ${workspace.renews}::boolean AND own.team_id = ${workspace.teamId}::uuid AND own.is_active
        AND own.expiration_date BETWEEN ${passed}::date AND ${ahead.until}::date AND category.auto_renew IS NOT NULL
      UNION SELECT item_id FROM acknowledgements
      WHERE ${workspace.renews}::boolean AND team_id = ${workspace.teamId}::uuid AND created >= ${passed}::date
    ) AS due CROSS JOIN LATERAL (
      ${itemsSql(workspace, sql`true`, sql`(SELECT * FROM expiration_items WHERE id = due.id OFFSET 0)`)}
    ) AS found
    WHERE due.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY found.id FETCH FIRST ${count} ROWS WITH TIES`;
  const rows = await on.run<ItemRow>(prepared('reminders.upcoming', statement));
  return rows.map((row) => toItem(workspace, row));
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
  readonly recipients: readonly FoundTarget[];
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
  readonly at: Date;
  readonly step: PolicyStep;
  readonly recipientKey: string | null;
}

type Planned = Omit<UpcomingReminder, 'recipients'> & Recipients & { readonly workspace: Workspace };

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

/** Finds the recipients of reminders of a workspace, each at its time. They are in the order of the reminders. */
async function findRecipients(
  on: Runs,
  workspace: Workspace,
  reminders: readonly Recipients[],
  now: Date,
): Promise<FoundTarget[][]> {
  const { fallbackAddress, timezone } = workspace;
  const asked = reminders.map(({ item, at, step, recipientKey, yieldsTo }) => ({
    ...{ id: newId(), itemId: item.id, about: item.about, at, recipientKey },
    step: recipientKey === null ? step : anyRole(item.steps, fallbackAddress),
    // The steps belong to the item, which got them from the workspace's policies.
    yieldsTo: yieldsTo as readonly PolicyStep[],
  }));
  const found = await findTargets(on, workspace, asked, now, { most: maxTargets });
  const targets = groupByKey(
    asked.map(({ id }) => id),
    await withoutYielding(on, workspace, asked, found, now),
    ({ reminderId }) => reminderId,
  );
  return reminders.map(({ at, endsAt }, place) =>
    (targets[place] ?? []).map((one) =>
      // Their digest comes too late.
      endsAt &&
      one.reason === null &&
      one.mode !== 'SINGLE' &&
      nextDigest(one, one.timezone ?? timezone, at) >= endsAt
        ? { ...one, reason: 'renewed' as const }
        : one,
    ),
  );
}

/** Finds the first reminders of a span, by pages of items. It keeps only as many as requested. */
async function scan(
  on: Runs,
  workspaces: readonly Workspace[],
  span: Pick<Ahead, 'from' | 'until' | 'now'>,
  { after, limit, slices }: UpcomingQuery,
  budget: { items: number },
): Promise<Planned[]> {
  let kept: Planned[] = [];
  for (const workspace of workspaces) {
    const ahead = { ...span, timezone: workspace.timezone, workingDays: workspace.workingDays };
    let last: string | null = null;
    for (let more = true; more; ) {
      const items: FoundItem[] = await findUpcoming(on, workspace, ahead, last, pageSize);
      const known = await readKnown(on, items);
      const renewing = await readRenewing(on, workspace, items);
      slices?.addRead(items.length * readBytesOfItem);
      const planned: Planned[] = [];
      for (const item of items) {
        if (slices?.isOver) await slices.next();
        const foretold = foretell(item, renewing.get(item.id), ahead, (stepKey) => known(item, stepKey));
        planned.push(...foretold.map((one) => toPlanned(workspace, one)));
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
      more = items.length >= pageSize;
    }
  }
  return kept;
}

/** Adds the recipients of reminders. */
async function withRecipients(on: Runs, planned: readonly Planned[], now: Date): Promise<UpcomingReminder[]> {
  const recipients = new Map<Planned, FoundTarget[]>();
  for (const own of groupBy(planned, ({ teamId }) => teamId)) {
    const found = await findRecipients(on, (own[0] as Planned).workspace, own, now);
    for (const [place, one] of own.entries()) recipients.set(one, found[place] ?? []);
  }
  return planned.map((reminder) => {
    const { workspace: _, item: __, recipientKey: ___, yieldsTo: ____, endsAt: _____, ...one } = reminder;
    return { ...one, recipients: recipients.get(reminder) ?? [] };
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
  const found = await Promise.all(teamIds.map((teamId) => readWorkspace(on, teamId)));
  const workspaces = found.filter((workspace) => workspace !== undefined);
  const end = addDays(now, days);
  // Reminders of the cursor's exact time may come after it.
  let from = after && after.at > now ? new Date(after.at.getTime() - 1) : now;
  const planned: Planned[] = [];
  const budget = { items: maxItems };
  for (let width = 1; from < end && planned.length < limit; width *= 2) {
    const until = new Date(Math.min(addDays(from, width).getTime(), end.getTime()));
    const rest = { ...query, limit: limit - planned.length };
    planned.push(...(await scan(on, workspaces, { from, until, now }, rest, budget)));
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
    if (!other || at < other.at) first.set(item.id, { ...found, at, recipientKey, step: step as PolicyStep });
  }
  const next = [...first.values()];
  const targets = await findRecipients(on, workspace, next, now);
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
