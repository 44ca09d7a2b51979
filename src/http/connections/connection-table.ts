import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { groupAddress } from '../request/address.js';

/** Bounds of open connections in a process. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Connections of one address (address.ts); Infinity stands for any number. */
  readonly connectionsPerAddress: number;
}

/** States of a connection: no head yet, requests under way, or idle. */
type State = 'head' | 'busy' | 'idle';

/** The connection limit that was reached. */
export type ConnectionLimit = 'address' | 'process' | 'reserve';

/** Told of connections that had to go. */
export interface ConnectionEvents {
  /** A new one was closed: all others are busy. */
  readonly onRefused?: ((limit: ConnectionLimit, address: string) => void) | undefined;
  /** An old one was closed for a new one. */
  readonly onEvicted?: ((limit: ConnectionLimit, address: string, state: State) => void) | undefined;
  /** One sent more requests ahead than may wait (pipelining.ts), and was closed. */
  readonly onOverrun?: (() => void) | undefined;
}

/** Connections that share a limit, and those of them that may be closed, oldest first. */
class ConnectionGroup {
  size = 0;
  readonly head = new Set<Connection>();
  readonly idle = new Set<Connection>();

  /** Returns the connection to evict first. It is the slowest to send a head, or else idle for longest. */
  first(): Connection | undefined {
    for (const connection of this.head) return connection;
    for (const connection of this.idle) return connection;
    return undefined;
  }
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The groups that count this connection. They are its address's, and that of all or of the reserve. */
  readonly groups: readonly [ConnectionGroup, ConnectionGroup];
  /** Milliseconds of `performance.now()` at which it was accepted. */
  readonly since: number;
  state: State;
}

/** Connections beyond the most, for those who ask after the process's health. */
export const reserveSize = 32;

/**
 * Limits open connections, and closes idle ones first (slow loris, CWE-400). One that is
 * busy is never closed for another. Every step takes a constant time.
 */
export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  readonly #events: ConnectionEvents;
  readonly #open = new Map<Duplex, Connection>();
  readonly #addresses = new Map<string, ConnectionGroup>();
  readonly #all = new ConnectionGroup();
  readonly #reserve = new ConnectionGroup();

  constructor(limits: ConnectionLimits, events: ConnectionEvents = {}) {
    this.#limits = limits;
    this.#events = events;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Counts connections by state, those of the reserve apart. */
  states(): Record<State | 'reserve', number> {
    const [head, idle] = [this.#all.head.size, this.#all.idle.size];
    return { head, idle, busy: this.#all.size - head - idle, reserve: this.#reserve.size };
  }

  /** Takes a new connection in, or closes it. One that is told of again (upgrade.ts) stays what it is. */
  accept(socket: Socket): void {
    if (this.#open.has(socket)) return;
    const { remoteAddress } = socket;
    // Its caller is gone already.
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

  /** Makes room for a connection, and tells where; undefined when there is none. */
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
  }

  /** Notes that requests are under way, or that another protocol has taken over for good. */
  begin(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.state === 'busy') return;
    for (const group of connection.groups) group[connection.state].delete(connection);
    connection.state = 'busy';
  }

  /** Notes that all requests are answered. */
  end(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection?.state !== 'busy') return;
    connection.state = 'idle';
    for (const group of connection.groups) group.idle.add(connection);
  }

  /** Tells a connection of the reserve, which takes health checks alone. */
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

  /** Closes idle connections, and those that have sent nothing yet (opened ahead by browsers). */
  closeUnused(): void {
    for (const { socket, state } of this.#open.values()) {
      if (state === 'idle' || (state === 'head' && socket.bytesRead === 0)) socket.destroy();
    }
  }
}
