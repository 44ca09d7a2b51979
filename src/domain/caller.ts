import { GatewayError, unauthorized } from './errors.js';
import { limits } from './rules.js';
import { isEmail, readUrl } from './text/formats.js';
import { isStorable } from './text/json.js';

/** Roles of access tokens, strongest first. */
export const roles = ['ADMIN', 'MEMBER', 'VIEWER', 'UPLOADER'] as const;
export type Role = (typeof roles)[number];

/** A right that an operation requires. */
export type Right = 'read' | 'write' | 'administer' | 'upload';

const rights: Record<Role, readonly Right[]> = {
  ADMIN: ['read', 'write', 'administer', 'upload'],
  MEMBER: ['read', 'write', 'upload'],
  VIEWER: ['read'],
  UPLOADER: ['upload'],
};

/** Rights that operations require, weakest first. */
export const allRights = ['read', 'upload', 'write', 'administer'] as const satisfies readonly Right[];

/** Checks that a role includes a right. */
export function may(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

/**
 * Returns the strongest role within two others. It limits a token by its user's role.
 * @returns null if they have no right in common: a viewer's token cannot be an uploader's
 */
export function commonRole(one: Role, other: Role): Role | null {
  const isWithin = (role: Role, outer: Role) => rights[role].every((right) => may(outer, right));
  return roles.find((role) => isWithin(role, one) && isWithin(role, other)) ?? null;
}

/** Creates the 403 for what a role does not allow. */
export function forbidden(role: Role): GatewayError {
  return new GatewayError('FORBIDDEN', `A token with the role ${role} may not do this.`);
}

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

/** Replication progress that a replica must have reached for a caller's reads. */
interface ReplicationProgress {
  /** Time of the user's last write, by the clocks of the gateways. */
  readonly lastWrite: Date | null;
  /** The primary's log position when the caller was looked up. Everything answered earlier lies below it. */
  readonly position: bigint;
}

/** A person who sends requests. */
interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Default workspace, for records that name none. */
  readonly teamId: string;
}

/** Stands for the person where the gateway itself acts. */
interface Nobody {
  readonly id: null;
  readonly name: null;
  readonly email: null;
  readonly teamId: string;
}

/** The session of a browser. */
interface SignIn {
  /** Time at which its user last proved who they are. */
  readonly confirmedAt: Date;
  /**
   * The workspaces that its user reaches with a second factor. Set while the organization requires one that
   * the session does not have; such a caller may only set one up.
   */
  readonly without?: readonly string[];
}

/** Sender of a request: the user behind the token, and the rights of both. */
export interface Caller {
  /**
   * Identifies the token, or the session of a browser, in logs and limits. An issuer's token has no id here,
   * so the user's id replaces it.
   */
  readonly tokenId: string;
  /** Set for the session of a browser. */
  readonly signIn?: SignIn;
  /** Claims of an OpenID Connect issuer; undefined for our own tokens. */
  readonly identity?: Identity;
  readonly role: Role;
  readonly organizationId: string;
  /**
   * The workspaces that the caller sees and writes; for an admin, all of the organization. It grows as the
   * caller creates workspaces.
   */
  readonly teamIds: readonly string[];
  /** Replication progress, if the database has a replica. */
  readonly progress?: ReplicationProgress;
  readonly user: Person | Nobody;
}

/** Returns whether a caller may only set up a second factor. */
export const lacksFactor = ({ signIn }: Pick<Caller, 'signIn'>): boolean => signIn?.without !== undefined;

/** Returns whether a caller sees all workspaces of the organization. */
export const seesAllTeams = (caller: Pick<Caller, 'role' | 'signIn'>): boolean =>
  caller.role === 'ADMIN' && !lacksFactor(caller);

/**
 * Creates the caller for what the gateway does by itself in a workspace. It has no user, so events name none.
 */
export function gatewayCaller(organizationId: string, teamId: string): Caller {
  const user = { id: null, name: null, email: null, teamId };
  return { tokenId: 'gateway', role: 'MEMBER', organizationId, teamIds: [teamId], user };
}

/** Returns the id of a caller's access token; null for an issuer's or a session. */
export function ownTokenId({ tokenId, identity, signIn }: Caller): string | null {
  return identity || signIn ? null : tokenId;
}

/**
 * Returns the person behind a caller.
 * @throws Error for the gateway itself, whose own work needs no person
 */
export function personOf({ user }: Caller): Person {
  if (user.id === null) throw new Error('The gateway itself is not a user.');
  return user;
}

/** Returns whether a caller has a right now. Without a second factor that is required, there is none. */
export const hasRight = (caller: Caller, right: Right): boolean =>
  !lacksFactor(caller) && may(caller.role, right);

/** Creates the 403 for what a caller may not do. */
export function refusalOf(caller: Caller): GatewayError {
  if (!lacksFactor(caller)) return forbidden(caller.role);
  return new GatewayError('FORBIDDEN', 'Your organization requires a second factor: set one up first.', {
    reason: 'SECOND_FACTOR_MISSING',
  });
}

/** Ways in which people can sign in. */
export const signInWays = ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'] as const;

/** A way in which people can sign in. */
export type SignInWay = (typeof signInWays)[number];

const minute = 60_000;
const day = 86_400_000;

/** Lifetimes of sessions, in milliseconds. */
export const sessionTimes = {
  /** A session that was not used for this long has ended. */
  idle: 14 * day,
  /** Every session ends after this long. */
  lifetime: 90 * day,
  /** Time to enter the second factor. */
  pending: 10 * minute,
  /** Time after signing in during which changes need no new confirmation. */
  confirmed: 10 * minute,
} as const;

/** Matches a secret of 256 random bits in base64url. */
export const secretPattern = /^[\w-]{43}$/;

/** Kind of deliveries that are links for signing in. */
export const signInLinkSubject = 'signInLink';

/** A caller at a time, such as a session of the database. */
interface Moment {
  readonly caller: Pick<Caller, 'signIn'>;
  readonly now: Date;
}

/** Returns whether a session's user has just proved who they are. */
export function isConfirmed({ caller: { signIn }, now }: Moment): boolean {
  return signIn !== undefined && now.getTime() - signIn.confirmedAt.getTime() < sessionTimes.confirmed;
}

/**
 * Checks that a session's user has proved who they are within ten minutes. Otherwise somebody at an unlocked
 * computer could change how its user signs in.
 * @throws GatewayError FORBIDDEN
 */
export function checkConfirmed(moment: Moment): void {
  if (isConfirmed(moment)) return;
  throw new GatewayError('FORBIDDEN', 'Confirm who you are first.', { reason: 'UNCONFIRMED' });
}

/**
 * Checks the same for what administrators decide about how others sign in. Tokens of programs cannot be
 * confirmed, and are accepted.
 * @throws GatewayError FORBIDDEN
 */
export function checkAdministrator(moment: Moment): void {
  if (moment.caller.signIn) checkConfirmed(moment);
}
