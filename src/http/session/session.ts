import * as z from 'zod';
import { authenticateSession } from '../../access/callers.js';
import { acceptInvitation, findInvitation } from '../../access/invitations.js';
import type { Database } from '../../db/connection/database.js';
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
import { askForPasskey, type RelyingParty, relyingPartyOf } from '../../sign-in/factors/passkeys.js';
import { acceptInvited, askInvited, invalidInvitation } from '../../sign-in/first-way.js';
import { signInWithPassword } from '../../sign-in/passwords.js';
import { readOptions, signInAtIssuer } from '../../sign-in/policy.js';
import { type SignInContext, signOut, type Visitor } from '../../sign-in/sessions.js';
import type { SignedIn } from '../../sign-in/sign-in.js';
import { type OpenedLink, requestLink, resetPassword, signInWithLink } from '../../sign-in/sign-in-links.js';
import { type HttpResponse, jsonType } from '../../web/response.js';
import type { Endpoint, Handle, Incoming, MethodHandler, RequestContext } from '../routing/endpoint.js';
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
interface Call {
  readonly context: SignInContext;
  readonly now: Date;
  readonly visitor: Visitor;
  readonly cookies: Cookies;
  /** The secret of the session that the browser has. */
  readonly secret: string | undefined;
  readonly request: Incoming;
  readonly exchange: RequestContext;
}

/** Returns what signing in needs to know of a call. */
const arrivalOf = ({ visitor, secret, now }: Call): OpenedLink => ({ visitor, replaced: secret, now });

/** Returns the function that finds the host that passkeys of a call belong to. */
const partyAt =
  ({ cookies }: Pick<Call, 'cookies'>, { publicUrl }: CookieSettings) =>
  (): RelyingParty =>
    relyingPartyOf(cookies.origin, publicUrl);

/** Answers a request with a body. */
type Act<Body> = (call: Call, body: Body) => Promise<HttpResponse>;

/** Writes an answer in JSON. */
const jsonAnswer = (status: number, body: object, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { ...jsonType, ...headers },
  body: JSON.stringify(body),
});

/** Creates the 403 where cookies would cross the network readably. */
const noCookies = () =>
  new GatewayError(
    'FORBIDDEN',
    'People sign in over https. Set PUBLIC_URL to the address with https, or INSECURE_COOKIES=on.',
  );

/** Answers a sign-in, which may still need a second factor, and sets its cookies. */
function signedInAnswer(
  { cookies, exchange }: Pick<Call, 'cookies' | 'exchange'>,
  { secret, device, factors, mustEnroll }: SignedIn,
  status = 200,
): HttpResponse {
  exchange.setCookies?.([cookies.set('session', secret), cookies.set('device', device)]);
  const done = { state: mustEnroll ? 'enroll' : 'in' };
  const state = factors.length > 0 ? { state: 'second-factor', ways: factors } : done;
  return jsonAnswer(status, state);
}

/** Creates the handlers of requests about signing in. Each checks that one of our own pages has sent it. */
function createHandlers({ context, clock, settings }: SessionDoorOptions) {
  function callOf(request: Incoming, exchange: RequestContext): Call {
    const { header } = request;
    const cookies = cookiesAt(exchange.origin(), settings);
    if (!cookies) throw noCookies();
    checkSameOrigin(request, cookies.origin);
    const device = cookies.read(header, 'device');
    const visitor = { address: exchange.sender(), agent: header('user-agent') ?? '', device };
    const secret = cookies.read(header, 'session');
    return { context, now: clock(), visitor, cookies, secret, request, exchange };
  }
  return {
    /** Handles a request without a body. */
    bare: (act: (call: Call) => Promise<HttpResponse>): MethodHandler => {
      const handle: Handle = async (request, exchange) => act(callOf(request, exchange));
      return { access: 'public', handle };
    },
    /** Handles a POST of JSON. */
    taking: <Body>(schema: z.ZodType<Body>, act: Act<Body>): MethodHandler => ({
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
    }),
    /** Returns the cookies at a request's address, if there are any. */
    cookiesOf: (exchange: RequestContext) => cookiesAt(exchange.origin(), settings),
  };
}

/** Creates an endpoint of the door. */
const sessionEndpoint = (path: string, methods: Endpoint['methods']): Endpoint => ({
  path: `${paths.session}${path}`,
  door: 'session',
  methods,
});

const optionalText = z.string('must be a string').optional();
const factorBody = z.object({
  code: optionalText,
  recoveryCode: optionalText,
  passkey: z.unknown().optional(),
});
const proofBody = factorBody.extend({ password: optionalText });
const passkeyBody = z.object({ response: z.unknown() });

/** Creates the endpoints of second factors and passkeys. */
function factorEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { bare, taking } = createHandlers(options);
  const visitOf = (call: Call): SignInRequest => {
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

const text = z.string('must be a string');
const linkBody = z.object({ secret: text });
const acceptBody = z.object({ secret: text, password: text.optional(), passkey: z.unknown().optional() });

/** Creates the endpoints with which invited people choose how to sign in. They need the link's secret. */
function invitationEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { database } = context;
  const { taking } = createHandlers(options);
  return [
    sessionEndpoint('/invitation', {
      POST: taking(acceptBody, async (call, body) =>
        signedInAnswer(
          call,
          await acceptInvited(context, body, partyAt(call, settings), arrivalOf(call)),
          201,
        ),
      ),
    }),
    sessionEndpoint('/invitation/passkey', {
      POST: taking(linkBody, async (call, { secret }) =>
        jsonAnswer(200, await askInvited(context, secret, partyAt(call, settings), arrivalOf(call))),
      ),
    }),
    sessionEndpoint('/invitation/check', {
      POST: taking(linkBody, async ({ now }, { secret }) => {
        const found = await findInvitation(database, secret, now);
        if (found?.state !== 'open') throw invalidInvitation();
        const { userName, email, organization } = found;
        return jsonAnswer(200, { userName, email, organization });
      }),
    }),
    sessionEndpoint('/invitation/token', {
      POST: taking(linkBody, async ({ now }, { secret }) => {
        const token = await acceptInvitation(database, secret, now);
        if (token === undefined) throw invalidInvitation();
        return jsonAnswer(201, { token });
      }),
    }),
  ];
}

const optional = z.string().nullish();
/** A mail server, whose rules are those of `readMailInput`. */
const mailBody = z.custom<MailInput>(
  (sent) => typeof sent === 'object' && sent !== null,
  'must be an object',
);
const secretBody = z.object({ secret: text });
const personBody = z.object({ secret: text, name: text, email: text });
const setupBody = z.object({
  secret: text,
  organization: text,
  name: text,
  email: text,
  password: text.optional(),
  passkey: z.unknown().optional(),
  timezone: optional,
  language: optional,
  demo: z.boolean('must be true or false'),
  mail: mailBody.nullish(),
});
const trialBody = z.object({ secret: text, mail: mailBody, to: text, language: optional });

/** Creates the endpoints with which the setup page prepares a new gateway. They need the setup link. */
function setupEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { taking } = createHandlers(options);
  return [
    sessionEndpoint('/setup', {
      POST: taking(setupBody, async (call, body) =>
        signedInAnswer(call, await setUp(context, body, partyAt(call, settings), arrivalOf(call)), 201),
      ),
    }),
    sessionEndpoint('/setup/passkey', {
      POST: taking(personBody, async (call, body) =>
        jsonAnswer(200, await askFirstPerson(context, body, partyAt(call, settings), call.now)),
      ),
    }),
    sessionEndpoint('/setup/check', {
      POST: taking(secretBody, async (_call, { secret }) => {
        await checkSetup(context, secret);
        return { status: 204, headers: {}, body: null };
      }),
    }),
    sessionEndpoint('/setup/mail', {
      POST: taking(trialBody, async ({ now }, { secret, mail, to, language }) => {
        await checkSetup(context, secret);
        const address = check(rules.email, to, ['to']);
        const { mail: settings } = readMailInput(mail);
        if (!settings) throw new Error('A mail server was read without settings.');
        const { isSent, answer } = await sendTrial(settings, address, pickLanguage(language), now);
        if (!isSent) throw new GatewayError('BAD_REQUEST', answer);
        return jsonAnswer(200, { sent: true });
      }),
    }),
  ];
}

const passwordBody = z.object({ email: text, password: text });
const tokenBody = z.object({ token: text });
const requestBody = z.object({ email: text });
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
