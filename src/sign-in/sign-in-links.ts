import { lockUser } from '../access/people.js';
import { hashToken, ownerAsCaller, randomSecret } from '../access/tokens.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sameAddressSql } from '../db/sql/addresses.js';
import type { EnumOf, RowOf } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { insertRows } from '../db/sql/write.js';
import { checkAdministrator, secretPattern, signInLinkSubject } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { newId } from '../domain/rules.js';
import { browserName } from '../domain/text/formats.js';
import { type Account, accountById, accountsByEmail, checkAccount, checkWay } from './accounts.js';
import { checkNewPassword, hashPassword, storePassword } from './passwords.js';
import { endSessionsOf, logSignIn, placeOf, type SignInContext, type Visitor } from './sessions.js';
import { completeSignIn, type SignedIn } from './sign-in.js';

/** Lifetimes of links, in milliseconds. */
const lifetimes = {
  /** A link that was sent by mail. The mail says how long. */
  mail: 15 * 60_000,
  /** A link that an administrator passes on. */
  administrator: 86_400_000,
} as const;

/** Returns the address of the page that a link opens. The secret comes after `#`, so it reaches no log. */
export const addressOfLink = (origin: string, purpose: EnumOf<'SignInPurpose'>, secret: string) =>
  `${origin}/sign-in/${purpose === 'RESET' ? 'reset' : 'link'}#${secret}`;

/**
 * Creates a link for a user. Earlier links of administrators with the same purpose stop working, and earlier
 * mails keep theirs: otherwise, somebody who asks for another mail could make the link of this one useless.
 * @param email the address that the link is sent to; null if an administrator passes it on
 * @returns its secret, which is available only now
 */
export async function makeLink(
  tx: Transaction,
  { id, organizationId }: Pick<RowOf<'User'>, 'id' | 'organizationId'>,
  { purpose, email }: { readonly purpose: EnumOf<'SignInPurpose'>; readonly email: string | null },
  now: Date,
): Promise<string> {
  if (email === null) await endLinks(tx, id, now, purpose);
  const secret = randomSecret();
  const expiresAt = new Date(now.getTime() + lifetimes[email === null ? 'administrator' : 'mail']);
  const statement = sql`
    INSERT INTO sign_in_links (hash, organization_id, user_id, purpose, email, expires_at, created)
    VALUES (${hashToken(secret)}, ${organizationId}::uuid, ${id}::uuid, ${purpose}::sign_in_purpose, ${email},
      ${expiresAt}, ${now})`;
  await tx.run(prepared('sign_in_links.insert', statement));
  return secret;
}

/** Ends the unused links of a user, of one purpose or all. */
async function endLinks(
  tx: Transaction,
  userId: string,
  now: Date,
  purpose: EnumOf<'SignInPurpose'> | null = null,
): Promise<void> {
  const statement = sql`
    UPDATE sign_in_links SET used_at = ${now}
    WHERE user_id = ${userId}::uuid AND used_at IS NULL
      AND (${purpose}::text IS NULL OR purpose::text = ${purpose})`;
  await tx.run(prepared('sign_in_links.end', statement));
}

const invalidLink = () =>
  new GatewayError('FORBIDDEN', 'The link has expired or was used already. Ask for a new one.');

/** Finds the account of a link. @throws GatewayError FORBIDDEN unless the link is valid */
async function findAccount(
  { database }: SignInContext,
  secret: string,
  purpose: EnumOf<'SignInPurpose'>,
  { visitor, now }: OpenedLink,
): Promise<Account> {
  if (!secretPattern.test(secret)) throw invalidLink();
  const statement = sql`
    SELECT link.user_id AS "userId", link.email IS NULL OR ${sameAddressSql(sql`link.email`, sql`users.email`)} AS "isCurrent"
    FROM sign_in_links AS link JOIN users ON users.id = link.user_id
    WHERE link.hash = ${hashToken(secret)} AND link.purpose::text = ${purpose}
      AND link.used_at IS NULL AND link.expires_at > ${now}`;
  const [link] = await database.query<{ userId: string; isCurrent: boolean }>(
    prepared('sign_in_links.find', statement),
  );
  // Who has lost an address must not sign in with a link to it.
  const account = link?.isCurrent ? await accountById(database, link.userId, visitor) : undefined;
  if (!account) throw invalidLink();
  return account;
}

/** Uses up a link, and with it all others of its user. Of concurrent requests, only one succeeds. */
async function consume(tx: Transaction, secret: string, now: Date): Promise<void> {
  const use = sql`
    UPDATE sign_in_links SET used_at = ${now}
    WHERE hash = ${hashToken(secret)} AND used_at IS NULL AND expires_at > ${now} RETURNING user_id AS "userId"`;
  const [used] = await tx.run<{ userId: string }>(prepared('sign_in_links.use', use));
  if (!used) throw invalidLink();
  await endLinks(tx, used.userId, now);
  const accept = sql`
    UPDATE invitations SET used_at = ${now} WHERE user_id = ${used.userId}::uuid AND used_at IS NULL`;
  await tx.run(prepared('invitations.end', accept));
}

/** A browser that opens a link. */
export interface OpenedLink {
  readonly visitor: Visitor;
  /** The secret of the session that the browser has, which ends. */
  readonly replaced: string | undefined;
  readonly now: Date;
}

/**
 * Sets the password of a link's user, and signs them in. All of their sessions end. A second factor is still
 * needed.
 * @throws GatewayError FORBIDDEN unless the link is valid and passwords are allowed; BAD_REQUEST for a
 *   password that breaks the rules, which does not use up the link
 */
export async function resetPassword(
  context: SignInContext,
  { secret, password }: { readonly secret: string; readonly password: string },
  arrival: OpenedLink,
): Promise<SignedIn> {
  checkWay(context, 'PASSWORD');
  const account = await findAccount(context, secret, 'RESET', arrival);
  checkAccount(account, 'PASSWORD');
  const normal = await checkNewPassword(password, account);
  const phc = await hashPassword(context, account, normal, {
    organizationId: account.organizationId,
    personId: arrival.visitor.address,
  });
  const { visitor, replaced, now } = arrival;
  await context.database.inTransaction(async (tx) => {
    const user = await lockUser(tx, account.id);
    await consume(tx, secret, now);
    await storePassword(tx, user, phc, now);
    await logSignIn(tx, user, 'sign-in changed', `set a new password with a link ${placeOf(visitor)}`, now);
    await endSessionsOf(tx, user, now);
  }, ownerAsCaller(account));
  return completeSignIn(context, account, { visitor, method: 'PASSWORD', replaced }, now);
}

/**
 * Signs in the user of a link, once.
 * @throws GatewayError FORBIDDEN unless the link is valid and links are allowed
 */
export async function signInWithLink(
  context: SignInContext,
  secret: string,
  arrival: OpenedLink,
): Promise<SignedIn> {
  checkWay(context, 'LINK');
  const account = await findAccount(context, secret, 'SIGN_IN', arrival);
  checkAccount(account, 'LINK');
  const { visitor, replaced, now } = arrival;
  await context.database.inTransaction((tx) => consume(tx, secret, now), ownerAsCaller(account));
  return completeSignIn(context, account, { visitor, method: 'LINK', replaced }, now);
}

/**
 * Creates a link for a user of the caller's organization to sign in once. An administrator passes it on. It
 * also sets a new password, if passwords are allowed.
 * @param origin where people reach the gateway
 * @throws GatewayError FORBIDDEN in a session whose user must be confirmed first; NOT_FOUND; CONFLICT for a
 *   user who cannot sign in here
 */
export async function createSignInLink(
  context: SignInContext,
  session: Session,
  userId: string,
  origin: string,
): Promise<string> {
  checkAdministrator(session);
  const { now } = session;
  return session.inTransaction(async (tx) => {
    const { id } = await lockUser(tx, userId);
    const visitor = { address: '', agent: '', device: undefined };
    const account = await accountById(context.database, id, visitor);
    if (!account || account.isIssuers) {
      const why = account ? 'signs in at an issuer' : 'is deactivated';
      throw new GatewayError('CONFLICT', `The user ${why}.`);
    }
    const allows = (way: 'PASSWORD' | 'LINK') => context.ways.includes(way) && account.ways.includes(way);
    if (!allows('PASSWORD') && !allows('LINK')) {
      throw new GatewayError('CONFLICT', 'Passwords and links are turned off.');
    }
    const purpose = allows('PASSWORD') ? 'RESET' : 'SIGN_IN';
    const secret = await makeLink(tx, account, { purpose, email: null }, now);
    await logSignIn(
      tx,
      { ...account, teamId: tx.caller.user.teamId },
      'sign-in changed',
      'was given a link to sign in',
      now,
    );
    return addressOfLink(origin, purpose, secret);
  });
}

/** Purpose of a mailed link: signing in, or a new password. */
type MailedPurpose = Exclude<EnumOf<'SignInPurpose'>, 'CONFIRM'>;

/** A request for a link, as the queue keeps it. */
export interface LinkRequest {
  readonly purpose: MailedPurpose;
  /** The browser and the network address that asked for it. They are deleted with the end of the delivery. */
  readonly from: { readonly browser: string | null; readonly address: string };
}

/** The way to sign in that a purpose belongs to. */
export const wayOfPurpose = { SIGN_IN: 'LINK', RESET: 'PASSWORD' } as const;

/** Queues the mail to an account. Its link is made when the mail is sent, so that it is valid from then on. */
async function queueMail(
  { database }: SignInContext,
  account: Account,
  { purpose, from }: LinkRequest,
  now: Date,
): Promise<void> {
  const { id: subjectId, email: address, organizationId, teamId } = account;
  const id = newId();
  const payload = { purpose, from: { ...from } };
  const mail = {
    ...{ id, organizationId, teamId, kind: 'MAIL' as const, created: now, dueAt: now, payload, address },
    ...{ dedupeKey: `${signInLinkSubject} ${id}`, subjectKind: signInLinkSubject, subjectId },
  };
  await database.inTransaction((tx) => insertRows(tx, 'Delivery', [mail]), ownerAsCaller(account));
}

/** Queues a mail to each account with an address that may have one. */
async function answerByMail(
  context: SignInContext,
  email: string,
  purpose: MailedPurpose,
  visitor: Visitor,
  now: Date,
): Promise<void> {
  const from = { browser: browserName(visitor.agent), address: visitor.address };
  for (const account of await accountsByEmail(context.database, email, visitor)) {
    if (account.isIssuers || !account.ways.includes(wayOfPurpose[purpose])) continue;
    const attempt = {
      ...{ account: account.id, address: visitor.address, isKnownAddress: account.knowsAddress },
      knownDevice: account.knowsDevice ? visitor.device : undefined,
    };
    const isTaken = context.attempts.takeMail(attempt);
    if (isTaken) await queueMail(context, account, { purpose, from }, now);
    const outcome = isTaken ? 'queued' : 'too many';
    context.log.info({ userId: account.id, purpose, outcome }, 'Somebody asked for a link by mail');
  }
}

/**
 * Sends a link by mail to whoever has an address. The answer does not depend on the address in any way, because
 * nobody looks for it before the answer.
 * @throws GatewayError FORBIDDEN if the settings turn the way off, or no mail can be sent; TOO_MANY_REQUESTS
 */
export async function requestLink(
  context: SignInContext,
  { email, purpose }: { readonly email: string; readonly purpose: MailedPurpose },
  { visitor, now }: { readonly visitor: Visitor; readonly now: Date },
): Promise<void> {
  checkWay(context, wayOfPurpose[purpose]);
  if (!(await context.sendsMail())) {
    throw new GatewayError('FORBIDDEN', 'No mail can be sent, because no mail server is set up.');
  }
  context.attempts.ask(visitor.address);
  answerByMail(context, email.trim(), purpose, visitor, now).catch(({ message }: Error) =>
    context.log.info({ reason: message }, 'A link could not be sent by mail'),
  );
}
