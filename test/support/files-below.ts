import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Lists the files below a folder, by their paths. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
