import { hashToken, randomSecret } from '../../access/tokens.js';
import { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { updateRows } from '../../db/sql/write.js';
import { type Caller, personOf, type SignInWay, secretPattern, sessionTimes } from '../../domain/caller.js';
import { badField, GatewayError, unauthorized } from '../../domain/errors.js';
import { type Account, accountById, asAccount, checkAccount, checkWay } from '../accounts.js';
import { provesPassword } from '../passwords.js';
import {
  type BegunSession,
  deviceFor,
  logFailure,
  logSignIn,
  placeOf,
  renewSecret,
  type SignInContext,
  type Visitor,
  wayTexts,
} from '../sessions.js';
import { completeSignIn, neededFactors, type SignedIn } from '../sign-in.js';
import { type RelyingParty, usePasskey } from './passkeys.js';
import { acceptRecoveryCode, acceptTotp } from './totp.js';

/** A second factor as somebody sends it: one of these. */
interface SentFactor {
  /** The code of an authenticator app. */
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  /** The browser's answer about a passkey. */
  readonly passkey?: unknown;
}

/** A visit to the page for signing in. */
export interface SignInRequest {
  readonly visitor: Visitor;
  /** The secret of the session that the browser has. */
  readonly secret: string | undefined;
  /** Returns the host that passkeys belong to. Throws where there can be none. */
  readonly party: () => RelyingParty;
  readonly now: Date;
}

/** A session that waits for the second factor. */
interface PendingSession {
  readonly id: string;
  readonly userId: string;
  readonly method: SignInWay;
}

/** Finds the session of a visit that waits for a second factor. */
export async function findPending(
  { database }: Pick<SignInContext, 'database'>,
  { secret, now }: Pick<SignInRequest, 'secret' | 'now'>,
): Promise<PendingSession | undefined> {
  if (secret === undefined || !secretPattern.test(secret)) return undefined;
  const statement = sql`
    SELECT id, user_id AS "userId", method::text FROM sessions
    WHERE hash = ${hashToken(secret)} AND is_pending AND revoked_at IS NULL AND expires_at > ${now}::timestamptz`;
  const [pending] = await database.query<PendingSession>(prepared('sessions.pending', statement));
  return pending;
}

/** Creates the 403 if no session waits for a second factor. */
export const tooLate = () =>
  new GatewayError('FORBIDDEN', 'The time for the second factor is over. Sign in again.');

const attemptOf = (account: Account, { address, device }: Visitor) => ({
  ...{ account: `${account.id} factor`, address, isKnownAddress: account.knowsAddress },
  knownDevice: account.knowsDevice ? device : undefined,
});

const factorTexts = { code: 'an authenticator app', recoveryCode: 'a recovery code', passkey: 'a passkey' };

/** Accepts a code of the app, or a recovery code. */
async function acceptsCode(
  tx: Transaction,
  context: SignInContext,
  userId: string,
  { code, recoveryCode }: SentFactor,
  now: Date,
): Promise<boolean> {
  if (code !== undefined) return acceptTotp(tx, context, userId, code, now);
  return recoveryCode !== undefined && acceptRecoveryCode(tx, userId, recoveryCode, now);
}

/**
 * Completes signing in with the second factor. The session gets a new secret.
 * @throws GatewayError UNAUTHORIZED for a wrong factor; FORBIDDEN if no session waits for one;
 *   TOO_MANY_REQUESTS
 */
export async function enterSecondFactor(
  context: SignInContext,
  visit: SignInRequest,
  sent: SentFactor,
): Promise<SignedIn> {
  const { database, attempts, log } = context;
  const { visitor, now } = visit;
  const pending = await findPending(context, visit);
  const account = pending && (await accountById(database, pending.userId, visitor));
  if (!pending || !account) throw tooLate();
  checkAccount(account, pending.method);
  const attempt = attemptOf(account, visitor);
  const kind = sent.passkey === undefined ? (sent.code === undefined ? 'recoveryCode' : 'code') : 'passkey';
  const complete = async (tx: Transaction, user: RowOf<'User'>): Promise<BegunSession | undefined> => {
    if (kind !== 'passkey' && !(await acceptsCode(tx, context, account.id, sent, now))) return undefined;
    const secret = randomSecret();
    const device = deviceFor(account, visitor);
    const times = { secondFactorAt: now, confirmedAt: now, lastUsedAt: now };
    const expiresAt = new Date(now.getTime() + sessionTimes.lifetime);
    const values = {
      ...times,
      isPending: false,
      hash: hashToken(secret),
      deviceHash: hashToken(device),
      expiresAt,
    };
    const changed = await updateRows(
      tx,
      'SignInSession',
      { id: pending.id, isPending: true, revokedAt: null },
      values,
    );
    if (changed.length === 0) return undefined;
    const what = `signed in with ${wayTexts[pending.method]} and ${factorTexts[kind]} ${placeOf(visitor)}`;
    await logSignIn(tx, user, 'signed in', what, now);
    return { secret, device };
  };
  const begun = await attempts.during(attempt, async () => {
    if (sent.passkey !== undefined) await usePasskey(database, visit.party(), sent.passkey, account.id, now);
    const found = await asAccount(database, account, complete);
    if (!found && attempts.fail(attempt))
      logFailure(context, account, 'the second factor was wrong', visitor, now);
    return found;
  });
  if (!begun) {
    log.info({ userId: account.id, method: kind, outcome: 'failed' }, 'A second factor was wrong');
    throw unauthorized('The code is wrong, or was used already.');
  }
  log.info({ userId: account.id, method: kind, outcome: 'signed in' }, 'Somebody signed in');
  return { ...begun, factors: [], mustEnroll: false };
}

/**
 * Signs somebody in with a passkey. It counts as both factors, because its authenticator has to check who uses
 * it.
 * @throws GatewayError UNAUTHORIZED for an unknown passkey, or one used without a PIN or fingerprint; FORBIDDEN
 *   if passkeys are turned off
 */
export async function signInWithPasskey(
  context: SignInContext,
  { visitor, secret, party, now }: SignInRequest,
  response: unknown,
): Promise<SignedIn> {
  checkWay(context, 'PASSKEY');
  const { userId, isVerified } = await usePasskey(context.database, party(), response, undefined, now);
  const account = await accountById(context.database, userId, visitor);
  if (!account) throw unauthorized('The passkey is unknown, or was not used in time.');
  // A stolen security key must not be enough: it would be the first factor, and then the second one as well.
  if (!isVerified)
    throw unauthorized('Use the passkey with its PIN or fingerprint, or sign in with a password.');
  checkAccount(account, 'PASSKEY');
  const proof = { visitor, method: 'PASSKEY' as const, replaced: secret, hasSecondFactor: true };
  return completeSignIn(context, account, proof, now);
}

/** A proof of who somebody is, before they change how they sign in. */
interface SentProof extends SentFactor {
  readonly password?: string | undefined;
}

/**
 * Checks a proof of who a session's user is.
 * @returns true if it proves the second factor
 */
async function checkProof(
  context: SignInContext,
  session: Session,
  account: Account,
  { visitor, party, now }: SignInRequest,
  proof: SentProof,
): Promise<boolean> {
  const { database, attempts } = context;
  if (proof.passkey !== undefined) {
    const { isVerified } = await usePasskey(database, party(), proof.passkey, account.id, now);
    if (!isVerified) throw badField(['passkey'], 'was used without a PIN or fingerprint');
    return true;
  }
  const factors = await session.inTransaction((tx) => neededFactors(tx, account));
  if (proof.code === undefined && proof.recoveryCode === undefined) {
    if (factors.length > 0) throw badField(['code'], 'is required, because you have a second factor');
    if (!(await provesPassword(context, session, proof.password ?? '')))
      throw badField(['password'], 'is wrong');
    return false;
  }
  const attempt = attemptOf(account, visitor);
  await attempts.during(attempt, async () => {
    if (await session.inTransaction((tx) => acceptsCode(tx, context, account.id, proof, now))) return;
    attempts.fail(attempt);
    const field = proof.code === undefined ? 'recoveryCode' : 'code';
    throw badField([field], 'is wrong, or was used already');
  });
  return factors.length > 0;
}

/**
 * Confirms the user of a session again, and gives it a new secret. Whoever has a second factor proves that
 * one, because a password alone must not remove it.
 * @throws GatewayError BAD_REQUEST naming the wrong proof; UNAUTHORIZED for a passkey; TOO_MANY_REQUESTS
 */
export async function confirmSession(
  context: SignInContext,
  caller: Caller,
  visit: SignInRequest,
  proof: SentProof,
): Promise<string> {
  const { database, secrets } = context;
  const { now } = visit;
  const session = new Session(database, { caller, now, secrets });
  const account = await accountById(database, personOf(caller).id, visit.visitor);
  if (!account) throw unauthorized('The session has ended. Sign in again.');
  const isSecond = await checkProof(context, session, account, visit, proof);
  return session.inTransaction((tx) =>
    renewSecret(tx, { confirmedAt: now, ...(isSecond && { secondFactorAt: now }) }),
  );
}
