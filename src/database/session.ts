import { Socket } from 'node:net';
import pg from 'pg';
import { ROLE } from './cluster.js';

/** Every process that uses the server holds this advisory lock, shared; who gets it alone was the last user. */
const USERS_LOCK = 0x67617465;

/** One process's stake in the server: a connection that holds the users' lock. */
export interface Session {
  /** Settles when the connection is gone, whatever the reason. */
  readonly ended: Promise<void>;
  /** Gives up the stake. `stop` is called if nobody else has one, and nobody can get one until it returns. */
  leave(stop: () => Promise<void>): Promise<void>;
}

/**
 * Connects to the server on a port of 127.0.0.1 and takes a stake in it. Creates the database if it is missing.
 * @throws {Error} of `pg`; see `answers` and `isBusy`.
 */
export async function openSession(port: number, password: string): Promise<Session> {
  const socket = new Socket();
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: ROLE,
    password,
    // Advisory locks are per database: all must use the same, and one that exists from the beginning.
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {}); // `ended` tells
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK]);
    await ensureDatabase(client);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.unref(); // a stake is no reason for the process to live on
  return { ended, leave: (stop) => leave(client, socket, stop) };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [ROLE]);
  if (found.rowCount) return;
  await client.query(`CREATE DATABASE ${ROLE}`).catch((error) => {
    // Another process was faster, by a lot or by a little.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}

async function leave(client: pg.Client, socket: Socket, stop: () => Promise<void>): Promise<void> {
  socket.ref();
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [USERS_LOCK]);
    if (rows[0].alone) await stop();
  } finally {
    socket.destroy();
  }
}

/** Whether an error of `openSession` came from a server that is starting, stopping or full, so: ask again. */
export function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return /^(57P0[123]|53300)$/.test(code ?? '') || /terminated unexpectedly/.test(message);
}
