import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lingerOn } from '../../src/http/connections/connections.js';
import { eventually } from '../support/eventually.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a connection that its server closes after an answer. */
async function answered(): Promise<{ client: Socket; served: Socket; close: () => void }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  const [served] = (await once(server, 'connection')) as [Socket];
  lingerOn(served.resume());
  served.write('answer');
  served.destroySoon();
  client.resume();
  const close = () => {
    client.destroy();
    server.close();
  };
  return { client, served, close };
}

/** Sends a byte, and waits until it has come. */
async function drip(client: Socket, served: Socket): Promise<void> {
  const before = served.bytesRead;
  client.write('x');
  await eventually(() => expect(served.bytesRead).toBeGreaterThan(before));
}

test('who still sends is read for up to ten seconds', async () => {
  const { client, served, close } = await answered();
  for (let seconds = 2; seconds < 10; seconds += 2) {
    await drip(client, served);
    vi.advanceTimersByTime(2_000);
    expect(served.destroyed).toBe(false);
  }
  await drip(client, served);
  vi.advanceTimersByTime(2_000);
  expect(served.destroyed).toBe(true);
  close();
});

test('who sends nothing for two seconds is closed', async () => {
  const { client, served, close } = await answered();
  await drip(client, served);
  vi.advanceTimersByTime(2_000);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(served.destroyed).toBe(true);
  close();
});

test('who ends is closed at once', async () => {
  const { client, served, close } = await answered();
  client.end();
  await eventually(() => expect(served.destroyed).toBe(true));
  expect(vi.getTimerCount()).toBe(0);
  close();
});
