import {
  furthestDays,
  isMoment,
  momentExpected,
  parseMoment,
  type Status,
  statusIds,
} from '../../domain/dates.js';
import type { ListParameter, ListRoute } from '../../domain/doors/route.js';
import { GatewayError } from '../../domain/errors.js';
import { eventTypes, parseEventType } from '../../domain/models.js';
import {
  type ConnectionArguments,
  type Direction,
  defaultPageSize,
  maxPageSize,
  type Order,
} from '../../domain/paging.js';
import { beyondInt32, isNil, isUuid, limits } from '../../domain/rules.js';
import { holderKinds } from '../../items/holders.js';
import { fieldName } from '../../web/parameters.js';
import { addedParameters, modelOf, showsFiles } from '../routes.js';

const largestInt32 = 2 ** 31 - 1;

/** Creates the error for an invalid query parameter. It says what is expected. */
export function badParameter(name: string, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${name}: ${expected}`, {
    parameters: [{ name, message: expected }],
  });
}

/** Reads a query parameter as it was sent. Its name matches in any letter case. */
function sentParameter(query: URLSearchParams, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const [key, again] = [...query.keys()].filter((key) => key.toLowerCase() === wanted);
  if (again !== undefined) throw badParameter(name, 'is sent more than once');
  return key === undefined ? undefined : (query.get(key) ?? undefined);
}

/** Reads a query parameter. An empty one counts as absent. */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  return sentParameter(query, name) || undefined;
}

/** Reads a query parameter that is a 32-bit integer. */
function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badParameter(name, `must be a whole number, not ${JSON.stringify(text.slice(0, 32))}`);
  const value = Number(text);
  if (value > largestInt32 || value < -largestInt32 - 1) throw badParameter(name, beyondInt32(value < 0));
  return value;
}

/** Reads a query parameter that is an id. The nil UUID counts as absent. */
function readId(query: URLSearchParams, name: string): string | undefined {
  const text = readParameter(query, name);
  if (text === undefined || isNil(text)) return undefined;
  if (!isUuid(text)) throw badParameter(name, 'must be a UUID');
  return text;
}

/** A time with a finer resolution than milliseconds. */
const finer = /\.\d{3}\d*[1-9]/;

/**
 * Reads a query parameter with an earliest time, as text for GraphQL. Stored times have milliseconds, so
 * fractions of one are rounded up. The `+` of an offset may arrive as a space, because forms decode it so.
 */
function readSince(query: URLSearchParams, name: string): string | undefined {
  const text = readParameter(query, name)?.replace(/ (?=\d{2}:\d{2}$)/, '+');
  if (text === undefined) return undefined;
  const cut = parseMoment(text);
  const since = cut && new Date(cut.getTime() + (finer.test(text) ? 1 : 0));
  if (!since || !isMoment(since)) throw badParameter(name, momentExpected);
  return since.toISOString();
}

/**
 * Reads a query parameter that is true or false.
 * @param standard the default
 * @throws GatewayError BAD_REQUEST for anything else
 */
export function readFlag(query: URLSearchParams, name: string, standard: boolean): boolean {
  const text = readParameter(query, name)?.toLowerCase() ?? String(standard);
  if (text !== 'true' && text !== 'false') throw badParameter(name, 'must be true or false');
  return text === 'true';
}

/**
 * Reads `includeFileContent` (docs/use/rest.md).
 * @param standard the default
 */
export const wantsFileContent = (query: URLSearchParams, standard: boolean): boolean =>
  readFlag(query, 'includeFileContent', standard);

/** Reads the event type `type`: its number or name. */
function typeIn(text: string): readonly number[] {
  const type = parseEventType(text);
  if (type === undefined) {
    const known = Object.keys(eventTypes).join(', ');
    throw badParameter('type', `must be the number of an event type, or one of ${known}`);
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

/** Reads the window of days. As in the original, 0 and below do not filter. */
function daysIn(query: URLSearchParams): number | undefined {
  const days = readInteger(query, 'expiresWithinDays') ?? -1;
  if (days > furthestDays)
    throw badParameter('expiresWithinDays', `must be at most ${furthestDays}, not ${days}`);
  return days > 0 ? days : undefined;
}

/** Reads the state: one of the list's values, in the gateway's spelling. */
function stateIn(text: string, { states = [] }: ListRoute): string {
  const word = text.toUpperCase();
  if (!states.includes(word)) {
    const known = states.map((state) => state.toLowerCase()).join(', ');
    throw badParameter('state', `must be one of ${known}, not ${JSON.stringify(text.slice(0, 32))}`);
  }
  return word;
}

/** Reads a kind of records that can have papers, in the gateway's spelling. */
function kindIn(text: string): string {
  const word = text.toLowerCase();
  if (!holderKinds.some((kind) => kind === word)) {
    const known = holderKinds.join(', ');
    throw badParameter('kind', `must be one of ${known}, not ${JSON.stringify(text.slice(0, 32))}`);
  }
  return word.toUpperCase();
}

/** Reads the ids of requirements, which commas separate. */
function requirementsIn(text: string): readonly string[] | undefined {
  const ids = text.split(',').map((id) => id.trim());
  if (ids.length > limits.entries)
    throw badParameter('requirement_ids', `must have at most ${limits.entries} entries`);
  if (!ids.every(isUuid)) throw badParameter('requirement_ids', 'must be UUIDs, separated by commas');
  const named = ids.filter((id) => !isNil(id));
  return named.length > 0 ? named : undefined;
}

/** Reads the days within which records are or will be non-compliant. -1 stands for none. */
function withinIn(query: URLSearchParams): number | undefined {
  const days = readInteger(query, 'within') ?? -1;
  if (days < -1 || days > furthestDays)
    throw badParameter('within', `must be from 0 to ${furthestDays}, not ${days}`);
  return days < 0 ? undefined : days;
}

/** Reads the parameters that filter a list, as the gateway's filter. */
export function readFilter(query: URLSearchParams, route: ListRoute): Record<string, unknown> {
  const text = <Value>(name: ListParameter, read: (text: string) => Value) => {
    const value = readParameter(query, name);
    return value === undefined ? undefined : read(value);
  };
  const read: Partial<Record<ListParameter, () => readonly [field: string, value: unknown]>> = {
    term: () => ['term', text('term', String)],
    email: () => ['email', text('email', String)],
    type: () => ['typeIds', text('type', typeIn)],
    status: () => ['status', text('status', statusIn)],
    state: () => ['state', text('state', (word) => stateIn(word, route))],
    expiresWithinDays: () => ['expiresWithinDays', daysIn(query)],
    contact_id: () => ['contactId', readId(query, 'contact_id')],
    recipient_id: () => ['recipientId', readId(query, 'recipient_id')],
    holder_id: () => ['holderId', readId(query, 'holder_id')],
    item_id: () => ['itemId', readId(query, 'item_id')],
    category_id: () => ['categoryId', readId(query, 'category_id')],
    location_id: () => ['locationId', readId(query, 'location_id')],
    kind: () => ['kind', text('kind', kindIn)],
    requirement_ids: () => ['requirementIds', text('requirement_ids', requirementsIn)],
    within: () => ['within', withinIn(query)],
    team_id: () => ['teamId', readId(query, 'team_id')],
    modifiedSince: () => ['modifiedSince', readSince(query, 'modifiedSince')],
  };
  const members = [...route.parameters, ...addedParameters(route)].flatMap((name) => {
    const member = read[name]?.();
    return member ? [member] : [];
  });
  if (route.isTermExact) members.push(['termInCustomFields', false]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function directionIn(query: URLSearchParams): Direction | undefined {
  const text = readParameter(query, 'sortDirection');
  const direction = text?.toLowerCase();
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    throw badParameter('sortDirection', `must be asc or desc, not ${JSON.stringify(text?.slice(0, 32))}`);
  }
  return direction;
}

/**
 * Applies the requested direction to the default order. Newest-first orders stay: generated clients send
 * every declared default, so `sortDirection=asc` without a `sort` means nothing (docs/use/rest.md).
 */
function withDirection(order: Order, direction: Direction | undefined): Order {
  return order.direction === 'desc' ? order : { ...order, direction: direction ?? order.direction };
}

/**
 * Reads the order of a list: `sort` and `sortDirection`.
 * @param sortable the fields that the list can be ordered by
 */
function readOrder(query: URLSearchParams, route: ListRoute, sortable: readonly string[]): Order {
  const direction = directionIn(query);
  const sort = readParameter(query, 'sort');
  if (sort === undefined) return withDirection(route.order, direction);
  const members = modelOf(route.model).members.filter((member) => sortable.includes(fieldName(member)));
  const words: Readonly<Record<string, string>> = {
    ...route.orders,
    ...Object.fromEntries(members.map((member) => [member, fieldName(member)])),
  };
  const word = sort.toLowerCase();
  const field = Object.hasOwn(words, word) ? words[word] : undefined;
  if (field === undefined) {
    const known = Object.keys(words).join(', ');
    throw badParameter('sort', `must be one of ${known}, not ${JSON.stringify(sort.slice(0, 64))}`);
  }
  return { field, direction: direction ?? 'asc' };
}

/** The requested part of a list. */
export interface Part {
  /** The page, from 1. It is 1 for a list that is read by cursors, which has no page numbers. */
  readonly page: number;
  readonly size: number;
  /** End of the previous part, empty for the start; undefined if pages have numbers. */
  readonly cursor: string | undefined;
}

/** Maximum rows of a page with file contents. Each row may have many files. */
export const largestPageWithFiles = 25;

/** Maximum bytes of the files of a page. Further files are left out, and can be read by id. */
export const largestContents = 32 * 1024 * 1024;

/** Reads the page number, from 1; -1 stands for none (docs/use/rest.md). */
function pageIn(query: URLSearchParams): number | undefined {
  const page = readInteger(query, 'page') ?? -1;
  if (page === 0 || page < -1)
    throw badParameter('page', `must be 1 or more, or -1 for the first, not ${page}`);
  return page === -1 ? undefined : page;
}

function sizeIn(query: URLSearchParams, route: ListRoute): number {
  const size = route.pageSize ?? readInteger(query, 'paging') ?? defaultPageSize;
  if (size < 1 || size > maxPageSize)
    throw badParameter('paging', `must be from 1 to ${maxPageSize}, not ${size}`);
  const standard = showsFiles(route);
  const hasFiles = standard !== undefined && wantsFileContent(query, standard);
  return hasFiles ? Math.min(size, largestPageWithFiles) : size;
}

/** Reads which part of a list is requested: `page` or `cursor`, and `paging`. */
function readPart(query: URLSearchParams, route: ListRoute): Part {
  const page = pageIn(query);
  const cursor = sentParameter(query, 'cursor');
  if (page !== undefined && cursor !== undefined)
    throw badParameter('cursor', 'cannot be combined with page');
  return { page: page ?? 1, size: sizeIn(query, route), cursor };
}

/** Arguments of the gateway's connection, read from a list's query string. */
interface ListArguments extends ConnectionArguments {
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
 * Reads a list's query string (docs/use/rest.md); unknown parameters are ignored.
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

/** A link to a part of a list: relation, and parameter with value. */
type Relation = readonly [
  name: 'next' | 'prev' | 'first' | 'last',
  parameter: 'page' | 'cursor',
  value: string,
];

/** Lists the links of a numbered page. The page before the first one beyond the end is the last page. */
function relationsOfPage(page: number, pages: number): Relation[] {
  const last = Math.max(pages, 1);
  return [
    ...(page < last ? [['next', 'page', String(page + 1)] as const] : []),
    ...(page > 1 ? [['prev', 'page', String(Math.min(page - 1, last))] as const] : []),
    ['first', 'page', '1'],
    ['last', 'page', String(last)],
  ];
}

/** Lists the links of a part after a cursor. The start of the previous part is unknown. */
function relationsOfCursor(next: string | undefined): Relation[] {
  return [...(next === undefined ? [] : [['next', 'cursor', next] as const]), ['first', 'cursor', '']];
}

/** Maximum characters of the header. A proxy's buffer for all headers is usually 4 KiB. */
const longestHeader = 2_048;

/**
 * Writes the `Link` header of a list (RFC 8288). Its references are relative, so that they work behind a
 * proxy, and keep the request's other parameters. If it would be too long, it has only the most useful link.
 * @param pages the number of pages
 * @param next the cursor of the next part, if there is one
 */
export function linkHeader(
  path: string,
  query: URLSearchParams,
  { page, cursor }: Part,
  { pages, next }: { readonly pages: number; readonly next: string | undefined },
): string {
  const others = [...query].filter(([name]) => !/^(page|cursor)$/i.test(name));
  const kept = others.length === 0 ? '' : `${new URLSearchParams(others)}&`;
  const relations = cursor === undefined ? relationsOfPage(page, pages) : relationsOfCursor(next);
  const links = relations.map(
    ([name, parameter, value]) => `<${path}?${kept}${parameter}=${value}>; rel="${name}"`,
  );
  const header = links.join(', ');
  return header.length <= longestHeader ? header : (links[0] ?? '');
}
