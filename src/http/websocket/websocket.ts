import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { CloseCode, handleProtocols, type Message, MessageType, validateMessage } from 'graphql-ws';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import { parseExact } from '../../domain/text/json.js';
import { readJson } from '../../rest/body.js';
import type { OtherProtocol } from '../connections/connections.js';
import { memoryPerBodyByte } from '../load/memory.js';
import { askedOrigin, clientAddress, headerReader, normalizePath, splitTarget } from '../request/request.js';
import { sendRawResponse, type TransportHeaders } from '../responses/response.js';
import {
  closeForError,
  closeSocket,
  countReceived,
  type WebSocketConnection,
  WrittenData,
} from './connection.js';
import { createProtocol, type ProtocolOptions } from './protocol.js';

/** GraphQL over WebSockets, at the path of the GraphQL door. */
interface WebSockets extends OtherProtocol {
  /** Takes no new operations, waits for those in flight, and closes all connections. */
  close(): Promise<void>;
}

interface WebSocketOptions extends Omit<ProtocolOptions, 'connections'> {
  /** Milliseconds between pings. */
  readonly heartbeat: number;
  /** Number of proxies in front (address.ts). */
  readonly trustProxy: number;
  /** Headers of the answer to a handshake that is refused. */
  readonly transportHeaders: TransportHeaders;
}

/** Maximum bytes of a message. Files are sent over HTTP instead. */
const maxMessageBytes = 1024 * 1024;

/** The most fragments of a message, and buffered chunks of one. Each takes memory, however small it is. */
const maxMessageParts = { maxFragments: 1_024, maxBufferedChunks: 4_096 };

/** Operations of a connection that may run concurrently. */
const maxConcurrentOperations = 100;

/** Unread bytes beyond which a client may not start another operation. */
const maxUnreadBytes = 16 * 1024 * 1024;

const tooMuch = new GatewayError(
  'TOO_MANY_REQUESTS',
  `At most ${maxConcurrentOperations} operations at once.`,
);

/** RFC 6455, section 4.4: the answer lists the supported versions. */
const noHandshake = new GatewayError('BAD_REQUEST', 'The WebSocket handshake is not valid.', {
  headers: { 'Sec-WebSocket-Version': '13, 8' },
});

/** Milliseconds that shutdown waits for operations, and then for the closing handshake. */
const shutdownTimeoutsMs = { operations: 8_000, goodbye: 1_000 };

function wantsWebSocket(request: IncomingMessage): boolean {
  const { method, headers } = request;
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return normalizePath(splitTarget(request).path) === paths.graphql;
}

/** Closes a connection whose client does not answer pings. `heartbeat` is the interval in milliseconds. */
function watch(socket: WebSocket, heartbeat: number): void {
  let answered = true;
  const look = () => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  };
  // Check only after received data has been read, because on a busy process the timer fires first.
  const timer = setInterval(() => setImmediate(look), heartbeat);
  socket.on('pong', () => {
    answered = true;
  });
  socket.once('close', () => clearInterval(timer));
}

/** Returns whether a client asks for more than it reads. */
function asksTooMuch({ socket, operations }: WebSocketConnection): boolean {
  return operations.size >= maxConcurrentOperations || socket.bufferedAmount > maxUnreadBytes;
}

/** Messages that only servers send. The library would report them as an internal error. */
const serverMessageTypes: readonly MessageType[] = [
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
];

/** Parses a message, with every digit of its numbers; undefined if it is invalid. */
function readMessage(bytes: Buffer): Message | undefined {
  try {
    const message = validateMessage(readJson(bytes, parseExact));
    return serverMessageTypes.includes(message.type) ? undefined : message;
  } catch {
    return undefined;
  }
}

/**
 * Sends a message and resolves when the client has taken it. Until then the message counts in the memory
 * budget; if there is no room for it, the connection is cut.
 */
function sendText({ socket, memory }: WebSocketConnection, text: string): Promise<void> {
  return new Promise((resolve) => {
    let held = 0;
    socket.send(text, () => {
      if (held > 0) memory.shrink(held, 'stream');
      resolve();
    });
    if (socket.bufferedAmount === 0) return;
    const unsent = Buffer.byteLength(text);
    if (memory.tryGrow(unsent, 'stream')) held = unsent;
    else socket.terminate();
  });
}

function logConnection(log: Logger, connection: WebSocketConnection): void {
  const started = performance.now();
  connection.socket.once('close', () => {
    const { id, tokenId } = connection;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log.info({ id, method: 'GET', path: paths.graphql, status: 101, ms, ...(tokenId && { tokenId }) });
  });
}

async function sayGoodbye({ socket, operations }: WebSocketConnection): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // Stop reading, so that nothing new begins.
  socket.pause();
  await Promise.race([Promise.allSettled(operations), closed, after(shutdownTimeoutsMs.operations)]);
  socket.resume();
  socket.close(1001, 'The gateway is stopping.');
  await Promise.race([closed, after(shutdownTimeoutsMs.goodbye)]);
  socket.terminate();
}

/** Creates the WebSocket handler, which speaks the protocol `graphql-transport-ws`. */
export function createWebSockets(options: WebSocketOptions): WebSockets {
  const { log, memory, heartbeat, trustProxy } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    ...maxMessageParts,
    handleProtocols,
    autoPong: false,
  });
  server.on('wsClientError', (_error, socket, request) =>
    sendRawResponse(socket, noHandshake, { log, headers: options.transportHeaders(request) }),
  );
  const connections = new Set<WebSocketConnection>();
  const protocol = createProtocol({ ...options, connections });

  /** Answers a message, and counts its memory until then. */
  function run(
    connection: WebSocketConnection,
    message: Message,
    bytes: number,
    answer: (message: string) => Promise<void>,
  ) {
    const { id, socket, memory, operations } = connection;
    // The caller is unknown until it is authenticated; before that, only little may arrive.
    let held = connection.tokenId === undefined ? 0 : bytes * memoryPerBodyByte;
    if (!memory.tryGrow(held, 'body')) return closeForError(connection, memory.refusal());
    const keep = (left: number) => {
      memory.shrink(held - left, 'body');
      held = left;
    };
    if (message.type === MessageType.Subscribe) {
      connection.begun.set(message.payload, () =>
        keep(Math.min(held, message.id.length * memoryPerBodyByte)),
      );
    }
    // The library also accepts a parsed message, although its types do not say so. The text would stay in memory for
    // as long as a stream is open.
    const answerParsed = answer as (message: unknown) => Promise<void>;
    const operation = answerParsed(message)
      .catch((err: Error) => {
        log.error({ err, id }, 'a message failed');
        socket.close(4500, 'Something went wrong in the service; the details are in its log.');
      })
      .then(() => keep(0));
    operations.add(operation);
    void operation.then(() => operations.delete(operation));
  }
  function open(socket: WebSocket, request: IncomingMessage): void {
    const gone = new AbortController();
    // Each subscription adds a listener, and Node would warn at eleven.
    setMaxListeners(2 * maxConcurrentOperations, gone.signal);
    const { authorization } = request.headers;
    // Read the address now, because a closed socket has none.
    const sender = clientAddress(request, trustProxy);
    const origin = askedOrigin(request, trustProxy);
    const connection: WebSocketConnection = {
      id: randomUUID(),
      socket,
      sender: () => sender,
      origin: () => origin,
      signal: gone.signal,
      operations: new Set(),
      written: new WrittenData(),
      begun: new WeakMap(),
      memory: memory.open(),
      authorization,
      header: headerReader(request),
      tokenId: undefined,
    };
    connections.add(connection);
    countReceived(connection, request.socket);
    logConnection(log, connection);
    watch(socket, heartbeat);
    socket.on('ping', (data) => {
      if (!asksTooMuch(connection)) socket.pong(data);
    });
    // An invalid or oversized frame is the client's fault, and the client is told the reason.
    socket.on('error', () => {});
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send(message) {
          const text = connection.written.fill(message);
          return socket.readyState === socket.OPEN ? sendText(connection, text) : Promise.resolve();
        },
        close: (code, reason) => closeSocket(socket, code, reason),
        onMessage: (answer) => {
          socket.on('message', (data: Buffer) => {
            if (socket.readyState !== socket.OPEN) return;
            if (asksTooMuch(connection)) return closeForError(connection, tooMuch);
            const message = readMessage(data as Buffer);
            if (!message) return socket.close(CloseCode.BadRequest, 'Invalid message received');
            run(connection, message, data.length, answer);
          });
        },
      },
      connection,
    );
    socket.once('close', (code, reason) => {
      gone.abort();
      connection.memory.close();
      connections.delete(connection);
      void closed(code, String(reason));
    });
  }
  return {
    wants: wantsWebSocket,
    take(request, socket, head) {
      server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, request));
    },
    async close() {
      await Promise.all([...connections].map(sayGoodbye));
    },
  };
}
