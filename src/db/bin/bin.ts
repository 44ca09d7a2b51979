import type { ModelName } from '../../domain/models.js';
import { limits, newId } from '../../domain/rules.js';
import { snakeCase } from '../../domain/text/names.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { sweep } from '../queue/queue.js';
import {
  type Condition,
  columnNameSql,
  columnSql,
  conditionSql,
  modelColumns,
  modelFields,
  tableSql,
  visibleRowSql,
} from '../sql/conditions.js';
import { modelInfo, type OfCaller } from '../sql/models.js';
import { empty, join, raw, type Sql, sql } from '../sql/sql.js';

type Model = ModelName;

/** A foreign key: a field that holds the id of another model's row. */
export interface ForeignKey {
  readonly model: Model;
  readonly field: string;
  readonly to: Model;
  readonly onDelete: 'Cascade' | 'Restrict' | 'SetNull';
  /** True if the field may be null. */
  readonly isOptional: boolean;
}

/** All foreign keys of the models. A test compares them with the database's. */
export const allForeignKeys: readonly ForeignKey[] = Object.entries(modelColumns).flatMap(
  ([model, columns]) =>
    Object.entries(columns).flatMap(([field, { to, onDelete, nullable = false }]) =>
      to && onDelete ? [{ model: model as Model, field, to, onDelete, isOptional: nullable }] : [],
    ),
);

/**
 * Rows that a separate statement deletes together with a record. A foreign key would block the deletion
 * otherwise.
 */
export interface Alongside {
  readonly model: Model;
  /** Their field with the record's id. */
  readonly field: string;
  readonly where: Condition;
}

/** Rows that a deletion affects. */
interface MovedRows {
  readonly model: Model;
  /**
   * Foreign keys that lead from the record to the rows, nearest first. The path of the record itself is
   * empty.
   */
  readonly path: readonly Pick<ForeignKey, 'model' | 'field'>[];
  readonly where?: Condition;
  /** Field that is set to null while its row stays. Rows without such a field are deleted. */
  readonly pointer?: string;
  /** True for rows that would be deleted, but are reassigned to the bin entry instead. */
  readonly isKept?: boolean;
}

/** Models whose rows stay in their table while in the bin. They have a foreign key to the entry. */
const keptModels: ReadonlySet<Model> = new Set(
  allForeignKeys.filter(({ to, model }) => to === 'BinEntry' && model !== 'BinRow').map(({ model }) => model),
);

function walk(model: Model, path: MovedRows['path']): MovedRows[] {
  const below = allForeignKeys
    .filter(({ to }) => to === model)
    .flatMap((key): MovedRows[] => {
      const further = [...path, key];
      const left = { model: key.model, path: further, pointer: key.field };
      if (key.onDelete === 'SetNull') return [left];
      if (key.onDelete !== 'Cascade') return [];
      return keptModels.has(key.model) ? [{ ...left, isKept: true }] : walk(key.model, further);
    });
  return [{ model, path }, ...below];
}

/**
 * Lists the rows that a deletion affects. They are the records, the rows deleted with them, and the rows that
 * refer to them. The list follows from the foreign keys, so it includes new tables automatically.
 * @returns the deleted ones first, each after the row that it belongs to
 */
function movedRows(model: Model, alongside: readonly Alongside[] = []): readonly MovedRows[] {
  const all: MovedRows[] = [
    ...walk(model, []),
    ...alongside.map(({ where, ...key }) => ({ model: key.model, path: [key], where })),
  ];
  return [...all.filter(({ pointer }) => !pointer), ...all.filter(({ pointer }) => pointer)];
}

/** A record that is about to be deleted. */
export interface Discarded {
  readonly id: string;
  readonly teamId: string;
  readonly name: string | null;
}

/** Records to delete, with the time of deletion and of expiry. */
interface Deletion {
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

/** An entry of the bin whose record is restored. */
export interface Restored {
  readonly entryId: string;
  readonly recordId: string;
  readonly model: Model;
  readonly alongside?: readonly Alongside[] | undefined;
  readonly now: Date;
}

/** A missing record that another one needs. */
export interface Absent {
  readonly model: Model;
  readonly id: string;
  /** Name of its newest entry in the bin, if the caller sees one. */
  readonly name: string | null;
  readonly isInBin: boolean;
}

/**
 * Returns the condition that a row belongs to the caller's organization. A freed id may have been reused by
 * another organization.
 */
const ownSql = ({ caller }: Transaction, model: Model, row: string) =>
  modelFields(model).includes('organizationId')
    ? sql`AND ${columnSql(row, 'organizationId')} = ${caller.organizationId}::uuid`
    : empty;

/** Returns the condition that a referenced row exists. */
const existsSql = (tx: Transaction, to: Model, id: Sql) =>
  sql`EXISTS (SELECT FROM ${tableSql(to)} AS target WHERE target.id = ${id} ${ownSql(tx, to, 'target')})`;

const keysOf = (model: Model) => allForeignKeys.filter((key) => key.model === model);

/** Returns FROM and WHERE for the stored copies of a model's deleted rows. The row is called `kept`. */
const keptRowsSql = (entryId: string, model: Model) => sql`
  FROM bin_rows AS kept
  WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table} AND kept.pointer IS NULL`;

/** Finds missing records that a record in the bin needs. */
export async function findAbsent(tx: Transaction, { entryId, recordId, model }: Restored): Promise<Absent[]> {
  // A record that would be deleted together with another one also needs that one to be restored.
  const needed = keysOf(model).filter(
    ({ onDelete, isOptional }) => onDelete === 'Cascade' || (onDelete === 'Restrict' && !isOptional),
  );
  const selects = needed.map(
    ({ field, to }) => sql`
      SELECT ${to}::text AS model, (kept.row->>${snakeCase(field)}::text)::uuid AS id
      ${keptRowsSql(entryId, model)} AND kept.row->>'id' = ${recordId}::text
        AND kept.row->>${snakeCase(field)}::text IS NOT NULL
        AND NOT ${existsSql(tx, to, sql`(kept.row->>${snakeCase(field)}::text)::uuid`)}`,
  );
  const statement = sql`
    SELECT absent.model, absent.id, newest.name, newest.id IS NOT NULL AS "isInBin"
    FROM (${join(selects, ' UNION ALL ')}) AS absent
    LEFT JOIN LATERAL (
      SELECT record.id, record.name FROM bin_entries AS record
      WHERE ${visibleRowSql(tx, 'BinEntry', { recordId: sql`absent.id` })}
      ORDER BY record.deleted_at DESC LIMIT 1
    ) AS newest ON TRUE`;
  return tx.run<Absent>(prepared('bin_entries.absent', statement));
}

/**
 * Reads which columns were stored for the rows of each table. An older version of the program may have stored
 * them.
 */
async function readColumns(tx: Transaction, entryId: string): Promise<ReadonlyMap<string, Set<string>>> {
  const statement = sql`
    SELECT DISTINCT ON (table_name) table_name AS table, ARRAY(SELECT jsonb_object_keys(row)) AS columns
    FROM bin_rows WHERE entry_id = ${entryId}::uuid AND pointer IS NULL ORDER BY table_name, position`;
  const rows = await tx.run<{ table: string; columns: string[] }>(prepared('bin_rows.columns', statement));
  return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]));
}

/** Returns the condition that a record has room for one more part. */
function roomSql(model: Model, field: string): Sql {
  const own = sql`${columnSql('part', field)} = ${columnSql('was', field)}`;
  const { most = limits.entries } = modelInfo[model].partOf ?? {};
  return sql`(SELECT count(*) FROM ${tableSql(model)} AS part WHERE ${own}) < ${most}::int`;
}

/**
 * Inserts the rows of a table again. Optional links to missing records are dropped, and so are rows that
 * represent such a link. Columns that were not stored get their defaults, and stored values of columns that
 * no longer exist are dropped.
 */
async function insertKept(
  tx: Transaction,
  { entryId, recordId, model: restored, now }: Restored,
  { model, path }: MovedRows,
  kept: ReadonlySet<string>,
): Promise<void> {
  const isRecord = path.length === 0;
  const keys = keysOf(model);
  const fields = modelFields(model).filter((field) => kept.has(snakeCase(field)));
  const values = fields.map((field) => {
    const column = columnSql('was', field);
    const link = keys.find((key) => key.field === field && key.isOptional && key.onDelete !== 'Cascade');
    if (link) return sql`CASE WHEN ${existsSql(tx, link.to, column)} THEN ${column} END`;
    // As in every change (`nextModified`).
    if (isRecord && field === 'modified')
      return sql`greatest(${now}::timestamptz, ${column} + interval '1 millisecond')`;
    return column;
  });
  const others = keys.filter(({ onDelete, to }) => onDelete === 'Cascade' && to !== restored);
  const conditions = isRecord
    ? [sql`AND kept.row->>'id' = ${recordId}::text`]
    : others.map(({ field, to, isOptional }) => {
        const column = columnSql('was', field);
        return sql`AND (${isOptional ? sql`${column} IS NULL OR` : empty} ${existsSql(tx, to, column)})`;
      });
  const { partOf } = modelInfo[model];
  // Lists of other records may have become full.
  if (!isRecord && partOf && partOf.record !== restored)
    conditions.push(sql`AND ${roomSql(model, `${partOf.relation}Id`)}`);
  const table = tableSql(model);
  const statement = sql`
    INSERT INTO ${table} (${join(fields.map(columnNameSql))})
    SELECT ${join(values)}
    FROM bin_rows AS kept CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, kept.row) AS was
    WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table} AND kept.pointer IS NULL
      ${conditions.length > 0 ? join(conditions, ' ') : empty}
    ORDER BY kept.position ${raw(isRecord ? '' : 'ON CONFLICT DO NOTHING')}`;
  await tx.run(prepared(`${modelInfo[model].table}.put_back`, statement));
}

/** Returns the condition that a link does not make a row its own ancestor. */
function acyclicSql(model: Model, field: string): Sql {
  const table = tableSql(model);
  const column = columnNameSql(field);
  return sql`AND NOT EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT (kept.row->>${snakeCase(field)}::text)::uuid
      UNION
      SELECT ${column} FROM ${table} JOIN above USING (id)
    )
    SELECT FROM above WHERE above.id = pointing.id
  )`;
}

/** Restores links to the restored rows, unless they have been set to something else since. */
async function pointAgain(
  tx: Transaction,
  { entryId }: Restored,
  { model, path, pointer = '', isKept }: MovedRows,
): Promise<void> {
  const to = allForeignKeys.find((key) => key.model === model && key.field === pointer)?.to ?? model;
  const column = raw(snakeCase(pointer));
  const id = sql`(kept.row->>${snakeCase(pointer)}::text)::uuid`;
  const statement = sql`
    UPDATE ${tableSql(model)} AS pointing SET ${column} = ${id} ${raw(isKept ? ', bin_entry_id = NULL' : '')}
    FROM bin_rows AS kept
    WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${modelInfo[model].table}
      AND kept.pointer = ${snakeCase(pointer)} AND pointing.id = (kept.row->>'id')::uuid
      AND pointing.${column} IS NULL ${ownSql(tx, model, 'pointing')} AND ${existsSql(tx, to, id)}
      ${to === model && path.length === 1 ? acyclicSql(model, pointer) : empty}`;
  await tx.run(prepared(`${modelInfo[model].table}.point_again`, statement));
}

/**
 * Restores a record with everything that was deleted along with it, and deletes the entry. The records that
 * it needs must exist. Links of other records to it are restored as well.
 */
export async function restoreRows(tx: Transaction, restored: Restored): Promise<void> {
  const { entryId, model, alongside } = restored;
  const columns = await readColumns(tx, entryId);
  for (const moved of movedRows(model, alongside)) {
    const kept = columns.get(modelInfo[moved.model].table);
    if (moved.pointer) await pointAgain(tx, restored, moved);
    else if (kept) await insertKept(tx, restored, moved, kept);
  }
  // This also deletes the entry's rows that were not restored.
  await tx.run(
    prepared(
      'bin_entries.delete',
      sql`DELETE FROM bin_entries WHERE id = ${entryId}::uuid RETURNING TRUE AS gone`,
    ),
  );
}
