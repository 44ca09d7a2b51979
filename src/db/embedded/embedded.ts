import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { announceLongWait } from '../server/long-wait.js';
import type { ServerSession } from '../server/session.js';
import { type AttachOptions, attachToServer, type Server, type ServerAttachment } from './attachment.js';
import { ensureCluster } from './cluster.js';
import { checkDataFolder, checkMajorVersion, clusterIn, creationFailure } from './data-folder.js';
import type { Log } from './log.js';
import { stopPostmaster } from './postmaster.js';
import { findPrograms, type Programs } from './programs.js';
import { ensurePassword, ROLE } from './role.js';
import { findForbiddenFolder, type SystemUser, serverUser } from './system-user.js';

/** Milliseconds between two attempts to bring back a lost server. */
const RETRY = 1_000;
/** Milliseconds in which the users of a lost server reconnect. We may not stop it earlier. */
const RECONNECT_GRACE = 1_000;

/** A private PostgreSQL server, shared by all processes that open the same data directory. */
export interface EmbeddedDatabase {
  /** Connection string, including the password. */
  readonly url: string;
  /** True if this call started the server, false if it was running already. */
  readonly started: boolean;
  /**
   * Ends this process's use of the server; the last user stops it. It never throws, and may be called
   * repeatedly.
   */
  close(): Promise<void>;
}

/**
 * Opens the private PostgreSQL server in `dataDir`. It is created, started or found running as needed, even
 * after a crash. While it is open, it is restarted on the same port should it die.
 * @param options.dataDir a folder, created with mode 0700 if missing; relative to the working directory
 * @param options.programs the folder of PostgreSQL's programs; by default those that npm installed are used
 * @param options.onLaunched called when the server has been launched here, before it accepts connections
 * @param options.signal ends the start
 * @throws {Error} with instructions, if PostgreSQL cannot run here or is not up within two minutes; the reason
 *   of the signal if that aborts
 */
export async function openEmbedded(options: {
  dataDir: string;
  programs?: string | undefined;
  log: Log;
  onLaunched?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<EmbeddedDatabase> {
  const { log, onLaunched, signal } = options;
  const dataDir = resolve(options.dataDir);
  const programs = await findPrograms(options.programs);
  const cluster = clusterIn(dataDir);
  await checkMajorVersion(cluster, programs);
  const user = await serverUser(cluster.data);
  try {
    await announceLongWait(
      log,
      () => ({ reason: 'PostgreSQL creates its files' }),
      () => ensureCluster(dataDir, programs, user, signal),
    ).catch((error) => {
      throw creationFailure(error, cluster);
    });
    await checkDataFolder(cluster);
    const server = { programs, cluster, user, password: await ensurePassword(cluster, user) };
    return await hold(server, { log, onLaunched, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw (await explain(error, { programs, dataDir }, user)) ?? error;
  }
}

const greetings = {
  started: 'PostgreSQL started',
  shared: 'PostgreSQL found running',
  left: 'PostgreSQL was still running; taking it over',
};

/** Attaches to the server and stays attached until closed. */
async function hold(
  server: Server,
  { log, onLaunched, signal }: Omit<AttachOptions, 'signal'> & { readonly signal: AbortSignal | undefined },
): Promise<EmbeddedDatabase> {
  const closing = new AbortController();
  const first = await attachToServer(server, { log, onLaunched, signal: signal ?? closing.signal });
  const { port, origin } = first;
  const started = origin === 'started';
  log.info({ port, started }, greetings[origin]);
  const held = keepSession(server, first, closing.signal, log);
  const stop = async () => {
    await stopPostmaster(server.programs, server.cluster, server.user);
    log.info({ port }, 'PostgreSQL stopped');
  };
  const close = async () => {
    closing.abort();
    const last = await held;
    if (!last) return;
    await sleep(Math.max(0, last.settled - Date.now()));
    await last.session.leave(stop).catch((err) => log.warn({ err }, 'PostgreSQL was not shut down cleanly'));
  };
  let closed: Promise<void> | undefined;
  return {
    url: `postgresql://${ROLE}:${server.password}@127.0.0.1:${port}/${ROLE}`,
    started,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Reopens the session whenever it is lost. Returns the current session at closing, if any, and when it may be
 * left.
 */
async function keepSession(
  server: Server,
  { session, port }: ServerAttachment,
  closing: AbortSignal,
  log: Log,
) {
  const closed = once(closing, 'abort');
  let held: ServerSession | undefined = session;
  let settled = 0;
  while (held) {
    await Promise.race([held.ended, closed]);
    if (closing.aborted) break;
    log.warn({ port }, 'PostgreSQL has stopped; restarting it');
    held = await reattach(server, port, closing, log);
    settled = Date.now() + RECONNECT_GRACE;
  }
  return held && { session: held, settled };
}

async function reattach(server: Server, port: number, signal: AbortSignal, log: Log) {
  while (!signal.aborted) {
    try {
      const again = await attachToServer(server, { log, signal, port });
      if (again.port === port) log.info({ port }, 'PostgreSQL is back');
      else log.error({ port: again.port }, 'PostgreSQL is back on a different port: restart this process');
      return again.session;
    } catch (err) {
      if (!signal.aborted) log.error({ err }, 'PostgreSQL could not be restarted; trying again');
    }
    await sleep(RETRY, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** Explains a failure by a folder that the server's user may not enter, if possible. */
async function explain(cause: unknown, paths: { programs: Programs; dataDir: string }, user?: SystemUser) {
  if (!user) return undefined;
  const why = `PostgreSQL cannot run as root, so it runs as the user "${user.name}", who has no access to`;
  const data = await findForbiddenFolder(paths.dataDir, user);
  if (data) {
    const todo =
      'Set DATA_DIR to a folder that this user can access, set DATABASE_URL, or run as another user.';
    return new Error(`${why} ${data}, the folder for the data. ${todo}`, { cause });
  }
  const program = await findForbiddenFolder(paths.programs.postgres, user);
  if (program) {
    const what = paths.programs.isBundled ? 'Move the project' : 'Set POSTGRES_PROGRAMS';
    const todo = `${what} to a folder that this user can access, set DATABASE_URL, or run as another user.`;
    return new Error(`${why} ${program}, where PostgreSQL is installed. ${todo}`, { cause });
  }
  return undefined;
}
