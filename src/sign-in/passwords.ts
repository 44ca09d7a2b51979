import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sameAddressSql } from '../db/sql/addresses.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { isConfirmed, personOf } from '../domain/caller.js';
import { badField, GatewayError, unauthorized } from '../domain/errors.js';
import type { Owner } from '../domain/load/shares.js';
import { type Account, accountsByEmail, checkAccount, checkWay } from './accounts.js';
import type { SignInAttempt } from './attempts.js';
import type { KeySender } from './password-hasher.js';
import {
  endSessionsOf,
  logFailure,
  logSignIn,
  renewSecret,
  type SignInContext,
  type Visitor,
} from './sessions.js';
import { completeSignIn, type SignedIn } from './sign-in.js';

/** The number of characters that a password has. The maximum bounds the work of checking it. */
export const passwordLength = { least: 10, most: 200 } as const;

/** Characters of a password that are judged. More would take long, and make no password worse. */
const judged = 64;

/**
 * The least number of guesses that a password must withstand, as a power of ten. Common passwords, and what
 * is made from them by the usual rules, take fewer.
 */
const leastGuesses = 8;

/**
 * Normalizes a password for hashing, so that every keyboard produces the same one. It follows the profile
 * OpaqueString of RFC 8265: any white space becomes a space, and characters are composed.
 */
function normalizePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Loads the estimator of guesses. It has a list of 49,000 common passwords, which most processes never need. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

let estimator: ReturnType<typeof loadEstimator> | undefined;

/**
 * Checks a new password, and returns it normalized.
 * @param at its name in the input
 * @param user whose own words are the first that others would guess
 * @throws GatewayError BAD_REQUEST if it is too short, too long, or among the first that anybody would guess
 */
export async function checkNewPassword(
  password: string,
  { name, email }: Pick<RowOf<'User'>, 'name' | 'email'>,
  at = 'password',
): Promise<string> {
  const normal = normalizePassword(password);
  const { length } = [...normal];
  const { least, most } = passwordLength;
  if (length < least) throw badField([at], `must have at least ${least} characters`, 'length');
  if (length > most) throw badField([at], `must have at most ${most} characters`, 'length');
  if (!normal.isWellFormed()) throw badField([at], 'must be well-formed Unicode', 'characters');
  estimator ??= loadEstimator();
  const own = [name, email, ...email.split(/[@.]/), ...name.split(/\s+/)].filter((word) => word.length > 2);
  const { guessesLog10 } = (await estimator).check(normal.slice(0, judged), own);
  if (guessesLog10 < leastGuesses) {
    throw badField([at], 'is too easy to guess: it is a common password, or close to one');
  }
  return normal;
}

/** Creates the only answer to a wrong password and to an unknown address. */
const refusal = () => unauthorized('The e-mail address or the password is wrong.');

/** A password that somebody signs in with. */
interface SentPassword {
  readonly email: string;
  readonly password: string;
}

/** Stores a password of a user. */
export async function storePassword(
  tx: Transaction,
  { id, organizationId }: Pick<RowOf<'User'>, 'id' | 'organizationId'>,
  phc: string,
  changedAt: Date,
): Promise<void> {
  const statement = sql`
    INSERT INTO passwords (user_id, organization_id, phc, changed_at)
    VALUES (${id}::uuid, ${organizationId}::uuid, ${phc}, ${changedAt})
    ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc, changed_at = excluded.changed_at`;
  await tx.run(prepared('passwords.store', statement));
}

function attemptOf(email: string, accounts: readonly Account[], { address, device }: Visitor): SignInAttempt {
  return {
    account: email,
    address,
    knownDevice: accounts.some(({ knowsDevice }) => knowsDevice) ? device : undefined,
    isKnownAddress: accounts.some(({ knowsAddress }) => knowsAddress),
  };
}

/** Counts and logs a failed attempt. Who tried an unknown account is not logged. */
function noteFailure(
  context: SignInContext,
  attempt: SignInAttempt,
  accounts: readonly Account[],
  { visitor, now }: { readonly visitor: Visitor; readonly now: Date },
): void {
  const { attempts, log } = context;
  const isNotable = attempts.fail(attempt);
  const [account] = accounts;
  log.info({ userId: account?.id ?? null, method: 'PASSWORD', outcome: 'failed' }, 'A sign-in failed');
  if (account && isNotable) logFailure(context, account, 'the password was wrong', visitor, now);
}

/** An account with a password. */
type WithPassword = Account & { readonly phc: string };

const withPasswords = (accounts: readonly Account[]) =>
  accounts.filter((account): account is WithPassword => account.phc !== null);

/**
 * Finds the account whose password was sent. The work is the same for an address that nobody has, one account or
 * several: otherwise its time would tell which it is.
 */
async function findMatch(
  { hasher }: SignInContext,
  accounts: readonly WithPassword[],
  password: string,
  sender: KeySender,
): Promise<WithPassword | undefined> {
  const hashes = accounts.map(({ phc }) => phc);
  return accounts[await hasher.find(hashes, password, sender)];
}

/**
 * Hashes a new password of an account. Accounts of several organizations with one address share their salt, so
 * that one computation checks a password against all of them.
 * @param sender as in `PasswordHasher.hash`
 */
export async function hashPassword(
  { hasher, database }: Pick<SignInContext, 'hasher' | 'database'>,
  { id, email }: Pick<RowOf<'User'>, 'id' | 'email'>,
  password: string,
  sender: Owner,
): Promise<string> {
  // Unscoped: a salt says nothing of its user.
  const statement = sql`
    SELECT passwords.phc FROM users JOIN passwords ON passwords.user_id = users.id
    WHERE users.id <> ${id}::uuid AND ${sameAddressSql(sql`users.email`, sql`${email}::text`)}
    ORDER BY users.created, users.id LIMIT 1`;
  const [other] = await database.query<{ phc: string }>(prepared('passwords.beside', statement));
  return hasher.hash(password, sender, other?.phc);
}

/** Gives a stored hash current parameters, and the salt of the address's other accounts. */
async function renewHash(
  context: SignInContext,
  accounts: readonly WithPassword[],
  account: WithPassword,
  { password, sender }: { readonly password: string; readonly sender: Owner },
): Promise<void> {
  const { hasher, database } = context;
  const beside = accounts.find(({ id }) => id !== account.id)?.phc;
  if (!hasher.isOutdated(account.phc, beside)) return;
  const phc = await hasher.hash(password, sender, beside);
  const statement = sql`
    UPDATE passwords SET phc = ${phc} WHERE user_id = ${account.id}::uuid AND phc = ${account.phc}`;
  await database.query(prepared('passwords.renew', statement));
}

/**
 * Signs somebody in with a password. Unknown addresses are answered like wrong passwords, after the same work.
 * @param replaced the secret of the session that the browser has
 * @throws GatewayError UNAUTHORIZED; TOO_MANY_REQUESTS; UNAVAILABLE if too many people sign in at once;
 *   FORBIDDEN if passwords are turned off, or the user signs in only at an issuer
 */
export async function signInWithPassword(
  context: SignInContext,
  { email, password }: SentPassword,
  { visitor, replaced, now }: { visitor: Visitor; replaced: string | undefined; now: Date },
): Promise<SignedIn> {
  checkWay(context, 'PASSWORD');
  const accounts = await accountsByEmail(context.database, email, visitor);
  const known = withPasswords(accounts);
  const attempt = attemptOf(email, accounts, visitor);
  const normal = normalizePassword(password);
  // Nobody else can take the place of a known device in the queue.
  const { knownDevice, isKnownAddress } = attempt;
  const home = accounts.find(({ knowsDevice, knowsAddress }) => knowsDevice || knowsAddress);
  const owner = {
    organizationId: home?.organizationId ?? visitor.address,
    personId: knownDevice ?? visitor.address,
  };
  const sender = { ...owner, isKnown: knownDevice !== undefined || isKnownAddress };
  const account = await context.attempts.during(attempt, async () => {
    const match = await findMatch(context, known, normal, sender);
    if (!match) noteFailure(context, attempt, accounts, { visitor, now });
    return match;
  });
  if (!account) throw refusal();
  checkAccount(account, 'PASSWORD');
  await renewHash(context, known, account, { password: normal, sender: owner });
  return completeSignIn(context, account, { visitor, method: 'PASSWORD', replaced }, now);
}

/** Reads the hash of a user's password, if there is one. */
async function ownPassword(session: Session): Promise<string | undefined> {
  const where = { userId: personOf(session.caller).id };
  const [row] = await readRows(session, 'Password', { where });
  return row?.phc;
}

/**
 * Checks the caller's own password.
 * @returns false if it is wrong, or there is none
 * @throws GatewayError TOO_MANY_REQUESTS; UNAVAILABLE
 */
export async function provesPassword(
  { hasher, attempts }: SignInContext,
  session: Session,
  password: string,
): Promise<boolean> {
  const { caller } = session;
  const { id } = personOf(caller);
  const attempt = { account: id, address: '', knownDevice: caller.tokenId, isKnownAddress: true };
  return attempts.during(attempt, async () => {
    const phc = await ownPassword(session);
    const sender = { organizationId: caller.organizationId, personId: id, isKnown: true };
    const hashes = phc === undefined ? [] : [phc];
    const isRight = (await hasher.find(hashes, normalizePassword(password), sender)) === 0;
    if (!isRight) attempts.fail(attempt);
    return isRight;
  });
}

/** A change of the caller's password. */
interface PasswordChange {
  /** Needed unless the user has signed in within ten minutes. */
  readonly currentPassword?: string | null | undefined;
  readonly newPassword: string;
  /** Defaults to true. */
  readonly endOtherSessions?: boolean | null | undefined;
}

/** A change of how somebody signs in. */
interface SignInChange {
  readonly user: RowOf<'User'>;
  /** The new secret of the caller's session, if it has one. */
  readonly secret: string | undefined;
}

/**
 * Sets or changes the caller's password, with the event. The caller's other sessions end, and its own gets a
 * new secret.
 * @param renews true if the browser can be given a new secret
 * @throws GatewayError FORBIDDEN if passwords are turned off, or who is asking must be confirmed first;
 *   BAD_REQUEST for a wrong current password, or a new one that breaks the rules
 */
export async function changePassword(
  context: SignInContext,
  session: Session,
  { currentPassword, newPassword, endOtherSessions }: PasswordChange,
  renews: boolean,
): Promise<SignInChange> {
  checkWay(context, 'PASSWORD');
  const { caller, now } = session;
  if (currentPassword != null) {
    if (!(await provesPassword(context, session, currentPassword)))
      throw badField(['currentPassword'], 'is wrong');
  } else if (!isConfirmed(session)) {
    throw new GatewayError('FORBIDDEN', 'Confirm who you are first: send the current password.', {
      reason: 'UNCONFIRMED',
    });
  }
  const person = personOf(caller);
  const normal = await checkNewPassword(newPassword, person, 'newPassword');
  const sender = { organizationId: caller.organizationId, personId: person.id };
  const phc = await hashPassword(context, person, normal, sender);
  return session.inTransaction(async (tx) => {
    const [user] = await readRows(tx, 'User', { where: { id: person.id } });
    if (!user) throw new Error("The caller's user is gone.");
    await storePassword(tx, user, phc, now);
    await logSignIn(tx, user, 'sign-in changed', 'changed the password', now);
    const except = caller.signIn ? caller.tokenId : undefined;
    if (endOtherSessions ?? true) await endSessionsOf(tx, user, now, { except });
    return { user, secret: caller.signIn && renews ? await renewSecret(tx) : undefined };
  });
}
