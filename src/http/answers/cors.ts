import type { IncomingMessage, ServerResponse } from 'node:http';

const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Error-Code',
  'X-Request-Id',
].join(', ');
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which browsers cache a preflight; the longest that any of them accepts. */
const preflightMaxAgeSeconds = 86_400;

/**
 * Creates the CORS handler: pages of the given origins may read responses (Fetch standard §3.2).
 * @returns a function that sets the headers of an answer; it returns true if it has answered the request,
 *   which was a preflight
 */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  return ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
    if (allowed.size === 0) return false;
    // Caches must not serve one origin's answer to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.setHeader('Access-Control-Allow-Methods', allowedMethods);
    const asked = headers['access-control-request-headers'];
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
    response.setHeader('Access-Control-Max-Age', preflightMaxAgeSeconds);
    response.writeHead(204).end();
    return true;
  };
}
