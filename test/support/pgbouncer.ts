import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverUser } from '../../src/db/embedded/programs.js';
import { eventually } from './eventually.js';
import { onlyIf } from './skipping.js';

/** A running PgBouncer in front of a PostgreSQL. */
export interface PgBouncer {
  /** The connection string through it, to the same database. */
  readonly url: string;
  /** Ends it with SIGKILL, and with it all its connections. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** How PgBouncer assigns its connections, as its `pool_mode`. */
export type PoolMode = 'session' | 'transaction' | 'statement';

/** The program; Debian's package installs it there. */
const program = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';

/** Options of tests that need it. */
export const hasPgBouncer = onlyIf(existsSync(program), 'PgBouncer');

/** Lines of the configuration for each mode. Transactions change connections as often as possible. */
const modes: Readonly<Record<PoolMode, readonly string[]>> = {
  session: ['default_pool_size = 40'],
  transaction: ['default_pool_size = 12', 'server_round_robin = 1'],
  statement: ['default_pool_size = 8'],
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/**
 * Puts PgBouncer in front of all databases of a server.
 * @param extra further lines of its configuration
 */
export async function startPgBouncer(
  serverUrl: string,
  mode: PoolMode,
  extra: readonly string[] = [],
): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // Like PostgreSQL, it refuses to run as root.
  const user = await serverUser(join(folder, 'none'));
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'max_client_conn = 1000',
    `pool_mode = ${mode}`,
    'server_idle_timeout = 5',
    // When PostgreSQL is back, it is asked at once.
    'server_login_retry = 0',
    'log_connections = 0',
    'log_disconnections = 0',
    ...modes[mode],
    ...extra,
  ];
  await writeFile(file, settings.join('\n'));
  if (user) await Promise.all([folder, file].map((path) => chown(path, user.uid, user.gid)));
  await chmod(folder, 0o700);
  const through = new URL(serverUrl);
  through.port = String(listenPort);
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(program, ['-q', file], { stdio: 'ignore', ...(user && { uid: user.uid, gid: user.gid }) });
    const failed = once(child, 'error').then(([error]) => Promise.reject(error));
    await Promise.race([failed, eventually(() => connects(through.href))]);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: through.href,
    kill,
    start,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function connects(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.end();
}
