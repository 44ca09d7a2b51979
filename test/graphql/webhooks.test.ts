import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AddressRefused,
  isPrivateHostEntry,
  readAddress,
  receiversIn,
  resolveAddress,
} from '../../src/outbound/outbound.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { onlyIf } from '../support/skipping.js';
import { ask } from './support.js';

/** A message as a receiver got it. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let answer: RequestListener = (_request, response) => response.end();
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers, body });
  answer(request, response);
});

let gateway: TestGateway;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  gateway = await startGateway({ WEBHOOK_PRIVATE_HOSTS: new URL(url).host, SECRET_KEY: '5a'.repeat(32) });
});
afterAll(async () => {
  await gateway?.close();
  server.closeAllConnections();
  server.close();
});

const create = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { endpoint { id name url eventTypes teamIds state } secret } }`;
const trial =
  'mutation ($id: ID!) { testWebhookEndpoint(id: $id) { isAccepted status error responseStart } }';
const rotate =
  'mutation ($id: ID!, $hours: Int) { rotateWebhookSecret(id: $id, graceHours: $hours) { secret } }';

const makeEndpoint = async (input: object = {}) =>
  (await ask(gateway, create, { input: { name: 'Chat', url, ...input } })).createWebhookEndpoint;
const errorOf = async (query: string, variables: object, token?: string) =>
  (await gateway.graphql(query, variables, token)).errors?.[0];

/** Checks a message like a receiver does. The library has no clock of its own to set. */
const verifies = (secret: string, { body, headers }: Received, changes: object = {}) => {
  const now = Date.now;
  Date.now = () => gateway.clock.now.getTime();
  try {
    new Webhook(secret).verify(body, { ...headers, ...changes } as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
};

test('a receiver can verify a test message, and nothing else verifies', async () => {
  const { endpoint, secret } = await makeEndpoint();
  expect(endpoint).toMatchObject({ name: 'Chat', url, eventTypes: ['*'], teamIds: [], state: 'ENABLED' });
  answer = (_request, response) => response.writeHead(202).end('thanks');
  const { testWebhookEndpoint } = await ask(gateway, trial, { id: endpoint.id });
  expect(testWebhookEndpoint).toEqual({
    ...{ isAccepted: true, status: 202, error: null, responseStart: 'thanks' },
  });
  const message = received.at(-1) as Received;
  expect(JSON.parse(message.body)).toMatchObject({
    type: 'webhook.test',
    data: { endpoint_id: endpoint.id },
  });
  expect(message.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^expiration-gateway\/\d/),
    'webhook-id': expect.stringMatching(/^msg_[^.]+$/),
  });
  expect(verifies(secret, message)).toBe(true);
  expect(verifies(secret, { ...message, body: `${message.body} ` })).toBe(false);
  expect(verifies(`whsec_${Buffer.from('another secret').toString('base64')}`, message)).toBe(false);
  const before = String(Number(message.headers['webhook-timestamp']) - 600);
  expect(verifies(secret, message, { 'webhook-timestamp': before })).toBe(false);
});

test('during the grace both secrets verify, and after it only the new one', async () => {
  const { endpoint, secret } = await makeEndpoint();
  const { rotateWebhookSecret } = await ask(gateway, rotate, { id: endpoint.id, hours: 1 });
  const send = async () => {
    await ask(gateway, trial, { id: endpoint.id });
    const message = received.at(-1) as Received;
    return [verifies(secret, message), verifies(rotateWebhookSecret.secret, message)];
  };
  expect(await send()).toEqual([true, true]);
  const { now } = gateway.clock;
  gateway.clock.now = new Date(now.getTime() + 3_600_000);
  expect(await send()).toEqual([false, true]);
  gateway.clock.now = now;
  expect((await errorOf(rotate, { id: endpoint.id, hours: 169 }))?.extensions.code).toBe('BAD_REQUEST');
});

test('secrets are stored encrypted, and shown nowhere', async () => {
  const { secret } = await makeEndpoint();
  const stored = await gateway.database.sql<{ row: string }>(
    'SELECT webhook_secrets::text AS row FROM webhook_secrets',
  );
  const hex = Buffer.from(secret).toString('hex');
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.some(({ row }) => row.includes(hex) || row.includes(secret))).toBe(false);
  expect(
    JSON.stringify(await ask(gateway, '{ eventLogs(first: 50) { nodes { description details } } }')),
  ).not.toContain(secret);
});

test.each<[string, RequestListener, object]>([
  [
    'a redirect',
    (_q, r) => r.writeHead(301, { location: '/elsewhere' }).end(),
    { isAccepted: false, status: 301 },
  ],
  [
    'an error',
    (_q, r) => r.writeHead(500).end('\0broken'),
    { isAccepted: false, status: 500, responseStart: 'broken' },
  ],
  [
    'a reset',
    (request) => request.socket.destroy(),
    { isAccepted: false, status: null, error: 'The connection failed (ECONNRESET).' },
  ],
])('%s does not count as accepted', async (_what, listener, expected) => {
  const { endpoint } = await makeEndpoint();
  answer = listener;
  const count = received.length;
  expect((await ask(gateway, trial, { id: endpoint.id })).testWebhookEndpoint).toMatchObject(expected);
  expect(received.length).toBe(count + 1);
});

test('an endpoint is changed, paused, enabled and deleted; there are none of other organizations', async () => {
  const { endpoint } = await makeEndpoint();
  const change = `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) { name eventTypes state } }`;
  const { updateWebhookEndpoint } = await ask(gateway, change, {
    ...{ id: endpoint.id, input: { name: 'Stock', eventTypes: ['vehicle.*', 'vehicle.*'], isPaused: true } },
  });
  expect(updateWebhookEndpoint).toEqual({ name: 'Stock', eventTypes: ['vehicle.*'], state: 'PAUSED' });
  const enable = 'mutation ($id: ID!) { enableWebhookEndpoint(id: $id) { state } }';
  expect((await ask(gateway, enable, { id: endpoint.id })).enableWebhookEndpoint.state).toBe('ENABLED');
  const stranger = await createTenant(gateway.database, 'Stranger');
  const remove = 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }';
  for (const query of [enable, remove, trial, rotate]) {
    expect((await errorOf(query, { id: endpoint.id }, stranger.admin))?.extensions.code).toBe('NOT_FOUND');
    expect((await errorOf(query, { id: endpoint.id }, gateway.member))?.extensions.code).toBe('FORBIDDEN');
  }
  await ask(gateway, remove, { id: endpoint.id });
  expect((await errorOf(remove, { id: endpoint.id }))?.extensions.code).toBe('NOT_FOUND');
});

test.each([
  ['eventTypes', { eventTypes: ['vehicle.sold'] }],
  ['eventTypes', { eventTypes: [] }],
  ['teamIds', { teamIds: ['11111111-1111-4111-8111-111111111111'] }],
  ['name', { name: ' ' }],
  ['url', { url: 'http://example.com/' }],
  ['url', { url: 'https://127.0.0.1/' }],
])('an invalid value of %s is refused: %j', async (field, input) => {
  const error = await errorOf(create, { input: { name: 'Chat', url, ...input } });
  expect(error).toMatchObject({
    message: expect.stringMatching(`^${field}`),
    extensions: { code: 'BAD_REQUEST' },
  });
});

test.each([
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'https://user@hooks.example.com/',
  'https://user:pw@hooks.example.com/',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:80/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  '/hooks',
  '',
])('nothing is sent to %j', (text) => {
  expect(() => readAddress(text, receiversIn([]))).toThrow(AddressRefused);
});

test.each([
  ['https://hooks.example.com/', ['10.0.0.1']],
  ['https://hooks.example.com/', ['93.184.215.14', '127.0.0.1']],
  ['https://hooks.example.com/', ['::ffff:10.0.0.1']],
  ['https://hooks.example.com./', ['192.168.0.1']],
  ['https://xn--bcher-kva.example/', ['fd00::1']],
  ['https://hooks.example.com/', []],
])('nothing is sent to %s if it resolves to %j', async (text, addresses) => {
  const lookup = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const policy = receiversIn([], lookup);
  await expect(resolveAddress(readAddress(text, policy), policy)).rejects.toThrow(AddressRefused);
});

test('receivers in the own network are allowed where the setting names them', async () => {
  const lookup = async () => [{ address: '10.1.2.3', family: 4 }];
  const isAllowed = async (text: string, hosts: readonly string[]) => {
    try {
      const policy = receiversIn(hosts, lookup);
      await resolveAddress(readAddress(text, policy), policy);
      return true;
    } catch {
      return false;
    }
  };
  expect(await isAllowed('http://chat.lan/', ['chat.lan'])).toBe(true);
  expect(await isAllowed('http://chat.lan:8065/', ['chat.lan:8065'])).toBe(true);
  expect(await isAllowed('http://chat.lan:5432/', ['chat.lan'])).toBe(false);
  expect(await isAllowed('http://chat.lan/', ['other.lan'])).toBe(false);
  expect(await isAllowed('https://chat.lan/', ['10.1.0.0/16'])).toBe(true);
  expect(await isAllowed('http://10.1.2.3/', ['10.1.0.0/16'])).toBe(true);
  expect(await isAllowed('https://10.2.2.3/', ['10.1.0.0/16'])).toBe(false);
  expect(await isAllowed('https://chat.lan/', ['10.2.0.0/16'])).toBe(false);
  expect(
    ['chat.lan', '10.0.0.7:8080', '10.0.0.0/8', 'fd00::/8', '[fd00::1]:80'].map(isPrivateHostEntry),
  ).not.toContain(false);
  expect(
    ['', 'a b', 'https://chat.lan', '10.0.0.0/33', 'chat.lan/8', 'chat.lan:x'].map(isPrivateHostEntry),
  ).not.toContain(true);
});

const page = readFileSync(new URL('../../docs/use/webhooks.md', import.meta.url), 'utf8');

/** Finds a port that was free just now. */
async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return String(port);
}

test.each([
  ['js', process.execPath, ['--input-type=module', '-e']],
  ['python', 'python3', ['-c']],
] as const)(
  'the receiver in %s of docs/use/webhooks.md accepts what is genuine',
  onlyIf(spawnSync('python3', ['--version']).status === 0, 'Python'),
  async (language, program, options) => {
    const [, code = ''] = page.match(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm')) ?? [];
    const { endpoint, secret } = await makeEndpoint();
    const { now } = gateway.clock;
    // The receivers have no clock but the machine's.
    gateway.clock.now = new Date();
    await ask(gateway, trial, { id: endpoint.id });
    gateway.clock.now = now;
    const { headers, body } = received.at(-1) as Received;
    const PORT = await freePort();
    const receiver = spawn(program, [...options, code], {
      env: { ...process.env, PORT, WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(receiver, 'exit');
    let printed = '';
    receiver.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    const statusOf = async (text: string, changes: Record<string, string> = {}) => {
      const sent = { method: 'POST', body: text, headers: { ...signed, ...changes } };
      return (await fetch(`http://127.0.0.1:${PORT}/`, sent)).status;
    };
    try {
      expect(await eventually(() => statusOf(body))).toBe(204);
      await eventually(() => expect(printed.trim()).toBe('webhook.test'));
      expect(await statusOf(`${body} `)).toBe(401);
      expect(await statusOf(body, { 'webhook-id': 'msg_other' })).toBe(401);
      const earlier = Number(signed['webhook-timestamp']) - 600;
      expect(await statusOf(body, { 'webhook-timestamp': String(earlier) })).toBe(401);
    } finally {
      receiver.kill();
      await exited;
    }
  },
);
