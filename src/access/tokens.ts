import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import { inTransaction } from '../db/connection/transaction.js';
import type { Secrets } from '../db/secrets/secrets.js';
import type { Transaction } from '../db/sql/scope.js';
import type { Caller } from '../domain/caller.js';
import { badField } from '../domain/errors.js';
import { may, type Role } from '../domain/roles.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import type { AccessToken } from '../generated/prisma/client.js';
import { logEvent } from '../records/event-logs.js';

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
  /** For a signed token: how it is. */
  readonly signing?: Signing | undefined;
}

/** How the requests of a token are signed. */
export interface Signing {
  /** What keeps the secret. */
  readonly secrets: Secrets;
  /** The secret that the sender has already; a random one when left out. */
  readonly secret?: string | null | undefined;
}

/** A token as it is shown: without what is secret of it. */
export type ShownToken = Omit<AccessToken, 'hash' | 'signingSecret'> & {
  /** Whether what it sends must be signed. */
  readonly signed: boolean;
};

/** What is never read of a token. */
export const hidden = { hash: true } as const;

/** Takes what is secret out of a token that was read. */
export function shown<Row extends Pick<AccessToken, 'signingSecret'>>({ signingSecret, ...row }: Row) {
  return { ...row, signed: signingSecret !== null };
}

/** A token that was just made: the only time its text is known. */
export interface IssuedToken {
  readonly id: string;
  readonly accessToken: ShownToken;
  readonly token: string;
  /** What its requests are to be signed with; null unless it is a signed token. */
  readonly signingSecret: string | null;
}

/** What is kept of a token, and how it is found. */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

/** A new token of 256 random bits; the prefix lets secret scanners recognise one that leaked. */
export function randomToken(): string {
  return `egw_${randomBytes(32).toString('base64url')}`;
}

const sendersSecret = z.string().regex(/^[!-~]{16,255}$/, 'must have 16 to 255 visible ASCII characters');

/** The secret of a signed token, whose text signatures are made with, and the form in which it is kept. */
async function signingSecretOf({ role, signing }: NewToken, tokenId: string) {
  if (!signing) return { signingSecret: null, sealed: null };
  if (!may(role, 'upload')) throw badField(['role'], 'must be one that may upload, as the token is signed');
  const { secrets, secret } = signing;
  const random = `egs_${randomBytes(32).toString('base64url')}`;
  const signingSecret = check(sendersSecret, secret ?? random, ['signingSecret']);
  return { signingSecret, sealed: await secrets.seal(signingSecret, tokenId) };
}

/**
 * Makes a token; its event log entry is written with it.
 * @param token its text, instead of a random one
 * @throws GatewayError BAD_REQUEST for a wrong name, an expiry that is not in the future, a user that is not the
 *   organization's, or a signing secret or role that cannot be signed with; CONFLICT when the token exists
 */
export async function createToken(
  database: Database,
  given: NewToken,
  now: Date,
  token?: string,
): Promise<IssuedToken> {
  try {
    return await inTransaction(database, (tx) => insertToken(tx, given, now, { token }));
  } catch (error) {
    throw translateError(error, 'access_tokens');
  }
}

/**
 * The part of `createToken` inside of the transaction.
 * @param options.caller who makes it; at the command line nobody is known
 */
export async function insertToken(
  tx: Transaction,
  given: NewToken,
  now: Date,
  options: { readonly token?: string | undefined; readonly caller?: Caller } = {},
): Promise<IssuedToken> {
  const { organizationId, role, expiresAt } = given;
  const name = check(rules.requiredLine, given.name, ['name']).trim();
  if (expiresAt && expiresAt <= now) throw badField(['expiresAt'], 'must be in the future');
  const userId = await findUser(tx, organizationId, given.userId);
  const id = newId();
  const { signingSecret, sealed } = await signingSecretOf(given, id);
  const { token = randomToken(), caller } = options;
  const row = { id, organizationId, userId, name, role, expiresAt, created: now };
  const data = { ...row, hash: hashToken(token), signingSecret: sealed };
  const accessToken = shown(await tx.accessToken.create({ data, omit: hidden }));
  await logTokenEvent(tx, accessToken, 'token created', now, caller);
  return { id, accessToken, token, signingSecret };
}

async function findUser(tx: Transaction, organizationId: string, id: string): Promise<string> {
  const where = { id, organizationId };
  const user = isUuid(id) ? await tx.user.findUnique({ where, select: { id: true } }) : null;
  if (!user) throw badField(['userId'], 'names no user of the organization');
  return user.id;
}

/**
 * Revokes a token; its event log entry is written with it, once.
 * @returns false when there is no such token; true also when it was revoked before.
 */
export async function revokeToken(database: Database, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  return (await inTransaction(database, (tx) => markRevoked(tx, id, now))) !== null;
}

/**
 * The part of `revokeToken` inside of the transaction.
 * @param caller who revokes it; at the command line nobody is known
 * @returns null when there is no such token.
 */
export async function markRevoked(
  tx: Transaction,
  id: string,
  now: Date,
  caller?: Caller,
): Promise<ShownToken | null> {
  const { count } = await tx.accessToken.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
  const row = await tx.accessToken.findUnique({ where: { id }, omit: hidden });
  if (row && count > 0) await logTokenEvent(tx, row, 'token revoked', now, caller);
  return row && shown(row);
}

type TokenOfUser = Pick<AccessToken, 'id' | 'name' | 'role' | 'organizationId' | 'userId'>;

/** Nobody is authenticated at the command line, so the user whom the token stands for is named as the actor. */
async function ownerOf(tx: Transaction, token: TokenOfUser): Promise<Caller> {
  const { id: tokenId, role, organizationId, userId } = token;
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  return { tokenId, role, organizationId, teamIds: [user.teamId], user };
}

/** The event is told in the workspace of who did it. */
async function logTokenEvent(
  tx: Transaction,
  token: TokenOfUser,
  type: 'token created' | 'token revoked',
  now: Date,
  by: Caller | undefined,
): Promise<void> {
  const caller = by ?? (await ownerOf(tx, token));
  const done = type === 'token created' ? 'created' : 'revoked';
  await logEvent(
    tx,
    { caller, now },
    {
      type,
      teamId: caller.user.teamId,
      description: `Token ${JSON.stringify(token.name)} with the role ${token.role.toLowerCase()} was ${done}`,
      details: null,
      entities: [],
    },
  );
}
