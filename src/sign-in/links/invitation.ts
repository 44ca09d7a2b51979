import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { findInvitation, useInvitation } from '../../access/invitations.js';
import { GatewayError } from '../../domain/errors.js';
import { type Account, accountById, checkAccount, checkWay } from '../accounts.js';
import type { SignInContext } from '../context.js';
import { logSignIn, placeOf } from '../events.js';
import { askForNewPasskey } from '../factors/new-passkey.js';
import type { RelyingParty } from '../factors/relying-party.js';
import { type FirstWay, prepareFirstWay } from '../first-way.js';
import { enter, type SignedIn } from '../sign-in.js';
import type { Arrival } from './links.js';

/** Creates the 403 for an invitation that nobody can accept. */
export const invalidInvitation = () =>
  new GatewayError('FORBIDDEN', 'The invitation has ended or was used already. Ask for a new one.');

/** Finds the account of an invitation that is still open. @throws GatewayError FORBIDDEN */
async function invitedAccount(
  { database }: SignInContext,
  secret: string,
  { visitor, now }: Arrival,
): Promise<Account> {
  const found = await findInvitation(database, secret, now);
  const account = found?.state === 'open' ? await accountById(database, found.userId, visitor) : undefined;
  if (!account) throw invalidInvitation();
  return account;
}

/**
 * Creates what the browser of an invited user needs to make a passkey.
 * @throws GatewayError FORBIDDEN unless the invitation is valid and passkeys are allowed
 */
export async function askInvited(
  context: SignInContext,
  secret: string,
  party: () => RelyingParty,
  arrival: Arrival,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  checkWay(context, 'PASSKEY');
  const account = await invitedAccount(context, secret, arrival);
  // Otherwise the person would make a passkey that nobody takes.
  checkAccount(account, 'PASSKEY');
  return askForNewPasskey(context.database, party(), account, { known: [], isOnly: true }, arrival.now);
}

/**
 * Sets the first password or passkey of an invited user, and signs them in. It uses up the invitation.
 * @throws GatewayError FORBIDDEN unless the invitation is valid and the way is allowed; BAD_REQUEST for a
 *   password that breaks the rules, or an invalid passkey; these do not use up the invitation
 */
export async function acceptInvited(
  context: SignInContext,
  { secret, ...way }: FirstWay & { readonly secret: string },
  party: () => RelyingParty,
  arrival: Arrival,
): Promise<SignedIn> {
  const { database } = context;
  const { visitor, replaced, now } = arrival;
  const owner = await invitedAccount(context, secret, arrival);
  const prepared = await prepareFirstWay(context, way, { owner, visitor, party, now });
  const account = await useInvitation(database, secret, now, async (tx, user) => {
    const known = await accountById(database, user.id, visitor);
    if (!known) throw invalidInvitation();
    checkAccount(known, prepared.method);
    await prepared.store(tx, user);
    const what = `accepted the invitation with ${prepared.noun} ${placeOf(visitor)}`;
    await logSignIn(tx, user, 'sign-in changed', what, now);
    return known;
  });
  if (!account) throw invalidInvitation();
  const { method, hasSecondFactor } = prepared;
  return enter(context, account, { visitor, method, replaced, hasSecondFactor }, now);
}
