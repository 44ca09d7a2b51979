import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Pipelined requests that may wait on one connection, and in the whole process. */
export const maxPipelined = { ofConnection: 1_000, ofProcess: 5_000 };

/** A message of a connection whose turn comes when all before it are answered. */
interface Turn {
  readonly request?: IncomingMessage;
  readonly run: () => void;
}

/** The request under way on a connection, and those that wait for it. */
interface Line {
  busy: boolean;
  /** True when no more requests are read from the connection. */
  over: boolean;
  readonly waiting: Turn[];
  /** The last request, until all of it has come. */
  last: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

export interface PipelineEvents {
  readonly onBusy: (socket: Duplex) => void;
  readonly onIdle: (socket: Duplex) => void;
  /** A connection sent too many requests ahead, and is closed. */
  readonly onOverrun: (socket: Duplex) => void;
}

/**
 * Runs pipelined requests of a connection one after the other (RFC 9112, section 9.3.2). Node tells of all at once,
 * and orders their answers alone; but a write must see the one before it.
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

  /** Starts a request when all before it on its connection are answered. It never starts if the connection ends before. */
  enter(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request;
    // What else was read together with what was too much.
    if (socket.destroyed) return;
    // What comes after the last answer of a connection is not run (RFC 9112, section 9.6), but read and forgotten.
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
    // What comes next waits in the system's buffers, and then on the other side.
    socket.pause();
  }

  #drop(line: Line): void {
    this.#waiting -= line.waiting.length;
    line.waiting.length = 0;
  }

  #next(socket: Duplex, line: Line): void {
    // The answer was the last of its connection: what was sent after it is not run (RFC 9112, section 9.6).
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

  /** Hands over an upgraded connection when all requests before are answered. */
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
    // What Node did for the answer that is under way.
    const end = () => socket.destroy();
    socket.on('error', end);
    socket.on('timeout', end);
    socket.on('drain', () => line.response?.emit('drain'));
    this.#wait(socket, line, { run: start });
  }

  /**
   * Ends a connection after a malformed request, when all requests before are answered.
   * @param answer tells the other side why
   * @param isMore whether it came after a request that was the last of its connection, and is to be ignored
   */
  fail(socket: Duplex, answer: () => void, isMore = false): void {
    const line = this.#lines.get(socket);
    if (line?.over) return;
    const body = this.incomplete(socket);
    if (!line?.busy) {
      // The rest of a body whose request is answered: another answer would be taken for the next one's.
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
    // It was answered early, and that answer is on its way: it is the last one.
    else if (line.response?.headersSent) this.#wait(socket, line, { run: () => socket.destroy() });
    else answer();
  }

  /** Returns the last request of a connection while its body is still arriving. */
  incomplete(socket: Duplex): IncomingMessage | undefined {
    const last = this.#lines.get(socket)?.last;
    return last?.complete ? undefined : last;
  }

  /** Tells a connection whose requests wait. */
  isWaiting(socket: Duplex): boolean {
    return (this.#lines.get(socket)?.waiting.length ?? 0) > 0;
  }
}
