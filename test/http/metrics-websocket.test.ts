import { once } from 'node:events';
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { streams, subscribe, transports, webSocketUrl } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { familiesOf, problemsOf, type Sample } from '../support/exposition.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let client: Client;
beforeAll(async () => {
  gateway = await startGateway();
  client = connect(gateway.admin);
});
afterAll(async () => {
  await client.dispose();
  await gateway.close();
});

function connect(token: string): Client {
  return createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: true,
    lazyCloseTimeout: 60_000,
  });
}

/** Runs an operation to its end, whatever that is. */
async function run(operation: SubscribePayload, over = client): Promise<void> {
  await new Promise<void>((resolve) => {
    over.subscribe(operation, { next: () => {}, error: () => resolve(), complete: resolve });
  });
}

async function scrape(): Promise<string> {
  return (await gateway.send('GET', '/metrics', { token: null })).text;
}

/** Returns what has been counted so far, by its labels. */
async function counts(name: string, sample = name): Promise<Map<string, number>> {
  const { samples = [] } = familiesOf(await scrape()).get(name) ?? {};
  const key = ({ labels }: Sample) => JSON.stringify(Object.entries(labels).sort());
  return new Map(samples.filter((one) => one.name === sample).map((one) => [key(one), one.value]));
}

const keyOf = (labels: object) => JSON.stringify(Object.entries(labels).sort());
const durations = 'gateway_http_request_duration_seconds';

/** Returns how many operations over WebSockets have ended so. */
async function ended(operation: string, status: string): Promise<number> {
  const labels = { door: 'graphql', method: 'websocket', route: '/graphql', operation, status };
  return (await counts(durations, `${durations}_count`)).get(keyOf(labels)) ?? 0;
}

async function failed(code: string): Promise<number> {
  return (await counts('gateway_errors_total')).get(keyOf({ door: 'graphql', code })) ?? 0;
}

/** Waits until so many have ended: a client may know it before the gateway has counted it. */
const awaitEnded = (operation: string, status: string, count: number) =>
  eventually(async () => expect(await ended(operation, status)).toBe(count));

let before: { query: number; mutation: number; refused: number };
beforeEach(async () => {
  before = {
    query: await ended('query', '2xx'),
    mutation: await ended('mutation', '2xx'),
    refused: await ended('', '4xx'),
  };
});

test('queries and mutations are counted by their kind, as those over HTTP are', async () => {
  await run({ query: 'query NameOfTheirs { me { name } }' });
  await run({ query: 'mutation { createTag(input: {name: "counted"}) { id } }' });
  await awaitEnded('query', '2xx', before.query + 1);
  await awaitEnded('mutation', '2xx', before.mutation + 1);
  const text = await scrape();
  expect(problemsOf(text)).toEqual([]);
  expect(text).not.toContain('NameOfTheirs');
});

test('one that fails in part counts as answered, and its error once', async () => {
  const errors = await failed('NOT_FOUND');
  await run({ query: 'mutation { a: deleteTag(id: "x") { id } b: deleteTag(id: "y") { id } }' });
  await awaitEnded('mutation', '2xx', before.mutation + 1);
  expect(await failed('NOT_FOUND')).toBe(errors + 1);
});

test.each(['{ nothing }', '{ me {'])('a rejected one counts with its status: %s', async (query) => {
  const errors = await failed('BAD_REQUEST');
  await run({ query });
  await awaitEnded('', '4xx', before.refused + 1);
  expect(await failed('BAD_REQUEST')).toBe(errors + 1);
});

test('an internal error counts as one', async () => {
  const sql = (text: string) => gateway.database.prisma.$executeRawUnsafe(text);
  const errors = await failed('INTERNAL_ERROR');
  await sql('ALTER TABLE tags RENAME TO tags_gone');
  try {
    await run({ query: '{ tags { totalCount } }' });
  } finally {
    await sql('ALTER TABLE tags_gone RENAME TO tags');
  }
  await awaitEnded('query', '2xx', before.query + 1);
  expect(await failed('INTERNAL_ERROR')).toBe(errors + 1);
});

test('a token that opens no connection is an error with its status', async () => {
  const errors = await failed('UNAUTHORIZED');
  await run({ query: '{ me { name } }' }, connect('unknown'));
  await awaitEnded('', '4xx', before.refused + 1);
  expect(await failed('UNAUTHORIZED')).toBe(errors + 1);
});

const events = { query: 'subscription { eventLogged { description } }' };

test.each(['the client', 'the connection'])('a subscription counts once, when %s ends it', async (who) => {
  const already = await ended('subscription', '2xx');
  const own = connect(gateway.admin);
  const results = own.iterate(events);
  const first = results.next();
  await streams(gateway, 1);
  await gateway.graphql(`mutation { createTag(input: {name: "${who}"}) { id } }`);
  expect((await first).done).toBe(false);
  expect(await ended('subscription', '2xx')).toBe(already);
  if (who === 'the client') await results.return?.();
  await own.dispose();
  await awaitEnded('subscription', '2xx', already + 1);
  await streams(gateway, 0);
});

test.each(['graphql-ws', 'graphql-sse'] as const)('one that ends with an error is one: %s', async (over) => {
  const errors = await failed('UNAUTHORIZED');
  const create = 'createAccessToken(input: {name: "short", role: VIEWER}) { token accessToken { id } }';
  const { token, accessToken } = (await gateway.graphql(`mutation { ${create} }`)).data.createAccessToken;
  const results = await subscribe(gateway, { ...events, token }, transports[over]);
  await gateway.graphql(`mutation { revokeAccessToken(id: "${accessToken.id}") { id } }`);
  let isOver = false;
  while (!isOver) isOver = (await results.next()).done === true;
  await expect.poll(() => failed('UNAUTHORIZED')).toBe(errors + 1);
});

test('one that nobody waits for any more counts as aborted', async () => {
  const { prisma } = gateway.database;
  const { data } = await gateway.graphql('mutation { createVehicle(input: {name: "Held"}) { id } }');
  const { id } = data.createVehicle;
  const already = await ended('mutation', 'aborted');
  const socket = new WebSocket(webSocketUrl(gateway), 'graphql-transport-ws');
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: 'connection_init', payload: { Authorization: `Bearer ${gateway.admin}` } });
  await once(socket, 'message');
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS one FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
    const query = `mutation { updateVehicle(id: "${id}", input: {name: "Late"}) { name } }`;
    send({ id: '1', type: 'subscribe', payload: { query } });
    const waiting = () => prisma.$queryRaw`SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });
  await awaitEnded('mutation', 'aborted', already + 1);
});
