import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertRows, updateRows } from '../db/sql/write.js';
import { paths } from '../domain/doors/paths.js';
import { badField, GatewayError } from '../domain/errors.js';
import { type Role, roles } from '../domain/roles.js';
import { check, newId, rules } from '../domain/rules.js';
import { Prisma, type User } from '../generated/prisma/client.js';
import { logEvent } from '../records/event-logs.js';
import { keepingAdministrator, lockOrganization } from './administrators.js';
import { changingUsers, lockUser, userEvent } from './people.js';
import { hashToken, insertToken, ownerAsCaller } from './tokens.js';

const { sql } = Prisma;

/** Milliseconds for which a link can be used. */
const lifetime = 7 * 86_400_000;

/** Values of an invitation, as an admin sends them. */
export interface NewInvitation {
  readonly email: string;
  /** Name of the user; the part of the address before the @ when left out. */
  readonly name?: string | null | undefined;
  readonly role: Role;
  /** Workspaces of the user, the default one first. Left out, it is the caller's own. */
  readonly teamIds?: readonly string[] | null | undefined;
}

/** A user who was invited, and the secret of the link. It is known only now. */
export interface Invited {
  readonly user: User;
  readonly secret: string;
}

const invitationRules = z.object({
  email: rules.email,
  name: rules.requiredLine.nullish(),
  role: z.enum(roles, 'must be a role'),
  teamIds: rules.uuids.nullable(),
});

/** Makes the text of a link's secret of 256 random bits. */
const randomSecret = () => randomBytes(32).toString('base64url');

/** Tells whether a text could be the secret of a link. */
export const isSecret = (text: string) => /^[\w-]{43}$/.test(text);

/** Returns the address of the page where an invited user makes the first token. */
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

/** Finds the user of an address, who may be invited again. @throws GatewayError CONFLICT for one who may not */
async function findWaiting(tx: Transaction, email: string): Promise<User | undefined> {
  const [known] = await readRows(tx, 'User', { where: { email: { key: email } } }, ['id']);
  if (!known) return undefined;
  const user = await lockUser(tx, known.id);
  const unused = { where: { userId: user.id, usedAt: null } };
  const [waiting] = await readRows(tx, 'Invitation', unused, ['userId']);
  const problem = !user.isActive ? 'is that of a user who is deactivated' : 'is already in use';
  if (!user.isActive || !waiting) throw new GatewayError('CONFLICT', problem, { path: ['email'] });
  return user;
}

/**
 * Invites somebody into the organization of a transaction's caller, with the event. Who was invited and has not come in
 * gets a new link, and what is said now holds; the link before opens nothing any more.
 * @throws GatewayError BAD_REQUEST naming what is wrong; CONFLICT for the address of a user who has come in, or is
 *   deactivated
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
  const secret = randomSecret();
  const expiresAt = new Date(now.getTime() + lifetime);
  const invitation = { userId: id, organizationId, hash: hashToken(secret), expiresAt, created: now };
  await insertRows(tx, 'Invitation', [invitation]);
  const user = await lockUser(tx, id);
  const what = `was invited with the role ${values.role.toLowerCase()}`;
  await logEvent(tx, { caller, now }, userEvent('user invited', user, what, caller.user.teamId));
  return { user, secret };
}

/** Kind of deliveries that are invitations. */
export const invitationSubject = 'invitation';

/** Names what the secret of an invitation's delivery is sealed for. It can be opened for nothing else. */
export const invitationSeal = (deliveryId: string) => `invitation ${deliveryId}`;

/**
 * Queues the mail that takes a link to the invited. Its secret is sealed: whoever reads the queue could come in by it.
 */
async function queueMail(tx: Transaction, session: Session, { user, secret }: Invited): Promise<void> {
  if (!session.sendsMail || !session.secrets) return;
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
}

/**
 * Invites somebody into the caller's organization; see `inviteIn`. This is where a link is told: the caller gets it with
 * the answer, and may hand it on. Where mail is set up, the invited gets it as well.
 * @param origin where people reach the gateway
 */
export async function inviteUser(
  session: Session,
  given: NewInvitation,
  origin: string,
): Promise<{ readonly user: User; readonly link: string }> {
  const { user, secret } = await changingUsers(session, async (tx) => {
    const invited = await inviteIn(tx, given, session.now);
    await queueMail(tx, session, invited);
    return invited;
  });
  return { user, link: invitationLink(origin, secret) };
}

/** An invitation that a link leads to, as its page shows it. */
export interface FoundInvitation {
  readonly state: 'open' | 'used' | 'ended';
  readonly userName: string;
  readonly email: string;
  readonly organization: string;
}

interface Row extends Omit<FoundInvitation, 'state'> {
  readonly id: string;
  readonly teamId: string;
  readonly organizationId: string;
  readonly role: Role | null;
  readonly isActive: boolean;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Finds an invitation by the secret of its link. It is nobody's statement: whoever has the secret has no token yet. */
async function findRow(database: Database, secret: string): Promise<Row | undefined> {
  if (!isSecret(secret)) return undefined;
  const statement = sql`
    SELECT users.id, users.name AS "userName", users.email, users.role::text AS role, users.is_active AS "isActive",
      users.team_id AS "teamId", users.organization_id AS "organizationId", organizations.name AS organization,
      invitations.expires_at AS "expiresAt", invitations.used_at AS "usedAt"
    FROM invitations JOIN users ON users.id = invitations.user_id
      JOIN organizations ON organizations.id = invitations.organization_id
    WHERE invitations.hash = ${hashToken(secret)}`;
  const [row] = await database.query<Row>(named('invitations.find', statement));
  return row;
}

function stateOf({ usedAt, expiresAt, isActive }: Row, now: Date): FoundInvitation['state'] {
  if (usedAt) return 'used';
  return isActive && expiresAt > now ? 'open' : 'ended';
}

/** Finds the invitation of a link, if the secret is one. It changes nothing. */
export async function findInvitation(
  database: Database,
  secret: string,
  now: Date,
): Promise<FoundInvitation | undefined> {
  const row = await findRow(database, secret);
  if (!row) return undefined;
  const { userName, email, organization } = row;
  return { state: stateOf(row, now), userName, email, organization };
}

/**
 * Makes the token of an invited user, once: the link is used up with it. Of several at once, one makes a token.
 * @returns undefined when the link is not open
 */
export async function acceptInvitation(
  database: Database,
  secret: string,
  now: Date,
): Promise<string | undefined> {
  const row = await findRow(database, secret);
  if (!row?.role || stateOf(row, now) !== 'open') return undefined;
  const { id, userName: name, email, teamId, organizationId } = row;
  const owner = ownerAsCaller({ id, name, email, teamId, organizationId });
  return database.inTransaction(async (tx) => {
    // What was read before may have changed: locked, it does not any more.
    const { role, isActive } = await lockUser(tx, id);
    if (!role || !isActive) return undefined;
    const use = sql`
      UPDATE invitations SET used_at = ${now}
      WHERE hash = ${hashToken(secret)} AND user_id = ${id}::uuid AND used_at IS NULL AND expires_at > ${now}
      RETURNING user_id`;
    if ((await tx.run(named('invitations.use', use))).length === 0) return undefined;
    const given = { organizationId, userId: id, name: 'Invitation', role, expiresAt: null };
    return (await insertToken(tx, given, now)).token;
  }, owner);
}
