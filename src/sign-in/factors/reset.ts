import { lockUser } from '../../access/people.js';
import type { Session } from '../../db/connection/session.js';
import { deleteRows } from '../../db/sql/write.js';
import { personOf } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { checkAdministrator } from '../../domain/sign-in.js';
import { logSignIn } from '../events.js';
import { endSessionsOf } from '../sessions.js';

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
