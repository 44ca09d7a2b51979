import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { insertRows } from '../db/sql/write.js';
import { newId } from '../domain/rules.js';
import { makeSecret } from './signature.js';

/** The most secrets of an endpoint that sign at once. */
export const mostSecrets = 5;

/** Returns what a secret of an endpoint is encrypted for. */
export const webhookSecretOwner = (id: string) => `webhook secret ${id}`;

/** Creates the current secret of an endpoint, and returns its text. */
export async function addSecret(tx: Transaction, session: Session, endpointId: string): Promise<string> {
  const { secrets, now, caller } = session;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  const [id, secret] = [newId(), makeSecret()];
  const sealed = await secrets.seal(secret, webhookSecretOwner(id));
  const { organizationId } = caller;
  await insertRows(tx, 'WebhookSecret', [{ id, organizationId, endpointId, sealed, created: now }]);
  return secret;
}

/**
 * Lets the current secrets of an endpoint expire. Those that have expired are deleted, and so are the oldest
 * beyond the limit.
 */
export async function expireSecrets(
  tx: Transaction,
  endpointId: string,
  expiresAt: Date,
  now: Date,
): Promise<void> {
  const { organizationId } = tx.caller;
  const statement = sql`
    WITH gone AS (
      DELETE FROM webhook_secrets WHERE organization_id = ${organizationId}::uuid
        AND endpoint_id = ${endpointId}::uuid AND (expires_at <= ${now}::timestamptz OR id IN (
          SELECT id FROM webhook_secrets WHERE endpoint_id = ${endpointId}::uuid
          ORDER BY created DESC, id DESC OFFSET ${mostSecrets - 1}))
      RETURNING id
    )
    UPDATE webhook_secrets SET expires_at = ${expiresAt}::timestamptz
    WHERE organization_id = ${organizationId}::uuid AND endpoint_id = ${endpointId}::uuid AND expires_at IS NULL
      AND id NOT IN (SELECT id FROM gone)`;
  await tx.run(named('webhook_secrets.expire', statement));
}

/** A secret as it is stored. */
export interface SealedSecret {
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** Returns the statement that reads the secrets that sign now, the newest first. */
export function liveSecretsSql(endpointId: string, now: Date): Sql {
  return sql`
    SELECT id, sealed FROM webhook_secrets
    WHERE endpoint_id = ${endpointId}::uuid AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
    ORDER BY created DESC, id DESC LIMIT ${mostSecrets}`;
}

/** Decrypts secrets. */
export function openSecrets(
  secrets: Pick<Secrets, 'open'>,
  sealed: readonly SealedSecret[],
): Promise<string[]> {
  return Promise.all(sealed.map((secret) => secrets.open(secret.sealed, webhookSecretOwner(secret.id))));
}
