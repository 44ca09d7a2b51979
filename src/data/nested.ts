import type { Order, Window } from '../domain/paging.js';
import { Prisma } from '../generated/prisma/client.js';
import type { RecordKind } from './kinds.js';
import { type Link, linkCondition } from './links.js';
import { listQuery, type Page } from './list.js';
import { type Batch, grouped, type Linked, loadAll, loadThrough } from './loaders.js';
import type { Readable } from './resource.js';
import type { Session } from './scope.js';
import { columnSql, orderSql, recordsSql } from './sql.js';

const { sql, join } = Prisma;

/** A list that each record of a type has. */
export interface Nested<Kind extends RecordKind = RecordKind> {
  /** Tells it from other lists. */
  readonly name: string;
  /** Of what it is a list. */
  readonly kind: Kind;
  readonly resource: Readable;
  readonly link: Link;
}

/** Reads the ids of a window of each parent's list, and of one more record each where it goes on. */
function idsIn(nested: Nested, filter: object, order: Order, window: Window): Batch<string[]> {
  return async (db, parents, session) => {
    const ofParent = linkCondition(nested.link, sql`parent.id`);
    const condition = { AND: [await nested.resource.where(filter, session), ofParent] };
    const { where, orderBy, take } = listQuery(nested.resource, condition, order, window);
    const fields = new Set(['id', ...orderBy.flatMap(Object.keys)]);
    const columns = join([...fields].map((field) => columnSql('record', field)));
    const children = sql`
      SELECT ${columns} ${recordsSql(session, nested.kind, where)}
      ORDER BY ${orderSql('record', orderBy)} LIMIT ${take}`;
    const rows = await db.$queryRaw<{ parent: string; id: string }[]>`
      SELECT parent.id AS parent, child.id
      FROM unnest(${[...parents]}::uuid[]) AS parent (id) CROSS JOIN LATERAL (${children}) AS child
      ORDER BY ${orderSql('child', orderBy)}`;
    return grouped(parents, rows, ({ parent }) => parent).map((children) => children.map(({ id }) => id));
  };
}

/** Counts each parent's list: all together, so that the database may go through many at once. */
function countsIn({ kind, resource, link }: Nested, filter: object): Batch<number> {
  return async (db, parents, session) => {
    const where = await resource.where(filter, session);
    const wanted = { in: [...parents] };
    const [parent, records] =
      'column' in link
        ? [
            columnSql('record', link.column),
            recordsSql(session, kind, { AND: [where, { [link.column]: wanted }] }),
          ]
        : [sql`pair.parent`, recordsSql(session, kind, where, joinedTo(link.pairs, parents))];
    const rows = await db.$queryRaw<{ parent: string; count: bigint }[]>`
      SELECT ${parent} AS parent, count(*) ${records} GROUP BY 1`;
    const counts = new Map(rows.map(({ parent, count }) => [parent, Number(count)]));
    return parents.map((id) => counts.get(id) ?? 0);
  };
}

/** The parents that records are linked to by pairs, as far as they are asked for. */
function joinedTo(pairs: Prisma.Sql, parents: readonly string[]): Prisma.Sql {
  const wanted = sql`pair.parent = ANY(${[...parents]})`;
  return sql`JOIN (${pairs}) AS pair (parent, child) ON pair.child = record.id AND ${wanted}`;
}

/**
 * Reads a window of a parent's list. The windows of all parents that are asked for in one turn of a request take
 * one statement, and the records in them one more.
 * @throws GatewayError BAD_REQUEST for a wrong filter, or a cursor that is not of this list
 */
export async function listNested<Kind extends RecordKind>(
  session: Session,
  nested: Nested<Kind>,
  parent: string,
  filter: object,
  order: Order,
  window: Window,
): Promise<Page<Linked<Kind>>> {
  const name = `${nested.name} ${JSON.stringify([filter, order, window])}`;
  const ids = await loadThrough(session, idsIn(nested, filter, order, window), parent, name);
  const rows = await loadAll(session, nested.kind, ids.slice(0, window.limit));
  return { rows: window.backward ? rows.reverse() : rows, more: ids.length > window.limit };
}

/** Counts a parent's list; those of all parents that are asked for in one turn take one statement. */
export function countNested(
  session: Session,
  nested: Nested,
  parent: string,
  filter: object,
): Promise<number> {
  const name = `count ${nested.name} ${JSON.stringify(filter)}`;
  return loadThrough(session, countsIn(nested, filter), parent, name);
}
