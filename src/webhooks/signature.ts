import { createHmac, randomBytes } from 'node:crypto';

/** Beginning of each secret, by which people and scanners recognize it (Standard Webhooks 1.0). */
const prefix = 'whsec_';

/** Creates a random secret. */
export const makeSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** Returns the header `webhook-id` of a message. It has no dot, because dots separate what is signed. */
export const messageIdOf = (id: string) => `msg_${id}`;

/** A message as it is signed and sent. */
export interface OutgoingMessage {
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
