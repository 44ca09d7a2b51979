import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  type BackupHead,
  type BackupVisitor,
  compareCounts,
  type ExportedOrganization,
  type RowCounts,
  readBackup,
} from '../backup/format.js';
import { keyIdOf, listOwnedTables, type OwnedTable, type Table } from '../backup/tables.js';
import { DatabaseClient } from '../hosts/hosts.js';
import { appliedMigrations, PRISMA_LOCK } from '../migrations/migrate.js';
import { type SealedValues, sealRowsAgain } from '../secrets/sealed-values.js';
import { SecretKeyError, type Secrets } from '../secrets/secrets.js';
import { keyOf, primaryKeys } from './export.js';
import { freezeOrganization, removeGuards } from './freeze.js';

/** SQLSTATEs of rows that others refer to, or whose unique values others still have. */
const untilLater = new Set(['23001', '23503', '23505']);

/** Rows of a table in a file of changes, in temporary tables of the client. */
interface Staged {
  readonly table: OwnedTable;
  /** The temporary table with the keys of all rows. */
  readonly keys: string;
  /** The temporary table with the rows that have changed. */
  readonly changed: string;
}

/** Numbers of rows that changes wrote and deleted. */
interface Applied {
  readonly written: number;
  readonly deleted: number;
}

/** Applies a file of changes to a copy, in the transaction of a client. */
class ChangedTables {
  readonly #client: pg.Client;
  readonly #keys: ReadonlyMap<string, readonly string[]>;
  readonly #staged = new Map<string, Staged>();

  /** @param keys columns of the primary keys, by table */
  constructor(client: pg.Client, keys: ReadonlyMap<string, readonly string[]>) {
    this.#client = client;
    this.#keys = keys;
  }

  /**
   * Copies the next part of a table into a temporary table. The first has the keys, the second the rows.
   * @returns the number of its rows
   */
  async stage(table: OwnedTable, { columns }: Table, rows: AsyncIterable<Buffer>): Promise<number> {
    const known = this.#staged.get(table.name);
    const number = this.#staged.size;
    const staged = known ?? { table, keys: `moved_keys_${number}`, changed: `moved_rows_${number}` };
    this.#staged.set(table.name, staged);
    const target = known ? staged.changed : staged.keys;
    if (!known && columns.join() !== keyOf(this.#keys, table).join())
      throw new Error(`The file does not have the keys of ${table.name}.`);
    const list = columns.join(', ');
    await this.#client.query(
      `CREATE TEMPORARY TABLE ${target} ON COMMIT DROP AS SELECT ${list} FROM ${table.name} WITH NO DATA`,
    );
    const copy = this.#client.query(copyFrom(`COPY ${target} (${list}) FROM STDIN`));
    await pipeline(rows, copy);
    await this.#client.query(`ANALYZE ${target}`);
    return copy.rowCount;
  }

  /**
   * Deletes the rows that are gone, and writes those that have changed. A row may have to wait for others: until
   * they no longer refer to it, or have given up a unique value. So what cannot be done yet is tried again.
   * @throws {Error} if a row belongs to another organization, or the changes do not fit
   */
  async apply(): Promise<Applied> {
    const staged = [...this.#staged.values()];
    for (const one of staged) await this.#checkOwner(one);
    await this.#deleteChangedLeaves(staged);
    let [written, deleted] = [0, 0];
    // Tables come after those that their rows refer to.
    const toDelete = new Set(staged.toReversed());
    const toWrite = new Set(staged);
    while (toDelete.size + toWrite.size > 0) {
      let isFurther = false;
      let problem: unknown;
      const attempt = async (sql: string) => {
        const outcome = await this.#attempt(sql);
        if ('problem' in outcome) problem = outcome.problem;
        else if (outcome.count > 0) isFurther = true;
        return 'count' in outcome ? outcome.count : undefined;
      };
      const finish = (tables: Set<Staged>, one: Staged) => {
        isFurther = true;
        return tables.delete(one);
      };
      for (const one of toDelete) {
        const count = await attempt(this.#deleteGoneSql(one));
        if (count !== undefined && finish(toDelete, one)) deleted += count;
      }
      for (const one of toWrite) {
        const count = await attempt(this.#writeSql(one));
        if (count !== undefined && finish(toWrite, one)) written += count;
        // New rows that are in nobody's way: others may wait for them.
        else await attempt(this.#insertSql(one));
      }
      if (!isFurther) throw unfit([...toDelete, ...toWrite][0]?.table.name, problem);
    }
    for (const one of staged) await this.#checkCount(one);
    return { written, deleted };
  }

  #match({ table }: Staged, one: string, other: string): string {
    return keyOf(this.#keys, table)
      .map((column) => `${one}.${column} = ${other}.${column}`)
      .join(' AND ');
  }

  #deleteGoneSql(staged: Staged): string {
    const { table, keys } = staged;
    const { name, where } = table;
    return `DELETE FROM ${name} WHERE (${where})
      AND NOT EXISTS (SELECT FROM ${keys} AS kept WHERE ${this.#match(staged, 'kept', name)})`;
  }

  /** Sends a statement. @returns the number of its rows; or why it can succeed only later */
  async #attempt(sql: string): Promise<{ readonly count: number } | { readonly problem: unknown }> {
    await this.#client.query('SAVEPOINT attempt');
    try {
      return { count: (await this.#client.query(sql)).rowCount ?? 0 };
    } catch (problem) {
      if (!untilLater.has((problem as pg.DatabaseError).code ?? '')) throw problem;
      await this.#client.query('ROLLBACK TO SAVEPOINT attempt');
      return { problem };
    }
  }

  /**
   * Deletes the changed rows of tables that nothing refers to. They are written anew, so that they can exchange
   * unique values, such as places in a list.
   */
  async #deleteChangedLeaves(staged: readonly Staged[]): Promise<void> {
    const owners = await this.#tablesReferredTo();
    for (const one of staged) {
      const { name } = one.table;
      const match = this.#match(one, 'changed', name);
      if (!owners.has(name))
        await this.#client.query(`DELETE FROM ${name} USING ${one.changed} AS changed WHERE ${match}`);
    }
  }

  #insertSql({ table, changed }: Staged): string {
    const list = table.columns.join(', ');
    return `INSERT INTO ${table.name} (${list}) SELECT ${list} FROM ${changed} ON CONFLICT DO NOTHING`;
  }

  #writeSql({ table, changed }: Staged): string {
    const { name, columns } = table;
    const key = keyOf(this.#keys, table);
    const list = columns.join(', ');
    const set = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`);
    const action = set.length > 0 ? `UPDATE SET ${set.join(', ')}` : 'NOTHING';
    return `INSERT INTO ${name} (${list}) SELECT ${list} FROM ${changed}
      ON CONFLICT (${key.join(', ')}) DO ${action}`;
  }

  /** Checks that no changed row takes the place of another organization's. */
  async #checkOwner(staged: Staged): Promise<void> {
    const { name, where } = staged.table;
    const { rowCount } = await this.#client.query(
      `SELECT FROM ${name} WHERE ((${where}) IS NOT TRUE)
         AND EXISTS (SELECT FROM ${staged.changed} AS changed WHERE ${this.#match(staged, 'changed', name)}) LIMIT 1`,
    );
    if (rowCount)
      throw new Error(`The file has rows of ${name} that belong to another organization of this database.`);
  }

  /** Checks that a table has as many rows of the organization as the file says. */
  async #checkCount({ table: { name, where }, keys }: Staged): Promise<void> {
    const { rows } = await this.#client.query<{ same: boolean }>(
      `SELECT (SELECT count(*) FROM ${name} WHERE ${where}) = (SELECT count(*) FROM ${keys}) AS same`,
    );
    if (!rows[0]?.same) throw unfit(name);
  }

  /** Reads the names of the tables that foreign keys refer to. */
  async #tablesReferredTo(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT DISTINCT format('%I', relname) AS name FROM pg_constraint
         JOIN pg_class ON pg_class.oid = coalesce(pg_partition_root(confrelid), confrelid)
       WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
    );
    return new Set(rows.map(({ name }) => name));
  }
}

/** Creates the error for changes that cannot be made. Their values may be secret, so only the table is named. */
function unfit(name: string | undefined, cause?: unknown): Error {
  const message =
    `The changes of ${name} do not fit the copy that is here, and nothing was imported. Delete the copy, and move the ` +
    'organization in one step.';
  return new Error(message, { cause });
}

/** The keys for an organization's encrypted values. */
interface ImportKeys {
  /** Encryption with the key of this database. */
  readonly secrets: Secrets;
  /** Encryption with the key of the database that the file is from, if another. */
  readonly former?: Secrets | undefined;
  readonly sealed: readonly SealedValues[];
}

interface OrganizationImportOptions {
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
interface Imported extends Pick<ExportedOrganization, 'id' | 'name'> {
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
