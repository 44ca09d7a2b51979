import { GatewayError } from '../domain/errors.js';

/** The header with the idempotency key, in lower case (draft-ietf-httpapi-idempotency-key-header). */
export const keyHeader = 'idempotency-key';

/** Headers of a stored answer that is sent again. */
export const replayedHeader = { 'Idempotency-Replayed': 'true' } as const;

/**
 * Checks a key. It is used as it was sent: the quotes that the draft demands become part of it.
 * @throws GatewayError BAD_REQUEST naming the header
 */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new GatewayError(
    'BAD_REQUEST',
    'The header `Idempotency-Key` must have 1 to 255 visible ASCII characters.',
  );
}
