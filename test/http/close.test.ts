import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startListening, stopListening } from '../../src/http/connections/connections.js';
import { create, eventsOf, patch, sendRaw } from '../rest/support.js';
import { eventually } from '../support/eventually.js';
import { useFreshGateway } from '../support/gateway.js';

const gateway = useFreshGateway();

/** Holds a vehicle in another transaction until told to release it. */
async function hold({ id }: { id: string }): Promise<() => Promise<unknown>> {
  const { prisma } = gateway.database;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    done = prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
      locked();
      await released;
    });
  });
  return () => {
    release();
    return done;
  };
}

/** Waits until so many statements wait for a lock. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await gateway.database.prisma.$queryRaw`
      SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(rows).toHaveLength(count);
  });
}

/** Waits until nothing listens any more. What had connected before that is still answered. */
const refused = () =>
  eventually(() => expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow('fetch failed'));

/** Milliseconds: after ten seconds the gateway waits for no connection any more, and closes all. */
const soon = 8_000;

const rename = [{ op: 'replace', path: '/name', value: 'Finished' }];

test('a request in flight is finished, and only then is the gateway closed', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const release = await hold(vehicle);
  const patched = patch(gateway, vehicle, rename);
  await waiting(1);
  let closed = false;
  const closing = gateway.app.close().then(() => {
    closed = true;
  });
  await refused();
  expect(closed).toBe(false);
  const started = performance.now();
  await release();
  const { status, json } = await patched;
  expect([status, json.name]).toEqual([200, 'Finished']);
  expect(await eventsOf(gateway, vehicle)).toHaveLength(2);
  await closing;
  // A connection that is kept alive holds nothing up.
  expect(performance.now() - started).toBeLessThan(soon);
});

test('the answer to a request in flight ends its connection', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const release = await hold(vehicle);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const options = { agent, method: 'PATCH', headers: { Authorization: `Bearer ${gateway.admin}` } };
    const patched = sendRaw(`${gateway.url}/v1/vehicles/${vehicle.id}`, options, [JSON.stringify(rename)]);
    await waiting(1);
    const closing = gateway.app.close();
    await release();
    const { status, headers } = await patched;
    expect(status).toBe(200);
    expect(headers.connection).toBe('close');
    await closing;
  } finally {
    agent.destroy();
  }
});

test('a connection that idles does not hold the gateway up', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await sendRaw(`${gateway.url}/health/live`, { agent });
    const started = performance.now();
    await gateway.app.close();
    expect(performance.now() - started).toBeLessThan(soon);
  } finally {
    agent.destroy();
  }
});

/** Opens a connection to the gateway, as a client does, and returns it before the gateway can have accepted it. */
function opened(url: string): Socket {
  const { port, hostname } = new URL(url);
  return connect(Number(port), hostname);
}

/** Returns what comes over a connection until its end, or the code of its error. */
async function outcomeOf(socket: Socket): Promise<string> {
  let [text, problem] = ['', ''];
  socket.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.code ?? error.message;
  });
  for await (const part of socket.setEncoding('latin1').iterator({ destroyOnReturn: false })) text += part;
  return problem || text;
}

const live = 'GET /health/live HTTP/1.1\r\nHost: gateway\r\n\r\n';

test('connections that the system has queued when the gateway closes are answered', async () => {
  const sockets = Array.from({ length: 12 }, () => opened(gateway.url));
  const outcomes = sockets.map((socket) => {
    socket.write(live);
    return outcomeOf(socket).catch(String);
  });
  // Now they are connected, and nobody has accepted them.
  await new Promise(process.nextTick);
  const closed = gateway.app.close();
  for (const outcome of await Promise.all(outcomes)) {
    expect(outcome).toMatch(/^HTTP\/1\.1 200 /);
    expect(outcome).toMatch(/\r\nconnection: close\r\n/i);
  }
  await closed;
});

test('a connection that was just opened may still send its first request', async () => {
  const socket = opened(gateway.url);
  const outcome = outcomeOf(socket).catch(String);
  await once(socket, 'connect');
  const closed = gateway.app.close();
  await eventually(() => expect(gateway.app.connections()).toBe(1));
  await refused();
  socket.write(live);
  expect(await outcome).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});

test('a connection that never sends anything is closed in order, and holds nobody up', async () => {
  const socket = opened(gateway.url);
  const outcome = outcomeOf(socket).catch(String);
  await once(socket, 'connect');
  const started = performance.now();
  await gateway.app.close();
  expect(await outcome).toBe('');
  expect(performance.now() - started).toBeLessThan(soon);
});

test('connections that another process accepts are served like its own', async () => {
  const server = createServer((socket) => gateway.app.take(socket));
  const url = await startListening(server, { host: '127.0.0.1', port: 0, log: { warn() {} } });
  const [answered, halfClosed] = [opened(url), opened(url)];
  const outcomes = [answered, halfClosed].map(outcomeOf);
  answered.write(live.replace('Host', 'Connection: close\r\nHost'));
  halfClosed.end(live);
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatch(/^HTTP\/1\.1 200 /);
  const last = opened(url);
  const lastOutcome = outcomeOf(last);
  await once(last, 'connect');
  await stopListening(server);
  const closed = gateway.app.close();
  last.write(live);
  expect(await lastOutcome).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});

test('a failure to accept a connection is logged, and ends nothing', async () => {
  const server = createServer();
  const reasons: object[] = [];
  await startListening(server, {
    host: '127.0.0.1',
    port: 0,
    log: { warn: (details) => reasons.push(details) },
  });
  server.emit('error', new Error('accept EMFILE'));
  expect(reasons).toEqual([{ reason: 'accept EMFILE' }]);
  server.close();
});

test('a caller that cuts its connection behind a compressed body ends nothing', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const release = await hold(vehicle);
  const body = gzipSync(JSON.stringify(rename));
  const head = [
    `PATCH /v1/vehicles/${vehicle.id} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${gateway.admin}`,
    'Content-Type: application/json-patch+json',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length + 1_000}`,
  ];
  // Those that `fetch` keeps alive.
  const others = gateway.app.connections();
  const socket = opened(gateway.url).on('error', () => {});
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The compressed bytes end before the body does.
  socket.write(Buffer.concat([body, Buffer.alloc(10)]));
  await waiting(1);
  socket.resetAndDestroy();
  // The gateway notices when it answers. An error that nobody listens to would be an uncaught exception here.
  await release();
  await eventually(() => expect(gateway.app.connections()).toBeLessThanOrEqual(others));
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
});

test('closing twice is closing once', async () => {
  const socket = opened(gateway.url);
  await once(socket, 'connect');
  await Promise.all([gateway.app.close(), gateway.app.close()]);
});
