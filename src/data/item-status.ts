import { type Calendar, type Status, type StatusDays, statusDays } from '../domain/status.js';
import { type Batch, loadThrough } from './loaders.js';
import type { Condition } from './resource.js';
import type { Session } from './scope.js';

/** The days of a workspace now. */
export interface WorkspaceDays extends StatusDays {
  readonly teamId: string;
}

const calendars: Batch<(Calendar & { id: string })[]> = async (db, keys) => {
  const teams = await db.team.findMany({ select: { id: true, timezone: true, reminderDays: true } });
  return keys.map(() => teams);
};

/** The days of all workspaces that the caller sees, each in its own time zone; read once in a request. */
export async function workspaceDays(session: Session): Promise<WorkspaceDays[]> {
  const teams = await loadThrough(session, calendars, session.caller.organizationId);
  return teams.map((team) => ({ teamId: team.id, ...statusDays(team, session.now) }));
}

/**
 * A condition that depends on the day that it is in an item's workspace. Workspaces with the same days share one;
 * when all do, it holds for whatever the caller sees.
 * @param conditionOf the condition of a workspace's items
 */
export function byDays(
  days: readonly WorkspaceDays[],
  conditionOf: (days: StatusDays) => Condition,
): Condition {
  const groups = new Map<string, { teamIds: string[]; condition: Condition }>();
  for (const { teamId, ...ofTeam } of days) {
    const condition = conditionOf(ofTeam);
    const key = JSON.stringify(condition);
    const group = groups.get(key) ?? { teamIds: [], condition };
    group.teamIds.push(teamId);
    groups.set(key, group);
  }
  const [first, ...others] = groups.values();
  if (first && others.length === 0) return first.condition;
  return {
    OR: [...groups.values()].map(({ teamIds, condition }) => ({ teamId: { in: teamIds }, ...condition })),
  };
}

/** What `statusOf` (domain/status.ts) computes of one item, as conditions: each item keeps exactly one of them. */
export function statusConditions(days: readonly WorkspaceDays[]): Readonly<Record<Status, Condition>> {
  const inUse = { isActive: true, isMissing: false };
  const dated = (rangeOf: (days: StatusDays) => Condition): Condition => ({
    ...inUse,
    AND: byDays(days, (ofTeam) => ({ expirationDate: rangeOf(ofTeam) })),
  });
  return {
    archived: { isActive: false },
    missing: { isActive: true, isMissing: true },
    nodate: { ...inUse, expirationDate: null },
    expired: dated(({ today }) => ({ lt: today })),
    notifying: dated(({ today, horizon }) => ({ gte: today, lte: horizon })),
    current: dated(({ horizon }) => ({ gt: horizon })),
  };
}
