import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import type { JoinTable } from './selection.js';
import { raw, type Sql, sql } from './sql.js';

/** The desired state of a list of linked records. Ids are in order and unique. */
export interface ListWrite {
  readonly by: JoinTable;
  readonly ids: readonly string[];
}

/** A list of a row that is written. */
export interface RowList extends ListWrite {
  /** True if the list is in that state already. */
  readonly isKept: boolean;
}

/** Returns the name of the CTE with a list's desired pairs. */
const wantedName = ({ name }: JoinTable) => `wanted_${name}`;

/** Returns the join to a list that the same statement writes. Its table does not show the new entries yet. */
export const joinToWritten = (by: JoinTable): JoinTable => ({ ...by, table: wantedName(by) });

/**
 * Returns the parameter for a list's ids. The subquery hides their number from PostgreSQL's planner: plans
 * for a known number would look cheaper than the cached generic plan, and be made anew each time.
 */
const idsSql = (ids: readonly string[]) => sql`(SELECT ${[...ids]}::uuid[])`;

/**
 * Returns the CTEs that store a list of linked records for each of some rows.
 * @param owners query for the ids of the rows
 * @param isNew true if the rows have just been created, and have no list yet
 */
export function listSql({ by, ids }: ListWrite, owners: Sql, isNew: boolean): Sql {
  const [wanted, table, own, their] = [wantedName(by), by.table, by.own, by.their].map((name) => raw(name));
  const pairs = sql`
    ${wanted} (${own}, ${their}, position) AS (
      SELECT owner.id, entry.id, entry.place - 1 FROM (${owners}) AS owner (id)
      CROSS JOIN unnest(${idsSql(ids)}) WITH ORDINALITY AS entry (id, place)
    )`;
  const insert = sql`INSERT INTO ${table} AS link (${own}, ${their}, position) SELECT * FROM ${wanted}`;
  if (isNew) return sql`${pairs}, ${raw(`stored_${by.name}`)} AS (${insert})`;
  return sql`
    ${pairs}, ${raw(`gone_${by.name}`)} AS (
      DELETE FROM ${table} AS link USING (${owners}) AS owner (id)
      WHERE link.${own} = owner.id AND NOT link.${their} = ANY(${idsSql(ids)}::uuid[])
    ), ${raw(`stored_${by.name}`)} AS (
      ${insert} ON CONFLICT (${own}, ${their}) DO UPDATE SET position = excluded.position
      WHERE link.position <> excluded.position
    )`;
}

/** A list of one row, in its desired state. */
export interface OwnedList {
  readonly owner: string;
  readonly ids: readonly string[];
}

/**
 * Stores the list of each of some rows, with one statement.
 * @param areNew true if the rows have just been created, and have no list yet
 */
export async function storeLists(
  tx: Transaction,
  by: JoinTable,
  lists: readonly OwnedList[],
  areNew = false,
): Promise<void> {
  const pairs = lists.flatMap(({ owner, ids }) => ids.map((id, position) => ({ owner, id, position })));
  if (lists.length === 0 || (areNew && pairs.length === 0)) return;
  const [table, own, their] = [by.table, by.own, by.their].map((name) => raw(name));
  const wanted = sql`
    SELECT * FROM unnest(${pairs.map(({ owner }) => owner)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[],
      ${pairs.map(({ position }) => position)}::int[])`;
  const insert = sql`INSERT INTO ${table} AS link (${own}, ${their}, position)`;
  const replace = () => sql`
    WITH wanted (${own}, ${their}, position) AS (${wanted}), gone AS (
      DELETE FROM ${table} AS link USING unnest(${lists.map(({ owner }) => owner)}::uuid[]) AS owner (id)
      WHERE link.${own} = owner.id
        AND NOT EXISTS (SELECT FROM wanted WHERE wanted.${own} = link.${own} AND wanted.${their} = link.${their})
    )
    ${insert} SELECT * FROM wanted ON CONFLICT (${own}, ${their}) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
  await tx.run(named(`${by.table}.store`, areNew ? sql`${insert} ${wanted}` : replace()));
}
