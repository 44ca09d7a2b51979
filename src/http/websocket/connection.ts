import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { ErrorCode, GatewayError } from '../../domain/errors.js';
import type { MemoryHold } from '../load/memory-hold.js';

export interface WebSocketConnection {
  /** Ties what is logged of its operations to its own line. */
  readonly id: string;
  readonly socket: WebSocket;
  /** Gives the address that opened it, as addresses are counted. */
  readonly sender: () => string;
  /** Gives the address that the gateway was asked at. */
  readonly origin: () => string;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  /** The memory of what it has not read. */
  readonly memory: MemoryHold;
  readonly operations: Set<Promise<void>>;
  /** Callbacks by a message's payload that free its memory once a stream has begun. */
  readonly begun: WeakMap<object, () => void>;
  /** The `Authorization` sent in `connection_init`, else that of the request that opened the socket. */
  authorization: string | undefined;
  tokenId: string | undefined;
}

/** Close codes by error: graphql-ws' own, else 1013, "try again later" (RFC 6455). */
const closeCodes: Partial<Record<ErrorCode, number>> = {
  UNAUTHORIZED: CloseCode.Unauthorized,
  FORBIDDEN: CloseCode.Forbidden,
  TOO_MANY_REQUESTS: CloseCode.TooManyInitialisationRequests,
  UNAVAILABLE: 1013,
};

/** Closes a WebSocket with a reason, cut to 123 bytes (RFC 6455, section 5.5). */
export function closeSocket(socket: WebSocket, code: number | undefined, reason: string | undefined): void {
  const bytes = Buffer.from(reason ?? '').subarray(0, 123);
  // More of it might come, so a character that is cut is left out.
  socket.close(code, new TextDecoder().decode(bytes, { stream: true }));
}

/** Ends a connection for an error. */
export function closeForError({ socket }: WebSocketConnection, { code, message }: GatewayError): void {
  closeSocket(socket, closeCodes[code] ?? CloseCode.InternalServerError, message);
}
