import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../server/long-wait.js';
import { type Cluster, serverFailure } from './data-folder.js';
import { type Programs, runProgram, type SystemUser, spawnOptions } from './programs.js';

/** Milliseconds between two checks of postmaster.pid. */
const POLL = 5;
/**
 * Size in bytes at which postgres.log is rotated. The next start keeps it as postgres.log.1 and begins a new
 * one.
 */
const LOG_LIMIT = 4 * 1024 * 1024;

export const maxConnections = 200;

/** Contents of postmaster.pid. The file remains if its server is killed, and may be cut by a full disk. */
export interface Postmaster {
  /** The text of the file. */
  readonly text: string;
  /** Zero if the file has none. */
  readonly pid: number;
  /** Zero if the file has none. */
  readonly port: number;
  /**
   * True if the file names the server's shared memory. PostgreSQL can then tell for certain whether the
   * server is gone.
   */
  readonly hasMemory: boolean;
  readonly status: string;
}

const pidFileOf = ({ data }: Cluster) => join(data, 'postmaster.pid');

/** Reads postmaster.pid; undefined if there is none. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port] = [lines[0], lines[3]].map((line) => (/^\d{1,10}$/.test(line ?? '') ? Number(line) : 0));
  return { text, pid: pid ?? 0, port: port ?? 0, hasMemory: Boolean(lines[6]), status: lines[7] ?? '' };
}

interface StartOptions {
  readonly programs: Programs;
  readonly cluster: Cluster;
  readonly user: SystemUser | undefined;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** A postmaster.pid that is known not to belong to a running server. */
  readonly stale: Postmaster | undefined;
  /** Called once the server's process exists. It takes a while until it accepts connections. */
  readonly onLaunched?: (() => void) | undefined;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

/** A server that this process has started. */
export interface StartedPostmaster {
  /**
   * Lets the server outlive this process. Until then it stops when this process ends, for whatever reason.
   */
  release(): void;
  /** Stops it, and waits for its end. */
  abandon(): Promise<void>;
}

/** A server that could not be started now. Another one uses its files or its port. */
export interface HeldPostmaster {
  /** PostgreSQL's reason. */
  readonly heldBy: string;
}

/**
 * Starts a server in its own session. Ctrl-C in our terminal does not reach it.
 * @returns once it accepts connections; or why it could not start now
 * @throws {Error} with the reason and what to do if it cannot start; the reason of the signal if that aborts
 */
export async function startPostmaster(options: StartOptions): Promise<StartedPostmaster | HeldPostmaster> {
  const { cluster, stale } = options;
  await rotateLog(cluster.log);
  const log = await open(cluster.log, 'a', 0o600);
  const isCut = stale !== undefined && !stale.hasMemory;
  try {
    if (isCut) await rename(pidFileOf(cluster), asideOf(cluster));
    const { size } = await log.stat();
    const started = await launchReady(options, log.fd);
    if (started) return started;
    const said = (await readFile(cluster.log)).subarray(size).toString();
    const heldBy = contained.exec(said)?.[0];
    if (heldBy === undefined) throw await serverFailure('PostgreSQL did not start', said, cluster);
    return { heldBy };
  } finally {
    if (isCut) await restoreRows(cluster);
    await log.close();
  }
}

/**
 * Returns the name for a postmaster.pid that a full disk or power cut has cut. It names no shared memory, and
 * is moved out of PostgreSQL's way while that starts. PostgreSQL then proves by the memory itself, which it finds by
 * the folder, that no other server runs, or else does not start.
 */
const asideOf = (cluster: Cluster) => `${pidFileOf(cluster)}.cut`;

/** Puts a postmaster.pid back, unless a server has written a new one. */
async function restoreRows(cluster: Cluster): Promise<void> {
  await link(asideOf(cluster), pidFileOf(cluster)).catch(() => {});
  await rm(asideOf(cluster), { force: true });
}

/**
 * Matches PostgreSQL's words when servers race, or when a killed server's processes still exit. Other failures
 * with a lock file, such as a full disk, are none of these.
 */
const contained =
  /lock file .* (already exists|is empty)|bogus data in lock file.*|.*shared memory block.*|could not create any TCP\/IP sockets/;

/** Launches a server, and waits until it is ready; undefined if it ends first. */
async function launchReady(options: StartOptions, log: number): Promise<StartedPostmaster | undefined> {
  const { child, release } = launch(options, log);
  options.onLaunched?.();
  const abandon = async () => {
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    const isReady = await becameReady(child, options.cluster, options.signal);
    return isReady ? { release, abandon } : undefined;
  } catch (error) {
    await abandon();
    throw error;
  }
}

/**
 * Shell script that runs a program, and stops it when its starter dies. It sends SIGINT ("fast shutdown") if
 * the pipe at descriptor 3 is closed before a line has come through it. The program has the shell's process
 * id. Windows has no such shell: a server whose starter is killed during the start keeps running there, until
 * the next start finds it.
 */
const tetherScript = '( ( read -r _ <&3 || kill -INT $$ ) & ); exec "$@" 3<&-';
const hasShell = process.platform !== 'win32';

function launch({ programs, cluster, user, port, stale }: StartOptions, log: number) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements are reported to their senders; in the log they would only pile up, with users'
    // data in them.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Where LLVM is installed, compiling a query takes longer than it gains here.
    jit: 'off',
    // A crashed server must end, so that a user restarts it with a new guard.
    restart_after_crash: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const options = spawnOptions(user);
  // PostgreSQL treats this process id as its own ancestor, and so not as a rival server. That is safer than
  // removing postmaster.pid: it still checks that no process uses the old server's shared memory.
  const env = { ...options.env, ...(stale?.pid && { PG_GRANDPARENT_PID: String(stale.pid) }) };
  const command = [programs.postgres, '-D', cluster.data, ...args] as const;
  const [file, ...rest] = hasShell ? (['/bin/sh', '-c', tetherScript, 'sh', ...command] as const) : command;
  const stdio: StdioOptions = ['ignore', log, log, hasShell ? 'pipe' : 'ignore'];
  const child = spawn(file, rest, { ...options, env, detached: true, stdio });
  child.unref();
  // Who waits for its exit is told; afterwards a signal that cannot be sent is an error, too.
  child.on('error', () => {});
  const tether = child.stdio[3] as Socket | null;
  tether?.on('error', () => {}); // the server no longer reads it
  tether?.unref();
  const release = () => void tether?.end('\n');
  // Its process id may be reused by another program.
  child.once('exit', release);
  return { child, release };
}

/**
 * Waits until the server is ready (true) or has exited (false). Crash recovery may take a while.
 * @throws the reason of the signal if that aborts first
 */
async function becameReady(
  child: ChildProcess,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(() => false);
  const ready = pollReady(child, cluster, ended.signal);
  return unlessAborted(Promise.race([exit, ready]), signal).finally(() => ended.abort());
}

async function pollReady(child: ChildProcess, cluster: Cluster, ended: AbortSignal): Promise<boolean> {
  while (!ended.aborted) {
    const server = await readPostmaster(cluster);
    if (server && server.pid === child.pid && server.status === 'ready') return true;
    await sleep(POLL);
  }
  return false;
}

async function rotateLog(log: string): Promise<void> {
  const size = await stat(log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LOG_LIMIT) await rename(log, `${log}.1`).catch(() => {}); // another process did
}

/**
 * Stops the server and waits until it is down. Open transactions are rolled back, connections closed.
 * @throws {Error} if it is not down after a minute
 */
export async function stopPostmaster(programs: Programs, cluster: Cluster, user: SystemUser | undefined) {
  // Do not wait with pg_ctl (-W): it checks only ten times a second.
  await runProgram(programs.pgCtl, ['stop', '-D', cluster.data, '-m', 'fast', '-W', '-s'], user, {
    timeout: 10_000,
  });
  const deadline = Date.now() + 60_000;
  while (await readPostmaster(cluster)) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within a minute');
    await sleep(POLL);
  }
}
