import * as oauth from 'oauth4webapi';
import { credentials } from '../data/client';
import { faultOf } from '../data/fault';
import { t } from '../i18n/i18n';
import { navigate } from './router';
import { session, signIn, signOut } from './session';
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
  signOut(faultOf('invalid', t('session.oidc_failed', { reason })));
}

/** Sends the person to the issuer (authorization code with PKCE). */
export async function beginSignIn(settings: OidcSettings): Promise<void> {
  try {
    const server = await discover(settings);
    if (!server.authorization_endpoint) throw new Error('The issuer has no authorization endpoint.');
    const verifier = oauth.generateRandomCodeVerifier();
    const { pathname, search } = location;
    const journey: Journey = {
      verifier,
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      address: pathname === '/callback' ? '/' : pathname + search,
    };
    sessionStorage.setItem(storage, JSON.stringify(journey));
    const address = new URL(server.authorization_endpoint);
    address.search = new URLSearchParams({
      ...Object.fromEntries(address.searchParams),
      client_id: settings.clientId,
      redirect_uri: redirectAddress(),
      response_type: 'code',
      scope: settings.scope,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: journey.state,
      nonce: journey.nonce,
    }).toString();
    location.assign(address);
  } catch (error) {
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
  if (renewal && seconds) setTimeout(renew, Math.max(10, seconds - 60) * 1000);
}

/** Gets the next token. Nothing that is shown changes by it. */
async function renew(): Promise<void> {
  if (!renewal || session.peek().state !== 'in') return;
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
    if (session.peek().state !== 'in') return;
    credentials.token = answer.access_token;
    keepRenewal(server, settings, answer);
  } catch {
    // The token that there is holds until it ends; then the person signs in again.
    renewal = undefined;
  }
}

/** Takes the person in who comes back from the issuer to `/callback`. */
export async function finishSignIn(): Promise<void> {
  const address = new URL(location.href);
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
  const client: oauth.Client = { client_id: settings.clientId };
  try {
    const server = await discover(settings);
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
    navigate(journey.address, { replace: true });
    renewal = undefined;
    if (await signIn(answer.access_token, 'memory')) keepRenewal(server, settings, answer);
  } catch (error) {
    failed(error);
  }
}
