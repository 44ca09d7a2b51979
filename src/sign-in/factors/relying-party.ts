import { isIP } from 'node:net';
import { hashToken, randomSecret } from '../../access/tokens.js';
import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import { sql } from '../../db/sql/sql.js';
import { GatewayError } from '../../domain/errors.js';

/** Loads the library when the first passkey is used. It is large, and the start should not wait for it. */
export const webauthn = () => import('@simplewebauthn/server');

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
export async function makeChallenge(database: Database, userId: string | null, now: Date): Promise<string> {
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
  await database.query(named('sign_in_challenges.make', statement));
  return challenge;
}

/** Returns the function that accepts a challenge, once, and only for whom it was made. */
export const acceptChallenge =
  (database: Database, userId: string | null, now: Date) =>
  async (challenge: string): Promise<boolean> => {
    const statement = sql`
      DELETE FROM sign_in_challenges
      WHERE hash = ${hashToken(challenge)} AND expires_at > ${now}::timestamptz
        AND user_id IS NOT DISTINCT FROM ${userId}::uuid RETURNING 1`;
    return (await database.query(named('sign_in_challenges.accept', statement))).length > 0;
  };
