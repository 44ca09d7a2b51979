import { GatewayError } from './errors.js';

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
