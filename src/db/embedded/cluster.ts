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
import { type Cluster, DataFolderError } from './data-folder.js';
import { type Programs, runProgram, type SystemUser } from './programs.js';

/** The only role of the private server, and the name of its database. */
export const ROLE = 'gateway';

/** Milliseconds after which an unfinished change of the password is killed. A crash is recovered from first. */
const TIMEOUT = 5 * 60_000;

/** Writes a file with a new random password, which only its owner can read. */
async function writePassword(path: string, user: SystemUser | undefined): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  if (user) await chown(draft, user.uid, user.gid);
  await rename(draft, path);
}

/**
 * Reads the password of the cluster's role. A missing or empty file gets a new one: the file decides what the
 * password is, and `setPassword` makes the server accept it.
 * @throws {DataFolderError} if the file cannot be read or written
 */
export async function ensurePassword({ password }: Cluster, user: SystemUser | undefined): Promise<string> {
  try {
    const known = await readPassword(password);
    if (known !== '') return known;
    await writePassword(password, user);
    return await readPassword(password);
  } catch (cause) {
    const { message } = cause as Error;
    throw new DataFolderError(`The database's password cannot be read: ${message}. Make the file readable.`, {
      cause,
    });
  }
}

/** Returns the password in a file without its line break. It is empty if there is none. */
async function readPassword(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [line = ''] = text.trim().split('\n');
  return /^[\x21-\x7e]+$/.test(line) ? line : '';
}

/**
 * Makes a stopped server accept the password of the file. Whoever may start the server owns its files, and can
 * therefore do so without the former one.
 * @throws {Error} with the server's own message
 */
export async function setPassword(server: {
  readonly programs: Programs;
  readonly cluster: Cluster;
  readonly user: SystemUser | undefined;
  readonly password: string;
}): Promise<void> {
  const { programs, cluster, user, password } = server;
  // Errors must not quote the statement.
  const args = ['--single', '-D', cluster.data, '-c', 'log_min_error_statement=panic', 'postgres'];
  const input = `ALTER ROLE ${ROLE} PASSWORD '${password.replaceAll("'", "''")}'\n`;
  await runProgram(programs.postgres, args, user, { timeout: TIMEOUT, input });
}

/** Milliseconds after which an unfinished initdb is killed. */
const INIT_TIMEOUT = 5 * 60_000;
const ATTEMPT_PREFIX = 'postgres.new-';

/**
 * Creates the data directory and the cluster in it, unless they exist. Any number of processes may do so at
 * once, and any of them may be killed: a single rename puts the complete cluster in place.
 * @throws {Error} with the reason if initdb fails; the reason of the signal if that aborts
 */
export async function ensureCluster(
  dataDir: string,
  programs: Programs,
  user: SystemUser | undefined,
  signal?: AbortSignal,
) {
  await mkdir(dirname(dataDir), { recursive: true });
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (made && user) await chown(dataDir, user.uid, user.gid);
  await removeDeadAttempts(dataDir);
  if (await exists(join(dataDir, 'postgres'))) return;
  const attempt = await mkdtemp(join(dataDir, ATTEMPT_PREFIX));
  try {
    await initialise(attempt, programs, user, signal);
    await publish(attempt, dataDir);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

async function initialise(
  attempt: string,
  programs: Programs,
  user: SystemUser | undefined,
  signal: AbortSignal | undefined,
) {
  const password = join(attempt, 'password');
  if (user) await chown(attempt, user.uid, user.gid);
  await writePassword(password, user);
  const args = ['-D', join(attempt, 'data'), '-U', ROLE, '-A', 'scram-sha-256', '--pwfile', password];
  const options = { timeout: INIT_TIMEOUT, signal };
  await initdb([...args, '-E', 'UTF8', '--no-instructions'], (all) =>
    runProgram(programs.initdb, all, user, options),
  );
}

/**
 * With ICU, text sorts as people expect (a, B, c) on every platform. The C library's locale must be UTF-8 all
 * the same: pg_trgm uses it to recognize letters, and with plain "C" finds only a to z.
 */
const LOCALES = [
  ['--locale-provider=icu', '--icu-locale=und', '--locale=C.UTF-8'],
  ['--locale-provider=icu', '--icu-locale=und', '--locale=en_US.UTF-8'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  // PostgreSQL 14, or one that was built without ICU.
  ['--locale=C.UTF-8'],
  ['--locale=en_US.UTF-8'],
];

async function initdb(args: string[], run: (args: string[]) => Promise<string>): Promise<void> {
  let failure: unknown;
  for (const locale of LOCALES) {
    try {
      await run([...args, ...locale]);
      return;
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

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
