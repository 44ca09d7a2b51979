import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import {
  type Condition,
  columnSql,
  columnsSql,
  type Identified,
  type ListQuery,
  rowsSql,
} from '../db/sql/conditions.js';
import { modelName, tables } from '../db/sql/models.js';
import { type CountedRows, pageSql, type Total } from '../db/sql/select.js';
import { empty, join, raw, Sql, sql } from '../db/sql/sql.js';
import { hasManyRows } from '../db/sql/statistics.js';
import type { Selection } from '../db/sql/tree.js';
import { isMoment } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import type { RecordKind } from '../domain/models.js';
import type { Order, RowPosition, SortValue, Window } from '../domain/paging.js';
import { isUuid } from '../domain/rules.js';
import { type Link, linkCondition } from './links.js';
import { isSearch, listCondition, seenKinds } from './lists/filter.js';
import {
  checkLength,
  listTooLong,
  makeSort,
  maxComputedRows,
  type Sort,
  type SortKey,
  wholeRow,
} from './lists/order.js';
import { type BatchLoader, groupByKey, type Linked, loadBatched } from './loaders.js';
import type { ListedResource } from './resource.js';

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

export interface Page<Row> {
  readonly rows: Row[];
  /** True if the list continues in the direction of reading. */
  readonly more: boolean;
  /** Total number of rows on all pages, if it was counted along with the rows. */
  readonly total?: number | undefined;
}

/**
 * Reads a page of the records that match a filter.
 * @param asked the selection of each row, and which rows of all pages to count if that needs no extra search
 * @throws GatewayError BAD_REQUEST for an invalid filter, a cursor of another list, or a list that is too
 *   long for its order
 */
export async function listRecords<Row extends Identified>(
  session: Session,
  resource: ListedResource<Row>,
  filter: object,
  orders: readonly Order[],
  window: Window,
  { counted, selection }: { counted?: CountedRows | undefined; selection?: Selection | undefined } = {},
): Promise<Page<Row>> {
  const where = await listCondition(resource, filter, session);
  const sort = await makeSort(session, resource, orders);
  const [first] = orders;
  const inIndexOrder = orders.length === 1 && resource.indexed.includes(first?.field ?? '');
  const query = {
    ...listQuery(where, sort, window),
    isIndexed: isIndexed(resource, where, orders),
    isUnordered: !inIndexOrder,
    isSorted: !resource.indexed.includes(first?.field ?? ''),
    isOfForeignKey: Object.hasOwn(resource.indexedBy ?? {}, first?.field ?? ''),
  };
  await checkLength(session, resource, where, sort);
  const search = { counted, inIndexOrder };
  const read = selection ?? (sort.from && wholeRow(sort));
  const { rows, total } = isSearch(filter)
    ? await resource.rows.search(session, query, search, read)
    : { rows: await resource.rows.list(session, query, read) };
  const inWindow = rows.slice(0, window.limit);
  return { rows: window.backward ? inWindow.reverse() : inWindow, more: rows.length > window.limit, total };
}

/** Lists the terms of a condition that is a conjunction. */
function termsOf(condition: Condition): (readonly [column: string, value: unknown])[] {
  return Object.entries(condition).flatMap(([name, value]) =>
    name === 'AND' ? [value as Condition | Condition[]].flat().flatMap(termsOf) : [[name, value] as const],
  );
}

/** Returns whether an index contains exactly the rows of a list, in its order. */
function isIndexed({ indexedBy = {} }: ListedResource, where: Condition, orders: readonly Order[]): boolean {
  const [[column, value] = ['', undefined], ...others] = termsOf(where);
  const [order, ...further] = orders;
  const isOne = typeof value === 'string' || value instanceof Sql;
  if (others.length > 0 || further.length > 0 || !isOne) return false;
  return indexedBy[column]?.includes(order?.field ?? '') ?? false;
}

/**
 * Counts the records that match a filter.
 * @param counted `some` if a large organization's need not be counted to the last one
 */
export async function countRecords(
  session: Session,
  resource: ListedResource,
  filter: object,
  counted: CountedRows,
): Promise<Total> {
  const where = await listCondition(resource, filter, session);
  if (counted === 'some') return resource.rows.countSome(session, where);
  return { count: await resource.rows.count(session, where), isComplete: true };
}

/**
 * Returns filter conditions for rows about records: one record, or any of a kind. A hidden record has none.
 * @param relation relation to the rows' subjects
 * @param kindColumn column of that relation with the subject's kind
 */
export function aboutRecord(relation: string, kindColumn: string) {
  type About = {
    readonly entityId?: string | null;
    readonly entityType?: number | null;
    readonly entityKind?: number | null;
  };
  const ofKind = (kind: unknown, entityId?: string): Condition => ({
    // Few rows are about one record, and many about any of a kind.
    [relation]: {
      [entityId ? 'some' : 'any']: {
        ...(entityId && { entityId }),
        ...(kind !== undefined && { [kindColumn]: kind }),
      },
    },
  });
  return {
    entityId: (entityId: string, { entityType, entityKind }: About, session: Session) =>
      ofKind(seenKinds(session, entityId, entityType ?? entityKind ?? undefined), entityId),
    entityType: (entityType: number, { entityId }: About) => (entityId == null ? ofKind(entityType) : {}),
    entityKind: (entityKind: number, { entityId, entityType }: About) => {
      if (entityType != null && entityType !== entityKind)
        throw badField(['filter', 'entityKind'], 'does not match entityType');
      return entityId == null && entityType == null ? ofKind(entityKind) : {};
    },
  };
}

/** A list that each record of a type has (nested connection). */
interface NestedList<Kind extends RecordKind = RecordKind> {
  /** Unique name of the list. */
  readonly name: string;
  /** Kind of the listed records. */
  readonly kind: Kind;
  readonly resource: ListedResource;
  readonly link: Link;
}

/**
 * Returns SQL for the rows of parents. The subquery hides their number from PostgreSQL's planner: plans for a
 * known number would look cheaper than the cached generic plan, and be made anew each time.
 */
const parentsSql = (parents: readonly string[]) => sql`unnest((SELECT ${[...parents]}::uuid[]))`;

/**
 * Creates the batch function that reads a page of each parent's list. A LATERAL join reads all pages in one
 * statement. It reads one more record per parent to know whether there is a next page.
 */
function windowsByParent<Kind extends RecordKind>(
  nested: NestedList<Kind>,
  filter: object,
  orders: readonly Order[],
  window: Window,
): BatchLoader<Linked<Kind>[]> {
  type Found = { parent: string; bytesSoFar: bigint } & Linked<Kind>;
  return async (session, parents) => {
    const ofParent = linkCondition(nested.link, sql`parent.id`);
    const condition = { AND: [await listCondition(nested.resource, filter, session), ofParent] };
    const sort = await makeSort(session, nested.resource, orders);
    const query = listQuery(condition, sort, window);
    if (sort.isComputed) await checkLengths(session, nested.kind, condition, parents);
    const model = modelName(nested.kind);
    const table = tables[nested.kind];
    const fields = sort.from ? wholeRow(sort).fields : undefined;
    const children = pageSql(session, model, columnsSql(model, fields), query);
    const places = query.orderBy
      .flatMap(Object.entries)
      .map(([field, way]) => raw(`child."${field}" ${way}`));
    const inOrder = join(places);
    const statement = (byteLimit: number) => sql`
      SELECT * FROM (
        SELECT parent.id AS parent, child.*, size.bytes AS "bytesOfRow",
          sum(size.bytes) OVER (ORDER BY ${inOrder} ROWS UNBOUNDED PRECEDING) AS "bytesSoFar"
        FROM ${parentsSql(parents)} AS parent (id) CROSS JOIN LATERAL (${children}) AS child
          CROSS JOIN LATERAL (SELECT octet_length(child::text) AS bytes) AS size
      ) AS child WHERE "bytesSoFar" - "bytesOfRow" <= ${byteLimit} ORDER BY ${inOrder}`;
    const rows = await session.readBound.read(async (byteLimit) => {
      const found = await session.read<Found>(prepared(`${table}.nested`, statement(byteLimit)));
      const bytes = Number(found.at(-1)?.bytesSoFar ?? 0);
      // The statement returns one row beyond the limit, which reveals that the limit is exceeded.
      if (bytes > byteLimit) return undefined;
      session.slices.addRead(bytes);
      return { found, bytes };
    });
    return groupByKey(parents, rows, ({ parent }) => parent);
  };
}

/**
 * Checks that the lists of all parents together are short enough for a computed order.
 * @throws GatewayError BAD_REQUEST
 */
async function checkLengths(
  session: Session,
  kind: RecordKind,
  condition: Condition,
  parents: readonly string[],
): Promise<void> {
  const some = sql`
    SELECT FROM ${parentsSql(parents)} AS parent (id)
    CROSS JOIN LATERAL (SELECT ${rowsSql(session, modelName(kind), condition, { isLookUp: true })} LIMIT ${maxComputedRows + 1}) AS child
    LIMIT ${maxComputedRows + 1}`;
  const statement = prepared(`${tables[kind]}.nested_some`, sql`SELECT count(*) FROM (${some}) AS few`);
  const [row] = await session.read<{ count: bigint }>(statement);
  if (Number(row?.count) > maxComputedRows) throw listTooLong();
}

/**
 * Creates the batch function that counts each parent's list. One statement counts them all, so that the
 * database may choose a single scan for many parents.
 */
function countsByParent({ kind, resource, link }: NestedList, filter: object): BatchLoader<number> {
  return async (session, parents) => {
    const where = await listCondition(resource, filter, session);
    const [parent, own, joined] =
      'column' in link
        ? [columnSql('record', link.column), { [link.column]: { in: [...parents] } }, empty]
        : [sql`pair.parent`, {}, joinPairsSql(link.pairs, parents)];
    const condition = { AND: [where, own] };
    const records = rowsSql(session, modelName(kind), condition, { joined, isLookUp: true });
    const rows = await session.read<{ parent: string; count: bigint }>(
      prepared(
        `${tables[kind]}.nested_count`,
        sql`SELECT ${parent} AS parent, count(*) ${records} GROUP BY 1`,
        await hasManyRows(session, resource.rows.model),
      ),
    );
    const counts = new Map(rows.map(({ parent, count }) => [parent, Number(count)]));
    return parents.map((id) => counts.get(id) ?? 0);
  };
}

/** Returns the JOIN with the pairs of the requested parents. */
function joinPairsSql(pairs: Sql, parents: readonly string[]): Sql {
  const wanted = sql`pair.parent = ANY(${[...parents]})`;
  return sql`JOIN (${pairs}) AS pair (parent, child) ON pair.child = record.id AND ${wanted}`;
}

/**
 * Reads a page of a parent's list. The pages of all parents requested in one turn take one statement.
 * @throws GatewayError BAD_REQUEST for an invalid filter, a cursor of another list, or rows that are too
 *   large
 */
export async function listNested<Kind extends RecordKind>(
  session: Session,
  nested: NestedList<Kind>,
  parent: string,
  filter: object,
  orders: readonly Order[],
  window: Window,
): Promise<Page<Linked<Kind>>> {
  const name = `${nested.name} ${JSON.stringify([filter, orders, window])}`;
  const found = await loadBatched(session, windowsByParent(nested, filter, orders, window), parent, name);
  const rows = found.slice(0, window.limit);
  return { rows: window.backward ? rows.reverse() : rows, more: found.length > window.limit };
}

/** Counts a parent's list. The counts requested in one turn take one statement. */
export function countNested(
  session: Session,
  nested: NestedList,
  parent: string,
  filter: object,
): Promise<number> {
  const name = `count ${nested.name} ${JSON.stringify(filter)}`;
  return loadBatched(session, countsByParent(nested, filter), parent, name);
}
