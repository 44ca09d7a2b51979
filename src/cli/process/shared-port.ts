import type { ChildProcess } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { type Acceptor, startListening, stopListening } from '../../http/connections/acceptor.js';
import type { ToServingProcess } from './process-messages.js';

/** The most connections that wait for a serving process. Further ones are closed. */
const maxWaiting = 4_096;

/** The most milliseconds for which connections wait for a serving process when the port closes. */
const closeTimeoutMs = 5_000;

/**
 * Accepts the connections of a port, and gives them to processes in turn (round robin). A process gets its
 * next connection only once it has taken the last one, so a process that is busy or hangs gets no more than
 * one. Until then the connection stays open here as well. It is thus given to another process if the first
 * one ends; `node:cluster` forgets it.
 */
export class SharedPort {
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => {
    // Nobody else listens while it waits; an error would end the process.
    socket.on('error', () => {});
    this.#waiting.push(socket);
    this.#give();
  });
  readonly #waiting: Socket[] = [];
  readonly #members = new Set<ChildProcess>();
  /** Members that can take a connection, the one that waits for longest first. */
  readonly #free = new Set<ChildProcess>();
  readonly #given = new Map<ChildProcess, Socket>();
  #isClosed = false;
  #onIdle = () => {};

  /**
   * Starts to listen; returns the URL.
   * @throws {Error} if it cannot listen
   */
  listen(acceptor: Acceptor): Promise<string> {
    this.#server.maxConnections = maxWaiting;
    return startListening(this.#server, acceptor);
  }

  /** Begins to give connections to a process. */
  add(process: ChildProcess): void {
    this.#members.add(process);
    this.#free.add(process);
    this.#give();
  }

  /** Gives no more connections to a process. It may still take the last one. */
  remove(process: ChildProcess): void {
    this.#members.delete(process);
    this.#free.delete(process);
  }

  /** Notes that a process has taken the connection that it was given. */
  taken(process: ChildProcess): void {
    // This closes only the copy of this process.
    this.#given.get(process)?.destroy();
    this.#given.delete(process);
    if (this.#members.has(process)) this.#free.add(process);
    this.#give();
  }

  /** Gives the connection that an ended process has not taken to another one. */
  lost(process: ChildProcess): void {
    this.remove(process);
    const socket = this.#given.get(process);
    this.#given.delete(process);
    if (!socket) return;
    if (this.#isClosed) return void socket.destroy();
    this.#waiting.unshift(socket);
    this.#give();
  }

  /**
   * Stops listening. Resolves when all connections that were accepted have been sent to a process. Those that
   * no process takes for seconds are closed.
   */
  async close(): Promise<void> {
    await stopListening(this.#server);
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const timer = setTimeout(() => this.#abandon(), closeTimeoutMs);
    this.#give();
    await idle;
    clearTimeout(timer);
    this.#isClosed = true;
  }

  #abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onIdle();
  }

  #give(): void {
    for (const process of this.#free) {
      const socket = this.#waiting.shift();
      if (!socket) break;
      this.#free.delete(process);
      this.#given.set(process, socket);
      const message: ToServingProcess = { kind: 'connection' };
      process.send(message, socket, { keepOpen: true }, (error) => {
        // The connection of a process that has ended goes to another one as soon as its end is known.
        if (error && process.connected) this.taken(process);
      });
    }
    if (this.#waiting.length === 0) this.#onIdle();
  }
}
