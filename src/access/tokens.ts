import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Secrets } from '../db/secrets/secrets.js';
import type { RowOf } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { insertRows, updateRows } from '../db/sql/write.js';
import { type Caller, commonRole, may, type Role } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { badField, Violations } from '../domain/errors.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { type Event, logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locks.js';

interface NewToken {
  readonly organizationId: string;
  /** User that it acts as. */
  readonly userId: string;
  /** Purpose, as its creator describes it. */
  readonly name: string;
  readonly role: Role;
  /** Time at which it expires; null for never. */
  readonly expiresAt: Date | null;
  /** Set for a token whose requests are signed. */
  readonly signing?: Signing | undefined;
}

/** Signing of a token's requests. */
export interface Signing {
  readonly secrets: Secrets;
  /** Secret that the sender already has. A random one is created if it is missing. */
  readonly secret?: string | null | undefined;
}

/** Access token without its secrets, as callers see it. */
export type ShownToken = Omit<RowOf<'AccessToken'>, 'hash' | 'signingSecret'> & {
  /** True if requests with the token must be signed. */
  readonly signed: boolean;
};

/** Columns of a token that no list reads. */
export const hidden = { hash: true } as const;

/** Removes the signing secret from a token that was read without its hash. */
export function shown<Row extends Pick<RowOf<'AccessToken'>, 'signingSecret'>>({
  signingSecret,
  ...row
}: Row) {
  return { ...row, signed: signingSecret !== null };
}

/** Creates a secret of 256 random bits, in base64url. `secretPattern` matches it. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** Removes both secrets from a row of the table. */
export function withoutSecrets({ hash: _, ...row }: RowOf<'AccessToken'>): ShownToken {
  return shown(row);
}

/** A token that was just created. Its text is available only now. */
export interface IssuedToken {
  readonly id: string;
  readonly accessToken: ShownToken;
  readonly token: string;
  /** Secret that signs its requests; null unless it is a signed token. */
  readonly signingSecret: string | null;
}

/** Hashes a token's text. Only the hash is stored, and the token is found by it. */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

/** Creates a token's text from 256 random bits. Its prefix lets secret scanners recognize a leaked one. */
function randomToken(): string {
  return `egw_${randomSecret()}`;
}

const sendersSecret = z.string().regex(/^[!-~]{16,255}$/, 'must have 16 to 255 visible ASCII characters');

/**
 * Creates the secret of a signed token, and its encrypted form. The text of the secret is the signing key.
 */
async function makeSigningSecret({ role, signing }: NewToken, tokenId: string) {
  if (!signing) return { signingSecret: null, sealed: null };
  if (!may(role, 'upload'))
    throw badField(['role'], 'must be a role that may upload, because the token is signed');
  const { secrets, secret } = signing;
  const random = `egs_${randomSecret()}`;
  const signingSecret = check(sendersSecret, secret ?? random, ['signingSecret']);
  return { signingSecret, sealed: await secrets.seal(signingSecret, tokenId) };
}

/** A token that is not stored yet. */
interface PreparedToken {
  readonly row: RowOf<'AccessToken'>;
  readonly token: string;
  readonly signingSecret: string | null;
}

/**
 * Checks the values of a new token and creates its row.
 * @param token its text, instead of a random one
 * @throws GatewayError BAD_REQUEST for an invalid name, expiry, signing secret or role
 */
export async function prepareToken(
  given: NewToken,
  now: Date,
  token = randomToken(),
): Promise<PreparedToken> {
  const { organizationId, userId, role, expiresAt } = given;
  const problems = new Violations();
  const name = await problems.collect(() => check(rules.name, given.name, ['name']).trim());
  if (expiresAt && expiresAt <= now) problems.add(['expiresAt'], 'must be in the future', 'range');
  const id = newId();
  const signing = await problems.collect(() => makeSigningSecret(given, id));
  if (name === undefined || !signing || !problems.isEmpty) throw problems.toError();
  const { signingSecret, sealed } = signing;
  const row: RowOf<'AccessToken'> = {
    ...{ id, organizationId, userId, name, role, expiresAt, created: now, modified: now },
    ...{ hash: hashToken(token), signingSecret: sealed, lastUsedAt: null, revokedAt: null },
  };
  return { row, token, signingSecret };
}

/**
 * Creates a token from the command line, with its event.
 * @param token its text, instead of a random one
 * @throws GatewayError BAD_REQUEST for a wrong name, an expiry that is not in the future, a user that is not
 *   the organization's, or a signing secret or role that cannot be signed with; CONFLICT when the token
 *   exists
 */
export async function createToken(
  database: Database,
  given: NewToken,
  now: Date,
  token?: string,
): Promise<IssuedToken> {
  const { userId, organizationId } = given;
  const whose = sql`id = ${userId}::uuid AND organization_id = ${organizationId}::uuid`;
  const owner = isUuid(userId) ? await findOwner(database, whose) : undefined;
  if (!owner) throw unknownUser();
  try {
    return await database.inTransaction((tx) => insertToken(tx, given, now, token), owner);
  } catch (error) {
    throw translateError(error, 'access_tokens');
  }
}

/** Creates a token of the caller's organization in the caller's transaction; see `createToken`. */
export async function insertToken(
  tx: Transaction,
  given: NewToken,
  now: Date,
  text?: string,
): Promise<IssuedToken> {
  const { row, token, signingSecret } = await prepareToken(given, now, text);
  const where = { id: given.userId };
  const [user] = isUuid(given.userId)
    ? await readRows(tx, 'User', { where }, ['id', 'role', 'isActive'])
    : [];
  if (!user) throw unknownUser();
  checkBearer(user, row.role);
  const stored = { ...row, userId: user.id };
  await insertRows(tx, 'AccessToken', [stored]);
  await logEvent(tx, { caller: tx.caller, now }, tokenEvent('token created', stored, tx.caller));
  return { id: row.id, accessToken: withoutSecrets(stored), token, signingSecret };
}

/** Rejects a token of a deactivated user, or beyond the user's role. */
function checkBearer({ role: own, isActive }: Pick<RowOf<'User'>, 'role' | 'isActive'>, role: Role): void {
  if (!isActive) throw badField(['userId'], 'names a deactivated user', 'reference');
  if (own && commonRole(role, own) !== role) {
    throw badField(['role'], `must not exceed the user's own role, ${own.toLowerCase()}`, 'range');
  }
}

const unknownUser = () => badField(['userId'], 'names no user of the organization', 'reference');

/**
 * Revokes a token from the command line, once, with its event.
 * @returns false if there is no such token; true also if it was revoked before
 */
export async function revokeToken(database: Database, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const owner = await findOwner(
    database,
    sql`id = (SELECT user_id FROM access_tokens WHERE id = ${id}::uuid)`,
  );
  if (!owner) return false;
  return (
    (await database.inTransaction((tx) => markRevoked(tx, id, { now, precondition: undefined }), owner)) !==
    null
  );
}

/**
 * Revokes a token of the caller's organization in the caller's transaction; see `revokeToken`.
 * @returns null if there is no such token
 */
export async function markRevoked(
  tx: Transaction,
  id: string,
  work: Pick<Session, 'now' | 'precondition'>,
): Promise<ShownToken | null> {
  const { now } = work;
  const current = await tokenRows.lock(tx, id.toLowerCase());
  if (!current) return null;
  checkVersion(work, current);
  if (current.revokedAt) return withoutSecrets(current);
  const values = { revokedAt: now, modified: nextModified(now, current.modified) };
  const [revoked] = await updateRows(tx, 'AccessToken', { id: current.id }, values);
  if (!revoked) throw new Error('A token that was locked is gone.');
  await logEvent(tx, { caller: tx.caller, now }, tokenEvent('token revoked', revoked, tx.caller));
  return withoutSecrets(revoked);
}

const tokenRows = defineRows('AccessToken');

type Owner = Pick<RowOf<'User'>, 'id' | 'name' | 'email' | 'teamId' | 'organizationId'>;

/** Creates the caller for work at the command line: the user of the token. */
export function ownerAsCaller({ organizationId, ...user }: Owner): Caller {
  return { tokenId: user.id, role: 'ADMIN', organizationId, teamIds: [user.teamId], user };
}

async function findOwner(database: Database, condition: Sql): Promise<Caller | undefined> {
  const statement = sql`
    SELECT id, name, email, team_id AS "teamId", organization_id AS "organizationId"
    FROM users WHERE ${condition}`;
  const [owner] = await database.query<Owner>(prepared('access_tokens.owner', statement));
  return owner && ownerAsCaller(owner);
}

/** Creates the event of a token. It belongs to the workspace of its author. */
export function tokenEvent(
  type: 'token created' | 'token revoked',
  { name, role }: Pick<RowOf<'AccessToken'>, 'name' | 'role'>,
  { user }: Caller,
): Event {
  const done = type === 'token created' ? 'created' : 'revoked';
  const description = `Token ${JSON.stringify(name)} with the role ${role.toLowerCase()} was ${done}`;
  return { type, teamId: user.teamId, description, details: null, entities: [] };
}
