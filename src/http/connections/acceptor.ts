import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../db/embedded/log.js';

/**
 * Connections that the system queues until the process accepts them (listen backlog). With Node's 511, a
 * burst drops the rest, and they retry after 1, 3, 7 and 15 seconds. The system may allow fewer
 * (`net.core.somaxconn`).
 */
const backlog = 4_096;

/** The most milliseconds for which connections are still accepted when listening stops. */
const drainTimeoutMs = 1_000;

/** Place to listen at, and the log for failures to accept. */
export interface Acceptor {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Starts to listen; returns the URL. Later errors of accepting, such as too many open files, are logged;
 * without a listener they would end the process.
 * @throws {Error} if it cannot listen
 */
export async function startListening(server: Server, { host, port, log }: Acceptor): Promise<string> {
  server.listen(port, host, backlog);
  await once(server, 'listening');
  server.on('error', ({ message }) => log.warn({ reason: message }, 'A connection could not be accepted'));
  const { port: bound } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/**
 * Stops listening once the system's queue of connections is empty. The system resets those that are still in
 * it, although their callers have connected.
 */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  let isQuiet = false;
  const noteConnection = () => {
    isQuiet = false;
  };
  server.on('connection', noteConnection);
  const until = performance.now() + drainTimeoutMs;
  // This ends after the events of the current turn, so that each further wait spans a whole turn of the event
  // loop, in which it accepts what is queued. It closes right afterwards.
  await setImmediate();
  while (!isQuiet && performance.now() < until) {
    isQuiet = true;
    await setImmediate();
  }
  server.off('connection', noteConnection);
  server.close();
}
