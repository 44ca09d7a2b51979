import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../access/tokens.js';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { Secrets } from '../../db/secrets/secrets.js';
import { readRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, insertRows } from '../../db/sql/write.js';
import { checkConfirmed, personOf } from '../../domain/caller.js';
import { badField, GatewayError } from '../../domain/errors.js';
import type { SignInContext } from '../sessions.js';
import { changeFactors } from '../sign-in.js';

/** The number of a user's codes, and characters of each. With 49 bits, a plain hash suffices. */
const [count, length] = [10, 10] as const;

/** Letters and digits that nobody mistakes for another. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';

const makeCode = () =>
  Array.from({ length }, () => characters[randomInt(characters.length)])
    .join('')
    .replace(/.{5}(?=.)/, '$&-');

/** Hashes a code of a user. Case, spaces and hyphens do not matter when people type it. */
const hashOf = (userId: string, code: string) =>
  hashToken(`${userId} ${code.toLowerCase().replace(/[\s-]/g, '')}`);

/** Replaces a user's recovery codes. @returns the new ones, which are shown only now */
async function makeRecoveryCodes(tx: Transaction, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: count }, makeCode);
  await deleteRows(tx, 'RecoveryCode', { userId });
  const { organizationId } = tx.caller;
  const rows = codes.map((code) => ({ userId, organizationId, hash: hashOf(userId, code), created: now }));
  await insertRows(tx, 'RecoveryCode', rows);
  return codes;
}

/** Accepts a recovery code of a user, once. */
export async function acceptRecoveryCode(
  tx: Transaction,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const statement = sql`
    UPDATE recovery_codes SET used_at = ${now}::timestamptz
    WHERE user_id = ${userId}::uuid AND hash = ${hashOf(userId, code)} AND used_at IS NULL
      AND organization_id = ${tx.caller.organizationId}::uuid RETURNING 1`;
  return (await tx.run(prepared('recovery_codes.accept', statement))).length > 0;
}

/**
 * Replaces the caller's recovery codes.
 * @returns the new codes, and the new secret of the caller's session
 * @throws GatewayError FORBIDDEN if who is asking must be confirmed first; CONFLICT without a second factor
 */
export function createRecoveryCodes(session: Session, renews: boolean) {
  checkConfirmed(session);
  const { id } = personOf(session.caller);
  return changeFactors(session, 'made new recovery codes', renews, async (tx) => {
    const statement = sql`
      SELECT FROM totp_secrets WHERE user_id = ${id}::uuid AND confirmed_at IS NOT NULL
      UNION ALL SELECT FROM passkeys WHERE user_id = ${id}::uuid LIMIT 1`;
    const found = await tx.run(prepared('sign_in.has_factor', statement));
    if (found.length === 0) {
      throw new GatewayError('CONFLICT', 'Set up an authenticator app or a passkey first.');
    }
    return makeRecoveryCodes(tx, id, session.now);
  });
}

/** Seconds of a time step, and digits of a code, as apps expect (RFC 6238). */
const [stepSeconds, digits] = [30, 6] as const;

/** Bytes of a secret: as many as SHA-1 returns (RFC 4226 section 4). */
const secretLength = 20;

/** Steps whose codes are accepted, from the current one, because clocks differ. */
const acceptedSteps = [0, -1, 1];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in base32 without padding (RFC 4648 section 6), as authenticator apps expect. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** Returns the code of a time step (RFC 4226 section 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** Returns the time step whose code was sent; undefined if it is no current code. */
export function stepOf(secret: Uint8Array, code: string, now: Date): number | undefined {
  const sent = Buffer.from(code.replace(/\s/g, ''));
  const current = Math.floor(now.getTime() / 1_000 / stepSeconds);
  return acceptedSteps
    .map((offset) => current + offset)
    .find((step) => {
      const right = Buffer.from(codeOf(secret, step));
      return right.length === sent.length && timingSafeEqual(right, sent);
    });
}

/** Returns what the secret of a user's authenticator app is encrypted for. */
export const totpOwner = (userId: string) => `authenticator app ${userId}`;

/** Reads the secret of a user's authenticator app. */
async function readSecret(tx: Transaction, secrets: Pick<Secrets, 'open'>, userId: string) {
  const [row] = await readRows(tx, 'TotpSecret', { where: { userId } });
  if (!row) return undefined;
  return { ...row, secret: Buffer.from(await secrets.open(row.sealed, totpOwner(userId)), 'base64') };
}

/**
 * Accepts a code of a user's authenticator app. No code is accepted twice, not even by two requests at once.
 * @param isFirst true for the code that sets the app up
 */
export async function acceptTotp(
  tx: Transaction,
  { secrets }: Pick<SignInContext, 'secrets'>,
  userId: string,
  code: string,
  now: Date,
  isFirst = false,
): Promise<boolean> {
  const stored = await readSecret(tx, secrets, userId);
  if (!stored || (stored.confirmedAt === null) !== isFirst) return false;
  const step = stepOf(stored.secret, code, now);
  if (step === undefined) return false;
  const statement = sql`
    UPDATE totp_secrets SET last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${now}::timestamptz)
    WHERE user_id = ${userId}::uuid AND organization_id = ${tx.caller.organizationId}::uuid
      AND last_step < ${step} RETURNING 1`;
  return (await tx.run(prepared('totp_secrets.accept', statement))).length > 0;
}

/** A new secret for an authenticator app. */
export interface NewTotp {
  /** In base32, to type. */
  readonly secret: string;
  /** The same as an address for apps, usually shown as a QR code. */
  readonly uri: string;
}

/**
 * Creates the secret of an authenticator app. It is no second factor until a code is confirmed.
 * @throws GatewayError FORBIDDEN if who is asking must be confirmed first; CONFLICT if an app is set up
 */
export async function beginTotp(context: SignInContext, session: Session): Promise<NewTotp> {
  checkConfirmed(session);
  const { id, email } = personOf(session.caller);
  const bytes = randomBytes(secretLength);
  const sealed = Buffer.from(await context.secrets.seal(bytes.toString('base64'), totpOwner(id)));
  await session.inTransaction(async (tx) => {
    const statement = sql`
      INSERT INTO totp_secrets (user_id, organization_id, sealed, created)
      VALUES (${id}::uuid, ${tx.caller.organizationId}::uuid, ${sealed}, ${session.now}::timestamptz)
      ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, created = excluded.created, last_step = 0
      WHERE totp_secrets.confirmed_at IS NULL RETURNING 1`;
    if ((await tx.run(prepared('totp_secrets.begin', statement))).length > 0) return;
    throw new GatewayError('CONFLICT', 'An authenticator app is set up. Remove it first.');
  });
  const secret = base32(bytes);
  const query = `secret=${secret}&issuer=Expiration%20Gateway`;
  return { secret, uri: `otpauth://totp/Expiration%20Gateway:${encodeURIComponent(email)}?${query}` };
}

/**
 * Sets up the authenticator app with its first code, and replaces the recovery codes.
 * @returns the recovery codes, which are shown only now, and the new secret of the caller's session
 * @throws GatewayError BAD_REQUEST for a wrong code; FORBIDDEN like `beginTotp`
 */
export async function confirmTotp(context: SignInContext, session: Session, code: string, renews: boolean) {
  checkConfirmed(session);
  const { id } = personOf(session.caller);
  const setUp = async (tx: Transaction) => {
    if (!(await acceptTotp(tx, context, id, code, session.now, true)))
      throw badField(['code'], 'is not the code that the app shows now');
    return makeRecoveryCodes(tx, id, session.now);
  };
  return changeFactors(session, 'set up an authenticator app', renews, setUp, true);
}

/**
 * Removes the caller's authenticator app, and the recovery codes with it.
 * @returns false if there is none; and the new secret of the caller's session
 * @throws GatewayError FORBIDDEN if who is asking must be confirmed first
 */
export function removeTotp(session: Session, renews: boolean) {
  checkConfirmed(session);
  const { id: userId } = personOf(session.caller);
  return changeFactors(session, 'removed the authenticator app', renews, async (tx) => {
    const removed = await deleteRows(tx, 'TotpSecret', { userId });
    if (removed > 0) await deleteRows(tx, 'RecoveryCode', { userId });
    return removed > 0;
  });
}
