import type { Identity } from './identity.js';
import type { Role } from './roles.js';

/** What a caller must find in what it reads from a replica. */
export interface Progress {
  /** When its user last wrote anything, by the clocks of the gateways. */
  readonly lastWrite: Date | null;
  /** Where the primary's log was when the caller was looked up: all that was answered before lies below. */
  readonly position: bigint;
}

/** Who sent a request: the user behind the token, and how far the two of them reach. */
export interface Caller {
  /** Names the token in logs and limits. An issuer's token has no id here, so the user's stands for it. */
  readonly tokenId: string;
  /** What an issuer says of the caller; with a token of our own, nothing. */
  readonly identity?: Identity;
  readonly role: Role;
  readonly organizationId: string;
  /** The workspaces the caller sees and writes; of an admin, all of the organization's. Grows as it makes them. */
  readonly teamIds: readonly string[];
  /** Where the database has a replica. */
  readonly progress?: Progress;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Where records go that name no workspace. */
    readonly teamId: string;
  };
}
