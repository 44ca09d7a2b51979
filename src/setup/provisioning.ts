import { type Invited, inviteIn, type NewInvitation } from '../access/invitations.js';
import { changeOrganization } from '../access/organizations.js';
import { changeUserIn, type UserChanges } from '../access/people.js';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import type { RowOf } from '../db/sql/columns.js';
import { GatewayError, notFound } from '../domain/errors.js';
import type { Role } from '../domain/roles.js';
import { findOrMakeUser, findUser, operatorOf } from './accounts.js';

/** Settings of a user. Missing values are kept. */
export interface UserSettings {
  /** Role that limits all tokens, and applies to issuers' tokens without one. */
  readonly role?: Role | undefined;
  /** Subject of the user at an issuer; null to find it by the e-mail address. */
  readonly subject?: { readonly issuer: string; readonly subject: string } | null | undefined;
}

/**
 * Changes a user of an organization; an unknown e-mail address creates one. The new user joins the
 * organization's first workspace.
 * @throws GatewayError like `findOrMakeUser`; CONFLICT if the subject belongs to another user, or the
 *   organization would be left without an active admin
 */
export async function setUser(
  database: Database,
  organizationId: string,
  idOrEmail: string,
  { role, subject }: UserSettings,
  now: Date,
): Promise<RowOf<'User'>> {
  const { id } = await findOrMakeUser(database, organizationId, idOrEmail, now);
  const bound = subject === null ? { issuer: null, subject: null } : subject;
  if (role !== undefined) await changeUser(database, organizationId, id, { role }, now);
  const data = { ...bound, ...(bound && { modified: now }) };
  try {
    return await database.prisma.user.update({ where: { id }, data });
  } catch (cause) {
    const known = translateError(cause, 'users');
    if (!(known instanceof GatewayError && known.code === 'CONFLICT')) throw known;
    throw new GatewayError('CONFLICT', 'The subject is that of another user; release it there.', { cause });
  }
}

/** Changes a user on behalf of the organization's first administrator. */
async function changeUser(
  database: Database,
  organizationId: string,
  id: string,
  changes: UserChanges,
  now: Date,
): Promise<RowOf<'User'>> {
  const operator = await operatorOf(database, organizationId);
  return database.inTransaction(
    (tx) => changeUserIn(tx, id, changes, { now, precondition: undefined }),
    operator,
  );
}

/**
 * Deactivates a user of an organization.
 * @throws GatewayError NOT_FOUND; CONFLICT for the last active admin
 */
export async function deactivateUser(
  database: Database,
  organizationId: string,
  idOrEmail: string,
  now: Date,
): Promise<RowOf<'User'>> {
  const user = await findUser(database.prisma, organizationId, idOrEmail);
  if (!user) throw notFound('user', idOrEmail);
  return changeUser(database, organizationId, user.id, { isActive: false }, now);
}

/**
 * Invites somebody on behalf of an organization's first administrator, into that user's workspace.
 * @throws GatewayError like `inviteIn`
 */
export async function invite(
  database: Database,
  organizationId: string,
  given: NewInvitation,
  now: Date,
): Promise<Invited> {
  const operator = await operatorOf(database, organizationId);
  try {
    return await database.inTransaction((tx) => inviteIn(tx, given, now), operator);
  } catch (error) {
    throw translateError(error, 'users');
  }
}

/**
 * Renames an organization, on behalf of its first administrator. @throws GatewayError BAD_REQUEST for an
 * invalid name
 */
export async function renameOrganization(database: Database, id: string, name: string, now: Date) {
  const operator = await operatorOf(database, id);
  return database.inTransaction(
    (tx) => changeOrganization(tx, { name }, { now, precondition: undefined }),
    operator,
  );
}

/** An organization, as the command line lists them. */
export type ListedOrganization = Awaited<ReturnType<typeof listOrganizations>>[number];

/** Lists organizations, oldest first, with the number of their workspaces and users. */
export function listOrganizations({ prisma }: Database) {
  return prisma.organization.findMany({
    select: { id: true, name: true, created: true, _count: { select: { teams: true, users: true } } },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
}

/** A user, as the command line lists them. */
export type ListedUser = Awaited<ReturnType<typeof listUsers>>[number];

/** Lists users of one organization or of all, oldest first, for the command line. */
export function listUsers({ prisma }: Database, organizationId?: string) {
  return prisma.user.findMany({
    where: organizationId === undefined ? {} : { organizationId },
    select: {
      id: true,
      name: true,
      email: true,
      role: true,
      isActive: true,
      issuer: true,
      subject: true,
      organization: { select: { name: true } },
    },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
}
