import * as z from 'zod';
import { authenticateSession } from '../../access/callers.js';
import { acceptInvitation, findInvitation } from '../../access/invitations.js';
import { type Identity, personOf } from '../../domain/caller.js';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { check, rules } from '../../domain/rules.js';
import { pickLanguage } from '../../mail/mail.js';
import { type MailInput, readMailInput, sendTrial } from '../../reminders/mail-server.js';
import { checkJsonType, readJson } from '../../rest/body.js';
import { askFirstPerson, checkSetup, setUp } from '../../setup/first-visit.js';
import {
  confirmSession,
  enterSecondFactor,
  findPending,
  type SignInRequest,
  signInWithPasskey,
  tooLate,
} from '../../sign-in/factors/enter-factor.js';
import { askForPasskey, relyingPartyOf } from '../../sign-in/factors/passkeys.js';
import { acceptInvited, askInvited, invalidInvitation } from '../../sign-in/first-way.js';
import { signInWithPassword } from '../../sign-in/passwords.js';
import { readOptions, signInAtIssuer } from '../../sign-in/policy.js';
import { type SignInContext, signOut } from '../../sign-in/sessions.js';
import type { SignedIn } from '../../sign-in/sign-in.js';
import { type OpenedLink, requestLink, resetPassword, signInWithLink } from '../../sign-in/sign-in-links.js';
import { type HttpResponse, jsonType } from '../../web/response.js';
import type { Endpoint, Incoming, MethodHandler, RequestContext } from '../routing/endpoint.js';
import { type CookieSettings, type Cookies, checkSameOrigin, cookiesAt } from './cookies.js';

/** The most bytes of a body. */
const bodyLimit = 64 * 1024;

interface SessionDoorOptions {
  readonly context: SignInContext;
  readonly clock: () => Date;
  readonly settings: CookieSettings;
  /**
   * Reads the identity that a JWT of the issuer states. Undefined if there is no issuer.
   * @throws GatewayError like `Issuer.verify`
   */
  readonly verify?: ((token: string, now: Date) => Promise<Identity>) | undefined;
}

/** A request of the gateway's own page about signing in. */
interface Call extends SignInRequest, OpenedLink {
  /** Sets the cookie of the session, or with null removes it, and other cookies. */
  readonly setSession: (secret: string | null, ...others: readonly string[]) => void;
  readonly cookies: Cookies;
}

/** Writes an answer in JSON. */
const jsonAnswer = (status: number, body: object): HttpResponse => ({
  status,
  headers: { ...jsonType },
  body: JSON.stringify(body),
});

const noContent: HttpResponse = { status: 204, headers: {}, body: null };

/** Creates the 403 where cookies would cross the network readably. */
const noCookies = () =>
  new GatewayError(
    'FORBIDDEN',
    'People sign in over https. Set PUBLIC_URL to the address with https, or INSECURE_COOKIES=on.',
  );

/** Answers a sign-in, which may still need a second factor, and sets its cookies. */
async function signedIn(
  { cookies, setSession }: Call,
  done: Promise<SignedIn>,
  status = 200,
): Promise<HttpResponse> {
  const { secret, device, factors, mustEnroll } = await done;
  setSession(secret, cookies.set('device', device));
  const state = { state: mustEnroll ? 'enroll' : 'in' };
  return jsonAnswer(status, factors.length > 0 ? { state: 'second-factor', ways: factors } : state);
}

const text = z.string('must be a string');
const optional = z.string().nullish();
/** A mail server, whose rules are those of `readMailInput`. */
const mailServer = z.custom<MailInput>(
  (sent) => typeof sent === 'object' && sent !== null,
  'must be an object',
);
const factor = { code: text.optional(), recoveryCode: text.optional(), passkey: z.unknown().optional() };
const firstWay = { password: text.optional(), passkey: z.unknown().optional() };

const bodies = {
  token: z.object({ token: text }),
  email: z.object({ email: text }),
  password: z.object({ email: text, password: text }),
  passkey: z.object({ response: z.unknown() }),
  factor: z.object(factor),
  proof: z.object({ ...factor, password: text.optional() }),
  secret: z.object({ secret: text }),
  reset: z.object({ secret: text, password: text }),
  invitation: z.object({ secret: text, ...firstWay }),
  person: z.object({ secret: text, name: text, email: text }),
  setup: z.object({
    ...{ secret: text, organization: text, name: text, email: text },
    ...firstWay,
    ...{ timezone: optional, language: optional },
    demo: z.boolean('must be true or false'),
    mail: mailServer.nullish(),
  }),
  trial: z.object({ secret: text, mail: mailServer, to: text, language: optional }),
};

/** Creates the endpoints for signing in and out, invitations, and the first start. */
export function sessionEndpoints({ context, clock, settings, verify }: SessionDoorOptions): Endpoint[] {
  const { database } = context;

  /** Reads a request. @throws GatewayError FORBIDDEN unless one of our own pages has sent it */
  function callOf(request: Incoming, exchange: RequestContext): Call {
    const { header } = request;
    const cookies = cookiesAt(exchange.origin(), settings);
    if (!cookies) throw noCookies();
    checkSameOrigin(request, cookies.origin);
    const device = cookies.read(header, 'device');
    const secret = cookies.read(header, 'session');
    return {
      visitor: { address: exchange.sender(), agent: header('user-agent') ?? '', device },
      ...{ secret, replaced: secret, now: clock(), cookies },
      party: () => relyingPartyOf(cookies.origin, settings.publicUrl),
      setSession: (value, ...others) => exchange.setCookies?.([cookies.set('session', value), ...others]),
    };
  }
  /** Handles a request without a body. */
  const bare = (act: (call: Call) => Promise<HttpResponse>): MethodHandler => ({
    access: 'public',
    handle: async (request, exchange) => act(callOf(request, exchange)),
  });
  /** Handles JSON. */
  const taking = <Body>(
    schema: z.ZodType<Body>,
    act: (call: Call, body: Body) => Promise<HttpResponse>,
  ): MethodHandler => ({
    access: 'public',
    body: {
      limit: () => bodyLimit,
      check({ header }) {
        if (header('content-type') === null) {
          throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.');
        }
        checkJsonType(header('content-type'), false);
      },
    },
    handle: async (request, exchange) => {
      const call = callOf(request, exchange);
      return act(call, check(schema, readJson(exchange.body)));
    },
  });
  /** Finds the caller of a browser's session. */
  const callerOf = async ({ secret, now }: Call) =>
    secret ? authenticateSession(database, secret, now) : null;
  /** Finds the user who has signed in, or has given the first factor. */
  async function userOf(call: Call): Promise<string> {
    const pending = await findPending(context, call);
    if (pending) return pending.userId;
    const caller = await callerOf(call);
    if (!caller) throw tooLate();
    return personOf(caller).id;
  }
  /** Returns whether a session exists, also that of a user without a role. */
  async function hasSession(secret: string): Promise<boolean> {
    try {
      return (await authenticateSession(database, secret, clock())) !== null;
    } catch (error) {
      if (error instanceof GatewayError && error.reason === 'NO_ROLE') return true;
      throw error;
    }
  }
  const askPasskey = (userOfCall: (call: Call) => Promise<string | undefined>) =>
    bare(async (call) => {
      const party = call.party();
      return jsonAnswer(200, await askForPasskey(database, party, await userOfCall(call), call.now));
    });
  const mailLink = (purpose: 'SIGN_IN' | 'RESET') =>
    taking(bodies.email, async (call, { email }) => {
      await requestLink(context, { email, purpose }, call);
      return jsonAnswer(202, { accepted: true });
    });

  const posts: Readonly<Record<string, MethodHandler>> = {
    '/password': taking(bodies.password, async (call, body) =>
      signedIn(call, signInWithPassword(context, body, call)),
    ),
    // A new gateway. Whoever has the setup link prepares it.
    '/setup': taking(bodies.setup, async (call, body) =>
      signedIn(call, setUp(context, body, call.party, call), 201),
    ),
    '/setup/passkey': taking(bodies.person, async (call, body) =>
      jsonAnswer(200, await askFirstPerson(context, body, call.party, call.now)),
    ),
    '/setup/check': taking(bodies.secret, async (_call, { secret }) => {
      await checkSetup(context, secret);
      return noContent;
    }),
    '/setup/mail': taking(bodies.trial, async ({ now }, { secret, mail, to, language }) => {
      await checkSetup(context, secret);
      const address = check(rules.email, to, ['to']);
      const { mail: server } = readMailInput(mail);
      if (!server) throw new Error('A mail server was read without settings.');
      const { isSent, answer, reason } = await sendTrial(server, address, pickLanguage(language), now);
      return jsonAnswer(200, { isSent, answer, reasonCode: reason });
    }),
    // Second factors and passkeys.
    '/passkey/options': askPasskey(async () => undefined),
    '/second-factor/options': askPasskey(userOf),
    '/passkey': taking(bodies.passkey, async (call, { response }) =>
      signedIn(call, signInWithPasskey(context, call, response)),
    ),
    '/second-factor': taking(bodies.factor, async (call, sent) =>
      signedIn(call, enterSecondFactor(context, call, sent)),
    ),
    '/confirm': taking(bodies.proof, async (call, proof) => {
      const caller = await callerOf(call);
      if (!caller) throw unauthorized('The session has ended. Sign in again.');
      call.setSession(await confirmSession(context, caller, call, proof));
      return noContent;
    }),
    '/oidc': taking(bodies.token, async (call, { token }) => {
      if (!verify) throw unauthorized('There is no issuer whose tokens are accepted.', 'invalid_token');
      return signedIn(call, signInAtIssuer(context, await verify(token, call.now), call));
    }),
    '/link': mailLink('SIGN_IN'),
    '/reset': mailLink('RESET'),
    '/link/use': taking(bodies.secret, async (call, { secret }) =>
      signedIn(call, signInWithLink(context, secret, call)),
    ),
    '/reset/use': taking(bodies.reset, async (call, body) =>
      signedIn(call, resetPassword(context, body, call)),
    ),
    // Invited people choose how to sign in. They need the link's secret.
    '/invitation': taking(bodies.invitation, async (call, body) =>
      signedIn(call, acceptInvited(context, body, call.party, call), 201),
    ),
    '/invitation/passkey': taking(bodies.secret, async (call, { secret }) =>
      jsonAnswer(200, await askInvited(context, secret, call.party, call)),
    ),
    '/invitation/check': taking(bodies.secret, async ({ now }, { secret }) => {
      const found = await findInvitation(database, secret, now);
      if (found?.state !== 'open') throw invalidInvitation();
      const { userName, email, organization } = found;
      return jsonAnswer(200, { userName, email, organization });
    }),
    '/invitation/token': taking(bodies.secret, async ({ now }, { secret }) => {
      const token = await acceptInvitation(database, secret, now);
      if (token === undefined) throw invalidInvitation();
      return jsonAnswer(201, { token });
    }),
  };
  const methods: Readonly<Record<string, Endpoint['methods']>> = {
    '': {
      DELETE: bare(async ({ secret, now, setSession }) => {
        if (secret !== undefined) await signOut(database, secret, now);
        setSession(null);
        return noContent;
      }),
    },
    '/options': {
      GET: {
        access: 'public',
        handle: async ({ header }, exchange) => {
          const cookies = cookiesAt(exchange.origin(), settings);
          const found = await readOptions(context, cookies?.isSecure ?? false);
          const secret = cookies?.read(header, 'session');
          const isSignedIn = secret !== undefined && (await hasSession(secret));
          const kind = cookies?.isSecure ? 'secure' : cookies ? 'insecure' : 'refused';
          return jsonAnswer(200, { ...found, cookies: kind, isSignedIn });
        },
      },
    },
    ...Object.fromEntries(Object.entries(posts).map(([path, POST]) => [path, { POST }])),
  };
  return Object.entries(methods).map(([path, methods]) => ({
    ...{ path: `${paths.session}${path}`, door: 'session', methods },
  }));
}
