import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { insertRows } from '../db/sql/write.js';
import { newId } from '../domain/rules.js';

/** A header that an administrator adds to the messages of an endpoint. */
export interface OwnHeader {
  readonly name: string;
  readonly value: string;
}

/** The most headers of an endpoint. */
const maxHeaders = 5;

/** Headers that the gateway sets itself, or that would change how a request is sent. */
const reserved =
  /^(webhook-.*|content-.*|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|user-agent|accept-encoding|cookie)$/i;

/** Rule of the headers of an endpoint. */
export const headerRules = z
  .array(
    z.object({
      name: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be the name of an HTTP header')
        .refine((name) => !reserved.test(name), 'is set by the gateway'),
      value: z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'must have at most 1000 printable ASCII characters'),
    }),
  )
  .max(maxHeaders, `must have at most ${maxHeaders} entries`)
  .refine(
    (headers) => new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length,
    'must name each header once',
  );

/** Returns what the further headers of an endpoint are encrypted for. */
export const webhookHeadersOwner = (endpointId: string) => `webhook headers ${endpointId}`;

/** Encrypts the headers of an endpoint. Without any, there is nothing to store. */
export const sealHeaders = async (
  secrets: Pick<Secrets, 'seal'> | undefined,
  endpointId: string,
  headers: readonly OwnHeader[],
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (headers.length === 0) return null;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  return secrets.seal(JSON.stringify(headers), webhookHeadersOwner(endpointId));
};

/** Decrypts the headers of an endpoint, as an object. */
export async function openHeaders(
  secrets: Pick<Secrets, 'open'>,
  { id, sealedHeaders }: { readonly id: string; readonly sealedHeaders: Uint8Array | null },
): Promise<Record<string, string>> {
  if (!sealedHeaders) return {};
  const headers: OwnHeader[] = JSON.parse(await secrets.open(sealedHeaders, webhookHeadersOwner(id)));
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** Beginning of each secret, by which people and scanners recognize it (Standard Webhooks 1.0). */
const prefix = 'whsec_';

/** Creates a random secret. */
const makeSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** Returns the header `webhook-id` of a message. It has no dot, because dots separate what is signed. */
export const messageIdOf = (id: string) => `msg_${id}`;

/** A message as it is signed and sent. */
interface OutgoingMessage {
  readonly id: string;
  /** Time of the attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * Returns the headers of a message by Standard Webhooks 1.0.
 * @param secrets the newest first; a receiver accepts a message if any of its signatures is right
 */
export function signatureHeaders(
  { id, at, body }: OutgoingMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

/** The most secrets of an endpoint that sign at once. */
const maxSecrets = 5;

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
          ORDER BY created DESC, id DESC OFFSET ${maxSecrets - 1}))
      RETURNING id
    )
    UPDATE webhook_secrets SET expires_at = ${expiresAt}::timestamptz
    WHERE organization_id = ${organizationId}::uuid AND endpoint_id = ${endpointId}::uuid AND expires_at IS NULL
      AND id NOT IN (SELECT id FROM gone)`;
  await tx.run(prepared('webhook_secrets.expire', statement));
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
    ORDER BY created DESC, id DESC LIMIT ${maxSecrets}`;
}

/** Decrypts secrets. */
export function openSecrets(
  secrets: Pick<Secrets, 'open'>,
  sealed: readonly SealedSecret[],
): Promise<string[]> {
  return Promise.all(sealed.map((secret) => secrets.open(secret.sealed, webhookSecretOwner(secret.id))));
}
