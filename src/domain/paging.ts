import { badField, GatewayError } from './errors.js';

/** Default size of a page, and the largest that a caller may ask for. */
export const defaultPageSize = 100;
export const maxPageSize = 500;

export type Direction = 'asc' | 'desc';

/** A value that rows can be ordered by, as JSON carries it. */
export type SortValue = string | number | boolean | null;

/** Position of a row in an ordered list. The id breaks ties of the order's field. */
export interface Position {
  readonly value: SortValue;
  readonly id: string;
}

/** Order of a list: a field of the model, in GraphQL's names, and a direction. */
export interface Order<Field extends string = string> {
  readonly field: Field;
  readonly direction: Direction;
}

/** The arguments of a Relay connection, with `offset` for clients that number their pages. */
export interface ConnectionArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
  readonly offset?: number | null;
}

/** Part of an ordered list to read. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
  readonly after: Position | undefined;
  readonly before: Position | undefined;
  /** Read from the end of the list backwards (`last`). */
  readonly backward: boolean;
}

/**
 * Encodes a row's position as a cursor. It is opaque to clients, and good only for the order it was made in.
 * @param list name of what is listed, for which alone it is good
 */
export function encodeCursor({ field, direction }: Order, list: string, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([field, direction, value, id, list])).toString('base64url');
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function decodeCursor(order: Order, list: string, cursor: string, argument: string): Position {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  // Cursors had no list once, and callers may hold some of those.
  const [field, direction, value, id, of = list] = Array.isArray(parts) ? parts : [];
  if (typeof id !== 'string' || !isSortValue(value) || of !== list)
    throw badField([argument], 'is not a cursor of this list', 'format');
  if (field !== order.field || direction !== order.direction) {
    throw badField([argument], 'is a cursor of this list in another order', 'format');
  }
  return { value, id };
}

function checkSize(argument: string, size: number): void {
  if (size < 0 || size > maxPageSize)
    throw badField([argument], `must be from 0 to ${maxPageSize}, not ${size}`, 'range');
}

/**
 * Reads a connection's arguments (Relay's cursor connections, section 4.4).
 * @param list name of what is listed, which its cursors have
 * @throws GatewayError BAD_REQUEST naming the argument that is out of range, of another list, or does not go
 *   with another.
 */
export function readWindow(order: Order, list: string, args: ConnectionArguments): Window {
  const { first, last, offset } = args;
  if (first != null && last != null) {
    throw new GatewayError('BAD_REQUEST', 'Send `first` or `last`, not both.');
  }
  if (offset != null && (last != null || args.after != null || args.before != null)) {
    throw new GatewayError('BAD_REQUEST', '`offset` goes with `first` alone, not with cursors.');
  }
  if (first != null) checkSize('first', first);
  if (last != null) checkSize('last', last);
  if (offset != null && offset < 0)
    throw badField(['offset'], `must not be negative, not ${offset}`, 'range');
  return {
    limit: first ?? last ?? defaultPageSize,
    offset: offset ?? 0,
    after: args.after == null ? undefined : decodeCursor(order, list, args.after, 'after'),
    before: args.before == null ? undefined : decodeCursor(order, list, args.before, 'before'),
    backward: last != null,
  };
}
