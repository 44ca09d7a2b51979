import type { Session } from '../db/connection/session.js';
import { conditionSql } from '../db/sql/conditions.js';
import type { KeyColumn } from '../db/sql/key-columns.js';
import type { Condition } from '../db/sql/query.js';
import { readRows } from '../db/sql/select.js';
import { formatDate } from '../domain/dates.js';
import { type Calendar, type Status, type StatusDays, statusDays, statusIds } from '../domain/status.js';
import { Prisma } from '../generated/prisma/client.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';

const { sql, join, raw } = Prisma;

/** Today and the reminder horizon of a workspace. */
export interface WorkspaceDays extends StatusDays {
  readonly teamId: string;
}

const teamCalendars: BatchLoader<(Calendar & { id: string })[]> = async (session, keys) => {
  const teams = await readRows(session, 'Team', {});
  return keys.map(() => teams);
};

/** Returns today and the horizon of each workspace that the caller sees. They are read once in a request. */
export async function workspaceDays(session: Session): Promise<WorkspaceDays[]> {
  const teams = await loadBatched(session, teamCalendars, session.caller.organizationId);
  return teams.map((team) => ({ teamId: team.id, ...statusDays(team, session.now) }));
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

/**
 * Returns the condition that an item's date is in its workspace's range. The range depends on the day that it is
 * there. Workspaces with the same range share one.
 */
export function dateCondition(
  days: readonly WorkspaceDays[],
  rangeOf: (days: StatusDays) => DateRange,
): Condition {
  const groups = new Map<string, { teamIds: string[]; range: DateRange }>();
  for (const { teamId, ...ofTeam } of days) {
    const range = rangeOf(ofTeam);
    const key = JSON.stringify(range);
    const group = groups.get(key) ?? { teamIds: [], range };
    group.teamIds.push(teamId);
    groups.set(key, group);
  }
  const ranges = [...groups.values()];
  // What the caller sees is in these workspaces.
  if (ranges.length === 1) return { expirationDate: ranges[0]?.range };
  return {
    // One range for an index to be searched by.
    expirationDate: enclosingRange(ranges.map(({ range }) => range)),
    OR: ranges.map(({ teamIds, range }) => ({ teamId: { in: teamIds }, expirationDate: range })),
  };
}

/**
 * Expresses `statusOf` (domain/status.ts) as conditions: each item matches exactly one.
 * @param dated the condition that an item's date is in a range of the days of its workspace
 */
export function statusConditions(
  dated: (rangeOf: <Day>(days: { today: Day; horizon: Day }) => DateRange<Day>) => Condition,
): Readonly<Record<Status, Condition>> {
  const inUse = { isActive: true, isMissing: false };
  return {
    archived: { isActive: false },
    missing: { isActive: true, isMissing: true },
    nodate: { ...inUse, expirationDate: null },
    expired: { ...inUse, ...dated(({ today }) => ({ lt: today })) },
    notifying: { ...inUse, ...dated(({ today, horizon }) => ({ gte: today, lte: horizon })) },
    current: { ...inUse, ...dated(({ horizon }) => ({ gt: horizon })) },
  };
}

/** The statuses in the order of their numbers. */
export const statuses = Object.keys(statusIds) as Status[];

/**
 * Returns the JOIN with each workspace's days, as `days`. The status of each item is computed by them, so no date range
 * could narrow the search.
 */
export function joinDaysSql(days: readonly WorkspaceDays[]): Prisma.Sql {
  const dates = (day: 'today' | 'horizon') => sql`${days.map((ofTeam) => formatDate(ofTeam[day]))}::date[]`;
  const teamIds = sql`${days.map(({ teamId }) => teamId)}::uuid[]`;
  return sql`
    JOIN unnest(${teamIds}, ${dates('today')}, ${dates('horizon')}) AS days (team_id, today, horizon)
    ON days.team_id = record.team_id`;
}

/** Returns the CASE expression of what stands for an item's status. */
export function statusSql(standsFor: (status: Status) => Prisma.Sql): Prisma.Sql {
  const columns = { today: sql`days.today`, horizon: sql`days.horizon` };
  const conditions = statusConditions((rangeOf) => ({ expirationDate: rangeOf(columns) }));
  const cases = statuses.map(
    (status) => sql`WHEN ${conditionSql('record', conditions[status])} THEN ${standsFor(status)}`,
  );
  return sql`CASE ${join(cases, ' ')} END`;
}

/** Returns the number of an item's status, for lists to be ordered by. */
export async function statusNumber(session: Session): Promise<KeyColumn> {
  const days = await workspaceDays(session);
  return { value: statusSql((status) => raw(String(statusIds[status]))), joined: joinDaysSql(days) };
}
