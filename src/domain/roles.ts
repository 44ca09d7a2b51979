/** What a token may do; stored with it. */
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

/** Who sent a request: the user behind the token, and how far the two of them reach. */
export interface Caller {
  readonly tokenId: string;
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
