import * as z from 'zod';
import { authenticateSession } from '../../access/session-callers.js';
import type { Database } from '../../db/connection/database.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { signInAtIssuer } from '../../sign-in/issuer.js';
import { requestLink } from '../../sign-in/links/link-requests.js';
import { resetPassword, signInWithLink } from '../../sign-in/links/links.js';
import { signInWithPassword } from '../../sign-in/passwords.js';
import { readOptions } from '../../sign-in/policy.js';
import { signOut } from '../../sign-in/sessions.js';
import type { Endpoint } from '../routing/endpoint.js';
import { factorEndpoints } from './factor-endpoints.js';
import { invitationEndpoints } from './invitation-endpoints.js';
import {
  arrivalOf,
  createHandlers,
  jsonAnswer,
  type SessionDoorOptions,
  sessionEndpoint,
  signedInAnswer,
} from './session-door.js';
import { setupEndpoints } from './setup-endpoints.js';

const text = z.string('must be a string');
const passwordBody = z.object({ email: text, password: text });
const tokenBody = z.object({ token: text });
const requestBody = z.object({ email: text });
const linkBody = z.object({ secret: text });
const newPasswordBody = z.object({ secret: text, password: text });

/** Returns whether a session exists, also that of a user without a role. */
async function hasSession(database: Database, secret: string, now: Date): Promise<boolean> {
  try {
    return (await authenticateSession(database, secret, now)) !== null;
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'NO_ROLE') return true;
    throw error;
  }
}

/** Creates the endpoints with which the console's pages sign people in and out. */
export function sessionEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, clock, verify } = options;
  const { bare, taking, cookiesOf } = createHandlers(options);
  return [
    sessionEndpoint('', {
      DELETE: bare(async ({ secret, now, cookies, exchange }) => {
        if (secret !== undefined) await signOut(context.database, secret, now);
        exchange.setCookies?.([cookies.set('session', null)]);
        return { status: 204, headers: {}, body: null };
      }),
    }),
    sessionEndpoint('/options', {
      GET: {
        access: 'public',
        handle: async ({ header }, exchange) => {
          const cookies = cookiesOf(exchange);
          const found = await readOptions(context, cookies?.isSecure ?? false);
          const secret = cookies?.read(header, 'session');
          const isSignedIn = secret !== undefined && (await hasSession(context.database, secret, clock()));
          const kind = cookies?.isSecure ? 'secure' : cookies ? 'insecure' : 'refused';
          return jsonAnswer(200, { ...found, cookies: kind, isSignedIn });
        },
      },
    }),
    sessionEndpoint('/password', {
      POST: taking(passwordBody, async (call, body) =>
        signedInAnswer(call, await signInWithPassword(context, body, arrivalOf(call))),
      ),
    }),
    ...setupEndpoints(options),
    ...factorEndpoints(options),
    sessionEndpoint('/oidc', {
      POST: taking(tokenBody, async (call, { token }) => {
        if (!verify) throw unauthorized('There is no issuer whose tokens are accepted.', 'invalid_token');
        const identity = await verify(token, call.now);
        return signedInAnswer(call, await signInAtIssuer(context, identity, arrivalOf(call)));
      }),
    }),
    ...(['link', 'reset'] as const).map((name) =>
      sessionEndpoint(`/${name}`, {
        POST: taking(requestBody, async (call, { email }) => {
          const purpose = name === 'reset' ? 'RESET' : 'SIGN_IN';
          await requestLink(context, { email, purpose }, arrivalOf(call));
          return jsonAnswer(202, { accepted: true });
        }),
      }),
    ),
    sessionEndpoint('/link/use', {
      POST: taking(linkBody, async (call, { secret }) =>
        signedInAnswer(call, await signInWithLink(context, secret, arrivalOf(call))),
      ),
    }),
    sessionEndpoint('/reset/use', {
      POST: taking(newPasswordBody, async (call, body) =>
        signedInAnswer(call, await resetPassword(context, body, arrivalOf(call))),
      ),
    }),
    ...invitationEndpoints(options),
  ];
}
