import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The most pipelined requests that may wait on one connection, and in the whole process. */
export const maxPipelined = { ofConnection: 1_000, ofProcess: 5_000 };

/** A request or hand-over that waits for the earlier requests of its connection. */
interface Turn {
  readonly request?: IncomingMessage;
  readonly run: () => void;
}

/** The current request of a connection, and those that wait for it. */
interface Line {
  busy: boolean;
  /** True once no more requests are read from the connection. */
  over: boolean;
  readonly waiting: Turn[];
  /** The latest request, until its body has arrived completely. */
  last: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

export interface PipelineEvents {
  readonly onBusy: (socket: Duplex) => void;
  readonly onIdle: (socket: Duplex) => void;
  /** Called when a connection is closed because it sent too many requests ahead. */
  readonly onOverrun: (socket: Duplex) => void;
}

/**
 * Runs the pipelined requests of a connection one after the other (RFC 9112, section 9.3.2). Node starts all
 * of them at once and only sends their answers in order. But a request must see the writes of the one before
 * it.
 */
export class Pipelines {
  readonly #events: PipelineEvents;
  readonly #lines = new Map<Duplex, Line>();
  #waiting = 0;

  constructor(events: PipelineEvents) {
    this.#events = events;
  }

  get waiting(): number {
    return this.#waiting;
  }

  #lineOf(socket: Duplex): Line {
    const known = this.#lines.get(socket);
    if (known) return known;
    const line: Line = { busy: false, over: false, waiting: [], last: undefined, response: undefined };
    this.#lines.set(socket, line);
    socket.once('close', () => {
      this.#drop(line);
      this.#lines.delete(socket);
    });
    return line;
  }

  /**
   * Starts a request once all earlier ones on its connection are answered. If the connection ends first, it
   * never starts.
   */
  enter(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request;
    // More requests from the same read as the one that was too many.
    if (socket.destroyed) return;
    // Requests after the last answer of a connection are read and dropped, not run (RFC 9112, section 9.6).
    if (!socket.writable) return void request.resume();
    const line = this.#lineOf(socket);
    line.last = request;
    const run = () => {
      line.response = response;
      response.once('close', () => this.#next(socket, line));
      start();
    };
    if (line.busy) this.#wait(socket, line, { request, run });
    else {
      line.busy = true;
      this.#events.onBusy(socket);
      run();
    }
  }

  #wait(socket: Duplex, line: Line, turn: Turn): void {
    line.waiting.push(turn);
    this.#waiting++;
    if (line.waiting.length > maxPipelined.ofConnection || this.#waiting > maxPipelined.ofProcess) {
      this.#events.onOverrun(socket);
      socket.destroy();
      return;
    }
    // Whatever follows waits in the system's buffers, and then at the client (backpressure).
    socket.pause();
  }

  #drop(line: Line): void {
    this.#waiting -= line.waiting.length;
    line.waiting.length = 0;
  }

  #next(socket: Duplex, line: Line): void {
    // That was the connection's last answer, so requests sent after it are not run (RFC 9112, section 9.6).
    if (!socket.writable) this.#drop(line);
    const turn = line.waiting.shift();
    if (!turn) {
      line.busy = false;
      line.response = undefined;
      if (line.last?.complete) line.last = undefined;
      if (!line.over && !socket.destroyed) this.#events.onIdle(socket);
      return;
    }
    this.#waiting--;
    if (line.waiting.length === 0 && !line.over) socket.resume();
    turn.run();
  }

  /** Hands over an upgraded connection once all earlier requests are answered. */
  handOver(socket: Duplex, run: () => void): void {
    if (!socket.writable) return void socket.destroy();
    const line = this.#lineOf(socket);
    const start = () => {
      line.busy = false;
      line.last = undefined;
      run();
    };
    if (!line.busy) {
      start();
      return;
    }
    // Node has detached its listeners from the upgraded socket, so do their work for the answer under way.
    const end = () => socket.destroy();
    socket.on('error', end);
    socket.on('timeout', end);
    socket.on('drain', () => line.response?.emit('drain'));
    this.#wait(socket, line, { run: start });
  }

  /**
   * Ends a connection after a malformed request, once all earlier requests are answered.
   * @param answer sends the error to the client
   * @param isMore true if the bytes came after the last request of the connection, and are to be ignored
   */
  fail(socket: Duplex, answer: () => void, isMore = false): void {
    const line = this.#lines.get(socket);
    if (line?.over) return;
    const body = this.incomplete(socket);
    if (!line?.busy) {
      // This is the rest of a body whose request is answered. The client would take another answer for the
      // next request's.
      if (body) socket.destroy();
      else answer();
      return;
    }
    line.over = true;
    socket.pause();
    if (!body) {
      if (!isMore) this.#wait(socket, line, { run: answer });
      return;
    }
    const at = line.waiting.findIndex(({ request }) => request === body);
    if (at !== -1) line.waiting[at] = { run: answer };
    // The request was answered early, and its answer is on its way. It is the last one.
    else if (line.response?.headersSent) this.#wait(socket, line, { run: () => socket.destroy() });
    else answer();
  }

  /** Returns the last request of a connection while its body is still arriving. */
  incomplete(socket: Duplex): IncomingMessage | undefined {
    const last = this.#lines.get(socket)?.last;
    return last?.complete ? undefined : last;
  }

  /** Returns whether requests of a connection are waiting. */
  isWaiting(socket: Duplex): boolean {
    return (this.#lines.get(socket)?.waiting.length ?? 0) > 0;
  }
}
