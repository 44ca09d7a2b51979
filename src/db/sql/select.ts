import { Prisma } from '../../generated/prisma/client.js';
import { byRareTerm } from '../search/rare-terms.js';
import { columnsSql, fieldsOf, type RowOf } from './columns.js';
import { orderSql, rowsSql } from './conditions.js';
import { pageSql, type Search, searchSql } from './page.js';
import type { Condition, ListQuery } from './query.js';
import { keptCountSql } from './record-counts.js';
import { lookUpOf, readerOf, type Session, type Transaction } from './scope.js';
import type { Selection } from './selection.js';
import { readTree } from './tree.js';

const { sql } = Prisma;

type Model = Prisma.ModelName;

/** Which rows are read, in which order, and which part of them. */
type Reading = Partial<ListQuery>;

function readingSql(
  session: Session,
  model: Model,
  { where = {}, ranges, orderBy = [], skip = 0, take }: Reading,
  fields = fieldsOf(model),
): Prisma.Sql {
  const columns = columnsSql(model, fields);
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
 * @param fields all unless told
 */
export function readRows<M extends Model>(
  session: Session,
  model: M,
  reading: Reading,
  fields?: readonly (keyof RowOf<M> & string)[],
): Promise<RowOf<M>[]> {
  return lookUpOf(session)(readingSql(session, model, reading, fields));
}

/** Tells the number of a model's rows: from what the database keeps of it, or else by counting. */
async function countRows(session: Session, model: Model, where: Condition): Promise<number> {
  const counting = () => sql`SELECT count(*) ${rowsSql(session, model, where)}`;
  const [row] = await readerOf(session)<{ count: bigint }>(keptCountSql(session, model, where) ?? counting());
  return Number(row?.count);
}

/** How the rows of a resource are read: as far as the session's caller sees them. */
export interface Rows<Row> {
  /** Reads one; everything in the row and nothing else, unless told. */
  get(session: Session, id: string, selection?: Selection): Promise<Row | null>;
  /** Reads a list, with as much of each row. */
  list(session: Session, query: Reading, selection?: Selection): Promise<Row[]>;
  /** Reads a part of a list that is searched, and if they are counted the number of all rows. */
  search(
    session: Session,
    query: ListQuery,
    search: Omit<Search, 'indexed'>,
    selection?: Selection,
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
  const fields = fieldsOf(model).filter((field) => !without.includes(field));
  const everything: Selection = { fields, joins: [] };
  const one = async (tx: Transaction, session: Session, id: string, end: Prisma.Sql) => {
    const statement = sql`SELECT ${columnsSql(model, fields)} ${rowsSql(session, model, { id })} ${end}`;
    const [row] = await readerOf(session, tx)<RowOf<M>>(statement);
    return row ? shown(row) : null;
  };
  return {
    model,
    // It is given what was read of this very model.
    shown: (row) => shown(row as RowOf<M>),
    get: async (session, id, selection = everything) => {
      const statement = readingSql(session, model, { where: { id } }, selection.fields);
      const { rows } = await readTree<RowOf<M>>(session, statement, selection, { single: true });
      return rows[0] ? shown(rows[0]) : null;
    },
    list: async (session, query, selection = everything) => {
      const statement = readingSql(session, model, query, selection.fields);
      const { rows } = await readTree<RowOf<M>>(session, statement, selection);
      return rows.map(shown);
    },
    search: async (session, query, search, selection = everything) => {
      const columns = columnsSql(model, selection.fields);
      const indexed = await byRareTerm(session, model, query.where);
      const statement = searchSql(session, model, columns, query, { ...search, indexed });
      const { rows, total } = await readTree<RowOf<M>>(session, statement, selection, {
        counted: search.counted,
      });
      return { rows: rows.map(shown), total };
    },
    count: async (session, where) => countRows(session, model, await byRareTerm(session, model, where)),
    find: (tx, session, id) => one(tx, session, id, Prisma.empty),
    lock: (tx, session, id) => one(tx, session, id, sql`FOR NO KEY UPDATE`),
  };
}
