import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { badField } from '../domain/errors.js';
import type { SignInWay } from '../domain/sign-in.js';
import { browserName } from '../domain/text/browser-name.js';
import { checkWay } from './accounts.js';
import type { SignInContext } from './context.js';
import { checkNewPasskey, type PasskeyOwner, storePasskey } from './factors/new-passkey.js';
import type { RelyingParty } from './factors/relying-party.js';
import { ownerAt } from './key-queue.js';
import { checkNewPassword } from './password-rules.js';
import { hashPassword, storePassword } from './passwords.js';
import type { Visitor } from './sessions.js';

/** Choice of how a new person signs in: one of these. */
export interface FirstWay {
  readonly password?: string | undefined;
  /** The browser's answer about a new passkey. */
  readonly passkey?: unknown;
}

/** A way to sign in that was checked and is not stored yet. */
export interface PreparedWay {
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
