import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { ErrorCode, GatewayError } from '../../domain/errors.js';
import { exactText } from '../../domain/text/json.js';
import { type Body, type MemoryHold, memoryPerBodyByte } from '../load/memory.js';
import type { ReadHeader } from '../request/request.js';

/**
 * Data of results as JSON. Small objects represent it in the messages of graphql-ws, whose `JSON.stringify`
 * rejects numbers that a double would round.
 */
export class WrittenData {
  readonly #texts = new Map<string, string>();

  /** Stores data until its message is sent. @returns an object to write in its place */
  keep(data: unknown): Record<string, unknown> {
    const standIn = { [randomUUID()]: true };
    this.#texts.set(JSON.stringify(standIn), exactText(data));
    return standIn;
  }

  /** Inserts the data into its message, and drops it. */
  fill(message: string): string {
    for (const [standIn, text] of this.#texts) {
      if (!message.includes(standIn)) continue;
      this.#texts.delete(standIn);
      return message.replace(standIn, () => text);
    }
    return message;
  }
}

export interface WebSocketConnection {
  /** Links the log lines of its operations to its own line. */
  readonly id: string;
  readonly socket: WebSocket;
  /** Returns the address that opened the connection, as rate limits count it. */
  readonly sender: () => string;
  /** Returns the origin that the connection was opened at. */
  readonly origin: () => string;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
  /** The memory of messages that the client has not read. */
  readonly memory: MemoryHold;
  readonly operations: Set<Promise<void>>;
  /** Data of the results that are about to be sent. */
  readonly written: WrittenData;
  /** Callbacks that free a message's memory once its stream has begun, by the message's payload. */
  readonly begun: WeakMap<object, () => void>;
  /** The `Authorization` sent in `connection_init`, else that of the upgrade request. */
  authorization: string | undefined;
  /** Reads the headers of the upgrade request. */
  readonly header: ReadHeader;
  tokenId: string | undefined;
}

/** Close codes by error. They are graphql-ws' own, else 1013, "try again later" (RFC 6455). */
const closeCodes: Partial<Record<ErrorCode, number>> = {
  UNAUTHORIZED: CloseCode.Unauthorized,
  FORBIDDEN: CloseCode.Forbidden,
  TOO_MANY_REQUESTS: CloseCode.TooManyInitialisationRequests,
  UNAVAILABLE: 1013,
};

/** Closes a WebSocket with a reason, cut to 123 bytes (RFC 6455, section 5.5). */
export function closeSocket(socket: WebSocket, code: number | undefined, reason: string | undefined): void {
  const bytes = Buffer.from(reason ?? '').subarray(0, 123);
  // In streaming mode, the decoder drops a character that was cut in two.
  socket.close(code, new TextDecoder().decode(bytes, { stream: true }));
}

/** Closes a connection because of an error. */
export function closeForError({ socket }: WebSocketConnection, { code, message }: GatewayError): void {
  closeSocket(socket, closeCodes[code] ?? CloseCode.InternalServerError, message);
}

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
