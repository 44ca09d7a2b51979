import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { updateRows } from '../../db/sql/write.js';
import { personOf } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { logSignIn } from '../events.js';
import { endSessionsOf, renewSecret } from '../sessions.js';
import { neededFactors } from './second-factor.js';

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
