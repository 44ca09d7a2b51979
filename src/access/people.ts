import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import type { PrismaTransaction } from '../db/connection/pool.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, insertRows, updateRows } from '../db/sql/write.js';
import { checkAdministrator, personOf, type Role, roles } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import type { EventName } from '../domain/models.js';
import { check, isUuid, rules } from '../domain/rules.js';
import { type Changes, changesBetween, type Event, logEvent } from '../records/event-logs.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';
import { checkVersion } from '../records/locks.js';
import { revokeToken } from './tokens.js';

/** Tells who administers the organization: a given user, and anybody else. */
interface Administration {
  readonly own: boolean;
  readonly others: boolean;
}

/**
 * Returns whether a user administers the organization, and whether others do. This requires more than the
 * role, because an invited user who has not signed in yet could lose the link. A user without a role
 * administers with an admin token.
 */
async function administrationBy(tx: Transaction, userId: string, now: Date): Promise<Administration> {
  const hasToken = sql`EXISTS (
    SELECT FROM access_tokens AS token
    WHERE token.user_id = users.id AND token.role = 'ADMIN' AND token.signing_secret IS NULL
      AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > ${now})
  )`;
  const isWaitedFor = sql`EXISTS (
    SELECT FROM invitations AS invitation WHERE invitation.user_id = users.id AND invitation.used_at IS NULL
  )`;
  const statement = sql`
    SELECT coalesce(bool_or(id = ${userId}::uuid), false) AS own,
      coalesce(bool_or(id <> ${userId}::uuid), false) AS others
    FROM users
    WHERE organization_id = ${tx.caller.organizationId}::uuid AND is_active AND (
      (role = 'ADMIN' AND (subject IS NOT NULL OR NOT ${isWaitedFor} OR ${hasToken}))
      OR (role IS NULL AND ${hasToken})
    )`;
  const [found] = await tx.run<Administration>(prepared('users.administration', statement));
  return found ?? { own: false, others: false };
}

/** Serializes changes of rights in the organization. Each sees the result of the one before. */
export async function lockOrganization(tx: Transaction): Promise<void> {
  const id = tx.caller.organizationId;
  const lock = sql`SELECT id FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  await tx.run(prepared('organizations.lock', lock));
}

/**
 * Changes a user, unless this would leave the organization without an administrator. The organization is
 * locked.
 * @throws GatewayError CONFLICT if the user was the last administrator and would not be one any more
 */
export async function keepingAdministrator<T>(
  tx: Transaction,
  userId: string,
  now: Date,
  change: () => Promise<T>,
): Promise<T> {
  const { own, others } = await administrationBy(tx, userId, now);
  const result = await change();
  if (own && !others && !(await administrationBy(tx, userId, now)).own) {
    const message =
      'The user is the last active admin of the organization; make somebody else an admin first.';
    throw new GatewayError('CONFLICT', message);
  }
  return result;
}

/** SQL condition that an administrator has been set up, who can sign in. */
export const hasAdministrator = `EXISTS (
  SELECT FROM users AS administrator WHERE is_active AND role = 'ADMIN' AND (
    subject IS NOT NULL OR EXISTS (SELECT FROM passwords WHERE user_id = administrator.id)
    OR EXISTS (SELECT FROM passkeys WHERE user_id = administrator.id)))`;

/** Notes which token the first start made by itself. */
export async function noteFirstToken(tx: PrismaTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO first_token (token_id) VALUES (${id}::uuid)
    ON CONFLICT (single) DO UPDATE SET token_id = excluded.token_id`;
}

/**
 * Revokes the random token of the first start once an administrator can sign in. A token that was set or
 * created by somebody is left alone.
 * @returns whether there still is one
 */
export async function endFirstToken(database: Database, now: Date): Promise<boolean> {
  const [first] = await database.query<{ id: string; isOver: boolean }>(
    prepared('first_token.read', {
      text: `SELECT token_id AS id, ${hasAdministrator} AS "isOver" FROM first_token`,
      values: [],
    }),
  );
  if (!first?.isOver) return first !== undefined;
  await revokeToken(database, first.id, now);
  await database.query(
    prepared('first_token.end', sql`DELETE FROM first_token WHERE token_id = ${first.id}::uuid`),
  );
  return false;
}

/** Changes of a user. Missing values are kept, null clears. */
export interface UserChanges {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly role?: Role | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly language?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  /** The default workspace. */
  readonly teamId?: string | null | undefined;
}

const userRules = z.object({
  name: rules.name,
  email: rules.email,
  role: z.enum(roles, 'must be a role'),
  isActive: z.boolean('must be true or false'),
  language: rules.language,
  timezone: rules.timezone,
  teamId: rules.requiredUuid,
});

type Values = Partial<z.output<typeof userRules>>;

/** Checks only the given values. For others, a rule would insert its default. */
export function checkGiven<Shape extends z.ZodRawShape>(
  all: z.ZodObject<Shape>,
  input: object,
): Partial<z.output<z.ZodObject<Shape>>> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const shape = Object.fromEntries(given.map(([name]) => [name, all.shape[name] as z.ZodType]));
  return check(z.object(shape), Object.fromEntries(given)) as Partial<z.output<z.ZodObject<Shape>>>;
}

/** Rows of users, to be locked for changes. */
const userRows = defineRows('User');

/**
 * Locks a user of the organization until the transaction ends, and reads it.
 * @throws GatewayError NOT_FOUND
 */
export async function lockUser(tx: Transaction, id: string): Promise<RowOf<'User'>> {
  const user = isUuid(id) ? await userRows.lock(tx, id.toLowerCase()) : null;
  if (!user) throw notFound('user', id);
  return user;
}

/** Creates an event about a user. It belongs to a workspace that its author sees. */
export function userEvent(
  type: EventName,
  { name, email }: Pick<RowOf<'User'>, 'name' | 'email'>,
  what: string,
  teamId: string,
  details: Changes | null = null,
): Event {
  const description = `User ${JSON.stringify(name)} <${email}> ${what}`;
  return { type, teamId, description, details, entities: [] };
}

/**
 * Logs a change of a user. For an author without a workspace nothing is logged, because nobody else could
 * read it there.
 */
async function logChange(tx: Transaction, user: RowOf<'User'>, changes: Changes, now: Date): Promise<void> {
  const { caller } = tx;
  if (caller.user.teamId === '') return;
  const ends = changes.is_active?.after === false;
  const what = `was ${ends ? 'deactivated' : 'changed'}: ${Object.keys(changes).join(', ')}`;
  const type = ends ? 'user deactivated' : 'user changed';
  await logEvent(tx, { caller, now }, userEvent(type, user, what, caller.user.teamId, changes));
}

/** Rejects a default workspace that the user does not belong to. */
async function checkDefaultTeam(tx: Transaction, { id, role }: RowOf<'User'>, values: Values): Promise<void> {
  const { teamId, role: next = role } = values;
  if (teamId === undefined) return;
  const { teamIds, user } = tx.caller;
  const isVisible = teamIds.includes(teamId);
  const reaches =
    next === 'ADMIN' ||
    id === user.id ||
    (await readRows(tx, 'Membership', { where: { userId: id, teamId } })).length > 0;
  if (!isVisible || !reaches)
    throw badField(['teamId'], 'names no workspace that the user is a member of', 'reference');
}

/** Invalidates the link of a user who has not signed in yet. */
function endInvitation(tx: Transaction, userId: string, now: Date) {
  return updateRows(tx, 'Invitation', { userId, usedAt: null }, { expiresAt: now });
}

/**
 * Changes a user of the organization in a transaction, with the event.
 * @throws GatewayError NOT_FOUND; BAD_REQUEST naming the invalid value; CONFLICT for an address that is
 *   taken, or if the organization would be left without an active admin; PRECONDITION_FAILED; FORBIDDEN for a
 *   new address in a session whose user must be confirmed first
 */
export async function changeUserIn(
  tx: Transaction,
  id: string,
  given: UserChanges,
  work: Pick<Session, 'now' | 'precondition'>,
): Promise<RowOf<'User'>> {
  const { now } = work;
  const values: Values = checkGiven(userRules, given);
  if (values.role !== undefined || values.isActive !== undefined) await lockOrganization(tx);
  const current = await lockUser(tx, id);
  checkVersion(work, current);
  const kept = Object.fromEntries(
    Object.keys(values).map((field) => [field, current[field as keyof Values]]),
  );
  const changes = changesBetween(kept, values);
  if (Object.keys(changes).length === 0) return current;
  // Whoever has the address could set a password with a link.
  if (changes.email) checkAdministrator({ caller: tx.caller, now });
  if (changes.team_id) await checkDefaultTeam(tx, current, values);
  const stored = { ...values, modified: nextModified(now, current.modified) };
  const change = async () => {
    const [row] = await updateRows(tx, 'User', { id: current.id }, stored);
    if (!row) throw new Error('A user who was locked is gone.');
    return row;
  };
  const isOfRights = changes.role !== undefined || changes.is_active !== undefined;
  const user = isOfRights ? await keepingAdministrator(tx, current.id, now, change) : await change();
  if (!user.isActive) {
    await endInvitation(tx, user.id, now);
    // They would work again if the user came back.
    await deleteRows(tx, 'CalendarFeed', { userId: user.id });
  }
  await logChange(tx, user, changes, now);
  return user;
}

/** Runs a change of users in a transaction. Its errors name users' fields. */
export async function changingUsers<T>(session: Session, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    const result = await session.inTransaction(work);
    session.forgetLoaded();
    return result;
  } catch (error) {
    throw translateError(error, 'users');
  }
}

/** Changes a user of the caller's organization; see `changeUserIn`. */
export function updateUser(session: Session, id: string, changes: UserChanges): Promise<RowOf<'User'>> {
  return changingUsers(session, (tx) => changeUserIn(tx, id, changes, session));
}

/** Changes the caller's own user, as far as allowed; see `changeUserIn`. */
export function updateMe(
  session: Session,
  changes: Pick<UserChanges, 'name' | 'language' | 'timezone' | 'teamId'>,
): Promise<RowOf<'User'>> {
  return updateUser(session, personOf(session.caller).id, changes);
}

/** Returns the id of a workspace as stored. @throws GatewayError NOT_FOUND if the caller does not see it */
function visibleTeam({ caller }: Session, teamId: string): string {
  const id = teamId.toLowerCase();
  if (!isUuid(teamId) || !caller.teamIds.includes(id)) throw notFound('workspace', teamId);
  return id;
}

/** Reads the ids of a user's workspaces, the oldest membership first. */
async function teamIdsOf(tx: Transaction, userId: string): Promise<string[]> {
  const orderBy = [{ created: 'asc' as const }, { teamId: 'asc' as const }];
  return (await readRows(tx, 'Membership', { where: { userId }, orderBy })).map(({ teamId }) => teamId);
}

/** Marks a user as changed, and logs that the memberships changed. */
async function logMembership(
  tx: Transaction,
  user: RowOf<'User'>,
  joined: boolean,
  teamId: string,
  changes: Partial<Pick<RowOf<'User'>, 'teamId'>>,
  now: Date,
): Promise<RowOf<'User'>> {
  const { caller } = tx;
  const values = { ...changes, modified: nextModified(now, user.modified) };
  const [row = user] = await updateRows(tx, 'User', { id: user.id }, values);
  const [type, what] = joined
    ? (['member added', 'became a member of the workspace'] as const)
    : (['member removed', 'is no longer a member of the workspace'] as const);
  await logEvent(tx, { caller, now }, userEvent(type, row, what, teamId));
  return row;
}

/**
 * Makes a user a member of a workspace. An existing member stays one.
 * @throws GatewayError NOT_FOUND for a user or workspace that the caller does not see; PRECONDITION_FAILED by
 *   the user's version
 */
export async function addTeamMember(
  session: Session,
  teamId: string,
  userId: string,
): Promise<RowOf<'User'>> {
  const team = visibleTeam(session, teamId);
  return changingUsers(session, async (tx) => {
    const user = await lockUser(tx, userId);
    checkVersion(session, user);
    if ((await teamIdsOf(tx, user.id)).includes(team)) return user;
    await insertRows(tx, 'Membership', [{ userId: user.id, teamId: team, created: session.now }]);
    return logMembership(tx, user, true, team, {}, session.now);
  });
}

/**
 * Removes a user from a workspace. It stops being their default workspace. For a non-member, nothing changes.
 * @throws GatewayError NOT_FOUND for a user or workspace that the caller does not see; PRECONDITION_FAILED by
 *   the user's version
 */
export async function removeTeamMember(
  session: Session,
  teamId: string,
  userId: string,
): Promise<RowOf<'User'>> {
  const team = visibleTeam(session, teamId);
  return changingUsers(session, async (tx) => {
    const user = await lockUser(tx, userId);
    checkVersion(session, user);
    if ((await deleteRows(tx, 'Membership', { userId: user.id, teamId: team })) === 0) return user;
    const [next] = user.teamId === team ? await teamIdsOf(tx, user.id) : [];
    return logMembership(tx, user, false, team, next === undefined ? {} : { teamId: next }, session.now);
  });
}

/** Changes of an organization. Missing values are kept, null returns to the default. */
interface OrganizationChanges {
  readonly name?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
}

const organizationRules = z.object({
  name: rules.name,
  timezone: rules.timezone.transform((zone) => zone ?? 'UTC'),
  locale: rules.language.transform((language) => language ?? 'en'),
});

/** Loads the caller's organization. No other is visible. */
const ownOrganization: BatchLoader<RowOf<'Organization'>> = async (session, ids) => {
  const [found] = await readRows(session, 'Organization', {});
  if (!found) throw new Error("The caller's organization is gone.");
  return ids.map(() => found);
};

/** Reads the caller's organization, once per request. */
export function readOrganization(session: Session): Promise<RowOf<'Organization'>> {
  return loadBatched(session, ownOrganization, session.caller.organizationId);
}

/**
 * Changes the organization of a transaction's caller, with the event.
 * @throws GatewayError BAD_REQUEST naming the invalid value; PRECONDITION_FAILED
 */
export async function changeOrganization(
  tx: Transaction,
  given: OrganizationChanges,
  work: Pick<Session, 'now' | 'precondition'>,
): Promise<RowOf<'Organization'>> {
  const { now } = work;
  const values = checkGiven(organizationRules, given);
  await lockOrganization(tx);
  const [current] = await readRows(tx, 'Organization', {});
  if (!current) throw new Error("The caller's organization is gone.");
  checkVersion(work, current);
  const kept = Object.fromEntries(
    Object.keys(values).map((field) => [field, current[field as keyof RowOf<'Organization'>]]),
  );
  const changes = changesBetween(kept, values);
  const names = Object.keys(changes);
  if (names.length === 0) return current;
  const modified = nextModified(now, current.modified);
  const [row = current] = await updateRows(tx, 'Organization', { id: current.id }, { ...values, modified });
  const { caller } = tx;
  const description = `Organization ${JSON.stringify(row.name)} was changed: ${names.join(', ')}`;
  const about = { teamId: caller.user.teamId, details: changes, entities: [] };
  await logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about });
  return row;
}

/** Changes the caller's organization; see `changeOrganization`. */
export async function updateOrganization(
  session: Session,
  changes: OrganizationChanges,
): Promise<RowOf<'Organization'>> {
  const row = await session.inTransaction((tx) => changeOrganization(tx, changes, session));
  session.forgetLoaded();
  return row;
}
