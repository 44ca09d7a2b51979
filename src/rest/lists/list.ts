import type { ListRoute } from '../../domain/doors/route.js';
import { GatewayError } from '../../domain/errors.js';
import type { ConnectionArguments } from '../../domain/paging.js';
import { readFilter } from './filter.js';
import { readOrder } from './order.js';
import { type Part, readPart } from './part.js';

/** Arguments of the gateway's connection, read from a list's query string. */
export interface ListArguments extends ConnectionArguments {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly orderBy: { readonly field: string; readonly direction: string };
}

/** The largest number of rows to skip. It exceeds any table, and is the largest Int. */
const largestOffset = 2 ** 31 - 1;

function windowOf({ page, size, cursor }: Part): ConnectionArguments {
  if (cursor === undefined) return { first: size, offset: Math.min((page - 1) * size, largestOffset) };
  return cursor === '' ? { first: size } : { first: size, after: cursor };
}

/**
 * Reads a list's query string (docs/rest.md); unknown parameters are ignored.
 * @param sortable the members that the list can be ordered by, with the gateway's names for them
 * @throws GatewayError BAD_REQUEST naming the invalid parameter
 */
export function readList(
  query: URLSearchParams,
  route: ListRoute,
  sortable: ReadonlyMap<string, string>,
): { part: Part; args: ListArguments } {
  const part = readPart(query, route);
  const { field, direction } = readOrder(query, route, [...sortable.keys()]);
  const word = sortable.get(field);
  if (word === undefined)
    throw new GatewayError('INTERNAL_ERROR', `${route.list} cannot be ordered by ${field}.`);
  const orderBy = { field: word, direction: direction.toUpperCase() };
  return { part, args: { ...windowOf(part), filter: readFilter(query, route), orderBy } };
}
