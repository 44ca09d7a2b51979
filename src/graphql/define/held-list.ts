import { badField } from '../../domain/errors.js';
import type { ConnectionArguments, Order, Position, Window } from '../../domain/paging.js';
import { cursorPosition } from '../../records/lists/keyset.js';
import { type Connection, connect } from './connection.js';

/** A list whose rows are read all at once, as there are never many. */
interface HeldList<Row> {
  /** Name of the listed records, which their cursors have. */
  readonly list: string;
  /** Columns of a row by which it is found again; its id comes after them. */
  readonly columns: readonly string[];
  /** Reads the rows in their order. */
  readonly rows: () => Promise<readonly Row[]>;
  /** Compares a row with a position; without it, positions are found by the id alone. */
  readonly compare?: (row: Row, position: Position) => number;
}

/** Returns the number of rows up to a position, itself included or not. */
function countUpTo<Row extends { id: string }>(
  rows: readonly Row[],
  { compare }: HeldList<Row>,
  position: Position,
  included: boolean,
  argument: string,
): number {
  if (compare) return rows.filter((row) => compare(row, position) < (included ? 1 : 0)).length;
  const place = rows.findIndex(({ id }) => id === position.id);
  if (place === -1) throw badField([argument], 'is not a cursor of this list', 'format');
  return place + (included ? 1 : 0);
}

function partOf<Row extends { id: string }>(rows: readonly Row[], list: HeldList<Row>, window: Window) {
  const { after, before, offset, limit, backward } = window;
  const start = (after ? countUpTo(rows, list, after, true, 'after') : 0) + offset;
  const end = before ? countUpTo(rows, list, before, false, 'before') : rows.length;
  const all = rows.slice(start, Math.max(start, end));
  const part = backward ? all.slice(Math.max(all.length - limit, 0)) : all.slice(0, limit);
  return { rows: part, more: part.length < all.length };
}

/**
 * Answers a connection field with a part of a list. The list is read all at once.
 * @param args the field's arguments
 * @throws GatewayError BAD_REQUEST naming the argument at fault
 */
export function connectHeld<Row extends { id: string }>(
  args: ConnectionArguments,
  list: HeldList<Row>,
): Connection<Row> {
  let reading: Promise<readonly Row[]> | undefined;
  const read = () => {
    reading ??= list.rows();
    return reading;
  };
  const orders: Order[] = (list.columns.length > 0 ? list.columns : ['id']).map((field) => ({
    field,
    direction: 'asc',
  }));
  return connect(args, {
    list: list.list,
    orders,
    columns: orders.map(({ field }) => field),
    read: async (window) => partOf(await read(), list, window),
    count: async () => (await read()).length,
  });
}

/** Compares a row with a position: columns, then ids. The position's values come from the caller. */
export function compareByColumns<Row extends { id: string }>(columns: readonly string[]) {
  return (row: Row, position: Position): number => {
    const own = cursorPosition(row as Row & Record<string, unknown>, columns);
    const pairs = [...own.values.map((value, i) => [value, position.values[i]]), [own.id, position.id]];
    if (pairs.some(([mine, theirs]) => typeof mine !== typeof theirs))
      throw badField(['after'], 'is not a cursor of this list', 'format');
    for (const [mine, theirs] of pairs) {
      if (mine !== theirs) return (mine as string) < (theirs as string) ? -1 : 1;
    }
    return 0;
  };
}
