import type { ModelName } from '../../domain/models.js';
import { newId } from '../../domain/rules.js';
import type { Database } from '../connection/database.js';
import { sweep } from '../queue/sweep.js';
import { columnNameSql, columnSql, conditionSql, tableSql } from '../sql/conditions.js';
import type { OfCaller } from '../sql/models.js';
import { modelInfo } from '../sql/models.js';
import { empty, join, raw, type Sql, sql } from '../sql/sql.js';
import { type Alongside, type MovedRows, movedRows } from './moved.js';

/** A record that is about to be deleted. */
export interface Discarded {
  readonly id: string;
  readonly teamId: string;
  readonly name: string | null;
}

/** Records to delete, with the time of deletion and of expiry. */
export interface Deletion {
  readonly model: ModelName;
  /** Number of the records' kind. */
  readonly typeId: number;
  readonly records: readonly Discarded[];
  readonly alongside?: readonly Alongside[] | undefined;
  readonly at: Date;
  readonly until: Date;
}

/** Returns FROM for rows of a deletion, with the entry of each as `entry`. */
function fromSql({ path, model }: MovedRows): Sql {
  const steps = path.map(({ model, field }, place) => {
    const above = place === 0 ? raw('entry.record_id') : raw(`step${place - 1}.id`);
    return sql`JOIN ${tableSql(model)} AS ${raw(`step${place}`)} ON ${columnSql(`step${place}`, field)} = ${above}`;
  });
  const record = sql`JOIN ${tableSql(model)} AS step ON step.id = entry.record_id`;
  return sql`FROM entry ${steps.length > 0 ? join(steps, ' ') : record}`;
}

/** Returns the name of the rows in `fromSql`. */
const rowName = ({ path }: MovedRows) => (path.length === 0 ? 'step' : `step${path.length - 1}`);

/** Returns the query for the rows of `bin_rows` that represent rows of a deletion. */
function rowsOfSql(moved: MovedRows): Sql {
  const { model, pointer, where } = moved;
  const name = rowName(moved);
  const column = pointer && columnNameSql(pointer).text.slice(1, -1);
  const row = column
    ? `jsonb_build_object('id', ${name}.id, '${column}', ${name}."${column}")`
    : `to_jsonb(${name})`;
  const head = raw(`entry.id, '${modelInfo[model].table}', ${column ? `'${column}'` : 'NULL'}::text, ${row}`);
  return sql`SELECT ${head} ${fromSql(moved)} ${where ? sql`WHERE ${conditionSql(name, where)}` : empty}`;
}

/** Returns the CTE that reassigns rows to the entry, so that they are not deleted. */
function keptSql(record: ModelName, moved: MovedRows, place: number): Sql {
  const { model, path, pointer = '' } = moved;
  const owner = { model: path.at(-2)?.model ?? record, path: path.slice(0, -1) };
  return sql`, ${raw(`kept${place}`)} AS (
    UPDATE ${tableSql(model)} AS kept SET ${columnNameSql(pointer)} = NULL, bin_entry_id = owner.entry_id
    FROM (SELECT entry.id AS entry_id, ${raw(rowName(owner))}.id ${fromSql(owner)}) AS owner
    WHERE ${columnSql('kept', pointer)} = owner.id
  )`;
}

/**
 * Returns the CTEs that put records into the bin. They belong to the statement that deletes the records, or
 * to one before it. They see all rows in their former state, and no data leaves the database: bytes of files
 * are not even read.
 */
export function keepSql({ caller }: OfCaller, deletion: Deletion): Sql {
  const { model, typeId, records, alongside, at, until } = deletion;
  const moved = movedRows(model, alongside);
  const kept = moved.filter(({ isKept }) => isKept).map((rows, place) => keptSql(model, rows, place));
  const of = <T>(value: (record: Discarded) => T) => records.map(value);
  return sql`
    entry AS MATERIALIZED (
      SELECT * FROM unnest(${of(() => newId())}::uuid[], ${of(({ id }) => id)}::uuid[],
        ${of(({ teamId }) => teamId)}::uuid[], ${of(({ name }) => name)}::text[]
      ) AS entry (id, record_id, team_id, name)
    ), binned AS (
      INSERT INTO bin_entries
        (id, organization_id, team_id, type_id, record_id, name, deleted_by_id, deleted_at, expires_at)
      SELECT id, ${caller.organizationId}::uuid, team_id, ${typeId}::int, record_id, name, ${caller.user.id}::uuid,
        ${at}::timestamptz, ${until}::timestamptz
      FROM entry
    ), binned_rows AS (
      INSERT INTO bin_rows (entry_id, position, table_name, pointer, row)
      SELECT entry_id, row_number() OVER (PARTITION BY entry_id), table_name, pointer, row
      FROM (${join(moved.map(rowsOfSql), ' UNION ALL ')}) AS moved (entry_id, table_name, pointer, row)
    )${kept.length > 0 ? join(kept, ' ') : empty}`;
}

/**
 * Deletes expired entries of the bin for good. A page is small, because each entry may have many files.
 * @returns the number of entries
 */
export function purgeExpired(database: Pick<Database, 'inTransaction'>, now: Date): Promise<number> {
  const where = sql`expires_at <= ${now}::timestamptz`;
  return sweep(database, { table: 'bin_entries', where, order: 'expires_at', page: 10 });
}
