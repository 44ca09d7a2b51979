import { execFile } from 'node:child_process';
import { mkdir, open, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);

/** Mounts a small file system of its own; undefined where that is not allowed. */
export async function mountSmall(
  folder: string,
  megabytes: number,
): Promise<(() => Promise<unknown>) | undefined> {
  await mkdir(folder);
  const options = `size=${megabytes}m,mode=755`;
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).catch(() => undefined);
  return mounted && (() => run('umount', [folder]));
}

/** Fills a file system until so many bytes are free, by default none. */
export async function fill(file: string, free = 0): Promise<void> {
  const handle = await open(file, 'w');
  const piece = Buffer.alloc(65_536);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(file);
      if (free > 0 && bavail * bsize <= free) return;
      await handle.appendFile(piece);
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    await handle.close();
  }
}
