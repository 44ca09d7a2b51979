import { setImmediate } from 'node:timers/promises';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { progressColumns } from '../db/replica/replica.js';
import type { Caller, Role } from '../domain/caller.js';
import { inBatches } from '../domain/collections.js';
import { GatewayError } from '../domain/errors.js';
import { type CallerRow, callerWith, roleWithinSql, teamIdsSql } from './reach.js';
import { hashToken } from './tokens.js';

/** Minimum milliseconds between two updates of the last use of a token or session. */
export const usePrecision = 60_000;

interface Found extends Omit<CallerRow, 'role'> {
  /** Null if it has nothing in common with its user's role. */
  readonly role: Role | null;
  /** In hexadecimal digits. */
  readonly hash: string;
  readonly id: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly signingSecret: Uint8Array | null;
}

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
  /** Called if the last use could not be stored. No request waits for that or fails because of it. */
  readonly onError?: (error: unknown) => void;
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
  { verifySignature, onError = () => {} }: Authentication = {},
): Promise<Caller | null> {
  const found = await database.service(TokenLookUp).find(hashToken(token).toString('hex'));
  if (!found || !isValid(found, now)) return null;
  const { role } = found;
  if (!role) {
    throw new GatewayError('FORBIDDEN', "The access token's role exceeds its user's current role.");
  }
  if (found.signingSecret) {
    if (!verifySignature) return null;
    await verifySignature({ id: found.id, sealedSecret: found.signingSecret });
  }
  const used = found.lastUsedAt?.getTime() ?? 0;
  if (now.getTime() - used >= usePrecision) noteUse(database, found.id, now).catch(onError);
  return callerWith(found.id, { ...found, role });
}

const role = roleWithinSql('token.role', 'users.role');

const callersWith = (columns: readonly string[]) => `
  SELECT
    encode(token.hash, 'hex') AS hash,
    token.id,
    ${role} AS role,
    token.organization_id AS "organizationId",
    token.last_used_at AS "lastUsedAt",
    token.expires_at AS "expiresAt",
    token.signing_secret AS "signingSecret",
    users.id AS "userId",
    users.name AS "userName",
    users.email AS "userEmail",
    users.team_id AS "defaultTeamId",
    ${teamIdsSql({ role, userId: 'token.user_id', organizationId: 'token.organization_id' })} AS "teamIds"
    ${columns.map((column) => `,${column}`).join('')}
  FROM access_tokens AS token JOIN users ON users.id = token.user_id
  WHERE token.revoked_at IS NULL AND users.is_active AND`;

const callers = callersWith([]);
const callersAndProgress = callersWith([progressColumns]);

const isValid = ({ expiresAt }: Pick<Found, 'expiresAt'>, now: Date) => expiresAt === null || expiresAt > now;

/**
 * Reads the current rights of tokens' bearers, with one statement.
 * @returns callers by the ids of their tokens, without tokens that are no longer valid
 */
export async function callersOf(
  database: Database,
  tokenIds: readonly string[],
  now: Date,
): Promise<Map<string, Caller>> {
  const found = await database.query<Found>(
    prepared('access_tokens.callers', { text: `${callers} token.id = ANY($1)`, values: [tokenIds] }),
  );
  return new Map(
    found.flatMap(({ role, ...token }) =>
      role && isValid(token, now) ? [[token.id, callerWith(token.id, { ...token, role })] as const] : [],
    ),
  );
}

/** The most hashes of one look-up. */
const largestLookUp = 100;

/**
 * Finds rows by their hashes, in batches. Requests of one turn of the event loop share a look-up. Requests
 * that arrive during a look-up share the next one, which starts after they have arrived: a token that was
 * revoked before a request is revoked for that request.
 * @param name of the statement
 * @param text of the statement, whose only parameter is an array of hashes
 */
export function findingByHash<Row extends { readonly hash: string }>(
  database: Database,
  name: string,
  text: string,
): (hash: string) => Promise<Row | undefined> {
  return inBatches<string, Row | undefined>(
    largestLookUp,
    async (hashes) => {
      const distinct = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
      const found = await database.query<Row>(prepared(name, { text, values: [distinct] }));
      const byHash = new Map(found.map((row) => [row.hash, row]));
      return hashes.map((hash) => byHash.get(hash));
    },
    () => true,
    () => setImmediate(),
  );
}

/** Finds tokens by their hashes. */
class TokenLookUp {
  readonly find: (hash: string) => Promise<Found | undefined>;

  constructor(database: Database) {
    const select = database.replica ? callersAndProgress : callers;
    this.find = findingByHash(database, 'access_tokens.authenticate', `${select} token.hash = ANY($1)`);
  }
}

/** Stores a token's last use. Among concurrent requests, the condition lets only one write. */
async function noteUse(database: Database, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - usePrecision);
  await database.query(
    prepared('access_tokens.note_use', {
      text: `UPDATE access_tokens SET last_used_at = $1
     WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $3)`,
      values: [now, id, before],
    }),
  );
}
