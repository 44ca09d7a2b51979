import { access, constants, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';

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
