import type { Socket } from 'node:net';

/** Milliseconds that a caller who still sends has to read its answer. */
const lingerTimeoutMs = 2_000;

/**
 * Closes a connection in two steps after its last response (a lingering close). This side ends at once, the other after
 * a while.
 *
 * Closed at once, what the caller still sends would be answered by a reset, which throws away the answer on its way
 * (RFC 9112 section 9.6). What comes meanwhile is read and forgotten.
 */
export function lingerOn(socket: Socket): void {
  // Node calls this method when the last answer of a connection is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
