import pg from 'pg';
import { connectToPrivateServer } from '../server/private-connection.js';
import type { Programs } from './programs.js';

/** The guard holds this advisory lock, so that a server has only one. */
export const GUARD_LOCK = 0x67756172;
/**
 * Advisory lock that every process using the server holds as shared. Whoever gets it exclusively was the last
 * user.
 */
export const USERS_LOCK = 0x67617465;

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
