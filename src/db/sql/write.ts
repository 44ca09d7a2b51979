import { Prisma } from '../../generated/prisma/client.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { columnsSql, type RowOf } from './columns.js';
import { nameSql, tableSql, visibleRow } from './conditions.js';
import { rowOf } from './models.js';
import type { Condition } from './query.js';
import { checkPlace } from './scope.js';

const { sql, join, raw } = Prisma;

type Model = Prisma.ModelName;
type CreateMany<M extends Model> = NonNullable<
  Prisma.TypeMap['model'][M]['operations']['createMany']['args']['data']
>;

/** The values that a new row of a model takes, by the names of its fields; what is left out has its default. */
export type NewRow<M extends Model> = Exclude<CreateMany<M>, readonly unknown[]>;

/** New values of a row, by the names of the model's fields; what is left out stays. */
export type NewValues<M extends Model> = Partial<NewRow<M>>;

/** The fields of a model that hold JSON. */
type JsonFields<M extends Model> = {
  [Field in keyof RowOf<M>]: Prisma.JsonValue extends NonNullable<RowOf<M>[Field]> ? Field : never;
}[keyof RowOf<M>];

/** The fields of all models that hold JSON; a new one does not compile until it stands here. */
const jsonFields: Record<{ [M in Model]: JsonFields<M> }[Model], true> = {
  customFields: true,
  uploadTags: true,
};

/** A value as a parameter of its column's type. */
export function columnValue(field: string, value: unknown): unknown {
  return value !== null && Object.hasOwn(jsonFields, field) ? JSON.stringify(value) : value;
}

/** A value as a member of JSON that PostgreSQL reads a row of. */
function jsonValue(_field: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

type Values = Readonly<Record<string, unknown>>;

/** The fields that are given a value. */
export const givenIn = (values: Values) => Object.keys(values).filter((field) => values[field] !== undefined);

/** The assignments of an UPDATE. */
export function assignmentsSql(values: Values): Prisma.Sql {
  return join(givenIn(values).map((field) => sql`${nameSql(field)} = ${columnValue(field, values[field])}`));
}

/** An INSERT of one row; the row is the caller's to write. */
export function insertSql(of: Pick<Transaction, 'caller'>, model: Model, row: Values): Prisma.Sql {
  checkPlace(model, 'insert', row, of.caller);
  const fields = givenIn(row);
  const values = fields.map((field) => sql`${columnValue(field, row[field])}`);
  return sql`INSERT INTO ${tableSql(model)} AS record (${join(fields.map(nameSql))}) VALUES (${join(values)})`;
}

/** An INSERT of many rows, of which each has values for the same fields. */
function insertManySql(of: Pick<Transaction, 'caller'>, model: Model, rows: readonly Values[]): Prisma.Sql {
  for (const row of rows) checkPlace(model, 'insert', row, of.caller);
  const fields = givenIn(rows[0] ?? {});
  const columns = fields.map(nameSql);
  const data = rows.map((row) => {
    if (givenIn(row).length !== fields.length)
      throw new Error('Rows that are inserted together have the same fields.');
    return Object.fromEntries(
      fields.map((field, place) => [`${columns[place]?.text.slice(1, -1)}`, row[field]]),
    );
  });
  // One parameter, however many rows: each number of them would be a statement of its own.
  const json = JSON.stringify(data, function (this: Values, key, value) {
    // `value` has been through toJSON, which bytes have none of, and moments have.
    return this[key] instanceof Uint8Array ? jsonValue(key, this[key]) : jsonValue(key, value);
  });
  return sql`
    INSERT INTO ${tableSql(model)} (${join(columns)})
    SELECT ${join(columns)} FROM json_populate_recordset(NULL::${tableSql(model)}, ${json}::json)`;
}

/**
 * Writes new rows of a model with one statement; none, when there are none.
 * @param options.skipDuplicates leaves out rows that another writer has made meanwhile
 */
export async function insertRows<M extends Model>(
  transaction: Transaction,
  model: M,
  rows: readonly NewRow<M>[],
  { skipDuplicates = false } = {},
): Promise<void> {
  const [row] = rows as readonly Values[];
  if (!row) return;
  const insert =
    rows.length === 1
      ? insertSql(transaction, model, row)
      : insertManySql(transaction, model, rows as readonly Values[]);
  const statement = sql`${insert} ${skipDuplicates ? raw('ON CONFLICT DO NOTHING') : Prisma.empty}`;
  await transaction.run(named(`${rowOf[model].table}.insert`, statement));
}

/**
 * Gives the rows of a model that the caller sees and that keep a condition new values, with one statement.
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
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(values as Values)}
    WHERE ${visibleRow(transaction, model, where)} RETURNING ${columnsSql(model)}`;
  return transaction.run(named(`${rowOf[model].table}.update`, statement));
}

/** A DELETE of the rows that the caller sees and that keep a condition. */
export function deleteSql(of: Pick<Transaction, 'caller'>, model: Model, where: Condition): Prisma.Sql {
  return sql`DELETE FROM ${tableSql(model)} AS record WHERE ${visibleRow(of, model, where)}`;
}

/**
 * Deletes the rows of a model that the caller sees and that keep a condition, with one statement.
 * @returns their number
 */
export async function deleteRows(transaction: Transaction, model: Model, where: Condition): Promise<number> {
  const statement = sql`${deleteSql(transaction, model, where)} RETURNING TRUE AS gone`;
  return (await transaction.run(named(`${rowOf[model].table}.delete`, statement))).length;
}
