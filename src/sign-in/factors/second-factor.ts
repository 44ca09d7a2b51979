import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import type { Account } from '../accounts.js';

/** Ways to prove a second factor. */
export const secondFactors = ['totp', 'passkey', 'recovery'] as const;

export type SecondFactor = (typeof secondFactors)[number];

/**
 * Lists the ways to prove a second factor; empty if none is needed. It is needed once an
 * authenticator app is set up; a passkey replaces the app only where the organization requires a second
 * factor. Who has not set up any can sign in without one, and is asked to.
 */
export async function neededFactors(
  tx: Transaction,
  { id, secondFactorRequired }: Pick<Account, 'id' | 'secondFactorRequired'>,
): Promise<SecondFactor[]> {
  const statement = sql`
    SELECT
      EXISTS (SELECT FROM totp_secrets WHERE user_id = ${id}::uuid AND confirmed_at IS NOT NULL) AS totp,
      EXISTS (SELECT FROM passkeys WHERE user_id = ${id}::uuid) AS passkey,
      EXISTS (SELECT FROM recovery_codes WHERE user_id = ${id}::uuid AND used_at IS NULL) AS recovery`;
  const [has] = await tx.run<Record<SecondFactor, boolean>>(named('sign_in.factors', statement));
  if (!has || !(has.totp || (secondFactorRequired && has.passkey))) return [];
  return secondFactors.filter((factor) => has[factor]);
}
