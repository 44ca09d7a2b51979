import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { ErrorCode, GatewayError } from '../../domain/errors.js';
import type { MemoryHold } from '../load/memory-hold.js';
import type { ReadHeader } from '../request/request.js';
import type { WrittenData } from './written-data.js';

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
