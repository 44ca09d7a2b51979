import type { Session } from '../db/connection/session.js';
import type { Condition } from '../db/sql/query.js';
import { readRows } from '../db/sql/select.js';
import { type Calendar, type Status, type StatusDays, statusDays } from '../domain/status.js';
import { type Batch, loadBatched } from '../records/loaders.js';

/** The days of a workspace now. */
export interface WorkspaceDays extends StatusDays {
  readonly teamId: string;
}

const teamCalendars: Batch<(Calendar & { id: string })[]> = async (session, keys) => {
  const teams = await readRows(session, 'Team', {});
  return keys.map(() => teams);
};

/** The days of all workspaces that the caller sees, each in its own time zone; read once in a request. */
export async function workspaceDays(session: Session): Promise<WorkspaceDays[]> {
  const teams = await loadBatched(session, teamCalendars, session.caller.organizationId);
  return teams.map((team) => ({ teamId: team.id, ...statusDays(team, session.now) }));
}

/** A range of days; without an end where one is missing. */
interface DateRange<Day = Date> {
  readonly gte?: Day;
  readonly gt?: Day;
  readonly lte?: Day;
  readonly lt?: Day;
}

/** A range that holds all of some ranges, which have the same kinds of ends. */
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
 * The condition that an item's date is in a range that depends on the day that it is in the item's workspace.
 * Workspaces with the same range share one.
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
 * What `statusOf` (domain/status.ts) computes of one item, as conditions: each item keeps exactly one of them.
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
