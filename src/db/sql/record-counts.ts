import { type ModelName, modelRows } from '../../domain/models.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { tableSql, visibleRowSql } from './conditions.js';
import { type OfCaller, scopeOf } from './models.js';
import type { Condition } from './query.js';
import { raw, type Sql, sql } from './sql.js';

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
export function storedCountSql(of: OfCaller, model: Model, where: Condition): Sql | undefined {
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
      named('record_counts.add_up', { text: addUp, values: [] }),
    );
    taken = Number(row?.taken);
  } while (taken === LARGEST_BATCH);
}
