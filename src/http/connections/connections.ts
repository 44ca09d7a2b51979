import { once } from 'node:events';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { groupAddress, normalizePath, splitTarget } from '../request/request.js';

/** Limits of the open connections of a process. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum connections per address (address.ts); Infinity for no limit. */
  readonly connectionsPerAddress: number;
}

/** States of a connection: no head received yet, requests in progress, or idle. */
type State = 'head' | 'busy' | 'idle';

/** The connection limit that was reached. */
type ConnectionLimit = 'address' | 'process' | 'reserve';

/** Listeners for refused and closed connections. */
export interface ConnectionEvents {
  /** A new connection was closed because all others are busy. */
  readonly onRefused?: ((limit: ConnectionLimit, address: string) => void) | undefined;
  /** An old connection was closed to make room for a new one. */
  readonly onEvicted?: ((limit: ConnectionLimit, address: string, state: State) => void) | undefined;
  /** A connection was closed because it pipelined too many requests (pipelining.ts). */
  readonly onOverrun?: (() => void) | undefined;
}

/** Connections that share a limit, and those among them that may be evicted, oldest first. */
class ConnectionGroup {
  size = 0;
  readonly head = new Set<Connection>();
  readonly idle = new Set<Connection>();

  /**
   * Returns the connection to evict first. It is the slowest to send a head, or else the one idle for
   * longest.
   */
  first(): Connection | undefined {
    for (const connection of this.head) return connection;
    for (const connection of this.idle) return connection;
    return undefined;
  }
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /**
   * The two groups that count this connection. One is its address's, the other is that of all connections or
   * of the reserve.
   */
  readonly groups: readonly [ConnectionGroup, ConnectionGroup];
  /** Time of acceptance, in milliseconds of `performance.now()`. */
  readonly since: number;
  state: State;
}

/** Extra connections beyond the maximum, reserved for health checks. */
export const reserveSize = 32;

/**
 * Limits open connections and evicts idle ones first (slow loris, CWE-400). Busy connections are never
 * evicted. Every operation takes constant time.
 */
export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  readonly #events: ConnectionEvents;
  readonly #open = new Map<Duplex, Connection>();
  readonly #addresses = new Map<string, ConnectionGroup>();
  readonly #all = new ConnectionGroup();
  readonly #reserve = new ConnectionGroup();
  #onEmpty = () => {};

  constructor(limits: ConnectionLimits, events: ConnectionEvents = {}) {
    this.#limits = limits;
    this.#events = events;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Counts connections by state. The reserve is counted separately. */
  states(): Record<State | 'reserve', number> {
    const [head, idle] = [this.#all.head.size, this.#all.idle.size];
    return { head, idle, busy: this.#all.size - head - idle, reserve: this.#reserve.size };
  }

  /**
   * Registers a new connection, or closes it. Registering the same connection again (upgrade.ts) changes
   * nothing.
   */
  accept(socket: Socket): void {
    if (this.#open.has(socket)) return;
    const { remoteAddress } = socket;
    // The client has already disconnected.
    if (remoteAddress === undefined) return void socket.destroy();
    const address = groupAddress(remoteAddress);
    const group = this.#placeFor(address);
    if (!group) return void socket.destroy();
    let own = this.#addresses.get(address);
    if (!own) {
      own = new ConnectionGroup();
      this.#addresses.set(address, own);
    }
    const since = performance.now();
    const connection: Connection = { socket, address, groups: [own, group], since, state: 'head' };
    this.#open.set(socket, connection);
    for (const each of connection.groups) {
      each.size++;
      each.head.add(connection);
    }
    socket.once('close', () => this.#remove(connection));
  }

  /** Makes room for a connection and returns its group; undefined if there is no room. */
  #placeFor(address: string): ConnectionGroup | undefined {
    const { maxConnections, connectionsPerAddress } = this.#limits;
    const own = this.#addresses.get(address);
    if (own && !this.#makeRoom(own, connectionsPerAddress, 'address')) {
      return this.#refuse('address', address);
    }
    if (this.#makeRoom(this.#all, maxConnections, 'process')) return this.#all;
    if (this.#makeRoom(this.#reserve, reserveSize, 'reserve')) return this.#reserve;
    return this.#refuse('process', address);
  }

  #refuse(limit: ConnectionLimit, address: string): undefined {
    this.#events.onRefused?.(limit, address);
  }

  #makeRoom(group: ConnectionGroup, most: number, limit: ConnectionLimit): boolean {
    if (group.size < most) return true;
    const victim = group.first();
    if (!victim) return false;
    this.#events.onEvicted?.(limit, victim.address, victim.state);
    this.#remove(victim);
    victim.socket.destroy();
    return true;
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    for (const group of connection.groups) {
      group.size--;
      if (connection.state !== 'busy') group[connection.state].delete(connection);
    }
    if (connection.groups[0].size === 0) this.#addresses.delete(connection.address);
    if (this.#open.size === 0) this.#onEmpty();
  }

  /** Marks a connection as busy. Requests are in progress, or another protocol has taken it over for good. */
  begin(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.state === 'busy') return;
    for (const group of connection.groups) group[connection.state].delete(connection);
    connection.state = 'busy';
  }

  /** Marks a connection as idle: all its requests are answered. */
  end(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection?.state !== 'busy') return;
    connection.state = 'idle';
    for (const group of connection.groups) group.idle.add(connection);
  }

  /** Returns whether a connection belongs to the reserve, which accepts only health checks. */
  isReserved(socket: Socket): boolean {
    return this.#reserve.size > 0 && this.#open.get(socket)?.groups[1] === this.#reserve;
  }

  /** Yields sockets that have not sent a whole request head within the given milliseconds. */
  *late(milliseconds: number): Iterable<Socket> {
    const until = performance.now() - milliseconds;
    for (const group of [this.#all, this.#reserve]) {
      for (const { socket, since } of group.head) {
        if (since > until) break;
        yield socket;
      }
    }
  }

  /**
   * Closes idle connections, and those that have sent nothing yet (browsers open some in advance).
   * @param patience milliseconds that a connection may be open without having sent anything
   */
  closeUnused(patience = 0): void {
    const until = performance.now() - patience;
    for (const { socket, state, since } of this.#open.values()) {
      const isSilent = state === 'head' && socket.bytesRead === 0 && since <= until;
      if (state === 'idle' || isSilent) socket.destroy();
    }
  }

  /** Closes all connections, whatever they do. */
  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  /** Resolves when no connection is open. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }
}

/**
 * Calls `tell` when a client half-closes its connection during its request. Most such clients are gone, and
 * the others cannot be told apart from them. Use it to skip work that would be in vain; work that has begun
 * is still answered.
 */
export function onHangUp(response: ServerResponse, tell: () => void): void {
  const { socket } = response;
  if (!socket) return;
  if (socket.readableEnded) tell();
  socket.once('end', tell);
  response.once('close', () => socket.off('end', tell));
}

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

interface CountOptions extends ConnectionLimits, ConnectionEvents {
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
const healthPaths = new Set<string>([paths.live, paths.livez, paths.ready, paths.readyz, paths.metrics]);

/** Returns a 503 for any request but a health check on a reserved connection. */
export function refuseOnReserve(table: ConnectionTable, request: IncomingMessage): GatewayError | undefined {
  if (!table.isReserved(request.socket) || healthPaths.has(normalizePath(splitTarget(request).path)))
    return undefined;
  return new GatewayError('UNAVAILABLE', 'There are too many connections; try again.', {
    headers: { 'Retry-After': '5' },
  });
}

/** Milliseconds without a byte after which the client is considered done. */
const lingerIntervalMs = 2_000;

/** The most intervals to linger. Larger bodies are cut off. */
const maxLingerIntervals = 5;

/**
 * Closes a connection in two steps after its last response (lingering close). The server half-closes at once,
 * and closes fully when the client has been silent for a while or has sent for too long.
 *
 * Closing at once would answer the client's remaining bytes with a TCP reset, which can discard the response
 * before the client has read it (RFC 9112 section 9.6). Bytes that arrive meanwhile are read and dropped.
 */
export function lingerOn(socket: Socket): void {
  // Node calls this method after writing the connection's last response.
  socket.destroySoon = () => {
    socket.end();
    let intervals = 0;
    let received = socket.bytesRead;
    const timer = setInterval(() => {
      intervals += 1;
      if (socket.bytesRead === received || intervals === maxLingerIntervals) socket.destroy();
      received = socket.bytesRead;
    }, lingerIntervalMs);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Another protocol that can take over connections. */
export interface OtherProtocol {
  /** Returns whether a request asks for this protocol with a valid head. */
  wants(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Creates server options that ignore an `Upgrade` to any other protocol (RFC 9110 §7.8). Java's HTTP client
 * and `curl --http2` ask for `h2c` with every first request, and Node would pass all of them to the upgrade
 * listener. Node before 22.21 and 24.9 lacks this option; see `handleUpgrades`.
 */
export function upgradeOptions({ wants }: Pick<OtherProtocol, 'wants'>): ServerOptions {
  const options: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
    shouldUpgradeCallback: wants,
  };
  return options;
}

/**
 * Hands connections over to the other protocol when they ask for it. On an older Node, it returns all other
 * requests to HTTP.
 * @param inTurn runs a callback once the connection's earlier requests are answered
 */
export function handleUpgrades(
  server: Server,
  { wants, take }: OtherProtocol,
  inTurn: (socket: Duplex, run: () => void) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    inTurn(socket, () => {
      if (socket.destroyed) return;
      if (wants(request)) return take(request, socket, head);
      socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
      server.emit('connection', socket);
    }),
  );
}

const ofUpgrades = /^(upgrade|http2-settings)$/i;

/** Rebuilds a request's head without its `Upgrade` header. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (ofUpgrades.test(name)) continue;
    const options = value.split(',').filter((option) => !ofUpgrades.test(option.trim()));
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? options.join(',') : value}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

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
export async function startListening(server: NetServer, { host, port, log }: Acceptor): Promise<string> {
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
export async function stopListening(server: NetServer): Promise<void> {
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
