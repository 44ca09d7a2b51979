import { access, constants, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { openEmbedded } from '../../db/embedded/embedded.js';
import { readHostList } from '../../db/hosts/host-list.js';
import { checkServers } from '../../db/hosts/hosts.js';
import {
  checkAddresses,
  connectionFailure,
  isPassing,
  type ServerAddresses,
  untilReachable,
} from '../../db/server/addresses.js';
import { remedyOfState } from '../../db/server/remedies.js';
import type { Log } from '../../domain/log.js';
import { abortedBy } from './signals.js';

const ways = 'Set DATA_DIR to a folder of its own, or DATABASE_URL to your own PostgreSQL.';

/**
 * Checks that DATA_DIR is a writable folder, or can be created.
 * @throws {Error} naming the setting, with instructions
 */
export async function checkDataDir(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  const place = await nearestExisting(folder);
  if (!(await stat(place)).isDirectory()) {
    const what = place === folder ? 'is a file' : `cannot be created: ${place} is a file`;
    throw new Error(`DATA_DIR ${folder} ${what}. ${ways}`);
  }
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const what = place === folder ? 'cannot be written to' : `cannot be created in ${place}`;
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR ${folder} ${what} by ${userName()} (${code}). ${ways}`, { cause });
  }
}

/** Returns a path, or else its nearest existing ancestor. */
export async function nearestExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    ({ code }) => code !== 'ENOENT' && code !== 'ENOTDIR' && path === dirname(path),
  );
  return isThere || path === dirname(path) ? path : nearestExisting(dirname(path));
}

/** Returns the name of the process's user. A user without an entry in the system's list has only a number. */
function userName(): string {
  try {
    return `the user "${userInfo().username}"`;
  } catch {
    return `the user ${process.geteuid?.()}`;
  }
}

/** Settings that locate a database server, and the timeout for it. */
export type ServerConfig = Pick<
  Config,
  'databaseUrl' | 'databaseDirectUrl' | 'databasePooling' | 'dataDir' | 'postgresPrograms'
> &
  Partial<Pick<Config, 'startupTimeout' | 'databaseReplicaUrl'>>;

/**
 * Runs `work` with the addresses of the configured database. The database is not migrated. The embedded
 * server is started if needed.
 * @param stop ends the waiting for a server that is not up yet; without it, there is no waiting for an external
 *   one
 * @param meanwhile called while waiting for a server: a good time for work that keeps this process busy
 * @throws {Error} if the embedded server cannot be started, or the external one cannot be used; and what
 *   `work` throws
 */
export async function withServer<T>(
  config: ServerConfig,
  log: Log,
  work: (addresses: ServerAddresses) => Promise<T>,
  stop?: Promise<string>,
  meanwhile?: () => void,
): Promise<T> {
  logDatabase(config, log);
  if (config.databaseUrl !== undefined) {
    meanwhile?.();
    const { databaseUrl: url, databaseDirectUrl: directUrl = url } = config;
    await waitForServer({ name: 'DATABASE_URL', url }, config, log, stop);
    if (directUrl !== url) {
      await waitForServer({ name: 'DATABASE_DIRECT_URL', url: directUrl }, config, log, stop);
    }
    await checkServers(url, config.databaseReplicaUrl);
    return work(await checkAddresses({ url, directUrl, pooling: config.databasePooling }));
  }
  await checkDataDir(config.dataDir);
  // Ctrl-C reaches all processes of a terminal, so it ends PostgreSQL's programs, too.
  const signal = abortedBy(stop, 'before PostgreSQL had started');
  const { dataDir, postgresPrograms: programs } = config;
  const embedded = await openEmbedded({ dataDir, programs, log, onLaunched: meanwhile, signal });
  try {
    return await work({ url: embedded.url, directUrl: embedded.url, pooling: { mode: 'session' } });
  } finally {
    await embedded.close();
  }
}

/** A setting with the address of a server. */
interface AddressSetting {
  readonly name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL';
  readonly url: string;
}

/** @throws {Error} naming the setting, with instructions */
async function waitForServer(
  setting: AddressSetting,
  { startupTimeout = 0 }: ServerConfig,
  log: Log,
  stop?: Promise<string>,
): Promise<void> {
  const signal = abortedBy(stop, 'before there was a connection');
  const seconds = stop ? startupTimeout : 0;
  const onWait = (reason: string) =>
    log.warn({ reason, seconds }, `Cannot connect to ${setting.name} yet; trying again`);
  try {
    await untilReachable(setting.url, { timeout: seconds * 1_000, signal, onWait });
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(refusal(setting, cause, seconds), { cause });
  }
}

/** Formats the error of an unusable address, with instructions. */
function refusal({ name, url }: AddressSetting, cause: unknown, seconds: number): string {
  const place = databaseLocation(url);
  const reason = connectionFailure(cause);
  if (!isPassing(cause)) return `${name}: PostgreSQL at ${place} refuses the connection: ${reason}`;
  const time = seconds > 0 ? ` within the ${seconds} seconds of STARTUP_TIMEOUT` : '';
  const todo = remedyOfState((cause as { code?: string }).code) ?? `Start it, or correct ${name}.`;
  return `${name}: no connection to PostgreSQL at ${place}${time} (${reason}). ${todo}`;
}

function logDatabase({ databaseUrl, dataDir }: ServerConfig, log: Log): void {
  if (databaseUrl === undefined) {
    const folder = resolve(dataDir);
    log.info({ database: 'embedded', folder }, `Using the embedded PostgreSQL in ${folder}`);
  } else {
    const place = databaseLocation(databaseUrl);
    log.info({ database: 'external', place }, `Using PostgreSQL at ${place}`);
  }
}

/** Returns hosts and database of a connection URL, without user and password. */
function databaseLocation(databaseUrl: string): string {
  const { servers } = readHostList(databaseUrl);
  const { pathname } = new URL((servers[0]?.url ?? '').replace('@/', '@socket/'));
  return `${servers.map(({ place }) => place).join(',')}${pathname}`;
}
