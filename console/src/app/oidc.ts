import * as oauth from 'oauth4webapi';
import { tellRenewal } from '../../../public/session.js';
import { credentials } from '../data/client';
import { askDoor } from '../data/door';
import { faultOf } from '../data/fault';
import { t } from '../i18n/i18n';
import { loadSignInOptions, signInOptions } from './door/options';
import { startSession } from './entering';
import { navigate } from './router';
import { beginSession, type OidcSettings, pageSettings, refuse, signIn } from './session';

/** Prefix of the state of a sign-in in another window. */
export const windowPrefix = 'window.';

const channelName = 'expiration-gateway.sign-in';

/** Opens the window in which a person signs in again. @returns null if the browser blocks it */
export const openWindow = (): Window | null => window.open('', '', 'popup,width=520,height=680');

/** Passes the address from the issuer on to the opening page, and closes this window. */
export function tellOpener(address: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(address);
  channel.close();
  window.close();
}

let listening: BroadcastChannel | undefined;

/** Waits until the window returns from the issuer with a state. @returns its address */
export function waitForWindow(state: string): Promise<URL> {
  listening?.close();
  const channel = new BroadcastChannel(channelName);
  listening = channel;
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      const address = new URL(String(data), location.href);
      if (address.searchParams.get('state') !== state) return;
      channel.close();
      resolve(address);
    });
  });
}

/** A sign-in in progress at the issuer. It contains no token, and is used once. */
interface Journey {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The address that the person wanted. */
  readonly address: string;
}

const storage = 'expiration-gateway.journey';

const redirectAddress = (): string => new URL('/callback', location.origin).href;

/** Allows an issuer on this machine to work without TLS, for tests and trials. */
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

/** Prepares a sign-in, and the issuer's address to start it (authorization code with PKCE). */
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

/** Lets the person sign in in another window. Nothing on this page is lost. */
export async function signInAgain(settings: OidcSettings, window: Window): Promise<void> {
  try {
    const server = await discover(settings);
    const [journey, address] = await plan(server, settings, windowPrefix);
    const back = waitForWindow(journey.state);
    window.location.href = address.href;
    // If the window is closed, the person presses the button again, so nothing waits for it.
    void back.then((came) => enter(server, settings, journey, came)).catch(failed);
  } catch (error) {
    window.close();
    failed(error);
  }
}

/** The refresh token, which is kept only in memory. */
let renewal: { token: string; server: oauth.AuthorizationServer; settings: OidcSettings } | undefined;

/** Stores the refresh token, and uses it shortly before the access token expires. */
function keepRenewal(
  server: oauth.AuthorizationServer,
  settings: OidcSettings,
  { refresh_token: token, expires_in: seconds }: oauth.TokenEndpointResponse,
): void {
  // A token that does not rotate could be used by whoever finds it, so it is not kept.
  const isKept = token !== undefined && token !== renewal?.token;
  renewal = isKept ? { token, server, settings } : undefined;
  credentials.renew = isKept ? renewOnce : undefined;
  clearTimeout(timer);
  if (renewal && seconds) timer = setTimeout(renewOnce, Math.max(10, seconds - 60) * 1000);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<boolean> | undefined;

/** Refreshes the token once for all concurrent requests. A machine that slept sends many of them. */
function renewOnce(): Promise<boolean> {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Refreshes the token without any visible change. @returns whether it succeeded */
async function renew(): Promise<boolean> {
  // The person has signed out, or signed in as somebody else.
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
    if (credentials.token) tellRenewal(credentials.token, answer.access_token);
    credentials.token = answer.access_token;
    keepRenewal(server, settings, answer);
    return true;
  } catch {
    // The current token is valid until it expires; then the person signs in again.
    renewal = undefined;
    return false;
  }
}

/**
 * Begins a session with an access token. Not every token can begin one: it may state rights, which a session cannot
 * have, or the gateway may refuse cookies here.
 * @returns whether there is a session
 */
async function beginSessionWith(token: string): Promise<boolean> {
  if (!signInOptions.peek()) await loadSignInOptions();
  if (signInOptions.peek()?.cookies === 'refused') return false;
  const outcome = await askDoor('POST', '/oidc', { token });
  if (outcome.ok) await beginSession();
  return outcome.ok;
}

/** Completes a sign-in with the issuer's response. @throws {Error} if the issuer refuses */
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
  if (await beginSessionWith(answer.access_token)) return;
  if (await signIn(answer.access_token, 'memory')) keepRenewal(server, settings, answer);
}

/** Signs in the person who returns from the issuer to `/callback`. */
export async function finishSignIn(): Promise<void> {
  const address = new URL(location.href);
  if (address.searchParams.get('state')?.startsWith(windowPrefix)) {
    tellOpener(address.href);
    // If the browser leaves the window open, it shows the console.
    navigate('/', { replace: true });
    return startSession();
  }
  const kept = sessionStorage.getItem(storage);
  sessionStorage.removeItem(storage);
  // Removes the code and the state from the history.
  history.replaceState(null, '', '/');
  const settings = pageSettings.value?.oidc;
  if (!kept || !settings) {
    navigate('/', { replace: true });
    return startSession();
  }
  const journey = JSON.parse(kept) as Journey;
  try {
    navigate(journey.address, { replace: true });
    await enter(await discover(settings), settings, journey, address);
  } catch (error) {
    failed(error);
  }
}
