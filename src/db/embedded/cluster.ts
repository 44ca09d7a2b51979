import { randomBytes } from 'node:crypto';
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Programs, runProgram } from './programs.js';
import type { SystemUser } from './system-user.js';

/** The only role of the private server, and the name of its database. */
export const ROLE = 'gateway';

/** Milliseconds after which an unfinished initdb is killed. */
const INIT_TIMEOUT = 5 * 60_000;
const ATTEMPT_PREFIX = 'postgres.new-';

/** Paths of the database cluster. The password is always stored beside the data. */
export interface Cluster {
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

/** Returns the paths of the cluster in a data directory (an absolute path). They need not exist. */
export function clusterIn(dataDir: string): Cluster {
  return {
    data: join(dataDir, 'postgres', 'data'),
    password: join(dataDir, 'postgres', 'password'),
    log: join(dataDir, 'postgres.log'),
  };
}

/**
 * Creates the data directory and the cluster in it, unless they exist. Any number of processes may do so at
 * once, and any of them may be killed: a single rename puts the complete cluster in place.
 * @throws {Error} with the reason if initdb fails
 */
export async function ensureCluster(dataDir: string, programs: Programs, user: SystemUser | undefined) {
  await mkdir(dirname(dataDir), { recursive: true });
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (made && user) await chown(dataDir, user.uid, user.gid);
  await removeDeadAttempts(dataDir);
  if (await exists(join(dataDir, 'postgres'))) return;
  const attempt = await mkdtemp(join(dataDir, ATTEMPT_PREFIX));
  try {
    await initialise(attempt, programs, user);
    await publish(attempt, dataDir);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

async function initialise(attempt: string, programs: Programs, user: SystemUser | undefined) {
  const password = join(attempt, 'password');
  await writeFile(password, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  if (user) {
    await chown(attempt, user.uid, user.gid);
    await chown(password, user.uid, user.gid);
  }
  const args = ['-D', join(attempt, 'data'), '-U', ROLE, '-A', 'scram-sha-256', '--pwfile', password];
  await initdb(programs, [...args, '-E', 'UTF8', '--no-instructions'], user);
}

/**
 * With ICU, text sorts as people expect (a, B, c) on every platform. The C library's locale must be UTF-8 all
 * the same: pg_trgm uses it to recognize letters, and with plain "C" finds only a to z.
 */
const LOCALES = [
  ['--locale-provider=icu', '--icu-locale=und', '--locale=C.UTF-8'],
  ['--locale-provider=icu', '--icu-locale=und', '--locale=en_US.UTF-8'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
];

async function initdb(programs: Programs, args: string[], user: SystemUser | undefined) {
  let failure: unknown;
  for (const locale of LOCALES) {
    try {
      return await runProgram(programs.initdb, [...args, ...locale], user, INIT_TIMEOUT);
    } catch (error) {
      if (!/locale|ICU/.test((error as Error).message)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * Moves a new cluster into place. initdb has synced its contents to disk; the directory entries above it must
 * be synced as well.
 */
async function publish(attempt: string, dataDir: string): Promise<void> {
  await sync(attempt);
  try {
    await rename(attempt, join(dataDir, 'postgres'));
  } catch (error) {
    // Another process was faster, so its cluster is used.
    if (await exists(join(dataDir, 'postgres', 'password'))) return;
    throw error;
  }
  await sync(dataDir);
}

/** Syncs a folder's entries to disk. */
export async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder, and does not need this
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Removes abandoned attempts. Those older than twice initdb's time limit are not in use any more. */
async function removeDeadAttempts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(ATTEMPT_PREFIX)) continue;
    const path = join(dataDir, name);
    const begun = await stat(path).catch(() => undefined);
    if (begun && Date.now() - begun.mtimeMs > 2 * INIT_TIMEOUT)
      await rm(path, { recursive: true, force: true });
  }
}

/**
 * Reads the password of the cluster's role.
 * @throws {Error} if the folder is not a cluster of ours
 */
export async function readPassword(cluster: Cluster): Promise<string> {
  try {
    return (await readFile(cluster.password, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`Cannot read the database's password: ${(cause as Error).message}`, { cause });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
