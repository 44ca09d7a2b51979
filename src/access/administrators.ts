import type { Database } from '../db/connection/database.js';
import type { PrismaTransaction } from '../db/connection/pool.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { raw, sql } from '../db/sql/sql.js';
import { GatewayError } from '../domain/errors.js';
import { revokeToken } from './tokens.js';

/** Condition that the row `person` administers the organization, by role or by token. */
export const administersSql = raw(`
  (person.role = 'ADMIN' OR EXISTS (
    SELECT FROM access_tokens AS token
    WHERE token.user_id = person.id AND token.role = 'ADMIN' AND token.revoked_at IS NULL))`);

/** Tells who administers the organization: a given user, and anybody else. */
interface Administration {
  readonly own: boolean;
  readonly others: boolean;
}

/**
 * Returns whether a user administers the organization, and whether others do. This requires more than the
 * role, because an invited user who has not signed in yet could lose the link. A user without a role
 * administers with an admin token.
 */
async function administrationBy(tx: Transaction, userId: string, now: Date): Promise<Administration> {
  const hasToken = sql`EXISTS (
    SELECT FROM access_tokens AS token
    WHERE token.user_id = users.id AND token.role = 'ADMIN' AND token.signing_secret IS NULL
      AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > ${now})
  )`;
  const isWaitedFor = sql`EXISTS (
    SELECT FROM invitations AS invitation WHERE invitation.user_id = users.id AND invitation.used_at IS NULL
  )`;
  const statement = sql`
    SELECT coalesce(bool_or(id = ${userId}::uuid), false) AS own,
      coalesce(bool_or(id <> ${userId}::uuid), false) AS others
    FROM users
    WHERE organization_id = ${tx.caller.organizationId}::uuid AND is_active AND (
      (role = 'ADMIN' AND (subject IS NOT NULL OR NOT ${isWaitedFor} OR ${hasToken}))
      OR (role IS NULL AND ${hasToken})
    )`;
  const [found] = await tx.run<Administration>(named('users.administration', statement));
  return found ?? { own: false, others: false };
}

/** Serializes changes of rights in the organization. Each sees the result of the one before. */
export async function lockOrganization(tx: Transaction): Promise<void> {
  const id = tx.caller.organizationId;
  const lock = sql`SELECT id FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  await tx.run(named('organizations.lock', lock));
}

/**
 * Changes a user, unless this would leave the organization without an administrator. The organization is
 * locked.
 * @throws GatewayError CONFLICT if the user was the last administrator and would not be one any more
 */
export async function keepingAdministrator<T>(
  tx: Transaction,
  userId: string,
  now: Date,
  change: () => Promise<T>,
): Promise<T> {
  const { own, others } = await administrationBy(tx, userId, now);
  const result = await change();
  if (own && !others && !(await administrationBy(tx, userId, now)).own) {
    const message =
      'The user is the last active admin of the organization; make somebody else an admin first.';
    throw new GatewayError('CONFLICT', message);
  }
  return result;
}

/** SQL condition that an administrator has been set up, who can sign in. */
export const hasAdministrator = `EXISTS (
  SELECT FROM users AS administrator WHERE is_active AND role = 'ADMIN' AND (
    subject IS NOT NULL OR EXISTS (SELECT FROM passwords WHERE user_id = administrator.id)
    OR EXISTS (SELECT FROM passkeys WHERE user_id = administrator.id)))`;

/** Notes which token the first start made by itself. */
export async function noteFirstToken(tx: PrismaTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO first_token (token_id) VALUES (${id}::uuid)
    ON CONFLICT (single) DO UPDATE SET token_id = excluded.token_id`;
}

/**
 * Revokes the random token of the first start once an administrator can sign in. A token that was set or
 * created by somebody is left alone.
 * @returns whether there still is one
 */
export async function endFirstToken(database: Database, now: Date): Promise<boolean> {
  const [first] = await database.query<{ id: string; isOver: boolean }>(
    named('first_token.read', {
      text: `SELECT token_id AS id, ${hasAdministrator} AS "isOver" FROM first_token`,
      values: [],
    }),
  );
  if (!first?.isOver) return first !== undefined;
  await revokeToken(database, first.id, now);
  await database.query(
    named('first_token.end', sql`DELETE FROM first_token WHERE token_id = ${first.id}::uuid`),
  );
  return false;
}
