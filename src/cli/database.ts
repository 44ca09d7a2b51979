import { resolve } from 'node:path';
import type { Config } from '../config.js';
import { type Database, openDatabase } from '../data/client.js';
import { openEmbedded } from '../database/embedded.js';
import type { Log } from '../database/log.js';
import { migrate } from '../database/migrate.js';

/** A database that is open and up to date. */
export interface OpenDatabase {
  readonly database: Database;
  /** Names of the migrations that were applied just now. */
  readonly applied: readonly string[];
}

/**
 * Opens the database that the settings name, applies its migrations, and lets `work` use it. Closes everything
 * afterwards, whatever happened.
 * @throws {Error} when it cannot be opened or migrated; and what `work` throws
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> {
  return withServer(config, log, (url) => withUrl(url, config, log, work));
}

/**
 * Lets `work` use the database that the settings name by its connection string, as it is. The embedded server is
 * started if it must be.
 * @throws {Error} when the embedded server cannot be started; and what `work` throws
 */
export async function withServer<T>(config: Config, log: Log, work: (url: string) => Promise<T>): Promise<T> {
  announce(config, log);
  if (config.databaseUrl !== undefined) return work(config.databaseUrl);
  const embedded = await openEmbedded({ dataDir: config.dataDir, log });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.close();
  }
}

async function withUrl<T>(
  url: string,
  config: Config,
  log: Log,
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> {
  const applied = await migrate(url, { log });
  // The error itself carries the whole client, secrets of the connection included.
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'A database connection was lost');
  const database = openDatabase({ url, poolSize: config.databasePool, onError });
  try {
    return await work({ database, applied });
  } finally {
    await database.close();
  }
}

function announce({ databaseUrl, dataDir }: Config, log: Log): void {
  if (databaseUrl === undefined) {
    const folder = resolve(dataDir);
    log.info({ database: 'embedded', folder }, `Using the embedded PostgreSQL in ${folder}`);
  } else {
    const place = placeOf(databaseUrl);
    log.info({ database: 'external', place }, `Using PostgreSQL at ${place}`);
  }
}

/** Host and database of a connection URL; never its user or password, wherever they stand. */
function placeOf(databaseUrl: string): string {
  const url = new URL(databaseUrl.replace('@/', '@socket/'));
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.host);
  return `${host || 'localhost'}${url.pathname}`;
}
