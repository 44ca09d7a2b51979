import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import { normalizePath, splitTarget } from '../request/request.js';
import {
  type ConnectionEvents,
  type ConnectionLimit,
  type ConnectionLimits,
  ConnectionTable,
} from './connection-table.js';

/** Milliseconds in which connections that are too many are logged once. */
const logged = 10_000;

const settings: Record<ConnectionLimit, string> = {
  address: 'an address has as many as CONNECTIONS_PER_ADDRESS allows',
  process: 'there are as many as MAX_CONNECTIONS allows',
  reserve: 'the reserve for health checks is full, too',
};

/** Logs the first of some that come one after the other. */
function sparsely(log: Logger, what: string): (limit: ConnectionLimit, address: string) => void {
  const until = { address: 0, process: 0, reserve: 0 };
  return (limit, address) => {
    const now = performance.now();
    if (now < until[limit]) return;
    until[limit] = now + logged;
    log.warn({ ...(limit === 'address' && { address }) }, `${what}: ${settings[limit]}`);
  };
}

export interface CountOptions extends ConnectionLimits, ConnectionEvents {
  readonly log: Logger;
}

/** Counts a server's connections, and closes those that are too many. */
export function countConnections(server: Server, options: CountOptions): ConnectionTable {
  const { log, onRefused, onEvicted } = options;
  const logRefused = sparsely(log, 'Connections are refused');
  const logEvicted = sparsely(log, 'Connections without a request are closed for new ones');
  const table = new ConnectionTable(options, {
    onRefused(limit, address) {
      logRefused(limit, address);
      onRefused?.(limit, address);
    },
    onEvicted(limit, address, state) {
      logEvicted(limit, address);
      onEvicted?.(limit, address, state);
    },
  });
  server.on('connection', (socket) => table.accept(socket));
  return table;
}

/**
 * Asks for the first heads that are late, again and again. Node's own limit begins anew with the first byte.
 * @param limits how long a head may take, and the time between two looks, in milliseconds
 */
export function watchHeads(
  server: Server,
  table: ConnectionTable,
  limits: { readonly headersTimeout: number; readonly checkInterval: number },
  onLate: (socket: Socket) => void,
): void {
  const look = () => {
    for (const socket of table.late(limits.headersTimeout)) onLate(socket);
  };
  const timer = setInterval(look, limits.checkInterval).unref();
  server.once('close', () => clearInterval(timer));
}

/** Paths that may be asked on connections of the reserve. */
const ofHealth = new Set<string>([paths.live, paths.ready, paths.metrics]);

/** Returns a 503 for a request on a reserved connection that is no health check. */
export function refuseOnReserve(table: ConnectionTable, request: IncomingMessage): GatewayError | undefined {
  if (!table.isReserved(request.socket) || ofHealth.has(normalizePath(splitTarget(request).path)))
    return undefined;
  return new GatewayError('UNAVAILABLE', 'There are too many connections; try again.', {
    headers: { 'Retry-After': '5' },
  });
}
