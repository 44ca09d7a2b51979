import { identify } from '../access/identify.js';
import { personOf } from '../domain/caller.js';
import { GatewayError, unauthorized } from '../domain/errors.js';
import type { Identity } from '../domain/identity.js';
import { sessionTimes } from '../domain/sign-in.js';
import { accountById, checkAccount, checkWay } from './accounts.js';
import type { SignInContext } from './context.js';
import type { Arrival } from './links/links.js';
import { enter, type SignedIn } from './sign-in.js';

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
  { visitor, replaced, now }: Arrival,
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
  return enter(context, account, { visitor, method: 'OIDC', replaced }, now);
}
