import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';

let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
});

/** A connection from an address of this machine. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const request = (headers = '') => `GET /health/live HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`;

/** The status that a request on a connection is answered with; none if the connection is closed instead. */
async function ask(socket: Socket, headers = ''): Promise<string | undefined> {
  // What is closed before it is read may be reset, which is as good.
  const heard = new Promise((resolve) => socket.once('data', resolve).once('close', () => resolve('')));
  socket.write(request(headers));
  return /^HTTP\/1\.1 (\d+)/.exec(String(await heard))?.[1];
}

test('an address has as many as the setting allows, and others have theirs', async () => {
  gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '2' });
  const [first, second] = [await open(), await open()];
  expect([await ask(first), await ask(second)]).toEqual(['200', '200']);
  expect(await ask(await open())).toBeUndefined();
  expect([await ask(first), await ask(await open('127.0.0.2'))]).toEqual(['200', '200']);
  expect(gateway.app.connections()).toBe(3);
});

test('room that is made is used', async () => {
  gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '1' });
  for (let at = 0; at < 5; at++) {
    const socket = await open();
    // Node before 22.21 tells of such a connection twice.
    expect(await ask(socket, 'Connection: Upgrade\r\nUpgrade: h2c\r\n')).toBe('200');
    expect(await ask(await open())).toBeUndefined();
    socket.destroy();
    await expect.poll(gateway.app.connections).toBe(0);
  }
});

test('what is refused is logged, once for many', async () => {
  const lines = new Lines();
  gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '1' }, {}, { log: pino({ level: 'warn' }, lines) });
  await open();
  for (let at = 0; at < 3; at++) expect(await ask(await open())).toBeUndefined();
  expect(lines.all).toEqual([
    expect.objectContaining({
      address: '127.0.0.1',
      connections: 1,
      msg: 'Connections are refused: an address has as many as CONNECTIONS_PER_ADDRESS allows',
    }),
  ]);
});
