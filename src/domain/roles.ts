import { GatewayError } from './errors.js';

/** Roles of access tokens, from the strongest on. */
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

/** Checks that a role includes a right. */
export function may(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

/** Makes the 403 for what a role does not allow. */
export function forbidden(role: Role): GatewayError {
  return new GatewayError('FORBIDDEN', `A token with the role ${role} may not do this.`);
}
