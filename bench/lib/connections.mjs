// A cheap HTTP/1.1 client: one request at a time on each connection, and only status and length of answers
// are read. Connections are kept alive, as by a proxy, or used for one request each.
import { once } from 'node:events';
import { connect } from 'node:net';

/** Parses the head of an answer; undefined while it is incomplete. */
function headOf(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const text = bytes.latin1Slice(0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return {
    status: Number(text.slice(9, 12)),
    size: end + 4 + length,
    closes: /\r\nconnection: close/i.test(text),
  };
}

/** Connections to a server: as many as are needed at once, up to `most`. */
export class Connections {
  #url;
  #most;
  #keep;
  #idle = [];
  #open = 0;

  /** @param keep false: each connection is closed after its first answer */
  constructor(url, most, keep = true) {
    this.#url = new URL(url);
    this.#most = most;
    this.#keep = keep;
  }

  /** True if a request can be sent now. */
  get hasRoom() {
    return this.#idle.length > 0 || this.#open < this.#most;
  }

  /** Sends a request; `onEnd` gets the status, or the code of the error. */
  send(bytes, onEnd) {
    const socket = this.#idle.pop() ?? this.#connect();
    socket.onEnd = onEnd;
    socket.write(bytes);
  }

  /** Opens all connections before a load; resolves when none is in progress any more. */
  async openAll() {
    const opening = Array.from({ length: this.#most - this.#open }, () => this.#connect());
    await Promise.all(opening.map((socket) => once(socket, 'connect')));
    this.#idle.push(...opening);
  }

  close() {
    for (const socket of this.#idle) socket.destroy();
  }

  #connect() {
    this.#open += 1;
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay(true);
    let received = Buffer.alloc(0);
    let head;
    const end = (outcome) => {
      const { onEnd } = socket;
      socket.onEnd = undefined;
      onEnd?.(outcome);
    };
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      head ??= headOf(received);
      if (!head || received.length < head.size) return;
      const { status, closes } = head;
      received = Buffer.alloc(0);
      head = undefined;
      if (closes || !this.#keep) socket.destroy();
      else this.#idle.push(socket);
      end(status);
    });
    let failure = 'closed';
    socket.once('error', ({ code }) => {
      failure = code;
    });
    socket.once('close', () => {
      this.#open -= 1;
      this.#idle = this.#idle.filter((other) => other !== socket);
      end(failure);
    });
    return socket;
  }
}
