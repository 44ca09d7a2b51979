import { argumentError, badField } from './errors.js';

/** Default page size, and the largest that a caller may request. */
export const defaultPageSize = 100;
export const maxPageSize = 500;

export type Direction = 'asc' | 'desc';

/** A value that rows can be ordered by, as JSON represents it. */
export type SortValue = string | number | boolean | null;

/** Position of a row in an ordered list: its value of each key. The id breaks ties. */
export interface RowPosition {
  readonly values: readonly SortValue[];
  readonly id: string;
}

/** Key of an order. It is a field by its GraphQL name, or a linked or computed value, with a direction. */
export interface Order<Field extends string = string> {
  readonly field: Field;
  readonly direction: Direction;
  /** Id or name of the custom field, if the key is one. */
  readonly customField?: string | null | undefined;
}

/** Maximum number of keys of an order. */
export const maxOrders = 5;

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
  readonly after: RowPosition | undefined;
  readonly before: RowPosition | undefined;
  /** True to read backward from the end of the list (`last`). */
  readonly backward: boolean;
}

/** Returns the name of a sort key in cursors. */
const nameOf = ({ field, customField }: Order) => (customField == null ? field : `${field} ${customField}`);

/** Returns several parts as a list, but a single one by itself. */
const oneOrAll = <Part>(parts: readonly Part[]) => (parts.length === 1 ? (parts[0] as Part) : parts);

/**
 * Encodes a row's position as a cursor. It is opaque to clients, and valid only for the order it was created
 * in.
 * @param list name of the listed records, for which alone it is valid
 */
export function encodeCursor(orders: readonly Order[], list: string, { values, id }: RowPosition): string {
  const directions = orders.map(({ direction }) => direction);
  const parts = [oneOrAll(orders.map(nameOf)), oneOrAll(directions), oneOrAll(values), id, list];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function decodeCursor(orders: readonly Order[], list: string, cursor: string, argument: string): RowPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  // Old cursors have no list, and callers may still hold some.
  const [names, directions, value, id, of = list] = Array.isArray(parts) ? parts : [];
  const values: unknown[] = Array.isArray(names) && Array.isArray(value) ? value : [value];
  if (typeof id !== 'string' || !values.every(isSortValue) || of !== list)
    throw badField([argument], 'is not a cursor of this list', 'format');
  const expected = [oneOrAll(orders.map(nameOf)), oneOrAll(orders.map(({ direction }) => direction))];
  const isSame = JSON.stringify([names, directions]) === JSON.stringify(expected);
  if (!isSame || values.length !== orders.length) {
    throw badField([argument], 'is a cursor of this list for a different order', 'format');
  }
  return { values, id };
}

function checkSize(argument: string, size: number): void {
  if (size < 0 || size > maxPageSize)
    throw badField([argument], `must be from 0 to ${maxPageSize}, not ${size}`, 'range');
}

/**
 * Reads a connection's arguments (Relay's cursor connections, section 4.4).
 * @param list name of the listed records, which cursors contain
 * @throws GatewayError BAD_REQUEST naming the argument that is out of range, of another list, or conflicts
 *   with another
 */
export function readWindow(orders: readonly Order[], list: string, args: ConnectionArguments): Window {
  const { first, last, offset } = args;
  if (first != null && last != null) {
    throw argumentError('BAD_REQUEST', 'Send `first` or `last`, not both.', ['last']);
  }
  if (offset != null && (last != null || args.after != null || args.before != null)) {
    const message = '`offset` can be used only with `first`, not with cursors.';
    throw argumentError('BAD_REQUEST', message, ['offset']);
  }
  if (first != null) checkSize('first', first);
  if (last != null) checkSize('last', last);
  if (offset != null && offset < 0)
    throw badField(['offset'], `must not be negative, not ${offset}`, 'range');
  return {
    limit: first ?? last ?? defaultPageSize,
    offset: offset ?? 0,
    after: args.after == null ? undefined : decodeCursor(orders, list, args.after, 'after'),
    before: args.before == null ? undefined : decodeCursor(orders, list, args.before, 'before'),
    backward: last != null,
  };
}
