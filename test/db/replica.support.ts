import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { migrate } from '../../src/db/migrations/migrate.js';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the statement fails as well
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** A migrated PostgreSQL with a streaming replica that can be made unreachable for a while. */
export interface Replicated {
  readonly url: string;
  /** Always the same, because it is that of a forwarder. */
  readonly replicaUrl: string;
  /** Stops the replica. */
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** Stops the primary, and makes the replica the new one. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the data folder of a replica with the low-level backup functions, because the npm package has no
 * pg_basebackup.
 */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER SYSTEM SET wal_keep_size = '1GB'");
  await client.query('SELECT pg_reload_conf()');
  await client.query("SELECT pg_backup_start('replica', true)");
  await mkdir(to, { mode: 0o711 });
  // Keep the owner, who runs the server if this is root.
  await promisify(execFile)('cp', ['-a', join(from, 'postgres'), join(to, 'postgres')]);
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  const data = join(to, 'postgres', 'data');
  await rm(join(data, 'postmaster.pid'));
  for (const name of await readdir(join(data, 'pg_wal'))) {
    if (/^[\dA-F]{24}/.test(name)) await rm(join(data, 'pg_wal', name));
  }
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ['backup_label', rows[0].labelfile],
    ['standby.signal', ''],
  ]) {
    await writeFile(join(data, name), text);
    await chown(join(data, name), uid, gid);
  }
  const { port, username, password } = new URL(url);
  const primary = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
}

/** Forwards connections to a port that may change, or to none. */
async function startForwarder(target: () => number | undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const port = target();
    socket.on('error', () => {});
    if (port === undefined) return socket.destroy();
    const other = connect(port, '127.0.0.1');
    other.on('error', () => socket.destroy());
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(two);
      one.once('close', () => {
        sockets.delete(one);
        two.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts both servers. */
export async function startReplicated(): Promise<Replicated> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-replica-'));
  // If this is root, PostgreSQL runs as another user, who must be able to reach the folder.
  await chmod(root, 0o711);
  const [mine, copy] = [join(root, 'primary'), join(root, 'replica')];
  const primary = await openEmbedded({ dataDir: mine, log: silent });
  await migrate(primary.url, { log: silent });
  await copyCluster(primary.url, mine, copy);
  let replica = await openEmbedded({ dataDir: copy, log: silent });
  let port: number | undefined = Number(new URL(replica.url).port);
  const forwarder = await startForwarder(() => port);
  const replicaUrl = new URL(replica.url);
  replicaUrl.port = String(forwarder.port);
  const stopReplica = async () => {
    port = undefined;
    await replica.close();
  };
  return {
    url: primary.url,
    replicaUrl: replicaUrl.href,
    stopReplica,
    startReplica: async () => {
      replica = await openEmbedded({ dataDir: copy, log: silent });
      port = Number(new URL(replica.url).port);
    },
    failOver: async () => {
      await primary.close();
      await query(replica.url, 'SELECT pg_promote()');
    },
    close: async () => {
      await forwarder.close();
      await stopReplica();
      await primary.close().catch(() => {});
      await rm(root, { recursive: true, force: true });
    },
  };
}
