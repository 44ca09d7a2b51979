import type { ObjectRef } from '@pothos/core';
import type { Session } from '../../db/connection/session.js';
import type { Identified } from '../../db/sql/conditions.js';
import { getJoined, type Parts } from '../../db/sql/tree.js';
import { badField } from '../../domain/errors.js';
import type { RecordKind } from '../../domain/models.js';
import type { ConnectionArguments, Order, RowPosition, Window } from '../../domain/paging.js';
import type { Link } from '../../records/links.js';
import { countNested, cursorPosition, listNested } from '../../records/list.js';
import { readOrders, sortColumns } from '../../records/lists/order.js';
import { builder } from '../builder.js';
import { needs } from '../execution/selection.js';
import { type Connection, connect } from './connection.js';
import type { List } from './reads.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/** A list that records of a type have. */
interface NestedList {
  readonly on: ObjectRef<Types, Identified> & { readonly name: string };
  readonly field: string;
  readonly description: string;
  /** The root list, and its kind of records. */
  readonly list: List & { readonly kind: RecordKind };
  readonly link: Link;
}

/**
 * Defines a connection on a type to the records that are linked to it. It works like the root connection. The
 * lists of all records on a level take as few statements as a single one.
 */
export function nest({ on, field, description, list, link }: NestedList): void {
  const { type, resource, order, connection, args, kind } = list;
  const nested = { name: `${on.name}.${field}`, kind, resource, link };
  builder.objectField(on, field, (t) =>
    t.connection(
      {
        type,
        description,
        ...needs({}),
        args,
        resolve: ({ id }, { filter, orderBy, ...args }, { session }) => {
          const [narrowed, orders] = [filter ?? {}, readOrders(orderBy, order)];
          return connect(args, {
            list: resource.rows.model,
            orders,
            columns: sortColumns(resource, orders),
            read: (window) => listNested(session, nested, id, narrowed, orders, window),
            count: () => countNested(session, nested, id, narrowed),
          });
        },
      },
      connection,
    ),
  );
}

/** A list that is read completely, because it never has many rows. */
interface HeldList<Row> {
  /** Name of the listed records, which their cursors include. */
  readonly list: string;
  /**
   * Order of the rows, with the id as the last key. Then a position is found even if its row is gone. Without
   * an order, a position is found by its row.
   */
  readonly orders?: readonly Order[] | undefined;
  /** Reads the rows in order. */
  readonly rows: () => Promise<readonly Row[]>;
}

/** Compares a row with a position, whose values come from the caller. */
function compare(
  row: { readonly id: string },
  position: RowPosition,
  orders: readonly Order[],
  argument: string,
): number {
  const columns = orders.map(({ field }) => field);
  const own = cursorPosition(row as Record<string, unknown> & { id: string }, columns);
  const [mine, theirs] = [own, position].map(({ values, id }) => [...values, id]) as [unknown[], unknown[]];
  if (mine.some((value, i) => typeof value !== typeof theirs[i]))
    throw badField([argument], 'is not a cursor of this list', 'format');
  const differing = mine.findIndex((value, i) => value !== theirs[i]);
  if (differing === -1) return 0;
  const isBefore = (mine[differing] as string) < (theirs[differing] as string);
  const { direction } = orders[differing] ?? (orders.at(-1) as Order);
  return isBefore === (direction === 'asc') ? -1 : 1;
}

/** Returns the number of rows up to a position, including it or not. */
function countUpTo<Row extends { id: string }>(
  rows: readonly Row[],
  { orders }: HeldList<Row>,
  position: RowPosition,
  included: boolean,
  argument: string,
): number {
  if (orders) {
    const end = included ? 1 : 0;
    return rows.filter((row) => compare(row, position, orders, argument) < end).length;
  }
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
 * Resolves a connection field with a part of a list. The list is read completely.
 * @param args the field's arguments
 * @throws GatewayError BAD_REQUEST naming the invalid argument
 */
export function connectContained<Row extends { id: string }>(
  args: ConnectionArguments,
  list: HeldList<Row>,
): Connection<Row> {
  let reading: Promise<readonly Row[]> | undefined;
  const read = () => {
    reading ??= list.rows();
    return reading;
  };
  const orders: readonly Order[] = list.orders ?? [{ field: 'id', direction: 'asc' }];
  return connect(args, {
    list: list.list,
    orders,
    columns: orders.map(({ field }) => field),
    read: async (window) => partOf(await read(), list, window),
    count: async () => (await read()).length,
  });
}

/** A connection on a type, whose rows are read completely. */
interface NestedHeldList<Owner extends Identified> {
  readonly on: ObjectRef<Types, Identified>;
  readonly field: string;
  readonly description: string;
  /** The root list of the same records. */
  readonly list: List;
  readonly orders?: HeldList<Identified>['orders'];
  /** Join that reads the rows together with the record. */
  readonly parts?: Parts | undefined;
  readonly rows: (session: Session, owner: Owner) => Promise<readonly Identified[]>;
}

/** Defines a connection on a type whose rows are read completely. It takes only Relay's arguments. */
export function nestContained<Owner extends Identified>(nested: NestedHeldList<Owner>): void {
  const { on, field, description, list, orders, parts, rows } = nested;
  const { type, resource, connection } = list;
  builder.objectField(on, field, (t) =>
    t.connection(
      {
        type,
        description,
        ...needs(parts ? { shows: parts } : {}),
        resolve: (owner, args, { session }) =>
          connectContained(args, {
            list: resource.rows.model,
            orders,
            rows: async () => {
              const joined = parts && getJoined(owner, parts);
              return (joined as readonly Identified[] | undefined) ?? rows(session, owner as Owner);
            },
          }),
      },
      connection,
    ),
  );
}
