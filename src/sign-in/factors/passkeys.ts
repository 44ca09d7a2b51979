import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Database } from '../../db/connection/database.js';
import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, updateRows } from '../../db/sql/write.js';
import { personOf } from '../../domain/caller.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { check, isUuid, rules } from '../../domain/rules.js';
import { checkConfirmed } from '../../domain/sign-in.js';
import { changeFactors } from './confirm.js';
import { askForNewPasskey, checkNewPasskey, readPasskeyAnswer, storePasskey } from './new-passkey.js';
import { acceptChallenge, makeChallenge, type RelyingParty, webauthn } from './relying-party.js';

/** The most passkeys of a user. */
const mostPasskeys = 20;

/** A passkey as its user sees it. */
export interface ShownPasskey {
  readonly id: string;
  readonly name: string;
  readonly created: Date;
  readonly lastUsedAt: Date | null;
  readonly isBackedUp: boolean;
}

/** Lists the caller's own passkeys, the newest first. */
export async function listPasskeys(session: Session): Promise<ShownPasskey[]> {
  const where = { userId: personOf(session.caller).id };
  return readRows(session, 'Passkey', { where, orderBy: [{ created: 'desc' }, { id: 'desc' }] });
}

/**
 * Creates what a browser needs to add a passkey.
 * @throws GatewayError FORBIDDEN if who is asking must be confirmed first
 */
export async function beginPasskey(
  session: Session,
  partyOf: () => RelyingParty,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  checkConfirmed(session);
  const { database, caller, now } = session;
  const known = await readRows(session, 'Passkey', { where: { userId: personOf(caller).id } });
  if (known.length >= mostPasskeys) {
    throw new GatewayError('CONFLICT', `You have ${mostPasskeys} passkeys, which is the most.`);
  }
  return askForNewPasskey(database, partyOf(), personOf(caller), { known, isOnly: false }, now);
}

/** A new passkey. */
export interface PasskeyInput {
  /** The browser's answer to the options, and its name in the request. */
  readonly sent: unknown;
  readonly field: string;
  readonly name: string;
}

/**
 * Adds a passkey of the caller's, with the event.
 * @returns its id, and the new secret of the caller's session
 * @throws GatewayError BAD_REQUEST for an answer that is not valid; CONFLICT if the passkey is known
 */
export async function addPasskey(
  session: Session,
  partyOf: () => RelyingParty,
  { name: chosen, ...answer }: PasskeyInput,
  renews: boolean,
) {
  checkConfirmed(session);
  const { caller, now, database } = session;
  const { id } = personOf(caller);
  const name = check(rules.name, chosen, ['name']);
  const made = await checkNewPasskey(database, partyOf(), id, answer, now);
  const add = (tx: Transaction) => storePasskey(tx, id, { ...made, name }, now);
  return changeFactors(session, `added the passkey ${JSON.stringify(name)}`, renews, add, true);
}

/** Gives one of the caller's passkeys another name. @returns false if the caller has no such passkey */
export async function renamePasskey(session: Session, id: string, name: string): Promise<boolean> {
  const values = { name: check(rules.name, name, ['name']) };
  if (!isUuid(id)) return false;
  const where = { id: id.toLowerCase(), userId: personOf(session.caller).id };
  const changed = await session.inTransaction((tx) => updateRows(tx, 'Passkey', where, values));
  return changed.length > 0;
}

/**
 * Removes one of the caller's passkeys, with the event.
 * @returns false if the caller has no such passkey; and the new secret of the caller's session
 * @throws GatewayError FORBIDDEN if who is asking must be confirmed first
 */
export function deletePasskey(session: Session, id: string, renews: boolean) {
  checkConfirmed(session);
  const where = { id: id.toLowerCase(), userId: personOf(session.caller).id };
  return changeFactors(session, 'removed a passkey', renews, async (tx) =>
    isUuid(id) ? (await deleteRows(tx, 'Passkey', where)) > 0 : false,
  );
}

/**
 * Creates what a browser needs to use a passkey.
 * @param userId whose passkey is asked for; undefined for anybody who may sign in
 */
export async function askForPasskey(
  database: Database,
  party: RelyingParty,
  userId: string | undefined,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await makeChallenge(database, userId ?? null, now);
  const statement = sql`SELECT credential_id AS id, transports FROM passkeys WHERE user_id = ${userId}::uuid`;
  const known =
    userId === undefined
      ? []
      : await database.query<{ id: Uint8Array; transports: string[] }>(named('passkeys.of_user', statement));
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    // As a second factor, having it is enough. Alone, it must be used by its owner.
    userVerification: userId === undefined ? 'required' : 'preferred',
    allowCredentials: known.map(({ id, transports }) => ({
      id: Buffer.from(id).toString('base64url'),
      transports: transports as [],
    })),
  });
}

/** A passkey that somebody has used. */
export interface UsedPasskey {
  readonly userId: string;
  /** True if the authenticator checked who used it, by a PIN or fingerprint. */
  readonly isVerified: boolean;
}

interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: bigint;
}

/** Creates the only answer to a passkey that cannot be used. */
const refusal = () => unauthorized('The passkey is unknown, or was not used in time.');

/**
 * Checks a passkey that somebody has used.
 * @param userId for whom it was asked for; undefined for anybody
 * @throws GatewayError UNAUTHORIZED; BAD_REQUEST for an answer of another form
 */
export async function usePasskey(
  database: Database,
  party: RelyingParty,
  sent: unknown,
  userId: string | undefined,
  now: Date,
): Promise<UsedPasskey> {
  const response = readPasskeyAnswer<AuthenticationResponseJSON>(sent, 'response');
  const credentialId = Buffer.from(response.id, 'base64url');
  const [known] = await database.query<StoredPasskey>(
    named(
      'passkeys.find',
      sql`SELECT id, user_id AS "userId", public_key AS "publicKey", counter FROM passkeys
        WHERE credential_id = ${credentialId}`,
    ),
  );
  const isRight = known && (userId === undefined || known.userId === userId);
  const { verifyAuthenticationResponse } = await webauthn();
  const accept = acceptChallenge(database, userId ?? null, now);
  const verified = isRight
    ? await verifyAuthenticationResponse({
        ...{ response, expectedChallenge: accept, expectedOrigin: party.origin, expectedRPID: party.id },
        requireUserVerification: false,
        credential: { id: response.id, publicKey: known.publicKey, counter: Number(known.counter) },
      }).catch(() => undefined)
    : undefined;
  if (!isRight || !verified?.verified) throw refusal();
  const { newCounter, userVerified, credentialBackedUp } = verified.authenticationInfo;
  const statement = sql`
    UPDATE passkeys SET counter = ${newCounter}::bigint, last_used_at = ${now}::timestamptz,
      is_backed_up = ${credentialBackedUp}
    WHERE id = ${known.id}::uuid AND (counter < ${newCounter}::bigint OR ${newCounter}::bigint = 0) RETURNING 1`;
  if ((await database.query(named('passkeys.use', statement))).length === 0) throw refusal();
  return { userId: known.userId, isVerified: userVerified };
}
