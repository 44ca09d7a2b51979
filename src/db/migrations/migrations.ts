import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The migrations of this build, found from src and from dist alike. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
/** The file in each migration's folder. */
export const SCRIPT = 'migration.sql';

/** A migration with its SQL script. */
export interface Migration {
  readonly name: string;
  readonly script: string;
}

/** Lists the migrations in a folder, oldest first. @throws {Error} `ENOENT` if there is no such folder */
export async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads migrations of a folder with their scripts.
 * @throws {Error} `ENOENT` if a migration has no script
 */
export function readMigrations(folder: string, names: readonly string[]): Promise<Migration[]> {
  const read = async (name: string) => ({ name, script: await readFile(join(folder, name, SCRIPT), 'utf8') });
  return Promise.all(names.map(read));
}
