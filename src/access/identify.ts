import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { progressColumns } from '../db/replica/replica.js';
import { sameAddressSql } from '../db/sql/addresses.js';
import { raw } from '../db/sql/sql.js';
import type { Caller, Identity, Role } from '../domain/caller.js';
import { inBatches } from '../domain/collections.js';
import { GatewayError, unauthorized } from '../domain/errors.js';
import { type CallerRow, callerWith, teamIdsSql } from './reach.js';

interface Match extends Omit<CallerRow, 'role'> {
  /** Position of its identity among the requested ones. */
  readonly position: number;
  readonly role: Role | null;
  /** True if found by the subject. Any other user was found by the e-mail address. */
  readonly isSubject: boolean;
  /** True if the user belongs to another subject. */
  readonly isBound: boolean;
  /** True if the user's own role is that of an administrator; null without a role. */
  readonly isAdministrator: boolean | null;
}

const sameAddress = sameAddressSql(raw('found.email'), raw('asked.email')).sql;

/**
 * Creates the query for the users of identities. Once a subject has a user, its e-mail address matches nobody
 * else: an address may pass to another person, a subject never does. Deactivated users do not match. Users of
 * several organizations may share an address; two of them suffice to know that the match is ambiguous.
 */
const matchesWith = (columns: readonly string[]) => `
  SELECT
    asked.position,
    users.id AS "userId",
    users.name AS "userName",
    users.email AS "userEmail",
    users.organization_id AS "organizationId",
    users.team_id AS "defaultTeamId",
    users."isSubject",
    users.subject IS NOT NULL AND NOT users."isSubject" AS "isBound",
    users.role = 'ADMIN' AS "isAdministrator",
    coalesce(asked.role, users.role::text) AS role,
    ${teamIdsSql({
      role: 'coalesce(asked.role, users.role::text)',
      userId: 'users.id',
      organizationId: 'users.organization_id',
      named: 'asked.teams',
    })} AS "teamIds"
    ${columns.map((column) => `,${column}`).join('')}
  FROM json_to_recordset($1::json)
    AS asked (position int, issuer text, subject text, email text, role text, teams text[])
  CROSS JOIN LATERAL (
    SELECT found.*, true AS "isSubject" FROM users AS found
    WHERE found.is_active AND found.issuer = asked.issuer AND found.subject = asked.subject
    UNION ALL
    (
      SELECT found.*, false FROM users AS found
      WHERE found.is_active AND ${sameAddress} AND NOT EXISTS (
        SELECT FROM users AS known WHERE known.issuer = asked.issuer AND known.subject = asked.subject
      )
      LIMIT 2
    )
  ) AS users`;

const matches = matchesWith([]);
const matchesAndProgress = matchesWith([progressColumns]);

async function matchesOf(database: Database, identities: readonly Identity[]): Promise<Match[][]> {
  const asked = identities.map((identity, position) => ({ ...identity, position }));
  const select = database.replica ? matchesAndProgress : matches;
  const found = await database.query<Match>(
    prepared('users.identify', { text: select, values: [JSON.stringify(asked)] }),
  );
  return asked.map(({ position }) => found.filter((match) => match.position === position));
}

function callerOf(match: Match, identity: Identity): Caller {
  const { role } = match;
  if (!role) {
    const message = 'Neither the access token nor its user here has a role.';
    throw new GatewayError('FORBIDDEN', message);
  }
  return callerWith(match.userId, { ...match, role }, identity);
}

/** The most identities of one look-up. */
const largestLookUp = 100;

/** Finds the users of identities, in batches. Requests that arrive during a look-up share the next one. */
class IdentityLookUp {
  readonly find: (identity: Identity) => Promise<Match[]>;

  constructor(database: Database) {
    this.find = inBatches<Identity, Match[]>(
      largestLookUp,
      (identities) => matchesOf(database, identities),
      () => true,
    );
  }
}

/**
 * Finds the user of an issuer's subject, with one statement. The first time takes more: a user found by the
 * e-mail address is bound to the subject from then on.
 * @param onBound is called with a user who has just been bound to the subject
 * @throws GatewayError UNAUTHORIZED unless exactly one user matches, or if an administrator's address is not stated
 *   to be verified; FORBIDDEN if there is no role
 */
export async function identify(
  database: Database,
  identity: Identity,
  onBound: (userId: string) => void,
): Promise<Caller> {
  const [match, ...others] = await database.service(IdentityLookUp).find(identity);
  if (!match) throw unauthorized("There is no user here with the access token's subject.", 'invalid_token');
  if (match.isSubject) return callerOf(match, identity);
  if (others.length > 0) {
    throw unauthorized("Several users have the access token's e-mail address.", 'invalid_token');
  }
  if (match.isBound) {
    throw unauthorized(
      "The user with the access token's e-mail address has another subject.",
      'invalid_token',
    );
  }
  if (match.isAdministrator && !identity.isEmailVerified) {
    throw unauthorized(
      'An administrator is linked only if the access token says that the e-mail address is verified (`email_verified`).',
      'invalid_token',
    );
  }
  if (await bind(database, match.userId, identity)) onBound(match.userId);
  const [bound] = await database.service(IdentityLookUp).find(identity);
  if (!bound?.isSubject)
    throw unauthorized("There is no user here with the access token's subject.", 'invalid_token');
  return callerOf(bound, identity);
}

/** @returns false if another request was faster, for this subject or another one */
async function bind(database: Database, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const statement = prepared('users.bind', {
    text: 'UPDATE users SET issuer = $2, subject = $3 WHERE id = $1 AND subject IS NULL RETURNING id',
    values: [userId, issuer, subject],
  });
  try {
    return (await database.query(statement)).length > 0;
  } catch (error) {
    // PostgreSQL's unique_violation: the subject has been bound to another user.
    if ((error as { code?: string }).code === '23505') return false;
    throw error;
  }
}

/**
 * Reads the current rights of callers with issuers' tokens, with one statement.
 * @returns in their order; null if the token has expired, or its user no longer matches or has no role
 */
export async function identifyAgain(
  database: Database,
  callers: readonly { readonly identity: Identity; readonly user: Pick<Caller['user'], 'id'> }[],
  now: Date,
): Promise<(Caller | null)[]> {
  const found = await matchesOf(
    database,
    callers.map(({ identity }) => identity),
  );
  return callers.map(({ identity, user }, position) => {
    const [match] = found[position] ?? [];
    const isSame = match?.isSubject && match.role !== null && match.userId === user.id;
    return isSame && now < identity.expiresAt ? callerOf(match, identity) : null;
  });
}
