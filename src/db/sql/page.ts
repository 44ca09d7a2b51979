import { maxPageSize } from '../../domain/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import { columnSql, conditionSql, orderSql, rowsSql, tableSql } from './conditions.js';
import type { Condition, ListQuery } from './query.js';
import type { OfCaller } from './scope.js';

const { sql, raw, join } = Prisma;

type Model = Prisma.ModelName;

/** What a search is for. */
export interface Search {
  /** The condition as an index finds all of its rows by it; only a walk asks for the query's own. */
  readonly indexed: Condition;
  /** Whether all that is found is counted. */
  readonly counted: boolean;
  /** Whether an index has the rows in the order of the list. */
  readonly inIndexOrder: boolean;
}

/** Rows to skip from which on they are skipped in the index alone, and the page's are looked up afterwards. */
const DEEP_OFFSET_ROWS = 500;

/**
 * The most rows that a page takes and skips otherwise. PostgreSQL takes a limit that is a parameter for a tenth of the
 * table, and plans for that or, each time anew, for the value; from a number in the statement it makes one good plan.
 */
const LARGEST_LIMIT = raw(String(maxPageSize + 1 + DEEP_OFFSET_ROWS));

/** Rows of a list among which a search first looks for a page: what many rows have is met soon. */
const SCAN_AHEAD_ROWS = 500;

const limitSql = (take: number, skip = 0) =>
  skip > 0 ? sql`LIMIT ${take} OFFSET ${skip}` : sql`LIMIT ${take}`;

/** The rows of a model that a query for ids finds: a list of ids is always looked up by the index. */
const idInSql = (ids: Prisma.Sql) => sql`record.id = ANY(ARRAY(${ids}))`;

/**
 * The statement that reads a part of a list.
 * @param columns of `record`, each under the name of its field
 */
export function pageSql(of: OfCaller, model: Model, columns: Prisma.Sql, query: ListQuery): Prisma.Sql {
  const { where, ranges = [{}], orderBy, skip = 0, take } = query;
  const order = orderBy.length > 0 ? sql`ORDER BY ${orderSql('record', orderBy)}` : Prisma.empty;
  const part = limitSql(take, skip);
  const read = (what: string, range: Condition) =>
    sql`SELECT ${raw(what)} ${rowsSql(of, model, { AND: [where, range] })} ${order}`;
  if (skip > DEEP_OFFSET_ROWS) {
    // Cursors do not go with rows to skip, so there is one range, which is the whole list.
    const ids = sql`${read('record.id', {})} ${part}`;
    return sql`SELECT ${columns} FROM ${tableSql(model)} AS record WHERE ${idInSql(ids)} ${order}`;
  }
  const parts = ranges.map((range) => sql`(${read('record.*', range)} LIMIT ${LARGEST_LIMIT})`);
  return sql`SELECT ${columns} FROM (${join(parts, ' UNION ALL ')}) AS record ${order} ${part}`;
}

/**
 * The statement that reads a part of a list that is searched. What matches is collected before it is ordered: left to
 * itself, the planner walks through the list in the hope of matches, and it does not know how rare they are. Only the
 * next rows are walked through, as far as an index has them in order.
 * @param columns of `record`, each under the name of its field
 * @returns of rows that are counted, `total` is the number of all; where the part has none, one of nulls has it
 */
export function searchSql(
  of: OfCaller,
  model: Model,
  columns: Prisma.Sql,
  query: ListQuery,
  { indexed, counted, inIndexOrder }: Search,
): Prisma.Sql {
  const { where, ranges = [{}], orderBy, skip = 0, take } = query;
  const fields = new Set(['id', ...orderBy.flatMap(Object.keys)]);
  const keys = join([...fields].map((field) => columnSql('record', field)));
  const order = sql`ORDER BY ${orderSql('record', orderBy)}`;
  const inRange: Condition = { OR: [...ranges] };
  const all = sql`SELECT ${keys} ${rowsSql(of, model, indexed)}`;
  const page = sql`
    SELECT found.id FROM found WHERE ${conditionSql('found', inRange)}
    ORDER BY ${orderSql('found', orderBy)} ${limitSql(take, skip)}`;
  const records = sql`${tableSql(model)} AS record`;
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
  const next = sql`SELECT record.* ${rowsSql(of, model, inRange)} ${order} LIMIT ${raw(String(SCAN_AHEAD_ROWS))}`;
  // Whether the others are wanted is asked where they are read: asked within, parallel workers would start for nothing.
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
