import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * Creates a folder that every user can enter (unless told otherwise), as PostgreSQL's user must. It is removed after the
 * file's tests.
 */
export async function tempFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-folder-'));
  folders.push(folder);
  await chmod(folder, mode);
  return folder;
}

/** Removes the folders that a file of tests has made. A server that has just ended may still write to one. */
export async function removeFolders(): Promise<void> {
  const gone = folders.splice(0);
  await Promise.all(gone.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
}
