import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import {
  authenticate,
  authenticateFeed,
  authenticateSession,
  identify,
  type SignedToken,
} from '../../access/callers.js';
import { callerOfLink } from '../../access/file-links.js';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { Secrets } from '../../db/secrets/secrets.js';
import type { Caller } from '../../domain/caller.js';
import type { AskingSettings } from '../../domain/document-requests.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { readPrecondition } from '../../web/etag.js';
import type { Asked } from '../request/request.js';
import type { RequestContext } from '../routing/endpoint.js';
import { type CookieSettings, checkSameOrigin, cookiesAt } from '../session/cookies.js';
import { type Issuer, isJwt } from './issuer.js';

/** The most seconds by which a signature's time may be off, either way. */
const tolerance = 300;

interface SignedHead {
  /** The header `FS-Signature`. */
  readonly signature: string | null;
  /** The header `FS-Timestamp`: seconds since 1970. */
  readonly timestamp: string | null;
}

interface SignedMessage extends SignedHead {
  /** The body, byte for byte as it was sent. */
  readonly body: Uint8Array;
}

/**
 * Checks the headers of a signed message before its body is read.
 * @param now the time of the request
 * @returns the fault; undefined if they can be valid with a matching body
 */
function headProblem({ signature, timestamp }: SignedHead, now: Date): string | undefined {
  if (!signature) return 'The header `FS-Signature` is missing: requests with this token must be signed.';
  if (!timestamp) return 'The header `FS-Timestamp` is missing: requests with this token must be signed.';
  if (!/^\d{1,12}$/.test(timestamp)) return '`FS-Timestamp` must be a time in whole seconds since 1970.';
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > tolerance * 1_000) {
    return `\`FS-Timestamp\` is more than ${tolerance / 60} minutes off.`;
  }
  if (!/^[0-9a-f]{64}$/i.test(signature)) return '`FS-Signature` must be 64 hexadecimal digits.';
  return undefined;
}

/**
 * Checks a message's signature. It is the HMAC-SHA256 of `{FS-Timestamp}.{body}` in hexadecimal digits, as
 * Filestack signs its webhooks. The result never reveals the correct signature.
 * @param now the time of the request
 * @returns the fault; undefined if the signature is valid
 */
export function signatureProblem(secret: string, message: SignedMessage, now: Date): string | undefined {
  const { signature, timestamp, body } = message;
  const problem = headProblem(message, now);
  if (problem !== undefined) return problem;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const holds = timingSafeEqual(Buffer.from(signature ?? '', 'hex'), expected);
  return holds ? undefined : '`FS-Signature` is not the signature of this body and timestamp.';
}

/** Opens the session of a request, or rejects. */
export type Authenticate = (request: Asked, exchange: RequestContext) => Promise<Session>;

/**
 * Reads the bearer token of an `Authorization` header.
 * @throws GatewayError UNAUTHORIZED if there is none
 */
export function bearerToken(sent: string | null): string {
  if (sent === null) throw unauthorized('Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.');
  const match = /^Bearer +([\w\-.~+/]+=*) *$/i.exec(sent);
  if (!match?.[1]) throw unauthorized('`Authorization` must be `Bearer <ACCESS_TOKEN>`.', 'invalid_request');
  return match[1];
}

/**
 * Checks the signature of a request with a signed token. Its head is checked first, then its body is read.
 *
 * A signed token is only for the bulk scan receiver. A signature covers the body but not the address it is
 * sent to, so elsewhere it could be replayed for something that its sender never asked for.
 * @throws GatewayError FORBIDDEN elsewhere; UNAUTHORIZED for an invalid signature
 */
async function checkSigned(
  { id, sealedSecret }: SignedToken,
  { header }: Asked,
  { readSigned }: RequestContext,
  secrets: Secrets,
  now: Date,
): Promise<void> {
  if (!readSigned) {
    throw new GatewayError('FORBIDDEN', 'A signed token can be used only for POST /v1/bulkscan/receive.');
  }
  const head = { signature: header('fs-signature'), timestamp: header('fs-timestamp') };
  const early = headProblem(head, now);
  if (early !== undefined) throw unauthorized(early);
  const secret = await secrets.open(sealedSecret, id);
  const problem = signatureProblem(secret, { ...head, body: await readSigned(id) }, now);
  if (problem !== undefined) throw unauthorized(problem);
}

/**
 * Stands in for the session of a request that was not authenticated.
 * @throws GatewayError UNAUTHORIZED always; the endpoint should have been declared to need a token
 */
export function noSession(): never {
  throw unauthorized('No access token was sent.');
}

/** Creates the answer for a calendar feed that never was, or is gone. */
export const noFeed = () => new GatewayError('NOT_FOUND', 'There is no calendar at this address.');

interface AuthenticatorOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  /** Days for which the bin keeps deleted records. */
  readonly binDays?: number;
  readonly asking?: AskingSettings;
  /** Returns whether mails with links to the gateway can be sent. */
  readonly sendsMail?: () => Promise<boolean>;
  /** The OpenID Connect issuer whose tokens are accepted besides our own. */
  readonly issuer: Issuer | undefined;
  readonly cookies: CookieSettings;
  readonly log: Logger;
}

/** The sender of a request, and what it was recognized by. */
interface Sender {
  readonly caller: Caller;
  /** The text of the token, or of the session's cookie. */
  readonly bearer?: string;
}

/**
 * Returns the session's secret of a request without a token; undefined if it has none.
 * @throws GatewayError FORBIDDEN if another site sent the request
 */
function sentSession(request: Asked, exchange: RequestContext, settings: CookieSettings): string | undefined {
  const { header } = request;
  if (header('authorization') !== null || header('cookie') === null) return undefined;
  const cookies = cookiesAt(exchange.origin(), settings);
  const secret = cookies?.read(header, 'session');
  if (!cookies || secret === undefined) return undefined;
  checkSameOrigin(request, cookies.origin, exchange.place.door === 'attachment');
  return secret;
}

/**
 * Creates the function that opens sessions. It rejects with GatewayError UNAUTHORIZED if the request has no
 * valid token or cookie, or has a signed token but no signature; FORBIDDEN if a signed token is sent anywhere
 * but to the receiver, an issuer's token grants no role, or another site sent a cookie; UNAVAILABLE if an
 * issuer's keys are needed but cannot be fetched; NOT_FOUND for an unknown calendar feed.
 */
export function createAuthenticator({
  database,
  clock,
  secrets,
  binDays,
  asking,
  sendsMail,
  issuer,
  cookies,
  log,
}: AuthenticatorOptions): Authenticate {
  async function findCaller(token: string, now: Date, request: Asked, exchange: RequestContext) {
    if (issuer && isJwt(token)) {
      return identify(database, await issuer.verify(token, now, exchange.resource), (userId) =>
        log.info({ id: exchange.id, userId }, 'A user was linked to a subject of the issuer'),
      );
    }
    return authenticate(database, token, now, {
      verifySignature: (signed) => checkSigned(signed, request, exchange, secrets, now),
    });
  }
  const invalid = () => unauthorized('The access token is unknown, expired or revoked.', 'invalid_token');
  async function findSender(request: Asked, exchange: RequestContext, now: Date): Promise<Sender> {
    const { link, feed } = exchange;
    if (feed !== undefined) {
      const caller = await authenticateFeed(database, feed, now);
      if (!caller) throw noFeed();
      return { caller };
    }
    if (link) {
      const caller = await callerOfLink(database, secrets, link, now);
      if (!caller) throw invalid();
      return { caller };
    }
    const secret = sentSession(request, exchange, cookies);
    if (secret !== undefined) {
      const caller = await authenticateSession(database, secret, now);
      if (!caller) throw unauthorized('The session has ended. Sign in again.', 'invalid_token');
      return { caller, bearer: secret };
    }
    const bearer = bearerToken(request.header('authorization'));
    const caller = await findCaller(bearer, now, request, exchange);
    if (!caller) throw invalid();
    return { caller, bearer };
  }
  return async (request, exchange) => {
    const now = clock();
    const { caller, bearer } = await findSender(request, exchange, now);
    const precondition = readPrecondition(request);
    const about = { caller, now, precondition, secrets, binDays, asking, sendsMail };
    const options = { ...about, ...(bearer !== undefined && { bearer }) };
    exchange.session = new Session(database, options);
    exchange.memory.caller = caller.tokenId;
    // Safe methods change nothing (RFC 9110 §9.2.1). A POST may be a query, too: see graphql.ts.
    if (request.method === 'GET' || request.method === 'HEAD') exchange.session.readFromReplica();
    return exchange.session;
  };
}
