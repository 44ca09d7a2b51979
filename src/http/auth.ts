import { authenticate } from '../data/authenticate.js';
import type { Database } from '../data/client.js';
import { openSession, type Session } from '../data/scope.js';
import { GatewayError } from '../domain/errors.js';
import { preconditionOf } from '../rest/etag.js';
import type { Exchange } from './exchange.js';
import type { ReadHeader } from './request.js';

/** Opens the session of a request, or rejects. */
export type Authenticate = (header: ReadHeader, exchange: Exchange) => Promise<Session>;

/** The 401 of RFC 6750 §3: the header names the scheme, and the problem only when a token was sent. */
function unauthorized(message: string, problem?: string): GatewayError {
  const challenge = problem === undefined ? 'Bearer' : `Bearer error="${problem}"`;
  return new GatewayError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': challenge } });
}

function bearerToken(sent: string | null): string {
  if (sent === null) throw unauthorized('Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.');
  const match = /^Bearer +([\w\-.~+/]+=*) *$/i.exec(sent);
  if (!match?.[1]) throw unauthorized('`Authorization` must be `Bearer <ACCESS_TOKEN>`.', 'invalid_request');
  return match[1];
}

/**
 * Makes the function that opens sessions.
 * It rejects with GatewayError UNAUTHORIZED when the request has no token that is valid now.
 */
export function createAuthenticator(database: Database, clock: () => Date): Authenticate {
  return async (header, exchange) => {
    const token = bearerToken(header('authorization'));
    const now = clock();
    const caller = await authenticate(database, token, now);
    if (!caller) throw unauthorized('The access token is unknown, expired or revoked.', 'invalid_token');
    const precondition = preconditionOf(header('if-match'));
    exchange.session = openSession(database.prisma, { caller, now, precondition });
    return exchange.session;
  };
}
