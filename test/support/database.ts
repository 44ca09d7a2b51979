import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Pooling } from '../../src/db/connection/pool.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { migrate } from '../../src/db/migrations/migrate.js';
import { findPooling } from '../../src/db/server/addresses.js';
import { startPgBouncer } from './pgbouncer.js';

/** The migrated database that every test's own is copied from. */
export const templateDatabase = 'template_gateway';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** All that a schema is made of, and which migrations made it. */
export const schemaSql = `
  SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT format('%s %s', enumtypid::regtype, enumlabel) FROM pg_enum
  UNION ALL SELECT format('%s %s', oid::regprocedure, prosrc) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT format('%s %s %s', migration_name, checksum, count(*)) FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL GROUP BY migration_name, checksum
  ORDER BY 1`;

/** Returns the connection string of another database on the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on a server. */
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
 * Turns off waiting for the disk. This only matters if the machine loses power, which no test simulates: what
 * a killed process has committed is already with the operating system.
 */
async function forgetAtPowerLoss(server: string): Promise<void> {
  await execute(server, 'ALTER SYSTEM SET fsync = off');
  await execute(server, 'ALTER SYSTEM SET full_page_writes = off');
  await execute(server, 'SELECT pg_reload_conf()');
}

/** Free bytes of memory required to keep the databases of a run in memory. */
const enoughMemory = 8 * 1024 ** 3;

/**
 * Returns the folder for the databases of a run, in memory if there is enough (Linux). A copy of the template
 * has a thousand files, which take 0.5 s on disk and 0.1 s in memory.
 */
async function parentFolder(): Promise<string> {
  const inMemory = '/dev/shm';
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) >= enoughMemory ? inMemory : tmpdir();
}

/** The PostgreSQL of a run of tests, as test files get it. */
export interface RunsPostgres {
  readonly url: string;
  /** A connection pooler in front of it, which `TEST_POOLING` asks for. */
  readonly pooler: { readonly url: string; readonly pooling: Pooling } | undefined;
}

/** Puts PgBouncer in front of a server, if the tests are to go through it: `TEST_POOLING=transaction`. */
async function startPooler(server: string) {
  const mode = process.env.TEST_POOLING;
  if (mode === undefined) return undefined;
  if (mode !== 'session' && mode !== 'transaction') throw new Error('TEST_POOLING: session or transaction');
  const { url, close } = await startPgBouncer(server, mode);
  return { url, close, pooling: await findPooling(url, mode) };
}

/** Starts a PostgreSQL for a run of tests, with a migrated template database. */
export async function startPostgres(): Promise<RunsPostgres & { stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(await parentFolder(), 'gateway-test-'));
  // If this is root, PostgreSQL runs as another user, who must be able to reach the folder.
  await chmod(dataDir, 0o755);
  const postgres = await openEmbedded({ dataDir, log: silent });
  await forgetAtPowerLoss(postgres.url);
  await execute(postgres.url, `CREATE DATABASE ${templateDatabase}`);
  await migrate(urlOf(postgres.url, templateDatabase), { log: silent });
  const pooler = await startPooler(postgres.url);
  return {
    url: postgres.url,
    pooler: pooler && { url: pooler.url, pooling: pooler.pooling },
    stop: async () => {
      await pooler?.close();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
