import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** The audience of tokens for the gateway. */
export const audience = 'https://gateway.example.com';

/** Returns a private key in the provider's format. */
export async function makeKey(kid: string, alg = 'RS256'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

/** Stores nothing, because its JWTs are not requested again. */
class Forgetful {
  async find() {}
  async upsert() {}
}

/** An OpenID Connect issuer on this machine: oidc-provider, with a client for each subject. */
export interface TestIssuer {
  readonly url: string;
  /** Paths that were requested, except tokens. */
  readonly asked: string[];
  /** Returns the key that it signs with. */
  readonly key: () => JWK;
  /** Returns an access token of the client credentials grant, with custom claims. */
  token(subject: string, claims?: object): Promise<string>;
  /** Returns claims like those of its tokens. */
  claims(subject: string, changes?: object): Record<string, unknown>;
  /** Signs any payload. */
  sign(claims: object, header?: Partial<JWTHeaderParameters>, key?: JWK): Promise<string>;
  /** Replaces its keys, and signs with the first. */
  rotate(...keys: JWK[]): void;
  /** Answers everything in its place; without a listener, the issuer answers again. */
  replace(listener?: RequestListener): void;
  close(): Promise<void>;
}

const seconds = () => Math.floor(Date.now() / 1000);

/**
 * Starts an issuer.
 * @param further keys besides the one that it signs with
 */
export async function startIssuer(...further: JWK[]): Promise<TestIssuer> {
  let keys = [await makeKey('first'), ...further];
  let listener: RequestListener;
  let replacement: RequestListener | undefined;
  const asked: string[] = [];
  const extra = new Map<string, object>();
  const server = createServer((request, response) => {
    if (request.url !== '/token') asked.push(request.url ?? '');
    (replacement ?? listener)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function rotate(...those: JWK[]): void {
    keys = those;
    const clients = ['ada', 'max', 'eve'].map((client_id) => ({
      client_id,
      client_secret: 'a-secret-of-this-test-alone-0123456789',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    }));
    const alg = keys[0]?.alg;
    const provider = new Provider(url, {
      clients,
      jwks: { keys },
      // The other types of these two are for servers that store what they issue.
      adapter: Forgetful,
      ttl: { ClientCredentials: () => 300 },
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx: unknown, resource: string) => ({
            scope: '',
            audience: resource,
            accessTokenTTL: 300,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg } },
          }),
        },
      },
      extraTokenClaims: (_ctx: unknown, { clientId }: { clientId: string }) => extra.get(clientId),
      enabledJWA: { clientAuthSigningAlgValues: ['RS256'] },
    });
    listener = provider.callback();
  }
  rotate(...keys);

  const claims = (subject: string, changes: object = {}): Record<string, unknown> => {
    const now = seconds();
    return { iss: url, sub: subject, aud: audience, iat: now, exp: now + 300, ...changes };
  };
  return {
    url,
    asked,
    key: () => keys[0] as JWK,
    async token(subject, own = {}) {
      extra.set(subject, own);
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: subject,
          client_secret: 'a-secret-of-this-test-alone-0123456789',
          resource: audience,
        }),
      });
      const answer = (await response.json()) as { access_token?: string };
      if (!answer.access_token) throw new Error(JSON.stringify(answer));
      return answer.access_token;
    },
    claims,
    sign: (payload, header = {}, key = keys[0] as JWK) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({
          alg: key.alg ?? 'RS256',
          typ: 'at+jwt',
          ...(key.kid && { kid: key.kid }),
          ...header,
        })
        .sign(key),
    rotate,
    replace: (other) => {
      replacement = other;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
