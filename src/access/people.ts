import * as z from 'zod';
import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { deleteRows, updateRows } from '../db/sql/write.js';
import { personOf } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { badField, notFound } from '../domain/errors.js';
import type { EventName } from '../domain/events.js';
import { type Role, roles } from '../domain/roles.js';
import { check, isUuid, rules } from '../domain/rules.js';
import { checkAdministrator } from '../domain/sign-in.js';
import { type Changes, changesBetween, type Event, logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locking.js';
import { keepingAdministrator, lockOrganization } from './administrators.js';

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
