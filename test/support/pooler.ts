import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A connection pooler between clients and a PostgreSQL. */
export interface Pooler {
  /** The connection string with which clients connect through it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Modes in which a pooler assigns its connections. */
export interface PoolerOptions {
  /** For a transaction, or until the client disconnects. */
  readonly mode: 'transaction' | 'session';
  /** Maximum connections. */
  readonly size: number;
  /** The connection that was used last, or that has been idle the longest. */
  readonly order?: 'last' | 'longest';
}

/** An authenticated connection to PostgreSQL. */
interface Server {
  readonly socket: Socket;
  client: Client | undefined;
}

interface Client {
  readonly socket: Socket;
  /** Messages that arrived while it had no server connection. */
  waiting: Buffer[];
  server: Server | undefined;
  /** Answers that end with ReadyForQuery and have not arrived yet. */
  unanswered: number;
}

/**
 * Splits a stream of bytes into messages: a type of one byte, and a length (PostgreSQL's documentation,
 * section 55.7).
 */
function cutter(onMessage: (type: string, message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
      rest = rest.subarray(message.length);
      onMessage(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}

function message(type: string, ...body: number[]): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Like PgBouncer: everybody is accepted, with a cancel key that is not the server's. */
const welcome = () =>
  Buffer.concat([
    message('R', 0, 0, 0, 0),
    message('K', ...Array.from({ length: 8 }, () => randomInt(1, 128))),
    message('Z', 0x49),
  ]);

/** Puts a pooler in front of a database. It does to sessions what poolers do. */
export async function startPooler(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
  const { mode, size, order = 'last' } = options;
  const idle: Server[] = [];
  const queue: Client[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;

  async function openServer(): Promise<Server> {
    const login = new pg.Client({ connectionString: databaseUrl });
    login.on('error', () => {});
    await login.connect();
    const { stream } = (login as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    const server: Server = { socket: stream, client: undefined };
    sockets.add(stream);
    stream.on(
      'data',
      cutter((type, bytes) => {
        const { client } = server;
        client?.socket.write(bytes);
        if (type !== 'Z' || !client) return;
        client.unanswered -= 1;
        const isOver = client.unanswered === 0 && bytes[5] === 0x49;
        if (isOver && (mode === 'transaction' || client.socket.destroyed)) free(server);
      }),
    );
    return server;
  }

  function free(server: Server): void {
    if (server.client) server.client.server = undefined;
    server.client = undefined;
    idle.push(server);
    const next = queue.shift();
    if (next) void serve(next);
  }

  async function serve(client: Client): Promise<void> {
    let server = order === 'last' ? idle.pop() : idle.shift();
    if (!server && opened < size) {
      opened += 1;
      server = await openServer();
    }
    if (!server) {
      queue.push(client);
      return;
    }
    Object.assign(server, { client });
    client.server = server;
    for (const bytes of client.waiting.splice(0)) server.socket.write(bytes);
  }

  function onMessage(client: Client, type: string, bytes: Buffer): void {
    if (type === 'X') return void client.socket.end();
    if (type === 'Q' || type === 'S') client.unanswered += 1;
    if (client.server) return void client.server.socket.write(bytes);
    client.waiting.push(bytes);
    if (client.waiting.length === 1) void serve(client);
  }

  const listener = createServer((socket) => {
    const client: Client = { socket, waiting: [], server: undefined, unanswered: 0 };
    sockets.add(socket);
    socket.on('error', () => {});
    // The first message has no type; pg sends it alone, and waits.
    socket.once('data', () => {
      socket.write(welcome());
      socket.on(
        'data',
        cutter((type, bytes) => onMessage(client, type, bytes)),
      );
    });
    socket.on('close', () => {
      sockets.delete(socket);
      if (client.server && client.unanswered === 0) free(client.server);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
