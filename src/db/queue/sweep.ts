import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { raw, type Sql, sql } from '../sql/sql.js';

/** Rows of a table to delete. */
export interface Sweep {
  readonly table: string;
  /** Partition in which they are looked for, if the table has partitions. */
  readonly partition?: string;
  /** Primary key. */
  readonly key?: string;
  readonly where: Sql;
  /** Column by which the first rows are found. */
  readonly order: string;
  /** Rows that one statement deletes. */
  readonly page?: number;
}

/**
 * Deletes rows, a page at a time. Any number of processes may do so: each skips rows that another has locked
 * (SKIP LOCKED). Rows are locked by a statement of its own; see `claimJobs`.
 * @returns the number of rows
 */
export async function sweep(
  database: Pick<Database, 'inTransaction'>,
  { table, partition = table, key = 'id', where, order, page = 1_000 }: Sweep,
): Promise<number> {
  const lock = sql`
    SELECT ${raw(key)} AS key FROM ${raw(partition)} AS record WHERE ${where} ORDER BY ${raw(order)} LIMIT ${page}
    FOR UPDATE SKIP LOCKED`;
  let total = 0;
  for (;;) {
    const count = await database.inTransaction(async (tx) => {
      const rows = await tx.run<{ readonly key: string }>(named(`${table}.lock_old`, lock));
      if (rows.length === 0) return 0;
      const keys = rows.map((row) => row.key);
      const statement = sql`DELETE FROM ${raw(table)} WHERE ${raw(key)} = ANY(${keys})`;
      await tx.run(named(`${table}.sweep`, statement));
      return keys.length;
    });
    total += count;
    if (count < page) return total;
  }
}
