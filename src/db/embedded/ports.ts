import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Timeout of the lock in milliseconds. After that, its port probably belongs to another program, and we
 * continue without the lock.
 */
const LOCK_TIMEOUT = 10_000;

/** Finds a free TCP port on 127.0.0.1: the preferred one, or else any. */
export async function freePort(preferred = 0): Promise<number> {
  const server = (await listen(preferred)) ?? (await listen(0));
  if (!server) throw new Error('There is no free TCP port on 127.0.0.1');
  const { port } = server.address() as AddressInfo;
  await close(server);
  return port;
}

/**
 * Runs `task` while no other process of this machine runs one with the same key. The lock is a listening TCP
 * port, which the system releases when a process dies; a lock file would stay.
 * @param key a whole number; two different keys may exclude each other by chance
 * @param signal ends the waiting for the others
 */
export async function exclusively<T>(key: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const port = 10_240 + (key % 20_000); // below the system's ephemeral ports
  const deadline = Date.now() + LOCK_TIMEOUT;
  let lock = await listen(port);
  while (!lock && Date.now() < deadline) {
    await sleep(10, undefined, { signal });
    lock = await listen(port);
  }
  try {
    return await task();
  } finally {
    if (lock) await close(lock);
  }
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
