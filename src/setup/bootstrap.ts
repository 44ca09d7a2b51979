import { hasAdministrator, noteFirstToken } from '../access/people.js';
import { hashToken, ownerAsCaller, prepareToken, tokenEvent } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import type { PrismaTransaction } from '../db/connection/pool.js';
import { sql } from '../db/sql/sql.js';
import type { EventHead } from '../domain/models.js';
import { check, rules } from '../domain/rules.js';
import { demoId } from '../domain/text/demo.js';
import { eventsSql } from '../records/event-logs.js';
import { firstUser, lockFirstStart, makeOrganization, oldestOrganization } from './accounts.js';
import { insertDemo } from './demo/demo.js';

interface FirstStart {
  /** The admin token to create; a random one if undefined. */
  readonly token: string | undefined;
  /** True to create the demo workspace in a new organization. */
  readonly demo: boolean;
  readonly now: Date;
}

interface Bootstrapped {
  /** Random admin token that was created now. It can be shown only this once. */
  readonly token: string | undefined;
  readonly createdOrganization: boolean;
  /** Reason why the given token cannot be used, if so. */
  readonly warning: string | undefined;
}

interface Present {
  readonly organized: boolean;
  /**
   * True if there is an admin token, or somebody who can make one. A signed token does not
   * count, because it can only upload. Where a token is given, only tokens count.
   */
  readonly administered: boolean;
  /** True if the given token exists already. */
  readonly known: boolean;
}

/**
 * Creates the first organization, workspace, user and admin token, unless they exist. If they do, it costs
 * one statement. Processes that start at once create them only once.
 */
export async function bootstrap(database: Database, start: FirstStart): Promise<Bootstrapped> {
  const present = await look((sql, values) => database.sql(sql, values), start);
  if (present.organized && (present.administered || present.known)) {
    return { token: undefined, createdOrganization: false, warning: tokenWarning(present, start) };
  }
  const { heads, ...done } = await database.administer(async (tx) => {
    await lockFirstStart(tx);
    const createdOrganization = await makeFirstOrganization(tx, start);
    return { ...(await makeAdminToken(tx, start)), createdOrganization };
  });
  database.announce(heads);
  return done;
}

/**
 * Creates the first organization if there is none, optionally with the demo workspace. It is for commands
 * that run before the first start.
 * @returns whether it was created now
 */
export async function ensureOrganization(
  database: Database,
  start: Omit<FirstStart, 'token'>,
): Promise<boolean> {
  if (await oldestOrganization(database.prisma)) return false;
  return database.administer(async (tx) => {
    await lockFirstStart(tx);
    return makeFirstOrganization(tx, start);
  });
}

async function makeFirstOrganization(
  tx: PrismaTransaction,
  { demo, now }: Omit<FirstStart, 'token'>,
): Promise<boolean> {
  if (await oldestOrganization(tx)) return false;
  // The demo's administrator has the id that the examples use.
  const organizationId = await makeOrganization(tx, now, {
    userId: demo ? demoId('user', 'Administrator') : undefined,
  });
  if (demo) await insertDemo(tx, organizationId, now);
  return true;
}

interface AdminToken extends Pick<Bootstrapped, 'token' | 'warning'> {
  readonly heads: readonly EventHead[];
}

/**
 * Creates the admin token unless there is one. It looks again, because another process may have created it
 * before we got the lock.
 */
async function makeAdminToken(tx: PrismaTransaction, start: FirstStart): Promise<AdminToken> {
  const present = await look((text, values) => tx.$queryRawUnsafe(text, ...values), start);
  if (present.administered || present.known) {
    return { token: undefined, warning: tokenWarning(present, start), heads: [] };
  }
  const organizationId = await oldestOrganization(tx);
  if (!organizationId) throw new Error('There is no organization in which to create an admin token.');
  const { id, token, heads } = await insertAdminToken(tx, organizationId, start);
  if (start.token === undefined) await noteFirstToken(tx, id);
  return { token: start.token === undefined ? token : undefined, warning: undefined, heads };
}

/** Creates an admin token of an organization's first administrator, with its event. */
async function insertAdminToken(
  tx: PrismaTransaction,
  organizationId: string,
  { now, token: text }: Pick<FirstStart, 'now' | 'token'>,
) {
  const user = await firstUser(tx, organizationId);
  const given = { organizationId, userId: user.id, name: 'First start', role: 'ADMIN' as const };
  const { row, token } = await prepareToken({ ...given, expiresAt: null }, now, text);
  await tx.accessToken.create({ data: row, select: { id: true } });
  const caller = ownerAsCaller(user);
  const event = tokenEvent('token created', row, caller);
  const { ctes, announcements: heads } = eventsSql({ caller, now }, [event]);
  await tx.$executeRaw(sql`WITH ${ctes} SELECT`);
  return { id: row.id, user, token, heads };
}

/**
 * An organization that was just created, with the token of its administrator. It can be shown only this once.
 */
interface FoundedOrganization {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly token: string;
}

/**
 * Creates another organization, with a workspace, an administrator and an admin token.
 * @param email of the administrator
 * @throws GatewayError BAD_REQUEST for an invalid name or address
 */
export async function foundOrganization(
  database: Database,
  given: { readonly name: string; readonly email: string | undefined },
  now: Date,
): Promise<FoundedOrganization> {
  const name = check(rules.name, given.name, ['name']).trim();
  const email = given.email === undefined ? undefined : check(rules.email, given.email, ['email']);
  const { heads, ...made } = await database.administer(async (tx) => {
    // A concurrent first start sees this organization, or this sees that one's.
    await lockFirstStart(tx);
    const id = await makeOrganization(tx, now, { name, email });
    const { user, token, heads } = await insertAdminToken(tx, id, { now, token: undefined });
    return { id, name, userId: user.id, token, heads };
  });
  database.announce(heads);
  return made;
}

/**
 * Sends a statement and returns its rows. Prisma Client loads its compiler on first use, which most starts
 * avoid.
 */
type Send = (sql: string, values: readonly unknown[]) => Promise<Present[]>;

async function look(send: Send, { token, now }: FirstStart): Promise<Present> {
  const hash = token === undefined ? null : hashToken(token);
  const [present] = await send(
    `SELECT
      EXISTS (SELECT FROM organizations) AS organized,
      EXISTS (
        SELECT FROM access_tokens AS token JOIN users ON users.id = token.user_id
        WHERE token.role = 'ADMIN' AND users.is_active AND coalesce(users.role, 'ADMIN') = 'ADMIN' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
          AND signing_secret IS NULL
      ) OR ($2::bytea IS NULL AND ${hasAdministrator}) AS administered,
      EXISTS (SELECT FROM access_tokens WHERE hash = $2) AS known`,
    [now, hash],
  );
  if (!present) throw new Error('A statement without a condition gave no row.');
  return present;
}

/**
 * Warns of a bootstrap token that cannot be used. A revoked token stays revoked: forgetting to remove it from
 * the settings must not bring it back.
 */
function tokenWarning({ administered, known }: Present, { token }: FirstStart): string | undefined {
  if (token === undefined || (administered && known)) return undefined;
  return known
    ? 'BOOTSTRAP_TOKEN was revoked, and there is no other admin token'
    : 'BOOTSTRAP_TOKEN is not used because there is already an admin token';
}
