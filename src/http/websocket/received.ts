import type { Socket } from 'node:net';
import { memoryPerBodyByte } from '../load/memory-hold.js';
import type { Body } from '../load/receiving.js';
import { closeForError, closeSocket, type WebSocketConnection } from './connection.js';

/** The most bytes of a connection until its token is known. They hold `connection_init` with the largest of tokens. */
const maxUnauthenticatedBytes = 32 * 1024;

/** The least bytes that a packet counts for. However small, it takes hundreds until its message is whole. */
const minPacketBytes = 256;

/** Bytes of a ping's or pong's head (RFC 6455, section 5.2). */
const controlHeadBytes = 6;

/** Bytes of memory from which on a message must not be late. Unfinished pings take less. */
const largeMessageBytes = 64 * 1024;

/** Milliseconds in which who sent too much may read why. */
const closeTimeoutMs = 1_000;

/**
 * Counts bytes of incomplete WebSocket messages in the memory budget. A connection is ended that
 * sends more than there is room for, or much before its token is known; or whose message is late while others wait.
 * @param raw the connection below the WebSocket
 */
export function countReceived(connection: WebSocketConnection, raw: Socket): void {
  const { socket, memory } = connection;
  let greeting = 0;
  let held = 0;
  let last = { bytes: 0, cost: 0 };
  /** The message under way, once it is large. */
  let message: Body | undefined;

  function stop(): void {
    raw.off('data', count);
    // Not a byte more is kept of it.
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
    closeSocket(socket, 1008, 'The message took too long to come.');
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
  // They come between the parts of a message.
  const forget = ({ length }: Buffer) => {
    const bytes = controlHeadBytes + length;
    release(bytes === last.bytes ? last.cost : bytes * memoryPerBodyByte);
  };
  // Before the WebSocket tells of what is whole.
  raw.prependListener('data', count);
  socket.on('message', () => release(held));
  socket.once('close', forgetMessage);
  socket.on('ping', forget);
  socket.on('pong', forget);
}
