import { lockUser } from '../access/people.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, updateRows } from '../db/sql/write.js';
import { checkAdministrator, personOf, type SignInWay } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { type Account, asAccount } from './accounts.js';
import {
  type BegunSession,
  beginSession,
  deviceFor,
  endSessionsOf,
  logSignIn,
  renewSecret,
  type SignInContext,
  signOut,
  type Visitor,
} from './sessions.js';

/** Ways to prove a second factor. */
const secondFactors = ['totp', 'passkey', 'recovery'] as const;

type SecondFactor = (typeof secondFactors)[number];

/**
 * Lists the ways to prove a second factor; empty if none is needed. It is needed once an
 * authenticator app is set up; a passkey replaces the app only where the organization requires a second
 * factor. Who has not set up any can sign in without one, and is asked to.
 */
export async function neededFactors(
  tx: Transaction,
  { id, secondFactorRequired }: Pick<Account, 'id' | 'secondFactorRequired'>,
): Promise<SecondFactor[]> {
  const statement = sql`
    SELECT
      EXISTS (SELECT FROM totp_secrets WHERE user_id = ${id}::uuid AND confirmed_at IS NOT NULL) AS totp,
      EXISTS (SELECT FROM passkeys WHERE user_id = ${id}::uuid) AS passkey,
      EXISTS (SELECT FROM recovery_codes WHERE user_id = ${id}::uuid AND used_at IS NULL) AS recovery`;
  const [has] = await tx.run<Record<SecondFactor, boolean>>(prepared('sign_in.factors', statement));
  if (!has || !(has.totp || (secondFactorRequired && has.passkey))) return [];
  return secondFactors.filter((factor) => has[factor]);
}

/** A session that begins after a first factor, and may wait for the second. */
export interface SignedIn extends BegunSession {
  /** Ways to prove the second factor; empty if none is needed. */
  readonly factors: readonly SecondFactor[];
  /** True if a second factor is needed, and must be set up first. */
  readonly mustEnroll: boolean;
}

/** A proof of who an account's user is. */
interface Proof {
  readonly visitor: Visitor;
  readonly method: SignInWay;
  /** The secret of the session that the browser has, which ends. */
  readonly replaced: string | undefined;
  /** True if the proof counts as both factors. */
  readonly hasSecondFactor?: boolean;
}

/**
 * Begins the session of a user who has proved who they are. The secret is always a new one, and the browser's
 * session of before ends, so that nobody can sign in somebody else's session.
 */
export async function completeSignIn(
  { database, log }: SignInContext,
  account: Account,
  { visitor, method, replaced, hasSecondFactor = false }: Proof,
  now: Date,
): Promise<SignedIn> {
  const signedIn = await asAccount(database, account, async (tx, user) => {
    const isProved = hasSecondFactor || method === 'OIDC';
    const factors = isProved ? [] : await neededFactors(tx, account);
    const isPending = factors.length > 0;
    const device = deviceFor(account, visitor);
    const begun = await beginSession(tx, user, { visitor, device, method, isPending, hasSecondFactor }, now);
    const mustEnroll = account.secondFactorRequired && !isProved && !isPending;
    return { ...begun, factors, mustEnroll };
  });
  if (replaced !== undefined) await signOut(database, replaced, now);
  const outcome = signedIn.factors.length > 0 ? 'second factor' : 'signed in';
  log.info({ userId: account.id, method, outcome }, 'Somebody signed in');
  return signedIn;
}

/** Result of a change of the caller's factors. */
interface ChangedFactors<Result> {
  readonly result: Result;
  /** The new secret of the caller's session, if it has one. */
  readonly secret: string | undefined;
}

/**
 * Changes the caller's factors, with the event. The caller's other sessions end, and its own gets a new
 * secret.
 * @param what the user did, for the event
 * @param renews true if the browser can be given a new secret
 * @param change returns false if nothing had to be changed
 * @param adds true if it adds a second factor, which the session has then
 */
export function changeFactors<Result>(
  session: Session,
  what: string,
  renews: boolean,
  change: (tx: Transaction) => Promise<Result>,
  adds = false,
): Promise<ChangedFactors<Result>> {
  const { caller, now, database } = session;
  const { without } = caller.signIn ?? {};
  const work = async (tx: Transaction): Promise<ChangedFactors<Result>> => {
    const [user] = await readRows(tx, 'User', { where: { id: personOf(caller).id } });
    if (!user) throw new Error("The caller's user is gone.");
    const owner = { id: user.id, secondFactorRequired: true };
    if (without && (await neededFactors(tx, owner)).length > 0) {
      throw new GatewayError('FORBIDDEN', 'Confirm who you are with your second factor first.', {
        reason: 'UNCONFIRMED',
      });
    }
    const result = await change(tx);
    if (result === false) return { result, secret: undefined };
    await logSignIn(tx, user, 'sign-in changed', what, now);
    await endSessionsOf(tx, user, now, { except: caller.signIn ? caller.tokenId : undefined });
    if (!adds && caller.signIn && (await neededFactors(tx, owner)).length === 0) {
      // Where a second factor is required, the session may only set a new one up from now on.
      await updateRows(tx, 'SignInSession', { id: caller.tokenId }, { secondFactorAt: null });
    }
    const proved = adds ? { secondFactorAt: now } : {};
    return { result, secret: caller.signIn && renews ? await renewSecret(tx, proved) : undefined };
  };
  // The event belongs to a workspace, which the caller reaches only with the factor.
  if (without) return database.inTransaction(work, { ...caller, teamIds: without });
  return session.inTransaction(work);
}

/**
 * Removes the factors of a user who has lost them, with the event. The factors are the app, the recovery
 * codes and the passkeys. The user's sessions end.
 * @returns false if there was nothing to remove
 * @throws GatewayError FORBIDDEN for oneself, or in a session whose user must be confirmed first; NOT_FOUND for
 *   a user that the caller's organization does not have
 */
export function resetSecondFactor(session: Session, id: string): Promise<boolean> {
  const { caller, now } = session;
  checkAdministrator(session);
  // Otherwise whoever has stolen an administrator's session could do without the second factor.
  if (id.toLowerCase() === personOf(caller).id) {
    throw new GatewayError('FORBIDDEN', 'Another administrator must reset your second factor.');
  }
  return session.inTransaction(async (tx) => {
    const user = await lockUser(tx, id);
    let removed = 0;
    for (const model of ['TotpSecret', 'RecoveryCode', 'Passkey'] as const)
      removed += await deleteRows(tx, model, { userId: user.id });
    if (removed === 0) return false;
    await logSignIn(tx, user, 'sign-in changed', 'lost the second factor: an administrator reset it', now);
    await endSessionsOf(tx, user, now);
    return true;
  });
}
