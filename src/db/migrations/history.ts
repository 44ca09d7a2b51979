import type pg from 'pg';
import { version as ownVersion } from '../../version.js';

async function hasMigrations(db: pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  return rows[0].present;
}

/** Lists the applied migrations of a database, oldest first. */
export async function appliedMigrations(db: pg.ClientBase): Promise<string[]> {
  if (!(await hasMigrations(db))) return [];
  const { rows } = await db.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map((row) => row.migration_name);
}

/** A database's migrations, compared with those of a build. */
export interface History {
  /** Names of the migrations that the database lacks, oldest first. */
  readonly pending: readonly string[];
  /** Names of the applied migrations that the build lacks, because a newer version applied them. */
  readonly newer: readonly string[];
}

/**
 * Compares a database's migrations with those of a build.
 * @param known the names of the build's migrations, oldest first
 */
export async function readHistory(db: pg.ClientBase, known: readonly string[]): Promise<History> {
  const applied = await appliedMigrations(db);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  };
}

/**
 * Rejects a database whose newer migrations took away what this version uses. The schema itself says which
 * version is the oldest that can use it (`oldest_version`).
 * @throws {Error} with instructions
 */
export async function refuseTooNew(
  db: pg.ClientBase,
  { newer }: History,
  version: string = ownVersion,
): Promise<void> {
  if (newer.length === 0) return;
  const oldest = await readOldestVersion(db);
  if (oldest !== undefined && !isBefore(version, oldest)) return;
  const needed = oldest === undefined ? 'a newer version' : `version ${oldest} or a newer one`;
  throw new Error(
    `The database was upgraded by a newer version of the gateway, with the migration ${newer.join(', ')}, and this ` +
      `one (${version}) cannot use it: run ${needed}, or restore a backup from before the upgrade.`,
  );
}

/** Reads the oldest version that can use the schema. It is undefined if the schema does not say. */
async function readOldestVersion(db: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await db.query("SELECT to_regprocedure('oldest_version()') IS NOT NULL AS present");
  if (!rows[0].present) return undefined;
  const { rows: told } = await db.query<{ oldest: string }>('SELECT oldest_version() AS oldest');
  return told[0]?.oldest;
}

/** Returns whether a version came before another. A preview counts as the version that it precedes. */
function isBefore(version: string, other: string): boolean {
  const [own, least] = [version, other].map((text) => text.split('-')[0] ?? '');
  return (own ?? '').localeCompare(least ?? '', 'en', { numeric: true }) < 0;
}
