import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, type Running, start } from './support.js';

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, PORT: '0', SECRET_KEY: '5e'.repeat(32), LOG_FORMAT: 'json' };
});
afterAll(() => database.drop());

/** Returns what doctor says of one check, and its exit status. */
async function finding(check: string, settings: Record<string, string>) {
  const { exitCode, stdout } = await execute({ ...env, ...settings }, 'doctor', '--json');
  const all: { check: string; ok: boolean; warning?: true; text: string }[] = JSON.parse(stdout);
  return { exitCode, found: all.find((one) => one.check === check) };
}

/** A reverse proxy that treats headers in one way. */
async function startProxy(port: number, forward: (request: IncomingMessage) => Record<string, string>) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const sent = { ...headers, ...forward(incoming) };
    incoming.pipe(
      request({ host: '127.0.0.1', port, method, path, headers: sent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const replaces = () => ({ 'x-forwarded-for': '198.51.100.7' });
const appends = ({ headers }: IncomingMessage) => {
  const sent = headers['x-forwarded-for'];
  return { 'x-forwarded-for': sent === undefined ? '198.51.100.7' : `${sent}, 198.51.100.7` };
};
const twice = (incoming: IncomingMessage) => ({
  'x-forwarded-for': `${appends(incoming)['x-forwarded-for']}, 198.51.100.8`,
});
const keepsNothing = () => ({});
const changesHost = () => ({ ...replaces(), host: 'internal.example.com' });

async function startServing(trusted: number): Promise<{ running: Running; port: number }> {
  const running = start({ ...env, TRUST_PROXY: String(trusted), WORKER: 'off' }, 'serve');
  const port = await eventually(() => {
    const [, found] = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(running.stdout()) ?? [];
    expect(found).toBeDefined();
    return Number(found);
  });
  return { running, port };
}

test.each<[name: string, trusted: number, forward: typeof appends | typeof keepsNothing, expected: object]>([
  [
    'that replaces the header',
    1,
    replaces,
    { text: expect.stringContaining('leads here, through a proxy.') },
  ],
  [
    'that appends to the header',
    1,
    appends,
    { text: expect.stringContaining('leads here, through a proxy.') },
  ],
  ['before another', 2, twice, { text: expect.stringContaining('leads here, through 2 proxies.') }],
  ['that nobody trusts', 0, appends, { warning: true, text: expect.stringContaining('set TRUST_PROXY=1.') }],
  ['of which two are trusted', 2, appends, { warning: true, text: expect.stringContaining('can forge') }],
  [
    'that adds nothing',
    1,
    keepsNothing,
    { warning: true, text: expect.stringContaining('set TRUST_PROXY=0.') },
  ],
  [
    'that adds nothing, and none is trusted',
    0,
    keepsNothing,
    { text: expect.stringContaining('not through a proxy.') },
  ],
  ['that changes Host', 1, changesHost, { warning: true, text: expect.stringContaining('pass on Host') }],
])('says whether TRUST_PROXY fits a proxy %s', async (_name, trusted, forward, expected) => {
  const { running, port } = await startServing(trusted);
  const proxy = await startProxy(port, forward);
  try {
    const { found, exitCode } = await finding('public URL', { PUBLIC_URL: addressOf(proxy) });
    expect(found).toEqual({ check: 'public URL', ok: true, ...expected });
    expect(exitCode).toBe(0);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    running.signals.emit('SIGTERM');
    await running.outcome;
  }
});

test('tells a gateway with another key, what is no gateway, and who does not answer', async () => {
  const { running, port } = await startServing(0);
  const redirecting = createServer((_request, response) => {
    response.writeHead(308, { Location: 'https://example.com/' }).end();
  });
  redirecting.listen(0, '127.0.0.1');
  await once(redirecting, 'listening');
  const elsewhere = addressOf(redirecting);
  try {
    const other = await finding('public URL', {
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SECRET_KEY: 'a1'.repeat(32),
    });
    expect(other.found).toMatchObject({ warning: true, text: expect.stringContaining('not with the key') });
    const moved = await finding('public URL', { PUBLIC_URL: elsewhere });
    expect(moved.found).toMatchObject({
      warning: true,
      text: expect.stringContaining('https://example.com/'),
    });
  } finally {
    redirecting.close();
    redirecting.closeAllConnections();
    running.signals.emit('SIGTERM');
    await running.outcome;
  }
  const gone = await finding('public URL', { PUBLIC_URL: elsewhere });
  expect(gone.found).toMatchObject({ warning: true, text: expect.stringContaining('ECONNREFUSED') });
});

test('shows nobody else how requests arrive', async () => {
  const { running, port } = await startServing(1);
  try {
    const queries = [
      '',
      '?at=1&by=',
      `?at=${Date.now()}&by=AAAA`,
      `?at=NaN&by=${'A'.repeat(43)}`,
      '?at=&by=&at=',
    ];
    for (const query of queries) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/route${query}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', ok: false });
    }
  } finally {
    running.signals.emit('SIGTERM');
    await running.outcome;
  }
});

it.each([
  ['a name that does not resolve', { PUBLIC_URL: 'https://gateway.invalid' }, 'does not resolve', false],
  ['http, where nobody can sign in', { PUBLIC_URL: 'http://192.0.2.1' }, 'nobody can sign in', true],
])('finds a public address with %s', async (_name, settings, text, ok) => {
  const { found } = await finding('public URL', settings);
  expect(found).toMatchObject({ ok, text: expect.stringContaining(text) });
});

test('warns of a port that browsers do not call', async () => {
  const { found } = await finding('port', { PORT: '6000' });
  expect(found).toMatchObject({ ok: true, warning: true, text: expect.stringContaining('port 6000') });
});

test('warns of more connections than the database allows', async () => {
  expect((await finding('pool', {})).found).toMatchObject({ ok: true });
  const { found } = await finding('pool', { DATABASE_POOL: '100', WORKERS: '9' });
  expect(found).toMatchObject({
    warning: true,
    text: expect.stringMatching(/up to \d+ of \d+ connections: raise/),
  });
});

test('warns of a replica that is the primary', async () => {
  const { found } = await finding('replica', { DATABASE_REPLICA_URL: database.url });
  expect(found).toMatchObject({ warning: true, text: expect.stringContaining('leads to the primary') });
});

test('needs no encryption on the same machine', async () => {
  expect((await finding('connection', {})).found).toMatchObject({
    ok: true,
    text: 'The database is on this machine.',
  });
});
