import type { Socket } from 'node:net';

/** Milliseconds without a byte after which a caller sends no more. */
const lingerIntervalMs = 2_000;

/** Intervals that lingering takes at most: what is larger is not waited for. */
const mostIntervals = 5;

/**
 * Closes a connection in two steps after its last response (a lingering close). This side ends at once, the other when
 * the caller has sent nothing for a while, or has sent for long enough.
 *
 * Closed at once, what the caller still sends would be answered by a reset, which throws away the answer on its way
 * (RFC 9112 section 9.6). What comes meanwhile is read and forgotten.
 */
export function lingerOn(socket: Socket): void {
  // Node calls this method when the last answer of a connection is written.
  socket.destroySoon = () => {
    socket.end();
    let intervals = 0;
    let received = socket.bytesRead;
    const timer = setInterval(() => {
      intervals += 1;
      if (socket.bytesRead === received || intervals === mostIntervals) socket.destroy();
      received = socket.bytesRead;
    }, lingerIntervalMs);
    socket.once('close', () => clearInterval(timer));
  };
}
