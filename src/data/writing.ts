import { Prisma } from '../generated/prisma/client.js';
import { columnsSql, type RowOf } from './columns.js';
import { type Event, eventsSql } from './event-logs.js';
import { checkPlace, readerOf, type Session, type Transaction } from './scope.js';
import { nameSql, tableSql, visibleRow } from './sql.js';
import { announceLater } from './transaction.js';

const { sql, join } = Prisma;

type Model = Prisma.ModelName;

/** A value as a column takes it: what is no text, number, moment or bytes is JSON. */
function columnValue(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null;
  return isJson && !(value instanceof Date) && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}

/**
 * Changes a row that the caller sees and writes an event of it, with one statement: at a fifth of the cost of three of
 * Prisma's. All the columns that callers write are named, changed or not, so that each model has one statement.
 * @param values the new values, by the names of the model's fields
 * @returns the row as it is now
 */
export async function updateRow<M extends Model>(
  tx: Transaction,
  session: Session,
  model: M,
  id: string,
  values: Readonly<Record<string, unknown>>,
  event: Event,
): Promise<RowOf<M>> {
  checkPlace(model, 'update', values, session.caller);
  const columns = Object.entries(values).map(
    ([field, value]) => sql`${nameSql(field)} = ${columnValue(value)}`,
  );
  const { ctes, heads } = eventsSql(session, [event]);
  const [row] = await readerOf(
    session,
    tx,
  )<RowOf<M>>(sql`
    WITH changed AS (
      UPDATE ${tableSql(model)} AS record SET ${join(columns)}
      WHERE ${visibleRow(session, model, { id })} RETURNING ${columnsSql(model)}
    ), ${ctes}
    SELECT * FROM changed`);
  if (!row) throw new Error('A row that was locked is gone.');
  announceLater(tx, heads);
  return row;
}
