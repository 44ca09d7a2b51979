import type { SignInWay } from '../domain/sign-in.js';
import { type Account, asAccount } from './accounts.js';
import type { SignInContext } from './context.js';
import { neededFactors, type SecondFactor } from './factors/second-factor.js';
import { type BegunSession, beginSession, deviceFor, signOut, type Visitor } from './sessions.js';

/** A session that begins after a first factor, and may wait for the second. */
export interface SignedIn extends BegunSession {
  /** Ways to prove the second factor; empty if none is needed. */
  readonly factors: readonly SecondFactor[];
  /** True if a second factor is needed, and must be set up first. */
  readonly mustEnroll: boolean;
}

/** A proof of who an account's user is. */
export interface Proof {
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
export async function enter(
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
