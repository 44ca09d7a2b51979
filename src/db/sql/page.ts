import { maxPageSize } from '../../domain/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import { columnSql, conditionSql, orderSql, rowsSql, tableSql } from './conditions.js';
import type { Condition, ListQuery } from './query.js';
import type { OfCaller } from './scope.js';

const { sql, raw, join } = Prisma;

type Model = Prisma.ModelName;

export interface Search {
  /**
   * Condition that an index serves (ids of rows with a rare term). The first rows are scanned by the query's
   * own condition.
   */
  readonly indexed: Condition;
  readonly counted: boolean;
  /** True if an index has the rows in the order of the list. */
  readonly inIndexOrder: boolean;
}

/**
 * OFFSET above which rows are skipped by id. An index-only scan skips them, so that only the page's rows are
 * read.
 */
const DEEP_OFFSET_ROWS = 500;

/** Rows that an ordinary page needs, including those that it skips. */
const USUAL_PART_ROWS = 128;

/** Rows that any page needs. */
const LARGEST_PART_ROWS = maxPageSize + 1 + DEEP_OFFSET_ROWS;

/**
 * Returns the LIMIT of a subquery, as a literal. For a parameter, PostgreSQL assumes that LIMIT takes a tenth
 * of the table, or plans anew for each value. With a literal it keeps one good plan.
 *
 * It compares the cost of a generic plan with the cost for the actual values; the fewer rows, the smaller the
 * difference. If no index has exactly the rows of the list, a small LIMIT would tempt the planner to walk
 * another index in search of them.
 */
function partLimitSql({ skip = 0, take, isIndexed = false }: ListQuery): Prisma.Sql {
  const isUsual = isIndexed && skip + take <= USUAL_PART_ROWS;
  return raw(`LIMIT ${isUsual ? USUAL_PART_ROWS : LARGEST_PART_ROWS}`);
}

/**
 * Rows of a list that a search scans first, in the order of the list. A frequent term fills a page from them.
 */
const SCAN_AHEAD_ROWS = 500;

const limitSql = (take: number, skip = 0) =>
  skip > 0 ? sql`LIMIT ${take} OFFSET ${skip}` : sql`LIMIT ${take}`;

/** Returns the condition that a row's id is in a subquery. As an array, the ids are looked up by index. */
const idInSql = (ids: Prisma.Sql) => sql`record.id = ANY(ARRAY(${ids}))`;

/**
 * Returns the statement that reads a page of a list by keyset or OFFSET pagination.
 * @param columns of `record`, each under the name of its field
 */
export function pageSql(of: OfCaller, model: Model, columns: Prisma.Sql, query: ListQuery): Prisma.Sql {
  const { where, ranges = [{}], orderBy, from = tableSql(model), skip = 0, take } = query;
  const order = orderBy.length > 0 ? sql`ORDER BY ${orderSql('record', orderBy)}` : Prisma.empty;
  const part = limitSql(take, skip);
  const read = (what: string, range: Condition) =>
    sql`SELECT ${raw(what)} ${rowsSql(of, model, { AND: [where, range] }, { from })} ${order}`;
  if (skip > DEEP_OFFSET_ROWS) {
    // Cursors cannot be combined with an offset, so there is only one range, the whole list.
    const ids = sql`${read('record.id', {})} ${part}`;
    return sql`SELECT ${columns} FROM ${from} AS record WHERE ${idInSql(ids)} ${order}`;
  }
  const parts = ranges.map((range) => sql`(${read('record.*', range)} ${partLimitSql(query)})`);
  return sql`SELECT ${columns} FROM (${join(parts, ' UNION ALL ')}) AS record ${order} ${part}`;
}

/**
 * Returns the statement that reads a page of a searched list. The matches are collected in a materialized CTE
 * before they are ordered. Otherwise the planner may walk the whole list in search of matches, as it does not
 * know how rare they are. If an index has the list's order, the first rows are scanned in that order.
 * @param columns of `record`, each under the name of its field
 * @returns a statement; with `counted`, its column `total` is the number of all matches, in a row of nulls if
 *   the page is empty
 */
export function searchSql(
  of: OfCaller,
  model: Model,
  columns: Prisma.Sql,
  query: ListQuery,
  { indexed, counted, inIndexOrder }: Search,
): Prisma.Sql {
  const { where, ranges = [{}], orderBy, from = tableSql(model), skip = 0, take } = query;
  const fields = new Set(['id', ...orderBy.flatMap(Object.keys)]);
  const keys = join([...fields].map((field) => columnSql('record', field)));
  const order = sql`ORDER BY ${orderSql('record', orderBy)}`;
  const inRange: Condition = { OR: [...ranges] };
  const all = sql`SELECT ${keys} ${rowsSql(of, model, indexed, { from })}`;
  const page = sql`
    SELECT found.id FROM found WHERE ${conditionSql('found', inRange)}
    ORDER BY ${orderSql('found', orderBy)} ${limitSql(take, skip)}`;
  const records = sql`${from} AS record`;
  if (counted) {
    return sql`
      WITH found AS MATERIALIZED (${all}), counted AS (SELECT count(*) AS total FROM found)
      SELECT counted.total, ${columns} FROM counted LEFT JOIN ${records} ON ${idInSql(page)} ${order}`;
  }
  const result = sql`SELECT ${columns} FROM ${records} WHERE ${idInSql(page)} ${order}`;
  const wanted = skip + take;
  if (!inIndexOrder || wanted > SCAN_AHEAD_ROWS || ranges.length > 1) {
    return sql`WITH found AS MATERIALIZED (${all}) ${result}`;
  }
  const next = sql`SELECT record.* ${rowsSql(of, model, inRange, { from })} ${order} LIMIT ${raw(String(SCAN_AHEAD_ROWS))}`;
  // The check whether the rest is needed is outside the CTE: inside, parallel workers would start in vain.
  return sql`
    WITH near AS MATERIALIZED (
      SELECT ${keys} FROM (${next}) AS record WHERE ${conditionSql('record', where)} ${order} LIMIT ${wanted}
    ), enough AS MATERIALIZED (SELECT count(*) = ${wanted} AS yes FROM near),
    others AS MATERIALIZED (${all}),
    found AS (
      SELECT * FROM near WHERE (SELECT yes FROM enough)
      UNION ALL SELECT * FROM others WHERE NOT (SELECT yes FROM enough)
    )
    ${result}`;
}
