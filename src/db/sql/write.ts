import type { ModelName } from '../../domain/models.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { columnsSql, modelColumns, type NewRow, type RowOf } from './columns.js';
import { columnNameSql, tableSql, visibleRowSql } from './conditions.js';
import { checkPlace, modelInfo } from './models.js';
import type { Condition } from './query.js';
import { empty, join, raw, type Sql, sql } from './sql.js';

type Model = ModelName;

/** New values of a row, by the model's field names. Missing fields stay as they are. */
export type NewValues<M extends Model> = Partial<NewRow<M>>;

/** Converts a value to a parameter of its column's type. */
export function columnValue(model: Model, field: string, value: unknown): unknown {
  return value !== null && modelColumns[model][field]?.type === 'Json' ? JSON.stringify(value) : value;
}

/** Converts a value to a JSON member for `json_populate_recordset`. */
function jsonValue(_field: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

type Values = Readonly<Record<string, unknown>>;

/** Lists the fields that have a value. */
export const definedFields = (values: Values) =>
  Object.keys(values).filter((field) => values[field] !== undefined);

/** Returns the assignments of an UPDATE. */
export function assignmentsSql(model: Model, values: Values): Sql {
  return join(
    definedFields(values).map(
      (field) => sql`${columnNameSql(field)} = ${columnValue(model, field, values[field])}`,
    ),
  );
}

/** Returns the INSERT of one row, and throws if the caller may not write it. */
export function insertSql(of: Pick<Transaction, 'caller'>, model: Model, row: Values): Sql {
  checkPlace(model, 'insert', row, of.caller);
  const fields = definedFields(row);
  const values = fields.map((field) => sql`${columnValue(model, field, row[field])}`);
  return sql`INSERT INTO ${tableSql(model)} AS record (${join(fields.map(columnNameSql))}) VALUES (${join(values)})`;
}

/**
 * Returns rows as a table with the columns of their model. All have values for the same fields. They are one
 * JSON parameter, because each number of parameters would need its own prepared statement.
 */
function recordsetSql(model: Model, rows: readonly Values[]): Sql {
  const fields = definedFields(rows[0] ?? {});
  const names = fields.map((field) => columnNameSql(field).text.slice(1, -1));
  const data = rows.map((row) => {
    if (definedFields(row).length !== fields.length)
      throw new Error('Rows that are written together have the same fields.');
    return Object.fromEntries(fields.map((field, place) => [names[place], row[field]]));
  });
  const json = JSON.stringify(data, function (this: Values, key, value) {
    // `value` has already been through toJSON, which dates have but bytes do not.
    return this[key] instanceof Uint8Array ? jsonValue(key, this[key]) : jsonValue(key, value);
  });
  return sql`json_populate_recordset(NULL::${tableSql(model)}, ${json}::json)`;
}

/** Returns the INSERT of many rows. All have values for the same fields. */
function insertManySql(of: Pick<Transaction, 'caller'>, model: Model, rows: readonly Values[]): Sql {
  for (const row of rows) checkPlace(model, 'insert', row, of.caller);
  const columns = definedFields(rows[0] ?? {}).map(columnNameSql);
  return sql`
    INSERT INTO ${tableSql(model)} (${join(columns)}) SELECT ${join(columns)} FROM ${recordsetSql(model, rows)}`;
}

/** Returns the INSERT of one or more rows. */
export function insertRowsSql(of: Pick<Transaction, 'caller'>, model: Model, rows: readonly Values[]): Sql {
  const [row, ...others] = rows;
  return row && others.length === 0 ? insertSql(of, model, row) : insertManySql(of, model, rows);
}

/**
 * Inserts rows of a model with one statement, or none if there are no rows.
 * @param options.skipDuplicates skips rows that another writer has just inserted (ON CONFLICT DO NOTHING)
 */
export async function insertRows<M extends Model>(
  transaction: Transaction,
  model: M,
  rows: readonly NewRow<M>[],
  { skipDuplicates = false } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const insert = insertRowsSql(transaction, model, rows as readonly Values[]);
  const statement = sql`${insert} ${skipDuplicates ? raw('ON CONFLICT DO NOTHING') : empty}`;
  await transaction.run(named(`${modelInfo[model].table}.insert`, statement));
}

/** Inserts a row of a model, and returns it as triggers have left it. */
export async function insertReturning<M extends Model>(
  transaction: Transaction,
  model: M,
  row: NewRow<M>,
): Promise<RowOf<M>> {
  const statement = sql`${insertSql(transaction, model, row as Values)} RETURNING ${columnsSql(model)}`;
  const [made] = await transaction.run<RowOf<M>>(named(`${modelInfo[model].table}.insert`, statement));
  if (!made) throw new Error('A row was not inserted.');
  return made;
}

/**
 * Updates matching rows that the caller sees, with one statement.
 * @returns the rows as they are now
 */
export function updateRows<M extends Model>(
  transaction: Transaction,
  model: M,
  where: Condition,
  values: NewValues<M>,
): Promise<RowOf<M>[]> {
  checkPlace(model, 'update', values as Values, transaction.caller);
  const statement = sql`
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(model, values as Values)}
    WHERE ${visibleRowSql(transaction, model, where)} RETURNING ${columnsSql(model)}`;
  return transaction.run(named(`${modelInfo[model].table}.update`, statement));
}

/**
 * Gives rows that the caller sees values of their own, with one statement.
 * @param rows their ids and new values; all have values for the same fields
 * @returns the rows as they are now
 */
export function updateEach<M extends Model>(
  transaction: Transaction,
  model: M,
  rows: readonly (Values & { readonly id: string })[],
): Promise<RowOf<M>[]> {
  for (const row of rows) checkPlace(model, 'update', row, transaction.caller);
  const columns = definedFields(rows[0] ?? {})
    .filter((field) => field !== 'id')
    .map(columnNameSql);
  const statement = sql`
    UPDATE ${tableSql(model)} AS record SET ${join(columns.map((column) => sql`${column} = changed.${column}`))}
    FROM ${recordsetSql(model, rows)} AS changed
    WHERE record.id = changed.id AND ${visibleRowSql(transaction, model, {})} RETURNING ${columnsSql(model)}`;
  return transaction.run(named(`${modelInfo[model].table}.update`, statement));
}

/** Returns the DELETE of matching rows that the caller sees. */
export function deleteSql(of: Pick<Transaction, 'caller'>, model: Model, where: Condition): Sql {
  return sql`DELETE FROM ${tableSql(model)} AS record WHERE ${visibleRowSql(of, model, where)}`;
}

/**
 * Deletes matching rows that the caller sees, with one statement.
 * @returns their number
 */
export async function deleteRows(transaction: Transaction, model: Model, where: Condition): Promise<number> {
  const statement = sql`${deleteSql(transaction, model, where)} RETURNING TRUE AS gone`;
  return (await transaction.run(named(`${modelInfo[model].table}.delete`, statement))).length;
}
