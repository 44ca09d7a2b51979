import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';

const { sql, raw } = Prisma;

/** Rows of a table to delete. */
export interface Sweep {
  readonly table: string;
  /** Partition in which they are looked for, if the table has partitions. */
  readonly partition?: string;
  /** Primary key. */
  readonly key?: string;
  readonly where: Prisma.Sql;
  /** Column by which the first rows are found. */
  readonly order: string;
  /** Rows that one statement deletes. */
  readonly page?: number;
}

/**
 * Deletes rows, a page at a time. Any number of processes may do so: each skips rows that another has locked
 * (SKIP LOCKED).
 * @returns the number of rows
 */
export async function sweep(
  database: Pick<Database, 'query'>,
  { table, partition = table, key = 'id', where, order, page = 1_000 }: Sweep,
): Promise<number> {
  const statement = sql`
    WITH gone AS (
      DELETE FROM ${raw(table)} WHERE ${raw(key)} = ANY(ARRAY(
        SELECT ${raw(key)} FROM ${raw(partition)} AS record WHERE ${where} ORDER BY ${raw(order)} LIMIT ${page} FOR UPDATE SKIP LOCKED
      )) RETURNING TRUE
    )
    SELECT count(*)::int AS count FROM gone`;
  let total = 0;
  for (;;) {
    const [gone] = await database.query<{ count: number }>(named(`${table}.sweep`, statement));
    const count = gone?.count ?? 0;
    total += count;
    if (count < page) return total;
  }
}
