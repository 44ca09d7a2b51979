import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which the port must belong to another program, and we continue without the lock. */
const patience = 120_000;
/** Milliseconds between two attempts, and until a person is told about the wait. */
const [pause, silence] = [50, 1_000];

/** Returns the lock's port, below the ephemeral ports of systems. @param {string} folder */
function portOf(folder) {
  return 10_240 + (createHash('sha256').update(realpathSync(folder)).digest().readUInt32BE() % 20_000);
}

/** Listens on a port of this machine, unless it is taken. @param {number} port */
async function listen(port) {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/**
 * Runs `task` while no other process of this machine runs one for the same folder. The lock is a listening
 * TCP port, which the system releases when a process dies; a lock file would stay, and needs a writable
 * folder.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} task
 * @param {(text: string) => void} say tells a person why it waits
 * @returns {Promise<T>}
 */
export async function exclusively(folder, task, say) {
  const port = portOf(folder);
  const begun = performance.now();
  const waited = () => performance.now() - begun;
  let told = false;
  let server = await listen(port);
  while (!server && waited() < patience) {
    if (waited() > silence && !told) say(`Waiting for another process that builds ${folder}.`);
    told ||= waited() > silence;
    await sleep(pause);
    server = await listen(port);
  }
  try {
    return await task();
  } finally {
    server?.close();
  }
}
