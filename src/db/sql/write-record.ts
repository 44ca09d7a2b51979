import type { EventHead } from '../../domain/announcements.js';
import { Kept } from '../../domain/kept.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { SendStatement } from '../connection/read-source.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { columnsSql, modelFields, type RowOf } from './columns.js';
import { tableSql, visibleRowSql } from './conditions.js';
import { modelInfo, modelName } from './models.js';
import { checkPlace } from './scope.js';
import type { Selection } from './selection.js';
import { writeTree } from './tree.js';
import { assignmentsSql, deleteSql, insertSql } from './write.js';

const { sql } = Prisma;

type Model = Prisma.ModelName;

/** Further parts of a statement's WITH that write events, and what is announced of them. */
export interface EventsSql {
  readonly ctes: Prisma.Sql;
  readonly announcements: EventHead[];
}

/** Makes `EventsSql` of events that are written provided that a condition holds. */
export type LogSql = (provided?: Prisma.Sql) => EventsSql;

/** What is written and read with a row. */
export interface RowWrite {
  /** The values, by the names of the model's fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Writes the event. */
  readonly log: LogSql;
  /** What is asked for of the row afterwards. */
  readonly selection?: Selection | undefined;
  /** Whether the work ends with it: then COMMIT goes in one packet with it. */
  readonly finish: boolean;
}

/** By what is asked for, or by the model's fields where that is not known. */
const selections = new Kept<object, Selection>();

/**
 * What the statement that writes a row can read with it: all of the row, and the records that it points at. It sees the
 * rows of its own model as they were before, so those are loaded afterwards, and whatever the others lead to.
 */
function returnedSelection(model: Model, asked: Selection | undefined): Selection {
  const fields = modelFields(model);
  return selections.ensure(asked ?? fields, () => {
    const joins = (asked?.joins ?? []).flatMap(([join, { fields }]) =>
      'field' in join && modelName(join.kind) !== model ? [[join, { fields, joins: [] }] as const] : [],
    );
    return { fields, joins };
  });
}

/** What sends the statement of a write. */
export function statementSender(transaction: Transaction, finish: boolean): SendStatement {
  return finish ? (statement) => transaction.finish(statement) : (statement) => transaction.run(statement);
}

async function writeRow<M extends Model>(
  transaction: Transaction,
  model: M,
  operation: string,
  statement: Prisma.Sql,
  { log, selection, finish }: RowWrite,
): Promise<RowOf<M> | undefined> {
  const { ctes, announcements } = log(sql`EXISTS (SELECT FROM branch0)`);
  const row = sql`${statement} RETURNING ${columnsSql(model)}`;
  const name = `${modelInfo[model].table}.${operation}`;
  const send = statementSender(transaction, finish);
  const written = await writeTree<RowOf<M>>(
    transaction,
    name,
    row,
    returnedSelection(model, selection),
    ctes,
    send,
  );
  if (written) transaction.pendingEvents.push(...announcements);
  return written;
}

/**
 * Writes a new row, an event of it and reads what it points at, with one statement in place of several.
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
 * Changes a row that the caller sees, writes an event of it and reads what it points at, with one statement in place
 * of several. All the columns that callers write are named, changed or not, so that a model has one for each selection.
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
    UPDATE ${tableSql(model)} AS record SET ${assignmentsSql(how.values)}
    WHERE ${visibleRowSql(transaction, model, { id })}`;
  const row = await writeRow(transaction, model, 'update', update, how);
  if (!row) throw new Error('A row that was locked is gone.');
  return row;
}

/** Deletes a row that the caller sees, and writes an event of it, as the last statement of the transaction. */
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
