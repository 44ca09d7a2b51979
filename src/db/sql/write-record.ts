import type { EventHead } from '../../domain/announcements.js';
import { Kept } from '../../domain/kept.js';
import type { ModelName } from '../../domain/models.js';
import type { SendStatement } from '../connection/read-source.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { columnsSql, modelFields, type RowOf } from './columns.js';
import { tableSql, visibleRowSql } from './conditions.js';
import { joinToWritten, listSql, type RowList } from './lists.js';
import { checkPlace, modelInfo, modelName } from './models.js';
import type { Selection } from './selection.js';
import { join, type Sql, sql } from './sql.js';
import { writeTree } from './tree.js';
import { assignmentsSql, deleteSql, insertRowsSql, insertSql } from './write.js';

type Model = ModelName;

/** CTEs that write events, and the announcements to send after the commit. */
export interface EventsSql {
  readonly ctes: Sql;
  readonly announcements: EventHead[];
}

/** Creates the CTEs of events that are written if a condition holds. */
export type LogSql = (provided?: Sql) => EventsSql;

export interface RowWrite {
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
const selections = new Kept<object, Map<string, Selection>>();

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
export function statementSender(transaction: Transaction, finish: boolean): SendStatement {
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
  checkPlace(model, 'update', how.values, transaction.caller);
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
  const made = new Set((await transaction.run<{ id: string }>(named(name, statement))).map(({ id }) => id));
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
    named(`${modelInfo[model].table}.delete`, sql`WITH ${ctes} ${deleteSql(transaction, model, { id })}`),
  );
  transaction.pendingEvents.push(...announcements);
}
