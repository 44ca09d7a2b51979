import type { Order, Position, SortValue, Window } from '../domain/paging.js';
import type { Resource } from './resource.js';

type Condition = Record<string, unknown>;

/** What a `findMany` needs to read a window of an ordered list. */
export interface ListQuery {
  readonly where: Condition;
  readonly orderBy: Condition[];
  readonly skip?: number;
  readonly take: number;
}

/**
 * The rows beyond a position. PostgreSQL counts null as larger than every value, so nulls come last when
 * ascending and first when descending, and one index serves both directions.
 */
function beyond(field: string, nullable: boolean, ascending: boolean, { value, id }: Position): Condition {
  const than = ascending ? 'gt' : 'lt';
  const ties = { [field]: value, id: { [than]: id } };
  if (value === null) return ascending ? ties : { OR: [ties, { NOT: { [field]: null } }] };
  const further: Condition[] = [{ [field]: { [than]: value } }, ties];
  if (ascending && nullable) further.push({ [field]: null });
  return { OR: further };
}

/**
 * The query for a window of a list: ordered by the order's field and then by id, so that no row is ever on two
 * pages, and entered at its cursor by comparing, not by counting.
 * @param filter the rows of the list, as a Prisma `where`
 */
export function listQuery(resource: Resource, filter: Condition, order: Order, window: Window): ListQuery {
  const ascending = (order.direction === 'asc') !== window.backward;
  const nullable = resource.nullable.has(order.field);
  const bounds: Condition[] = [filter];
  if (window.after) bounds.push(beyond(order.field, nullable, order.direction === 'asc', window.after));
  if (window.before) bounds.push(beyond(order.field, nullable, order.direction !== 'asc', window.before));
  const direction = ascending ? 'asc' : 'desc';
  return {
    where: { AND: bounds },
    orderBy: order.field === 'id' ? [{ id: direction }] : [{ [order.field]: direction }, { id: direction }],
    ...(window.offset > 0 && { skip: window.offset }),
    // One more than asked for tells whether there is a next page.
    take: window.limit + 1,
  };
}

/** The part of a list that was read. */
export interface Page<Row> {
  readonly rows: Row[];
  /** Whether the list goes on in the direction it was read in. */
  readonly more: boolean;
}

/** Cuts what a list query read to its window and puts it in the list's own order. */
export function pageOf<Row>(rows: Row[], window: Window): Page<Row> {
  const inWindow = rows.slice(0, window.limit);
  return { rows: window.backward ? inWindow.reverse() : inWindow, more: rows.length > window.limit };
}

/** Where a row stands in an order. */
export function positionOf(row: Record<string, unknown> & { id: string }, order: Order): Position {
  const value = row[order.field];
  return { value: value instanceof Date ? value.toISOString() : ((value ?? null) as SortValue), id: row.id };
}

/** A condition that a text contains a term, letter case apart; the term's `%`, `_` and `\` stand for themselves. */
export function containing(term: string): { contains: string; mode: 'insensitive' } {
  return { contains: term.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' };
}

/** The members of a filter that were given; the others do not narrow the list. */
export function givenOf<T extends object>(filter: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null)) as ReturnType<
    typeof givenOf<T>
  >;
}
