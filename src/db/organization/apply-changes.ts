import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Table } from '../backup/tables.js';
import { keyOf } from './changes.js';
import type { OwnedTable } from './owned-tables.js';

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
export interface Applied {
  readonly written: number;
  readonly deleted: number;
}

/** Applies a file of changes to a copy, in the transaction of a client. */
export class ChangedTables {
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
