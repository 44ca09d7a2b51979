import type { Session } from '../db/connection/session.js';
import { type Condition, conditionSql, type KeyColumn } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { join, raw, type Sql, sql } from '../db/sql/sql.js';
import { groupBy } from '../domain/collections.js';
import { type Calendar, formatDate, type Status, statusIds, todayIn } from '../domain/dates.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';

/** The current day in a workspace. */
export interface WorkspaceDay {
  readonly teamId: string;
  readonly today: Date;
}

const teamCalendars: BatchLoader<(Calendar & { id: string })[]> = async (session, keys) => {
  const teams = await readRows(session, 'Team', {});
  return keys.map(() => teams);
};

/** Returns the current day in each workspace that the caller sees. It is read once per request. */
export async function workspaceDays(session: Session): Promise<WorkspaceDay[]> {
  const teams = await loadBatched(session, teamCalendars, session.caller.organizationId);
  return teams.map((team) => ({ teamId: team.id, today: todayIn(team.timezone, session.now) }));
}

/** A range of days, open where a bound is missing. */
interface DateRange<Day = Date> {
  readonly gte?: Day;
  readonly gt?: Day;
  readonly lte?: Day;
  readonly lt?: Day;
}

/** Returns the smallest range that contains all ranges, which have the same kinds of bounds. */
function enclosingRange(ranges: readonly DateRange[]): DateRange {
  const ends = (end: keyof DateRange) => ranges.flatMap(({ [end]: date }) => (date ? [date.getTime()] : []));
  const outermost = (end: keyof DateRange, choose: (...days: number[]) => number) =>
    ends(end).length > 0 && { [end]: new Date(choose(...ends(end))) };
  return {
    ...outermost('gte', Math.min),
    ...outermost('gt', Math.min),
    ...outermost('lte', Math.max),
    ...outermost('lt', Math.max),
  };
}

/** A day of an item, or of its holder's compliance. */
export type ItemDay = 'expirationDate' | 'notifyOn' | 'noticeDate' | 'until';

/**
 * Returns the condition that a day of a row is within its workspace's range. The range depends on the
 * current day there. Workspaces with the same range share one condition.
 */
export function dateCondition(
  days: readonly WorkspaceDay[],
  rangeOf: (today: Date) => DateRange,
  field: ItemDay = 'expirationDate',
): Condition {
  const groups = new Map<string, { teamIds: string[]; range: DateRange }>();
  for (const { teamId, today } of days) {
    const range = rangeOf(today);
    const key = JSON.stringify(range);
    const group = groups.get(key) ?? { teamIds: [], range };
    group.teamIds.push(teamId);
    groups.set(key, group);
  }
  const ranges = [...groups.values()];
  // These workspaces are all that the caller sees.
  if (ranges.length === 1) return { [field]: ranges[0]?.range };
  return {
    // One range that an index can search.
    [field]: enclosingRange(ranges.map(({ range }) => range)),
    OR: ranges.map(({ teamIds, range }) => ({ teamId: { in: teamIds }, [field]: range })),
  };
}

/**
 * Expresses `computeStatus` (domain/dates.ts) as conditions: each item matches exactly one.
 * @param dated creates the condition that a day of an item is within a range that depends on the workspace's
 *   day
 */
export function statusConditions(
  dated: (rangeOf: <Day>(today: Day) => DateRange<Day>, field?: ItemDay) => Condition,
): Readonly<Record<Status, Condition>> {
  const inUse = { isActive: true, isMissing: false };
  const isAhead = dated((today) => ({ gte: today }));
  return {
    archived: { isActive: false },
    missing: { isActive: true, isMissing: true },
    nodate: { ...inUse, expirationDate: null },
    expired: { ...inUse, ...dated((today) => ({ lt: today })) },
    notifying: { ...inUse, AND: [isAhead, dated((today) => ({ lte: today }), 'notifyOn')] },
    current: { ...inUse, AND: [isAhead, dated((today) => ({ gt: today }), 'notifyOn')] },
  };
}

/** The statuses in the order of their numbers. */
export const statuses = Object.keys(statusIds) as Status[];

/**
 * Returns the JOIN with the day of a row's workspace, as `days`. The status is computed for each item, so a date range
 * could not narrow the search. At most a few days are current anywhere. A join with the workspaces themselves would
 * mislead PostgreSQL: it would expect so few rows that it would look each of them up, and sort them to group them.
 */
export function joinDaysSql(days: readonly WorkspaceDay[]): Sql {
  const [usual = [], ...others] = groupBy(days, ({ today }) => formatDate(today));
  const dayOf = ([first]: readonly WorkspaceDay[]) => sql`${first ? formatDate(first.today) : null}::date`;
  if (others.length === 0) return sql`CROSS JOIN (SELECT ${dayOf(usual)} AS today) AS days`;
  const cases = others.map(
    (own) => sql`WHEN record.team_id = ANY(${own.map(({ teamId }) => teamId)}::uuid[]) THEN ${dayOf(own)}`,
  );
  // OFFSET 0 keeps PostgreSQL from finding the day anew for each comparison.
  return sql`CROSS JOIN LATERAL (SELECT CASE ${join(cases, ' ')} ELSE ${dayOf(usual)} END AS today OFFSET 0) AS days`;
}

/** Returns the CASE expression for a value by an item's status. */
export function statusSql(standsFor: (status: Status) => Sql): Sql {
  const conditions = statusConditions((rangeOf, field = 'expirationDate') => ({
    [field]: rangeOf(sql`days.today`),
  }));
  const cases = statuses.map(
    (status) => sql`WHEN ${conditionSql('record', conditions[status])} THEN ${standsFor(status)}`,
  );
  return sql`CASE ${join(cases, ' ')} END`;
}

/** Returns the number of an item's status, which lists are ordered by. */
export async function statusNumber(session: Session): Promise<KeyColumn> {
  const days = await workspaceDays(session);
  return { value: statusSql((status) => raw(String(statusIds[status]))), joined: joinDaysSql(days) };
}
