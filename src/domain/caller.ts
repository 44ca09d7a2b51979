import type { Identity } from './identity.js';
import type { Role } from './roles.js';

/** Sender of a request: the user behind the token, and the rights of both. */
export interface Caller {
  /** Names the token in logs and limits. An issuer's token has no id here, so the user's stands for it. */
  readonly tokenId: string;
  /** Claims of an OpenID Connect issuer; none with a token of our own. */
  readonly identity?: Identity;
  readonly role: Role;
  readonly organizationId: string;
  /** The workspaces the caller sees and writes; of an admin, all of the organization's. Grows as it makes them. */
  readonly teamIds: readonly string[];
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Default workspace: records go there that name none. */
    readonly teamId: string;
  };
}
