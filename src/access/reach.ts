import type { Caller } from '../domain/caller.js';
import type { Identity } from '../domain/identity.js';
import { commonRole, type Role, roles } from '../domain/roles.js';

/** User and workspaces of a token, as look-ups find them. */
export interface Reach {
  readonly role: Role;
  readonly organizationId: string;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly defaultTeamId: string;
  readonly teamIds: readonly string[];
  /** With `progressColumns`, if the database has a replica. */
  readonly lastWrite?: Date | null;
  readonly writtenTo?: bigint;
}

/** SQL of the role pairs for which a token may do less than it states. */
const bounded = roles.flatMap((user) =>
  roles.filter((token) => commonRole(token, user) !== token).map((token) => ({ user, token })),
);

/**
 * Returns SQL for a token's role, limited by the user's role. Lowering the user's role takes effect at once.
 * For a user without a role, each token's role applies. It is null if the two have nothing in common.
 */
export function roleWithinSql(token: string, user: string): string {
  const cases = bounded.map((pair) => {
    const role = commonRole(pair.token, pair.user);
    return `WHEN ${user} = '${pair.user}' AND ${token} = '${pair.token}' THEN ${role ? `'${role}'` : 'NULL'}`;
  });
  return `(CASE ${cases.join(' ')} ELSE ${token}::text END)`;
}

/** SQL of the values that decide which workspaces a user reaches. */
interface ReachSql {
  readonly role: string;
  readonly userId: string;
  /** Workspaces belong to this organization, whatever the memberships say. */
  readonly organizationId: string;
  /** A list of ids and names that replaces the memberships, unless it is null. */
  readonly named?: string;
}

/** Returns SQL for the ids of a user's workspaces, as an ordered array. */
export function teamIdsSql({ role, userId, organizationId, named }: ReachSql): string {
  const ofOrganization = `teams.organization_id = ${organizationId}`;
  const byName = `WHEN ${named} IS NOT NULL THEN ARRAY(
      SELECT teams.id FROM teams
      WHERE ${ofOrganization} AND (
        teams.id::text IN (SELECT lower(name) FROM unnest(${named}) AS name)
        OR lower(teams.name) IN (SELECT lower(name) FROM unnest(${named}) AS name)
      )
      ORDER BY teams.id
    )`;
  return `CASE
    WHEN ${role} = 'ADMIN' THEN ARRAY(SELECT teams.id FROM teams WHERE ${ofOrganization} ORDER BY teams.id)
    ${named === undefined ? '' : byName}
    ELSE ARRAY(
      SELECT teams.id FROM memberships JOIN teams ON teams.id = memberships.team_id
      WHERE memberships.user_id = ${userId} AND ${ofOrganization}
      ORDER BY teams.id
    )
  END`;
}

/**
 * Creates a caller from the result of a look-up. Requests that share a look-up share its row, but not its
 * list of workspaces.
 */
export function callerWith(tokenId: string, found: Reach, identity?: Identity): Caller {
  const { role, organizationId, userId: id, userName: name, userEmail: email, defaultTeamId } = found;
  // The list grows as the caller creates workspaces.
  const teamIds = [...found.teamIds];
  const teamId = teamIds.includes(defaultTeamId) ? defaultTeamId : (teamIds[0] ?? '');
  const user = { id, name, email, teamId };
  const { lastWrite = null, writtenTo } = found;
  const progress = writtenTo !== undefined && { progress: { lastWrite, position: writtenTo } };
  return { tokenId, role, organizationId, teamIds, user, ...(identity && { identity }), ...progress };
}
