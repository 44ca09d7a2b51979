import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '../domain/errors.js';
import type { Caller, Role } from '../domain/roles.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import type { Database } from './client.js';
import { translateError } from './errors.js';
import { logEvent } from './event-logs.js';
import type { Transaction } from './scope.js';
import { inTransaction } from './transaction.js';

/** What a new token is made of. */
export interface NewToken {
  readonly organizationId: string;
  /** The user it acts as. */
  readonly userId: string;
  /** What it is for. */
  readonly name: string;
  readonly role: Role;
  /** When it stops working; never when null. */
  readonly expiresAt: Date | null;
}

/** A token that was just made: the only time its text is known. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** What is kept of a token, and how it is found. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** A new token of 256 random bits; the prefix lets secret scanners recognise one that leaked. */
export function randomToken(): string {
  return `egw_${randomBytes(32).toString('base64url')}`;
}

/**
 * Makes a token; its event log entry is written with it.
 * @param token its text, instead of a random one
 * @throws GatewayError BAD_REQUEST for a wrong name or an expiry that is not in the future; NOT_FOUND when the
 *   organization has no such user; CONFLICT when the token exists
 */
export async function createToken(
  database: Database,
  given: NewToken,
  now: Date,
  token?: string,
): Promise<IssuedToken> {
  try {
    return await inTransaction(database.prisma, (tx) => insertToken(tx, given, now, token));
  } catch (error) {
    throw translateError(error, 'access_tokens');
  }
}

/** The part of `createToken` inside of the transaction, for one that makes more than the token. */
export async function insertToken(
  tx: Transaction,
  { organizationId, userId, role, expiresAt, ...given }: NewToken,
  now: Date,
  token = randomToken(),
): Promise<IssuedToken> {
  const name = check(rules.line, given.name, ['name'])?.trim();
  if (!name) throw new GatewayError('BAD_REQUEST', 'must not be empty', { path: ['name'] });
  if (expiresAt && expiresAt <= now) {
    throw new GatewayError('BAD_REQUEST', 'must be in the future', { path: ['expiresAt'] });
  }
  const user = isUuid(userId) && (await tx.user.findUnique({ where: { id: userId, organizationId } }));
  if (!user) throw new GatewayError('NOT_FOUND', 'The organization has no such user.');
  const id = newId();
  const hash = hashToken(token);
  const row = { id, organizationId, userId, name, role, hash, expiresAt, created: now };
  await tx.accessToken.create({ data: row, select: { id: true } });
  await logTokenEvent(tx, { ...row, user }, 'token created', now);
  return { id, token };
}

/**
 * Revokes a token; its event log entry is written with it, once.
 * @returns false when there is no such token; true also when it was revoked before.
 */
export async function revokeToken(database: Database, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  return inTransaction(database.prisma, async (tx) => {
    const { count } = await tx.accessToken.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: now },
    });
    const row = await tx.accessToken.findUnique({ where: { id }, include: { user: true } });
    if (row && count > 0) await logTokenEvent(tx, row, 'token revoked', now);
    return row !== null;
  });
}

/** Tokens of one organization or of all, oldest first, without their hashes. */
export function listTokens(database: Database, organizationId?: string) {
  return database.prisma.accessToken.findMany({
    where: organizationId === undefined ? {} : { organizationId },
    omit: { hash: true, signingSecret: true },
    include: { user: { select: { name: true, email: true } }, organization: { select: { name: true } } },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
}

interface TokenOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly organizationId: string;
  readonly user: Caller['user'];
}

/** Nobody is authenticated at the command line, so the user whom the token stands for is named as the actor. */
function logTokenEvent(
  tx: Transaction,
  token: TokenOfUser,
  type: 'token created' | 'token revoked',
  now: Date,
) {
  const { id: tokenId, role, organizationId, user } = token;
  const caller = { tokenId, role, organizationId, teamIds: [user.teamId], user };
  const done = type === 'token created' ? 'created' : 'revoked';
  return logEvent(
    tx,
    { caller, now },
    {
      type,
      teamId: user.teamId,
      description: `Token ${JSON.stringify(token.name)} with the role ${role.toLowerCase()} was ${done}`,
      details: null,
      entities: [],
    },
  );
}
