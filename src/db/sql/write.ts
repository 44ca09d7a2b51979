import { WeakCache } from '../../domain/collections.js';
import type { EventHead, ModelName } from '../../domain/models.js';
import type { SendStatement } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import {
  type Condition,
  columnNameSql,
  columnsSql,
  modelColumns,
  modelFields,
  type NewRow,
  type RowOf,
  tableSql,
  visibleRowSql,
} from './conditions.js';
import { checkWriteScope, modelInfo, modelName } from './models.js';
import { empty, join, raw, type Sql, sql } from './sql.js';
import { type JoinTable, type Selection, writeTree } from './tree.js';

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
  checkWriteScope(model, 'insert', row, of.caller);
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
  for (const row of rows) checkWriteScope(model, 'insert', row, of.caller);
  const columns = definedFields(rows[0] ?? {}).map(columnNameSql);
  return sql`
    INSERT INTO ${tableSql(model)} (${join(columns)}) SELECT ${join(columns)} FROM ${recordsetSql(model, rows)}`;
}

/** Returns the INSERT of one or more rows. */
function insertRowsSql(of: Pick<Transaction, 'caller'>, model: Model, rows: readonly Values[]): Sql {
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
  await transaction.run(prepared(`${modelInfo[model].table}.insert`, statement));
}

/** Inserts a row of a model, and returns it as triggers have left it. */
export async function insertReturning<M extends Model>(
  transaction: Transaction,
  model: M,
  row: NewRow<M>,
): Promise<RowOf<M>> {
  const statement = sql`${insertSql(transaction, model, row as Values)} RETURNING ${columnsSql(model)}`;
  const [made] = await transaction.run<RowOf<M>>(prepared(`${modelInfo[model].table}.insert`, statement));
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
  checkWriteScope(model, 'update', values as Values, transaction.caller);
  const statement = sql`
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(model, values as Values)}
    WHERE ${visibleRowSql(transaction, model, where)} RETURNING ${columnsSql(model)}`;
  return transaction.run(prepared(`${modelInfo[model].table}.update`, statement));
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
  for (const row of rows) checkWriteScope(model, 'update', row, transaction.caller);
  const columns = definedFields(rows[0] ?? {})
    .filter((field) => field !== 'id')
    .map(columnNameSql);
  const statement = sql`
    UPDATE ${tableSql(model)} AS record SET ${join(columns.map((column) => sql`${column} = changed.${column}`))}
    FROM ${recordsetSql(model, rows)} AS changed
    WHERE ${visibleRowSql(transaction, model, { id: sql`changed.id` })} RETURNING ${columnsSql(model)}`;
  return transaction.run(prepared(`${modelInfo[model].table}.update`, statement));
}

/** Returns the DELETE of matching rows that the caller sees. */
function deleteSql(of: Pick<Transaction, 'caller'>, model: Model, where: Condition): Sql {
  return sql`DELETE FROM ${tableSql(model)} AS record WHERE ${visibleRowSql(of, model, where)}`;
}

/**
 * Deletes matching rows that the caller sees, with one statement.
 * @returns their number
 */
export async function deleteRows(transaction: Transaction, model: Model, where: Condition): Promise<number> {
  const statement = sql`${deleteSql(transaction, model, where)} RETURNING TRUE AS gone`;
  return (await transaction.run(prepared(`${modelInfo[model].table}.delete`, statement))).length;
}

/** The desired state of a list of linked records. Ids are in order and unique. */
export interface ListWrite {
  readonly by: JoinTable;
  readonly ids: readonly string[];
}

/** A list of a row that is written. */
export interface RowList extends ListWrite {
  /** True if the list is in that state already. */
  readonly isKept: boolean;
}

/** Returns the name of the CTE with a list's desired pairs. */
const wantedName = ({ name }: JoinTable) => `wanted_${name}`;

/** Returns the join to a list that the same statement writes. Its table does not show the new entries yet. */
const joinToWritten = (by: JoinTable): JoinTable => ({ ...by, table: wantedName(by) });

/**
 * Returns the parameter for a list's ids. The subquery hides their number from PostgreSQL's planner: plans
 * for a known number would look cheaper than the cached generic plan, and be made anew each time.
 */
const idsSql = (ids: readonly string[]) => sql`(SELECT ${[...ids]}::uuid[])`;

/**
 * Returns the CTEs that store a list of linked records for each of some rows.
 * @param owners query for the ids of the rows
 * @param isNew true if the rows have just been created, and have no list yet
 */
function listSql({ by, ids }: ListWrite, owners: Sql, isNew: boolean): Sql {
  const [wanted, table, own, their] = [wantedName(by), by.table, by.own, by.their].map((name) => raw(name));
  const pairs = sql`
    ${wanted} (${own}, ${their}, position) AS (
      SELECT owner.id, entry.id, entry.place - 1 FROM (${owners}) AS owner (id)
      CROSS JOIN unnest(${idsSql(ids)}) WITH ORDINALITY AS entry (id, place)
    )`;
  const insert = sql`INSERT INTO ${table} AS link (${own}, ${their}, position) SELECT * FROM ${wanted}`;
  if (isNew) return sql`${pairs}, ${raw(`stored_${by.name}`)} AS (${insert})`;
  return sql`
    ${pairs}, ${raw(`gone_${by.name}`)} AS (
      DELETE FROM ${table} AS link USING (${owners}) AS owner (id)
      WHERE link.${own} = owner.id AND NOT link.${their} = ANY(${idsSql(ids)}::uuid[])
    ), ${raw(`stored_${by.name}`)} AS (
      ${insert} ON CONFLICT (${own}, ${their}) DO UPDATE SET position = excluded.position
      WHERE link.position <> excluded.position
    )`;
}

/** A list of one row, in its desired state. */
interface OwnedList {
  readonly owner: string;
  readonly ids: readonly string[];
}

/**
 * Stores the list of each of some rows, with one statement.
 * @param areNew true if the rows have just been created, and have no list yet
 */
export async function storeLists(
  tx: Transaction,
  by: JoinTable,
  lists: readonly OwnedList[],
  areNew = false,
): Promise<void> {
  const pairs = lists.flatMap(({ owner, ids }) => ids.map((id, position) => ({ owner, id, position })));
  if (lists.length === 0 || (areNew && pairs.length === 0)) return;
  const [table, own, their] = [by.table, by.own, by.their].map((name) => raw(name));
  const wanted = sql`
    SELECT * FROM unnest(${pairs.map(({ owner }) => owner)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[],
      ${pairs.map(({ position }) => position)}::int[])`;
  const insert = sql`INSERT INTO ${table} AS link (${own}, ${their}, position)`;
  const replace = () => sql`
    WITH wanted (${own}, ${their}, position) AS (${wanted}), gone AS (
      DELETE FROM ${table} AS link USING unnest(${lists.map(({ owner }) => owner)}::uuid[]) AS owner (id)
      WHERE link.${own} = owner.id
        AND NOT EXISTS (SELECT FROM wanted WHERE wanted.${own} = link.${own} AND wanted.${their} = link.${their})
    )
    ${insert} SELECT * FROM wanted ON CONFLICT (${own}, ${their}) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
  await tx.run(prepared(`${by.table}.store`, areNew ? sql`${insert} ${wanted}` : replace()));
}

/** CTEs that write events, and the announcements to send after the commit. */
export interface EventsSql {
  readonly ctes: Sql;
  readonly announcements: EventHead[];
}

/** Creates the CTEs of events that are written if a condition holds. */
type LogSql = (provided?: Sql) => EventsSql;

interface RowWrite {
  /** Values by the names of the model's fields. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly log: LogSql;
  /** The row's lists of linked records. Those that are not kept are stored with it. */
  readonly lists?: readonly RowList[];
  /** Projection of the row that is returned. */
  readonly selection?: Selection | undefined;
  /** True if the write ends the transaction. COMMIT then goes in the same packet. */
  readonly finish: boolean;
}

/**
 * Cached selections, by the requested selection and the states of lists. Without a requested selection, the
 * model's fields are the key.
 */
const selections = new WeakCache<object, Map<string, Selection>>();

/** Returns the state of a list. An empty list needs no reading, and a kept list is read from its table. */
const stateOf = ({ ids, isKept }: RowList) => (ids.length === 0 ? 'empty' : isKept ? 'kept' : 'stored');

/**
 * Returns the part of a selection that a write can return. It has the row and the records that it is joined
 * to. A statement sees tables as they were before it. So lists that it writes are joined in their new state;
 * joins to its own model or to parts, and deeper joins, are loaded afterwards.
 */
function returnedSelection(model: Model, asked: Selection | undefined, lists: readonly RowList[]): Selection {
  const fields = modelFields(model);
  const known = selections.ensure(asked ?? fields, () => new Map());
  const key = lists.map(stateOf).join(' ');
  const selection = known.get(key) ?? { fields, joins: (asked?.joins ?? []).flatMap(joinsOf(model, lists)) };
  known.set(key, selection);
  return selection;
}

/** Creates the function that replaces a requested join by those that a write can read. */
function joinsOf(model: Model, lists: readonly RowList[]) {
  return ([join, { fields }]: Selection['joins'][number]): Selection['joins'][number][] => {
    const list = lists.find(({ by }) => by.name === join.name);
    const state = list && stateOf(list);
    if ('owner' in join || modelName(join.kind) === model || state === 'empty') return [];
    return [[list && state === 'stored' ? joinToWritten(list.by) : join, { fields, joins: [] }]];
  };
}

/** Returns the function that sends a write's statement, with COMMIT if it is the last. */
function statementSender(transaction: Transaction, finish: boolean): SendStatement {
  return finish ? (statement) => transaction.finish(statement) : (statement) => transaction.run(statement);
}

async function writeRow<M extends Model>(
  transaction: Transaction,
  model: M,
  operation: 'insert' | 'update',
  statement: Sql,
  { log, lists = [], selection, finish }: RowWrite,
): Promise<RowOf<M> | undefined> {
  const { ctes, announcements } = log(sql`EXISTS (SELECT FROM branch0)`);
  const stored = lists
    .filter(({ isKept }) => !isKept)
    .map((list) => listSql(list, sql`SELECT id FROM branch0`, operation === 'insert'));
  const row = sql`${statement} RETURNING ${columnsSql(model)}`;
  const name = `${modelInfo[model].table}.${operation}`;
  const send = statementSender(transaction, finish);
  const written = await writeTree<RowOf<M>>(
    transaction,
    name,
    row,
    returnedSelection(model, selection, lists),
    join([...stored, ctes]),
    send,
  );
  if (written) transaction.pendingEvents.push(...announcements);
  return written;
}

/**
 * Inserts a row with its lists and its event. The same statement reads joined records.
 * @returns the row as it is now
 */
export async function insertRow<M extends Model>(
  transaction: Transaction,
  model: M,
  how: RowWrite,
): Promise<RowOf<M>> {
  const row = await writeRow(transaction, model, 'insert', insertSql(transaction, model, how.values), how);
  if (!row) throw new Error('A row was not inserted.');
  return row;
}

/**
 * Updates a row and its lists, and writes its event. The same statement reads joined records. Only a row that
 * the caller sees is changed. It sets all columns that callers write, changed or not, so that a model has one
 * prepared statement per selection.
 * @returns the row as it is now
 */
export async function updateRow<M extends Model>(
  transaction: Transaction,
  model: M,
  id: string,
  how: RowWrite,
): Promise<RowOf<M>> {
  checkWriteScope(model, 'update', how.values, transaction.caller);
  const update = sql`
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(model, how.values)}
    WHERE ${visibleRowSql(transaction, model, { id })}`;
  const row = await writeRow(transaction, model, 'update', update, how);
  if (!row) throw new Error('A row that was locked is gone.');
  return row;
}

/**
 * Inserts rows that do not exist yet, each with its event, in one statement.
 * @param rows with an id each
 * @returns the ids of the inserted rows; another writer may just have inserted the others
 */
export async function insertMissing(
  transaction: Transaction,
  model: Model,
  rows: readonly Readonly<Record<string, unknown>>[],
  log: LogSql,
): Promise<Set<string>> {
  const { ctes, announcements } = log(sql`event.about IN (SELECT id FROM made)`);
  const insert = sql`${insertRowsSql(transaction, model, rows)} ON CONFLICT DO NOTHING RETURNING id`;
  const statement = sql`WITH made AS (${insert}), ${ctes} SELECT id FROM made`;
  const name = `${modelInfo[model].table}.insert`;
  const made = new Set(
    (await transaction.run<{ id: string }>(prepared(name, statement))).map(({ id }) => id),
  );
  const aboutMade = ({ entities: [first] }: EventHead) => first !== undefined && made.has(first.id);
  transaction.pendingEvents.push(...announcements.filter(aboutMade));
  return made;
}

/** Deletes a row that the caller sees, writes its event and commits. */
export async function deleteRow(
  transaction: Transaction,
  model: Model,
  id: string,
  log: LogSql,
): Promise<void> {
  const { ctes, announcements } = log();
  await transaction.finish(
    prepared(`${modelInfo[model].table}.delete`, sql`WITH ${ctes} ${deleteSql(transaction, model, { id })}`),
  );
  transaction.pendingEvents.push(...announcements);
}
