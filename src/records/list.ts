import type * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { modelFields } from '../db/sql/columns.js';
import type { TermCondition } from '../db/sql/conditions.js';
import type { Condition, Identified, ListQuery } from '../db/sql/query.js';
import type { Selection } from '../db/sql/selection.js';
import { isMoment } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import type { Order, Position, SortValue, Window } from '../domain/paging.js';
import { check, isUuid } from '../domain/rules.js';
import type { Readable } from './resource.js';

/**
 * Returns the rows after a position as keyset ranges of the order. Each range is a part of a UNION ALL: with
 * alternatives in one condition, no index could find where they begin. PostgreSQL counts null as larger than every
 * value, so nulls come last when ascending and first when descending, and one index serves both directions.
 */
function keysetRanges(
  field: string,
  nullable: boolean,
  ascending: boolean,
  { value, id }: Position,
): Condition[] {
  const than = ascending ? 'gt' : 'lt';
  if (field === 'id') return [{ id: { [than]: id } }];
  const nulls = { [field]: null };
  if (value !== null) {
    const further = { keyset: { field, than, value, id } };
    return ascending && nullable ? [further, nulls] : [further];
  }
  const ties = { ...nulls, id: { [than]: id } };
  return ascending ? [ties] : [ties, { NOT: nulls }];
}

/** Checks a cursor's position, and converts its value to the column's type. It comes from the caller. */
function checkCursor(resource: Readable, order: Order, argument: string, position: Position): Position {
  const rule = resource.sortable.get(order.field);
  const { value, id } = position;
  const moment = new Date(String(value));
  const candidates = isMoment(moment) && moment.toISOString() === value ? [value, moment] : [value];
  const fitting = candidates.find((candidate) => {
    const read = rule?.safeParse(candidate);
    // A rule may take null for its default, which is not what the column holds.
    return read?.success && (candidate !== null || read.data === null);
  });
  if (fitting === undefined || !isUuid(id)) throw badField([argument], 'is not a cursor of this list');
  return { value: fitting as SortValue, id };
}

/**
 * Builds the query for a page of a list, by keyset pagination. Rows are ordered by the order's field and then by id,
 * so that no row is ever on two pages. The page starts at its cursor by comparison, not by a number of rows.
 */
export function listQuery(resource: Readable, where: Condition, order: Order, window: Window): ListQuery {
  const { field } = order;
  const ascending = order.direction === 'asc';
  const nullable = resource.sortable.get(field)?.safeParse(null).data === null;
  const bounds = (argument: 'after' | 'before', onwards: boolean): Condition[] => {
    const position = window[argument];
    return position
      ? keysetRanges(field, nullable, onwards, checkCursor(resource, order, argument, position))
      : [];
  };
  const [after, before] = [bounds('after', ascending), bounds('before', !ascending)];
  const both = after.flatMap((from) => before.map((to) => ({ AND: [from, to] })));
  const ranges = both.length > 0 ? both : [...after, ...before];
  const direction = ascending !== window.backward ? 'asc' : 'desc';
  return {
    where,
    ...(ranges.length > 0 && { ranges }),
    orderBy: field === 'id' ? [{ id: direction }] : [{ [field]: direction }, { id: direction }],
    ...(window.offset > 0 && { skip: window.offset }),
    // One more than asked for tells whether there is a next page.
    take: window.limit + 1,
  };
}

export interface Page<Row> {
  readonly rows: Row[];
  /** True if the list continues in the direction of reading. */
  readonly more: boolean;
  /** Total number of rows on all pages, if it was counted with the rows. */
  readonly total?: number | undefined;
}

/** Columns that tell of a record's last change, and what it was. Of those that a record has, the first counts. */
const changes = { modified: 'changed', created: 'made', deletedAt: 'deleted' };

/** Returns the column with the time of a record's last change, and what that was. */
export function lastChange({ noun, rows }: Readable): readonly [column: string, change: string] {
  const columns = modelFields(rows.model);
  const known = Object.entries(changes).find(([column]) => columns.includes(column));
  if (!known) throw new Error(`Nothing tells when a ${noun} was changed.`);
  return known;
}

/** The part of a filter that every list has. */
interface SharedFilter {
  readonly modifiedSince?: Date | null;
}

/**
 * Translates the filter of a list to a condition. To the resource's own part comes what every list has.
 * @throws GatewayError BAD_REQUEST for a wrong filter
 */
export async function narrowed(resource: Readable, filter: object, session: Session): Promise<Condition> {
  const own = await resource.where(filter, session);
  const { modifiedSince } = filter as SharedFilter;
  if (modifiedSince == null) return own;
  const [column] = lastChange(resource);
  return { AND: [own, { [column]: { gte: modifiedSince } }] };
}

/**
 * Reads a window of the records that match a filter.
 * @param asked what is wanted: whether the rows of all pages are to be counted as well, should that take no further
 *   search, and the selection of each row
 * @throws GatewayError BAD_REQUEST for a wrong filter, or a cursor that is not of this list
 */
export async function listRecords<Row extends Identified>(
  session: Session,
  resource: Readable<Row>,
  filter: object,
  order: Order,
  window: Window,
  { counted = false, selection }: { counted?: boolean; selection?: Selection | undefined } = {},
): Promise<Page<Row>> {
  const query = listQuery(resource, await narrowed(resource, filter, session), order, window);
  const search = { counted, inIndexOrder: resource.indexed.includes(order.field) };
  const { rows, total } = isSearch(filter)
    ? await resource.rows.search(session, query, search, selection)
    : { rows: await resource.rows.list(session, query, selection) };
  const inWindow = rows.slice(0, window.limit);
  return { rows: window.backward ? inWindow.reverse() : inWindow, more: rows.length > window.limit, total };
}

/** Tells if a filter has a search term. */
export function isSearch(filter: object): boolean {
  return Boolean((filter as { term?: unknown }).term);
}

/** Counts the records that match a filter. */
export async function countRecords(session: Session, resource: Readable, filter: object): Promise<number> {
  return resource.rows.count(session, await narrowed(resource, filter, session));
}

/** Returns the keyset position of a row, for its cursor. */
export function cursorPosition(row: Record<string, unknown> & { id: string }, order: Order): Position {
  const value = row[order.field];
  return { value: value instanceof Date ? value.toISOString() : ((value ?? null) as SortValue), id: row.id };
}

/**
 * Translates a filter to a condition. A member equals the column of its name, except `term`: one of the searched
 * texts contains it, in any letter case. A member that was not given does not narrow the list.
 * @param conditionsByMember conditions of members that are not simple equality; they may look at the other members
 * @throws GatewayError BAD_REQUEST naming the member at fault
 */
export function filterCondition<T extends { term?: string | null }>(
  filterRules: z.ZodType<T>,
  filter: object,
  searched: readonly string[],
  conditionsByMember: ConditionsByMember<T> = {},
): Condition {
  const { term, ...members } = check(filterRules, filter, ['filter']);
  const given = Object.entries(members).filter(([, value]) => value != null);
  const conditions = given.map(([member, value]): Condition => {
    const conditionOf = conditionsByMember[member as keyof T] as
      | ((value: unknown, all: object) => Condition)
      | undefined;
    return conditionOf?.(value, members) ?? { [member]: value };
  });
  if (term)
    conditions.push({ searched: { fields: searched, term: escapeLike(term) } satisfies TermCondition });
  return { AND: conditions };
}

type ConditionsByMember<T> = { [Member in keyof T]?: (value: NonNullable<T[Member]>, all: T) => Condition };

/**
 * Returns filter conditions for rows about records: one record, or any of a kind.
 * @param relation relation to the rows' subjects
 * @param kindColumn column of that relation with the subject's kind
 */
export function aboutRecord(relation: string, kindColumn: string) {
  type About = { readonly entityId?: string | null; readonly entityType?: number | null };
  const some = ({ entityId, entityType }: About): Condition => ({
    [relation]: {
      some: {
        ...(entityId != null && { entityId }),
        ...(entityType != null && { [kindColumn]: entityType }),
      },
    },
  });
  return {
    entityId: (_entityId: string, all: About) => some(all),
    entityType: (_entityType: number, all: About) => (all.entityId == null ? some(all) : {}),
  };
}

/** Escapes `%`, `_` and `\` in a term for `LIKE`. */
const escapeLike = (term: string) => term.replace(/[\\%_]/g, '\\$&');
