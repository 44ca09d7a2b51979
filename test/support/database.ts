import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { migrate } from '../../src/db/migrations/migrate.js';

/** The migrated database that every test's own is a copy of. */
export const templateDatabase = 'template_gateway';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The connection string for another database of the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement at a server. */
export async function execute(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Has a server wait for no disk. Only a machine that loses its power tells the difference, and no test takes that
 * away: what a killed process has committed is with the operating system.
 */
async function forgetAtPowerLoss(server: string): Promise<void> {
  await execute(server, 'ALTER SYSTEM SET fsync = off');
  await execute(server, 'SELECT pg_reload_conf()');
}

/** Bytes of memory that must be free for the databases of a run to be in it. */
const enoughMemory = 8 * 1024 ** 3;

/**
 * Returns the folder for the databases of a run: in memory if there is enough of it (Linux). A copy of the template is a
 * thousand files, which take a disk's file system 0.5 s and memory 0.1 s.
 */
async function parentFolder(): Promise<string> {
  const inMemory = '/dev/shm';
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) >= enoughMemory ? inMemory : tmpdir();
}

/** Starts a PostgreSQL for a run of tests, with a migrated template in it. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(await parentFolder(), 'gateway-test-'));
  // As root, PostgreSQL runs as another user, who must reach the folder.
  await chmod(dataDir, 0o755);
  const postgres = await openEmbedded({ dataDir, log: silent });
  await forgetAtPowerLoss(postgres.url);
  await execute(postgres.url, `CREATE DATABASE ${templateDatabase}`);
  await migrate(urlOf(postgres.url, templateDatabase), { log: silent });
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
