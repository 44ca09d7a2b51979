import { GatewayError } from './errors.js';
import type { Identity } from './identity.js';

/** What a token may do; stored with it. From the strongest on. */
export const roles = ['ADMIN', 'MEMBER', 'VIEWER', 'UPLOADER'] as const;
export type Role = (typeof roles)[number];

/** A right that an operation asks for. */
export type Right = 'read' | 'write' | 'administer' | 'upload';

const rights: Record<Role, readonly Right[]> = {
  ADMIN: ['read', 'write', 'administer', 'upload'],
  MEMBER: ['read', 'write', 'upload'],
  VIEWER: ['read'],
  UPLOADER: ['upload'],
};

/** Whether a role includes a right. */
export function may(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

/** The refusal of what a role does not allow. */
export function forbidden(role: Role): GatewayError {
  return new GatewayError('FORBIDDEN', `A token with the role ${role} may not do this.`);
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
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Where records go that name no workspace. */
    readonly teamId: string;
  };
}
