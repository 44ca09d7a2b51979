import type pg from 'pg';

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
