import { type Creator, callerOfWork, creatorColumns } from '../access/reach.js';
import { ownerAsCaller } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import type { PrismaTransaction } from '../db/connection/pool.js';
import { named } from '../db/connection/statement.js';
import type { RowOf } from '../db/sql/columns.js';
import { raw, sql } from '../db/sql/sql.js';
import type { Caller } from '../domain/caller.js';
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
export interface NewOrganization {
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
  const [creator] = await database.query<Creator>(named('users.reach', statement));
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
