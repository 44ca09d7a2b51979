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

/** Interval, in milliseconds, in which refused connections are logged only once. */
const logIntervalMs = 10_000;

const settings: Record<ConnectionLimit, string> = {
  address: 'an address has reached CONNECTIONS_PER_ADDRESS',
  process: 'MAX_CONNECTIONS is reached',
  reserve: 'the reserve for health checks is full, too',
};

/** Logs only the first of several events that follow each other. */
function logFirst(log: Logger, what: string): (limit: ConnectionLimit, address: string) => void {
  const until = { address: 0, process: 0, reserve: 0 };
  return (limit, address) => {
    const now = performance.now();
    if (now < until[limit]) return;
    until[limit] = now + logIntervalMs;
    log.warn({ ...(limit === 'address' && { address }) }, `${what}: ${settings[limit]}`);
  };
}

export interface CountOptions extends ConnectionLimits, ConnectionEvents {
  readonly log: Logger;
}

/** Counts a server's connections and closes those beyond the limits. */
export function countConnections(server: Server, options: CountOptions): ConnectionTable {
  const { log, onRefused, onEvicted } = options;
  const logRefused = logFirst(log, 'Connections are refused');
  const logEvicted = logFirst(log, 'Connections without a request are closed to make room for new ones');
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
 * Checks for slow heads at an interval. Node's own timeout starts anew with the first byte.
 * @param limits how long a head may take, and the check interval, in milliseconds
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

/** Paths that a reserved connection may request. */
const healthPaths = new Set<string>([paths.live, paths.ready, paths.metrics]);

/** Returns a 503 for any request but a health check on a reserved connection. */
export function refuseOnReserve(table: ConnectionTable, request: IncomingMessage): GatewayError | undefined {
  if (!table.isReserved(request.socket) || healthPaths.has(normalizePath(splitTarget(request).path)))
    return undefined;
  return new GatewayError('UNAVAILABLE', 'There are too many connections; try again.', {
    headers: { 'Retry-After': '5' },
  });
}
