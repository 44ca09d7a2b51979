import type { Socket } from 'node:net';
import type pg from 'pg';
import { GUARD_LOCK, USERS_LOCK } from '../embedded/guard.js';
import { ROLE } from '../embedded/role.js';
import { refreshCollations } from './collations.js';
import { connectToPrivateServer } from './private-connection.js';

/** Session of a process on the server, which holds the users' lock. The lock is called its stake. */
export interface ServerSession {
  /** True if other processes already had a stake. */
  readonly shared: boolean;
  /** True if the server already had a guard. */
  readonly guarded: boolean;
  /** Settles when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Gives up the stake. If nobody else has one, `stop` is called, and nobody can get one until it returns.
   */
  leave(stop: () => Promise<void>): Promise<void>;
  /** Gives up the stake, and leaves the server running. */
  drop(): void;
}

/**
 * Connects to the server on a port of 127.0.0.1 and takes a stake. Creates the database if it is missing.
 * @throws {Error} of `pg`; see `isBusy`
 */
export async function openServerSession(port: number, password: string): Promise<ServerSession> {
  const { client, socket } = await connectToPrivateServer(port, password);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK]);
    const found = await look(client);
    await refreshCollations(client, port, password);
    await ensureDatabase(client);
    // It may be in the catalogue while its files are gone.
    const probe = await connectToPrivateServer(port, password, { database: ROLE });
    probe.socket.destroy();
    socket.unref(); // a stake must not keep the process alive
    const drop = () => void socket.destroy();
    return { ...found, ended, leave: (stop) => leave(client, socket, stop), drop };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Finds the other sessions that hold the locks. */
async function look(client: pg.Client): Promise<Pick<ServerSession, 'shared' | 'guarded'>> {
  const { rows } = await client.query<{ key: number }>(
    `SELECT objid::integer AS key FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 0 AND objsubid = 1 AND granted AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const keys = rows.map(({ key }) => key);
  return { shared: keys.includes(USERS_LOCK), guarded: keys.includes(GUARD_LOCK) };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [ROLE]);
  if (found.rowCount) return;
  await client.query(`CREATE DATABASE ${ROLE}`).catch((error) => {
    // Another process was faster; the code depends on the timing.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}

async function leave(client: pg.Client, socket: Socket, stop: () => Promise<void>): Promise<void> {
  socket.ref();
  const isAlone = async () => {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [USERS_LOCK]);
    return rows[0].alone as boolean;
  };
  try {
    // Check first while still holding the stake: the guard, which tries to get the lock every second, cannot
    // have it then.
    let isLast = await isAlone();
    if (!isLast) {
      await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      // If two leave at once, one of them finds the other gone.
      isLast = await isAlone();
    }
    if (isLast) await stop();
  } finally {
    socket.destroy();
  }
}

/** Detects errors of a server that is starting, stopping or full. Retry then. */
export function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return /^(57P0[123]|53300)$/.test(code ?? '') || /terminated unexpectedly/.test(message);
}
