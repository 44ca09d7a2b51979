import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import * as z from 'zod';
import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/columns.js';
import { sql } from '../../db/sql/sql.js';
import { insertRows } from '../../db/sql/write.js';
import { badField, GatewayError } from '../../domain/errors.js';
import { check, newId } from '../../domain/rules.js';
import { acceptChallenge, makeChallenge, type RelyingParty, webauthn } from './relying-party.js';

const text = z.string().max(20_000);

/** The parts of a browser's answer that are read here. The library checks the rest. */
const answerShape = z.looseObject({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: text }),
});

/** Checks the form of what a browser says of a passkey. */
export function readPasskeyAnswer<Response>(sent: unknown, field: string): Response {
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
export interface MadePasskey
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
  const known = await tx.run(named('passkeys.exists', statement));
  if (known.length > 0) throw new GatewayError('CONFLICT', 'The passkey is known already.');
  const id = newId();
  const { organizationId } = tx.caller;
  await insertRows(tx, 'Passkey', [{ id, organizationId, userId, created: now, ...passkey }]);
  return id;
}
