import { GatewayError, unauthorized } from './errors.js';
import { type Role, roles } from './roles.js';
import { limits } from './rules.js';
import { isEmail, readUrl } from './text/formats.js';
import { isStorable } from './text/json.js';

/** Claims of an OpenID Connect token about its bearer. */
export interface Identity {
  readonly issuer: string;
  /** The bearer's id at the issuer, which is never reassigned. */
  readonly subject: string;
  /** The bearer's e-mail address, unless the issuer has not verified it. */
  readonly email: string | null;
  /** True if the issuer says that it has verified the address. */
  readonly isEmailVerified: boolean;
  /** Null if the token states none. */
  readonly role: Role | null;
  /** Ids or names of workspaces; null if the token states none. */
  readonly teams: readonly string[] | null;
  /** The client that got the token: `azp`, or `client_id` (RFC 9068). Null if it names none. */
  readonly client: string | null;
  /** True if the token is for other receivers, too. */
  readonly hasOtherAudiences: boolean;
  /** Time at which the issuer made the token (`iat`); null if it does not say. */
  readonly issuedAt: Date | null;
  /** Expiry of the token (`exp`). */
  readonly expiresAt: Date;
}

/** The claims that contain the role and the workspaces. Undefined ones are not read. */
export interface ClaimNames {
  readonly role?: string | undefined;
  readonly teams?: string | undefined;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads a claim by its name or path, such as `realm_access.roles`. A name that itself contains dots, such as
 * `https://example.com/roles`, takes precedence.
 */
function readClaim(claims: Claims, name: string | undefined): unknown {
  if (name === undefined) return undefined;
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Claims)[step];
  }, claims);
}

/** Reads a claim with one or several texts; null if the token has none. */
function readTexts(claims: Claims, name: string | undefined): string[] | null {
  const value = readClaim(claims, name) ?? null;
  return value === null ? null : [value].flat().filter((text) => typeof text === 'string');
}

/**
 * Reads the strongest role of a claim; fails closed. If the issuer names only unknown roles, the user's own
 * role must not be used instead.
 */
function readRole(claims: Claims, name: string | undefined): Role | null {
  const named = readTexts(claims, name)?.map((text) => text.toUpperCase());
  if (!named) return null;
  const strongest = roles.find((role) => named.includes(role));
  if (strongest) return strongest;
  const known = roles.join(', ').toLowerCase();
  throw new GatewayError(
    'FORBIDDEN',
    `The token's claim ${JSON.stringify(name)} contains none of the roles ${known}.`,
  );
}

/** Returns whether a claim is true, also as a text. */
const isTrue = (claim: unknown) => String(claim).toLowerCase() === 'true';

/**
 * Reads a verified e-mail address from the claims, else null. Some issuers write `email_verified` as text; if
 * it is missing, addresses are the issuer's own.
 */
function readVerifiedEmail({ email, email_verified: verified }: Claims): string | null {
  if (typeof email !== 'string' || !isTrue(verified ?? true)) return null;
  return email.length <= limits.line && isEmail(email) ? email : null;
}

/** Checks that a text can be a subject: OpenID Connect Core §2 allows 255 characters. */
export function isSubject(text: unknown): text is string {
  return typeof text === 'string' && /^[^\p{C}]{1,255}$/u.test(text);
}

/**
 * Reads the claims of a token whose signature, issuer and times have been checked.
 * @throws GatewayError UNAUTHORIZED without a valid subject (OpenID Connect Core §2); FORBIDDEN for a role
 *   claim without any of our roles
 */
export function readIdentity(claims: Claims, names: ClaimNames): Identity {
  const { iss, sub, aud, iat, exp } = claims;
  const client = claims.azp ?? claims.client_id;
  if (!isSubject(sub)) {
    throw unauthorized('The access token has no subject of 1 to 255 characters.', 'invalid_token');
  }
  return {
    issuer: String(iss),
    subject: sub,
    email: readVerifiedEmail(claims),
    isEmailVerified: isTrue(claims.email_verified),
    role: readRole(claims, names.role),
    teams: readTexts(claims, names.teams)?.filter((text) => isStorable(text, 0)) ?? null,
    client: typeof client === 'string' ? client : null,
    hasOtherAudiences: Array.isArray(aud) && aud.length > 1,
    issuedAt: typeof iat === 'number' ? new Date(iat * 1000) : null,
    expiresAt: new Date(Number(exp) * 1000),
  };
}

/** Checks that a URL is https, or http on this machine. Secrets and keys are sent to no others. */
export function isTrustworthyUrl(text: string): boolean {
  const { protocol, hostname = '' } = readUrl(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
}
