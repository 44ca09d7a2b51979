import { findInvitation, useInvitation } from '../access/invitations.js';
import { GatewayError } from '../domain/errors.js';
import { accountById, checkAccount, checkWay } from './accounts.js';
import type { SignInContext } from './context.js';
import { logSignIn } from './events.js';
import type { Arrival } from './links/links.js';
import { checkNewPassword } from './password-rules.js';
import { storePassword } from './passwords.js';
import { enter, type SignedIn } from './sign-in.js';

/** Creates the 403 for an invitation that nobody can accept. */
export const invalidInvitation = () =>
  new GatewayError('FORBIDDEN', 'The invitation has ended or was used already. Ask for a new one.');

/**
 * Sets the first password of an invited user, and signs them in. It uses up the invitation.
 * @throws GatewayError FORBIDDEN unless the invitation is valid and passwords are allowed; BAD_REQUEST for a
 *   password that breaks the rules, which does not use up the invitation
 */
export async function acceptWithPassword(
  context: SignInContext,
  { secret, password }: { readonly secret: string; readonly password: string },
  { visitor, replaced, now }: Arrival,
): Promise<SignedIn> {
  checkWay(context, 'PASSWORD');
  const { database, hasher } = context;
  const found = await findInvitation(database, secret, now);
  if (found?.state !== 'open') throw invalidInvitation();
  const normal = await checkNewPassword(password, { name: found.userName, email: found.email });
  const phc = await hasher.hash(normal, visitor.address);
  const account = await useInvitation(database, secret, now, async (tx, user) => {
    const known = await accountById(database, user.id, visitor);
    if (!known) throw invalidInvitation();
    checkAccount(known, 'PASSWORD');
    await storePassword(tx, user, phc, now);
    await logSignIn(tx, user, 'sign-in changed', 'accepted the invitation with a password', now);
    return known;
  });
  if (!account) throw invalidInvitation();
  return enter(context, account, { visitor, method: 'PASSWORD', replaced }, now);
}
