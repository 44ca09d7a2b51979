import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { columnsSql } from '../db/sql/columns.js';
import { columnSql, recordsSql } from '../db/sql/conditions.js';
import { modelName, type RecordKind, tables } from '../db/sql/models.js';
import type { Condition } from '../db/sql/query.js';
import { pageSql } from '../db/sql/select.js';
import { join, raw, type Sql, sql } from '../db/sql/sql.js';
import type { Order, Window } from '../domain/paging.js';
import { type Link, linkCondition } from './links.js';
import type { Page } from './list.js';
import { listQuery } from './list.js';
import { listCondition } from './lists/filter.js';
import { listTooLong, makeSort, maxComputedRows, wholeRow } from './lists/order.js';
import type { Readable } from './lists/readable.js';
import { type BatchLoader, groupByKey, type Linked, loadBatched } from './loaders.js';

/** A list that each record of a type has (nested connection). */
export interface NestedList<Kind extends RecordKind = RecordKind> {
  /** Unique name of the list. */
  readonly name: string;
  /** Kind of the listed records. */
  readonly kind: Kind;
  readonly resource: Readable;
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
      const found = await session.read<Found>(named(`${table}.nested`, statement(byteLimit)));
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
    CROSS JOIN LATERAL (SELECT ${recordsSql(session, kind, condition)} LIMIT ${maxComputedRows + 1}) AS child
    LIMIT ${maxComputedRows + 1}`;
  const statement = named(`${tables[kind]}.nested_some`, sql`SELECT count(*) FROM (${some}) AS few`);
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
    const wanted = { in: [...parents] };
    const [parent, records] =
      'column' in link
        ? [
            columnSql('record', link.column),
            recordsSql(session, kind, { AND: [where, { [link.column]: wanted }] }),
          ]
        : [sql`pair.parent`, recordsSql(session, kind, where, joinPairsSql(link.pairs, parents))];
    const rows = await session.read<{ parent: string; count: bigint }>(
      named(`${tables[kind]}.nested_count`, sql`SELECT ${parent} AS parent, count(*) ${records} GROUP BY 1`),
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
