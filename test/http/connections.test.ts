import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { reserveSize } from '../../src/http/connections/connections.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';

let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
});

/** Returns a connection from an address of this machine, which the gateway has taken. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Returns the answer to a request on a connection; empty if the connection is closed instead. */
async function answerOf(socket: Socket, path = '/health/live', headers = ''): Promise<string> {
  if (socket.closed) return '';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  // What is closed before it is read may be reset, which is as good.
  const data = await new Promise((resolve) => socket.once('data', resolve).once('close', () => resolve('')));
  return String(data);
}

const statusOf = (answer: string) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
const ask = async (socket: Socket, path?: string) => statusOf(await answerOf(socket, path));

/** Waits until a connection is closed by the gateway. */
async function closed(socket: Socket): Promise<void> {
  socket.resume();
  await eventually(() => expect(socket.closed).toBe(true));
}

/** Returns a connection with a request that is under way until its body comes. */
async function openBusy(localAddress?: string): Promise<Socket> {
  const socket = await open(localAddress);
  const { busy, reserve } = gateway.app.connectionStates();
  const head = ['POST /graphql HTTP/1.1', 'Host: gateway', `Authorization: Bearer ${gateway.admin}`];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 2', '', ''].join('\r\n'));
  if (reserve === 0) await eventually(() => expect(gateway.app.connectionStates().busy).toBe(busy + 1));
  return socket;
}

const taken = (count: number) => eventually(() => expect(gateway.app.connections()).toBe(count));

/** Returns the value of a metric's sample, as it is written. */
async function sample(line: string): Promise<string | undefined> {
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  return text
    .split('\n')
    .find((each) => each.startsWith(`${line} `))
    ?.slice(line.length + 1);
}

describe.each([
  ['an address', { CONNECTIONS_PER_ADDRESS: '3' }],
  ['the process', { MAX_CONNECTIONS: '3' }],
] as const)('of the connections of %s, when there is no room,', (_whose, limits) => {
  test('those without a whole head go first, the oldest of them first, and then those that idle', async () => {
    gateway = await startGateway(limits);
    const idle = await open();
    expect(await ask(idle)).toBe('200');
    const silent = await open();
    await taken(2);
    const halfHead = await open();
    halfHead.write('GET / HT');
    await taken(3);
    const first = await open();
    await closed(silent);
    expect(await ask(first)).toBe('200');
    const second = await open();
    await closed(halfHead);
    expect(await ask(second)).toBe('200');
    // `idle` has idled for longest.
    const third = await open();
    await closed(idle);
    expect([await ask(third), await ask(first), await ask(second)]).toEqual(['200', '200', '200']);
  });

  test('one that was used again goes later', async () => {
    gateway = await startGateway(limits);
    const [first, second, third] = [await open(), await open(), await open()];
    for (const socket of [first, second, third, first]) expect(await ask(socket)).toBe('200');
    expect(await ask(await open())).toBe('200');
    await closed(second);
    expect([await ask(third), await ask(first)]).toEqual(['200', '200']);
  });
});

test('an address with only busy connections gets no further one, while others do', async () => {
  const lines = new Lines();
  gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '2' }, {}, { log: pino({ level: 'warn' }, lines) });
  const busy = [await openBusy(), await openBusy()];
  for (let at = 0; at < 3; at++) await closed(await open());
  expect(await ask(await open('127.0.0.2'))).toBe('200');
  expect(lines.all).toEqual([
    expect.objectContaining({
      address: '127.0.0.1',
      msg: 'Connections are refused: an address has reached CONNECTIONS_PER_ADDRESS',
    }),
  ]);
  for (const socket of busy) {
    socket.write('{}');
    expect(statusOf(String((await once(socket, 'data'))[0]))).toBe('400');
  }
  expect(await sample('gateway_connections_refused_total{reason="address"}')).toBe('3');
});

test('a process with only busy connections has some left for health checks', async () => {
  gateway = await startGateway({ MAX_CONNECTIONS: '2' });
  const busy = [await openBusy(), await openBusy()];
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    const answer = await answerOf(await open(), path);
    expect(statusOf(answer)).toBe('200');
    expect(answer).toMatch(/^connection: close\r$/im);
  }
  const socket = await open();
  const answer = await answerOf(socket, '/v1/vehicles');
  expect(statusOf(answer)).toBe('503');
  expect(answer).toMatch(/^Retry-After: \d+\r$/m);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    message: 'There are too many connections; try again.',
    ok: false,
    code: 'UNAVAILABLE',
  });
  await closed(socket);
  for (const each of busy) {
    each.write('{}');
    expect(statusOf(String((await once(each, 'data'))[0]))).toBe('400');
  }
});

test('the reserve cannot be held: who sends nothing there goes first, too', async () => {
  gateway = await startGateway({ MAX_CONNECTIONS: '1' });
  await openBusy();
  const silent = [];
  for (let at = 0; at < reserveSize + 5; at++) silent.push(await open());
  await taken(1 + reserveSize);
  expect(await ask(await open())).toBe('200');
  expect(gateway.app.connectionStates().busy).toBe(1);
  await closed(silent[0] as Socket);
});

test('a WebSocket is never closed for another connection', async () => {
  gateway = await startGateway({ MAX_CONNECTIONS: '1', CONNECTIONS_PER_ADDRESS: '1' });
  const webSocket = await open();
  const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const own = [
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    '',
  ];
  expect(statusOf(await answerOf(webSocket, '/graphql', [...handshake, ...own].join('\r\n')))).toBe('101');
  await closed(await open());
  expect(gateway.app.connectionStates()).toEqual({ head: 0, busy: 1, idle: 0, reserve: 0 });
  expect(webSocket.closed).toBe(false);
});

test('a failed request for another protocol is counted once', async () => {
  gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '2' });
  for (let at = 0; at < 3; at++) {
    const socket = await open();
    const headers = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
    // Node before 22.21 tells of such a connection twice.
    expect(statusOf(await answerOf(socket, '/health/live', headers))).toBe('200');
    expect(gateway.app.connections()).toBe(1);
    socket.destroy();
    await taken(0);
  }
});

test('a first head has its time from the connection on, however it is sent', async () => {
  gateway = await startGateway({}, {}, { wire: { headersTimeout: 1_000, checkInterval: 20 } });
  const started = performance.now();
  const socket = await open();
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  // Node's own limit begins anew with the first byte.
  const drip = setInterval(() => socket.writable && socket.write('\r\n'), 50);
  await once(socket, 'close');
  clearInterval(drip);
  expect(statusOf(text)).toBe('408');
  expect(performance.now() - started).toBeGreaterThan(900);
  await taken(0);
});

test('the reserve takes no WebSocket, and health checks at their paths in any letter case', async () => {
  gateway = await startGateway({ MAX_CONNECTIONS: '1' });
  await openBusy();
  const handshake = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  const answer = await answerOf(await open(), '/graphql', `${handshake}${key}`);
  expect(statusOf(answer)).toBe('503');
  expect(answer).toMatch(/^retry-after: 5\r$/im);
  expect(await ask(await open(), '/Health/Live/')).toBe('200');
});
