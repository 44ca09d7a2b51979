import { hashToken, ownerAsCaller } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sameAddressSql } from '../db/sql/addresses.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { personOf, type SignInWay, secretPattern } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import type { SignInContext, Visitor } from './sessions.js';

/** A user who may sign in, and what decides how. */
export interface Account extends Pick<RowOf<'User'>, 'id' | 'name' | 'email' | 'teamId' | 'organizationId'> {
  /** The hash of the password, if there is one. */
  readonly phc: string | null;
  /** Ways that the organization allows. */
  readonly ways: readonly SignInWay[];
  readonly secondFactorRequired: boolean;
  /** True if the user signs in only at an issuer. */
  readonly isIssuers: boolean;
  /** True if the user has signed in with the visitor's device before. */
  readonly knowsDevice: boolean;
  /** True if the user has signed in from the visitor's address before. */
  readonly knowsAddress: boolean;
}

/** Selects accounts by a condition on `users`. */
const accountsSql = (condition: Sql, { device, address }: Visitor) => {
  const hash = device !== undefined && secretPattern.test(device) ? hashToken(device) : null;
  const used = sql`SELECT FROM sessions WHERE sessions.user_id = users.id AND NOT sessions.is_pending`;
  return sql`
    SELECT users.id, users.name, users.email, users.team_id AS "teamId",
      users.organization_id AS "organizationId", passwords.phc,
      organizations.sign_in_ways::text[] AS ways,
      organizations.second_factor_required AS "secondFactorRequired",
      users.subject IS NOT NULL AND organizations.issuer_alone AS "isIssuers",
      EXISTS (${used} AND sessions.device_hash = ${hash}) AS "knowsDevice",
      EXISTS (${used} AND sessions.address = ${address}) AS "knowsAddress"
    FROM users
      JOIN organizations ON organizations.id = users.organization_id
      LEFT JOIN passwords ON passwords.user_id = users.id
    WHERE users.is_active AND ${condition}
    ORDER BY users.created, users.id`;
};

/** Finds the users with an e-mail address, in upper or lower case. Several organizations may have one each. */
export async function accountsByEmail(
  database: Database,
  email: string,
  visitor: Visitor,
): Promise<Account[]> {
  // PostgreSQL refuses NUL in a text, so no address has it.
  if (email.includes('\0')) return [];
  const condition = sameAddressSql(sql`users.email`, sql`${email}::text`);
  return database.query<Account>(prepared('sign_in.accounts_by_email', accountsSql(condition, visitor)));
}

/** Finds a user who may sign in by id. */
export async function accountById(
  database: Database,
  id: string,
  visitor: Visitor,
): Promise<Account | undefined> {
  const condition = sql`users.id = ${id}::uuid`;
  const [account] = await database.query<Account>(
    prepared('sign_in.account_by_id', accountsSql(condition, visitor)),
  );
  return account;
}

const turnedOff: Readonly<Record<SignInWay, string>> = {
  PASSWORD: 'Signing in with a password is turned off.',
  PASSKEY: 'Signing in with a passkey is turned off.',
  LINK: 'Signing in with a link is turned off.',
  OIDC: 'Signing in at an issuer is turned off.',
};

const wayRefusal = (way: SignInWay) => new GatewayError('FORBIDDEN', turnedOff[way], { reason: 'WAY_OFF' });

/**
 * Checks that the settings allow a way to sign in.
 * @throws GatewayError FORBIDDEN
 */
export function checkWay({ ways }: Pick<SignInContext, 'ways'>, way: SignInWay): void {
  if (!ways.includes(way)) throw wayRefusal(way);
}

/**
 * Checks that an account may be signed in to in some way. Call it only for a visitor who has proved to be its
 * user, because the answer tells about the account.
 * @throws GatewayError FORBIDDEN
 */
export function checkAccount({ ways, isIssuers }: Account, way: SignInWay): void {
  if (isIssuers && way !== 'OIDC') {
    throw new GatewayError('FORBIDDEN', 'You sign in at your organization’s identity provider.', {
      reason: 'AT_ISSUER',
    });
  }
  if (!ways.includes(way)) throw wayRefusal(way);
}

/** Runs work in a transaction of an account's user. */
export function asAccount<T>(
  database: Database,
  account: Account,
  work: (tx: Transaction, user: RowOf<'User'>) => Promise<T>,
): Promise<T> {
  return database.inTransaction(async (tx) => {
    const [user] = await readRows(tx, 'User', { where: { id: account.id, isActive: true } });
    if (!user) throw new GatewayError('FORBIDDEN', 'The user has been deactivated.');
    return work(tx, user);
  }, ownerAsCaller(account));
}

/** The ways in which the caller can sign in. */
export interface SignInMethods {
  /** Time of the password's last change; null if there is none. */
  readonly passwordChangedAt: Date | null;
  /** True if an authenticator app is set up. */
  readonly totp: boolean;
  readonly recoveryCodesLeft: number;
  /** The issuer at which the caller signs in, if any. */
  readonly issuer: string | null;
  /** Ways that the organization allows. */
  readonly ways: readonly SignInWay[];
}

/** Reads how the caller can sign in. */
export async function readMethods(context: SignInContext, session: Session): Promise<SignInMethods> {
  const { caller } = session;
  const statement = sql`
    SELECT users.issuer, organizations.sign_in_ways::text[] AS ways,
      (SELECT changed_at FROM passwords WHERE user_id = users.id) AS "passwordChangedAt",
      EXISTS (SELECT FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS totp,
      (SELECT count(*)::int FROM recovery_codes WHERE user_id = users.id AND used_at IS NULL)
        AS "recoveryCodesLeft"
    FROM users JOIN organizations ON organizations.id = users.organization_id
    WHERE users.id = ${personOf(caller).id}::uuid AND users.organization_id = ${caller.organizationId}::uuid`;
  const [found] = await session.read<SignInMethods>(prepared('sign_in.methods', statement));
  if (!found) throw new Error("The caller's user is gone.");
  return { ...found, ways: found.ways.filter((way) => context.ways.includes(way)) };
}
