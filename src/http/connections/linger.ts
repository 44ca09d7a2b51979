import type { Socket } from 'node:net';

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
