import { type Creator, callerOfWork, creatorColumns } from '../access/callers.js';
import { type Invited, inviteIn, type NewInvitation } from '../access/invitations.js';
import { changeOrganization, changeUserIn, type UserChanges } from '../access/people.js';
import { ownerAsCaller } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import type { PrismaTransaction } from '../db/connection/pool.js';
import { prepared } from '../db/connection/statement.js';
import type { RowOf } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import type { Caller, Role } from '../domain/caller.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { isUuid, limits, newId } from '../domain/rules.js';
import { isEmail, trimWhiteSpace } from '../domain/text/formats.js';

/** Order of organizations, workspaces and users: oldest first. */
const oldest = [{ created: 'asc' as const }, { id: 'asc' as const }];

/** An id and the name that people know. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Advisory lock for creating the first organization or the demo workspace, which happens only once. */
const FIRST_START_LOCK = 0x65677701;

/** Locks the first start until this transaction ends. Other processes wait, however long that takes. */
export async function lockFirstStart(tx: PrismaTransaction): Promise<void> {
  await tx.$executeRaw`SELECT set_config(name, '0', true) FROM unnest(ARRAY['lock_timeout', 'statement_timeout']) AS name`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_START_LOCK}::bigint)`;
}

/** Returns the id of the oldest organization, which the first start created. */
export async function oldestOrganization(db: PrismaTransaction): Promise<string | undefined> {
  const found = await db.organization.findFirst({ select: { id: true }, orderBy: oldest });
  return found?.id;
}

/** Address of an administrator who is nobody yet. */
export const placeholderEmail = 'admin@localhost';

/** Name and administrator of a new organization. */
interface NewOrganization {
  readonly name?: string;
  /** E-mail address of the administrator. */
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/**
 * Creates an organization with the workspace "Main" and an administrator, who belongs to it.
 * @returns the organization's id
 */
export async function makeOrganization(
  tx: PrismaTransaction,
  now: Date,
  { name = 'Default organization', email = placeholderEmail, userId = newId() }: NewOrganization = {},
): Promise<string> {
  const [organizationId, teamId] = [newId(), newId()];
  const times = { created: now, modified: now };
  await tx.organization.create({ data: { id: organizationId, name, ...times } });
  await tx.team.create({ data: { id: teamId, organizationId, name: 'Main', ...times } });
  const user = { id: userId, organizationId, teamId, name: 'Administrator', email };
  await tx.user.create({ data: { ...user, role: 'ADMIN', ...times } });
  await tx.membership.create({ data: { userId, teamId, created: now } });
  return organizationId;
}

/**
 * Finds an organization by id, or by name in any case. Without either, it is the only one.
 * @throws GatewayError NOT_FOUND if there is none; BAD_REQUEST, listing them, if several match
 */
export async function findOrganization(database: Database, idOrName?: string): Promise<Named> {
  const found = await database.prisma.organization.findMany({
    where: idOrName === undefined ? {} : called(idOrName),
    select: { id: true, name: true },
    orderBy: oldest,
  });
  return theOnly('organization', found, idOrName);
}

/**
 * Finds a workspace of an organization by id, or by name in any case. Without either, it is the only one.
 * @throws GatewayError NOT_FOUND if there is none; BAD_REQUEST, listing them, if several match
 */
export async function findWorkspace(
  { prisma }: Database,
  organizationId: string,
  idOrName?: string,
): Promise<Named> {
  const found = await prisma.team.findMany({
    where: { organizationId, ...(idOrName !== undefined && called(idOrName)) },
    select: { id: true, name: true },
    orderBy: oldest,
  });
  return theOnly('workspace', found, idOrName);
}

/** Returns the only one of what was found. @throws GatewayError NOT_FOUND; BAD_REQUEST for several */
function theOnly(what: string, found: readonly Named[], idOrName: string | undefined): Named {
  const [one, ...others] = found;
  if (!one) {
    const which = idOrName === undefined ? '' : ` with the id or name ${JSON.stringify(idOrName)}`;
    throw new GatewayError('NOT_FOUND', `There is no ${what}${which}.`);
  }
  if (others.length === 0) return one;
  const list = found.map(({ id, name }) => `${JSON.stringify(name)} (${id})`).join(', ');
  throw new GatewayError('BAD_REQUEST', `There are several ${what}s; choose one by its id: ${list}`);
}

const called = (idOrName: string) =>
  isUuid(idOrName) ? { id: idOrName } : { name: equalsAnyCase(idOrName) };

/**
 * Creates a filter for equal text in any case, with escaped wildcards. Prisma uses ILIKE for this, in which
 * these characters are wildcards.
 */
function equalsAnyCase(text: string) {
  return { equals: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const };
}

/** Returns an organization's first user who may administer it: after a first start, its administrator. */
export async function firstUser(tx: PrismaTransaction, organizationId: string): Promise<RowOf<'User'>> {
  const orderBy = [...oldest];
  const admins = { isActive: true, OR: [{ role: 'ADMIN' as const }, { role: null }] };
  const user =
    (await tx.user.findFirst({ where: { organizationId, ...admins }, orderBy })) ??
    (await tx.user.findFirst({ where: { organizationId }, orderBy: [{ isActive: 'desc' }, ...orderBy] }));
  if (!user) throw new GatewayError('NOT_FOUND', 'The organization has no user.');
  return user;
}

/**
 * Finds a user by id or e-mail address, or creates one for an unknown address. Without either, it is the
 * organization's first user. A new user joins the organization's first workspace.
 * @throws GatewayError NOT_FOUND for an unknown id, or in an organization without users or workspaces;
 *   BAD_REQUEST for a text that is neither an id nor an address
 */
export async function findOrMakeUser(
  database: Database,
  organizationId: string,
  given: string | undefined,
  now: Date,
): Promise<Named> {
  const { prisma } = database;
  if (given === undefined) return firstUser(prisma, organizationId);
  const idOrEmail = trimWhiteSpace(given);
  const user = await findUser(prisma, organizationId, idOrEmail);
  if (user) return user;
  if (isUuid(idOrEmail)) throw notFound('user', idOrEmail);
  try {
    return await database.administer((tx) => makeUser(tx, organizationId, idOrEmail, now));
  } catch (error) {
    throw translateError(error, 'users');
  }
}

/** Finds a user by id, or by e-mail address as the database compares them. */
export async function findUser(
  db: PrismaTransaction,
  organizationId: string,
  idOrEmail: string,
): Promise<Named | undefined> {
  const key = trimWhiteSpace(idOrEmail);
  const condition = isUuid(key) ? sql`id = ${key}::uuid` : sql`natural_key(email) = natural_key(${key})`;
  const [user] = await db.$queryRaw<Named[]>`
    SELECT id, name FROM users WHERE organization_id = ${organizationId}::uuid AND ${condition}`;
  return user;
}

/**
 * Creates the caller for work of the command line in an organization: its first administrator.
 * @throws GatewayError NOT_FOUND if it has no user
 */
export async function operatorOf({ prisma }: Database, organizationId: string): Promise<Caller> {
  return ownerAsCaller(await firstUser(prisma, organizationId));
}

/**
 * Creates the caller for what somebody does at the command line, with that person's rights.
 * @throws GatewayError FORBIDDEN for somebody who may not write
 */
export async function personAsCaller(database: Database, { id }: Pick<Named, 'id'>): Promise<Caller> {
  const statement = sql`
    SELECT ${raw(creatorColumns('work'))} FROM users
    CROSS JOIN LATERAL (SELECT 'ADMIN' AS role, NULL::jsonb AS teams, users.organization_id) AS work
    WHERE users.id = ${id}::uuid`;
  const [creator] = await database.query<Creator>(prepared('users.reach', statement));
  const caller = creator && callerOfWork(id, creator, 'write');
  if (!caller) throw new GatewayError('FORBIDDEN', 'This user may not write.');
  return caller;
}

async function makeUser(
  tx: PrismaTransaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<Named> {
  if (email.length > limits.line || !isEmail(email)) {
    throw new GatewayError(
      'BAD_REQUEST',
      `${JSON.stringify(email)} is neither a user's id nor an e-mail address.`,
    );
  }
  const team = await tx.team.findFirst({ where: { organizationId }, select: { id: true }, orderBy: oldest });
  if (!team) throw new GatewayError('NOT_FOUND', 'The organization has no workspace.');
  const [name = email] = email.split('@');
  const row = { id: newId(), organizationId, name, email, teamId: team.id, created: now, modified: now };
  await tx.user.create({ data: row });
  await tx.membership.create({ data: { userId: row.id, teamId: team.id, created: now } });
  return { id: row.id, name };
}

/** Settings of a user. Missing values are kept. */
interface UserSettings {
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
