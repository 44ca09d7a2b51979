import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** The models' folder, found from src/database and from dist/database alike. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../../prisma', import.meta.url));
/** The migrations that belong to this build. */
export const MIGRATIONS_FOLDER = join(MODELS_FOLDER, 'migrations');
/** File in a migrations folder that names the database provider, for Prisma's own tools. */
export const LOCK_FILE = 'migration_lock.toml';
/** The file in each migration's folder. */
export const SCRIPT = 'migration.sql';

/** Lists the migrations in a folder, oldest first. @throws {Error} `ENOENT` when there is no such folder. */
export async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads the migrations in a folder with their scripts, as the schema engine takes them.
 * @throws {Error} `ENOENT` when a migration has no script.
 */
export async function readMigrations(folder: string): Promise<MigrationList> {
  const names = await listMigrations(folder);
  const read = async (name: string) => {
    const value = await readFile(join(folder, name, SCRIPT), 'utf8');
    return { path: name, migrationFile: { path: SCRIPT, content: { tag: 'ok' as const, value } } };
  };
  return {
    baseDir: folder,
    lockfile: { path: LOCK_FILE, content: await readFile(join(folder, LOCK_FILE), 'utf8').catch(() => null) },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.map(read)),
  };
}
