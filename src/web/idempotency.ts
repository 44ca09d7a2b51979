import { GatewayError } from '../domain/errors.js';

/** The header that names a request, in lower case (draft-ietf-httpapi-idempotency-key-header). */
export const keyHeader = 'idempotency-key';

/** Headers of an answer that was stored and is sent again. */
export const replayedHeader = { 'Idempotency-Replayed': 'true' } as const;

/**
 * Checks a key. It is taken as it was sent: quotes, which the draft has around it, are a part of it.
 * @throws GatewayError BAD_REQUEST naming the header
 */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new GatewayError(
    'BAD_REQUEST',
    'The header `Idempotency-Key` must have 1 to 255 visible ASCII characters.',
  );
}
