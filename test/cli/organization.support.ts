import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { derivedTables } from '../../src/db/backup/tables.js';
import { execute, urlOf } from '../support/database.js';
import { postgresUrl } from '../support/postgres.js';

/** Sends one statement to a database. */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Returns a database without a table. */
export async function emptyDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(postgresUrl, `CREATE DATABASE ${name}`);
  return {
    url: urlOf(postgresUrl, name),
    drop: () => execute(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Returns the column `text` of a query's first row. */
export async function textFrom(url: string, sql: string): Promise<string> {
  const [row] = await query<{ text: string }>(url, sql);
  return row?.text ?? '';
}

/** Lists the tables of a database by its catalogue; partitions belong to their table. */
export async function tablesOf(url: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND NOT relispartition ORDER BY 1`,
  );
  return tables.map(({ name }) => name);
}

/** Rows of all tables as text, by the catalogue. */
export type Dump = ReadonlyMap<string, readonly string[]>;

/** Reads all rows of a database. */
export async function dump(url: string): Promise<Dump> {
  const rows = new Map<string, string[]>();
  for (const table of await tablesOf(url)) {
    const found = await query<{ row: string }>(url, `SELECT record::text AS row FROM ${table} AS record`);
    rows.set(table, found.map(({ row }) => row).sort());
  }
  return rows;
}

/** Returns the rows that one dump has and another has not, without tables that have none. */
export function difference(one: Dump, other: Dump): Dump {
  const differing = [...one].map(([table, rows]) => {
    const known = new Set(other.get(table));
    return [table, rows.filter((row) => !known.has(row))] as const;
  });
  return new Map(differing.filter(([table, rows]) => rows.length > 0 && !derivedTables.includes(table)));
}
