import type { Logger } from 'pino';
import { endFirstToken, userEvent } from '../access/people.js';
import { hashToken, ownerAsCaller, randomSecret } from '../access/tokens.js';
import { deleteOwnFeeds } from '../calendar/feeds.js';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sweep } from '../db/queue/queue.js';
import type { Secrets } from '../db/secrets/secrets.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { insertRows, updateRows } from '../db/sql/write.js';
import { hasRight, personOf, type SignInWay, secretPattern, sessionTimes } from '../domain/caller.js';
import { addDays } from '../domain/dates.js';
import { notFound } from '../domain/errors.js';
import type { EventName } from '../domain/models.js';
import { isUuid, newId } from '../domain/rules.js';
import { browserName } from '../domain/text/formats.js';
import { logEvent } from '../records/event-logs.js';
import type { Attempts } from './attempts.js';
import type { PasswordHasher } from './password-hasher.js';

/** The parts of the gateway that signing in needs. */
export interface SignInContext {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly hasher: PasswordHasher;
  readonly attempts: Attempts;
  readonly log: Pick<Logger, 'info'>;
  /** Ways that the settings allow. */
  readonly ways: readonly SignInWay[];
  /** Returns whether mail can be sent, with links to the gateway. */
  readonly sendsMail: () => Promise<boolean>;
  /** The console's client id at the issuer. Undefined if people cannot sign in there. */
  readonly issuerClient: string | undefined;
}

/** Events of people who sign in. */
type SignInEvent = Extract<EventName, 'signed in' | 'sign-in failed' | 'sign-in changed' | 'signed out'>;

/** The ways to sign in, in the words of events. */
export const wayTexts: Readonly<Record<SignInWay, string>> = {
  PASSWORD: 'a password',
  PASSKEY: 'a passkey',
  LINK: 'a link',
  OIDC: 'the issuer',
};

/** The browser that somebody uses, and its address. */
interface Place {
  readonly agent: string;
  readonly address: string;
}

/** Says which browser somebody used, and from which address, for events. */
export const placeOf = ({ agent, address }: Place): string =>
  `(${browserName(agent, ' on ') ?? 'unknown browser'}, ${address})`;

/**
 * Logs what a user did to sign in. The event belongs to the user's default workspace; for an author who does
 * not see that one, nothing is logged.
 */
export async function logSignIn(
  tx: Transaction,
  user: Pick<RowOf<'User'>, 'name' | 'email' | 'teamId'>,
  type: SignInEvent,
  what: string,
  now: Date,
): Promise<void> {
  const { caller } = tx;
  if (!caller.teamIds.includes(user.teamId)) return;
  await logEvent(tx, { caller, now }, userEvent(type, user, what, user.teamId));
}

/**
 * Logs a failed attempt to sign in to an account. The event is written while the answer is on its way, so that
 * a known account takes no longer.
 */
export function logFailure(
  { database, log }: Pick<SignInContext, 'database' | 'log'>,
  account: Pick<RowOf<'User'>, 'id' | 'name' | 'email' | 'teamId' | 'organizationId'>,
  reason: string,
  place: Place,
  now: Date,
): void {
  const what = `was not signed in: ${reason} ${placeOf(place)}`;
  database
    .inTransaction((tx) => logSignIn(tx, account, 'sign-in failed', what, now), ownerAsCaller(account))
    .catch(({ message }: Error) => log.info({ reason: message }, 'A failed sign-in could not be logged'));
}

/** The browser that somebody signs in with. */
export interface Visitor {
  readonly address: string;
  readonly agent: string;
  /** The secret of the device's cookie, if it has one. */
  readonly device: string | undefined;
}

/** Secrets of a session that has just begun. They are available only now. */
export interface BegunSession {
  readonly secret: string;
  readonly device: string;
}

/** A session to begin. */
interface NewSession {
  readonly visitor: Visitor;
  /** The secret of the device. */
  readonly device: string;
  readonly method: SignInWay;
  /** True if the second factor is still missing. */
  readonly isPending: boolean;
  /** True if a second factor was proved. */
  readonly hasSecondFactor: boolean;
}

/**
 * Returns the secret of a device that the account knows, or else a new one. Whoever can plant a cookie would
 * otherwise make a device of their own a known one.
 */
export const deviceFor = ({ knowsDevice }: { readonly knowsDevice: boolean }, { device }: Visitor): string =>
  knowsDevice && device !== undefined ? device : randomSecret();

/** The most characters of a browser's description of itself that are kept. */
const longestAgent = 255;

/** Begins a session in the transaction that proved who the user is, with the event. */
export async function beginSession(
  tx: Transaction,
  user: RowOf<'User'>,
  { visitor, device, method, isPending, hasSecondFactor }: NewSession,
  now: Date,
): Promise<BegunSession> {
  const secret = randomSecret();
  const after = (ms: number) => new Date(now.getTime() + ms);
  await insertRows(tx, 'SignInSession', [
    {
      ...{ id: newId(), organizationId: user.organizationId, userId: user.id },
      ...{ hash: hashToken(secret), deviceHash: hashToken(device), method, isPending },
      ...{ secondFactorAt: hasSecondFactor ? now : null, confirmedAt: now, created: now, lastUsedAt: now },
      ...{ address: visitor.address, agent: visitor.agent.slice(0, longestAgent).toWellFormed() },
      expiresAt: after(isPending ? sessionTimes.pending : sessionTimes.lifetime),
    },
  ]);
  const what = `signed in with ${wayTexts[method]} ${placeOf(visitor)}`;
  if (!isPending) await logSignIn(tx, user, 'signed in', what, now);
  return { secret, device };
}

/** A session as its user sees it. */
export type ShownSession = Omit<RowOf<'SignInSession'>, 'hash' | 'deviceHash'> & {
  /** True for the session of the request. */
  readonly isCurrent: boolean;
};

const shown = (
  { hash: _, deviceHash: __, ...row }: RowOf<'SignInSession'>,
  { caller }: Pick<Session, 'caller'>,
): ShownSession => ({ ...row, isCurrent: row.id === caller.tokenId });

const unended = (now: Date) => ({
  revokedAt: null,
  isPending: false,
  expiresAt: { gt: now },
  lastUsedAt: { gt: new Date(now.getTime() - sessionTimes.idle) },
});

async function listSessionsOf(session: Session, userId: string): Promise<ShownSession[]> {
  const { now } = session;
  const orderBy = [{ lastUsedAt: 'desc' as const }, { id: 'desc' as const }];
  const rows = await readRows(session, 'SignInSession', { where: { userId, ...unended(now) }, orderBy });
  return rows.map((row) => shown(row, session));
}

/** Lists the caller's own sessions that have not ended, the last used first. */
export const listSessions = (session: Session): Promise<ShownSession[]> =>
  listSessionsOf(session, personOf(session.caller).id);

/**
 * Lists the sessions of a user of the caller's organization, like `listSessions`.
 * @throws GatewayError NOT_FOUND
 */
export async function listUserSessions(session: Session, id: string): Promise<ShownSession[]> {
  const userId = id.toLowerCase();
  const known = isUuid(id) ? await readRows(session, 'User', { where: { id: userId } }, ['id']) : [];
  if (known.length === 0) throw notFound('user', id);
  return listSessionsOf(session, userId);
}

/**
 * Ends sessions of a user in a transaction, with one event.
 * @param except the session that stays
 * @returns the number of ended sessions
 */
export async function endSessionsOf(
  tx: Transaction,
  user: RowOf<'User'>,
  now: Date,
  { only, except }: { readonly only?: string; readonly except?: string | undefined } = {},
): Promise<number> {
  const where = {
    userId: user.id,
    revokedAt: null,
    ...(only !== undefined && { id: only }),
    ...(except !== undefined && { NOT: { id: except } }),
  };
  const ended = await updateRows(tx, 'SignInSession', where, { revokedAt: now });
  if (ended.length === 0) return 0;
  const what = ended.length === 1 ? 'a session was ended' : `${ended.length} sessions were ended`;
  await logSignIn(tx, user, 'signed out', `signed out: ${what}`, now);
  return ended.length;
}

/**
 * Ends the sessions of ways that the settings do not allow any more.
 * @returns the number of ended sessions
 */
export async function endOtherWays(
  database: Database,
  ways: readonly SignInWay[],
  now: Date,
): Promise<number> {
  const statement = sql`
    UPDATE sessions SET revoked_at = ${now}
    WHERE revoked_at IS NULL AND NOT method::text = ANY(${ways}::text[]) RETURNING 1`;
  return (await database.query(prepared('sessions.end_other_ways', statement))).length;
}

/** Reads the caller's own user. */
async function ownUser(tx: Transaction): Promise<RowOf<'User'>> {
  const [user] = await readRows(tx, 'User', { where: { id: personOf(tx.caller).id } });
  if (!user) throw new Error("The caller's user is gone.");
  return user;
}

/**
 * Ends a session of the caller. Administrators also end those of others in their organization.
 * @returns it as it was; null if it has ended already
 * @throws GatewayError NOT_FOUND
 */
export async function endSession(session: Session, id: string): Promise<ShownSession | null> {
  const { caller, now } = session;
  const own = hasRight(caller, 'administer') ? {} : { userId: personOf(caller).id };
  const only = id.toLowerCase();
  return session.inTransaction(async (tx) => {
    const [found] = isUuid(id) ? await readRows(tx, 'SignInSession', { where: { id: only, ...own } }) : [];
    const [user] = found ? await readRows(tx, 'User', { where: { id: found.userId } }) : [];
    if (!found || !user) throw notFound('session', id);
    return (await endSessionsOf(tx, user, now, { only })) > 0 ? shown(found, session) : null;
  });
}

/**
 * Gives the caller's session a new secret. The old one stops working.
 * @param proved times at which its user has just proved who they are, and a second factor. Other changes do
 *   not set them: a password alone does not confirm anybody who has a second factor
 */
export async function renewSecret(
  tx: Transaction,
  proved: { readonly confirmedAt?: Date; readonly secondFactorAt?: Date } = {},
): Promise<string> {
  const secret = randomSecret();
  const values = { hash: hashToken(secret), ...proved };
  await updateRows(tx, 'SignInSession', { id: tx.caller.tokenId }, values);
  return secret;
}

/**
 * Ends all of the caller's sessions but the one of the request.
 * @param withFeeds whether the caller's calendars end, too
 * @returns the number of ended sessions
 */
export function endOtherSessions(session: Session, withFeeds: boolean): Promise<number> {
  const except = session.caller.signIn ? session.caller.tokenId : undefined;
  return session.inTransaction(async (tx) => {
    if (withFeeds) await deleteOwnFeeds(tx);
    return endSessionsOf(tx, await ownUser(tx), session.now, { except });
  });
}

/** Ends the session of a cookie, if there is one. */
export async function signOut(database: Database, secret: string, now: Date): Promise<void> {
  if (!secretPattern.test(secret)) return;
  const statement = sql`
    SELECT session.id AS "sessionId", users.id, users.name, users.email, users.team_id AS "teamId",
      users.organization_id AS "organizationId"
    FROM sessions AS session JOIN users ON users.id = session.user_id
    WHERE session.hash = ${hashToken(secret)} AND session.revoked_at IS NULL`;
  const [found] = await database.query<RowOf<'User'> & { readonly sessionId: string }>(
    prepared('sessions.find', statement),
  );
  if (!found) return;
  const { sessionId: only, ...user } = found;
  await database.inTransaction((tx) => endSessionsOf(tx, user, now, { only }), ownerAsCaller(user));
}

/** Days for which ended sessions and used links are kept. */
const keptDays = 30;

/**
 * Deletes sessions, links and challenges that ended long ago. Sessions are kept for a while, because a device
 * that somebody has signed in with is recognized by them. The first token ends if an administrator can sign in.
 */
export async function forgetSignIns(database: Database, now: Date): Promise<void> {
  const ended = (at: Date) => ({ where: sql`expires_at < ${at}::timestamptz`, order: 'expires_at' });
  const before = addDays(now, -keptDays);
  await endFirstToken(database, now);
  await sweep(database, { table: 'sessions', ...ended(before) });
  await sweep(database, { table: 'sign_in_links', key: 'hash', ...ended(before) });
  await sweep(database, { table: 'sign_in_challenges', key: 'hash', ...ended(now), isShared: true });
}
