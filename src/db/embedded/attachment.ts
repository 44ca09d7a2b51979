import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { announceLongWait, unlessAborted } from '../server/long-wait.js';
import { isBusy, openServerSession, type ServerSession } from '../server/session.js';
import { type Cluster, lastMessageOf, refusalFailure } from './data-folder.js';
import { ensureGuard } from './guard.js';
import type { Log } from './log.js';
import { exclusively, freePort } from './ports.js';
import {
  type HeldPostmaster,
  type Postmaster,
  readPostmaster,
  type StartedPostmaster,
  startPostmaster,
} from './postmaster.js';
import type { Programs } from './programs.js';
import { setPassword } from './role.js';
import type { SystemUser } from './system-user.js';

/** Milliseconds after which waiting for another server or its end is given up. */
const START_TIMEOUT = 120_000;
/** Milliseconds between two attempts, and between two starts while another server holds the folder. */
const [PAUSE, HELD_PAUSE] = [50, 250];
/** Milliseconds after which a silent process in postmaster.pid counts as a different program. */
const SILENCE_TIMEOUT = 500;

/** SQLSTATE of a wrong password. */
const WRONG_PASSWORD = '28P01';

export interface Server {
  readonly programs: Programs;
  readonly cluster: Cluster;
  readonly user: SystemUser | undefined;
  readonly password: string;
}

/** Connection that keeps a running server in use, and the server's port. */
export interface ServerAttachment {
  readonly session: ServerSession;
  readonly port: number;
  /**
   * Origin of the server. This process started it, shares it, or found it left running by processes that are
   * gone.
   */
  readonly origin: 'started' | 'shared' | 'left';
}

/** Options of attaching to a server. */
export interface AttachOptions {
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
export async function attachToServer(server: Server, options: AttachOptions): Promise<ServerAttachment> {
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
  readonly #server: Server;
  readonly #options: AttachOptions;
  readonly #isSilent = silenceClock();
  /** The server, if this process has started it. */
  #started: StartedPostmaster | undefined;
  /** True if PostgreSQL has proved that processes of another server still run. */
  #isHeld = false;
  #isPasswordSet = false;

  constructor(server: Server, options: AttachOptions) {
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
async function openGuarded(port: number, { password, programs }: Server): Promise<ServerSession> {
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
  server: Server,
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
