import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '../embedded/cluster.js';
import {
  checkStore,
  damagedFile,
  type FileStore,
  missingObject,
  StoreProblem,
  storeUnavailable,
} from './store.js';

/** Codes for something else in the place of a file, such as a folder. */
const wrongKinds: readonly unknown[] = ['EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/** Reads a range of a file, which may be shorter. */
async function readRange(path: string, first: number, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(length);
    let size = 0;
    while (size < length) {
      const { bytesRead } = await file.read(bytes, size, length - size, first + size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return bytes.subarray(0, size);
  } finally {
    await file.close();
  }
}

/** Writes a temporary file, and renames it once it is complete and on disk. */
async function writeAtomically(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made) await sync(dirname(made));
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    await sync(folder);
  } finally {
    await rm(part, { force: true });
  }
}

/** Creates the store that keeps files in a folder, which all processes share. */
export function createFolderStore(root: string): FileStore {
  const pathOf = (key: string) => join(root, key);
  const store: FileStore = {
    kind: 'FOLDER',
    address: root,
    write: (key, bytes) =>
      writeAtomically(pathOf(key), bytes).catch((error) => {
        throw storeUnavailable(error);
      }),
    read: (key, first, length) =>
      readRange(pathOf(key), first, length).catch((error) => {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') throw missingObject(store, key);
        throw wrongKinds.includes(code) ? damagedFile(message) : storeUnavailable(error);
      }),
    remove: (key) =>
      rm(pathOf(key), { force: true }).catch((error) => {
        throw storeUnavailable(error);
      }),
    async check() {
      const found = await stat(root).catch((error: NodeJS.ErrnoException) => error);
      if (found instanceof Error) {
        throw new StoreProblem(
          `The folder ${root} of FILES cannot be used (${found.code}): create it, or mount its disk.`,
        );
      }
      if (!found.isDirectory()) throw new StoreProblem(`${root} of FILES is not a folder: name a folder.`);
      await checkStore(store, (cause) => {
        const { code } = cause as NodeJS.ErrnoException;
        return `The folder ${root} of FILES cannot be written and read (${code}): give the gateway's user rights to it.`;
      });
    },
  };
  return store;
}
