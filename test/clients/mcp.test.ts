import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { post, type Revision, revisions } from '../mcp/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { audience } from './issuer.js';
import { type LoginIssuer, signInAt, startLoginIssuer } from './login-issuer.js';

const publicUrl = 'https://gateway.example.com';
const redirectUrl = 'http://127.0.0.1/callback';
const email = 'ada@example.com';

let issuer: LoginIssuer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startLoginIssuer();
  await issuer.serve(publicUrl);
  issuer.gives.role = 'viewer';
  gateway = await startGateway({
    ...{ MCP: 'on', PUBLIC_URL: publicUrl },
    ...{ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_ROLE_CLAIM: 'role' },
  });
  // Tokens of the issuer are as old as the machine's clock says.
  gateway.clock.now = new Date();
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
});

/** Sends what is for the public address to the gateway. */
const viaGateway = (address: string | URL, init?: RequestInit) =>
  fetch(String(address).replace(publicUrl, gateway.url), init);

type TransportOptions = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];

async function connect(revision: Revision, options: TransportOptions) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
    ...options,
    fetch: viaGateway,
  });
  await client.connect(transport);
  return client;
}

describe.each(revisions)("the protocol's own client, %s", (revision) => {
  test('speaks this revision, lists the tools and calls some of them', async () => {
    const client = await connect(revision, {
      requestInit: { headers: { Authorization: `Bearer ${gateway.member}` } },
    });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(16);
    const given = { name: `Lease ${revision}`, expirationDate: '2030-01-01', idempotencyKey: newId() };
    // The client checks answers against the output schemas.
    const made = await client.callTool({ name: 'create_item', arguments: given });
    expect(made).toMatchObject({ structuredContent: { item: { name: `Lease ${revision}` } } });
    const found = await client.callTool({ name: 'search_items', arguments: { term: revision } });
    expect(found.structuredContent).toMatchObject({ items: { nodes: [{ name: `Lease ${revision}` }] } });
    await client.close();
  });
});

/** What a client keeps of a sign-in. */
class Keeper {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'An assistant',
    redirect_uris: [redirectUrl],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  };
  address: URL | undefined;
  #client: object | undefined;
  #tokens: { access_token: string; token_type: string } | undefined;
  #verifier = '';

  clientInformation = () => this.#client as never;
  saveClientInformation(client: object) {
    this.#client = client;
  }
  tokens = () => this.#tokens as never;
  saveTokens(tokens: { access_token: string; token_type: string }) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.address = address;
  }
  codeVerifier = () => this.#verifier;
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  accessToken = () => this.#tokens?.access_token ?? '';
}

test('a client that knows only the address registers itself, signs a person in and calls tools', async () => {
  const keeper = new Keeper();
  const options = { authProvider: keeper };
  await expect(connect('2026-07-28', options)).rejects.toBeInstanceOf(UnauthorizedError);
  expect(keeper.address?.searchParams.get('resource')).toBe(`${publicUrl}/mcp`);
  const back = await signInAt(issuer.url, keeper.address as URL, email);
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
    ...options,
    fetch: viaGateway,
  });
  await transport.finishAuth(back.searchParams);
  const client = await connect('2026-07-28', options);
  const { structuredContent } = await client.callTool({ name: 'summary', arguments: {} });
  expect(structuredContent).toMatchObject({ me: { name: 'Ada Admin', role: 'VIEWER' } });
  await client.close();
  // A token for the tools opens no other door.
  const token = keeper.accessToken();
  const query = { body: { query: '{ me { name } }' }, token };
  expect((await gateway.send('POST', '/graphql', query)).status).toBe(401);
  expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(401);
  expect((await post(gateway, 'ping', {}, { token })).status).toBe(200);
});
