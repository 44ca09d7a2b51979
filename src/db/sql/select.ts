import { type ModelName, modelRows } from '../../domain/models.js';
import { maxPageSize } from '../../domain/paging.js';
import { folded } from '../../domain/text/names.js';
import { isNarrowed } from '../../domain/text/rare-terms.js';
import type { Database } from '../connection/database.js';
import type { Session } from '../connection/session.js';
import { prepared, type Statement } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import {
  type Condition,
  columnSql,
  columnsSql,
  conditionSql,
  hasRiskyWord,
  type ListQuery,
  modelFields,
  orderSql,
  type RowOf,
  rowsSql,
  sinceColumn,
  sourceSql,
  splitCondition,
  type TermCondition,
  tableSql,
  visibleRowSql,
  withJoinedParts,
} from './conditions.js';
import { listScopeOf, modelInfo, type OfCaller, scopeOf, seesOneTeam } from './models.js';
import { narrowByRareTerm } from './rare-terms.js';
import { empty, join, raw, type Sql, sql } from './sql.js';
import { hasManyRows, hasManyRowsInTeam, mayHaveManyRows } from './statistics.js';
import { readTree, type Selection } from './tree.js';

type Model = ModelName;

/** Models whose rows are counted by database triggers. A test compares them with the triggers. */
export const countedModels: ReadonlySet<Model> = new Set(
  modelRows.filter(([, { counted }]) => counted).map(([model]) => model),
);

const scopeFields = new Set(['organizationId', 'teamId']);

/** Returns whether a condition filters only by organization or workspace. */
function filtersByScopeOnly(condition: Condition): boolean {
  return Object.entries(condition).every(([name, value]) =>
    name === 'AND'
      ? [value as Condition | Condition[]].flat().every(filtersByScopeOnly)
      : scopeFields.has(name),
  );
}

/**
 * Returns the statement that adds up the counts stored by triggers. Its column `count` is exact in the
 * statement's snapshot, like `count(*)`.
 * @returns undefined if the rows must be counted: the condition selects a part of a workspace, the caller
 *   sees a part of it, or the model has no triggers
 */
function storedCountSql(of: OfCaller, model: Model, where: Condition): Sql | undefined {
  if (!countedModels.has(model) || ![where, scopeOf(of.caller, model)].every(filtersByScopeOnly))
    return undefined;
  return sql`
    SELECT coalesce(sum(record.change), 0)::bigint AS count FROM record_counts AS record
    WHERE record.table_name = ${raw(`'${tableSql(model).text}'`)} AND ${visibleRowSql(of, model, where)}`;
}

/** The most count rows that one statement adds up, so that none takes long. */
const LARGEST_BATCH = 50_000;

/** SQL that merges count rows. Rows locked by another process are skipped (SKIP LOCKED), so nobody waits. */
const addUp = `
  WITH scattered AS (
    SELECT table_name, organization_id, team_id FROM record_counts
    GROUP BY table_name, organization_id, team_id HAVING count(*) > 1
  ), taken AS (
    DELETE FROM record_counts WHERE ctid = ANY(ARRAY(
      SELECT record.ctid FROM record_counts AS record JOIN scattered USING (table_name, organization_id, team_id)
      LIMIT ${LARGEST_BATCH} FOR UPDATE OF record SKIP LOCKED
    ))
    RETURNING table_name, organization_id, team_id, change
  ), added AS (
    INSERT INTO record_counts
    SELECT table_name, organization_id, team_id, sum(change) FROM taken
    GROUP BY table_name, organization_id, team_id HAVING sum(change) <> 0
  )
  SELECT count(*) AS taken FROM taken`;

/** Merges the count rows that writers have added, so that a count reads few rows. */
export async function addUpCounts(database: Pick<Database, 'query'>): Promise<void> {
  let taken: number;
  do {
    const [row] = await database.query<{ taken: bigint }>(
      prepared('record_counts.add_up', { text: addUp, values: [] }),
    );
    taken = Number(row?.taken);
  } while (taken === LARGEST_BATCH);
}

interface Search {
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

/** Rows that any page of the doors needs. */
const LARGEST_PART_ROWS = maxPageSize + 1 + DEEP_OFFSET_ROWS;

const limitSql = (take: number, skip = 0) =>
  skip > 0 ? sql`LIMIT ${take} OFFSET ${skip}` : sql`LIMIT ${take}`;

/**
 * Returns the LIMIT of a subquery, as a literal. For a parameter, PostgreSQL assumes that LIMIT takes a tenth
 * of the table, or plans anew for each value. With a literal it keeps one good plan.
 *
 * It compares the cost of a generic plan with the cost for the actual values; the fewer rows, the smaller the
 * difference. If no index has exactly the rows of the list, a small LIMIT would tempt the planner to walk
 * another index in search of them.
 *
 * A larger part than any page needs is limited by a parameter, so that it has all of its rows.
 */
function partLimitSql({ skip = 0, take, isIndexed = false }: ListQuery): Sql {
  if (skip + take > LARGEST_PART_ROWS) return limitSql(skip + take);
  const isUsual = isIndexed && skip + take <= USUAL_PART_ROWS;
  return raw(`LIMIT ${isUsual ? USUAL_PART_ROWS : LARGEST_PART_ROWS}`);
}

/**
 * Rows of a list that a search scans first, in the order of the list. A frequent term fills a page from them.
 */
const SCAN_AHEAD_ROWS = 500;

/**
 * Returns SQL for whether a caller sees fewer rows than a search scans first. These are read as they are: an index of
 * terms would find the rows of all organizations.
 */
function seesFewSql(of: OfCaller, model: Model): Sql {
  // By the workspace alone: PostgreSQL would combine its index with that of the whole organization.
  const { organizationId, ...ofTeam } = listScopeOf(of, model);
  const scope = 'teamId' in ofTeam ? ofTeam : { organizationId, ...ofTeam };
  const most = raw(String(SCAN_AHEAD_ROWS));
  return sql`(SELECT count(*) < ${most} FROM (
    SELECT FROM ${sourceSql(of, model)} AS record WHERE ${conditionSql('record', scope)} LIMIT ${most}
  ) AS seen)`;
}

/** Words of conditions whose matches an index finds, in no order. */
const searchWords = new Set(['searched', 'custom']);

/** Returns whether a condition has a search term or a custom field. */
const hasSearch = (condition: Condition): boolean =>
  Object.entries(condition).some(
    ([name, value]) =>
      searchWords.has(name) || (name === 'AND' && [value as Condition | Condition[]].flat().some(hasSearch)),
  );

/** Words that join conditions. */
const joiningWords = new Set(['AND', 'OR', 'EITHER', 'NOT', 'EXCEPT']);

/** Returns whether a condition has a search term or a custom field at any depth. */
const mentionsSearch = (condition: Condition): boolean =>
  Object.entries(condition).some(
    ([name, value]) =>
      searchWords.has(name) ||
      (joiningWords.has(name) && [value as Condition | Condition[]].flat().some(mentionsSearch)),
  );

/**
 * Returns SQL for all rows that a search finds. Whoever sees few rows has them read as they are.
 * @param columns of `record`
 */
function foundSql(
  of: OfCaller,
  model: Model,
  columns: Sql,
  {
    where,
    indexed,
    from = sourceSql(of, model),
  }: Pick<Search, 'indexed'> & Pick<ListQuery, 'where' | 'from'>,
): Sql {
  const all = sql`SELECT ${columns} ${rowsSql(of, model, indexed, { from, isList: true })}`;
  const scanned = sql`SELECT record.* ${rowsSql(of, model, {}, { from, isList: true })} LIMIT ${raw(String(SCAN_AHEAD_ROWS))}`;
  // Neither part is executed where the other one is needed.
  return sql`
    WITH few AS MATERIALIZED (SELECT ${seesFewSql(of, model)} AS yes)
    SELECT ${columns} FROM (${scanned}) AS record WHERE (SELECT yes FROM few) AND ${conditionSql('record', where)}
    UNION ALL ${all} AND NOT (SELECT yes FROM few)`;
}

/** Returns what rows of a list are read from by their ids. Policies apply to it, if there are any. */
const recordsOf = (model: Model, { from = tableSql(model) }: Pick<ListQuery, 'from'>) => from;

/** Returns the condition that a row's id is in a subquery. As an array, the ids are looked up by index. */
const idInSql = (ids: Sql) => sql`record.id = ANY(ARRAY(${ids}))`;

/**
 * Returns the statement that reads a page of a list by keyset or OFFSET pagination.
 * @param columns of `record`, each under the name of its field
 */
export function pageSql(of: OfCaller, model: Model, columns: Sql, query: ListQuery): Sql {
  const { where, ranges = [{}], orderBy, from = sourceSql(of, model), skip = 0, take } = query;
  const order = orderBy.length > 0 ? sql`ORDER BY ${orderSql('record', orderBy)}` : empty;
  const part = limitSql(take, skip);
  // The rows are found before they are sorted. PostgreSQL might walk an index of all organizations' rows.
  const isFoundFirst = query.isSorted && (seesOneTeam(of.caller) || query.isOfForeignKey);
  const read = (what: string, range: Condition, own = where) => {
    const rows = rowsSql(of, model, { AND: [own, range] }, { from, isList: true });
    return isFoundFirst
      ? sql`SELECT ${raw(what)} FROM (SELECT record.* ${rows} OFFSET 0) AS record ${order}`
      : sql`SELECT ${raw(what)} ${rows} ${order}`;
  };
  if (skip > DEEP_OFFSET_ROWS) {
    // Cursors cannot be combined with an offset, so there is only one range, the whole list.
    const ids = sql`${read('record.id', {})} ${part}`;
    return sql`SELECT ${columns} FROM ${recordsOf(model, query)} AS record WHERE ${idInSql(ids)} ${order}`;
  }
  // In one workspace, all rows are few.
  const choices = seesOneTeam(of.caller) ? [where] : splitCondition(where);
  const parts = choices.flatMap((own) =>
    ranges.map((range) => sql`(${read('record.*', range, own)} ${partLimitSql(query)})`),
  );
  return sql`SELECT ${columns} FROM (${join(parts, ' UNION ALL ')}) AS record ${order} ${part}`;
}

/** The most rows that changed lately of which a page is made. Of more, a list's order finds a page soon. */
const MOST_RECENT = 1_000;

/**
 * Returns the statement that reads a page of what changed lately. If that is little, the page is made of it. PostgreSQL
 * would have to guess how much it is, from the rows of all organizations, and might walk a whole list for a few rows.
 * @param since the column and the time from which rows changed
 */
function recentPageSql(of: OfCaller, model: Model, columns: Sql, query: ListQuery, since: string): Sql {
  const { where, ranges = [{}], orderBy, skip = 0, take } = query;
  const changed = orderSql('record', [{ [since]: 'desc' }, { id: 'desc' }]);
  const order = sql`ORDER BY ${orderSql('record', orderBy)}`;
  const isFew = sql`(SELECT count(*) <= ${raw(String(MOST_RECENT))} FROM recent)`;
  const few = sql`
    SELECT record.* FROM ${recordsOf(model, query)} AS record
    WHERE ${isFew} AND ${idInSql(sql`SELECT id FROM recent`)} AND ${conditionSql('record', { OR: [...ranges] })}
    ${order} ${limitSql(take, skip)}`;
  const many = pageSql(of, model, sql`record.*`, query);
  return sql`
    WITH recent AS MATERIALIZED (
      SELECT record.id ${rowsSql(of, model, where, { isList: true })} ORDER BY ${changed} LIMIT ${raw(String(MOST_RECENT + 1))}
    )
    SELECT ${columns} FROM (
      (${few}) UNION ALL (SELECT record.* FROM (${many}) AS record WHERE NOT ${isFew})
    ) AS record ${order}`;
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
  columns: Sql,
  query: ListQuery,
  { indexed, counted, inIndexOrder }: Search,
): Sql {
  const { where, ranges = [{}], orderBy, from = sourceSql(of, model), skip = 0, take } = query;
  const fields = new Set(['id', ...orderBy.flatMap(Object.keys)]);
  const keys = join([...fields].map((field) => columnSql('record', field)));
  const order = sql`ORDER BY ${orderSql('record', orderBy)}`;
  const inRange: Condition = { OR: [...ranges] };
  const page = sql`
    SELECT found.id FROM found WHERE ${conditionSql('found', inRange)}
    ORDER BY ${orderSql('found', orderBy)} ${limitSql(take, skip)}`;
  const records = sql`${recordsOf(model, query)} AS record`;
  const found = () => foundSql(of, model, keys, { where, indexed, from });
  if (counted) {
    return sql`
      WITH found AS MATERIALIZED (${found()}), counted AS (SELECT count(*) AS total FROM found)
      SELECT counted.total, ${columns} FROM counted LEFT JOIN ${records} ON ${idInSql(page)} ${order}`;
  }
  const result = sql`SELECT ${columns} FROM ${records} WHERE ${idInSql(page)} ${order}`;
  const wanted = skip + take;
  if (!inIndexOrder || wanted > LARGEST_PART_ROWS)
    return sql`WITH found AS MATERIALIZED (${found()}) ${result}`;
  const all = sql`SELECT ${keys} ${rowsSql(of, model, indexed, { from, isList: true })}`;
  const ahead = raw(`LIMIT ${wanted > SCAN_AHEAD_ROWS ? LARGEST_PART_ROWS : SCAN_AHEAD_ROWS}`);
  const starts = ranges.map(
    (range) => sql`(SELECT record.* ${rowsSql(of, model, range, { from, isList: true })} ${order} ${ahead})`,
  );
  const next = sql`SELECT record.* FROM (${join(starts, ' UNION ALL ')}) AS record ${order} ${ahead}`;
  // The check whether the rest is needed is outside the CTE: inside, parallel workers would start in vain.
  return sql`
    WITH near AS MATERIALIZED (
      SELECT ${keys} FROM (${next}) AS record WHERE ${conditionSql('record', where)} ${order} LIMIT ${wanted}
    ), enough AS MATERIALIZED (
      SELECT CASE WHEN count(*) = ${wanted} THEN TRUE ELSE ${seesFewSql(of, model)} END AS yes FROM near
    ),
    others AS MATERIALIZED (${all}),
    found AS (
      SELECT * FROM near WHERE (SELECT yes FROM enough)
      UNION ALL SELECT * FROM others WHERE NOT (SELECT yes FROM enough)
    )
    ${result}`;
}

type RowQuery = Partial<ListQuery>;

function selectSql(
  of: OfCaller,
  model: Model,
  { where = {}, orderBy = [], take, ...query }: RowQuery,
  fields = modelFields(model),
): Sql {
  const columns = columnsSql(model, fields);
  if (take !== undefined) {
    const page = { where, orderBy, take, ...query };
    const since = sinceColumn(where);
    return since ? recentPageSql(of, model, columns, page, since) : pageSql(of, model, columns, page);
  }
  const order = orderBy.length > 0 ? sql`ORDER BY ${orderSql('record', orderBy)}` : empty;
  return sql`SELECT ${columns} ${rowsSql(of, model, where)} ${order}`;
}

/**
 * Reads a model's rows by key, in their scope. The result equals Prisma's `findMany` at a tenth of its cost;
 * a test compares the two for every model.
 * @param query uses the subset of Prisma's syntax that `conditionSql` supports
 * @param fields defaults to all fields
 */
export function readRows<M extends Model>(
  on: Session | Transaction,
  model: M,
  query: RowQuery,
  fields?: readonly (keyof RowOf<M> & string)[],
): Promise<RowOf<M>[]> {
  const statement = prepared(`${modelInfo[model].table}.find`, selectSql(on, model, query, fields));
  return 'lookUp' in on ? on.lookUp(statement) : on.run(statement);
}

/** Returns whether the best plan depends too much on the values to be kept. */
const dependsOnValues = async (session: Session, model: Model, where: Condition): Promise<boolean> =>
  sinceColumn(where) !== undefined || hasRiskyWord(where) || (await hasManyRows(session, model));

/**
 * Returns the same for a list. In a caller's only workspace, the plan for a workspace of average size finds the rows by the
 * workspace, and orders them. With their number, PostgreSQL might walk the organization's rows in the list's order, which is
 * right only where the workspace has many of them.
 */
const listDependsOnValues = async (session: Session, model: Model, where: Condition): Promise<boolean> => {
  if (sinceColumn(where) !== undefined) return true;
  if (seesOneTeam(session.caller)) return hasManyRowsInTeam(session, model);
  return hasRiskyWord(where) || hasManyRows(session, model);
};

/** Returns whose list it is, and whether their only workspace has very many rows. */
const ofList = async (session: Session, model: Model): Promise<OfCaller> => ({
  caller: session.caller,
  rowSecurity: session.rowSecurity,
  seesMuch: seesOneTeam(session.caller) && (await hasManyRowsInTeam(session, model)),
});

/** The most matching rows of a large organization that GraphQL counts. */
export const mostCounted = 10_000;

/** The most rows that it looks at, where no index finds the matches. */
const MOST_EXAMINED = 100_000;

/** The rows of all pages that are counted: all, or like `countSome`. */
export type CountedRows = 'all' | 'some';

/** Number of rows. */
export interface Total {
  readonly count: number;
  /** False if there may be more. */
  readonly isComplete: boolean;
}

/** Returns the term of a condition that is nothing else, and that no index finds. */
function unindexedTerm(condition: Condition): TermCondition | undefined {
  const parts = (one: Condition): [string, unknown][] =>
    Object.entries(one).flatMap(([name, value]) =>
      name === 'AND' ? [value as Condition | Condition[]].flat().flatMap(parts) : [[name, value]],
    );
  const [[name, value] = ['', undefined], ...others] = parts(condition);
  if (name !== 'searched' || others.length > 0) return undefined;
  const searched = value as TermCondition;
  return isNarrowed(folded(searched.term)) ? undefined : searched;
}

/**
 * Counts a model's rows. In a large organization, those that match a condition are counted only as far as `mostCounted`.
 * @param indexed the condition that an index serves, if there is another one
 */
async function countSome(
  session: Session,
  model: Model,
  where: Condition,
  indexed: Condition,
): Promise<Total> {
  const isBounded = !storedCountSql(session, model, where) && (await mayHaveManyRows(session, model));
  if (!isBounded) return { count: await countRows(session, model, where, indexed), isComplete: true };
  const isScan = unindexedTerm(where) !== undefined;
  const [most, matches] = isScan
    ? [MOST_EXAMINED, conditionSql('record', where)]
    : [mostCounted, raw('TRUE')];
  const found = isScan
    ? sql`SELECT record.* ${rowsSql(session, model, {}, { isList: true })}`
    : hasSearch(where)
      ? foundSql(session, model, sql`record.id`, { where, indexed })
      : sql`SELECT ${rowsSql(session, model, withJoinedParts(indexed), { isList: true })}`;
  const statement = sql`
    SELECT count(*) AS seen, count(*) FILTER (WHERE ${matches}) AS count
    FROM (${found} LIMIT ${raw(String(most + 1))}) AS record`;
  const [row] = await session.read<{ count: bigint; seen: bigint }>(
    prepared(`${modelInfo[model].table}.count_some`, statement, true),
  );
  const [count, seen] = [Number(row?.count), Number(row?.seen)];
  return { count: Math.min(count, mostCounted), isComplete: count <= mostCounted && seen <= most };
}

/**
 * Counts a model's rows from the counts that triggers store, or else with `count(*)`.
 * @param indexed the condition that an index serves, if there is another one
 */
async function countRows(
  session: Session,
  model: Model,
  where: Condition,
  indexed: Condition,
): Promise<number> {
  const stored = storedCountSql(session, model, where);
  const isPlannedAnew = !stored && (await dependsOnValues(session, model, where));
  const counted = isPlannedAnew ? withJoinedParts(indexed) : indexed;
  const counting = () =>
    hasSearch(where)
      ? sql`SELECT count(*) FROM (${foundSql(session, model, sql`record.id`, { where, indexed: counted })}) AS found`
      : sql`SELECT count(*) ${rowsSql(session, model, counted, { isList: true })}`;
  const statement = prepared(`${modelInfo[model].table}.count`, stored ?? counting(), isPlannedAnew);
  const [row] = await session.read<{ count: bigint }>(statement);
  return Number(row?.count);
}

/** Returns whether more than a number of rows match. It stops looking once it is clear. */
async function hasMoreRows(session: Session, model: Model, where: Condition, most: number): Promise<boolean> {
  const stored = storedCountSql(session, model, where);
  if (stored) return (await countRows(session, model, where, where)) > most;
  const some = sql`SELECT ${rowsSql(session, model, where, { isList: true })} LIMIT ${most + 1}`;
  const [row] = await session.read<{ count: bigint }>(
    prepared(
      `${modelInfo[model].table}.count_some`,
      sql`SELECT count(*) FROM (${some}) AS few`,
      await dependsOnValues(session, model, where),
    ),
  );
  return Number(row?.count) > most;
}

/** Lock of a row: against writers, or for a deletion also against new foreign keys. */
export type RowLock = 'FOR NO KEY UPDATE' | 'FOR UPDATE';

/** Reads a resource's rows, as far as the session's caller sees them. */
export interface Rows<Row> {
  /** Reads one row. Defaults to all fields and no joins. */
  get(session: Session, id: string, selection?: Selection): Promise<Row | null>;
  /** Reads a list, with the same default. */
  list(session: Session, query: RowQuery, selection?: Selection): Promise<Row[]>;
  /** Reads a page of a searched list, and the total number of matches if requested. */
  search(
    session: Session,
    query: ListQuery,
    search: Pick<Search, 'inIndexOrder'> & { readonly counted: CountedRows | undefined },
    selection?: Selection,
  ): Promise<{ rows: Row[]; total?: number | undefined }>;
  count(session: Session, where: Condition): Promise<number>;
  /** Counts a large organization's matching rows only as far as `mostCounted`. */
  countSome(session: Session, where: Condition): Promise<Total>;
  /** Returns whether more than a number of rows match. */
  hasMore(session: Session, where: Condition, most: number): Promise<boolean>;
  /** Reads one row in a transaction. */
  find(tx: Transaction, id: string): Promise<Row | null>;
  /**
   * Locks a row until the transaction ends, and reads it (SELECT … FOR NO KEY UPDATE). One statement does
   * both: it waits for earlier writers and returns what they have committed (PostgreSQL's manual, section
   * 13.2.1).
   * @param lock another lock, such as for a deletion
   */
  lock(tx: Transaction, id: string, lock?: RowLock): Promise<Row | null>;
  /** Converts a database row to the resource's record. */
  toRecord(row: object): Row;
  readonly model: Model;
}

/**
 * Defines how a model's rows are read as records of a resource.
 * @param toRecord converts a row to a record; by default they are the same
 * @param omitted fields that are never read
 */
export function defineRows<M extends Model, Row = RowOf<M>>(
  model: M,
  toRecord: (row: RowOf<M>) => Row = (row) => row as Row,
  omitted: readonly string[] = [],
): Rows<Row> {
  const fields = modelFields(model).filter((field) => !omitted.includes(field));
  const everything: Selection = { fields, joins: [] };
  const table = modelInfo[model].table;
  const readOne = async (tx: Transaction, id: string, name: string, end: Sql) => {
    const statement = sql`SELECT ${columnsSql(model, fields)} ${rowsSql(tx, model, { id })} ${end}`;
    const [row] = await tx.run<RowOf<M>>(prepared(name, statement));
    return row ? toRecord(row) : null;
  };
  return {
    model,
    // The row was read from this very model.
    toRecord: (row) => toRecord(row as RowOf<M>),
    get: async (session, id, selection = everything) => {
      const statement = selectSql(session, model, { where: { id } }, selection.fields);
      const { rows } = await readTree<RowOf<M>>(session, statement, selection, {
        name: `${table}.get`,
        single: true,
      });
      return rows[0] ? toRecord(rows[0]) : null;
    },
    list: async (session, query, selection = everything) => {
      const { where = {}, isUnordered } = query;
      const isRisky = isUnordered || !filtersByScopeOnly(where) || seesOneTeam(session.caller);
      const isPlannedAnew = isRisky && (await listDependsOnValues(session, model, where));
      // By the values, PostgreSQL knows whether so few have such a part that these are read first.
      const own = isPlannedAnew ? { ...query, where: withJoinedParts(where) } : query;
      const statement = selectSql(await ofList(session, model), model, own, selection.fields);
      const options = { name: `${table}.list`, isPlannedAnew };
      const { rows } = await readTree<RowOf<M>>(session, statement, selection, options);
      return rows.map(toRecord);
    },
    search: async (session, query, search, selection = everything) => {
      const columns = columnsSql(model, selection.fields);
      const indexed = await narrowByRareTerm(session, model, query.where);
      // A frequent term of a large organization fills a page long before all rows with it are found.
      const isFrequent = mentionsSearch(indexed) && (await mayHaveManyRows(session, model));
      const counted = search.counted === 'all' || (search.counted === 'some' && !isFrequent);
      const of = await ofList(session, model);
      const statement = searchSql(of, model, columns, query, { ...search, counted, indexed });
      const { rows, total } = await readTree<RowOf<M>>(session, statement, selection, {
        name: `${table}.search`,
        counted,
        isPlannedAnew: await listDependsOnValues(session, model, query.where),
      });
      return { rows: rows.map(toRecord), total };
    },
    hasMore: async (session, where, most) =>
      hasMoreRows(session, model, await narrowByRareTerm(session, model, where), most),
    count: async (session, where) =>
      countRows(session, model, where, await narrowByRareTerm(session, model, where)),
    countSome: async (session, where) =>
      countSome(session, model, where, await narrowByRareTerm(session, model, where)),
    find: (tx, id) => readOne(tx, id, `${table}.find`, empty),
    lock: (tx, id, lock = 'FOR NO KEY UPDATE') => readOne(tx, id, `${table}.lock`, raw(lock)),
  };
}

/**
 * Lets reading statements of a transaction find rows by index. Statements with many keys need it: a plan that
 * was kept since its tables were empty would read them once for each key.
 */
export async function preferIndexes(tx: Transaction): Promise<void> {
  const settings = sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`;
  await tx.run(prepared('session.prefer_indexes', settings));
}

/**
 * Lets the statements that follow keep their plans again. Without it, PostgreSQL would plan the functions of
 * triggers and indexes anew for each row that is written, which takes three times as long as writing it.
 */
export async function keepPlans(tx: Transaction): Promise<void> {
  await tx.run(prepared('session.keep_plans', sql`SELECT set_config('plan_cache_mode', 'auto', true)`));
}

/** Sends an unscoped statement with many keys. It must reveal nothing of anybody's rows. */
export function readByIndex<Row>(database: Database, statement: Statement): Promise<Row[]> {
  return database.inTransaction(async (tx) => {
    await preferIndexes(tx);
    return tx.run<Row>(statement);
  });
}
