import * as z from 'zod';
import { authenticateSession } from '../../access/session-callers.js';
import { personOf } from '../../domain/caller.js';
import { unauthorized } from '../../domain/errors.js';
import {
  confirmSession,
  enterSecondFactor,
  findPending,
  type SignInVisit,
  signInWithPasskey,
  tooLate,
} from '../../sign-in/factors/enter-factor.js';
import { askForPasskey } from '../../sign-in/factors/passkeys.js';
import type { Endpoint } from '../routing/endpoint.js';
import {
  type Call,
  createHandlers,
  jsonAnswer,
  partyAt,
  type SessionDoorOptions,
  sessionEndpoint,
  signedInAnswer,
} from './session-door.js';

const text = z.string('must be a string').optional();
const factorBody = z.object({ code: text, recoveryCode: text, passkey: z.unknown().optional() });
const proofBody = factorBody.extend({ password: text });
const passkeyBody = z.object({ response: z.unknown() });

/** Creates the endpoints of second factors and passkeys. */
export function factorEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { bare, taking } = createHandlers(options);
  const visitOf = (call: Call): SignInVisit => {
    const { visitor, secret, now } = call;
    return { visitor, secret, now, party: partyAt(call, settings) };
  };
  /** Finds the user who has signed in, or has given the first factor. */
  async function userOf({ secret, now }: Call): Promise<string> {
    const pending = await findPending(context, { secret, now });
    if (pending) return pending.userId;
    const caller = secret && (await authenticateSession(context.database, secret, now));
    if (!caller) throw tooLate();
    return personOf(caller).id;
  }
  const ask = (userOfCall: (call: Call) => Promise<string | undefined>) =>
    bare(async (call) => {
      const party = partyAt(call, settings)();
      const userId = await userOfCall(call);
      return jsonAnswer(200, await askForPasskey(context.database, party, userId, call.now));
    });
  return [
    sessionEndpoint('/passkey/options', { POST: ask(async () => undefined) }),
    sessionEndpoint('/second-factor/options', { POST: ask(userOf) }),
    sessionEndpoint('/passkey', {
      POST: taking(passkeyBody, async (call, { response }) =>
        signedInAnswer(call, await signInWithPasskey(context, visitOf(call), response)),
      ),
    }),
    sessionEndpoint('/second-factor', {
      POST: taking(factorBody, async (call, sent) =>
        signedInAnswer(call, await enterSecondFactor(context, visitOf(call), sent)),
      ),
    }),
    sessionEndpoint('/confirm', {
      POST: taking(proofBody, async (call, proof) => {
        const { secret, now, cookies, exchange } = call;
        const caller = secret && (await authenticateSession(context.database, secret, now));
        if (!caller) throw unauthorized('The session has ended. Sign in again.');
        const renewed = await confirmSession(context, caller, visitOf(call), proof);
        exchange.setCookies?.([cookies.set('session', renewed)]);
        return { status: 204, headers: {}, body: null };
      }),
    }),
  ];
}
