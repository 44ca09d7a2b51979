import type { Condition, ListQuery } from '../../db/sql/query.js';
import { isMoment } from '../../domain/dates.js';
import { badField } from '../../domain/errors.js';
import type { RowPosition, SortValue, Window } from '../../domain/paging.js';
import { isUuid } from '../../domain/rules.js';
import type { Sort, SortKey } from './order.js';

/** A sort key, and the direction in which rows follow the position. */
interface Key {
  readonly column: string;
  readonly nullable: boolean;
  readonly upwards: boolean;
}

/**
 * Returns the ranges of rows beyond a value in one key. PostgreSQL sorts null after every value, so nulls
 * come last when ascending and first when descending, and one index serves both directions.
 * @param id breaks ties, if this is the last key
 */
function furtherRanges({ column, nullable, upwards }: Key, value: unknown, id?: string): Condition[] {
  const than = upwards ? 'gt' : 'lt';
  if (column === 'id') return [{ id: { [than]: value } }];
  const nulls = { [column]: null };
  if (value !== null) {
    const further =
      id === undefined ? { [column]: { [than]: value } } : { keyset: { field: column, than, value, id } };
    return upwards && nullable ? [further, nulls] : [further];
  }
  const ties = id === undefined ? [] : [{ ...nulls, id: { [than]: id } }];
  return upwards ? ties : [...ties, { NOT: nulls }];
}

/**
 * Returns the rows after a position as keyset ranges of the order. The rows of a range equal the position in
 * the keys before one, and go beyond it in that key. Each range becomes a part of a UNION ALL, because with
 * an OR in one condition no index could find the start.
 */
function keysetRanges(keys: readonly Key[], values: readonly unknown[], id: string): Condition[] {
  const last = keys.length - 1;
  return keys
    .flatMap((key, place) => {
      const same = keys.slice(0, place).map(({ column }, i): Condition => ({ [column]: values[i] }));
      const value = key.column === 'id' ? id : values[place];
      const ranges = furtherRanges(key, value, place === last ? id : undefined);
      return [ranges.map((range) => (same.length === 0 ? range : { AND: [...same, range] }))];
    })
    .reverse()
    .flat();
}

const isNullable = ({ rule }: SortKey) => rule.safeParse(null).data === null;

/** Checks a cursor's value for a key, and converts it to the column's type. Cursors come from callers. */
function fittingValue({ rule }: SortKey, value: SortValue | undefined): unknown {
  const moment = new Date(String(value));
  const candidates = isMoment(moment) && moment.toISOString() === value ? [value, moment] : [value];
  return candidates.find((candidate) => {
    const read = rule.safeParse(candidate);
    // A rule may accept null as a default, which is not what the column holds.
    return read.success && (candidate !== null || read.data === null);
  });
}

/**
 * Builds the query for a page of a list by keyset pagination. Rows are ordered by the keys and then by id, so
 * that no row appears on two pages. The page starts by comparison with its cursor, not at an offset.
 * @throws GatewayError BAD_REQUEST for a cursor of another list
 */
export function listQuery(where: Condition, { keys, from }: Sort, window: Window): ListQuery {
  const bounds = (argument: 'after' | 'before'): Condition[] => {
    const position: RowPosition | undefined = window[argument];
    if (!position) return [];
    const values = keys.map((key, place) => fittingValue(key, position.values[place]));
    if (values.includes(undefined) || !isUuid(position.id))
      throw badField([argument], 'is not a cursor of this list', 'format');
    const upwards = (key: SortKey) => key.ascending === (argument === 'after');
    const ordered = keys.map((key) => ({
      column: key.column,
      nullable: isNullable(key),
      upwards: upwards(key),
    }));
    return keysetRanges(ordered, values, position.id);
  };
  const [after, before] = [bounds('after'), bounds('before')];
  const until: Condition[] = keys.length === 1 ? before : [{ OR: before }];
  const both =
    before.length === 0 ? [] : after.flatMap((start) => until.map((end) => ({ AND: [start, end] })));
  const ranges = both.length > 0 ? both : [...after, ...before];
  const way = ({ ascending }: SortKey) => (ascending !== window.backward ? 'asc' : 'desc');
  const last = keys.at(-1) as SortKey;
  const orderBy = keys.map((key) => ({ [key.column]: way(key) }));
  return {
    where,
    from,
    ...(ranges.length > 0 && { ranges }),
    orderBy: last.column === 'id' ? orderBy : [...orderBy, { id: way(last) }],
    ...(window.offset > 0 && { skip: window.offset }),
    // Read one more row than requested, to know whether there is a next page.
    take: window.limit + 1,
  };
}

/** Returns the keyset position of a row, for its cursor. */
export function cursorPosition(
  row: Record<string, unknown> & { id: string },
  columns: readonly string[],
): RowPosition {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Date ? value.toISOString() : ((value ?? null) as SortValue);
  });
  return { values, id: row.id };
}
