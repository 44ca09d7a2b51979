import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { logEvent } from '../../src/records/event-logs.js';
import { execute } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { postgresUrl } from '../support/postgres.js';
import {
  dial,
  expectEnd,
  listeners,
  nextData,
  post,
  quiet,
  type Results,
  sessionOf,
  startFurther,
  streams,
  subscribe,
  transports,
  webSocketUrl,
  writeEvents,
} from './support.js';

type Further = Awaited<ReturnType<typeof startFurther>>;

let gateway: TestGateway;
let further: Further | undefined;
beforeEach(async () => {
  gateway = await startGateway({}, { recheck: 50 });
});
afterEach(async () => {
  await further?.close();
  further = undefined;
  await gateway.close();
});

/** Creations alone: that the tenant's tokens were made may still be told. */
const query = 'subscription { eventLogged(typeIds: [1]) { description } }';
const ways = Object.entries(transports);

function create(name: string) {
  return gateway.graphql('mutation($name: String!) { createVehicle(input: {name: $name}) { id } }', { name });
}

const created = (name: string) => ({ eventLogged: { description: `Vehicle "${name}" was created` } });

describe('a stopping gateway', () => {
  /** Milliseconds: operations in flight would be waited for longer, and requests that do not come, too. */
  const soon = 7_000;

  test('ends its streams, and says so', async () => {
    // No reader is cut off meanwhile.
    further = await startFurther(gateway, { grace: 3_600_000 });
    const open: Results[] = [];
    for (const [, over] of ways) open.push(await subscribe(further, { query }, over));
    const started = performance.now();
    const closing = further.close();
    for (const results of open) await expectEnd(results, 'UNAVAILABLE', /stopping/);
    await closing;
    expect(performance.now() - started).toBeLessThan(soon);
    expect(further.app.streams()).toBe(0);
    further = undefined;
  });

  test('takes no connection’s time that never asked for anything', async () => {
    further = await startFurther(gateway);
    const socket = await dial(further, '');
    // Also the gateway knows of it by now.
    await (await fetch(`${further.url}/health/live`)).text();
    const started = performance.now();
    await further.close();
    expect(performance.now() - started).toBeLessThan(soon);
    further = undefined;
    socket.destroy();
  });
});

describe('whoever goes away leaves nothing behind', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const body = JSON.stringify({ query });
  const request = () =>
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.admin}\r\nAccept: text/event-stream\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  test('by breaking a connection off', async () => {
    const before = timers();
    const socket = await dial(gateway, request());
    await streams(gateway, 1);
    socket.destroy();
    await streams(gateway, 0);
    // Gone is also what pings the reader; what else has a timer, has it for a moment.
    await expect.poll(timers).toBeLessThanOrEqual(before);
  });

  test('before the stream is open', async () => {
    const gone = new AbortController();
    const asked = post(gateway, { query }, { signal: gone.signal });
    asked.catch(() => {});
    gone.abort();
    await expect(asked).rejects.toThrow();
    await create('Van');
    await streams(gateway, 0);
  });

  test('by breaking a WebSocket off', async () => {
    const socket = new WebSocket(webSocketUrl(gateway), 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${gateway.admin}` } }),
    );
    await once(socket, 'message');
    for (const id of ['a', 'b']) socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }));
    await streams(gateway, 2);
    socket.send(JSON.stringify({ id: 'a', type: 'complete' }));
    await streams(gateway, 1);
    socket.terminate();
    await streams(gateway, 0);
  });
});

describe('the connection that listens', () => {
  const terminate = () => gateway.database.prisma.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'expiration-gateway-live'`;

  test('is there for as long as there are streams, and is one', async () => {
    expect(await listeners(gateway.database)).toBe(0);
    const first = await subscribe(gateway, { query });
    const second = await subscribe(gateway, { query });
    expect(await listeners(gateway.database)).toBe(1);
    await first.return?.();
    await second.return?.();
    await streams(gateway, 0);
    await expect.poll(() => listeners(gateway.database)).toBe(0);
    const third = await subscribe(gateway, { query });
    await create('Again');
    expect(await nextData(third)).toEqual(created('Again'));
    await third.return?.();
  });

  test('when it is lost ends all streams, as nobody knows what they missed; the next ones work', async () => {
    const open: Results[] = [];
    for (const [, over] of ways) open.push(await subscribe(gateway, { query }, over));
    await terminate();
    for (const results of open) await expectEnd(results, 'UNAVAILABLE', /missed.*query/);
    const next = await subscribe(gateway, { query });
    await create('Afterwards');
    expect(await nextData(next)).toEqual(created('Afterwards'));
    await next.return?.();
  });

  test('when it cannot be had refuses streams, and nothing else', async () => {
    const name = (
      await gateway.database.prisma.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
    )[0]?.name;
    const sql = (text: string) => execute(postgresUrl, text);
    // It has connections, and nothing of its own to do with them.
    await quiet(gateway);
    await expect.poll(() => listeners(gateway.database)).toBe(0);
    await sql(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    try {
      const refused = transports['plain server-sent events'](gateway, { query });
      expect((await refused.next()).value).toMatchObject({
        errors: [{ extensions: { code: 'UNAVAILABLE' } }],
      });
      expect((await gateway.graphql('{ vehicles { totalCount } }')).errors).toBeUndefined();
    } finally {
      await sql(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    }
    const results = await subscribe(gateway, { query });
    await create('Afterwards');
    expect(await nextData(results)).toEqual(created('Afterwards'));
    await results.return?.();
  });
});

test.each(['"lost"', 'nonsense'])('that announcements are missing (%s) ends all streams', async (payload) => {
  const results = await subscribe(gateway, { query });
  await gateway.database.prisma.$queryRaw`SELECT pg_notify('expiration_gateway_events', ${payload})::text`;
  await expectEnd(results, 'UNAVAILABLE', /missed/);
});

test('uncommitted changes are not sent', async () => {
  const results = await subscribe(gateway, { query });
  const session = await sessionOf(gateway, 'ADMIN');
  const event = {
    type: 'created',
    teamId: gateway.teamId,
    description: 'Undone',
    details: null,
    entities: [],
  } as const;
  const undone = session.inTransaction(async (tx) => {
    await logEvent(tx, session, event);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await create('Done');
  expect(await nextData(results)).toEqual(created('Done'));
  await results.return?.();
});

describe('who does not read is cut off, and others are not', () => {
  /** Of creations alone, as `query`: the flood is of those, and the tokens' own events would come between. */
  const large = 'subscription { eventLogged(typeIds: [1]) { id details } }';
  /** More than sockets hold on both sides, and then more than may wait. */
  const [batches, size] = [20, 60_000];

  /** Tells of events as fast as one who reads takes them, and waits until the other one is cut off. */
  async function flood({ app, admin, url }: Further): Promise<void> {
    // Over a way without pings, which one who reads cannot answer either while the machine is busy.
    const reading = await subscribe(
      { app, admin, url },
      { query: large },
      transports['plain server-sent events'],
    );
    const perBatch = 20;
    for (let batch = 0; batch < batches; batch += 1) {
      const heads = await writeEvents(gateway, perBatch, size);
      gateway.database.announce(heads);
      for (const { id } of heads) {
        expect(await nextData(reading)).toMatchObject({ eventLogged: { id } });
      }
    }
    await streams({ app, admin, url }, 1);
    await reading.return?.();
  }

  test('over server-sent events', async () => {
    further = await startFurther(gateway, { capacity: 40, grace: 100 });
    const body = JSON.stringify({ query: large });
    const socket = await dial(
      further,
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.viewer}\r\n` +
        `Accept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await streams(further, 1);
    await flood(further);
    // The socket is closed although nothing was ever read from it.
    await further.lines.with({ aborted: true });
    socket.destroy();
  });

  test.each([
    ['by what waits for it', { capacity: 40, grace: 100 }],
    ['by its unanswered pings', { heartbeat: 2_000 }],
  ])('over a WebSocket, %s', async (_name, limits) => {
    further = await startFurther(gateway, limits);
    const socket = new WebSocket(webSocketUrl(further), 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${gateway.viewer}` } }),
    );
    await once(socket, 'message');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: large } }));
    await streams(further, 1);
    // From now on it answers no ping.
    socket.pause();
    await flood(further);
    await further.lines.with({ status: 101 });
    socket.terminate();
  });
});
