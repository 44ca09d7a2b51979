import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audience } from '../clients/issuer.js';
import { clientId, type LoginIssuer, signInAt, startLoginIssuer } from '../clients/login-issuer.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let issuer: LoginIssuer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startLoginIssuer();
  gateway = await startGateway({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    OIDC_CONSOLE_CLIENT_ID: clientId,
  });
  // Tokens of the issuer are as old as the machine's clock says.
  gateway.clock.now = new Date();
  await gateway.database.prisma.user.updateMany({ data: { role: 'MEMBER' } });
  await issuer.serve(gateway.url);
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
});

const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** Gets an access token as the console does: a code for which only who has asked knows the verifier. */
async function tokenOf(login: string, scope: string) {
  const config = await (await fetch(`${issuer.url}/.well-known/openid-configuration`)).json();
  const verifier = base64url(randomBytes(32));
  const state = base64url(randomBytes(16));
  const redirect = `${gateway.url}/callback`;
  const address = new URL(config.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    state,
    code_challenge: base64url(createHash('sha256').update(verifier).digest()),
    code_challenge_method: 'S256',
  }).toString();
  const back = await signInAt(issuer.url, address, login);
  expect(back.href.startsWith(`${redirect}?`)).toBe(true);
  expect(back.searchParams.get('state')).toBe(state);
  expect(back.searchParams.get('iss')).toBe(issuer.url);
  const response = await fetch(config.token_endpoint, {
    method: 'POST',
    headers: { Origin: gateway.url },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe(gateway.url);
  return (await response.json()) as { access_token: string; id_token: string };
}

test('an access token that the console gets by code and PKCE is accepted at both doors', async () => {
  const { access_token: token, id_token: idToken } = await tokenOf('ada@example.com', 'openid profile email');
  const { data } = await gateway.graphql('{ me { email role } }', {}, token);
  expect(data).toEqual({ me: { email: 'ada@example.com', role: 'MEMBER' } });
  expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(200);
  // What tells the page who has signed in is no key to the gateway.
  expect((await gateway.send('GET', '/v1/vehicles', { token: idToken })).status).toBe(401);
});

test('somebody whom the issuer knows, and the gateway does not, is nobody', async () => {
  const { access_token: token } = await tokenOf('stranger@example.com', 'openid email');
  expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(401);
});
