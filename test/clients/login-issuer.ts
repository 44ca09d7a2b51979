import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { audience, makeKey } from './issuer.js';

/** The public client with which people sign in to the console. */
export const clientId = 'gateway-console';

/** An OpenID Connect issuer where people sign in only with their address, in a form. */
export interface LoginIssuer {
  readonly url: string;
  /** Sets what it returns with a sign-in from now on. */
  readonly gives: {
    seconds: number;
    refreshToken: boolean;
    /** The claim `role`. Undefined leaves it out. */
    role: string | undefined;
  };
  /** Redirects people to the console of a gateway; without it, the client is unknown. */
  serve(gateway: string): Promise<void>;
  close(): Promise<void>;
}

const scopes = 'openid profile email';

interface Asking {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    /** The resources that the client has asked for. */
    readonly resourceServers?: object;
  };
}

async function makeProvider(url: string, gateway: string, gives: LoginIssuer['gives']): Promise<Provider> {
  const accounts = (sub: string) => ({
    accountId: sub,
    claims: () => ({ sub, email: sub, email_verified: true }),
  });
  const provider: Provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${gateway}/callback`],
      },
    ],
    jwks: { keys: [await makeKey('first')] },
    cookies: { keys: ['a key of this test alone'] },
    pkce: { required: () => true },
    clientBasedCORS: (_ctx: unknown, origin: string) => origin === gateway,
    findAccount: (_ctx: unknown, sub: string) => accounts(sub),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Signing in implies consent.
    async loadExistingGrant({ oidc }: Asking) {
      const { accountId } = oidc.session;
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId });
      grant.addOIDCScope(scopes);
      for (const resource of [audience, ...Object.keys(oidc.resourceServers ?? {})]) {
        grant.addResourceScope(resource, scopes);
      }
      await grant.save();
      return grant;
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => gives.refreshToken,
    ttl: { AccessToken: () => gives.seconds },
    extraTokenClaims: (_ctx: unknown, { accountId }: { accountId: string }) => ({
      email: accountId,
      email_verified: true,
      role: gives.role,
    }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: scopes,
          audience: resource,
          accessTokenTTL: gives.seconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  return provider;
}

const form =
  '<!doctype html><html lang="en"><title>Issuer</title><h1>Issuer</h1><form method="post"><label>Address <input name="login"></label> <button>Sign in</button></form></html>';

/** Shows the form, or signs in whoever has filled it in. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(form);
    return;
  }
  const accountId = new URLSearchParams(await text(request)).get('login') ?? '';
  await provider.interactionFinished(request, response, { login: { accountId }, consent: {} });
}

/** Starts an issuer. */
export async function startLoginIssuer(): Promise<LoginIssuer> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (!provider) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
    else provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gives: LoginIssuer['gives'] = { seconds: 300, refreshToken: false, role: undefined };
  return {
    url,
    gives,
    serve: async (gateway) => {
      provider = await makeProvider(url, gateway, gives);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Follows redirects at the issuer with its cookies, as a browser does, until it is sent elsewhere. */
export async function signInAt(issuer: string, address: URL, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = address;
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 10; step++) {
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    body = location === null ? new URLSearchParams({ login }) : undefined;
    if (location !== null) next = new URL(location, next);
    if (next.origin !== issuer) return next;
  }
  throw new Error('The issuer leads nowhere.');
}
