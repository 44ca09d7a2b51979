import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ConfigError } from '../../src/config/parse.js';
import { schema } from '../../src/graphql/schema.js';
import { compileTool, loadTools } from '../../src/mcp/tools.js';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { call, messageIn, post, request, revisions } from './support.js';

let issuer: TestIssuer;
let gateway: TestGateway;
let folder: string;
const publicUrl = 'https://gateway.example.com';
const own = '"Counts the tags." query count_tags { tags { totalCount } }';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  folder = await mkdtemp(join(tmpdir(), 'tools-'));
  await writeFile(join(folder, 'count-tags.graphql'), own);
  issuer = await startIssuer();
  gateway = await startGateway({
    ...{ MCP: 'on', MCP_OPERATIONS: folder, PUBLIC_URL: publicUrl, CORS_ORIGINS: 'https://app.example.com' },
    ...{ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_ROLE_CLAIM: 'role' },
    ...{ PERSISTED_OPERATIONS: folder, PERSISTED_OPERATIONS_ONLY: 'on' },
  });
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  await rm(folder, { recursive: true });
  vi.useRealTimers();
});

const metadataPath = '/.well-known/oauth-protected-resource';

test('without MCP=on there is nothing at its paths', async () => {
  const without = await startGateway({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience });
  for (const path of ['/mcp', metadataPath, `${metadataPath}/mcp`]) {
    for (const method of ['GET', 'POST']) {
      const { status } = await without.send(method, path, method === 'POST' ? { body: {} } : {});
      expect([path, method, status]).toEqual([path, method, 404]);
    }
  }
  await without.close();
});

test('a client without a token finds the issuer, and calls tools with a token of it', async () => {
  const { status, headers } = await post(gateway, 'tools/list', {}, { token: null });
  expect(status).toBe(401);
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toBe(`Bearer resource_metadata="${publicUrl}${metadataPath}/mcp"`);
  const { json, headers: shown } = await gateway.send('GET', `${metadataPath}/mcp`, { token: null });
  expect(shown.get('content-type')).toContain('application/json');
  expect(json).toEqual({
    resource: `${publicUrl}/mcp`,
    resource_name: 'Expiration Gateway',
    authorization_servers: [issuer.url],
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'profile', 'email'],
  });
  const token = await issuer.token('ada', { email: 'ada@example.com', role: 'viewer' });
  const { structuredContent } = await call(gateway, 'summary', {}, { token });
  expect(structuredContent.me).toMatchObject({ name: 'Ada Admin', role: 'VIEWER' });
});

test('an invalid token is told so, with the same address', async () => {
  const { status, headers } = await post(gateway, 'tools/list', {}, { token: 'unknown' });
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${publicUrl}${metadataPath}/mcp"`,
  );
});

test('the metadata of the gateway itself names the gateway', async () => {
  const { json } = await gateway.send('GET', metadataPath, { token: null });
  expect(json).toMatchObject({ resource: publicUrl, authorization_servers: [issuer.url] });
});

test.each<[string | undefined, number]>([
  [undefined, 200],
  [publicUrl, 200],
  ['https://app.example.com', 200],
  ['https://evil.example', 403],
  ['null', 403],
])('a page of the origin %s gets %i', async (origin, status) => {
  const headers = { Accept: 'application/json, text/event-stream', ...(origin && { Origin: origin }) };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await gateway.send('POST', '/mcp', { body, headers })).status).toBe(status);
});

test('a page of an allowed origin reads where to sign in', async () => {
  const headers = { Origin: 'https://app.example.com' };
  const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'mcp-method' };
  const preflight = await gateway.send('OPTIONS', '/mcp', { token: null, headers: { ...headers, ...asked } });
  expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-method');
  const refused = await gateway.send('POST', '/mcp', { token: null, headers, body: {} });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  const metadata = await gateway.send('GET', `${metadataPath}/mcp`, { token: null, headers });
  expect(metadata.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
});

test('without an address in the settings, only pages of this machine are its own', async () => {
  const local = await startGateway({ MCP: 'on' });
  /** Sends a message with headers that `fetch` would not send. */
  const statusAt = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        ...{ Host: host, Origin: `http://${host}`, Authorization: `Bearer ${local.viewer}` },
        ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      };
      const sent = sendRequest(`${local.url}/mcp`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    });
  expect(await statusAt('localhost:4000')).toBe(200);
  expect(await statusAt('127.0.0.1')).toBe(200);
  expect(await statusAt('rebound.example')).toBe(403);
  await local.close();
});

test('both revisions shake hands, and neither begins a session or a stream', async () => {
  const client = { clientInfo: { name: 'test', version: '1' }, capabilities: {} };
  const greeted = await request(gateway, 'initialize', { protocolVersion: '2025-11-25', ...client });
  expect(greeted).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
  const discovered = await request(gateway, 'server/discover', {}, { revision: '2026-07-28' });
  expect(discovered).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
  const listed = await request(gateway, 'tools/list', {}, { revision: '2026-07-28' });
  expect(listed).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
  const { headers } = await post(gateway, 'tools/list');
  expect(headers.get('mcp-session-id')).toBeNull();
  const listen = await post(
    gateway,
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    { revision: '2026-07-28' },
  );
  expect(messageIn(listen).error).toBeDefined();
  for (const method of ['GET', 'DELETE']) {
    expect((await gateway.send(method, '/mcp')).status).toBe(405);
  }
});

test.each<[string, object | string, number]>([
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], 400],
  ['no message', {}, 400],
  ['no JSON', '{', 400],
  ['nothing', '', 400],
  ['too much', { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(1024 * 1024) } }, 413],
])('%s is refused', async (_, sent, status) => {
  const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const raw = typeof sent === 'string' ? sent : JSON.stringify(sent);
  expect((await gateway.send('POST', '/mcp', { raw, headers })).status).toBe(status);
});

test.each(revisions)(
  '%s: an unknown tool and an unknown method are errors of the protocol',
  async (revision) => {
    const tool = await post(gateway, 'tools/call', { name: 'drop', arguments: {} }, { revision });
    expect(messageIn(tool).error.code).toBe(-32602);
    const method = await post(gateway, 'resources/list', {}, { revision });
    expect(messageIn(method).error.code).toBe(-32601);
  },
);

test("an operator's operation is a tool, also where only persisted ones are accepted", async () => {
  const { tools } = await request(gateway, 'tools/list');
  expect(tools).toContainEqual(
    expect.objectContaining({ name: 'count_tags', title: 'Count tags', description: 'Counts the tags.' }),
  );
  const { structuredContent } = await call(gateway, 'count_tags');
  expect(structuredContent.tags.totalCount).toBe(0);
});

test.each<[string, string, RegExp]>([
  ['a syntax error', 'query {', /Syntax Error/],
  ['an unknown field', 'query x { nothing }', /Cannot query field/],
  ['no name', '{ me { id } }', /with a name/],
  ['nothing in it', '', /Syntax Error/],
  ['a fragment alone', 'fragment a on Me { id }', /is never used|one operation/],
  ['a name that is too long', `query ${'x'.repeat(65)} { me { id } }`, /at most 64 characters/],
  ['a type that does not exist', 'query x($a: Nothing) { me { id } }', /Unknown type/],
  ['two operations', 'query a { me { id } } query b { me { id } }', /one operation/],
  ['a subscription', 'subscription s { recordChanged { __typename } }', /./],
  [
    'a variable that is ours',
    'query x($idempotencyKey: String) { contacts(filter: {term: $idempotencyKey}) { totalCount } }',
    /no variable/,
  ],
  [
    'a mutation that deletes',
    'mutation x($id: ID!) { deleteExpirationItem(id: $id) { id } }',
    /x\.graphql": deleteExpirationItem deletes, which no tool may do$/,
  ],
  [
    'a mutation that removes a file',
    'mutation x($id: ID!) { removeAttachment(id: $id) { id } }',
    /removeAttachment deletes/,
  ],
  [
    'a deletion in a fragment',
    'mutation x { ...gone } fragment gone on Mutation { deleteTags(ids: []) { id } }',
    /deleteTags deletes/,
  ],
  [
    'tokens',
    '{ accessTokens { totalCount } }',
    /Query\.accessTokens belongs to tokens or settings, which no tool may reach$/,
  ],
  ['a token', 'query x { me { token { id } } }', /Me\.token belongs/],
  [
    'a token by its id',
    'query x($id: ID!) { node(id: $id) { ... on AccessToken { name } } }',
    /AccessToken\.name belongs/,
  ],
  ['sign-ins', 'query x { me { sessions { id } } }', /Me\.sessions belongs/],
  ['secret addresses', 'query x { me { calendarFeeds { id } } }', /Me\.calendarFeeds belongs/],
  ['settings', 'query x { mailSettings { host } }', /Query\.mailSettings belongs/],
  [
    'a change of settings',
    'mutation x { updateOrganization { id } }',
    /Mutation\.updateOrganization belongs/,
  ],
  ['a change of oneself', 'mutation x { updateMe { name } }', /Mutation\.updateMe belongs/],
])('an operation with %s is refused at the start', (_, text, problem) => {
  expect(() => compileTool(text, 'x.graphql', schema)).toThrow(ConfigError);
  expect(() => compileTool(text, 'x.graphql', schema)).toThrow(problem);
});

test('a folder or file that cannot be used is refused at the start, by its name', async () => {
  const other = await mkdtemp(join(tmpdir(), 'tools-'));
  expect(() => loadTools(schema, join(other, 'missing'))).toThrow(
    /MCP_OPERATIONS ".*missing": .*can be read/,
  );
  await mkdir(join(other, 'x.graphql'));
  expect(() => loadTools(schema, other)).toThrow(
    /MCP_OPERATIONS ".*x\.graphql": expected a file that can be/,
  );
  await rm(join(other, 'x.graphql'), { recursive: true });
  await writeFile(join(other, 'a.graphql'), own);
  await writeFile(join(other, 'b.graphql'), own);
  expect(() => loadTools(schema, other)).toThrow(
    /b\.graphql": another file has an operation count_tags, too/,
  );
  await rm(other, { recursive: true });
});

test('no variable is too special', () => {
  const text =
    'query x($__proto__: String, $constructor: Int! = 1) { contacts(first: $constructor, filter: { term: $__proto__ }) { totalCount } }';
  const { properties } = compileTool(text, 'x.graphql', schema).inputSchema;
  expect(Object.keys(properties)).toEqual(['__proto__', 'constructor']);
});

test('a tool with fragments and unions has a schema, and replaces one of the same name', async () => {
  const text = `query summary { events: eventLogs(first: 1) { nodes { relatedEntities { record { __typename ... on ExpirationItem { ...short } } } } } }
    fragment short on ExpirationItem { id name }`;
  const { shape } = compileTool(text, 'x.graphql', schema);
  expect(JSON.stringify(shape.schema)).toContain('"link"');
  await writeFile(join(folder, 'summary.graphql'), text);
  const tools = loadTools(schema, folder);
  expect(tools.find(({ name }) => name === 'summary')?.document).toBe(text);
  expect(tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).toSorted());
});

test('calls count for the rate limit of the token', async () => {
  const limited = await startGateway({ MCP: 'on', RATE_LIMIT: '3' });
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) {
    const called = { name: 'summary', arguments: {} };
    statuses.push((await post(limited, 'tools/call', called, { token: limited.viewer })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  await limited.close();
});
