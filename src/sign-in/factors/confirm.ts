import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { personOf } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { logSignIn } from '../events.js';
import { isConfirmed } from '../passwords.js';
import { endSessionsOf, renewSecret } from '../sessions.js';

/**
 * Checks that a session's user has proved who they are within ten minutes. Otherwise somebody at an unlocked
 * computer could change how its user signs in.
 * @throws GatewayError FORBIDDEN
 */
export function checkConfirmed(session: Session): void {
  if (isConfirmed(session)) return;
  throw new GatewayError('FORBIDDEN', 'Confirm who you are first.');
}

/** Result of a change of the caller's factors. */
export interface ChangedFactors<Result> {
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
 */
export function changeFactors<Result>(
  session: Session,
  what: string,
  renews: boolean,
  change: (tx: Transaction) => Promise<Result>,
): Promise<ChangedFactors<Result>> {
  const { caller, now } = session;
  return session.inTransaction(async (tx) => {
    const [user] = await readRows(tx, 'User', { where: { id: personOf(caller).id } });
    if (!user) throw new Error("The caller's user is gone.");
    const result = await change(tx);
    if (result === false) return { result, secret: undefined };
    await logSignIn(tx, user, 'sign-in changed', what, now);
    await endSessionsOf(tx, user, now, { except: caller.signIn ? caller.tokenId : undefined });
    return { result, secret: caller.signIn && renews ? await renewSecret(tx) : undefined };
  });
}
