import { setImmediate } from 'node:timers/promises';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { progressColumns } from '../db/replica/replica.js';
import { sameAddressSql } from '../db/sql/addresses.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import {
  type Caller,
  commonRole,
  type Identity,
  lacksFactor,
  may,
  type Right,
  type Role,
  roles,
  secretPattern,
  sessionTimes,
} from '../domain/caller.js';
import { inBatches } from '../domain/collections.js';
import { GatewayError, unauthorized } from '../domain/errors.js';
import { hashToken } from './tokens.js';

/** User and workspaces of a credential, as look-ups find them. */
interface CallerRow {
  /** Null if credential and user have no role in common. */
  readonly role: Role | null;
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

/**
 * Returns SQL for the ids of a user's workspaces, as an ordered array. Those of a member are looked up one by one. In a join,
 * PostgreSQL reads all workspaces of the organization for a member of one, if users have many on average.
 */
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
      SELECT memberships.team_id FROM memberships
      WHERE memberships.user_id = ${userId}
        AND (SELECT ${ofOrganization} FROM teams WHERE teams.id = memberships.team_id)
      ORDER BY memberships.team_id
    )
  END`;
}

/** SQL of the values that decide what a credential's user may do. */
interface RightsSql extends Pick<ReachSql, 'role' | 'named'> {
  /** Name of the row of the credential, or of whatever else acts as a user. */
  readonly row: string;
}

/** Returns SQL for the columns of a `CallerRow`. The user's row is called `users`. */
function callerColumns({ row, role, named }: RightsSql): string {
  const organizationId = `${row}.organization_id`;
  return `${organizationId} AS "organizationId",
    users.id AS "userId", users.name AS "userName", users.email AS "userEmail", users.team_id AS "defaultTeamId",
    ${role} AS role, ${teamIdsSql({ role, userId: 'users.id', organizationId, ...(named && { named }) })} AS "teamIds"`;
}

/** Returns SQL for the workspaces in the column `teams`; null for all of them. */
const limitSql = (row: string) =>
  `(CASE WHEN ${row}.teams IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(${row}.teams)) END)`;

type WithRole<Row> = Row & { readonly role: Role };

const hasRole = <Row extends Pick<CallerRow, 'role'>>(row: Row): row is WithRole<Row> => row.role !== null;

/**
 * Creates a caller from the result of a look-up. Requests that share a look-up share its row, but not its
 * list of workspaces.
 */
function callerWith(tokenId: string, found: WithRole<CallerRow>, identity?: Identity): Caller {
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
export interface Creator extends CallerRow {
  readonly isActive: boolean;
}

/**
 * Returns SQL for the columns of a `Creator`. The person's row is called `users`.
 * @param row name of the row of the work, with the columns `role`, `teams` and `organization_id`
 */
export function creatorColumns(row: string): string {
  const role = roleWithinSql(`${row}.role`, 'users.role');
  return `users.is_active AS "isActive", ${callerColumns({ row, role, named: limitSql(row) })}`;
}

/**
 * Returns SQL for whether a caller has all rights with which some work is done. A person may have narrower tokens.
 * @param row name of the row of the work, with the columns `role`, `teams`, `user_id` and `organization_id`
 */
export function hasRightsOfWorkSql(row: string, { role, teamIds }: Pick<Caller, 'role' | 'teamIds'>): Sql {
  const own = roleWithinSql(`${row}.role`, 'users.role');
  const organizationId = `${row}.organization_id`;
  const reach = teamIdsSql({ role: own, userId: 'users.id', organizationId, named: limitSql(row) });
  const within = roles.filter((other) => commonRole(other, role) === other);
  // An administrator reaches all workspaces, also those that are new.
  const reached = role === 'ADMIN' ? sql`TRUE` : sql`${raw(reach)} <@ ${[...teamIds]}::uuid[]`;
  return sql`EXISTS (
    SELECT FROM users WHERE users.id = ${raw(`${row}.user_id`)}
      AND (${raw(own)} IS NULL OR (${raw(own)} = ANY (${within}::text[]) AND ${reached})))`;
}

/** Returns the creator of work as a caller; undefined if the right is gone. */
export function callerOfWork(id: string, creator: Creator, right: Right): Caller | undefined {
  return creator.isActive && hasRole(creator) && may(creator.role, right)
    ? callerWith(id, creator)
    : undefined;
}

/** Minimum milliseconds between two updates of the last use of a credential. */
const usePrecision = 60_000;

/** The most credentials of one look-up. */
const largestLookUp = 100;

/** A credential of any kind, as its look-up finds it. */
interface Found extends CallerRow {
  readonly id: string;
  /** In hexadecimal digits. */
  readonly hash: string;
  /** Null if it never expires. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A kind of credential. In SQL, its row is called `credential`, and its user's row `users`. */
interface Description<Row extends Found> {
  readonly table: string;
  /** Its own role, limited by its user's. */
  readonly role: string;
  /** Workspaces that it is limited to. */
  readonly named?: string;
  /** Its expiry, if that is more than its own column. */
  readonly expiresAt?: string;
  /** Further columns of its look-ups. */
  readonly columns?: readonly string[];
  readonly join?: string;
  /** Condition of those that have not been ended. */
  readonly where: string;
  /** Milliseconds after which one that was not used has ended. */
  readonly idleMs?: number;
  readonly toCaller?: (row: WithRole<Row>) => Caller;
}

/** Creates the look-ups of a kind of credential. Only those of active users are found. */
function credential<Row extends Found>({
  table,
  role,
  named,
  expiresAt = 'credential.expires_at',
  columns = [],
  join = '',
  where,
  idleMs = Number.POSITIVE_INFINITY,
  toCaller = (row) => callerWith(row.id, row),
}: Description<Row>) {
  const select = (further: readonly string[], key: string) => `
    SELECT credential.id, encode(credential.hash, 'hex') AS hash, ${expiresAt} AS "expiresAt",
      credential.last_used_at AS "lastUsedAt",
      ${[callerColumns({ row: 'credential', role, ...(named && { named }) }), ...columns, ...further].join(', ')}
    FROM ${table} AS credential JOIN users ON users.id = credential.user_id ${join}
    WHERE users.is_active AND ${where} AND credential.${key} = ANY($1)`;
  const byId = select([], 'id');

  const isValid = ({ expiresAt, lastUsedAt }: Row, now: Date) =>
    (expiresAt === null || expiresAt > now) &&
    (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() < idleMs);

  /**
   * Finds rows by their hashes, in batches. Requests of one turn of the event loop share a look-up. Requests
   * that arrive during a look-up share the next one, which starts after they have arrived: a token that was
   * revoked before a request is revoked for that request.
   */
  class LookUp {
    readonly find: (hash: string) => Promise<Row | undefined>;

    constructor(database: Database) {
      const text = select(database.replica ? [progressColumns] : [], 'hash');
      this.find = inBatches<string, Row | undefined>(
        largestLookUp,
        async (hashes) => {
          const distinct = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
          const found = await database.query<Row>(
            prepared(`${table}.authenticate`, { text, values: [distinct] }),
          );
          const byHash = new Map(found.map((row) => [row.hash, row]));
          return hashes.map((hash) => byHash.get(hash));
        },
        () => true,
        () => setImmediate(),
      );
    }
  }

  return {
    toCaller,
    /** Finds a credential by its secret, unless it has ended. */
    async find(database: Database, secret: string, now: Date): Promise<Row | undefined> {
      const found = await database.service(LookUp).find(hashToken(secret).toString('hex'));
      return found && isValid(found, now) ? found : undefined;
    },
    /** Reads the current rights of users, by the ids of credentials that have not ended. */
    async callersOf(database: Database, ids: readonly string[], now: Date): Promise<Map<string, Caller>> {
      const found = await database.query<Row>(prepared(`${table}.callers`, { text: byId, values: [ids] }));
      return new Map(
        found.flatMap((row) => (isValid(row, now) && hasRole(row) ? [[row.id, toCaller(row)] as const] : [])),
      );
    },
    /**
     * Stores the last use, unless that was just done. Among concurrent requests, the condition lets only one
     * write. No request waits for that or fails because of it.
     */
    noteUse(database: Database, { id, lastUsedAt }: Row, now: Date, onError: OnError = () => {}): void {
      const before = new Date(now.getTime() - usePrecision);
      if (lastUsedAt !== null && lastUsedAt > before) return;
      const text = `UPDATE ${table} SET last_used_at = $1
        WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $3)`;
      database.query(prepared(`${table}.note_use`, { text, values: [now, id, before] })).catch(onError);
    },
  };
}

/** Called if the last use could not be stored. */
type OnError = (error: unknown) => void;

interface FoundToken extends Found {
  readonly signingSecret: Uint8Array | null;
}

const tokens = credential<FoundToken>({
  table: 'access_tokens',
  role: roleWithinSql('credential.role', 'users.role'),
  columns: ['credential.signing_secret AS "signingSecret"'],
  where: 'credential.revoked_at IS NULL',
});

/** A token whose requests must be signed. */
export interface SignedToken {
  readonly id: string;
  /** Signing secret in its stored form. */
  readonly sealedSecret: Uint8Array;
}

interface Authentication {
  /**
   * Throws unless a request with a signed token has a valid signature. Without this function, no signed token
   * is accepted.
   */
  readonly verifySignature?: (token: SignedToken) => Promise<void>;
  readonly onError?: OnError;
}

/**
 * Authenticates the sender of a request with one statement.
 * @param now decides whether the token has expired
 * @returns null if the token is unknown, expired or revoked, or its user deactivated
 * @throws GatewayError FORBIDDEN if its role has nothing in common with its user's; and what
 *   `verifySignature` throws. The token then counts as unused
 */
export async function authenticate(
  database: Database,
  token: string,
  now: Date,
  { verifySignature, onError }: Authentication = {},
): Promise<Caller | null> {
  const found = await tokens.find(database, token, now);
  if (!found) return null;
  if (!hasRole(found)) {
    throw new GatewayError('FORBIDDEN', "The access token's role exceeds its user's current role.");
  }
  if (found.signingSecret) {
    if (!verifySignature) return null;
    await verifySignature({ id: found.id, sealedSecret: found.signingSecret });
  }
  tokens.noteUse(database, found, now, onError);
  return tokens.toCaller(found);
}

/**
 * Reads the current rights of tokens' bearers, with one statement.
 * @returns callers by the ids of their tokens, without tokens that are no longer valid
 */
export const { callersOf } = tokens;

interface FoundSession extends Found {
  readonly confirmedAt: Date;
  /** True if the organization requires a second factor that was not proved. */
  readonly lacksFactor: boolean;
}

/** Sessions of browsers. One that waits for its second factor has no caller. */
const sessions = credential<FoundSession>({
  table: 'sessions',
  role: 'users.role::text',
  columns: [
    'credential.confirmed_at AS "confirmedAt"',
    `credential.second_factor_at IS NULL AND credential.method <> 'OIDC' AND EXISTS (
      SELECT FROM organizations
      WHERE organizations.id = credential.organization_id AND organizations.second_factor_required
    ) AS "lacksFactor"`,
  ],
  where: 'credential.revoked_at IS NULL AND NOT credential.is_pending',
  idleMs: sessionTimes.idle,
  toCaller({ confirmedAt, lacksFactor, ...found }) {
    const caller = callerWith(found.id, found);
    if (!lacksFactor) return { ...caller, signIn: { confirmedAt } };
    // Besides the checks at the doors, so that no way leads to the records of a workspace.
    return { ...caller, teamIds: [], signIn: { confirmedAt, without: caller.teamIds } };
  },
});

/**
 * Authenticates the sender of a request by the secret of a session, with one statement. The caller has the
 * current rights of its user, and never more.
 * @returns null if the session is unknown or has ended, or its user is deactivated
 * @throws GatewayError FORBIDDEN if its user has no role
 */
export async function authenticateSession(
  database: Database,
  secret: string,
  now: Date,
): Promise<Caller | null> {
  if (!secretPattern.test(secret)) return null;
  const found = await sessions.find(database, secret, now);
  if (!found) return null;
  if (!hasRole(found))
    throw new GatewayError('FORBIDDEN', 'Your user has no role; ask an administrator for one.', {
      reason: 'NO_ROLE',
    });
  sessions.noteUse(database, found, now);
  return sessions.toCaller(found);
}

/**
 * Reads the current rights of sessions' users, with one statement.
 * @returns callers by the ids of their sessions, without sessions that have ended
 */
export const { callersOf: sessionCallersOf } = sessions;

/** Feeds of calendars. One that was created with a token ends with that token. */
const feeds = credential<Found>({
  table: 'calendar_feeds',
  role: roleWithinSql('credential.role', 'users.role'),
  named: limitSql('credential'),
  expiresAt: 'least(credential.expires_at, token.expires_at)',
  join: 'LEFT JOIN access_tokens AS token ON token.id = credential.access_token_id',
  where: 'token.revoked_at IS NULL',
});

/**
 * Finds whose calendar a secret opens, with the user's current rights.
 * @returns null if there is no such feed, its user may no longer read, or its token has ended
 */
export async function authenticateFeed(
  database: Database,
  secret: string,
  now: Date,
): Promise<Caller | null> {
  if (!secretPattern.test(secret)) return null;
  const found = await feeds.find(database, secret, now);
  if (!found || !hasRole(found) || !may(found.role, 'read')) return null;
  feeds.noteUse(database, found, now);
  return feeds.toCaller(found);
}

/** A user of an identity. */
interface Match extends CallerRow {
  /** Position of its identity among the requested ones. */
  readonly position: number;
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
  SELECT ${[
    callerColumns({ row: 'users', role: 'coalesce(asked.role, users.role::text)', named: 'asked.teams' }),
    ...columns,
  ].join(', ')},
    asked.position,
    users."isSubject",
    users.subject IS NOT NULL AND NOT users."isSubject" AS "isBound",
    users.role = 'ADMIN' AS "isAdministrator"
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
  if (!hasRole(match)) {
    const message = 'Neither the access token nor its user here has a role.';
    throw new GatewayError('FORBIDDEN', message);
  }
  return callerWith(match.userId, match, identity);
}

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

type Vouched = Caller & { readonly identity: Identity };

const isVouched = (caller: Caller): caller is Vouched => caller.identity !== undefined;

/**
 * Reads the current rights of callers. One statement is for all our own tokens, one for all sessions, and one
 * for all issuers' tokens.
 * @returns in their order; null for callers who are no longer authorized
 */
export async function renewCallers(
  database: Database,
  callers: readonly Caller[],
  now: Date,
): Promise<(Caller | null)[]> {
  const vouched = callers.filter(isVouched);
  const own = callers.filter((caller) => !isVouched(caller));
  const idsOf = (inSession: boolean) => [
    ...new Set(own.flatMap(({ signIn, tokenId }) => ((signIn !== undefined) === inSession ? [tokenId] : []))),
  ];
  const [tokenIds, sessionIds] = [idsOf(false), idsOf(true)];
  const none = new Map<string, Caller>();
  const [ofTokens, ofSessions, again] = await Promise.all([
    tokenIds.length > 0 ? callersOf(database, tokenIds, now) : none,
    sessionIds.length > 0 ? sessionCallersOf(database, sessionIds, now) : none,
    vouched.length > 0 ? identifyAgain(database, vouched, now) : [],
  ]);
  const renewed = new Map<Caller, Caller | null>(
    vouched.map((caller, index) => [caller, again[index] ?? null]),
  );
  for (const caller of own) {
    const current = (caller.signIn ? ofSessions : ofTokens).get(caller.tokenId);
    renewed.set(caller, current && !lacksFactor(current) ? current : null);
  }
  return callers.map((caller) => renewed.get(caller) ?? null);
}
