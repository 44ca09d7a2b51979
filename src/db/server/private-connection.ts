import { Socket } from 'node:net';
import pg from 'pg';
import { ROLE } from '../embedded/role.js';

/** A connection to the private server, with its socket. */
export interface PrivateConnection {
  readonly client: pg.Client;
  readonly socket: Socket;
}

/**
 * Connects to the private server on 127.0.0.1, by default to the database `postgres`. That database always
 * exists, and advisory locks are per database. Connection errors are not reported; wait for the event `end`.
 * @throws {Error} of `pg`
 */
export async function connectToPrivateServer(
  port: number,
  password: string,
  config: Pick<pg.ClientConfig, 'options' | 'database'> = {},
): Promise<PrivateConnection> {
  const socket = new Socket();
  const client = new pg.Client({
    database: 'postgres',
    ...config,
    host: '127.0.0.1',
    port,
    user: ROLE,
    password,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return { client, socket };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
