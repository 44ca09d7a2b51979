import { GatewayError } from './errors.js';
import type { Identity } from './identity.js';
import { forbidden, may, type Right, type Role } from './roles.js';

/** Replication progress that a replica must have reached for a caller's reads. */
export interface ReplicationProgress {
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
