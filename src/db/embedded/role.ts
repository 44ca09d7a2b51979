import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { type Cluster, DataFolderError } from './data-folder.js';
import { type Programs, runProgram } from './programs.js';
import type { SystemUser } from './system-user.js';

/** The only role of the private server, and the name of its database. */
export const ROLE = 'gateway';

/** Milliseconds after which an unfinished change of the password is killed. A crash is recovered from first. */
const TIMEOUT = 5 * 60_000;

/** Writes a file with a new random password, which only its owner can read. */
export async function writePassword(path: string, user: SystemUser | undefined): Promise<void> {
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
