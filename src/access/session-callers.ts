import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { progressColumns } from '../db/replica/replica.js';
import { type Caller, type Role, secretPattern, sessionTimes } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { findingByHash, usePrecision } from './authenticate.js';
import { type CallerRow, callerWith, teamIdsSql } from './reach.js';
import { hashToken } from './tokens.js';

interface Found extends Omit<CallerRow, 'role'> {
  /** Null for a user without a role. */
  readonly role: Role | null;
  /** In hexadecimal digits. */
  readonly hash: string;
  readonly id: string;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date;
  readonly confirmedAt: Date;
  /** True if the organization requires a second factor that was not proved. */
  readonly lacksFactor: boolean;
}

const role = 'users.role::text';

/** Creates the query for the callers of sessions. One that waits for its second factor has none. */
const callersWith = (columns: readonly string[]) => `
  SELECT
    encode(session.hash, 'hex') AS hash,
    session.id,
    ${role} AS role,
    session.organization_id AS "organizationId",
    session.last_used_at AS "lastUsedAt",
    session.expires_at AS "expiresAt",
    session.confirmed_at AS "confirmedAt",
    session.second_factor_at IS NULL AND session.method <> 'OIDC' AND EXISTS (
      SELECT FROM organizations
      WHERE organizations.id = session.organization_id AND organizations.second_factor_required
    ) AS "lacksFactor",
    users.id AS "userId",
    users.name AS "userName",
    users.email AS "userEmail",
    users.team_id AS "defaultTeamId",
    ${teamIdsSql({ role, userId: 'users.id', organizationId: 'session.organization_id' })} AS "teamIds"
    ${columns.map((column) => `,${column}`).join('')}
  FROM sessions AS session JOIN users ON users.id = session.user_id
  WHERE session.revoked_at IS NULL AND NOT session.is_pending AND users.is_active AND`;

const callers = callersWith([]);
const callersAndProgress = callersWith([progressColumns]);

function isValid({ expiresAt, lastUsedAt }: Found, now: Date): boolean {
  return expiresAt > now && now.getTime() - lastUsedAt.getTime() < sessionTimes.idle;
}

function callerOf({ confirmedAt, lacksFactor, ...found }: Found, ownRole: Role): Caller {
  const caller = callerWith(found.id, { ...found, role: ownRole });
  if (!lacksFactor) return { ...caller, signIn: { confirmedAt } };
  // Besides the checks at the doors, so that no way leads to the records of a workspace.
  return { ...caller, teamIds: [], signIn: { confirmedAt, without: caller.teamIds } };
}

/** Finds sessions by the hashes of their secrets, in batches. */
class SessionLookUp {
  readonly find: (hash: string) => Promise<Found | undefined>;

  constructor(database: Database) {
    const select = database.replica ? callersAndProgress : callers;
    this.find = findingByHash(database, 'sessions.authenticate', `${select} session.hash = ANY($1)`);
  }
}

/**
 * Authenticates the sender of a request by the secret of a session, with one statement. The caller has the
 * current rights of its user, and never more.
 * @param onError called if the last use could not be stored. No request waits for that or fails because of it
 * @returns null if the session is unknown or has ended, or its user is deactivated
 * @throws GatewayError FORBIDDEN if its user has no role
 */
export async function authenticateSession(
  database: Database,
  secret: string,
  now: Date,
  onError: (error: unknown) => void = () => {},
): Promise<Caller | null> {
  if (!secretPattern.test(secret)) return null;
  const found = await database.service(SessionLookUp).find(hashToken(secret).toString('hex'));
  if (!found || !isValid(found, now)) return null;
  if (!found.role)
    throw new GatewayError('FORBIDDEN', 'Your user has no role; ask an administrator for one.', {
      reason: 'NO_ROLE',
    });
  if (now.getTime() - found.lastUsedAt.getTime() >= usePrecision)
    noteUse(database, found.id, now).catch(onError);
  return callerOf(found, found.role);
}

/**
 * Reads the current rights of sessions' users, with one statement.
 * @returns callers by the ids of their sessions, without sessions that have ended
 */
export async function sessionCallersOf(
  database: Database,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Caller>> {
  const found = await database.query<Found>(
    prepared('sessions.callers', { text: `${callers} session.id = ANY($1)`, values: [ids] }),
  );
  return new Map(
    found.flatMap((row) =>
      row.role && isValid(row, now) ? [[row.id, callerOf(row, row.role)] as const] : [],
    ),
  );
}

/** Stores a session's last use. Among concurrent requests, the condition lets only one write. */
async function noteUse(database: Database, id: string, now: Date): Promise<void> {
  await database.query(
    prepared('sessions.note_use', {
      text: 'UPDATE sessions SET last_used_at = $1 WHERE id = $2 AND last_used_at <= $3',
      values: [now, id, new Date(now.getTime() - usePrecision)],
    }),
  );
}
