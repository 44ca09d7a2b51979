import type { Caller, Role } from '../domain/roles.js';
import { Prisma } from '../generated/prisma/client.js';
import type { Database } from './client.js';
import { hashToken } from './tokens.js';

/** Milliseconds in which a token's last use is written down at most once. */
const usePrecision = 60_000;

interface Found {
  readonly id: string;
  readonly role: Role;
  readonly organizationId: string;
  readonly lastUsedAt: Date | null;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly defaultTeamId: string;
  readonly teamIds: string[];
}

/**
 * Finds out who sent a request, with one statement.
 * @param now decides whether the token has expired
 * @param onError told when the last use could not be written down, which no request waits for or fails by
 * @returns null when the token is unknown, expired or revoked.
 */
export async function authenticate(
  database: Database,
  token: string,
  now: Date,
  onError: (error: unknown) => void = () => {},
): Promise<Caller | null> {
  const found = await findToken(database, token, now);
  if (!found) return null;
  const used = found.lastUsedAt?.getTime() ?? 0;
  if (now.getTime() - used >= usePrecision) noteUse(database, found.id, now).catch(onError);
  return callerOf(found);
}

/**
 * Finds out what the bearers of tokens may do now, with one statement for all of them.
 * @returns callers by the ids of their tokens, without those of tokens that are expired, revoked or gone
 */
export async function callersOf(
  database: Database,
  tokenIds: readonly string[],
  now: Date,
): Promise<Map<string, Caller>> {
  const found = await findTokens(database, Prisma.sql`token.id = ANY(${tokenIds}::uuid[])`, now);
  return new Map(found.map((token) => [token.id, callerOf(token)]));
}

async function findToken(database: Database, token: string, now: Date): Promise<Found | undefined> {
  const [found] = await findTokens(database, Prisma.sql`token.hash = ${hashToken(token)}`, now);
  return found;
}

/** Teams are taken from the token's own organization, whatever the memberships say. */
function findTokens(database: Database, which: Prisma.Sql, now: Date): Promise<Found[]> {
  return database.prisma.$queryRaw<Found[]>`
    SELECT
      token.id,
      token.role::text AS role,
      token.organization_id AS "organizationId",
      token.last_used_at AS "lastUsedAt",
      users.id AS "userId",
      users.name AS "userName",
      users.email AS "userEmail",
      users.team_id AS "defaultTeamId",
      CASE WHEN token.role = 'ADMIN' THEN ARRAY(
        SELECT teams.id FROM teams WHERE teams.organization_id = token.organization_id ORDER BY teams.id
      ) ELSE ARRAY(
        SELECT teams.id FROM memberships JOIN teams ON teams.id = memberships.team_id
        WHERE memberships.user_id = token.user_id AND teams.organization_id = token.organization_id
        ORDER BY teams.id
      ) END AS "teamIds"
    FROM access_tokens AS token JOIN users ON users.id = token.user_id
    WHERE ${which}
      AND token.revoked_at IS NULL
      AND (token.expires_at IS NULL OR token.expires_at > ${now})`;
}

function callerOf(found: Found): Caller {
  const { id, role, organizationId, teamIds, userId, userName, userEmail, defaultTeamId } = found;
  const teamId = teamIds.includes(defaultTeamId) ? defaultTeamId : (teamIds[0] ?? '');
  const user = { id: userId, name: userName, email: userEmail, teamId };
  return { tokenId: id, role, organizationId, teamIds, user };
}

/** Many requests of one token can be here at once; the condition lets one of them write. */
async function noteUse(database: Database, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - usePrecision);
  await database.prisma.$executeRaw`
    UPDATE access_tokens SET last_used_at = ${now}
    WHERE id = ${id}::uuid AND (last_used_at IS NULL OR last_used_at <= ${before})`;
}
