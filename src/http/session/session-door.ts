import type * as z from 'zod';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import type { Identity } from '../../domain/identity.js';
import { check } from '../../domain/rules.js';
import { checkJsonType } from '../../rest/body.js';
import { readJson } from '../../rest/json-body.js';
import type { SignInContext } from '../../sign-in/context.js';
import { type RelyingParty, relyingPartyOf } from '../../sign-in/factors/relying-party.js';
import type { Arrival } from '../../sign-in/links/links.js';
import type { Visitor } from '../../sign-in/sessions.js';
import type { SignedIn } from '../../sign-in/sign-in.js';
import { type Answer, jsonType } from '../../web/answer.js';
import type { Endpoint, Handle, Incoming, MethodHandler } from '../routing/endpoint.js';
import type { Exchange } from '../routing/exchange.js';
import { type CookieSettings, type Cookies, cookiesAt } from './cookies.js';
import { checkSameOrigin } from './same-origin.js';

/** The most bytes of a body. */
const bodyLimit = 64 * 1024;

export interface SessionDoorOptions {
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
export interface Call {
  readonly context: SignInContext;
  readonly now: Date;
  readonly visitor: Visitor;
  readonly cookies: Cookies;
  /** The secret of the session that the browser has. */
  readonly secret: string | undefined;
  readonly request: Incoming;
  readonly exchange: Exchange;
}

/** Returns what signing in needs to know of a call. */
export const arrivalOf = ({ visitor, secret, now }: Call): Arrival => ({ visitor, replaced: secret, now });

/** Returns the function that finds the host that passkeys of a call belong to. */
export const partyAt =
  ({ cookies }: Pick<Call, 'cookies'>, { publicUrl }: CookieSettings) =>
  (): RelyingParty =>
    relyingPartyOf(cookies.origin, publicUrl);

/** Answers a request with a body. */
export type Act<Body> = (call: Call, body: Body) => Promise<Answer>;

/** Writes an answer in JSON. */
export const jsonAnswer = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
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
export function signedInAnswer(
  { cookies, exchange }: Pick<Call, 'cookies' | 'exchange'>,
  { secret, device, factors, mustEnroll }: SignedIn,
  status = 200,
): Answer {
  exchange.setCookies?.([cookies.set('session', secret), cookies.set('device', device)]);
  const done = { state: mustEnroll ? 'enroll' : 'in' };
  const state = factors.length > 0 ? { state: 'second-factor', ways: factors } : done;
  return jsonAnswer(status, state);
}

/** Creates the handlers of requests about signing in. Each checks that one of our own pages has sent it. */
export function createHandlers({ context, clock, settings }: SessionDoorOptions) {
  function callOf(request: Incoming, exchange: Exchange): Call {
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
    bare: (act: (call: Call) => Promise<Answer>): MethodHandler => {
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
    cookiesOf: (exchange: Exchange) => cookiesAt(exchange.origin(), settings),
  };
}

/** Creates an endpoint of the door. */
export const sessionEndpoint = (path: string, methods: Endpoint['methods']): Endpoint => ({
  path: `${paths.session}${path}`,
  door: 'session',
  methods,
});
