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

/** CTEs that write events, and the announcements to send after the commit. */
export interface EventsSql {
  readonly ctes: Prisma.Sql;
  readonly announcements: EventHead[];
}

/** Creates the CTEs of events that are written if a condition holds. */
export type LogSql = (provided?: Prisma.Sql) => EventsSql;

export interface RowWrite {
  /** Values by the names of the model's fields. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly log: LogSql;
  /** Projection of the row that is returned. */
  readonly selection?: Selection | undefined;
  /** True if the write ends the transaction. COMMIT then goes in the same packet. */
  readonly finish: boolean;
}

/** Cached selections, by what was asked, or by the model's fields if nothing was. */
const selections = new Kept<object, Selection>();

/**
 * Returns the selection that a write can return: the row and records by foreign keys. A statement sees its own
 * model's rows as they were before it, so joins to those, and joins further down, are loaded afterwards.
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

/** Returns the function that sends a write's statement, with COMMIT if it is the last. */
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
 * Inserts a row and its event, and reads joined records, in one statement.
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
 * Updates a row, writes its event and reads joined records, in one statement. Only a row that the caller sees is
 * changed. The statement sets all columns that callers write, changed or not, so that a model has one prepared
 * statement for each selection.
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
