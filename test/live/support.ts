import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExecutionResult } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { pino } from 'pino';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { callersOf } from '../../src/access/callers.js';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { updateRows } from '../../src/db/sql/write.js';
import { newId } from '../../src/domain/rules.js';
import type { LiveLimits } from '../../src/live/live.js';
import { logEvent } from '../../src/records/event-logs.js';
import { eventually } from '../support/eventually.js';
import { type TestGateway, unlimited } from '../support/gateway.js';
import { Lines } from '../support/lines.js';

/** A result of a stream, whichever transport is used. */
export type Results = AsyncIterator<ExecutionResult<Record<string, unknown>>, unknown>;

/** An operation and its sender; the admin unless told otherwise. */
export interface Operation {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly token?: string;
}

/** The address of a gateway for a client. */
export interface Place {
  readonly url: string;
  readonly admin: string;
}

export const webSocketUrl = ({ url }: Place) => `${url.replace(/^http/, 'ws')}/graphql`;

/** Returns an operation as a POST that asks for server-sent events, unless told otherwise. */
export function post(
  { url, admin }: Place,
  { token = admin, ...operation }: Operation,
  { accept = 'text/event-stream', signal }: { accept?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Accept: accept, 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(operation),
    signal: signal ?? null,
  });
}

/** Parses server-sent events as far as GraphQL uses them. */
async function* readEvents(response: Response): AsyncGenerator<ExecutionResult<Record<string, unknown>>> {
  let text = '';
  const decoder = new TextDecoder();
  // TypeScript's DOM types do not know that Node's streams are iterable.
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const part of body ?? []) {
    const events = (text + decoder.decode(part, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event === 'event: complete\ndata:') return;
      const data = /^event: next\ndata: (.*)$/.exec(event)?.[1];
      if (data) yield JSON.parse(data);
      else expect(event).toBe(':');
    }
  }
  throw new Error('The stream broke off.');
}

function overFetch(place: Place, operation: Operation): Results {
  const gone = new AbortController();
  const results = post(place, operation, { signal: gone.signal }).then(readEvents);
  return {
    next: async () => (await results).next(),
    return: async () => {
      gone.abort();
      return { done: true, value: undefined };
    },
  };
}

function overSse({ url, admin }: Place, { token = admin, ...operation }: Operation): Results {
  const headers = { Authorization: `Bearer ${token}` };
  const client = createSseClient({ url: `${url}/graphql`, headers, retryAttempts: 0 });
  return client.iterate(operation) as Results;
}

function overWebSocket(place: Place, { token = place.admin, ...operation }: Operation): Results {
  const client = createWsClient({
    url: webSocketUrl(place),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });
  return client.iterate(operation) as Results;
}

/** The transports of a stream. */
export const transports = {
  'graphql-sse': overSse,
  'plain server-sent events': overFetch,
  'graphql-ws': overWebSocket,
};

/** What subscribes: a gateway, or another one on its database. */
export interface Subscribable extends Place {
  readonly app: { streams(): number };
}

/**
 * Subscribes, and waits until the stream is open: everything written from now on is sent. It rejects with the
 * gateway's answer if that is not a stream.
 * @param over one of the transports above
 */
export async function subscribe(
  gateway: Subscribable,
  operation: Operation,
  over: (place: Place, operation: Operation) => Results = overWebSocket,
): Promise<Results> {
  const before = gateway.app.streams();
  const results = over(gateway, operation);
  // The clients start on the first call.
  const first = results.next();
  const opened = streams(gateway, before + 1);
  const refused = first.then(async ({ done, value }) => {
    if (done || value.errors) throw new Error(`There is no stream: ${JSON.stringify(value)}`);
    await opened;
  });
  await Promise.race([opened, refused]);
  let asked: Promise<IteratorResult<ExecutionResult<Record<string, unknown>>>> | undefined = first;
  return {
    next: () => {
      const next = asked ?? results.next();
      asked = undefined;
      return next;
    },
    return: async () => results.return?.() ?? { done: true, value: undefined },
  };
}

/** Waits until a number of streams are open. */
export async function streams({ app }: Subscribable, count: number): Promise<void> {
  await eventually(() => expect(app.streams()).toBe(count));
}

/** Returns the data of a stream's next result, which must have no errors. */
export async function nextData(results: Results): Promise<unknown> {
  const { done, value } = await results.next();
  expect(done).toBe(false);
  expect(value).not.toHaveProperty('errors');
  return (value as ExecutionResult).data;
}

/**
 * Returns the data of a stream's next result that contains a text; results of earlier writes may still come
 * first.
 */
export async function nextWith(results: Results, text: string): Promise<unknown> {
  for (;;) {
    const data = await nextData(results);
    if (JSON.stringify(data).includes(text)) return data;
  }
}

/** Waits until everything written so far has been sent: events of one process arrive in order. */
export async function quiet(gateway: TestGateway): Promise<void> {
  const results = await subscribe(gateway, { query: 'subscription { eventLogged { description } }' });
  await gateway.graphql('mutation { createTag(input: {name: "quiet"}) { id } }');
  await nextWith(results, 'quiet');
  await results.return?.();
  await streams(gateway, 0);
}

/** Expects that a stream ends now, with a last result that has the reason. */
export async function expectEnd(results: Results, code: string, message: RegExp): Promise<void> {
  const { value } = await results.next();
  expect(value).toEqual({
    errors: [{ message: expect.stringMatching(message), extensions: { code, violations: [] } }],
  });
  expect((await results.next()).done).toBe(true);
}

/** Starts another gateway on the same database, as a second process would be. */
export async function startFurther(
  { databaseUrl, clock, ...tenant }: TestGateway,
  live?: Partial<LiveLimits>,
  env: Record<string, string> = {},
) {
  const database = openDatabase({ url: databaseUrl, poolSize: 5, onError: () => {} });
  const config = readConfig({ DATABASE_URL: databaseUrl, ...unlimited, CONSOLE: 'off', ...env });
  const lines = new Lines();
  const app = createApp({ database, config, log: pino(lines), clock: () => clock.now, live });
  const { url } = await app.listen('127.0.0.1', 0);
  return {
    url,
    admin: tenant.admin,
    app,
    lines,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

/** Returns a session for the token with a name, which in a test's tenant is its role. */
export async function sessionOf(
  { database, clock }: Pick<TestGateway, 'database' | 'clock'>,
  name: string,
): Promise<Session> {
  const { id } = await database.prisma.accessToken.findFirstOrThrow({ where: { name } });
  const caller = (await callersOf(database, [id], clock.now)).get(id);
  if (!caller) throw new Error('The token does not work.');
  return new Session(database, { caller, now: clock.now });
}

/** Does to an upload notification what filing does, as far as subscribers notice. */
export async function fileUpload(gateway: TestGateway, id: string): Promise<void> {
  const session = await sessionOf(gateway, 'ADMIN');
  await session.inTransaction(async (tx) => {
    const [filed] = await updateRows(tx, 'UploadNotification', { id }, { state: 'FILED' });
    if (!filed) throw new Error('There is no such upload.');
    const { teamId } = filed;
    const entities = [{ kind: 'uploadNotification', id } as const];
    await logEvent(tx, session, {
      type: 'scan filed',
      teamId,
      description: 'Filed',
      details: null,
      entities,
    });
  });
}

/** Writes events with a number of bytes of details, without announcing anything. */
export async function writeEvents(
  { database, organizationId, teamId }: Pick<TestGateway, 'database' | 'organizationId' | 'teamId'>,
  count: number,
  size: number,
) {
  const ids = Array.from({ length: count }, () => newId());
  const row = { organizationId, teamId, typeId: 1, description: 'Large', details: 'x'.repeat(size) };
  await database.prisma.eventLog.createMany({ data: ids.map((id) => ({ id, ...row })) });
  return ids.map((id) => ({ id, organizationId, teamId, typeId: 1, entities: [], more: false }));
}

/** Names of the processes that listen in a database. */
export async function listeners({ prisma }: Database): Promise<number> {
  const rows = await prisma.$queryRaw<object[]>`
    SELECT 1 AS one FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'expiration-gateway-live'`;
  return rows.length;
}

/** Sends bytes over a socket of its own, which reads nothing until it is told to. */
export async function dial({ url }: Place, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
  return socket;
}
