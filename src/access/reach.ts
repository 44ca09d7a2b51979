import {
  type Caller,
  commonRole,
  type Identity,
  may,
  type Right,
  type Role,
  roles,
} from '../domain/caller.js';

/** User and workspaces of a token, as look-ups find them. */
export interface CallerRow {
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
export function callerWith(tokenId: string, found: CallerRow, identity?: Identity): Caller {
  const { role, organizationId, userId: id, userName: name, userEmail: email, defaultTeamId } = found;
  // The list grows as the caller creates workspaces.
  const teamIds = [...found.teamIds];
  const teamId = teamIds.includes(defaultTeamId) ? defaultTeamId : (teamIds[0] ?? '');
  const user = { id, name, email, teamId };
  const { lastWrite = null, writtenTo } = found;
  const progress = writtenTo !== undefined && { progress: { lastWrite, position: writtenTo } };
  return { tokenId, role, organizationId, teamIds, user, ...(identity && { identity }), ...progress };
}

/** The person who created some background work, with the rights of now. */
export interface Creator extends Omit<CallerRow, 'role'> {
  /** Null if the role of the work has nothing in common with the person's. */
  readonly role: Role | null;
  readonly isActive: boolean;
}

/**
 * Returns SQL for the columns of a `Creator`. The person's row is called `users`.
 * @param row name of the row of the work, with the columns `role`, `teams` and `organization_id`
 */
export function creatorColumns(row: string): string {
  const role = roleWithinSql(`${row}.role`, 'users.role');
  // Workspaces that the work is limited to; null if there is no limit.
  const named = `(CASE WHEN ${row}.teams IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(${row}.teams)) END)`;
  const organizationId = `${row}.organization_id`;
  return `${organizationId} AS "organizationId", users.is_active AS "isActive",
    users.id AS "userId", users.name AS "userName", users.email AS "userEmail", users.team_id AS "defaultTeamId",
    ${role} AS role, ${teamIdsSql({ role, userId: 'users.id', organizationId, named })} AS "teamIds"`;
}

/** Returns the creator of work as a caller; undefined if the right is gone. */
export function callerOfWork(id: string, creator: Creator, right: Right): Caller | undefined {
  const { role, isActive } = creator;
  return isActive && role !== null && may(role, right) ? callerWith(id, { ...creator, role }) : undefined;
}
