import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../domain/log.js';
import { announceLongWait, unlessAborted } from '../server/long-wait.js';
import { ensureCluster, ensurePassword, ROLE, setPassword } from './cluster.js';
import {
  type Cluster,
  checkDataFolder,
  checkMajorVersion,
  clusterIn,
  creationFailure,
  lastMessageOf,
  refusalFailure,
} from './data-folder.js';
import {
  type HeldPostmaster,
  type Postmaster,
  readPostmaster,
  type StartedPostmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.js';
import { findForbiddenFolder, findPrograms, type Programs, type SystemUser, serverUser } from './programs.js';
import { ensureGuard, isBusy, openServerSession, type ServerSession } from './sharing.js';

/**
 * Timeout of the lock in milliseconds. After that, its port probably belongs to another program, and we
 * continue without the lock.
 */
const LOCK_TIMEOUT = 10_000;

/** Finds a free TCP port on 127.0.0.1: the preferred one, or else any. */
export async function freePort(preferred = 0): Promise<number> {
  const server = (await listen(preferred)) ?? (await listen(0));
  if (!server) throw new Error('There is no free TCP port on 127.0.0.1');
  const { port } = server.address() as AddressInfo;
  await close(server);
  return port;
}

/**
 * Runs `task` while no other process of this machine runs one with the same key. The lock is a listening TCP
 * port, which the system releases when a process dies; a lock file would stay.
 * @param key a whole number; two different keys may exclude each other by chance
 * @param signal ends the waiting for the others
 */
async function exclusively<T>(key: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const port = 10_240 + (key % 20_000); // below the system's ephemeral ports
  const deadline = Date.now() + LOCK_TIMEOUT;
  let lock = await listen(port);
  while (!lock && Date.now() < deadline) {
    await sleep(10, undefined, { signal });
    lock = await listen(port);
  }
  try {
    return await task();
  } finally {
    if (lock) await close(lock);
  }
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

/** Milliseconds after which waiting for another server or its end is given up. */
const START_TIMEOUT = 120_000;
/** Milliseconds between two attempts, and between two starts while another server holds the folder. */
const [PAUSE, HELD_PAUSE] = [50, 250];
/** Milliseconds after which a silent process in postmaster.pid counts as a different program. */
const SILENCE_TIMEOUT = 500;

/** SQLSTATE of a wrong password. */
const WRONG_PASSWORD = '28P01';

interface PostgresServer {
  readonly programs: Programs;
  readonly cluster: Cluster;
  readonly user: SystemUser | undefined;
  readonly password: string;
}

/** Connection that keeps a running server in use, and the server's port. */
interface ServerAttachment {
  readonly session: ServerSession;
  readonly port: number;
  /**
   * Origin of the server. This process started it, shares it, or found it left running by processes that are
   * gone.
   */
  readonly origin: 'started' | 'shared' | 'left';
}

/** Options of attaching to a server. */
interface AttachOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The port to start it on, if free; otherwise the last one or any. */
  readonly port?: number;
  /** Called when it has been launched here, before it accepts connections. */
  readonly onLaunched?: (() => void) | undefined;
}

/**
 * Registers as a user of the server, and starts it if it is not running. A wait of more than three seconds is
 * logged with its reason.
 * @throws {Error} with instructions if it cannot start, refuses what it needs, or is not up in time; the reason
 *   of the signal if that aborts
 */
async function attachToServer(server: PostgresServer, options: AttachOptions): Promise<ServerAttachment> {
  const attaching = new Attaching(server, options);
  const describe = async () => {
    const reason = attaching.obstacle ?? 'PostgreSQL is starting';
    const isForOthers = attaching.obstacle !== undefined;
    return { reason: `${reason} (${await lastMessageOf(server.cluster)})`, isForOthers };
  };
  return announceLongWait(options.log, describe, () => attaching.run());
}

/**
 * One attempt to attach to a server. Other processes may start and stop it meanwhile, and whatever is read here
 * may be outdated when it is used. So it is a single loop: look, try, look again.
 */
class Attaching {
  /** The reason for which it cannot start or use the server now. */
  obstacle: string | undefined;
  readonly #server: PostgresServer;
  readonly #options: AttachOptions;
  readonly #isSilent = silenceClock();
  /** The server, if this process has started it. */
  #started: StartedPostmaster | undefined;
  /** True if PostgreSQL has proved that processes of another server still run. */
  #isHeld = false;
  #isPasswordSet = false;

  constructor(server: PostgresServer, options: AttachOptions) {
    this.#server = server;
    this.#options = options;
  }

  async run(): Promise<ServerAttachment> {
    const { signal } = this.#options;
    const deadline = Date.now() + START_TIMEOUT;
    try {
      while (Date.now() < deadline) {
        signal.throwIfAborted();
        const attachment = await this.#attempt();
        if (attachment) return attachment;
        if (!this.#started) await sleep(this.#isHeld ? HELD_PAUSE : PAUSE, undefined, { signal });
      }
      throw new Error(
        `PostgreSQL did not start within ${START_TIMEOUT / 1000} seconds: ${this.obstacle ?? 'it does not answer'}`,
      );
    } catch (error) {
      await this.#started?.abandon();
      throw error;
    }
  }

  async #attempt(): Promise<ServerAttachment | undefined> {
    const found = await readPostmaster(this.#server.cluster);
    const answer = found?.port ? await this.#connect(found.port) : undefined;
    if (answer && 'session' in answer) return answer;
    const error = answer?.error;
    if (isRefusal(error) && (this.#started || this.#isHeld)) await this.#overcome(error);
    else if (error && isBusy(error)) this.obstacle = `PostgreSQL answers "${error.message}"`;
    else if (!found || (found.pid !== 0 && isDead(found.pid)) || this.#isSilent(found))
      await this.#start(found);
    return undefined;
  }

  async #connect(port: number): Promise<ServerAttachment | { readonly error: Error }> {
    const opening = openGuarded(port, this.#server);
    try {
      const session = await unlessAborted(opening, this.#options.signal);
      const origin = this.#started ? 'started' : session.shared ? 'shared' : 'left';
      this.#started?.release();
      return { session, port, origin };
    } catch (error) {
      if (this.#options.signal.aborted) void opening.then(({ drop }) => drop()).catch(() => {});
      return { error: error as Error };
    }
  }

  /** Starts a server in place of the one that was found, which is gone. */
  async #start(found: Postmaster | undefined): Promise<void> {
    const outcome = await startInstead(this.#server, found, this.#options);
    this.#started = outcome && 'release' in outcome ? outcome : undefined;
    this.#isHeld = outcome !== undefined && 'heldBy' in outcome;
    if (outcome && 'heldBy' in outcome) {
      this.obstacle = `another server, or the last processes of one, still use ${this.#server.cluster.data}`;
    }
  }

  /**
   * Sets the password of the file, if our own server refuses that.
   * @throws {Error} for any other refusal, which is final
   */
  async #overcome(error: pg.DatabaseError): Promise<void> {
    const { cluster } = this.#server;
    if (error.code !== WRONG_PASSWORD || this.#isPasswordSet) throw refusalFailure(error, cluster);
    if (!this.#started) {
      throw new Error(
        `The password in ${cluster.password} is not that of the running PostgreSQL: ` +
          'stop all processes that use it, and start again.',
      );
    }
    await this.#started.abandon();
    this.#started = undefined;
    await setPassword(this.#server);
    this.#isPasswordSet = true;
    this.#options.log.warn(
      { file: cluster.password },
      'PostgreSQL refused the password of the file; it was set anew',
    );
  }
}

/** Detects an answer of PostgreSQL that does not change by waiting. */
function isRefusal(error: Error | undefined): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !isBusy(error);
}

/** Opens a session on a server, and ensures that the server has a guard. */
async function openGuarded(port: number, { password, programs }: PostgresServer): Promise<ServerSession> {
  const session = await openServerSession(port, password);
  try {
    if (!session.guarded) await ensureGuard(port, password, programs);
    return session;
  } catch (error) {
    session.drop();
    throw error;
  }
}

/**
 * Starts a server in place of the dead one. Only one process may do so at a time: two servers that find the
 * same stale postmaster.pid can remove each other's new one, and PostgreSQL needs a minute to notice.
 * @returns undefined if another process was faster
 */
async function startInstead(
  server: PostgresServer,
  dead: Postmaster | undefined,
  { port: preferred, onLaunched, signal }: AttachOptions,
): Promise<StartedPostmaster | HeldPostmaster | undefined> {
  const { ino } = await stat(server.cluster.data);
  const start = async () => {
    const now = await readPostmaster(server.cluster);
    if (now?.text !== dead?.text) return undefined;
    const port = await freePort(preferred ?? dead?.port);
    return startPostmaster({ ...server, port, stale: dead, onLaunched, signal });
  };
  return exclusively(ino, start, signal);
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Detects a postmaster.pid that was cut, or whose process id belongs to another program. That can happen after
 * a reboot, on a full disk or in a new container. The returned function tells whether the file has
 * stayed as it is, without a server that answers, for so long that this must be so. A mistake does no harm:
 * PostgreSQL does not start while a process uses the shared memory of the folder.
 */
function silenceClock(): (found: Postmaster) => boolean {
  let text: string | undefined;
  let since = 0;
  return (found) => {
    if (found.text !== text) [text, since] = [found.text, Date.now()];
    return Date.now() - since > SILENCE_TIMEOUT;
  };
}

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
  server: PostgresServer,
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
  server: PostgresServer,
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

async function reattach(server: PostgresServer, port: number, signal: AbortSignal, log: Log) {
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
