import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { sql } from '../db/sql/sql.js';
import { personOf } from '../domain/caller.js';
import type { SignInWay } from '../domain/sign-in.js';
import type { SignInContext } from './context.js';

/** The ways in which the caller can sign in. */
export interface SignInMethods {
  /** Time of the password's last change; null if there is none. */
  readonly passwordChangedAt: Date | null;
  /** True if an authenticator app is set up. */
  readonly totp: boolean;
  readonly recoveryCodesLeft: number;
  /** The issuer at which the caller signs in, if any. */
  readonly issuer: string | null;
  /** Ways that the organization allows. */
  readonly ways: readonly SignInWay[];
}

/** Reads how the caller can sign in. */
export async function readMethods(context: SignInContext, session: Session): Promise<SignInMethods> {
  const { caller } = session;
  const statement = sql`
    SELECT users.issuer, organizations.sign_in_ways::text[] AS ways,
      (SELECT changed_at FROM passwords WHERE user_id = users.id) AS "passwordChangedAt",
      EXISTS (SELECT FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS totp,
      (SELECT count(*)::int FROM recovery_codes WHERE user_id = users.id AND used_at IS NULL)
        AS "recoveryCodesLeft"
    FROM users JOIN organizations ON organizations.id = users.organization_id
    WHERE users.id = ${personOf(caller).id}::uuid AND users.organization_id = ${caller.organizationId}::uuid`;
  const [found] = await session.read<SignInMethods>(named('sign_in.methods', statement));
  if (!found) throw new Error("The caller's user is gone.");
  return { ...found, ways: found.ways.filter((way) => context.ways.includes(way)) };
}
