import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import * as z from 'zod';
import { hashToken, randomSecret } from '../../access/tokens.js';
import type { Database } from '../../db/connection/database.js';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/conditions.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, insertRows, updateRows } from '../../db/sql/write.js';
import { checkConfirmed, personOf } from '../../domain/caller.js';
import { badField, GatewayError, unauthorized } from '../../domain/errors.js';
import { check, isUuid, newId, rules } from '../../domain/rules.js';
import { changeFactors } from '../sign-in.js';

/** Loads the library when the first passkey is used. It is large, and the start should not wait for it. */
const webauthn = () => import('@simplewebauthn/server');

/** Milliseconds that people have to use their authenticator. */
const challengeTime = 5 * 60_000;

/** The host that passkeys belong to, which is the one in the gateway's address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns where passkeys belong to.
 * @param origin as browsers see it
 * @param publicUrl decides if it is set: passkeys of another name could not be used
 * @throws GatewayError FORBIDDEN where browsers allow none
 */
export function relyingPartyOf(origin: string, publicUrl: string | undefined): RelyingParty {
  const { hostname, protocol } = new URL(publicUrl ?? origin);
  if (publicUrl !== undefined && new URL(origin).hostname !== hostname) {
    throw new GatewayError('FORBIDDEN', `Passkeys can be used only at ${publicUrl}.`);
  }
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  if (!isSecure || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new GatewayError('FORBIDDEN', 'Passkeys need an address with a host name and https, or localhost.');
  }
  return { id: hostname, origin };
}

/** Creates a challenge, which is accepted once. */
async function makeChallenge(database: Database, userId: string | null, now: Date): Promise<string> {
  const challenge = randomSecret();
  const expiresAt = new Date(now.getTime() + challengeTime);
  // Old challenges are deleted here, because there is one for each visit of the page.
  const statement = sql`
    WITH gone AS (
      DELETE FROM sign_in_challenges WHERE hash IN (
        SELECT hash FROM sign_in_challenges WHERE expires_at <= ${now}::timestamptz
        LIMIT 100 FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO sign_in_challenges (hash, user_id, expires_at)
    VALUES (${hashToken(challenge)}, ${userId}::uuid, ${expiresAt}::timestamptz)`;
  await database.query(prepared('sign_in_challenges.make', statement));
  return challenge;
}

/** Returns the function that accepts a challenge, once, and only for whom it was made. */
const acceptChallenge =
  (database: Database, userId: string | null, now: Date) =>
  async (challenge: string): Promise<boolean> => {
    const statement = sql`
      DELETE FROM sign_in_challenges
      WHERE hash = ${hashToken(challenge)} AND expires_at > ${now}::timestamptz
        AND user_id IS NOT DISTINCT FROM ${userId}::uuid RETURNING 1`;
    return (await database.query(prepared('sign_in_challenges.accept', statement))).length > 0;
  };

const text = z.string().max(20_000);

/** The parts of a browser's answer that are read here. The library checks the rest. */
const answerShape = z.looseObject({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: text }),
});

/** Checks the form of what a browser says of a passkey. */
function readPasskeyAnswer<Response>(sent: unknown, field: string): Response {
  return check(answerShape, sent, [field]) as Response;
}

/** The user who gets a passkey, as authenticators show it. */
export interface PasskeyOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Other passkeys of the user, and whether the new one is the only way in. */
interface Beside {
  readonly known: readonly Pick<RowOf<'Passkey'>, 'credentialId'>[];
  readonly isOnly: boolean;
}

/** Creates what a browser needs to make a passkey. */
export async function askForNewPasskey(
  database: Database,
  party: RelyingParty,
  { id, name, email }: PasskeyOwner,
  { known, isOnly }: Beside,
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  const challenge = await makeChallenge(database, id, now);
  return generateRegistrationOptions({
    ...{ rpName: 'Expiration Gateway', rpID: party.id, userName: email, userDisplayName: name },
    userID: new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex')),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    // Alone, a passkey must be used by its owner.
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: isOnly ? 'required' : 'preferred',
    },
    excludeCredentials: known.map(({ credentialId }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
    })),
  });
}

/** A passkey that a browser has made. */
interface MadePasskey
  extends Pick<RowOf<'Passkey'>, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'> {
  /** True if the authenticator checked who made it, by a PIN or fingerprint. */
  readonly isVerified: boolean;
}

/**
 * Checks the passkey that a browser has made for a user.
 * @param field the name of the browser's answer in the request
 * @throws GatewayError BAD_REQUEST for an answer that is not valid, or comes too late
 */
export async function checkNewPasskey(
  database: Database,
  party: RelyingParty,
  userId: string,
  { sent, field }: { readonly sent: unknown; readonly field: string },
  now: Date,
): Promise<MadePasskey> {
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: readPasskeyAnswer<RegistrationResponseJSON>(sent, field),
    expectedChallenge: acceptChallenge(database, userId, now),
    ...{ expectedOrigin: party.origin, expectedRPID: party.id, requireUserVerification: false },
  }).catch((error: Error) => {
    throw badField([field], `is not valid: ${error.message}`);
  });
  const { registrationInfo } = verified;
  if (!verified.verified || !registrationInfo) throw badField([field], 'is not valid');
  const { credential, credentialBackedUp: isBackedUp, userVerified: isVerified } = registrationInfo;
  return {
    ...{ isBackedUp, isVerified, transports: credential.transports ?? [] },
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
  };
}

/**
 * Stores a passkey of the transaction's organization.
 * @returns its id
 * @throws GatewayError CONFLICT if the passkey is known
 */
export async function storePasskey(
  tx: Transaction,
  userId: string,
  { isVerified: _isVerified, ...passkey }: MadePasskey & { readonly name: string },
  now: Date,
): Promise<string> {
  // Unscoped: a passkey is unique in the whole database, and says nothing of its user.
  const statement = sql`SELECT FROM passkeys WHERE credential_id = ${passkey.credentialId}`;
  const known = await tx.run(prepared('passkeys.exists', statement));
  if (known.length > 0) throw new GatewayError('CONFLICT', 'The passkey is known already.');
  const id = newId();
  const { organizationId } = tx.caller;
  await insertRows(tx, 'Passkey', [{ id, organizationId, userId, created: now, ...passkey }]);
  return id;
}

/** The most passkeys of a user. */
const maxPasskeys = 20;

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
  if (known.length >= maxPasskeys) {
    throw new GatewayError('CONFLICT', `You have ${maxPasskeys} passkeys, which is the most.`);
  }
  return askForNewPasskey(database, partyOf(), personOf(caller), { known, isOnly: false }, now);
}

/** A new passkey. */
interface PasskeyInput {
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
      : await database.query<{ id: Uint8Array; transports: string[] }>(
          prepared('passkeys.of_user', statement),
        );
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
interface UsedPasskey {
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
    prepared(
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
  if ((await database.query(prepared('passkeys.use', statement))).length === 0) throw refusal();
  return { userId: known.userId, isVerified: userVerified };
}
