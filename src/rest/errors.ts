import { Response } from '@whatwg-node/fetch';
import { GatewayError, messageOf } from '../domain/errors.js';
import { memberName } from './names.js';

/**
 * An error as the contract writes it (section 7): `{message, ok, code}`. A 304 has no body (RFC 9110 §15.4.5), so
 * its code travels in a header.
 */
export function errorResponse(error: GatewayError): Response {
  const { headers } = error;
  if (error.status === 304) {
    return new Response(null, { status: 304, headers: { ...headers, 'X-Error-Code': error.code } });
  }
  // The contract's lists have no `filter` around their parameters.
  const path = error.fieldPath[0] === 'filter' ? error.fieldPath.slice(1) : error.fieldPath;
  const message = messageOf(new GatewayError(error.code, error.message, { path }), memberName);
  return new Response(JSON.stringify({ message, ok: false, code: error.code }), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}
