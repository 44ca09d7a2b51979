import { identify } from '../access/callers.js';
import { lockOrganization } from '../access/people.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { sql } from '../db/sql/sql.js';
import {
  checkAdministrator,
  type Identity,
  personOf,
  type SignInWay,
  sessionTimes,
  signInWays,
} from '../domain/caller.js';
import { badField, GatewayError, unauthorized } from '../domain/errors.js';
import { changesBetween, logEvent } from '../records/event-logs.js';
import { accountById, checkAccount, checkWay } from './accounts.js';
import { passwordLength } from './passwords.js';
import type { SignInContext } from './sessions.js';
import { completeSignIn, type SignedIn } from './sign-in.js';
import type { OpenedLink } from './sign-in-links.js';

/** Facts that the page for signing in needs before somebody has signed in. */
interface SignInOptions {
  /** True for a new gateway, which nobody has set up yet. */
  readonly isNew: boolean;
  readonly ways: Readonly<Record<Lowercase<SignInWay>, boolean>>;
  /** True if links can be sent by mail. */
  readonly sendsMail: boolean;
  /** The least number of characters of a password. */
  readonly passwordLength: number;
  /** True if every organization requires a second factor. */
  readonly secondFactorRequired: boolean;
}

interface Row {
  readonly isNew: boolean;
  readonly ways: readonly SignInWay[];
  readonly secondFactorRequired: boolean;
}

/**
 * Reads how people can sign in. Of several organizations, it says what at least one allows, because it is not
 * known yet who asks.
 * @param isSecure false where browsers offer no passkeys
 */
export async function readOptions(context: SignInContext, isSecure: boolean): Promise<SignInOptions> {
  const statement = sql`
    SELECT EXISTS (SELECT FROM setup) AS "isNew", coalesce(bool_and(second_factor_required), false) AS "secondFactorRequired",
      ARRAY(SELECT DISTINCT unnest(sign_in_ways)::text FROM organizations) AS ways
    FROM organizations`;
  const [found] = await context.database.query<Row>(prepared('sign_in.options', statement));
  const { isNew = false, ways = [], secondFactorRequired = false } = found ?? {};
  const sendsMail = await context.sendsMail();
  const allows = (way: SignInWay) => context.ways.includes(way) && (isNew || ways.includes(way));
  return {
    isNew,
    ways: {
      password: allows('PASSWORD'),
      passkey: allows('PASSKEY') && isSecure,
      link: allows('LINK') && sendsMail,
      oidc: allows('OIDC') && context.issuerClient !== undefined,
    },
    sendsMail,
    passwordLength: passwordLength.least,
    secondFactorRequired,
  };
}

/** An organization's decisions on how its people sign in. */
export interface SignInPolicy {
  readonly ways: readonly SignInWay[];
  readonly secondFactorRequired: boolean;
  /** True if people with a subject at an issuer sign in only there. */
  readonly issuerAlone: boolean;
}

const policySql = (id: string) => sql`
  SELECT sign_in_ways::text[] AS ways, second_factor_required AS "secondFactorRequired",
    issuer_alone AS "issuerAlone"
  FROM organizations WHERE id = ${id}::uuid`;

/** Reads the policy of the caller's organization. */
export async function readPolicy(session: Session): Promise<SignInPolicy> {
  const statement = prepared('sign_in.policy', policySql(session.caller.organizationId));
  const [found] = await session.read<SignInPolicy>(statement);
  if (!found) throw new Error("The caller's organization is gone.");
  return found;
}

/** Changes of a policy. Missing values are kept. */
type PolicyChanges = { readonly [Name in keyof SignInPolicy]?: SignInPolicy[Name] | null | undefined };

/** Lists the ways that the settings of the gateway allow. */
export const possibleWays = ({ ways, issuerClient }: SignInContext): SignInWay[] =>
  ways.filter((way) => way !== 'OIDC' || issuerClient !== undefined);

/** Rejects a policy by which nobody could sign in. */
function checkWays(context: SignInContext, ways: readonly SignInWay[]): void {
  const possible = possibleWays(context);
  if (!ways.some((way) => possible.includes(way))) {
    throw badField(['ways'], 'must leave a way to sign in that the settings of the gateway allow');
  }
}

/**
 * Changes how people of the caller's organization sign in, with the event. Sessions of ways that are turned
 * off end, except for the caller's.
 * @throws GatewayError FORBIDDEN in a session whose user must be confirmed first; BAD_REQUEST for ways by which
 *   nobody could sign in
 */
export async function changePolicy(
  context: SignInContext,
  session: Session,
  given: PolicyChanges,
): Promise<SignInPolicy> {
  checkAdministrator(session);
  const { caller, now } = session;
  const { organizationId } = caller;
  const policy = await session.inTransaction(async (tx) => {
    await lockOrganization(tx);
    const [current] = await tx.run<SignInPolicy>(prepared('sign_in.policy', policySql(organizationId)));
    if (!current) throw new Error("The caller's organization is gone.");
    const wanted = {
      ways: given.ways ? signInWays.filter((way) => given.ways?.includes(way)) : current.ways,
      secondFactorRequired: given.secondFactorRequired ?? current.secondFactorRequired,
      issuerAlone: given.issuerAlone ?? current.issuerAlone,
    };
    checkWays(context, wanted.ways);
    const changes = changesBetween({ ...current }, wanted);
    if (Object.keys(changes).length === 0) return current;
    const update = sql`
      UPDATE organizations SET sign_in_ways = ${wanted.ways}::text[]::sign_in_way[],
        second_factor_required = ${wanted.secondFactorRequired}, issuer_alone = ${wanted.issuerAlone},
        modified = greatest(${now}, modified + interval '1 millisecond')
      WHERE id = ${organizationId}::uuid`;
    await tx.run(prepared('sign_in.change_policy', update));
    const end = sql`
      UPDATE sessions SET revoked_at = ${now}
      WHERE organization_id = ${organizationId}::uuid AND revoked_at IS NULL
        AND (NOT method::text = ANY(${wanted.ways}::text[]) OR (
          ${wanted.issuerAlone} AND method <> 'OIDC'
          AND EXISTS (SELECT FROM users WHERE users.id = user_id AND users.subject IS NOT NULL)
        )) AND id <> ${caller.tokenId}::uuid
      RETURNING id`;
    const ended = await tx.run(prepared('sessions.end_ways', end));
    const description = `How people sign in was changed: ${Object.keys(changes).join(', ')}`;
    const about = { teamId: caller.user.teamId, details: changes, entities: [] };
    await logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about });
    if (ended.length > 0) {
      const what = `Signed out: ${ended.length} sessions, because their way to sign in was turned off`;
      await logEvent(tx, { caller, now }, { type: 'signed out', description: what, ...about, details: null });
    }
    return wanted;
  });
  session.forgetLoaded();
  return policy;
}

/**
 * Signs in a user whom the issuer has signed in. It finds them like requests with the issuer's tokens do, and
 * asks for no second factor, because that is the issuer's task.
 * @param identity claims of an access token whose signature was checked
 * @throws GatewayError UNAUTHORIZED unless exactly one user matches; FORBIDDEN if the way is turned off, or for
 *   a token that must not become a session
 */
export async function signInAtIssuer(
  context: SignInContext,
  identity: Identity,
  { visitor, replaced, now }: OpenedLink,
): Promise<SignedIn> {
  checkWay(context, 'OIDC');
  const { issuedAt, role, teams, client, hasOtherAudiences } = identity;
  // OpenID Connect Core 3.1.3.7: another program, which got the token, must not get a session with it.
  if (client === null ? hasOtherAudiences : client !== context.issuerClient) {
    throw new GatewayError('FORBIDDEN', 'The access token was made for another client.');
  }
  // Whoever has stolen a token must not get a session from it that lasts for months.
  if (issuedAt === null || now.getTime() - issuedAt.getTime() > sessionTimes.confirmed) {
    throw new GatewayError('FORBIDDEN', 'The access token is too old to begin a session. Sign in again.');
  }
  // A session would have the rights of the user here, and would keep them when the issuer takes them away.
  if (role !== null || teams !== null) {
    throw new GatewayError('FORBIDDEN', 'The access token states rights, which a session cannot have.');
  }
  const caller = await identify(context.database, identity, (userId) =>
    context.log.info({ userId }, 'A user was linked to a subject of the issuer'),
  );
  const account = await accountById(context.database, personOf(caller).id, visitor);
  if (!account) throw unauthorized("There is no user here with the access token's subject.", 'invalid_token');
  checkAccount(account, 'OIDC');
  return completeSignIn(context, account, { visitor, method: 'OIDC', replaced }, now);
}
