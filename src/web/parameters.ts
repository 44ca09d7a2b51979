import { GatewayError } from '../domain/errors.js';

/**
 * Decodes percent-encoded UTF-8 (RFC 3986 §2.5).
 * @returns undefined for a broken percent-encoding, and for bytes that are not UTF-8
 */
export function percentDecoded(text: string): string | undefined {
  try {
    // Returned, as bundlers take out a call whose result nobody uses: to them it never fails.
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a query string, percent-encoded UTF-8. The URL standard never fails: it leaves a broken `%zz` as it is and puts
 * U+FFFD in place of what is not UTF-8, so that a search would look for something else.
 * @param search what follows the `?`, as it was sent
 * @throws GatewayError BAD_REQUEST for a broken percent-encoding, and for bytes that are not UTF-8
 */
export function readParameters(search: string): URLSearchParams {
  if (percentDecoded(search) === undefined)
    throw new GatewayError('BAD_REQUEST', 'The parameters must be percent-encoded UTF-8.');
  return new URLSearchParams(search);
}
