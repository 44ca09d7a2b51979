import { GatewayError } from '../domain/errors.js';
import { camelCase, snakeCase } from '../domain/text/names.js';

/**
 * Decodes percent-encoded UTF-8 (RFC 3986 §2.5).
 * @returns undefined for a broken percent-encoding, and for bytes that are not UTF-8
 */
export function percentDecoded(text: string): string | undefined {
  try {
    // Return the result, because bundlers drop calls whose result is unused: they assume that this one never
    // fails.
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a query string of percent-encoded UTF-8. The URL standard never fails: it keeps a broken `%zz` and
 * replaces invalid UTF-8 by U+FFFD, so that a search would look for something else.
 * @param search the part after the `?`, as it was sent
 * @throws GatewayError BAD_REQUEST for a broken percent-encoding, and for bytes that are not UTF-8
 */
export function readParameters(search: string): URLSearchParams {
  if (percentDecoded(search) === undefined)
    throw new GatewayError('BAD_REQUEST', 'The parameters must be percent-encoded UTF-8.');
  return new URLSearchParams(search);
}

/** Names that the contract spells irregularly (section 2). */
const oddNames: Record<string, string> = { contentLength: 'content_legth', uploadTags: 'upload_Tags' };
const oddFields = new Map(Object.entries(oddNames).map(([field, member]) => [member, field]));

/** Returns the contract's name of a gateway's field. A name that is already the contract's stays. */
export function memberName(field: string): string {
  return oddNames[field] ?? (oddFields.has(field) ? field : snakeCase(field));
}

/** Returns the gateway's field for a contract's name. */
export function fieldName(member: string): string {
  return oddFields.get(member) ?? camelCase(member);
}

/** The header with the idempotency key, in lower case (draft-ietf-httpapi-idempotency-key-header). */
export const keyHeader = 'idempotency-key';

/** Headers of a stored answer that is sent again. */
export const replayedHeader = { 'Idempotency-Replayed': 'true' } as const;

/** Returns whether a text can be an idempotency key. */
export const isKey = (key: string): boolean => /^[\x21-\x7e]{1,255}$/.test(key);

/**
 * Checks a key. It is used as it was sent: the quotes that the draft demands become part of it.
 * @throws GatewayError BAD_REQUEST naming the header
 */
export function checkKey(key: string): string {
  if (isKey(key)) return key;
  throw new GatewayError(
    'BAD_REQUEST',
    'The header `Idempotency-Key` must have 1 to 255 visible ASCII characters.',
  );
}
