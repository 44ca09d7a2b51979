import { randomBytes } from 'node:crypto';
import { chown, mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from '../../src/db/embedded/cluster.js';
import { clusterIn } from '../../src/db/embedded/data-folder.js';
import { freePort } from '../../src/db/embedded/embedded.js';
import { readPostmaster, startPostmaster, stopPostmaster } from '../../src/db/embedded/postmaster.js';
import { findPrograms, type SystemUser, serverUser } from '../../src/db/embedded/programs.js';
import { execute, urlOf } from '../support/database.js';
import { databaseIn, kill, serversOf } from './support.js';

/** A PostgreSQL that nobody looks after, as one on another machine would be. */
export interface DatabaseServer {
  /** As whom it runs, when the tests run as root. */
  readonly user: SystemUser | undefined;
  /** Runs a statement in its first database. */
  execute(sql: string): Promise<void>;
  /** Creates a database; a tablespace is where its tables are, the server's log of changes is not. */
  create(tablespace?: string): Promise<string>;
  /** Ends all of its processes at once by a signal that none of them can catch. */
  kill(): Promise<void>;
  /** Starts it, on the port that it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL in a folder, which is made for it. */
export async function startServer(dataDir: string): Promise<DatabaseServer> {
  const programs = await findPrograms();
  const cluster = clusterIn(dataDir);
  const user = await serverUser(cluster.data);
  await mkdir(dataDir);
  if (user) await chown(dataDir, user.uid, user.gid);
  await ensureCluster(dataDir, programs, user);
  const port = await freePort();

  async function start(): Promise<void> {
    const dead = await readPostmaster(cluster);
    const deadline = Date.now() + 30_000;
    // The last processes of a killed server may still be on their way out.
    while ('heldBy' in (await startPostmaster({ programs, cluster, user, port, stale: dead }))) {
      if (Date.now() > deadline) throw new Error('PostgreSQL does not start.');
      await sleep(20);
    }
  }

  await start();
  const serverUrl = urlOf(databaseIn(dataDir), 'postgres');
  return {
    user,
    execute: (sql) => execute(serverUrl, sql),
    create: async (tablespace) => {
      const name = `faults_${randomBytes(4).toString('hex')}`;
      await execute(serverUrl, `CREATE DATABASE ${name}${tablespace ? ` TABLESPACE ${tablespace}` : ''}`);
      return urlOf(serverUrl, name);
    },
    kill: async () => {
      for (const pid of await serversOf(dataDir, serverUrl)) kill(pid);
    },
    start,
    stop: () => stopPostmaster(programs, cluster, user),
  };
}
