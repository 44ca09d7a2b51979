import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { type Programs, runProgram, spawnOptions } from './programs.js';
import type { SystemUser } from './system-user.js';

/** Milliseconds between two checks of postmaster.pid. */
const POLL = 5;
/**
 * Size in bytes at which postgres.log is rotated. The next start keeps it as postgres.log.1 and begins a new
 * one.
 */
const LOG_LIMIT = 4 * 1024 * 1024;

export const maxConnections = 200;

/** Contents of postmaster.pid. The file remains if its server is killed. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /**
   * True if the file names the server's shared memory. PostgreSQL can then tell for certain whether the
   * server is gone.
   */
  readonly hasMemory: boolean;
  readonly status: string;
}

/** Reads postmaster.pid; undefined if it is missing or incomplete. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid && port ? { pid, port, hasMemory: Boolean(lines[6]), status: lines[7] ?? '' } : undefined;
}

export interface StartOptions {
  readonly programs: Programs;
  readonly cluster: Cluster;
  readonly user: SystemUser | undefined;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** A process id in postmaster.pid that is known to belong to another program. */
  readonly foreignPid: number | undefined;
  /** Called once the server's process exists. It takes a while until it accepts connections. */
  readonly onLaunched?: (() => void) | undefined;
}

export interface StartedPostmaster {
  /**
   * Lets the server outlive this process. Until then it stops when this process ends, for whatever reason.
   */
  release(): void;
}

/**
 * Starts a server in its own session. Ctrl-C in our terminal does not reach it.
 * @returns undefined if another process was faster or the port was taken; else once it accepts connections
 * @throws {Error} with the server's own message if it cannot start
 */
export async function startPostmaster(options: StartOptions): Promise<StartedPostmaster | undefined> {
  await rotateLog(options.cluster.log);
  const log = await open(options.cluster.log, 'a', 0o600);
  try {
    const { size } = await log.stat();
    const { child, release } = launch(options, log.fd);
    options.onLaunched?.();
    if (await becameReady(child, options.cluster)) return { release };
    const said = (await readFile(options.cluster.log)).subarray(size).toString().trim();
    // These messages appear when servers race, and while the last processes of a killed server are still
    // exiting.
    if (/lock file|shared memory block|could not create any TCP\/IP sockets/.test(said)) return undefined;
    throw new Error(`PostgreSQL did not start:\n${said}`);
  } finally {
    await log.close();
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

function launch({ programs, cluster, user, port, foreignPid }: StartOptions, log: number) {
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
    // A crashed server must end, so that a user restarts it with a new guard.
    restart_after_crash: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const options = spawnOptions(user);
  // PostgreSQL treats this process id as its own ancestor, and so not as a rival server. That is safer than
  // removing postmaster.pid: it still checks that no process uses the old server's shared memory.
  const env = { ...options.env, ...(foreignPid && { PG_GRANDPARENT_PID: String(foreignPid) }) };
  const command = [programs.postgres, '-D', cluster.data, ...args] as const;
  const [file, ...rest] = hasShell ? (['/bin/sh', '-c', tetherScript, 'sh', ...command] as const) : command;
  const stdio: StdioOptions = ['ignore', log, log, hasShell ? 'pipe' : 'ignore'];
  const child = spawn(file, rest, { ...options, env, detached: true, stdio });
  child.unref();
  const tether = child.stdio[3] as Socket | null;
  tether?.on('error', () => {}); // the server no longer reads it
  tether?.unref();
  const release = () => void tether?.end('\n');
  // Its process id may be reused by another program.
  child.once('exit', release);
  return { child, release };
}

/** Waits until the server is ready (true) or has exited (false). Crash recovery may take a while. */
async function becameReady(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(() => false);
  const ready = pollReady(child, cluster, ended.signal);
  return Promise.race([exit, ready]).finally(() => ended.abort());
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
  await runProgram(programs.pgCtl, ['stop', '-D', cluster.data, '-m', 'fast', '-W', '-s'], user, 10_000);
  const deadline = Date.now() + 60_000;
  while (await readPostmaster(cluster)) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within a minute');
    await sleep(POLL);
  }
}
