import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { findInvitation, useInvitation } from '../access/invitations.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import type { SignInWay } from '../domain/caller.js';
import { badField, GatewayError } from '../domain/errors.js';
import { browserName } from '../domain/text/formats.js';
import { type Account, accountById, checkAccount, checkWay } from './accounts.js';
import {
  askForNewPasskey,
  checkNewPasskey,
  type PasskeyOwner,
  type RelyingParty,
  storePasskey,
} from './factors/passkeys.js';
import { ownerAt } from './password-hasher.js';
import { checkNewPassword, hashPassword, storePassword } from './passwords.js';
import { logSignIn, placeOf, type SignInContext, type Visitor } from './sessions.js';
import { completeSignIn, type SignedIn } from './sign-in.js';
import type { OpenedLink } from './sign-in-links.js';

/** Choice of how a new person signs in: one of these. */
export interface FirstWay {
  readonly password?: string | undefined;
  /** The browser's answer about a new passkey. */
  readonly passkey?: unknown;
}

/** A way to sign in that was checked and is not stored yet. */
interface PreparedWay {
  readonly method: Extract<SignInWay, 'PASSWORD' | 'PASSKEY'>;
  /** True if it counts as both factors. */
  readonly hasSecondFactor: boolean;
  /** Name of the way in sentences. */
  readonly noun: string;
  store(tx: Transaction, user: RowOf<'User'>): Promise<unknown>;
}

/** A person who chooses, and where. */
interface Choosing {
  readonly owner: PasskeyOwner;
  readonly visitor: Visitor;
  /** Returns the host that passkeys belong to. Throws where there can be none. */
  readonly party: () => RelyingParty;
  readonly now: Date;
}

async function preparePassword(
  context: SignInContext,
  password: string,
  { owner, visitor, now }: Choosing,
): Promise<PreparedWay> {
  const normal = await checkNewPassword(password, owner);
  const phc = await hashPassword(context, owner, normal, ownerAt(visitor.address));
  return {
    ...{ method: 'PASSWORD', hasSecondFactor: false, noun: 'a password' },
    store: (tx, user) => storePassword(tx, user, phc, now),
  };
}

async function preparePasskey(
  { database }: SignInContext,
  sent: unknown,
  { owner, visitor, party, now }: Choosing,
): Promise<PreparedWay> {
  const made = await checkNewPasskey(database, party(), owner.id, { sent, field: 'passkey' }, now);
  if (!made.isVerified) throw badField(['passkey'], 'must be made with a PIN, fingerprint or face');
  const name = browserName(visitor.agent) ?? 'Passkey';
  return {
    ...{ method: 'PASSKEY', hasSecondFactor: true, noun: 'a passkey' },
    store: (tx, user) => storePasskey(tx, user.id, { ...made, name }, now),
  };
}

/**
 * Checks the way in which a new person is going to sign in.
 * @throws GatewayError FORBIDDEN if the way is turned off; BAD_REQUEST unless there is one valid way
 */
export function prepareFirstWay(
  context: SignInContext,
  { password, passkey }: FirstWay,
  choosing: Choosing,
): Promise<PreparedWay> {
  if (password === undefined && passkey === undefined)
    throw badField(['password'], 'is required', 'required');
  if (password !== undefined && passkey !== undefined)
    throw badField(['passkey'], 'cannot be sent together with a password');
  checkWay(context, password === undefined ? 'PASSKEY' : 'PASSWORD');
  return password === undefined
    ? preparePasskey(context, passkey, choosing)
    : preparePassword(context, password, choosing);
}

/** Creates the 403 for an invitation that nobody can accept. */
export const invalidInvitation = () =>
  new GatewayError('FORBIDDEN', 'The invitation has ended or was used already. Ask for a new one.');

/** Finds the account of an invitation that is still open. @throws GatewayError FORBIDDEN */
async function invitedAccount(
  { database }: SignInContext,
  secret: string,
  { visitor, now }: OpenedLink,
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
  arrival: OpenedLink,
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
  arrival: OpenedLink,
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
  return completeSignIn(context, account, { visitor, method, replaced, hasSecondFactor }, now);
}
