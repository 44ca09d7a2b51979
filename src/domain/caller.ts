import type { Identity } from './identity.js';
import type { Role } from './roles.js';

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
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Where records go that name no workspace. */
    readonly teamId: string;
  };
}
