import type { ModelName } from '../../domain/models.js';
import { limits } from '../../domain/rules.js';
import { snakeCase } from '../../domain/text/names.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { modelFields } from '../sql/columns.js';
import { columnNameSql, columnSql, tableSql, visibleRowSql } from '../sql/conditions.js';
import { modelInfo } from '../sql/models.js';
import { empty, join, raw, type Sql, sql } from '../sql/sql.js';
import { type Alongside, allForeignKeys, type MovedRows, movedRows } from './moved.js';

type Model = ModelName;

/** An entry of the bin whose record is restored. */
export interface Restored {
  readonly entryId: string;
  readonly recordId: string;
  readonly model: Model;
  readonly alongside?: readonly Alongside[] | undefined;
  readonly now: Date;
}

/** A missing record that another one needs. */
export interface Absent {
  readonly model: Model;
  readonly id: string;
  /** Name of its newest entry in the bin, if the caller sees one. */
  readonly name: string | null;
  readonly isInBin: boolean;
}

/**
 * Returns the condition that a row belongs to the caller's organization. A freed id may have been reused by
 * another organization.
 */
const ownSql = ({ caller }: Transaction, model: Model, row: string) =>
  modelFields(model).includes('organizationId')
    ? sql`AND ${columnSql(row, 'organizationId')} = ${caller.organizationId}::uuid`
    : empty;

/** Returns the condition that a referenced row exists. */
const existsSql = (tx: Transaction, to: Model, id: Sql) =>
  sql`EXISTS (SELECT FROM ${tableSql(to)} AS target WHERE target.id = ${id} ${ownSql(tx, to, 'target')})`;

const keysOf = (model: Model) => allForeignKeys.filter((key) => key.model === model);

/** Returns FROM and WHERE for the stored copies of a model's deleted rows. The row is called `kept`. */
const keptRowsSql = (entryId: string, model: Model) => sql`
  FROM bin_rows AS kept
  WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table} AND kept.pointer IS NULL`;

/** Finds missing records that a record in the bin needs. */
export async function findAbsent(tx: Transaction, { entryId, recordId, model }: Restored): Promise<Absent[]> {
  // A record that would be deleted together with another one also needs that one to be restored.
  const needed = keysOf(model).filter(
    ({ onDelete, isOptional }) => onDelete === 'Cascade' || (onDelete === 'Restrict' && !isOptional),
  );
  const selects = needed.map(
    ({ field, to }) => sql`
      SELECT ${to}::text AS model, (kept.row->>${snakeCase(field)}::text)::uuid AS id
      ${keptRowsSql(entryId, model)} AND kept.row->>'id' = ${recordId}::text
        AND kept.row->>${snakeCase(field)}::text IS NOT NULL
        AND NOT ${existsSql(tx, to, sql`(kept.row->>${snakeCase(field)}::text)::uuid`)}`,
  );
  const statement = sql`
    SELECT absent.model, absent.id, newest.name, newest.id IS NOT NULL AS "isInBin"
    FROM (${join(selects, ' UNION ALL ')}) AS absent
    LEFT JOIN LATERAL (
      SELECT record.id, record.name FROM bin_entries AS record
      WHERE ${visibleRowSql(tx, 'BinEntry', { recordId: sql`absent.id` })}
      ORDER BY record.deleted_at DESC LIMIT 1
    ) AS newest ON TRUE`;
  return tx.run<Absent>(named('bin_entries.absent', statement));
}

/**
 * Reads which columns were stored for the rows of each table. An older version of the program may have stored
 * them.
 */
async function readColumns(tx: Transaction, entryId: string): Promise<ReadonlyMap<string, Set<string>>> {
  const statement = sql`
    SELECT DISTINCT ON (table_name) table_name AS table, ARRAY(SELECT jsonb_object_keys(row)) AS columns
    FROM bin_rows WHERE entry_id = ${entryId}::uuid AND pointer IS NULL ORDER BY table_name, position`;
  const rows = await tx.run<{ table: string; columns: string[] }>(named('bin_rows.columns', statement));
  return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]));
}

/** Returns the condition that a record has room for one more part. */
function roomSql(model: Model, field: string): Sql {
  const own = sql`${columnSql('part', field)} = ${columnSql('was', field)}`;
  return sql`(SELECT count(*) FROM ${tableSql(model)} AS part WHERE ${own}) < ${limits.entries}::int`;
}

/**
 * Inserts the rows of a table again. Optional links to missing records are dropped, and so are rows that
 * represent such a link. Columns that were not stored get their defaults, and stored values of columns that
 * no longer exist are dropped.
 */
async function insertKept(
  tx: Transaction,
  { entryId, recordId, model: restored, now }: Restored,
  { model, path }: MovedRows,
  kept: ReadonlySet<string>,
): Promise<void> {
  const isRecord = path.length === 0;
  const keys = keysOf(model);
  const fields = modelFields(model).filter((field) => kept.has(snakeCase(field)));
  const values = fields.map((field) => {
    const column = columnSql('was', field);
    const link = keys.find((key) => key.field === field && key.isOptional && key.onDelete !== 'Cascade');
    if (link) return sql`CASE WHEN ${existsSql(tx, link.to, column)} THEN ${column} END`;
    // As in every change (`nextModified`).
    if (isRecord && field === 'modified')
      return sql`greatest(${now}::timestamptz, ${column} + interval '1 millisecond')`;
    return column;
  });
  const others = keys.filter(({ onDelete, to }) => onDelete === 'Cascade' && to !== restored);
  const conditions = isRecord
    ? [sql`AND kept.row->>'id' = ${recordId}::text`]
    : others.map(({ field, to }) => sql`AND ${existsSql(tx, to, columnSql('was', field))}`);
  const { partOf } = modelInfo[model];
  // Lists of other records may have become full.
  if (!isRecord && partOf && partOf.record !== restored)
    conditions.push(sql`AND ${roomSql(model, `${partOf.relation}Id`)}`);
  const table = tableSql(model);
  const statement = sql`
    INSERT INTO ${table} (${join(fields.map(columnNameSql))})
    SELECT ${join(values)}
    FROM bin_rows AS kept CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, kept.row) AS was
    WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table} AND kept.pointer IS NULL
      ${conditions.length > 0 ? join(conditions, ' ') : empty}
    ORDER BY kept.position ${raw(isRecord ? '' : 'ON CONFLICT DO NOTHING')}`;
  await tx.run(named(`${modelInfo[model].table}.put_back`, statement));
}

/** Returns the condition that a link does not make a row its own ancestor. */
function acyclicSql(model: Model, field: string): Sql {
  const table = tableSql(model);
  const column = columnNameSql(field);
  return sql`AND NOT EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT (kept.row->>${snakeCase(field)}::text)::uuid
      UNION
      SELECT ${column} FROM ${table} JOIN above USING (id)
    )
    SELECT FROM above WHERE above.id = pointing.id
  )`;
}

/** Restores links to the restored rows, unless they have been set to something else since. */
async function pointAgain(
  tx: Transaction,
  { entryId }: Restored,
  { model, path, pointer = '', isKept }: MovedRows,
): Promise<void> {
  const to = allForeignKeys.find((key) => key.model === model && key.field === pointer)?.to ?? model;
  const column = raw(snakeCase(pointer));
  const id = sql`(kept.row->>${snakeCase(pointer)}::text)::uuid`;
  const statement = sql`
    UPDATE ${tableSql(model)} AS pointing SET ${column} = ${id} ${raw(isKept ? ', bin_entry_id = NULL' : '')}
    FROM bin_rows AS kept
    WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table}
      AND kept.pointer = ${snakeCase(pointer)} AND pointing.id = (kept.row->>'id')::uuid
      AND pointing.${column} IS NULL ${ownSql(tx, model, 'pointing')} AND ${existsSql(tx, to, id)}
      ${to === model && path.length === 1 ? acyclicSql(model, pointer) : empty}`;
  await tx.run(named(`${modelInfo[model].table}.point_again`, statement));
}

/**
 * Restores a record with everything that was deleted along with it, and deletes the entry. The records that
 * it needs must exist. Links of other records to it are restored as well.
 */
export async function putBack(tx: Transaction, restored: Restored): Promise<void> {
  const { entryId, model, alongside } = restored;
  const columns = await readColumns(tx, entryId);
  for (const moved of movedRows(model, alongside)) {
    const kept = columns.get(modelInfo[moved.model].table);
    if (moved.pointer) await pointAgain(tx, restored, moved);
    else if (kept) await insertKept(tx, restored, moved, kept);
  }
  // This also deletes the entry's rows that were not restored.
  await tx.run(
    named(
      'bin_entries.delete',
      sql`DELETE FROM bin_entries WHERE id = ${entryId}::uuid RETURNING TRUE AS gone`,
    ),
  );
}
