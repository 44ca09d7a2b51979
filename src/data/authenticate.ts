import type { Caller, Role } from '../domain/roles.js';
import type { Database } from './client.js';
import { hashToken } from './tokens.js';

/** Milliseconds in which a token's last use is written down at most once. */
const usePrecision = 60_000;

interface Found {
  readonly id: string;
  readonly role: Role;
  readonly organizationId: string;
  readonly lastUsedAt: Date | null;
  readonly signingSecret: Uint8Array | null;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly defaultTeamId: string;
  readonly teamIds: string[];
}

/** A token whose requests must be signed. */
export interface SignedToken {
  readonly id: string;
  /** What they are signed with, as it is stored. */
  readonly sealedSecret: Uint8Array;
}

/** What a request does with who is found, beyond knowing it. */
export interface Authentication {
  /** Throws unless a request with a signed token is signed; without this, no signed token is let in. */
  readonly prove?: (token: SignedToken) => Promise<void>;
  /** Told when the last use could not be written down, which no request waits for or fails by. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Finds out who sent a request, with one statement.
 * @param now decides whether the token has expired
 * @returns null when the token is unknown, expired or revoked.
 * @throws what `prove` throws; the token then counts as not used
 */
export async function authenticate(
  database: Database,
  token: string,
  now: Date,
  { prove, onError = () => {} }: Authentication = {},
): Promise<Caller | null> {
  const found = await findToken(database, token, now);
  if (!found) return null;
  if (found.signingSecret) {
    if (!prove) return null;
    await prove({ id: found.id, sealedSecret: found.signingSecret });
  }
  const used = found.lastUsedAt?.getTime() ?? 0;
  if (now.getTime() - used >= usePrecision) noteUse(database, found.id, now).catch(onError);
  return callerOf(found);
}

/** Teams are taken from the token's own organization, whatever the memberships say. */
async function findToken(database: Database, token: string, now: Date): Promise<Found | undefined> {
  const [found] = await database.prisma.$queryRaw<Found[]>`
    SELECT
      token.id,
      token.role::text AS role,
      token.organization_id AS "organizationId",
      token.last_used_at AS "lastUsedAt",
      token.signing_secret AS "signingSecret",
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
    WHERE token.hash = ${hashToken(token)}
      AND token.revoked_at IS NULL
      AND (token.expires_at IS NULL OR token.expires_at > ${now})`;
  return found;
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
