import { Socket } from 'node:net';
import pg from 'pg';
import { ROLE } from './cluster.js';
import type { Programs } from './programs.js';

/** A connection to the private server, with its socket. */
interface PrivateConnection {
  readonly client: pg.Client;
  readonly socket: Socket;
}

/**
 * Connects to the private server on 127.0.0.1, by default to the database `postgres`. That database always
 * exists, and advisory locks are per database. Connection errors are not reported; wait for the event `end`.
 * @throws {Error} of `pg`
 */
async function connectToPrivateServer(
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

/** The guard holds this advisory lock, so that a server has only one. */
const GUARD_LOCK = 0x67756172;
/**
 * Advisory lock that every process using the server holds as shared. Whoever gets it exclusively was the last
 * user.
 */
const USERS_LOCK = 0x67617465;

/** Number of checks without users, one second apart, before the guard stops the server. */
const CHECKS = 3;

/**
 * Sets up the guard of a private server, unless it has one. The guard is a session that stops the server once
 * no process has held the users' lock for three seconds, however the last one ended. It is a PL/pgSQL loop in
 * a backend of the server itself. It needs no client, because it reads nothing and so continues when the
 * connection is closed.
 * @param port on 127.0.0.1; the caller must hold the users' lock
 * @throws {Error} of `pg` if the server accepts no connection
 */
export async function ensureGuard(port: number, password: string, programs: Programs): Promise<void> {
  // Settings for all sessions must not end this one.
  const options = Object.entries({
    client_connection_check_interval: 0,
    client_min_messages: 'notice',
    statement_timeout: 0,
    // Older versions do not know it.
    ...(programs.major >= 17 && { transaction_timeout: 0 }),
  }).map(([name, value]) => `-c ${name}=${value}`);
  const { client, socket } = await connectToPrivateServer(port, password, { options: options.join(' ') });
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('notice', () => resolve()); // the guard is running
      client.query(guard(stopCommand(programs))).then(() => resolve(), reject); // the server has another guard
    });
  } finally {
    socket.destroy();
  }
}

/** Returns the shell command for a fast shutdown of the server. It runs in the server's data folder. */
function stopCommand({ pgCtl }: Programs): string {
  if (process.platform === 'win32') return `"${pgCtl}" stop -D . -m fast -W -s`;
  // Uses only shell built-ins, because an update may have removed the package's programs.
  return 'read -r pid < postmaster.pid && kill -INT "$pid"';
}

/**
 * Returns the guard's PL/pgSQL loop. While it holds the users' lock, nobody can start to use the server;
 * anybody who tries gets an error when the server stops, and starts another. COMMIT releases the snapshot,
 * which would hold up VACUUM.
 */
const guard = (stop: string) => `
  DO $guard$
  DECLARE
    unused integer := 0;
  BEGIN
    IF NOT pg_try_advisory_lock(${GUARD_LOCK}) THEN
      RETURN;
    END IF;
    RAISE NOTICE 'on guard';
    LOOP
      COMMIT;
      PERFORM pg_sleep(1);
      IF NOT pg_try_advisory_lock(${USERS_LOCK}) THEN
        unused := 0;
        CONTINUE;
      END IF;
      unused := unused + 1;
      IF unused >= ${CHECKS} THEN
        unused := 0;
        BEGIN
          RAISE LOG 'no process uses this server any more: it stops';
          COPY (SELECT 1 WHERE false) TO PROGRAM ${pg.escapeLiteral(stop)};
          PERFORM pg_sleep(10);
        EXCEPTION WHEN OTHERS THEN
          RAISE LOG 'it cannot be stopped: %', SQLERRM;
        END;
      END IF;
      PERFORM pg_advisory_unlock(${USERS_LOCK});
    END LOOP;
  END $guard$`;

/** Advisory lock of the process that rebuilds indexes. */
const REFRESH_LOCK = 0x636f6c6c;

/** Settings for all sessions must not end a rebuild. */
const patient = '-c statement_timeout=0 -c lock_timeout=0';

/**
 * Rebuilds the indexes of databases in which the library that sorts text has changed. Programs from another
 * source, or a newer version of them, may bring another ICU or C library. An index that the former one has
 * sorted would miss rows. PostgreSQL only warns.
 * @param client a session of the database `postgres`
 * @throws {Error} of `pg`; the next call then begins anew
 */
async function refreshCollations(client: pg.Client, port: number, password: string): Promise<void> {
  if ((await outdatedDatabases(client)).length === 0) return;
  await client.query('SELECT pg_advisory_lock($1)', [REFRESH_LOCK]);
  try {
    // Another process may have done it meanwhile.
    for (const { name, isOpen } of await outdatedDatabases(client)) {
      if (isOpen) await rebuildIndexes(name, port, password);
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} REFRESH COLLATION VERSION`);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [REFRESH_LOCK]);
  }
}

interface OutdatedDatabase {
  readonly name: string;
  /** True if it accepts connections; one that does not has nothing to rebuild. */
  readonly isOpen: boolean;
}

/** Finds databases that record another version of their library. PostgreSQL 14 records none. */
async function outdatedDatabases(client: pg.Client): Promise<OutdatedDatabase[]> {
  const { rows } = await client.query<{ known: boolean }>(
    `SELECT current_setting('server_version_num')::integer >= 150000 AND NOT pg_is_in_recovery() AS known`,
  );
  if (!rows[0]?.known) return [];
  const found = await client.query<OutdatedDatabase>(
    `SELECT datname AS name, datallowconn AS "isOpen" FROM pg_database
      WHERE datcollversion <> pg_database_collation_actual_version(oid) ORDER BY datname`,
  );
  return found.rows;
}

/**
 * Selects the indexes that may depend on the order or case of text. Columns of "C" and "POSIX" do not; an
 * expression or condition may, whatever its type.
 */
const dependent = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'i' AND n.nspname NOT IN ('pg_catalog', 'pg_toast')
     AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
          OR EXISTS (SELECT FROM unnest(i.indcollation) AS used
                      WHERE used <> 0 AND used NOT IN ('"C"'::regcollation, '"POSIX"'::regcollation)))
   ORDER BY name`;

async function rebuildIndexes(database: string, port: number, password: string): Promise<void> {
  const { client, socket } = await connectToPrivateServer(port, password, { database, options: patient });
  try {
    const { rows } = await client.query<{ name: string }>(dependent);
    // A long wait is announced with the log's last message.
    const message = `indexes of "${database}" are rebuilt, because the library that sorts text has changed`;
    if (rows.length > 0)
      await client.query(`DO $$ BEGIN RAISE LOG '%', ${pg.escapeLiteral(message)}; END $$`);
    for (const { name } of rows) await client.query(`REINDEX INDEX ${name}`);
  } finally {
    socket.destroy();
  }
}

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
