import { Prisma } from '../generated/prisma/client.js';
import { pageSql, type Search, searchSql } from './pages.js';
import { keptCountSql } from './record-counts.js';
import type { Condition, ListQuery } from './resource.js';
import { lookUpOf, readerOf, type Session, type Transaction } from './scope.js';
import { columnSql, orderSql, rowsSql } from './sql.js';

const { sql, raw, join } = Prisma;

type Model = Prisma.ModelName;

/** A row of a model, as Prisma gives it. */
export type RowOf<M extends Model> = Prisma.TypeMap['model'][M]['payload']['scalars'];

const columnLists = new Map<string, Prisma.Sql>();

/**
 * The columns of a model's rows under the names of its fields, for a statement that reads from `rowsSql`.
 * @param without fields that are not read
 */
export function columnsSql(model: Model, without: readonly string[] = []): Prisma.Sql {
  const key = [model, ...without].join(' ');
  const known = columnLists.get(key);
  if (known) return known;
  const fields = Object.keys(Prisma[`${model}ScalarFieldEnum`]).filter((field) => !without.includes(field));
  const columns = raw(
    join(fields.map((field) => sql`${columnSql('record', field)} AS ${raw(`"${field}"`)}`)).text,
  );
  columnLists.set(key, columns);
  return columns;
}

/** Which rows are read, in which order, and which part of them. */
type Reading = Partial<ListQuery> & { readonly without?: readonly string[] };

function readingSql(
  session: Session,
  model: Model,
  { where = {}, ranges, orderBy = [], skip = 0, take, without }: Reading,
): Prisma.Sql {
  const columns = columnsSql(model, without);
  if (take !== undefined) {
    return pageSql(session, model, columns, { where, orderBy, skip, take, ...(ranges && { ranges }) });
  }
  const order = orderBy.length > 0 ? sql`ORDER BY ${orderSql('record', orderBy)}` : Prisma.empty;
  return sql`SELECT ${columns} ${rowsSql(session, model, where)} ${order}`;
}

/**
 * Looks up rows of a model by keys as Prisma's `findMany` does on a session's scoped client, at a tenth of its cost. A
 * test compares the two for every model.
 * @param reading in the words of Prisma that `conditionSql` knows
 */
export function readRows<M extends Model>(session: Session, model: M, reading: Reading): Promise<RowOf<M>[]> {
  return lookUpOf(session)(readingSql(session, model, reading));
}

/** Tells the number of a model's rows: from what the database keeps of it, or else by counting. */
async function countRows(session: Session, model: Model, where: Condition): Promise<number> {
  const counting = () => sql`SELECT count(*) ${rowsSql(session, model, where)}`;
  const [row] = await readerOf(session)<{ count: bigint }>(keptCountSql(session, model, where) ?? counting());
  return Number(row?.count);
}

/**
 * Reads a part of a list that is searched.
 * @returns its rows, and if they are counted the number of all
 */
async function searchRows<M extends Model>(
  session: Session,
  model: M,
  query: ListQuery,
  search: Search,
  without: readonly string[],
): Promise<{ rows: RowOf<M>[]; total: number | undefined }> {
  const statement = searchSql(session, model, columnsSql(model, without), query, search);
  const found = await readerOf(session)<RowOf<M> & { id: string | null; total?: bigint }>(statement);
  // Of nothing, too, the number is told.
  const rows = found.filter(({ id }) => id !== null);
  return { rows, total: search.counted ? Number(found[0]?.total) : undefined };
}

/** How the rows of a resource are read: as far as the session's caller sees them. */
export interface Rows<Row> {
  list(session: Session, query: Reading): Promise<Row[]>;
  search(
    session: Session,
    query: ListQuery,
    search: Search,
  ): Promise<{ rows: Row[]; total?: number | undefined }>;
  count(session: Session, where: Condition): Promise<number>;
  /** Reads one in a transaction. */
  find(tx: Transaction, session: Session, id: string): Promise<Row | null>;
  /**
   * Makes other writers of a row wait until the transaction ends, and reads it as the writers before have left it: one
   * statement does both (PostgreSQL's manual, section 13.2.1).
   */
  lock(tx: Transaction, session: Session, id: string): Promise<Row | null>;
  /** A row as it is shown. */
  shown(row: object): Row;
  readonly model: Model;
}

/**
 * The rows of a model.
 * @param shown makes what is shown of a row
 * @param without fields that are never read
 */
export function rowsOf<M extends Model, Row = RowOf<M>>(
  model: M,
  shown: (row: RowOf<M>) => Row = (row) => row as Row,
  without: readonly string[] = [],
): Rows<Row> {
  const one = async (tx: Transaction, session: Session, id: string, end: Prisma.Sql) => {
    const [row] = await readerOf(
      session,
      tx,
    )<RowOf<M>>(sql`SELECT ${columnsSql(model, without)} ${rowsSql(session, model, { id })} ${end}`);
    return row ? shown(row) : null;
  };
  return {
    model,
    // It is given what was read of this very model.
    shown: (row) => shown(row as RowOf<M>),
    list: async (session, query) => {
      const rows = await readerOf(session)<RowOf<M>>(readingSql(session, model, { ...query, without }));
      return rows.map(shown);
    },
    search: async (session, query, search) => {
      const { rows, total } = await searchRows(session, model, query, search, without);
      return { rows: rows.map(shown), total };
    },
    count: (session, where) => countRows(session, model, where),
    find: (tx, session, id) => one(tx, session, id, Prisma.empty),
    lock: (tx, session, id) => one(tx, session, id, sql`FOR NO KEY UPDATE`),
  };
}
