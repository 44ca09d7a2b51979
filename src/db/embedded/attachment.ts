import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, openServerSession, type ServerSession } from '../server/session.js';
import type { Cluster } from './cluster.js';
import { ensureGuard } from './guard.js';
import { exclusively, freePort } from './ports.js';
import { type Postmaster, readPostmaster, type StartedPostmaster, startPostmaster } from './postmaster.js';
import type { Programs } from './programs.js';
import type { SystemUser } from './system-user.js';

/** Milliseconds until starting is given up. Crash recovery may first replay a gigabyte of log. */
const START_TIMEOUT = 120_000;
/** Milliseconds between two attempts. */
const PAUSE = 50;
/** Milliseconds after which a silent process in postmaster.pid counts as a different program. */
const SILENCE_TIMEOUT = 500;

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

/**
 * Registers as a user of the server, and starts it if it is not running. Other processes may start and stop
 * it meanwhile, and whatever is read here may be outdated when it is used. So it is a single loop: look, try,
 * look again.
 * @param options.port the port to start it on, if free; otherwise the last one or any
 * @param options.onLaunched called when it has been launched here, before it accepts connections
 * @throws {Error} if it cannot start, is not up in time, or `options.signal` aborts
 */
export async function attachToServer(
  server: Server,
  options: { signal: AbortSignal; port?: number; onLaunched?: (() => void) | undefined },
): Promise<ServerAttachment> {
  const deadline = Date.now() + START_TIMEOUT;
  const silence = silenceClock();
  let started: StartedPostmaster | undefined;
  let failure: unknown;
  while (Date.now() < deadline) {
    options.signal.throwIfAborted();
    const found = await readPostmaster(server.cluster);
    try {
      if (found) {
        const session = await openGuarded(found.port, server);
        const origin = started ? 'started' : session.shared ? 'shared' : 'left';
        started?.release();
        return { session, port: found.port, origin };
      }
    } catch (error) {
      failure = error;
    }
    const busy = found && isBusy(failure);
    if (!busy && (!found || isDead(found.pid) || silence(found))) {
      started = await startInstead(server, found, options);
    }
    if (!started) await sleep(PAUSE);
  }
  throw new Error(`PostgreSQL did not start within ${START_TIMEOUT / 1000} seconds`, { cause: failure });
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
 */
async function startInstead(
  server: Server,
  dead: Postmaster | undefined,
  { port: preferred, onLaunched }: { port?: number; onLaunched?: (() => void) | undefined },
): Promise<StartedPostmaster | undefined> {
  const { ino } = await stat(server.cluster.data);
  return exclusively(ino, async () => {
    const now = await readPostmaster(server.cluster);
    if (now?.pid !== dead?.pid) return undefined; // another process was faster
    const port = await freePort(preferred ?? dead?.port);
    return startPostmaster({ ...server, port, foreignPid: dead?.pid, onLaunched });
  });
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
 * Detects a process id in postmaster.pid that belongs to another program. That can happen after a reboot or
 * in a new container. The returned function tells whether the process has existed without answering for so
 * long that this must be so. A mistake does no harm: PostgreSQL does not start while a process uses the
 * shared memory that the file names.
 */
function silenceClock(): (found: Postmaster) => boolean {
  let pid: number | undefined;
  let since = 0;
  return (found) => {
    if (found.pid !== pid) [pid, since] = [found.pid, Date.now()];
    return found.hasMemory && Date.now() - since > SILENCE_TIMEOUT;
  };
}
