import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, insertRows, updateRows } from '../db/sql/write.js';
import { type Role, roles, secretPattern } from '../domain/caller.js';
import { paths } from '../domain/doors/paths.js';
import { badField, GatewayError } from '../domain/errors.js';
import { check, newId, rules } from '../domain/rules.js';
import { logEvent } from '../records/event-logs.js';
import type { BatchLoader } from '../records/loaders.js';
import { changingUsers, keepingAdministrator, lockOrganization, lockUser, userEvent } from './people.js';
import { hashToken, insertToken, ownerAsCaller, randomSecret } from './tokens.js';

/** Milliseconds for which a link is valid. */
const lifetime = 7 * 86_400_000;

/** Values of an invitation, as an admin sends them. */
export interface NewInvitation {
  readonly email: string;
  /** Name of the user. Defaults to the part of the address before the @. */
  readonly name?: string | null | undefined;
  readonly role: Role;
  /** Workspaces of the user, the default one first. Defaults to the caller's own. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Language of mails to the user. Defaults to the organization's. */
  readonly language?: string | null | undefined;
}

/** A user who was invited, and the secret of the link. The secret is available only now. */
export interface Invited {
  readonly user: RowOf<'User'>;
  readonly secret: string;
}

const invitationRules = z.object({
  email: rules.email,
  name: rules.name.nullish(),
  role: z.enum(roles, 'must be a role'),
  teamIds: rules.uuids.nullable(),
  language: rules.language,
});

/** Returns the address of the page where an invited user creates the first token. */
export const invitationLink = (origin: string, secret: string) =>
  `${origin}${paths.invitation.replace('{id}', secret)}`;

function checkInvitation(tx: Transaction, given: NewInvitation) {
  const sent = { ...given, teamIds: given.teamIds ?? null };
  const { teamIds, name, ...values } = check(invitationRules, sent);
  const ids = given.teamIds == null ? [tx.caller.user.teamId] : (teamIds ?? []);
  ids.forEach((id, index) => {
    if (!tx.caller.teamIds.includes(id))
      throw badField(['teamIds', index], 'names no workspace that exists', 'reference');
  });
  const [teamId] = ids;
  if (teamId === undefined) throw badField(['teamIds'], 'must name at least one workspace');
  const [local = values.email] = values.email.split('@');
  return { teamIds: ids, values: { ...values, name: name ?? local, teamId } };
}

/**
 * Finds a user with the address who may be invited again. @throws GatewayError CONFLICT if the user may not
 */
async function findWaiting(tx: Transaction, email: string): Promise<RowOf<'User'> | undefined> {
  const [known] = await readRows(tx, 'User', { where: { email: { key: email } } }, ['id']);
  if (!known) return undefined;
  const user = await lockUser(tx, known.id);
  const unused = { where: { userId: user.id, usedAt: null } };
  const [waiting] = await readRows(tx, 'Invitation', unused, ['userId']);
  const problem = !user.isActive ? 'belongs to a deactivated user' : 'is already in use';
  if (!user.isActive || !waiting) throw new GatewayError('CONFLICT', problem, { path: ['email'] });
  return user;
}

/** Creates the invitation of a user. @returns the secret of its link */
async function insertInvitation(tx: Transaction, userId: string, now: Date): Promise<string> {
  const { organizationId } = tx.caller;
  const secret = randomSecret();
  const expiresAt = new Date(now.getTime() + lifetime);
  const invitation = { userId, organizationId, hash: hashToken(secret), expiresAt, created: now };
  await insertRows(tx, 'Invitation', [invitation]);
  return secret;
}

/**
 * Invites somebody into the organization of a transaction's caller, with the event. An invited user who has
 * not signed in gets a new link and the new values; the old link stops working.
 * @throws GatewayError BAD_REQUEST naming the invalid value; CONFLICT for the address of a user who has
 *   signed in or is deactivated
 */
export async function inviteIn(tx: Transaction, given: NewInvitation, now: Date): Promise<Invited> {
  const { caller } = tx;
  const { teamIds, values } = checkInvitation(tx, given);
  await lockOrganization(tx);
  const { organizationId } = caller;
  const waiting = await findWaiting(tx, values.email);
  const id = waiting?.id ?? newId();
  if (waiting) {
    await keepingAdministrator(tx, id, now, () =>
      updateRows(tx, 'User', { id }, { ...values, modified: now }),
    );
    await deleteRows(tx, 'Membership', { userId: id });
    await deleteRows(tx, 'Invitation', { userId: id });
  } else {
    await insertRows(tx, 'User', [{ ...values, id, organizationId, created: now, modified: now }]);
  }
  const memberships = teamIds.map((teamId) => ({ userId: id, teamId, created: now }));
  await insertRows(tx, 'Membership', memberships);
  const secret = await insertInvitation(tx, id, now);
  const user = await lockUser(tx, id);
  const what = `was invited with the role ${values.role.toLowerCase()}`;
  await logEvent(tx, { caller, now }, userEvent('user invited', user, what, caller.user.teamId));
  return { user, secret };
}

/** Answer to whoever invites somebody. */
export interface SentInvitation {
  readonly user: RowOf<'User'>;
  readonly link: string;
  /** True if the link goes to the invited person by mail, too. */
  readonly isMailed: boolean;
}

/** Kind of deliveries that are invitations. */
export const invitationSubject = 'invitation';

/**
 * Returns the purpose for which the secret of an invitation's delivery is sealed. It can be opened for no
 * other.
 */
export const invitationSeal = (deliveryId: string) => `invitation ${deliveryId}`;

/**
 * Queues the mail with the link of an invitation. Its secret is sealed, because anybody who reads the queue
 * could use it.
 * @returns false if mail is not set up
 */
async function queueMail(tx: Transaction, session: Session, { user, secret }: Invited): Promise<boolean> {
  if (!session.secrets || !(await session.sendsMail())) return false;
  const { caller, now } = session;
  const id = newId();
  const sealed = await session.secrets.seal(secret, invitationSeal(id));
  await insertRows(tx, 'Delivery', [
    {
      ...{
        id,
        organizationId: caller.organizationId,
        teamId: user.teamId,
        kind: 'MAIL',
        created: now,
        dueAt: now,
      },
      ...{ dedupeKey: `invitation ${id}`, subjectKind: invitationSubject, subjectId: user.id },
      payload: { sealed: Buffer.from(sealed).toString('base64'), inviter: caller.user.name },
      address: user.email,
    },
  ]);
  return true;
}

/**
 * Invites somebody into the caller's organization; see `inviteIn`. The caller gets the link in the answer and
 * may pass it on. If mail is set up, the invited person gets it as well.
 * @param origin where people reach the gateway
 */
export async function inviteUser(
  session: Session,
  given: NewInvitation,
  origin: string,
): Promise<SentInvitation> {
  const { user, secret, isMailed } = await changingUsers(session, async (tx) => {
    const invited = await inviteIn(tx, given, session.now);
    return { ...invited, isMailed: await queueMail(tx, session, invited) };
  });
  return { user, link: invitationLink(origin, secret), isMailed };
}

/**
 * Sends an invitation again, with a new link; the old one stops working. Nothing else of the user changes.
 * @param origin where people reach the gateway
 * @throws GatewayError NOT_FOUND; CONFLICT for a user who has signed in, is deactivated or was never invited
 */
export async function resendInvitation(
  session: Session,
  userId: string,
  origin: string,
): Promise<SentInvitation> {
  const { now, caller } = session;
  const { user, secret, isMailed } = await changingUsers(session, async (tx) => {
    const user = await lockUser(tx, userId);
    const where = { userId: user.id, usedAt: null };
    if (!user.isActive) throw new GatewayError('CONFLICT', 'The user is deactivated.');
    if ((await deleteRows(tx, 'Invitation', where)) === 0)
      throw new GatewayError('CONFLICT', 'The user waits for no invitation.');
    const invited = { user, secret: await insertInvitation(tx, user.id, now) };
    const event = userEvent('user invited', user, 'was invited again', caller.user.teamId);
    await logEvent(tx, { caller, now }, event);
    return { ...invited, isMailed: await queueMail(tx, session, invited) };
  });
  return { user, link: invitationLink(origin, secret), isMailed };
}

/** State of a user's invitation. */
export type InvitationState = 'INVITED' | 'EXPIRED' | 'ACCEPTED';

/** A user's last invitation, as administrators see it. */
export interface ShownInvitation {
  readonly state: InvitationState;
  readonly created: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Loads the last invitation of each user; null for who was never invited. */
export const invitationByUser: BatchLoader<ShownInvitation | null> = async (session, userIds) => {
  const rows = await readRows(session, 'Invitation', { where: { userId: { in: userIds } } });
  const known = new Map(rows.map((row) => [row.userId, row]));
  return userIds.map((id) => {
    const row = known.get(id);
    if (!row) return null;
    const { created, expiresAt, usedAt } = row;
    const state = usedAt ? 'ACCEPTED' : expiresAt > session.now ? 'INVITED' : 'EXPIRED';
    return { state, created, expiresAt, usedAt };
  });
};

/** An invitation found by its link, as its page shows it. */
interface FoundInvitation {
  readonly state: 'open' | 'used' | 'ended';
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly organization: string;
}

interface Row extends Omit<FoundInvitation, 'state' | 'userId'> {
  readonly id: string;
  readonly teamId: string;
  readonly organizationId: string;
  readonly role: Role | null;
  readonly isActive: boolean;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/**
 * Finds an invitation by the secret of its link. The statement has no caller, because whoever has the secret
 * has no token yet.
 */
async function findRow(database: Database, secret: string): Promise<Row | undefined> {
  if (!secretPattern.test(secret)) return undefined;
  const statement = sql`
    SELECT users.id, users.name AS "userName", users.email, users.role::text AS role, users.is_active AS "isActive",
      users.team_id AS "teamId", users.organization_id AS "organizationId", organizations.name AS organization,
      invitations.expires_at AS "expiresAt", invitations.used_at AS "usedAt"
    FROM invitations JOIN users ON users.id = invitations.user_id
      JOIN organizations ON organizations.id = invitations.organization_id
    WHERE invitations.hash = ${hashToken(secret)}`;
  const [row] = await database.query<Row>(prepared('invitations.find', statement));
  return row;
}

function stateOf({ usedAt, expiresAt, isActive }: Row, now: Date): FoundInvitation['state'] {
  if (usedAt) return 'used';
  return isActive && expiresAt > now ? 'open' : 'ended';
}

/** Finds the invitation of a link, if the secret is valid. It changes nothing. */
export async function findInvitation(
  database: Database,
  secret: string,
  now: Date,
): Promise<FoundInvitation | undefined> {
  const row = await findRow(database, secret);
  if (!row) return undefined;
  const { id: userId, userName, email, organization } = row;
  return { state: stateOf(row, now), userId, userName, email, organization };
}

/**
 * Uses up the link of an invitation. Of concurrent requests, only one succeeds.
 * @param work of the invited user, in the same transaction
 * @returns undefined if the link is not valid
 */
export async function useInvitation<T>(
  database: Database,
  secret: string,
  now: Date,
  work: (tx: Transaction, user: RowOf<'User'> & { readonly role: Role }) => Promise<T>,
): Promise<T | undefined> {
  const row = await findRow(database, secret);
  if (!row?.role || stateOf(row, now) !== 'open') return undefined;
  const { id, userName: name, email, teamId, organizationId } = row;
  const owner = ownerAsCaller({ id, name, email, teamId, organizationId });
  return database.inTransaction(async (tx) => {
    // Read again under the lock, because the user may have changed.
    const user = await lockUser(tx, id);
    const { role, isActive } = user;
    if (!role || !isActive) return undefined;
    const use = sql`
      UPDATE invitations SET used_at = ${now}
      WHERE hash = ${hashToken(secret)} AND user_id = ${id}::uuid AND used_at IS NULL AND expires_at > ${now}
      RETURNING user_id`;
    if ((await tx.run(prepared('invitations.use', use))).length === 0) return undefined;
    return work(tx, { ...user, role });
  }, owner);
}

/** Creates the token of an invited user, which uses up the link; see `useInvitation`. */
export function acceptInvitation(database: Database, secret: string, now: Date): Promise<string | undefined> {
  return useInvitation(database, secret, now, async (tx, { id, organizationId, role }) => {
    const given = { organizationId, userId: id, name: 'Invitation', role, expiresAt: null };
    return (await insertToken(tx, given, now)).token;
  });
}
