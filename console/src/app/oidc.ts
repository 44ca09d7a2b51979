import * as oauth from 'oauth4webapi';
import { credentials } from '../data/client';
import { faultOf } from '../data/fault';
import { t } from '../i18n/i18n';
import { tellOpener, waitForWindow, windowPrefix } from './again';
import { navigate } from './router';
import { refuse, signIn, signOut, startSession } from './session';
import { type OidcSettings, pageSettings } from './settings';

/** A sign-in that is under way at the issuer. It has no token, and is used once. */
interface Journey {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The address that the person wanted. */
  readonly address: string;
}

const storage = 'expiration-gateway.journey';

const redirectAddress = (): string => new URL('/callback', location.origin).href;

/** Lets an issuer on this machine do without TLS, for tests and first tries. */
const optionsFor = ({ issuer }: OidcSettings) => ({
  [oauth.allowInsecureRequests]: /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(issuer),
});

async function discover(settings: OidcSettings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, optionsFor(settings));
  return oauth.processDiscoveryResponse(issuer, response);
}

function failed(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  refuse(faultOf('invalid', t('session.oidc_failed', { reason })));
}

/** Makes a journey, and the issuer's address at which it begins (authorization code with PKCE). */
async function plan(
  server: oauth.AuthorizationServer,
  settings: OidcSettings,
  prefix = '',
): Promise<[Journey, URL]> {
  if (!server.authorization_endpoint) throw new Error('The issuer has no authorization endpoint.');
  const { pathname, search } = location;
  const journey: Journey = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: prefix + oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    address: pathname === '/callback' ? '/' : pathname + search,
  };
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    ...Object.fromEntries(address.searchParams),
    client_id: settings.clientId,
    redirect_uri: redirectAddress(),
    response_type: 'code',
    scope: settings.scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    state: journey.state,
    nonce: journey.nonce,
  }).toString();
  return [journey, address];
}

/** Sends the person to the issuer. */
export async function beginSignIn(settings: OidcSettings): Promise<void> {
  try {
    const [journey, address] = await plan(await discover(settings), settings);
    sessionStorage.setItem(storage, JSON.stringify(journey));
    location.assign(address);
  } catch (error) {
    failed(error);
  }
}

/** Has the person sign in in another window. Nothing is lost of what is shown here. */
export async function signInAgain(settings: OidcSettings, window: Window): Promise<void> {
  try {
    const server = await discover(settings);
    const [journey, address] = await plan(server, settings, windowPrefix);
    const back = waitForWindow(journey.state);
    window.location.href = address.href;
    // Whoever closes the window presses the button again: nobody waits for it.
    void back.then((came) => enter(server, settings, journey, came)).catch(failed);
  } catch (error) {
    window.close();
    failed(error);
  }
}

/** The means to go on without another sign-in, in memory alone. */
let renewal: { token: string; server: oauth.AuthorizationServer; settings: OidcSettings } | undefined;

/** Keeps the means to go on, and uses them shortly before the token ends. */
function keepRenewal(
  server: oauth.AuthorizationServer,
  settings: OidcSettings,
  { refresh_token: token, expires_in: seconds }: oauth.TokenEndpointResponse,
): void {
  // One that does not change with each use may be used by whoever has found it: it is not kept.
  const isKept = token !== undefined && token !== renewal?.token;
  renewal = isKept ? { token, server, settings } : undefined;
  credentials.renew = isKept ? renewOnce : undefined;
  clearTimeout(timer);
  if (renewal && seconds) timer = setTimeout(renewOnce, Math.max(10, seconds - 60) * 1000);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<boolean> | undefined;

/** Gets the next token once for all that need it. A machine that slept has many requests at a time. */
function renewOnce(): Promise<boolean> {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Gets the next token. Nothing that is shown changes by it. @returns whether there is one */
async function renew(): Promise<boolean> {
  // Who has signed out or as somebody else has no use for it.
  if (!renewal || credentials.renew !== renewOnce) return false;
  const { token, server, settings } = renewal;
  const client: oauth.Client = { client_id: settings.clientId };
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      token,
      optionsFor(settings),
    );
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    if (credentials.renew !== renewOnce) return false;
    credentials.token = answer.access_token;
    keepRenewal(server, settings, answer);
    return true;
  } catch {
    // The token that there is holds until it ends; then the person signs in again.
    renewal = undefined;
    return false;
  }
}

/** Signs in with what the issuer answers to a journey that has come back. @throws {Error} where it refuses */
async function enter(
  server: oauth.AuthorizationServer,
  settings: OidcSettings,
  journey: Journey,
  address: URL,
): Promise<void> {
  const client: oauth.Client = { client_id: settings.clientId };
  const parameters = oauth.validateAuthResponse(server, client, address, journey.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectAddress(),
    journey.verifier,
    optionsFor(settings),
  );
  const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: journey.nonce,
    requireIdToken: true,
  });
  renewal = undefined;
  if (await signIn(answer.access_token, 'memory')) keepRenewal(server, settings, answer);
}

/** Takes the person in who comes back from the issuer to `/callback`. */
export async function finishSignIn(): Promise<void> {
  const address = new URL(location.href);
  if (address.searchParams.get('state')?.startsWith(windowPrefix)) {
    tellOpener(address.href);
    // A browser that leaves the window open shows the console in it.
    navigate('/', { replace: true });
    return startSession();
  }
  const kept = sessionStorage.getItem(storage);
  sessionStorage.removeItem(storage);
  // The code and the state do not stay in the history.
  history.replaceState(null, '', '/');
  const settings = pageSettings.value?.oidc;
  if (!kept || !settings) {
    navigate('/', { replace: true });
    signOut();
    return;
  }
  const journey = JSON.parse(kept) as Journey;
  try {
    navigate(journey.address, { replace: true });
    await enter(await discover(settings), settings, journey, address);
  } catch (error) {
    failed(error);
  }
}
