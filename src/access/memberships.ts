import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertRows, updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locking.js';
import { changingUsers, lockUser, userEvent } from './people.js';

/** Returns the id of a workspace as stored. @throws GatewayError NOT_FOUND if the caller does not see it */
function visibleTeam({ caller }: Session, teamId: string): string {
  const id = teamId.toLowerCase();
  if (!isUuid(teamId) || !caller.teamIds.includes(id)) throw notFound('workspace', teamId);
  return id;
}

/** Reads the ids of a user's workspaces, the oldest membership first. */
async function teamIdsOf(tx: Transaction, userId: string): Promise<string[]> {
  const orderBy = [{ created: 'asc' as const }, { teamId: 'asc' as const }];
  return (await readRows(tx, 'Membership', { where: { userId }, orderBy })).map(({ teamId }) => teamId);
}

/** Marks a user as changed, and logs that the memberships changed. */
async function logMembership(
  tx: Transaction,
  user: RowOf<'User'>,
  joined: boolean,
  teamId: string,
  changes: Partial<Pick<RowOf<'User'>, 'teamId'>>,
  now: Date,
): Promise<RowOf<'User'>> {
  const { caller } = tx;
  const values = { ...changes, modified: nextModified(now, user.modified) };
  const [row = user] = await updateRows(tx, 'User', { id: user.id }, values);
  const [type, what] = joined
    ? (['member added', 'became a member of the workspace'] as const)
    : (['member removed', 'is no longer a member of the workspace'] as const);
  await logEvent(tx, { caller, now }, userEvent(type, row, what, teamId));
  return row;
}

/**
 * Makes a user a member of a workspace. An existing member stays one.
 * @throws GatewayError NOT_FOUND for a user or workspace that the caller does not see; PRECONDITION_FAILED by
 *   the user's version
 */
export async function addTeamMember(
  session: Session,
  teamId: string,
  userId: string,
): Promise<RowOf<'User'>> {
  const team = visibleTeam(session, teamId);
  return changingUsers(session, async (tx) => {
    const user = await lockUser(tx, userId);
    checkVersion(session, user);
    if ((await teamIdsOf(tx, user.id)).includes(team)) return user;
    await insertRows(tx, 'Membership', [{ userId: user.id, teamId: team, created: session.now }]);
    return logMembership(tx, user, true, team, {}, session.now);
  });
}

/**
 * Removes a user from a workspace. It stops being their default workspace. For a non-member, nothing changes.
 * @throws GatewayError NOT_FOUND for a user or workspace that the caller does not see; PRECONDITION_FAILED by
 *   the user's version
 */
export async function removeTeamMember(
  session: Session,
  teamId: string,
  userId: string,
): Promise<RowOf<'User'>> {
  const team = visibleTeam(session, teamId);
  return changingUsers(session, async (tx) => {
    const user = await lockUser(tx, userId);
    checkVersion(session, user);
    if ((await deleteRows(tx, 'Membership', { userId: user.id, teamId: team })) === 0) return user;
    const [next] = user.teamId === team ? await teamIdsOf(tx, user.id) : [];
    return logMembership(tx, user, false, team, next === undefined ? {} : { teamId: next }, session.now);
  });
}
