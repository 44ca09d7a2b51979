import type { Identity } from './identity.js';
import type { Role } from './roles.js';

/** Replication progress that a caller's reads from a replica must have reached. */
export interface ReplicationProgress {
  /** Time of its user's last write, by the clocks of the gateways. */
  readonly lastWrite: Date | null;
  /** Position of the primary's log at the caller's look-up. All that was answered before lies below it. */
  readonly position: bigint;
}

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
  /** Replication progress, if the database has a replica. */
  readonly progress?: ReplicationProgress;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Default workspace: records go there that name none. */
    readonly teamId: string;
  };
}

/** Makes the caller of what the gateway does by itself in a workspace. No user is behind it: events name none. */
export function gatewayCaller(organizationId: string, teamId: string): Caller {
  // Where a user's id is kept, none may be. Nothing reads that of a caller with the role of a member.
  const user = { id: null as unknown as string, name: null as unknown as string, email: '', teamId };
  return { tokenId: 'gateway', role: 'MEMBER', organizationId, teamIds: [teamId], user };
}
