import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import { GatewayError } from '../domain/errors.js';
import type { Role } from '../domain/roles.js';
import type { User } from '../generated/prisma/client.js';
import { findOrMakeUser } from './accounts.js';

/** Settings of a user; what is left out stays as it is. */
export interface UserSettings {
  /** Role with an issuer's token that names none; null: no rights. */
  readonly role?: Role | null | undefined;
  /** Subject of the user at an issuer; null: found by the e-mail address. */
  readonly subject?: { readonly issuer: string; readonly subject: string } | null | undefined;
}

/**
 * Changes a user of an organization; an unknown e-mail address becomes a new one. That is in the
 * organization's first workspace.
 * @throws GatewayError as `findOrMakeUser` does; CONFLICT when the subject is another user's
 */
export async function setUser(
  database: Database,
  organizationId: string,
  idOrEmail: string,
  { role, subject }: UserSettings,
  now: Date,
): Promise<User> {
  const { id } = await findOrMakeUser(database, organizationId, idOrEmail, now);
  const bound = subject === null ? { issuer: null, subject: null } : subject;
  const data = { ...(role !== undefined && { role }), ...bound, modified: now };
  try {
    return await database.prisma.user.update({ where: { id }, data });
  } catch (cause) {
    const known = translateError(cause, 'users');
    if (!(known instanceof GatewayError && known.code === 'CONFLICT')) throw known;
    throw new GatewayError('CONFLICT', 'The subject is that of another user; release it there.', { cause });
  }
}

/** A user, as the command line lists them. */
export type ListedUser = Awaited<ReturnType<typeof listUsers>>[number];

/** Users of one organization or of all, oldest first, for the command line. */
export function listUsers({ prisma }: Database, organizationId?: string) {
  return prisma.user.findMany({
    where: organizationId === undefined ? {} : { organizationId },
    select: {
      id: true,
      name: true,
      email: true,
      role: true,
      issuer: true,
      subject: true,
      organization: { select: { name: true } },
    },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
}
