import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  type BackupHead,
  compareCounts,
  type ExportedOrganization,
  type RowCounts,
} from '../backup/backup-file.js';
import { type BackupVisitor, readBackup } from '../backup/read-backup.js';
import { DatabaseClient } from '../hosts/client.js';
import { appliedMigrations } from '../migrations/history.js';
import { PRISMA_LOCK } from '../migrations/lock.js';
import { SecretKeyError } from '../secrets/secret-key.js';
import type { Secrets } from '../secrets/secrets.js';
import { listOwnedTables, type OwnedTable } from './owned-tables.js';
import { keyIdOf, type SealedValues, sealAgain } from './sealed-values.js';

/** The keys for an organization's encrypted values. */
export interface ImportKeys {
  /** Encryption with the key of this database. */
  readonly secrets: Secrets;
  /** Encryption with the key of the database that the file is from, if another. */
  readonly former?: Secrets | undefined;
  readonly sealed: readonly SealedValues[];
}

export interface OrganizationImportOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly bytes: number;
  /** Size of the file in bytes; undefined for a stream. */
  readonly size: number | undefined;
}

/** An organization that was imported. */
export interface Imported extends Pick<ExportedOrganization, 'id' | 'name'> {
  readonly counts: RowCounts;
  /** Number of values that were encrypted again with the key of this database. */
  readonly sealedAgain: number;
}

/**
 * Imports an organization in one transaction: either completely, or nothing is changed. Gateways may keep
 * running.
 * @param url connection string of a migrated database
 * @param source the name of a file, or a stream, which is read once
 * @throws {BackupError} if it is no complete file of an organization; {SecretKeyError} if its values were
 *   encrypted with a key that is not known here; {Error} if it is of another version, or something in it exists
 *   already; the reason of `signal` if it is aborted
 */
export async function importOrganization(
  url: string,
  source: string | Readable,
  keys: ImportKeys,
  { signal, onProgress }: OrganizationImportOptions = {},
): Promise<Imported> {
  const size = typeof source === 'string' ? (await stat(source)).size : undefined;
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    // The lock keeps migrations from changing the tables meanwhile.
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_LOCK]);
    await client.query(
      "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'; SET LOCAL gateway.copying = 'on'",
    );
    const reading = {
      kind: 'organization',
      signal,
      onBytes: (bytes: number) => onProgress?.({ bytes, size }),
    } as const;
    const visitor = new Importer(client, keys);
    compareCounts(await readBackup(source, visitor, reading), visitor.found, 'organization');
    const imported = await visitor.finish();
    signal?.throwIfAborted();
    await client.query('COMMIT');
    await client.query(`ANALYZE ${visitor.tables.map(({ name }) => name).join(', ')}`);
    return imported;
  } finally {
    await client.end();
  }
}

/** Copies the parts of a file into the database, in the transaction of its client. */
class Importer implements BackupVisitor {
  readonly found: Record<string, number> = {};
  tables: readonly OwnedTable[] = [];
  #organization: ExportedOrganization | undefined;
  #isForeignKey = false;
  readonly #client: pg.Client;
  readonly #keys: ImportKeys;

  constructor(client: pg.Client, keys: ImportKeys) {
    this.#client = client;
    this.#keys = keys;
  }

  async head({ migrations, organization }: BackupHead): Promise<void> {
    if (!organization) throw new Error('The file does not name its organization.');
    checkVersion(migrations, await appliedMigrations(this.#client));
    const { rowCount } = await this.#client.query('SELECT FROM organizations WHERE id = $1', [
      organization.id,
    ]);
    if (rowCount)
      throw new Error(
        `The organization ${JSON.stringify(organization.name)} (${organization.id}) is already in this database.`,
      );
    this.#isForeignKey = await needsOtherKey(organization, this.#keys);
    this.tables = await listOwnedTables(this.#client, pg.escapeLiteral(organization.id));
    this.#organization = organization;
  }

  async table({ name, columns }: { name: string; columns: readonly string[] }, rows: AsyncIterable<Buffer>) {
    const known = this.tables.find((table) => table.name === name);
    if (!known || columns.some((column) => !known.columns.includes(column)))
      throw new Error(`The file has rows of ${name} that do not fit into this database.`);
    try {
      const copy = this.#client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN`));
      await pipeline(rows, copy);
      this.found[name] = copy.rowCount;
    } catch (error) {
      throw explained(error);
    }
  }

  /** Checks that all copied rows belong to the organization, and makes its values readable here. */
  async finish(): Promise<Imported> {
    if (!this.#organization) throw new Error('The file has no organization.');
    const { id, name } = this.#organization;
    for (const { name: table, where } of this.tables) {
      const { rows } = await this.#client.query(`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`);
      if (rows[0].count !== this.found[table])
        throw new Error(`The file has rows of ${table} that do not belong to its organization.`);
    }
    await this.#client.query('UPDATE organizations SET frozen_at = NULL WHERE id = $1', [id]);
    const { former, secrets, sealed } = this.#keys;
    const change = this.#isForeignKey && former ? { from: former, to: secrets } : undefined;
    const sealedAgain = change ? await sealAgain(this.#client, sealed, this.tables, change) : 0;
    return { id, name, counts: this.found, sealedAgain };
  }
}

/** Rejects rows of another version, which may have other columns or other meanings. */
function checkVersion(migrations: readonly string[], applied: readonly string[]): void {
  const newer = migrations.filter((name) => !applied.includes(name));
  if (newer.length > 0)
    throw new Error(
      `The file was made by a version of the gateway with the migration ${newer.join(', ')}: ` +
        'upgrade this gateway to that version first.',
    );
  const missing = applied.filter((name) => !migrations.includes(name));
  if (missing.length > 0)
    throw new Error(
      `The file was made by an older version of the gateway, without the migration ${missing.join(', ')}: ` +
        'upgrade the gateway that the organization comes from, and export it again.',
    );
}

/** Returns whether an organization's encrypted values need to be encrypted again. */
async function needsOtherKey(
  { key }: ExportedOrganization,
  { secrets, former }: ImportKeys,
): Promise<boolean> {
  if (key === undefined || ((await secrets.hasKey()) && (await keyIdOf(secrets)) === key)) return false;
  if (!former)
    throw new SecretKeyError(
      'The organization has values that were encrypted with another SECRET_KEY. Use the same SECRET_KEY here, or ' +
        'name a file with the other key: --key FILE. They are then encrypted again with the key used here.',
    );
  if ((await keyIdOf(former)) === key) return true;
  throw new SecretKeyError(
    'The key of --key is not the one that the values of the organization were encrypted with.',
  );
}

/** Explains that a value exists already. Its details may be secret, so only an id is repeated. */
function explained(cause: unknown): unknown {
  const { code, table, constraint, detail } = cause as pg.DatabaseError;
  if (code !== '23505') return cause;
  const [, id] = /^Key \(id\)=\(([-0-9a-f]{36})\)/.exec(detail ?? '') ?? [];
  const what = id === undefined ? `a value of ${constraint}` : `the id ${id}`;
  return new Error(
    `The file has ${what} in ${table}, which exists already in this database. Nothing was imported.`,
    {
      cause,
    },
  );
}
