import type { Socket } from 'node:net';
import { memoryPerBodyByte } from '../load/memory-hold.js';
import type { Body } from '../load/receiving.js';
import { closeForError, closeSocket, type WebSocketConnection } from './connection.js';

/**
 * The most bytes that a connection may send before it is authenticated. They suffice for `connection_init`
 * with the longest token.
 */
const maxUnauthenticatedBytes = 32 * 1024;

/**
 * The minimum that a packet counts for, in bytes. However small, it takes hundreds of bytes until its message
 * is complete.
 */
const minPacketBytes = 256;

/** Bytes of the header of a ping or pong (RFC 6455, section 5.2). */
const controlHeadBytes = 6;

/** Size in bytes from which a message must not be late. Unfinished pings take less. */
const largeMessageBytes = 64 * 1024;

/** Milliseconds in which a client that sent too much may read the reason. */
const closeTimeoutMs = 1_000;

/**
 * Counts bytes of incomplete WebSocket messages in the memory budget. It closes a connection that sends more
 * than there is room for, sends too much before it is authenticated, or whose message is late while others
 * wait.
 * @param raw the TCP connection below the WebSocket
 */
export function countReceived(connection: WebSocketConnection, raw: Socket): void {
  const { socket, memory } = connection;
  let greeting = 0;
  let held = 0;
  let last = { bytes: 0, cost: 0 };
  /** The message in progress, once it is large. */
  let message: Body | undefined;

  function stop(): void {
    raw.off('data', count);
    // Keep no further bytes of it.
    socket.pause();
    const timer = setTimeout(() => socket.terminate(), closeTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
  }
  function release(bytes: number): void {
    const given = Math.min(bytes, held);
    memory.shrink(given, 'body');
    held -= given;
    if (held < largeMessageBytes) forgetMessage();
  }
  function forgetMessage(): void {
    if (message) memory.receiving.endMessage(message);
    message = undefined;
  }
  function giveUp(): void {
    release(held);
    closeSocket(socket, 1008, 'The message took too long to arrive.');
    stop();
  }
  function count({ length }: Buffer): void {
    if (connection.tokenId === undefined) {
      greeting += length;
      if (greeting <= maxUnauthenticatedBytes) return;
      closeSocket(socket, 1009, 'Send `connection_init` first.');
      stop();
      return;
    }
    const cost = Math.max(length, minPacketBytes) * memoryPerBodyByte;
    if (!memory.tryGrow(cost, 'body')) {
      closeForError(connection, memory.refusal());
      stop();
      return;
    }
    held += cost;
    last = { bytes: length, cost };
    if (held >= largeMessageBytes) message ??= memory.receiving.beginMessage(memory.caller, giveUp);
    if (message) memory.receiving.arrived(message, length);
  }
  // Control frames may come between the fragments of a message.
  const forget = ({ length }: Buffer) => {
    const bytes = controlHeadBytes + length;
    release(bytes === last.bytes ? last.cost : bytes * memoryPerBodyByte);
  };
  // Must run before the WebSocket reports complete messages.
  raw.prependListener('data', count);
  socket.on('message', () => release(held));
  socket.once('close', forgetMessage);
  socket.on('ping', forget);
  socket.on('pong', forget);
}
