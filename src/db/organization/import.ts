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
import type { Table } from '../backup/tables.js';
import { DatabaseClient } from '../hosts/client.js';
import { appliedMigrations } from '../migrations/history.js';
import { PRISMA_LOCK } from '../migrations/lock.js';
import { type SealedValues, sealRowsAgain } from '../secrets/sealed-values.js';
import { SecretKeyError } from '../secrets/secret-key.js';
import type { Secrets } from '../secrets/secrets.js';
import { type Applied, ChangedTables } from './apply-changes.js';
import { primaryKeys } from './changes.js';
import { freezeOrganization, removeGuards } from './freeze.js';
import { listOwnedTables, type OwnedTable } from './owned-tables.js';
import { keyIdOf } from './sealed-values.js';

/** The keys for an organization's encrypted values. */
export interface ImportKeys {
  /** Encryption with the key of this database. */
  readonly secrets: Secrets;
  /** Encryption with the key of the database that the file is from, if another. */
  readonly former?: Secrets | undefined;
  readonly sealed: readonly SealedValues[];
}

export interface OrganizationImportOptions {
  /** True to keep it frozen, so that later changes can be imported. */
  readonly frozen?: boolean;
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
  /** Numbers of rows that a file of changes changed; undefined for another file. */
  readonly applied: Applied | undefined;
}

/**
 * Imports an organization, or the changes of one that was imported frozen. It is one transaction: either
 * everything is imported, or nothing is changed. Gateways may keep running.
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
  { frozen = false, signal, onProgress }: OrganizationImportOptions = {},
): Promise<Imported> {
  const size = typeof source === 'string' ? (await stat(source)).size : undefined;
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  const visitor = new Importer(
    client,
    keys,
    frozen ? (id) => freezeOrganization(url, id, { signal }) : undefined,
  );
  let isDone = false;
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
    compareCounts(await readBackup(source, visitor, reading), visitor.found, 'organization');
    const imported = await visitor.finish();
    signal?.throwIfAborted();
    await client.query('COMMIT');
    isDone = true;
    if (!imported.applied) await client.query(`ANALYZE ${visitor.tables.map(({ name }) => name).join(', ')}`);
    return imported;
  } finally {
    await client.end();
    // The tables refuse writes until its changes are there, or if there is nothing of it.
    if (visitor.isGuarded && isDone !== frozen) await removeGuards(url, visitor.id);
  }
}

/** Copies the parts of a file into the database, in the transaction of its client. */
class Importer implements BackupVisitor {
  readonly found: Record<string, number> = {};
  tables: readonly OwnedTable[] = [];
  /** True if the tables refuse to write rows of the organization. */
  isGuarded = false;
  #organization: ExportedOrganization | undefined;
  #changes: ChangedTables | undefined;
  #isForeignKey = false;
  readonly #client: pg.Client;
  readonly #keys: ImportKeys;
  readonly #freeze: ((id: string) => Promise<void>) | undefined;

  /** @param freeze freezes the organization of an id; undefined if it may be changed after the import */
  constructor(client: pg.Client, keys: ImportKeys, freeze?: (id: string) => Promise<void>) {
    this.#client = client;
    this.#keys = keys;
    this.#freeze = freeze;
  }

  async head({ migrations, organization }: BackupHead): Promise<void> {
    if (!organization) throw new Error('The file does not name its organization.');
    checkVersion(migrations, await appliedMigrations(this.#client));
    await this.#checkPresence(organization);
    this.#isForeignKey = await needsOtherKey(organization, this.#keys);
    this.tables = await listOwnedTables(this.#client, pg.escapeLiteral(organization.id));
    this.#organization = organization;
    if (organization.since !== undefined) {
      this.#changes = new ChangedTables(this.#client, await primaryKeys(this.#client));
      this.isGuarded = true;
    }
    if (!this.#freeze) return;
    if (!organization.base)
      throw new Error('The file was not made to be followed by changes: export the organization again.');
    await this.#freeze(organization.id);
    this.isGuarded = true;
  }

  get id(): string {
    if (!this.#organization) throw new Error('The file has no organization.');
    return this.#organization.id;
  }

  /** Checks that an organization is not here yet, or that it waits for these changes. */
  async #checkPresence({ id, name, since }: ExportedOrganization): Promise<void> {
    const found = await this.#client.query<{ copiedFrom: string | null }>(
      'SELECT copied_from AS "copiedFrom" FROM organizations WHERE id = $1',
      [id],
    );
    const called = `${JSON.stringify(name)} (${id})`;
    const [here] = found.rows;
    if (since === undefined) {
      if (here) throw new Error(`The organization ${called} is already in this database.`);
    } else if (this.#freeze) {
      throw new Error('The file has only changes. After them, the organization is not frozen any more.');
    } else if (here?.copiedFrom !== since) {
      throw new Error(
        `The file has changes of the organization ${called} since another file was written. Import that one first, with ` +
          '--frozen.',
      );
    }
  }

  async table(part: Table, rows: AsyncIterable<Buffer>) {
    const { name, columns } = part;
    const known = this.tables.find((table) => table.name === name);
    if (!known || columns.some((column) => !known.columns.includes(column)))
      throw new Error(`The file has rows of ${name} that do not fit into this database.`);
    try {
      const count = await (this.#changes?.stage(known, part, rows) ?? this.#copy(part, rows));
      this.found[name] = (this.found[name] ?? 0) + count;
    } catch (error) {
      throw explained(error);
    }
  }

  async #copy({ name, columns }: Table, rows: AsyncIterable<Buffer>): Promise<number> {
    const copy = this.#client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN`));
    await pipeline(rows, copy);
    return copy.rowCount;
  }

  /** Checks that all copied rows belong to the organization, and makes its values readable here. */
  async finish(): Promise<Imported> {
    if (!this.#organization) throw new Error('The file has no organization.');
    const { id, name, base } = this.#organization;
    const applied = await this.#changes?.apply();
    if (!applied) await this.#checkOwner();
    const copiedFrom = this.#freeze && base ? base.id : null;
    await this.#client.query(
      'UPDATE organizations SET frozen_at = CASE WHEN $2::uuid IS NOT NULL THEN now() END, copied_from = $2 WHERE id = $1',
      [id, copiedFrom],
    );
    const { former, secrets, sealed } = this.#keys;
    // Changes may bring values that are encrypted with the other key, so all are as they were until then.
    let sealedAgain = 0;
    if (this.#isForeignKey && former && !this.#freeze) {
      for (const values of sealed) {
        const where = this.tables.find(({ name }) => name === values.table)?.where ?? 'false';
        sealedAgain += await sealRowsAgain(this.#client, values, where, async (bytes, owner) =>
          secrets.seal(await former.open(bytes, owner), owner),
        );
      }
    }
    return { id, name, counts: this.found, sealedAgain, applied };
  }

  async #checkOwner(): Promise<void> {
    // Nothing is known of the new rows yet. Plans for empty tables would read whole tables once for each row.
    await this.#client.query('SET LOCAL enable_seqscan = off');
    for (const { name, where } of this.tables) {
      const { rows } = await this.#client.query(`SELECT count(*)::int AS count FROM ${name} WHERE ${where}`);
      if (rows[0].count !== this.found[name])
        throw new Error(`The file has rows of ${name} that do not belong to its organization.`);
    }
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
