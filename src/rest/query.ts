import { GatewayError } from '../domain/errors.js';
import { eventTypes, parseEventType } from '../domain/events.js';
import { type Direction, defaultPageSize, maxPageSize, type Order } from '../domain/paging.js';
import { isNil, isUuid } from '../domain/rules.js';
import { furthestDays, type Status, statusIds } from '../domain/status.js';
import { fieldName } from '../web/names.js';
import { models } from './models.js';
import type { ListParameter, ListRoute } from './route.js';

/** Arguments of the gateway's connection, read from a list's query string. */
export interface ListArguments {
  readonly first: number;
  readonly offset: number;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly orderBy: { readonly field: string; readonly direction: string };
}

const largestInt32 = 2 ** 31 - 1;

function badParameter(parameter: string, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${parameter}: ${expected}`);
}

/** Reads a query parameter, whose name counts in any letter case. An empty one counts as absent. */
function readParameter(query: URLSearchParams, name: string): string | undefined {
  const values = [...query]
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  if (values.length > 1) throw badParameter(name, 'is sent more than once');
  return values[0] === '' ? undefined : values[0];
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= largestInt32))
    throw badParameter(name, `must be a whole number, not ${JSON.stringify(text.slice(0, 32))}`);
  return value;
}

/**
 * Reads `includeFileContent` (docs/rest.md).
 * @param standard what it is when it is not sent
 * @throws GatewayError BAD_REQUEST for what is neither true nor false
 */
export function wantsFileContent(query: URLSearchParams, standard: boolean): boolean {
  const text = readParameter(query, 'includeFileContent')?.toLowerCase() ?? String(standard);
  if (text !== 'true' && text !== 'false') throw badParameter('includeFileContent', 'must be true or false');
  return text === 'true';
}

/** Largest page of rows with the bytes of files. Each row may have many of them. */
export const largestPageWithFiles = 25;

/** Most bytes of the files of a page. What goes beyond is left out, and can be read by its id. */
export const largestContents = 32 * 1024 * 1024;

/** Reads the page number, from 1; -1 stands for the first (docs/rest.md). */
function pageIn(query: URLSearchParams): number {
  const page = integer(query, 'page') ?? -1;
  if (page === 0 || page < -1)
    throw badParameter('page', `must be 1 or more, or -1 for the first, not ${page}`);
  return page === -1 ? 1 : page;
}

function sizeIn(query: URLSearchParams, { fileContent, pageSize }: ListRoute): number {
  const size = pageSize ?? integer(query, 'paging') ?? defaultPageSize;
  if (size < 1 || size > maxPageSize)
    throw badParameter('paging', `must be from 1 to ${maxPageSize}, not ${size}`);
  const hasFiles = fileContent !== undefined && wantsFileContent(query, fileContent);
  return hasFiles ? Math.min(size, largestPageWithFiles) : size;
}

function directionIn(query: URLSearchParams): Direction | undefined {
  const text = readParameter(query, 'sortDirection');
  const direction = text?.toLowerCase();
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    throw badParameter('sortDirection', `must be asc or desc, not ${JSON.stringify(text?.slice(0, 32))}`);
  }
  return direction;
}

/** Reads the kind of event, `type`: its number or its name. */
function typeIn(text: string): readonly number[] {
  const type = parseEventType(text);
  if (type === undefined) {
    const known = Object.keys(eventTypes).join(', ');
    throw badParameter('type', `must be the number of a kind of event, or one of ${known}`);
  }
  return [type];
}

/** Reads the status: one of the six words, in the gateway's spelling. */
function statusIn(text: string): readonly string[] {
  const word = text.toLowerCase();
  if (!Object.hasOwn(statusIds, word)) {
    const known = Object.keys(statusIds).join(', ');
    throw badParameter('status', `must be one of ${known}, not ${JSON.stringify(text.slice(0, 32))}`);
  }
  return [(word as Status).toUpperCase()];
}

/** Reads the window of days. 0 and below narrow nothing, as in the original. */
function daysIn(query: URLSearchParams): number | undefined {
  const days = integer(query, 'expiresWithinDays') ?? -1;
  if (days > furthestDays)
    throw badParameter('expiresWithinDays', `must be at most ${furthestDays}, not ${days}`);
  return days > 0 ? days : undefined;
}

function idIn(query: URLSearchParams, name: ListParameter): string | undefined {
  const text = readParameter(query, name);
  if (text === undefined || isNil(text)) return undefined;
  if (!isUuid(text)) throw badParameter(name, 'must be a UUID');
  return text;
}

/** Reads the filter of a list, in the words of the gateway's filter. */
function filterIn(query: URLSearchParams, { parameters }: ListRoute): Record<string, unknown> {
  const text = <Value>(name: ListParameter, read: (text: string) => Value) => {
    const value = readParameter(query, name);
    return value === undefined ? undefined : read(value);
  };
  const read: Partial<Record<ListParameter, () => readonly [field: string, value: unknown]>> = {
    term: () => ['term', text('term', String) ?? ''],
    email: () => ['email', text('email', String)],
    type: () => ['typeIds', text('type', typeIn)],
    status: () => ['status', text('status', statusIn)],
    expiresWithinDays: () => ['expiresWithinDays', daysIn(query)],
    contact_id: () => ['contactId', idIn(query, 'contact_id')],
    category_id: () => ['categoryId', idIn(query, 'category_id')],
    team_id: () => ['teamId', idIn(query, 'team_id')],
  };
  const members = parameters.flatMap((name) => {
    const member = read[name]?.();
    return member ? [member] : [];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/**
 * Turns the default order into the direction asked for. The newest stay first: generated clients send every declared
 * default, `sortDirection=asc` without a `sort`, and mean none of it (docs/rest.md).
 */
function withDirection(order: Order, direction: Direction | undefined): Order {
  return order.direction === 'desc' ? order : { ...order, direction: direction ?? order.direction };
}

function orderIn(query: URLSearchParams, route: ListRoute, sortable: readonly string[]): Order {
  if (!route.parameters.includes('sort')) return route.order;
  const direction = directionIn(query);
  const sort = readParameter(query, 'sort');
  if (sort === undefined) return withDirection(route.order, direction);
  const members = models[route.model].members.filter((member) => sortable.includes(fieldName(member)));
  const member = members.find((name) => name === sort.toLowerCase());
  if (!member) {
    throw badParameter(
      'sort',
      `must be one of ${members.join(', ')}, not ${JSON.stringify(sort.slice(0, 64))}`,
    );
  }
  return { field: fieldName(member), direction: direction ?? 'asc' };
}

/**
 * Reads a list's query string (docs/rest.md); unknown parameters are ignored.
 * @param sortable the members that the list can be ordered by, with the words of the gateway's order
 * @throws GatewayError BAD_REQUEST naming the parameter at fault
 */
export function readList(
  query: URLSearchParams,
  route: ListRoute,
  sortable: ReadonlyMap<string, string>,
): { page: number; args: ListArguments } {
  const page = pageIn(query);
  const first = sizeIn(query, route);
  const { field, direction } = orderIn(query, route, [...sortable.keys()]);
  const word = sortable.get(field);
  if (word === undefined)
    throw new GatewayError('INTERNAL_ERROR', `${route.list} cannot be ordered by ${field}.`);
  return {
    page,
    args: {
      first,
      // Past any table's end an empty list is the answer, and an Int can say no more than this.
      offset: Math.min((page - 1) * first, largestInt32),
      filter: filterIn(query, route),
      orderBy: { field: word, direction: direction.toUpperCase() },
    },
  };
}
