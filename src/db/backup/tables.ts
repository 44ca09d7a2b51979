import type pg from 'pg';
import { type ModelName, type ModelRow, modelRows, models } from '../../domain/models.js';
import { snakeCase } from '../../domain/text/names.js';
import type { SealedValues } from '../secrets/sealed-values.js';
import type { Secrets } from '../secrets/secrets.js';

/** A table, with names quoted as SQL requires. */
export interface Table {
  readonly name: string;
  /** Columns in order, without generated ones. */
  readonly columns: readonly string[];
}

/** Rows of a table that are part of a backup. */
export interface CopiedTable extends Table {
  /** SQL condition on the rows; without it, the backup has all of them. */
  readonly where?: string;
}

/**
 * Returns the condition that an object does not belong to an extension. The gateway's migrations created the
 * remaining ones.
 */
const notFromExtension = (catalog: string) => `NOT EXISTS (
  SELECT FROM pg_depend AS part
  WHERE part.classid = '${catalog}'::regclass AND part.objid = object.oid AND part.deptype = 'e')`;

const select = `
  SELECT
    format('%I', object.relname) AS name,
    ARRAY(
      SELECT format('%I', attname) FROM pg_attribute
      WHERE attrelid = object.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
    ) AS columns,
    ARRAY(
      SELECT format('%I', other.relname) FROM pg_constraint
        JOIN pg_class AS other ON other.oid = coalesce(pg_partition_root(confrelid), confrelid)
      WHERE contype = 'f' AND (conrelid = object.oid OR pg_partition_root(conrelid) = object.oid) AND other.oid <> object.oid
    ) AS needs
  FROM pg_class AS object
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relpersistence = 'p'
    AND ${notFromExtension('pg_class')}
  ORDER BY relname`;

/**
 * Lists the tables, each after those that its foreign keys refer to. Left out are partitions, whose rows and
 * keys count as their table's, and unlogged tables, which PostgreSQL itself may empty.
 * @throws {Error} if foreign keys form a circle
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(select);
  const sorted: Table[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const free = waiting.filter(({ needs }) => !needs.some((name) => names.has(name)));
    if (free.length === 0) throw new Error(`These tables need one another: ${[...names].join(', ')}`);
    sorted.push(...free.map(({ name, columns }) => ({ name, columns })));
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return sorted;
}

/** Drops all tables, types and functions of the gateway, in the caller's transaction. */
export const DROP_EVERYTHING = `
  DO $$
  DECLARE
    object text;
  BEGIN
    FOREACH object IN ARRAY ARRAY(
      SELECT format('TABLE IF EXISTS %s CASCADE', object.oid::regclass) FROM pg_class AS object
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND ${notFromExtension('pg_class')}
      UNION ALL
      SELECT format('TYPE IF EXISTS %s CASCADE', object.oid::regtype) FROM pg_type AS object
      WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('e', 'd') AND ${notFromExtension('pg_type')}
      UNION ALL
      SELECT format('ROUTINE IF EXISTS %s CASCADE', object.oid::regprocedure) FROM pg_proc AS object
      WHERE pronamespace = current_schema()::regnamespace AND ${notFromExtension('pg_proc')}
    ) LOOP
      EXECUTE 'DROP ' || object;
    END LOOP;
  END $$`;

/**
 * Tables without a model whose rows belong to an organization. They are not part of its file, because triggers
 * write them, or because they have what can be made anew. They are deleted with it.
 */
export const derivedTables: readonly string[] = ['record_counts', 'record_changes', 'archive_parts'];

/**
 * Tables without a model that belong to the whole installation. Rows in them that are about somebody of an
 * organization are short-lived, and deleted by `forgetSql`.
 */
export const sharedTables: readonly string[] = [
  '_prisma_migrations',
  'file_removals',
  'first_token',
  'last_backup',
  'mail_settings',
  'primary_timeline',
  'rate_limits',
  'record_change_epochs',
  'restored_backup',
  'setup',
  'sign_in_challenges',
  'workers',
];

const rowOf = (model: ModelName): ModelRow => models[model];
const columnOf = (relation: string) => snakeCase(`${relation}Id`);

/** Returns the condition on the rows of a model that belong to an organization. `id` is an SQL literal. */
function conditionOf({ scope, partOf }: ModelRow, id: string): string {
  if (scope === 'own organization') return `id = ${id}`;
  if (scope === 'own members') return `team_id IN (SELECT id FROM teams WHERE organization_id = ${id})`;
  if (!partOf) return `organization_id = ${id}`;
  return [partOf, ...(partOf.orOf ? [partOf.orOf] : [])]
    .map(({ record, relation }) => {
      const owner = rowOf(record as ModelName);
      return `${columnOf(relation)} IN (SELECT id FROM ${owner.table} WHERE ${conditionOf(owner, id)})`;
    })
    .join(' OR ');
}

/** Returns the conditions on the rows of an organization, by table. `id` is an SQL literal. */
export function ownedRows(id: string): ReadonlyMap<string, string> {
  return new Map(modelRows.map(([, row]) => [row.table, conditionOf(row, id)]));
}

/** A table with the condition on the rows of one organization. */
export type OwnedTable = Required<CopiedTable>;

/**
 * Lists the tables that have rows of organizations. Each comes after those that its foreign keys refer to.
 * @param id the organization, as an SQL literal
 */
export async function listOwnedTables(client: pg.ClientBase, id: string): Promise<OwnedTable[]> {
  const conditions = ownedRows(id);
  const tables = await listTables(client);
  return tables.flatMap((table) => {
    const where = conditions.get(table.name);
    return where === undefined ? [] : [{ ...table, where }];
  });
}

type Key = Pick<Secrets, 'keyFor'>;

/** Returns an id of a key that tells nothing about it. Equal keys have equal ids. */
export async function keyIdOf(secrets: Key): Promise<string> {
  const derived = await secrets.keyFor('id of the key in files of organizations');
  return derived.export().toString('hex').slice(0, 32);
}

/** Returns whether an organization has encrypted values. */
export async function hasSealedValues(
  client: pg.ClientBase,
  sealed: readonly SealedValues[],
  tables: readonly OwnedTable[],
): Promise<boolean> {
  for (const { table, bytes } of sealed) {
    const where = tables.find(({ name }) => name === table)?.where;
    if (where === undefined) throw new Error(`${table} belongs to no organization.`);
    const { rowCount } = await client.query(
      `SELECT FROM ${table} WHERE (${where}) AND ${bytes} IS NOT NULL LIMIT 1`,
    );
    if (rowCount) return true;
  }
  return false;
}
