import { randomInt } from 'node:crypto';
import { hashToken } from '../../access/tokens.js';
import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows, insertRows } from '../../db/sql/write.js';
import { personOf } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { checkConfirmed } from '../../domain/sign-in.js';
import { changeFactors } from './confirm.js';

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
export async function makeRecoveryCodes(tx: Transaction, userId: string, now: Date): Promise<string[]> {
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
  return (await tx.run(named('recovery_codes.accept', statement))).length > 0;
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
    const found = await tx.run(named('sign_in.has_factor', statement));
    if (found.length === 0) {
      throw new GatewayError('CONFLICT', 'Set up an authenticator app or a passkey first.');
    }
    return makeRecoveryCodes(tx, id, session.now);
  });
}
