import type { EventHead } from '../../domain/announcements.js';
import { Kept } from '../../domain/kept.js';
import { Prisma } from '../../generated/prisma/client.js';
import { announceLater } from '../connection/transaction.js';
import { columnsSql, fieldsOf, type RowOf } from './columns.js';
import { nameSql, tableSql, visibleRow } from './conditions.js';
import { modelOf } from './models.js';
import { checkPlace, readerOf, type Session, type Transaction } from './scope.js';
import type { Selection } from './selection.js';
import { readTree } from './tree.js';

const { sql, join } = Prisma;

type Model = Prisma.ModelName;

/** A value as a column takes it: what is no text, number, moment or bytes is JSON. */
function columnValue(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null;
  return isJson && !(value instanceof Date) && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}

/** By what is asked for, or by the model's fields where that is not known. */
const selections = new Kept<object, Selection>();

/**
 * What the statement that changes a row can read with it: all of the row, and the records that it points at. It sees the
 * rows of its own model as they were before, so those are loaded afterwards, and whatever the others lead to.
 */
function readable(model: Model, asked: Selection | undefined): Selection {
  const fields = fieldsOf(model);
  return selections.ensure(asked ?? fields, () => {
    const joins = (asked?.joins ?? []).flatMap(([join, { fields }]) =>
      'field' in join && modelOf(join.kind) !== model ? [[join, { fields, joins: [] }] as const] : [],
    );
    return { fields, joins };
  });
}

/** How a row is changed. */
interface Update {
  /** The new values, by the names of the model's fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Further parts of the statement's WITH, which write the event; `changed` says whether the row was. */
  readonly also: (changed: Prisma.Sql) => { readonly ctes: Prisma.Sql; readonly heads: EventHead[] };
  /** What is asked for of the row afterwards. */
  readonly selection?: Selection | undefined;
  /** Whether nothing else is done in the transaction after it. */
  readonly isLast: boolean;
}

/**
 * Changes a row that the caller sees, writes an event of it and reads what it points at, with one statement in place
 * of several. All the columns that callers write are named, changed or not, so that a model has one for each selection.
 * @returns the row as it is now
 */
export async function updateRow<M extends Model>(
  tx: Transaction,
  session: Session,
  model: M,
  id: string,
  { values, also, selection, isLast }: Update,
): Promise<RowOf<M>> {
  checkPlace(model, 'update', values, session.caller);
  const columns = Object.entries(values).map(
    ([field, value]) => sql`${nameSql(field)} = ${columnValue(value)}`,
  );
  const { ctes, heads } = also(sql`EXISTS (SELECT FROM branch0)`);
  const update = sql`
    UPDATE ${tableSql(model)} AS record SET ${join(columns)}
    WHERE ${visibleRow(session, model, { id })} RETURNING ${columnsSql(model)}`;
  const { rows } = await readTree<RowOf<M>>(session, update, readable(model, selection), {
    single: true,
    also: ctes,
    send: readerOf(session, tx, isLast),
  });
  const [row] = rows;
  if (!row) throw new Error('A row that was locked is gone.');
  announceLater(tx, heads);
  return row;
}
